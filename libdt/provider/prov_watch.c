/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watchpoints: which code changes a variable? They use the debug registers of the CPU: four of
 * x86-64, 2 to 16 of aarch64.
 *
 *	watch:vmlinux:total_forks:write		the kernel's, or a module's
 *	watch$target:a.out:counter:write	a process's; access: reads, too
 *	watch$target:a.out:point+0x8:write-4	of so many bytes (1, 2, 4, 8) at an offset
 *	watch$target:a.out:0x4010:write		at an address as the symbols of the file have it
 *	watch::0xffff888003b2c0a0:write-4	at an address, without a module: as it is
 *						(watch123::0x7ffe51c0a010:access)
 *
 * There are no events for each thread of a process: threads that are created while the list of
 * threads is read would get none or two. So there is an event for each CPU, and the program
 * compares the process; other processes pay only for accesses to the same address. It also checks
 * that the process has not called exec since, by the start of its stack.
 *
 * x86-64 traps after the access: arg1 is what was written, and the program counter is that of the
 * next instruction. aarch64 traps before it: arg1 is the value that the write replaces, and the
 * program counter is that of the access. A plain store has the new value in a register, which the
 * program could find by decoding the instruction. But pairs, vectors, atomic operations and dc zva
 * write in other ways, and arg1 would be sometimes the new and sometimes the old value. After the
 * program the kernel steps over the instruction (FEAT_WATCHPOINT; bpf/feat_watch.c).
 *
 * If a larger access covers the watched bytes, aarch64 may report an address in front of them; the
 * kernel then takes the nearest watchpoint. So an access that covers several may fire only one. An
 * access that covers none does not trap: the CPU compares each byte. Accesses of the kernel to the
 * memory of a process are stepped over there without an event.
 *
 * An exception on aarch64 makes a store-exclusive (stxr) fail, so a loop of ldxr and stxr never
 * ends while its variable is watched. A process continues when dtrace ends. The kernel could not,
 * so its variables can be watched only on CPUs with atomic instructions (LSE), which it then uses.
 * Rejected: disabling the event when its count rises, because the CPU may be stuck already.
 */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/machine/machine.h"
#include "libdt/symbols/ksym.h"
#include "libdt/emit/emit.h"
#include "libdt/provider/prov.h"
#include "libdt/provider/uproc.h"

enum { WATCH_FIRST = 270000, NAME_LEN = 5 /* "watch" */, SIZE_MOST = 8 };

struct watch {
	uint64_t addr;
	uint32_t size;
	struct uobj *obj;	      /* NULL: the kernel's, or an address */
	bool runs;		      /* it is the program of the process */
	const struct object_sym *var; /* in it, whole; NULL: a part, or an address */
	pid_t number;		      /* the process as the kernel has it; 0: any */
	uint64_t stack;		      /* where its stack began; 0: not known */
};

static bool watch_owns(const char *prov)
{
	return !strncmp(prov, "watch", NAME_LEN) &&
	       (!prov[NAME_LEN] || uproc_number(prov, NAME_LEN) || !strcmp(prov, "watch*"));
}

/* What a description says: "NAME+0x10" or "0xADDRESS", and "write-4". */
struct spot {
	const char *symbol; /* NULL: an address */
	uint64_t off;	    /* from the symbol; or the address */
	uint32_t type;	    /* HW_BREAKPOINT_* */
	uint32_t size;	    /* 0: the variable's */
};

static bool parse_number(const char *text, uint64_t *n)
{
	char *end;

	if (text[0] < '0' || text[0] > '9' ||
	    (text[0] == '0' && (text[1] == '-' || text[1] == '+')))
		return false;
	errno = 0;
	*n = strtoull(text, &end, 0);
	return !*end && !errno;
}

static bool parse_symbol(struct arena *a, const char *text, struct spot *at)
{
	const char *plus = strrchr(text, '+');

	if (*text >= '0' && *text <= '9')
		return parse_number(text, &at->off);
	if (plus && !parse_number(plus + 1, &at->off))
		return false;
	at->symbol = plus ? arena_strndup(a, text, plus - text) : text;
	return *at->symbol;
}

