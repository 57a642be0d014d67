/* @@kernel: */
/*
 * Definitions that nothing uses: what only a clause, a probe or another kernel has is no error in
 * them.
 */
inline int quotient[int a] = 100 / a;
inline string joined[string s] = strjoin(s, "x");
inline int first = args[0];
inline int noted = self->seen;
inline void said = printf("x");
inline int kernels = `no_such_symbol;
struct out { int o; };
translator struct out < struct task_struct *t > { o = t->no_such_member; };

BEGIN
{
	exit(0);
}
