/* Types of the script that have names which the D library or the kernel uses, too: the script has
 * its own, and translators keep theirs. */
#pragma D option quiet

BEGIN
{
	printf("%d\n", curpsinfo->pr_pid > 0);
	name = fds[0].fi_name;
}

struct timespec {
	long tv_sec;
	long tv_nsec;
	int third;
};
struct psinfo { int x; };
struct file { char x; };
struct task_struct { short x; };
struct fileinfo { int x; };
struct tcpinfo { int x; };
enum uio_rw { FIRST, SECOND };
typedef struct { short y; } fileinfo_t;

BEGIN
{
	this->t = (struct timespec *)alloca(sizeof(struct timespec));
	this->t->third = 3;
	printf("%d %d %d %d %d %d\n", sizeof(struct timespec), sizeof(struct psinfo),
	    sizeof(struct file), sizeof(struct task_struct), sizeof(fileinfo_t), this->t->third);
	printf("%d %d %d %d\n", SECOND, curpsinfo->pr_pid == pid,
	    curlwpsinfo->pr_lwpid == tid, fds[0].fi_name == name);
	exit(0);
}

tcp:::send
/0/
{
	trace(args[4]->tcp_sport);
}