static bool parse_name(const char *text, struct spot *at)
{
	size_t len = strcspn(text, "-");
	uint64_t size = 0;

	if (len == 5 && !strncmp(text, "write", len))
		at->type = HW_BREAKPOINT_W;
	else if (len == 6 && !strncmp(text, "access", len))
		at->type = HW_BREAKPOINT_RW;
	else
		return false;
	if (text[len] && (!parse_number(text + len + 1, &size) || !size || size > SIZE_MOST ||
			  (size & (size - 1))))
		return false;
	at->size = size;
	return true;
}

static const char *parse(struct arena *a, const struct pdesc *pd, struct spot *at)
{
	*at = (struct spot){0};
	if (!strcmp(pd->prov, "watch*"))
		return "a watchpoint is of one process (watch$target, watch123) or of the kernel "
		       "(watch)";
	if (!*pd->func)
		return "watchpoints are there when a variable is named: "
		       "watch:vmlinux:total_forks:write, watch$target:a.out:counter:access";
	if (!glob_is_literal(pd->func) || (*pd->mod && !glob_is_literal(pd->mod)))
		return "variables cannot be named by patterns: a CPU has four watchpoints "
		       "(aarch64: 2 to 16)";
	if (!parse_symbol(a, pd->func, at))
		return arena_printf(a, "%s is not a variable, variable+0x10 or 0xADDRESS",
				    pd->func);
	if (!parse_name(pd->name, at))
		return "names of watchpoints are write and access (reads and writes), optionally "
		       "with a size of 1, 2, 4 or 8 bytes: write-4";
	return NULL;
}

/* Which bytes. have: those from addr on that are the variable's, 0 when that is not known. */
static const char *fit(struct arena *a, const struct spot *at, uint64_t addr, uint64_t have,
		       uint32_t *size)
{
	*size = at->size ? at->size : SIZE_MOST;
	while (!at->size && *size > 1 && (addr % *size || (have && *size > have)))
		*size /= 2;
	if (addr % *size)
		return arena_printf(a,
				    "a CPU watches %u bytes only at an address that is a multiple "
				    "of %u, not at 0x%llx",
				    *size, *size, (unsigned long long)addr);
	return NULL;
}

static void met_free(void *state)
{
	hash_free(state);
}

/* They have numbers as they are met: there are few, and processes come and go. */
static struct probe *add(struct probes *ps, const struct pdesc *pd, const char *mod, uint64_t addr)
{
	struct hash *met = probes_state(ps, "prov_watch.c", sizeof(*met), met_free);
	const char *key = arena_printf(probes_arena(ps), "%s:%s:%s:%s %llx", pd->prov, mod,
				       pd->func, pd->name, (unsigned long long)addr);
	uint32_t id = WATCH_FIRST + met->n;
	void **slot = hash_ref(met, key, strlen(key));
	struct probe *p;

	if (*slot)
		return NULL;
	*slot = p = probe_add(ps, &provider_watch, id, mod, pd->func, pd->name);
	p->prov = arena_strdup(probes_arena(ps), pd->prov);
	p->hook = HOOK_PERF;
	p->target.cpu = -1;
	return p;
}

/* NULL, or why there is no such probe. */
static const char *watch(struct probes *ps, const struct pdesc *pd, const struct spot *at,
			 const struct watch *what, const char *mod, uint64_t have)
{
	struct arena *a = probes_arena(ps);
	struct perf_event_attr *attr;
	struct watch *w;
	struct probe *p;
	uint32_t size;
	const char *why = fit(a, at, what->addr, have, &size);

	if (why)
		return why;
	p = add(ps, pd, mod, what->addr);
	if (!p)
		return NULL;
	p->data = w = arena_alloc(a, sizeof(*w));
	*w = *what;
	w->size = size;
	p->target.pid = uproc_number(pd->prov, NAME_LEN);
	p->target.perf = attr = arena_alloc(a, sizeof(*attr));
	attr->type = PERF_TYPE_BREAKPOINT;
	attr->size = sizeof(*attr);
	attr->bp_type = at->type;
	attr->bp_addr = what->addr;
	attr->bp_len = size;
	attr->sample_period = 1;
	attr->disabled = 1;
	return NULL;
}

