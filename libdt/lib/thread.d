/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What curthread points to on other systems, as scripts follow it:
 * curthread->t_procp->p_user.u_comm. Here curthread is a struct task_struct; a member that this
 * does not have is taken from kthread_t (libdt/lang/xlate.c, foreign_members[]), and all others
 * are met on the way from there. What Linux has no value for is 0 or "". An index of fi_list[]
 * counts files of the process it was taken from.
 */

typedef uint64_t disp_lock_t;
typedef struct dt_vnode {
	string v_path;
	int v_type;
	dev_t v_rdev;
	uint64_t v_count;
} vnode_t;
typedef struct dt_cred {
	uid_t cr_uid;
	uid_t cr_ruid;
	uid_t cr_suid;
	gid_t cr_gid;
	gid_t cr_rgid;
	gid_t cr_sgid;
} cred_t;
typedef struct dt_filep {
	vnode_t *f_vnode;
	int64_t f_offset;
	uint32_t f_flag;
	cred_t *f_cred;
} file_t;
typedef struct dt_uf_entry {
	file_t *uf_file;
	int uf_flag;
} uf_entry_t;
typedef struct dt_uf_info {
	int fi_nfiles;
	uf_entry_t *fi_list;
} uf_info_t;
typedef struct dt_disp {
	int disp_nrunnable;
	pri_t disp_maxrunpri;
} disp_t;
typedef struct dt_cpu {
	processorid_t cpu_id;
	disp_t *cpu_disp;
} cpu_t;
typedef struct dt_user {
	string u_comm;
	string u_psargs;
	timestruc_t u_start;
	hrtime_t u_ticks;
	vnode_t *u_cdir;
	vnode_t *u_rdir;
	int u_argc;
	uintptr_t u_argv;
	uintptr_t u_envp;
	mode_t u_cmask;
	uf_info_t u_finfo;
} user_t;
typedef struct dt_pidp {
	pid_t pid_id;
	dev_t pid_minor;
} pid_struct_t;
typedef struct dt_zone {
	zoneid_t zone_id;
	string zone_name;
} zone_t;
typedef struct dt_kproject {
	projid_t kpj_id;
} kproject_t;
struct dt_task {
	taskid_t tk_tkid;
	kproject_t *tk_proj;
	zone_t *tk_zone;
};
typedef struct dt_proc {
	struct dt_proc *p_parent;
	pid_t p_ppid;
	pid_t p_pgrp;
	pid_struct_t *p_pidp;
	user_t p_user;
	cred_t *p_cred;
	vnode_t *p_exec;
	struct dt_task *p_task;
	zone_t *p_zone;
	struct dt_kthread *p_tlist;
	int p_lwpcnt;
	char p_stat;
	uint_t p_flag;
	int p_model;
	hrtime_t p_mstart;
	size_t p_stksize;
	size_t p_brksize;
	uintptr_t p_usrstack;
	uintptr_t p_brkbase;
	clock_t p_utime;
	clock_t p_stime;
	clock_t p_cutime;
	clock_t p_cstime;
} proc_t;
typedef struct dt_klwp {
	struct dt_kthread *lwp_thread;
	proc_t *lwp_procp;
	uintptr_t lwp_ustack;
	uintptr_t lwp_regs;
} klwp_t;
typedef struct dt_kthread {
	cpu_t *t_cpu;
	proc_t *t_procp;
	klwp_t *t_lwp;
	cred_t *t_cred;
	disp_t *t_disp_queue;
	pri_t t_pri;
	pri_t t_epri;
	id_t t_tid;
	uint64_t t_did;
	int t_state;
	uint_t t_flag;
	int t_cid;
	time_t t_start;
	processorid_t t_bind_cpu;
	uintptr_t t_stk;
	uintptr_t t_wchan;
} kthread_t;

translator kthread_t < struct task_struct *T > {
	t_cpu = xlate <cpu_t *>(T);
	t_procp = xlate <proc_t *>(T);
	t_lwp = xlate <klwp_t *>(T);
	t_cred = xlate <cred_t *>(T->cred);
	t_disp_queue = xlate <disp_t *>(T);
	t_pri = T->pid ? T->prio : -1; /* of a CPU that idles: -1, as scripts ask */
	t_epri = T->pid ? T->normal_prio : -1;
	t_tid = T->pid;
	t_did = T->pid;
	t_state = dt_lwp_state[T];
	t_flag = T->flags;
	t_cid = T->policy;
	t_start = dt_started[T->start_time] / 1000000000;
	t_bind_cpu = T->nr_cpus_allowed == 1 ? dt_task_cpu[T] : -1;
	t_stk = (uintptr_t)T->stack;
	t_wchan = 0;
};

translator klwp_t < struct task_struct *T > {
	lwp_thread = xlate <kthread_t *>(T);
	lwp_procp = xlate <proc_t *>(T);
	lwp_ustack = 0;
	lwp_regs = dt_regs[T];
};

translator cpu_t < struct task_struct *T > {
	cpu_id = dt_task_cpu[T];
	cpu_disp = xlate <disp_t *>(T);
};

/* The queue of the thread's CPU counts the running thread, too. It is found through the thread,
 * not by a symbol. */
translator disp_t < struct task_struct *T > {
	disp_nrunnable = T->se.cfs_rq->rq->nr_running - (T->se.cfs_rq->rq->curr->pid ? 1 : 0);
	disp_maxrunpri = 0;
};

