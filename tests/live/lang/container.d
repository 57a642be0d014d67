/* SPDX-License-Identifier: GPL-2.0-or-later */
/* container_of(pointer, type, member), with names of types where a call would have a value. */
#pragma D option quiet

typedef struct {
	int a;
	struct {
		int b;
		int c[3];
	} d;
} rec_t;

inline struct task_struct *owner[struct list_head *l] = container_of(l, struct task_struct, tasks);
int container; /* is a name as any other */

BEGIN
{
	this->l = &curthread->tasks;
	printf("%d\n", container_of(this->l, struct task_struct, tasks) == curthread);
	printf("%d\n", owner[this->l]->pid == pid);
	printf("%s\n", container_of(&curthread->se, struct task_struct, se)->comm);
	this->r = (rec_t *)alloca(sizeof(rec_t));
	this->r->a = 7;
	printf("%d\n", container_of(&this->r->d.c[2], rec_t, d.c[2])->a);
	printf("%d\n", container_of(container_of(&this->r->d.b, rec_t, d.b), const rec_t, a)->a);
	container_of(&this->r->d.b, rec_t, d.b)->a = 8;
	printf("%d\n", this->r->a);
	exit(0);
}
