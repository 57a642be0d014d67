/*
 * Of a kernel struct. What this kernel does not have hurts only who asks for it: nobody asks for
 * bad.
 */
/* @@trigger: sh -c 'exec true' */
#pragma D option quiet

typedef struct procinfo { int pid; string name; char comm[16];
	struct parent { int pid; } parent; int bad; int worse; } procinfo_t;
typedef struct lwpinfo { int tid; procinfo_t *proc; } lwpinfo_t;

translator procinfo_t < struct task_struct *t > {
	pid = t->tgid;
	name = stringof(t->comm);
	comm = t->comm;
	bad = t->no_such_member;
};
translator lwpinfo_t < struct task_struct *t > {
	tid = t->pid;
	proc = xlate <procinfo_t *>(t->group_leader);
};

rawtp:::sched_process_exec
/pid == $target/
{
	this->l = xlate <lwpinfo_t *>(args[0]);
	printf("%s %s %d %d\n", this->l->proc->name, this->l->proc->comm,
	    this->l->proc->pid == pid, this->l->tid == tid);
	self->p = this->l->proc;
}

syscall:::entry
/pid == $target && self->p != NULL/
{
	printf("%s\n", self->p->name);
	self->p = NULL;
	exit(0);
}
