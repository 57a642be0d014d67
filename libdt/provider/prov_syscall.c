/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls, through the two raw tracepoints that all of them pass. Rejected: the tracepoint
 * that each call has in tracefs. It would leave other calls alone, but costs the traced call twice
 * as much, and detaching takes tens of milliseconds for each. So all probes share a target, and the
 * call's number selects.
 *
 * Where programs of raw tracepoints can be preempted, which costs other threads their firings,
 * the two events of the same names are used, whose records have the call's number, its arguments
 * and its result.
 *
 * Calls of 32-bit programs have other numbers, and their arguments are in other registers:
 * prov_syscall32.c. The task's flags distinguish them; they are read only for calls whose number
 * some probe has, in either mode. They cover a 64-bit program's int $0x80, too; where BTF is
 * missing, the saved registers replace them, which do not.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/hash.h"
#include "libdt/base/machine/machine.h"
#include "libdt/opt.h"
#include "libdt/provider/event.h"
#include "libdt/provider/prov.h"
#include "libdt/provider/syscall.h"

enum { ID_FIRST = 100 };

/* The column of syscalls.def. */
#if defined(__x86_64__)
#define THIS_MACHINE(x86, ia32, generic) \
	{                                \
		x86, ia32                \
	}
#else
#define THIS_MACHINE(x86, ia32, generic) \
	{                                \
		generic, SELECT_NONE     \
	}
#endif

static const struct call {
	const char *name;
	/* as probe.select has it; the first SELECT_NONE: this machine does not have it */
	uint32_t nr[2];
} calls[] = {
#define SYSCALL(name, x86, ia32, generic) {#name, THIS_MACHINE(x86, ia32, generic)},
#include "libdt/provider/syscalls.def"
#undef SYSCALL
};

struct spelling {
	const char *other, *name;
};

/* What tracefs calls them, after the kernel's functions. Also taken in descriptions. */
static const struct spelling kernel_spellings[] = {
    {"newuname", "uname"},	   {"newstat", "stat"},
    {"newlstat", "lstat"},	   {"newfstat", "fstat"},
    {"sendfile64", "sendfile"},	   {"umount", "umount2"},
    {"fadvise64_64", "fadvise64"}, {"arm64_personality", "personality"},
    {"sysctl", "_sysctl"},
};

/* What other systems, and C libraries, call what Linux has by another name. */
static const struct spelling aliases[] = {
    {"__getcwd", "getcwd"},
    {"break", "brk"},
    {"creat64", "creat"},
    {"exec", "execve"},
    {"exece", "execve"},
    {"fdsync", "fsync"},
    {"fork", "clone"}, /* newer machines have neither this nor vfork */
    {"fork1", "clone"},
    {"forkall", "clone"},
    {"forksys", "clone"},
    {"fstat64", "fstat"},
    {"fstatat", "newfstatat"},
    {"fstatat64", "newfstatat"},
    {"fstatfs64", "fstatfs"},
    {"fstatvfs", "fstatfs"},
    {"fstatvfs64", "fstatfs"},
    {"fxstat", "fstat"},
    {"getdirentries", "getdents64"},
    {"getdirentries64", "getdents64"},
    {"getrlimit64", "getrlimit"},
    {"gtime", "time"},
    {"kmq_notify", "mq_notify"},
    {"kmq_open", "mq_open"},
    {"kmq_timedreceive", "mq_timedreceive"},
    {"kmq_timedsend", "mq_timedsend"},
    {"kmq_unlink", "mq_unlink"},
    {"ktimer_create", "timer_create"},
    {"ktimer_delete", "timer_delete"},
    {"ktimer_getoverrun", "timer_getoverrun"},
    {"ktimer_gettime", "timer_gettime"},
    {"ktimer_settime", "timer_settime"},
    {"llseek", "lseek"},
    {"lseek64", "lseek"},
    {"lstat64", "lstat"},
    {"lwp_exit", "exit"},
    {"lwp_kill", "tkill"},
    {"lwp_self", "gettid"},
    {"lwp_sigmask", "rt_sigprocmask"},
    {"lxstat", "lstat"},
    {"mmap64", "mmap"},
    {"nfstat", "fstat"},
    {"nlstat", "lstat"},
    {"nstat", "stat"},
    {"ntp_adjtime", "adjtimex"},
    {"obreak", "brk"},
    {"open64", "open"},
    {"openat64", "openat"},
    {"pollsys", "ppoll"},
    {"posix_fadvise", "fadvise64"},
    {"posix_fallocate", "fallocate"},
    {"pread", "pread64"},
    {"pselect", "pselect6"},
    {"pwrite", "pwrite64"},
    {"recv", "recvfrom"},
    {"rexit", "exit_group"},
    {"send", "sendto"},
    {"setrlimit64", "setrlimit"},
    {"sigaction", "rt_sigaction"},
    {"sigpending", "rt_sigpending"},
    {"sigprocmask", "rt_sigprocmask"},
    {"sigqueue", "rt_sigqueueinfo"},
    {"sigreturn", "rt_sigreturn"},
    {"sigsuspend", "rt_sigsuspend"},
    {"sigtimedwait", "rt_sigtimedwait"},
    {"sigwaitinfo", "rt_sigtimedwait"},
    {"so_socket", "socket"},
    {"so_socketpair", "socketpair"},
    {"stat64", "stat"},
    {"statfs64", "statfs"},
    {"statvfs", "statfs"},
    {"statvfs64", "statfs"},
    {"stime", "clock_settime"},
    {"sysacct", "acct"},
    {"syssync", "sync"},
    {"thr_exit", "exit"},
    {"thr_kill", "tkill"},
    {"thr_self", "gettid"},
    {"thread_selfid", "gettid"},
    {"unmount", "umount2"},
    {"utimesys", "utimensat"},
    {"vfork", "clone"},
    {"waitsys", "waitid"},
    {"xmknod", "mknod"},
    {"xstat", "stat"},
    {"yield", "sched_yield"},
};