/* The kernel's ------------------------------------------------------------ */

static const char *no_symbol(struct probes *ps, const char *mod, const char *name)
{
	struct arena *a = probes_arena(ps);

	return arena_printf(a, "failed to resolve %s`%s: %s", mod ? mod : "", name,
			    syms_lack(probes_syms(ps), a, mod, name, KSYM_DATA, true));
}

/* Where it cannot hang the machine. */
static const char *watch_safely(struct probes *ps, const struct pdesc *pd, const struct spot *at,
				const struct watch *what, const char *mod, uint64_t have)
{
	return machine_has_atomics()
		   ? watch(ps, pd, at, what, mod, have)
		   : "this CPU has no atomic instructions (LSE): the loops that the kernel uses "
		     "instead would never end on a watched variable";
}

static const char *watch_kernel(struct probes *ps, const struct pdesc *pd, const struct spot *at)
{
	struct arena *a = probes_arena(ps);
	const char *mod = *pd->mod ? pd->mod : NULL;
	struct watch w = {.addr = at->off};
	struct syms *syms = probes_syms(ps);
	struct ksym k;
	uint64_t end;

	if (!at->symbol) {
		if (w.addr >> 63 == 0)
			return arena_printf(a,
					    "0x%llx is no address of the kernel's; of a process: "
					    "watch123::0x%llx:%s",
					    (unsigned long long)w.addr, (unsigned long long)w.addr,
					    pd->name);
		return watch_safely(ps, pd, at, &w, pd->mod, 0);
	}
	if (!syms || (!syms_named(syms, mod, at->symbol, KSYM_DATA, false, &k) &&
		      !syms_named(syms, mod, at->symbol, KSYM_TEXT, false, &k)))
		return no_symbol(ps, mod, at->symbol);
	if (k.hidden)
		return "the kernel hides the addresses of its symbols (sysctl "
		       "kernel.kptr_restrict)";
	if (k.text)
		return arena_printf(a, "%s is a function; its calls are fbt's", at->symbol);
	if (k.addr >> 63 == 0 || syms_percpu(syms, k.addr))
		return arena_printf(a, "%s is a per-CPU variable; its address on this CPU is &`%s",
				    at->symbol, at->symbol);
	end = syms_end(syms, k.addr);
	if (at->off >= end - k.addr)
		return arena_printf(a, "up to the next symbol %s has 0x%llx bytes", at->symbol,
				    (unsigned long long)(end - k.addr));
	w.addr += k.addr;
	return watch_safely(ps, pd, at, &w, k.mod ? k.mod : mod, end - w.addr);
}

/* A process's ------------------------------------------------------------- */

/* Field 28 of /proc/PID/stat, after a name that may contain any character. */
static uint64_t stack_start(pid_t pid)
{
	enum { BEHIND_NAME = 26 };
	char path[64], text[2048], *p;
	size_t len = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (f) {
		len = fread(text, 1, sizeof(text) - 1, f);
		fclose(f);
	}
	text[len] = '\0';
	p = strrchr(text, ')');
	for (int i = 0; p && i < BEHIND_NAME; i++)
		p = strchr(p + 1, ' ');
	return p ? strtoull(p + 1, NULL, 10) : 0;
}

struct search {
	struct probes *ps;
	const struct pdesc *pd;
	const struct spot *at;
	struct watch what;
	bool found; /* a file, or something in one; the others need not have it */
};

