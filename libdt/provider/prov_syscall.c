/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls, through the two raw tracepoints that all of them pass. Rejected: the tracepoint
 * that each call has in tracefs. It would leave other calls alone, but costs the traced call twice
 * as much, and detaching takes tens of milliseconds for each. So all probes share a target, and the
 * call's number selects.
 *
 * Where programs of raw tracepoints can be preempted, which costs other threads their firings, the two events of the
 * same names are used, whose records have the call's number, its arguments and its result.
 *
 * A 32-bit task has other numbers for its calls. The guard keeps them from being taken for ours, by
 * the mode in the saved registers; a 64-bit program that calls through int 0x80 is not told apart.
 */
#include <string.h>
#include <unistd.h>

#include "libdt/lang/gen.h"
#include "libdt/opt.h"
#include "libdt/provider/event.h"
#include "libdt/provider/prov.h"

enum { ID_FIRST = 100, NSELECT = 512, NARGS = 6 };

/* Offsets in the kernel's pt_regs. */
#if defined(__x86_64__)
enum { REGS_NR = 120, REGS_NR_SIZE = 8, REGS_MODE = 136, MODE_BIT = 0x10, MODE_WANT = 0x10 };
static const int regs_arg[NARGS] = {112, 104, 96, 56, 72, 64};
#define THIS_MACHINE(x86, arm) (x86)
#elif defined(__aarch64__)
enum { REGS_NR = 280, REGS_NR_SIZE = 4, REGS_MODE = 264, MODE_BIT = 0x10, MODE_WANT = 0 };
static const int regs_arg[NARGS] = {272, 8, 16, 24, 32, 40};
#define THIS_MACHINE(x86, arm) (arm)
#else
#error "the syscall provider knows x86-64 and aarch64"
#endif