static const struct call *find_call(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (!strcmp(calls[i].name, name))
			return &calls[i];
	return NULL;
}

static const char *respell(const struct spelling *list, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i].other, name))
			return list[i].name;
	return NULL;
}

/* A name that this machine has always means itself. */
void syscall_rewrite(struct pdesc *pd)
{
	const struct call *call;
	const char *name;

	if (!glob_is_literal(pd->func))
		return;
	call = find_call(pd->func);
	if (call && call->nr[0] != SELECT_NONE)
		return;
	name = respell(kernel_spellings, ARRAY_SIZE(kernel_spellings), pd->func);
	if (!name)
		name = respell(aliases, ARRAY_SIZE(aliases), pd->func);
	if (name)
		pd->func = name;
}

/* The name in tracefs: the kernel's own spelling first, as a plain "stat" there would be an older
 * call. */
static const char *kernel_name(const char *name, int i)
{
	for (size_t k = 0; k < ARRAY_SIZE(kernel_spellings); k++) {
		if (strcmp(kernel_spellings[k].name, name))
			continue;
		if (i-- == 0)
			return kernel_spellings[k].other;
	}
	return i == 0 ? name : NULL;
}

/* Where it is not known, it is there: attaching has an error then. */
static bool is_there(const char *path)
{
	struct stat st;

	return !stat(path, &st) || errno != ENOENT;
}

static bool has_event(struct probes *ps, const char *call)
{
	struct strbuf path = {0};
	bool has;

	sb_printf(&path, "%s/events/syscalls/sys_enter_%s", probes_tracefs(ps), call);
	has = is_there(path.s);
	sb_free(&path);
	return has;
}

#define NO_CALL UINTPTR_MAX

/* What tracefs was asked: once, as a script may have a clause of a call a hundred times. */
struct asked {
	bool known, lists;
	struct hash calls; /* name -> kernel_name()'s number plus one, NO_CALL: there is none */
};

static void asked_free(void *state)
{
	struct asked *a = state;

	hash_free(&a->calls);
}

static struct asked *asked_get(struct probes *ps)
{
	return probes_state(ps, "prov_syscall.c", sizeof(struct asked), asked_free);
}

/* Does tracefs list the calls that the kernel has? Without it, the whole table is assumed. */
static bool lists_calls(struct probes *ps)
{
	struct asked *a = asked_get(ps);
	struct strbuf path = {0};

	if (!probes_tracefs(ps))
		return false;
	if (a->known)
		return a->lists;
	sb_printf(&path, "%s/events/syscalls/.", probes_tracefs(ps));
	a->lists = is_there(path.s);
	a->known = true;
	sb_free(&path);
	return a->lists;
}

