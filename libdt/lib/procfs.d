/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes and threads, as proc(5) of other systems shows them. What Linux does not have is 0, -1
 * or "". Members that moved between kernels are asked for with exists().
 */

typedef id_t taskid_t;
typedef id_t projid_t;
typedef id_t poolid_t;
typedef id_t zoneid_t;
typedef int psetid_t;

translator struct timespec < uint64_t ns > {
	tv_sec = ns / 1000000000;
	tv_nsec = ns % 1000000000;
};

/* What differs between kernels. */
inline unsigned int dt_task_state[struct task_struct *T] = exists(T->__state) ? T->__state :
    T->state;
/* PF_*, but for PF_VCPU (1), in whose place is PR_STOPPED. */
inline int dt_task_flags[struct task_struct *T] =
    (T->flags & ~1) | (dt_task_state[T] & 0xc ? PR_STOPPED : 0);
inline int dt_task_cpu[struct task_struct *T] = exists(T->thread_info.cpu) ? T->thread_info.cpu :
    T->cpu;
inline int dt_task_oncpu[struct task_struct *T] = exists(T->on_cpu) ? T->on_cpu : T == curthread;
inline int dt_task_util[struct task_struct *T] = exists(T->se.avg.util_avg) ? T->se.avg.util_avg :
    0;
inline struct pid *dt_task_group[struct task_struct *T] = T->signal->pids[2];
inline struct pid *dt_task_session[struct task_struct *T] = T->signal->pids[3];
inline int64_t dt_pages[struct mm_struct *M, int i] =
	exists(M->rss_stat[0].count) ? M->rss_stat[i].count : M->rss_stat.count[i].counter;
inline int64_t dt_resident[struct mm_struct *M] = dt_pages[M, 0] + dt_pages[M, 1] + dt_pages[M, 3];
inline int64_t dt_started[uint64_t start] = walltimestamp - (int64_t)dt_monotonic + (int64_t)start;
/* SSLEEP, SRUN, SZOMB, SSTOP, SIDL, SONPROC, by the scheduler's data. A thread that goes to sleep
 * has left its queue, or stays there by name only (6.12 on), before it leaves its CPU; the probe
 * knows of one that is preempted. */
inline int dt_task_queued[struct task_struct *T] = T->on_rq &&
    !(exists(T->se.sched_delayed) ? T->se.sched_delayed : 0);
inline int dt_task_leaves[struct task_struct *T] = T == curthread && T->pid &&
    (probename == "off-cpu" || probename == "preempt");
inline char dt_lwp_state[struct task_struct *T] =
	T->exit_state ? 3 : dt_task_oncpu[T] && dt_task_queued[T] ? (dt_task_leaves[T] ? 2 : 6) :
	!dt_task_state[T] ? 2 : dt_task_state[T] & 0xc ? 4 : dt_task_state[T] & 0x800 ? 5 : 1;
/* The registers of the system call that a thread is in lie at the end of its stack. */
inline uintptr_t dt_regs[struct task_struct *T] =
	(uintptr_t)T->stack + (dt_unix__pagesize > 16384 ? dt_unix__pagesize : 16384) -
	(dt_function("fred_entry_from_user") ? 16 : 0) - sizeof (struct pt_regs);
inline int64_t dt_syscall[struct task_struct *T] =
	exists(((struct pt_regs *)0)->orig_ax) ? ((struct pt_regs *)dt_regs[T])->orig_ax :
	((struct pt_regs *)dt_regs[T])->syscallno;

/* The arguments that it came with, as long as it lasts. A 32-bit program's call has them in other
 * registers. */
inline int dt_task_compat[struct task_struct *T] = exists(T->thread_info.status) &&
    exists(((struct pt_regs *)0)->orig_ax) ?
	T->thread_info.status & 2 : 0;