/* One variable of an object, whose addresses begin at base. */
static const char *watch_variable(struct search *s, const struct object_sym *v, uint64_t base)
{
	struct arena *a = probes_arena(s->ps);

	s->found = true;
	if (v->of_threads)
		return arena_printf(
		    a, "%s is thread-local; name the address of one instance instead", v->name);
	if (v->size && s->at->off >= v->size)
		return arena_printf(a, "%s has 0x%llx bytes", v->name, (unsigned long long)v->size);
	s->what.addr = base + v->addr + s->at->off;
	s->what.var = s->at->off ? NULL : v;
	return watch(s->ps, s->pd, s->at, &s->what, s->what.obj->name,
		     v->size ? v->size - s->at->off : 0);
}

/* All of that name: files may have several, each for itself. */
static const char *watch_object(struct search *s, struct uobj *o)
{
	const struct object_sym *vars;
	const char *why = NULL;
	uint64_t base;
	int n;

	if (!uproc_base(s->ps, uproc_number(s->pd->prov, NAME_LEN), o, &base))
		return arena_printf(probes_arena(s->ps), "cannot determine where %s is mapped",
				    o->name);
	s->what.obj = o;
	s->what.addr = base + s->at->off;
	if (!s->at->symbol) {
		s->found = true;
		return watch(s->ps, s->pd, s->at, &s->what, o->name, 0);
	}
	vars = object_vars(o->object, &n);
	for (int i = 0; i < n && !why; i++)
		if (!strcmp(vars[i].name, s->at->symbol))
			why = watch_variable(s, &vars[i], base);
	return why;
}

static const char *watch_process(struct probes *ps, const struct pdesc *pd, const struct spot *at,
				 pid_t pid)
{
	const char *why;
	const struct uproc *proc;
	struct search s = {.ps = ps, .pd = pd, .at = at};
	bool files;

	probes_set_lack_tag(ps, D_PROC_GRAB);
	proc = uproc_get(ps, pid, &why);
	if (!proc)
		return why;
	probes_set_lack_tag(ps, D_PDESC_ZERO);
	s.what = (struct watch){
	    .addr = at->off, .number = probes_kernel_number(ps, pid), .stack = stack_start(pid)};
	if (!at->symbol && !*pd->mod) {
		if (at->off >> 63)
			return "not an address of a process; for the kernel use "
			       "watch::0xADDRESS:write";
		return watch(ps, pd, at, &s.what, "", 0);
	}
	for (int i = 0; i < proc->objs.n && !why; i++) {
		s.what.runs = uproc_runs(proc, proc->objs.v[i]);
		if (uobj_named(proc->objs.v[i], s.what.runs, pd->mod))
			why = watch_object(&s, proc->objs.v[i]);
	}
	if (!why && !s.found) {
		why = uproc_no_variable(ps, proc, pd->mod, at->symbol, &files);
		probes_set_lack_tag(ps, files ? D_PROC_FUNC : D_PROC_LIB);
	}
	return why;
}

/* NULL, or why the description matches nothing. */
static const char *find(struct probes *ps, const struct pdesc *pd)
{
	pid_t pid = uproc_number(pd->prov, NAME_LEN);
	struct spot at;
	const char *why = parse(probes_arena(ps), pd, &at);

	if (why)
		return why;
	return pid ? watch_process(ps, pd, &at, pid) : watch_kernel(ps, pd, &at);
}

static void watch_provide(struct probes *ps, const struct pdesc *pd)
{
	if (!pd->id)
		find(ps, pd);
}

static const char *watch_unavailable(struct probes *ps, const struct pdesc *pd)
{
	return find(ps, pd);
}

/* Of what is there: the variable's, if that is watched whole and its type is known. */
static const struct type *value_type(struct probes *ps, const struct watch *w)
{
	struct types *types = probes_types(ps);
	const struct type *t =
	    w->var ? type_user_var(types, uobj_types(ps, w->obj), w->var->name, w->var->addr)
		   : NULL;

	if (!t || !type_is_scalar(type_base(t)) || type_base(t)->kind == T_ARRAY ||
	    type_size(types, t) != w->size)
		return type_int(types, 8, false);
	return type_base(t)->kind == T_PTR ? type_in_space(types, t, TF_USERLAND) : t;
}