static uintptr_t find_known(struct probes *ps, const char *name)
{
	const char *k;

	for (int i = 0; (k = kernel_name(name, i)); i++)
		if (has_event(ps, k))
			return i + 1;
	return NO_CALL;
}

/* What the kernel calls it; NULL when it has no such call. Asked only when lists_calls(). */
static const char *known_as(struct probes *ps, const char *name)
{
	uintptr_t *n = (uintptr_t *)hash_ref(&asked_get(ps)->calls, name, strlen(name));

	if (!*n)
		*n = find_known(ps, name);
	return *n == NO_CALL ? NULL : kernel_name(name, *n - 1);
}

struct probe *syscall_add(struct probes *ps, const struct provider *prov, uint32_t id,
			  const char *mod, const char *func, const uint32_t select[2],
			  bool is_return)
{
	struct probe *p = probe_add(ps, prov, id, mod, func, is_return ? "return" : "entry");

	p->hook = HOOK_RAWTP;
	p->target.group = "raw_syscalls";
	p->target.name = is_return ? "sys_exit" : "sys_enter";
	memcpy(p->select, select, sizeof(p->select));
	p->is_return = is_return;
	p->is_entry = !is_return;
	return p;
}

static void add_call(struct probes *ps, const struct call *call, uint32_t id, bool is_return)
{
	syscall_add(ps, &provider_syscall, id + is_return, "vmlinux", call->name, call->nr,
		    is_return)
	    ->data = (void *)call;
}

/* The records of raw_syscalls:sys_enter and sys_exit, after 8 bytes of the kernel's. */
enum { RECORD_NR = 8, RECORD_ARGS = 16, RECORD_RET = 16 };

void syscall_unpreempted(struct probes *ps, struct probe *p)
{
	struct event *e = event_find(ps, p->target.group, p->target.name);

	if (!e)
		return;
	p->hook = HOOK_TP;
	p->target.event_id = e->id;
}

static void syscall_provide(struct probes *ps, const struct pdesc *pd)
{
	bool entry = glob_fits(pd->name, "entry"), ret = glob_fits(pd->name, "return"), ask;
	const struct call *first = calls, *end = calls + ARRAY_SIZE(calls);

	if (!pdesc_wants_id(pd, ID_FIRST, ID_FIRST + 2 * SYSCALL_NUMBERS - 1) ||
	    !glob_fits(pd->mod, "vmlinux") || (!entry && !ret))
		return;
	ask = lists_calls(ps);
	if (glob_is_literal(pd->func)) {
		first = find_call(pd->func);
		end = first ? first + 1 : NULL;
	}
	for (const struct call *call = first; call < end; call++) {
		uint32_t id = ID_FIRST + 2 * call->nr[0];

		if (call->nr[0] >= SYSCALL_NUMBERS || !glob_fits(pd->func, call->name) ||
		    !pdesc_wants_id(pd, id, id + 1) || (ask && !known_as(ps, call->name)))
			continue;
		if (entry)
			add_call(ps, call, id, false);
		if (ret)
			add_call(ps, call, id, true);
	}
}

static const struct type *user_type(struct types *types, const struct type *type, int depth)
{
	const struct type *base = type_base(type), *to;

	if (base->kind != T_PTR || !depth)
		return type;
	to = user_type(types, base->ref, depth - 1);
	if (to != base->ref)
		base = type_ptr(types, type_qualified(types, to, base->ref->flags));
	return type_userland(types, base);
}

const struct type *syscall_user_type(struct types *types, const struct type *type)
{
	return user_type(types, type, 4);
}

int syscall_entry_args(struct probes *ps, const char *call, struct probe_arg *args)
{
	const char *name = lists_calls(ps) ? known_as(ps, call) : NULL;
	struct event *e = NULL;
	struct format *format;
	int n = 0;

	if (name)
		e = event_find(ps, "syscalls",
			       arena_printf(probes_arena(ps), "sys_enter_%s", name));
	format = e ? event_format(e) : NULL;
	if (!format)
		return -1;
	for (int i = 0; i < format->nfields && n < SYSCALL_ARGS; i++) {
		const struct field *f = &format->fields[i];

		/* "nr" before Linux 4.11 */
		if (!f->name || !strcmp(f->name, "__syscall_nr") ||
		    (f->off == 8 && !strcmp(f->name, "nr")))
			continue;
		args[n++] = (struct probe_arg){
		    .name = f->name, .type = syscall_user_type(probes_types(ps), f->type)};
	}
	return n;
}