inline uint64_t dt_task_arg[struct task_struct *T, int i] = dt_task_compat[T] ? (uint32_t)
	(i == 0 ? ((struct pt_regs *)dt_regs[T])->bx : i == 1 ? ((struct pt_regs *)dt_regs[T])->cx :
	 i == 2 ? ((struct pt_regs *)dt_regs[T])->dx : i == 3 ? ((struct pt_regs *)dt_regs[T])->si :
	 ((struct pt_regs *)dt_regs[T])->di) : exists(((struct pt_regs *)0)->orig_ax) ?
	(i == 0 ? ((struct pt_regs *)dt_regs[T])->di : i == 1 ? ((struct pt_regs *)dt_regs[T])->si :
	 i == 2 ? ((struct pt_regs *)dt_regs[T])->dx :
	     i == 3 ? ((struct pt_regs *)dt_regs[T])->r10 :
	 ((struct pt_regs *)dt_regs[T])->r8) :
	(i == 0 ? ((struct pt_regs *)dt_regs[T])->orig_x0 :
	    ((struct pt_regs *)dt_regs[T])->regs[i]);
inline uint64_t dt_call_arg[int i] = dt_task_arg[curthread, i];

typedef struct lwpsinfo {
	int pr_flag;
	id_t pr_lwpid;
	uintptr_t pr_addr;
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;
	char pr_sname;
	char pr_nice;
	short pr_syscall;
	char pr_oldpri;
	char pr_cpu;
	int pr_pri;
	ushort_t pr_pctcpu;
	timestruc_t pr_start;
	timestruc_t pr_time;
	string pr_clname;
	string pr_name;
	processorid_t pr_onpro;
	processorid_t pr_bindpro;
	psetid_t pr_bindpset;
	int pr_lgrp;
} lwpsinfo_t;

inline int dt_waits_mutex[struct task_struct *T] = exists(T->blocked_on) ? T->blocked_on != NULL :
    0;

translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = dt_task_flags[T];
	pr_lwpid = T->pid;
	pr_addr = (uintptr_t)T;
	pr_wchan = 0;
	pr_stype = dt_lwp_state[T] != SSLEEP ? SOBJ_NONE : dt_waits_mutex[T] ? SOBJ_MUTEX : SOBJ_CV;
	pr_state = dt_lwp_state[T];
	pr_sname = dt_lwp_state[T] == 6 ? 'O' : dt_lwp_state[T] == 2 ? 'R' :
	    dt_lwp_state[T] == 3 ? 'Z' :
		dt_lwp_state[T] == 4 ? 'T' : dt_lwp_state[T] == 5 ? 'I' : 'S';
	pr_nice = T->static_prio - 100;
	pr_syscall = T->flags & 0x200000 || !T->stack || dt_syscall[T] < 0 ||
	    dt_syscall[T] > 4095 ? 0 : dt_syscall[T];
	pr_oldpri = T->normal_prio;
	pr_cpu = dt_task_util[T] >> 3;
	pr_pri = T->prio;
	pr_pctcpu = dt_task_util[T] << 5;
	pr_start = xlate <struct timespec>((uint64_t)dt_started[T->start_time]);
	pr_time = xlate <struct timespec>(T->se.sum_exec_runtime);
	pr_clname = T->policy == 0 ? "TS" : T->policy == 1 ? "FF" : T->policy == 2 ? "RR" :
	    T->policy == 3 ? "B" :
		T->policy == 5 ? "IDL" : T->policy == 6 ? "DLN" : "?";
	pr_name = stringof(T->comm);
	pr_onpro = dt_task_cpu[T];
	pr_bindpro = T->nr_cpus_allowed == 1 ? dt_task_cpu[T] : -1;
	pr_bindpset = -1;
	pr_lgrp = dt_cpu_sysstat(1, dt_task_cpu[T]);
};

typedef struct psinfo {
	int pr_flag;
	int pr_nlwp;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr;
	size_t pr_size;
	size_t pr_rssize;
	dev_t pr_ttydev;
	ushort_t pr_pctcpu;
	ushort_t pr_pctmem;
	timestruc_t pr_start;
	timestruc_t pr_time;
	timestruc_t pr_ctime;
	string pr_fname;
	string pr_psargs;
	int pr_wstat;
	int pr_argc;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
	taskid_t pr_taskid;
	projid_t pr_projid;
	int pr_nzomb;
	poolid_t pr_poolid;
	zoneid_t pr_zoneid;
	id_t pr_contract;
	lwpsinfo_t pr_lwp;
} psinfo_t;

/* argc lies where the stack began, the arguments after it: in memory that can be read while the
 * process runs. */