static void watch_args(struct probes *ps, struct probe *p)
{
	struct probe_arg *args = arena_alloc(probes_arena(ps), 2 * sizeof(*args));

	args[0] =
	    (struct probe_arg){.name = "address", .type = type_int(probes_types(ps), 8, false)};
	args[1] = (struct probe_arg){.name = "value", .type = value_type(ps, p->data)};
	p->args = args;
	p->nargs = 2;
}

static bool watch_fits_module(const struct probe *p, const char *pattern)
{
	const struct watch *w = p->data;

	return w->obj ? uobj_named(w->obj, w->runs, pattern) : glob_fits(pattern, p->mod);
}

/* Is it the process, and still the program that had the variable? Memory is shared by threads,
 * the stack's start by children, too. */
static int watch_guard(struct gen *g, const struct probe *p)
{
	const struct watch *w = p->data;
	struct ir *ir = gen_ir(g);
	int ours = ir_reg(ir), out = ir_label(ir), r;
	uint64_t mm, stack;

	ir_movi(ir, ours, !p->target.pid);
	if (!p->target.pid)
		return ours;
	if (!p->target.only) {
		r = ir_reg(ir);
		ir_mov(ir, r, ir_call_const(ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));
		ir_alui(ir, BPF_RSH, r, 32);
		ir_jcci(ir, BPF_JNE, r, w->number, out);
	}
	if (w->stack && type_kernel_offset(g->cg->types, "struct task_struct", "mm", &mm) &&
	    type_kernel_offset(g->cg->types, "struct mm_struct", "start_stack", &stack)) {
		r = gen_peek_kernel(g, ir_call_const(ir, BPF_FUNC_get_current_task, 0, NULL), mm,
				    8);
		r = gen_peek_kernel(g, r, stack, 8);
		ir_jcc(ir, BPF_JNE, r, gen_imm(g, w->stack), out);
	}
	ir_movi(ir, ours, 1);
	ir_place(ir, out);
	return ours;
}

/* The address, its value now (x86-64: after the access; aarch64: before it), and the code that
 * accessed it: the program counter in the kernel or the process, as in profile. */
static int watch_arg(struct gen *g, const struct probe *p, int n)
{
	const struct watch *w = p->data;

	switch (n) {
	case 0:
		return gen_imm(g, w->addr);
	case 1:
		if (p->target.pid)
			return gen_read_user(g, gen_imm(g, w->addr), 0, w->size);
		return gen_read_kernel(g, gen_imm(g, w->addr), 0, w->size, false);
	default:
		return g->hook->arg(gen_ir(g), gen_ctx(g), n - 2);
	}
}

static const char *watch_refused(struct probes *ps, const struct probe *p, int error)
{
	const struct watch *w = p->data;

	switch (error) {
	case ENOSPC:
		return "no debug register is free: a CPU has four (aarch64: 2 to 16), which "
		       "debuggers share";
	case EACCES:
	case EPERM:
		return "this requires root, or CAP_PERFMON (for kernel memory CAP_SYS_ADMIN)";
	case EINVAL:
		return arena_printf(probes_arena(ps),
				    "the kernel refuses to watch %u bytes at 0x%llx", w->size,
				    (unsigned long long)w->addr);
	case EOPNOTSUPP:
	case ENODEV:
	case ENOENT:
	case EIO:
		return "this machine or kernel has no watchpoints that programs can use (debug "
		       "registers of x86-64, or of aarch64 with Linux 6.6)";
	default:
		return NULL;
	}
}

const struct provider provider_watch = {
    .name = "watch",
    .attr_provider = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},
    .attr_module = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_function = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},
    .attr_args = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},
    .owns = watch_owns,
    .provide = watch_provide,
    .fits_module = watch_fits_module,
    .args = watch_args,
    .arg = watch_arg,
    .guard = watch_guard,
    .unavailable_reason = watch_unavailable,
    .refused = watch_refused,
};
