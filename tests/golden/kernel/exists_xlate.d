/* @@kernel: */
/*
 * exists() in translators and about them, and about the D library: nothing stays busy, what was
 * read stays read.
 */
struct out { int a, b; };
translator struct out < struct task_struct *t > {
	a = exists(t->nosuch) ? t->nosuch : t->pid;
	b = t->nosuch;
};

BEGIN
{
	a = exists(xlate <struct out>(curthread).b);
	b = exists(xlate <struct out>(curthread).b) + exists(xlate <struct out>(curthread).a);
	c = xlate <struct out>(curthread).a;
	d = exists(EPERM + nosuch) + EPERM;
}