static void entry_args(struct probes *ps, struct probe *p)
{
	const struct call *call = p->data;
	struct probe_arg *args = arena_alloc(probes_arena(ps), SYSCALL_ARGS * sizeof(*args));
	int n = syscall_entry_args(ps, call->name, args);

	if (n < 0) {
		p->no_args = events_unreadable(ps);
		return;
	}
	p->args = args;
	p->nargs = n;
}

void syscall_return_args(struct probes *ps, struct probe *p)
{
	struct probe_arg *args = arena_alloc(probes_arena(ps), 2 * sizeof(*args));

	args[0].type = args[1].type = type_int(probes_types(ps), 8, true);
	p->args = args;
	p->nargs = 2;
}

static void syscall_args(struct probes *ps, struct probe *p)
{
	if (p->is_return)
		syscall_return_args(ps, p);
	else
		entry_args(ps, p);
}

static int ctx_word(struct gen *g, int n)
{
	int reg = ir_reg(gen_ir(g));

	ir_ld_const(gen_ir(g), 8, reg, gen_ctx(g), n * 8);
	return reg;
}

static int record_member(struct gen *g, int off, int size)
{
	int reg = ir_reg(gen_ir(g));

	ir_ld_const(gen_ir(g), size, reg, gen_ctx(g), off);
	return reg;
}

/* A member of the registers that the call came with; sys_enter and sys_exit both give them first.
 */
static int regs_member(struct gen *g, int off, int size)
{
	int reg;

	if (g->hook_kind == HOOK_TPBTF) {
		reg = ir_reg(gen_ir(g));
		ir_ld_const(gen_ir(g), size, reg, ctx_word(g, 0), off);
		return reg;
	}
	return gen_peek_kernel(g, ctx_word(g, 0), off, size);
}

int syscall_raw_return(struct gen *g)
{
	return g->hook_kind == HOOK_TP ? record_member(g, RECORD_RET, 8) : ctx_word(g, 1);
}

/* As programs see it: -1 and errno. -x syscallret=raw: as the kernel does. */
static int failed_is_minus_one(struct gen *g)
{
	struct ir *ir = gen_ir(g);
	int value = ir_reg(ir), done;

	ir_mov(ir, value, syscall_raw_return(g));
	if (!strcmp(opt_text(gen_opts(g), OPT_SYSCALLRET), "raw"))
		return value;
	done = ir_label(ir);
	ir_jcci(ir, BPF_JLT, value, -4095, done);
	ir_movi(ir, value, -1);
	ir_place(ir, done);
	return value;
}

/* The records have the arguments in the order of the mode's registers. */
static int entry_word(struct gen *g, int mode, int n, int size)
{
	if (g->hook_kind == HOOK_TP)
		return record_member(g, RECORD_ARGS + n * 8, size);
	return regs_member(g, machine_here->calls.args[mode][n], size);
}

int syscall_word(struct gen *g, int n)
{
	return entry_word(g, 1, n, 4);
}

int syscall_number(struct gen *g)
{
	int reg = ir_reg(gen_ir(g));

	/* a raw tracepoint's second argument is there, too */
	ir_ld(gen_ir(g), 8, reg, gen_ctx(g), RECORD_NR);
	return reg;
}

/* Adding the number and taking it away again hides from the verifier which mode it is: see
 * syscall_number(). */
static void if_32(struct gen *g, int label)
{
	struct ir *ir = gen_ir(g);
	int mode = ir_reg(ir);

	ir_mov(ir, mode, g->mode);
	ir_alu(ir, BPF_ADD, mode, syscall_number(g));
	ir_alu(ir, BPF_SUB, mode, syscall_number(g));
	ir_alui(ir, BPF_AND, mode, SYSCALL_MODE_BIT);
	ir_jcci(ir, BPF_JNE, mode, 0, label);
}

static int entry_arg(struct gen *g, int n)
{
	struct ir *ir = gen_ir(g);
	unsigned modes = gen_modes(g);
	int value, other, done;

	if (modes != 3)
		return modes == 1 ? entry_word(g, 0, n, 8) : syscall_arg32(g, n);
	value = ir_reg(ir);
	other = ir_label(ir);
	done = ir_label(ir);
	if_32(g, other);
	ir_mov(ir, value, entry_word(g, 0, n, 8));
	ir_jmp(ir, done);
	ir_place(ir, other);
	ir_mov(ir, value, syscall_arg32(g, n));
	ir_place(ir, done);
	return value;
}

