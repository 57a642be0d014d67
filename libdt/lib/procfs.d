/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes and threads, as proc(5) of other systems shows them. */

typedef struct psinfo {
	pid_t pr_pid;
	pid_t pr_ppid;
	string pr_fname;
} psinfo_t;

translator psinfo_t < struct task_struct *T > {
	pr_pid = T->tgid;
	pr_ppid = T->real_parent->tgid;
	pr_fname = stringof(T->comm);
};