inline int dt_mine[struct task_struct *T] = T->mm && T->mm == curthread->mm;
inline int dt_ilp32[struct task_struct *T] = T->mm && T->mm->task_size <= 0xffffffff;
inline int dt_argc[struct task_struct *T] = dt_is_curthread(T) ?
    (T->mm ? *(int *)copyin(T->mm->start_stack, 4) : 0) :
    dt_mine[T] ? *(int *)copyin(T->mm->start_stack, 4) :
	T->mm ? (int)dt_task_word(T, T->mm->start_stack) : 0;
/* The name, of threads of the kernel and where the arguments cannot be read. */
inline string dt_psargs[struct task_struct *T] =
	(this->dt_args = dt_is_curthread(T) || dt_mine[T] ? execargs : dt_task_args(T)) == "" ?
	    stringof(T->comm) : this->dt_args;

translator psinfo_t < struct task_struct *T > {
	pr_flag = T->group_leader->flags;
	pr_nlwp = T->signal->nr_threads;
	pr_pid = T->tgid;
	pr_ppid = T->real_parent->tgid;
	pr_pgid = dt_task_group[T] ? dt_task_group[T]->numbers[0].nr : 0;
	pr_sid = dt_task_session[T] ? dt_task_session[T]->numbers[0].nr : 0;
	pr_uid = T->real_cred->uid.val;
	pr_euid = T->real_cred->euid.val;
	pr_gid = T->real_cred->gid.val;
	pr_egid = T->real_cred->egid.val;
	pr_addr = (uintptr_t)T;
	pr_size = T->mm ? T->mm->total_vm * (dt_unix__pagesize / 1024) : 0;
	pr_rssize = !T->mm || dt_resident[T->mm] < 0 ? 0 :
	    dt_resident[T->mm] * (dt_unix__pagesize / 1024);
	pr_ttydev = T->signal->tty ? (T->signal->tty->driver->major << 20) +
	    T->signal->tty->driver->minor_start +
		T->signal->tty->index : -1;
	pr_pctcpu = dt_task_util[T] << 5;
	pr_pctmem = !T->mm || dt_resident[T->mm] < 0 ? 0 :
	    (dt_resident[T->mm] << 15) / dt_unix_physmem;
	pr_start = xlate <struct timespec>((uint64_t)dt_started[T->group_leader->start_time]);
	pr_time = xlate <struct timespec>(T->signal->sum_sched_runtime + T->se.sum_exec_runtime);
	pr_ctime = xlate <struct timespec>(T->signal->cutime + T->signal->cstime);
	pr_fname = stringof(T->comm);
	pr_psargs = dt_psargs[T];
	pr_wstat = T->exit_code;
	pr_argc = dt_argc[T];
	pr_argv = T->mm ? T->mm->start_stack + (dt_ilp32[T] ? 4 : 8) : 0;
	pr_envp = dt_argc[T] ? T->mm->start_stack + (dt_ilp32[T] ? 4 : 8) * (2 + dt_argc[T]) : 0;
	pr_dmodel = dt_ilp32[T] ? 1 : 2;
	pr_taskid = 0;
	pr_projid = 0;
	pr_nzomb = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
	pr_lwp = xlate <lwpsinfo_t>(T);
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *>(curthread);
inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *>(curthread);
/* The numbers that the process's own namespace has for it and the thread; 0 of one that has been
 * reaped. -x nspid prints them, also where a script has a variable nspid. */
inline pid_t dt_nspid = curthread->group_leader->thread_pid ?
    ((struct upid *)&curthread->group_leader->thread_pid->numbers[0])
	[curthread->group_leader->thread_pid->level].nr : 0;
inline id_t dt_nstid = curthread->thread_pid ?
    ((struct upid *)&curthread->thread_pid->numbers[0])[curthread->thread_pid->level].nr : 0;
inline pid_t nspid = dt_nspid;
inline id_t nstid = dt_nstid;
/* A container is where processes have numbers of their own; its name is its host name. */
inline string zonename = curthread->thread_pid && curthread->thread_pid->level &&
    curthread->nsproxy ?
	stringof(curthread->nsproxy->uts_ns->name.nodename) : "global";