int syscall_arg(struct gen *g, const struct probe *p, int n)
{
	if (p->is_return && (n == 0 || n == 1))
		return failed_is_minus_one(g);
	if (!p->is_return && n >= 0 && n < SYSCALL_ARGS)
		return entry_arg(g, n);
	return gen_imm(g, 0);
}

/* Numbers that no call has, -1 of a call that a tracer cancelled among them, are huge without a
 * sign. */
int syscall_selector(struct gen *g, const struct probe *p)
{
	if (g->hook_kind == HOOK_TP)
		return record_member(g, RECORD_NR, 8);
	if (!p->is_return)
		return ctx_word(g, 1);
	return regs_member(g, machine_here->calls.number, machine_here->calls.number_size);
}

int syscall_mode(struct gen *g, const struct probe *p)
{
	const struct machine_calls *calls = &machine_here->calls;
	const char *const task_mode[] = {"thread_info", calls->flags};
	struct ir *ir = gen_ir(g);
	uint64_t off;
	int mode;

	(void)p;
	if (g->hook_kind == HOOK_TP ||
	    type_kernel_offset(g->cg->types, "struct task_struct",
			       arena_printf(g->arena, "%s.%s", task_mode[0], task_mode[1]), &off)) {
		/* The registers do not say it: a program can have those of the instruction syscall
		 * at an int $0x80. */
		mode = gen_copy(g, gen_task_field(g, task_mode, 2));
		ir_alui(ir, BPF_RSH, mode, calls->flags_bit);
		return mode;
	}
	mode = regs_member(g, calls->mode, 8);
	ir_alui(ir, BPF_RSH, mode, calls->mode_bit);
	if (calls->native)
		ir_alui(ir, BPF_XOR, mode, SYSCALL_MODE_BIT);
	return mode;
}

const char *syscall_absent(struct probes *ps, const char *name)
{
	const struct call *call = find_call(name);

	if (!call)
		return NULL;
	if (call->nr[0] == SELECT_NONE) {
		const char *others = compat_others(probes_arena(ps), call->name);

		return arena_printf(probes_arena(ps), "this machine has no system call %s%s%s",
				    call->name, others ? "; with -x compat it means " : "",
				    others ? others : "");
	}
	if (lists_calls(ps) && !known_as(ps, call->name))
		return arena_printf(probes_arena(ps), "this kernel has no system call %s",
				    call->name);
	return NULL;
}

static const char *syscall_unavailable(struct probes *ps, const struct pdesc *pd)
{
	return glob_is_literal(pd->prov) && glob_is_literal(pd->func) ? syscall_absent(ps, pd->func)
								      : NULL;
}

/* All calls' probes are on one tracepoint, from which nothing returns. */
static const struct type *syscall_can_return(struct probes *ps, struct probe *p, bool zero,
					     const char **why)
{
	const char *prefix = machine_here->calls.prefix, *name = p->func;

	(void)zero;
	for (size_t i = 0; i < ARRAY_SIZE(kernel_spellings); i++)
		if (!strcmp(kernel_spellings[i].name, p->func) &&
		    type_kernel_func_id(
			probes_types(ps), "vmlinux",
			arena_printf(probes_arena(ps), "%s%s", prefix, kernel_spellings[i].other)))
			name = kernel_spellings[i].other;
	*why = arena_printf(probes_arena(ps),
			    "fbt::%s%s:entry is where its function can be made to return, on "
			    "kernels with CONFIG_FUNCTION_ERROR_INJECTION",
			    prefix, name);
	return NULL;
}

const struct provider provider_syscall = {
    .name = "syscall",
    SYSCALL_ATTRS,
    .rewrite = syscall_rewrite,
    .provide = syscall_provide,
    .interrupts = true,
    .unpreempted = syscall_unpreempted,
    .args = syscall_args,
    .arg = syscall_arg,
    .uniform_args = true, /* of one target: entries, or returns */
    .selector = syscall_selector,
    .nselect = SYSCALL_NUMBERS,
    .mode = syscall_mode,
    .mode_bit = SYSCALL_MODE_BIT,
    .loads_typed = true,
    .unavailable_reason = syscall_unavailable,
    .can_return = syscall_can_return,
};