/* Nanoseconds as clock ticks of `hz. */
inline int64_t dt_ticks[uint64_t ns] = ns / (1000000000 / dt_unix_hz);

translator proc_t < struct task_struct *T > {
	p_parent = xlate <proc_t *>(T->real_parent);
	p_ppid = T->real_parent->tgid;
	p_pgrp = dt_task_group[T] ? dt_task_group[T]->numbers[0].nr : 0;
	p_pidp = xlate <pid_struct_t *>(T);
	p_user = xlate <user_t>(T);
	p_cred = xlate <cred_t *>(T->real_cred);
	p_exec = xlate <vnode_t *>(T->mm ? (struct path *)&T->mm->exe_file->f_path : NULL);
	p_task = xlate <struct dt_task *>(T);
	p_zone = xlate <zone_t *>(T);
	p_tlist = xlate <kthread_t *>(T->group_leader);
	p_lwpcnt = T->signal->nr_threads;
	p_stat = dt_lwp_state[T];
	p_flag = T->group_leader->flags;
	p_model = T->mm && T->mm->task_size <= 0xffffffff ? PR_MODEL_ILP32 : PR_MODEL_LP64;
	p_mstart = T->group_leader->start_time;
	p_stksize = T->mm ? T->mm->stack_vm * dt_unix__pagesize : 0;
	p_brksize = T->mm ? T->mm->brk - T->mm->start_brk : 0;
	p_usrstack = T->mm ? T->mm->start_stack : 0;
	p_brkbase = T->mm ? T->mm->start_brk : 0;
	p_utime = dt_ticks[T->signal->utime + T->utime];
	p_stime = dt_ticks[T->signal->stime + T->stime];
	p_cutime = dt_ticks[T->signal->cutime];
	p_cstime = dt_ticks[T->signal->cstime];
};

translator user_t < struct task_struct *T > {
	u_comm = stringof(T->group_leader->comm);
	u_psargs = dt_psargs[T];
	u_start = xlate <struct timespec>((uint64_t)dt_started[T->group_leader->start_time]);
	u_ticks = dt_ticks[T->group_leader->start_time];
	u_cdir = xlate <vnode_t *>((struct path *)&T->fs->pwd);
	u_rdir = xlate <vnode_t *>((struct path *)&T->fs->root);
	u_argc = dt_argc[T];
	u_argv = T->mm ? T->mm->start_stack + (dt_ilp32[T] ? 4 : 8) : 0;
	u_envp = dt_argc[T] ? T->mm->start_stack + (dt_ilp32[T] ? 4 : 8) * (2 + dt_argc[T]) : 0;
	u_cmask = T->fs->umask;
	u_finfo = xlate <uf_info_t>(T);
};

/* The table that a place in it is checked against is noted in a variable of the firing. */
translator uf_info_t < struct task_struct *T > {
	fi_nfiles = T->files->fdt->max_fds;
	fi_list = (this->dt_fdt = T->files ? T->files->fdt : NULL,
	    xlate <uf_entry_t *>((struct file **)(this->dt_fdt ? this->dt_fdt->fd : NULL)));
};

translator uf_entry_t < struct file **P > {
	uf_file =
	    xlate <file_t *>((this->dt_slot = (uint64_t)P,
	    this->dt_fdt && this->dt_slot >= (uint64_t)this->dt_fdt->fd &&
		this->dt_slot < (uint64_t)this->dt_fdt->fd + 8 * this->dt_fdt->max_fds ?
		    *(struct file **)this->dt_slot : NULL));
	uf_flag = 0;
};

translator file_t < struct file *F > {
	f_vnode = xlate <vnode_t *>((struct path *)&F->f_path);
	f_offset = F->f_pos;
	f_flag = F->f_flags;
	f_cred = xlate <cred_t *>(F->f_cred);
};

/* VNON, VREG, VDIR, VBLK, VCHR, VLNK, VFIFO, VSOCK, of the mode's upper bits. */
inline int VNON = 0;
inline int VREG = 1;
inline int VDIR = 2;
inline int VBLK = 3;
inline int VCHR = 4;
inline int VLNK = 5;
inline int VFIFO = 6;
inline int VSOCK = 9;
inline int dt_vtype[int fmt] = fmt == 010 ? VREG : fmt == 04 ? VDIR : fmt == 06 ? VBLK :
    fmt == 02 ? VCHR : fmt == 012 ? VLNK :
	fmt == 01 ? VFIFO : fmt == 014 ? VSOCK : VNON;

translator vnode_t < struct path *P > {
	v_path = d_path(P);
	v_type = dt_vtype[P->dentry->d_inode->i_mode >> 12];
	v_rdev = P->dentry->d_inode->i_rdev;
	v_count = 1;
};

translator cred_t < const struct cred *C > {
	cr_uid = C->euid.val;
	cr_ruid = C->uid.val;
	cr_suid = C->suid.val;
	cr_gid = C->egid.val;
	cr_rgid = C->gid.val;
	cr_sgid = C->sgid.val;
};

translator pid_struct_t < struct task_struct *T > {
	pid_id = T->tgid;
	pid_minor = 0;
};

translator zone_t < struct task_struct *T > {
	zone_id = 0;
	zone_name = zonename;
};

translator struct dt_task < struct task_struct *T > {
	tk_tkid = 0;
	tk_proj = xlate <kproject_t *>(T);
	tk_zone = xlate <zone_t *>(T);
};

translator kproject_t < struct task_struct *T > {
	kpj_id = 0;
};