static const struct call {
	const char *name;
	int nr; /* -1: this machine does not have it */
} calls[] = {
#define SYSCALL(name, x86, arm) {#name, THIS_MACHINE(x86, arm)},
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
static const struct spelling heritage[] = {
    {"creat64", "creat"},
    {"exec", "execve"},
    {"exece", "execve"},
    {"fdsync", "fsync"},
    {"fork", "clone"}, /* aarch64 has neither this nor vfork */
    {"fork1", "clone"},
    {"forkall", "clone"},
    {"forksys", "clone"},
    {"fstat64", "fstat"},
    {"fstatat", "newfstatat"},
    {"fstatat64", "newfstatat"},
    {"fstatvfs", "fstatfs"},
    {"fstatvfs64", "fstatfs"},
    {"fxstat", "fstat"},
    {"gtime", "time"},
    {"llseek", "lseek"},
    {"lseek64", "lseek"},
    {"lstat64", "lstat"},
    {"lwp_exit", "exit"},
    {"lwp_kill", "tkill"},
    {"lwp_self", "gettid"},
    {"lwp_sigmask", "rt_sigprocmask"},
    {"lxstat", "lstat"},
    {"mmap64", "mmap"},
    {"open64", "open"},
    {"openat64", "openat"},
    {"pollsys", "ppoll"},
    {"pread", "pread64"},
    {"pwrite", "pwrite64"},
    {"recv", "recvfrom"},
    {"rexit", "exit_group"},
    {"send", "sendto"},
    {"sigaction", "rt_sigaction"},
    {"sigpending", "rt_sigpending"},
    {"sigprocmask", "rt_sigprocmask"},
    {"sigqueue", "rt_sigqueueinfo"},
    {"sigsuspend", "rt_sigsuspend"},
    {"sigtimedwait", "rt_sigtimedwait"},
    {"so_socket", "socket"},
    {"so_socketpair", "socketpair"},
    {"stat64", "stat"},
    {"statvfs", "statfs"},
    {"statvfs64", "statfs"},
    {"stime", "clock_settime"},
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
	if (call && call->nr >= 0)
		return;
	name = respell(kernel_spellings, ARRAY_SIZE(kernel_spellings), pd->func);
	if (!name)
		name = respell(heritage, ARRAY_SIZE(heritage), pd->func);
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

static bool has_event(struct probes *ps, const char *call)
{
	struct strbuf path = {0};
	bool has;

	sb_printf(&path, "%s/events/syscalls/sys_enter_%s", probes_tracefs(ps), call);
	has = !access(path.s, F_OK);
	sb_free(&path);
	return has;
}

/* Can tracefs tell which calls the kernel has? Without it, the whole table is taken to be there. */
static bool can_tell(struct probes *ps)
{
	struct strbuf path = {0};
	bool can;

	if (!probes_tracefs(ps))
		return false;
	sb_printf(&path, "%s/events/syscalls", probes_tracefs(ps));
	can = !access(path.s, R_OK | X_OK);
	sb_free(&path);
	return can;
}

/* What the kernel calls it; NULL when it has no such call. Asked only when can_tell(). */
static const char *known_as(struct probes *ps, const char *name)
{
	const char *k;

	for (int i = 0; (k = kernel_name(name, i)); i++)
		if (has_event(ps, k))
			return k;
	return NULL;
}

static void add_call(struct probes *ps, const struct call *call, bool is_return)
{
	uint32_t id = ID_FIRST + 2 * (uint32_t)call->nr + is_return;
	struct probe *p = probe_add(ps, &provider_syscall, id, "vmlinux", call->name,
				    is_return ? "return" : "entry");

	p->hook = HOOK_RAWTP;
	p->target.group = "raw_syscalls";
	p->target.name = is_return ? "sys_exit" : "sys_enter";
	p->select = (uint32_t)call->nr;
	p->is_return = is_return;
	p->is_entry = !is_return;
	p->data = (void *)call;
}

/* The records of raw_syscalls:sys_enter and sys_exit, behind 8 bytes of the kernel's. */
enum { RECORD_NR = 8, RECORD_ARGS = 16, RECORD_RET = 16 };

static void syscall_unpreempted(struct probes *ps, struct probe *p)
{
	struct event *e = event_find(ps, p->target.group, p->target.name);

	if (!e)
		return;
	p->hook = HOOK_TP;
	p->target.event_id = e->id;
}

static void syscall_provide(struct probes *ps, const struct pdesc *pd)
{
	bool entry = glob_match(pd->name, "entry"), ret = glob_match(pd->name, "return"), ask;

	if (!pdesc_wants_id(pd, ID_FIRST, ID_FIRST + 2 * NSELECT - 1) ||
	    !glob_match(pd->mod, "vmlinux") || (!entry && !ret))
		return;
	ask = can_tell(ps);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		const struct call *call = &calls[i];
		uint32_t id = ID_FIRST + 2 * (uint32_t)call->nr;

		if (call->nr < 0 || call->nr >= NSELECT || !glob_match(pd->func, call->name) ||
		    !pdesc_wants_id(pd, id, id + 1) || (ask && !known_as(ps, call->name)))
			continue;
		if (entry)
			add_call(ps, call, false);
		if (ret)
			add_call(ps, call, true);
	}
}

/* What a call is given points into the caller's memory, and so do pointers found there (argv). */
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

static void entry_args(struct probes *ps, struct probe *p)
{
	const struct call *call = p->data;
	const char *name = can_tell(ps) ? known_as(ps, call->name) : NULL;
	struct event *e = NULL;
	struct format *format;
	struct probe_arg *args;

	if (name)
		e = event_find(ps, "syscalls",
			       arena_printf(probes_arena(ps), "sys_enter_%s", name));
	format = e ? event_format(e) : NULL;
	if (!format) {
		p->no_args = events_unreadable(ps);
		return;
	}
	args = arena_alloc(probes_arena(ps), NARGS * sizeof(*args));
	for (int i = 0; i < format->nfields && p->nargs < NARGS; i++) {
		const struct field *f = &format->fields[i];

		/* "nr" before Linux 4.11 */
		if (!f->name || !strcmp(f->name, "__syscall_nr") ||
		    (f->off == 8 && !strcmp(f->name, "nr")))
			continue;
		args[p->nargs++] =
		    (struct probe_arg){.name = f->name, .type = user_type(probes_types(ps), f->type, 4)};
	}
	p->args = args;
}

static void syscall_args(struct probes *ps, struct probe *p)
{
	struct probe_arg *args;

	if (!p->is_return) {
		entry_args(ps, p);
		return;
	}
	args = arena_alloc(probes_arena(ps), 2 * sizeof(*args));
	args[0].type = args[1].type = type_int(probes_types(ps), 8, true);
	p->args = args;
	p->nargs = 2;
}

static int ctx_word(struct gen *g, int n)
{
	int reg = ir_reg(gen_ir(g));

	ir_ld_const(gen_ir(g), 8, reg, gen_ctx(g), n * 8);
	return reg;
}

static int record_word(struct gen *g, int off)
{
	int reg = ir_reg(gen_ir(g));

	ir_ld_const(gen_ir(g), 8, reg, gen_ctx(g), off);
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
	return g->hook_kind == HOOK_TP ? record_word(g, RECORD_RET) : ctx_word(g, 1);
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

static int syscall_arg(struct gen *g, const struct probe *p, int n)
{
	int zero;

	if (p->is_return && (n == 0 || n == 1))
		return failed_is_minus_one(g);
	if (!p->is_return && n >= 0 && n < NARGS && g->hook_kind == HOOK_TP)
		return record_word(g, RECORD_ARGS + n * 8);
	if (!p->is_return && n >= 0 && n < NARGS)
		return regs_member(g, regs_arg[n], 8);
	zero = ir_reg(gen_ir(g));
	ir_movi(gen_ir(g), zero, 0);
	return zero;
}

/* Numbers that no call has, -1 of a call that a tracer cancelled among them, are huge without a
 * sign. */
static int syscall_selector(struct gen *g, const struct probe *p)
{
	if (g->hook_kind == HOOK_TP)
		return record_word(g, RECORD_NR);
	return p->is_return ? regs_member(g, REGS_NR, REGS_NR_SIZE) : ctx_word(g, 1);
}

/* A record does not say whether the task was in 32-bit mode; the task does (TS_COMPAT, TIF_32BIT). */
static int is_native(struct gen *g)
{
#if defined(__x86_64__)
	enum { COMPAT = 2 };
	static const char *const path[] = {"thread_info", "status"};
#else
	enum { COMPAT = 1 << 22 };
	static const char *const path[] = {"thread_info", "flags"};
#endif
	int status = gen_task_field(g, path, 2);

	ir_alui(gen_ir(g), BPF_AND, status, COMPAT);
	ir_alui(gen_ir(g), BPF_XOR, status, COMPAT);
	return status;
}

static int syscall_guard(struct gen *g, const struct probe *p)
{
	struct ir *ir = gen_ir(g);
	int mode = ir_reg(ir);

	(void)p;
	if (g->hook_kind == HOOK_TP)
		return is_native(g);
	ir_mov(ir, mode, regs_member(g, REGS_MODE, 8));
	ir_alui(ir, BPF_AND, mode, MODE_BIT);
	if (!MODE_WANT)
		ir_alui(ir, BPF_XOR, mode, MODE_BIT);
	return mode;
}

static const char *syscall_lacks(struct probes *ps, const struct pdesc *pd)
{
	const struct call *call = glob_is_literal(pd->func) ? find_call(pd->func) : NULL;

	if (!glob_is_literal(pd->prov) || !call)
		return NULL;
	if (call->nr < 0) {
		const char *others = compat_others(probes_arena(ps), call->name);

		return arena_printf(probes_arena(ps), "this machine has no system call %s%s%s", call->name,
				    others ? "; with -x compat it means " : "", others ? others : "");
	}
	if (can_tell(ps) && !known_as(ps, call->name))
		return arena_printf(probes_arena(ps), "this kernel has no system call %s",
				    call->name);
	return NULL;
}

const struct provider provider_syscall = {
    .name = "syscall",
    SYSCALL_ATTRS,
    .rewrite = syscall_rewrite,
    .provide = syscall_provide,
    .unpreempted = syscall_unpreempted,
    .args = syscall_args,
    .arg = syscall_arg,
    .uniform_args = true, /* of one target: entries, or returns */
    .selector = syscall_selector,
    .nselect = NSELECT,
    .guard = syscall_guard,
    .loads_typed = true,
    .lacks = syscall_lacks,
};
