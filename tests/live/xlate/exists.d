/*
 * A translator that does for kernels with other names; and a variable that is translated, as the
 * library has them.
 */
/* @@trigger: true */
#pragma D option quiet

typedef struct taskinfo { int pid; int named; int nothing; string name; } taskinfo_t;
translator taskinfo_t < struct task_struct *t > {
	pid = exists(t->no_such_pid) ? t->no_such_pid : t->tgid;
	named = exists(t->comm) ? 1 : t->no_such_comm;
	nothing = exists(t->no_such_a) ? t->no_such_a : t->no_such_b;
	name = exists(xlate <taskinfo_t>(t).named) ? stringof(t->comm) : "?";
};
inline taskinfo_t *curinfo = xlate <taskinfo_t *>(curthread);
inline int HAS = exists(curinfo->nothing);

syscall:::entry
/pid == $target && curinfo->pid == pid/
{
	printf("%s %d %d %d\n", curinfo->name, curinfo->named, HAS, exists(curinfo->pid));
	self->me = curinfo;
	printf("%d %d\n", self->me == curinfo, (struct task_struct *)self->me == curthread);
	exit(0);
}
