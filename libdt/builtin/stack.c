/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel is: stack(), stackdepth, caller; and addresses as symbols: sym(), func(), mod().
 *
 * bpf_get_stack() also returns tracer frames: the program itself, a trampoline or bpf_trace_run2(),
 * and, depending on the kernel, the tracepoint and its number of tracers, __bpf_trace_NAME() or
 * __traceiter_NAME(). D's first frame is the function that the probe is in. So the frames are taken
 * into the slot, some more than wanted; those that are always there are skipped by hook, and the
 * program looks the following ones up in a table of such functions, which is made from the kernel's
 * symbols when the script's programs are generated. This is done here rather than when frames are
 * printed because equal stacks must be equal keys, in aggregations and in associative arrays, and
 * because caller and stackdepth are numbers.
 *
 * bpf_get_stack() costs ten times as much as the rest of a clause that counts stacks. So where it
 * can, a routine walks the stack by the kernel's unwinding tables (stack_orc.c, bpf/rt_orc.c), and
 * leaves tracer frames out itself; what it cannot, bpf_get_stack() does.
 *
 * What was taken stays for the firing: a second stack(), caller or stackdepth costs nothing.
 *
 * Rejected: bpf_get_stackid(), with which a count by stack costs an eighth less (make bench has
 * both by hand). Its table has one place for each hash: of two stacks with equal hashes the second
 * one has no number until the first is gone, so events would be lost, or counted for a stack that
 * is not theirs; and tracer frames could not be left out before stacks are compared.
 */
#include <stdlib.h>
#include <string.h>

#include "bpf/kaddr.h"
#include "bpf/sys.h"
#include "libdt/base/machine/machine.h"
#include "libdt/builtin/builtin.h"
#include "libdt/consumer/consume.h"
#include "libdt/symbols/ksym.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"

enum {
	STACK_MAX = 127, /* kernel.perf_event_max_stack */
	SURPLUS = 6,	 /* as many frames may be machinery */
	FEWEST = 3,	 /* frames from which the fast path learns */
	CLEARED = 128,	 /* words that the verifier must see after those it clears */
	/* of a function: a landing pad, and the call of a trampoline; too few to call itself */
	FIRST_BYTES = 15,
	/* In what is taken: */
	OFF_FIRST = 0,	/* which word from OFF_FUNC on is the first frame, */
	OFF_FRAMES = 8, /* how many frames the kernel returned, */
	OFF_FUNC = 16,	/* a function that was missing (or later, over machinery), */
	OFF_STACK = 24, /* and the frames that the kernel returned */
};

/*
 * How many tracer frames there always are, and whether more may follow, which the table decides.
 * Where the kernel synthesises registers for the caller, old kernels return the first frame twice.
 */
static const struct {
	bool twice;
	int first;
	bool search;
} tracer_frames[HOOK_COUNT] = {
    [HOOK_RUN] = {true, 1, false},  /* the program; then how the kernel runs it for dtrace itself */
    [HOOK_RAWTP] = {true, 2, true}, /* the program, bpf_trace_run2() */
    [HOOK_TPBTF] = {true, 2, true},
    [HOOK_TP] = {true, 0, true},       /* these begin at the caller of the tracepoint's function */
    [HOOK_PERF] = {false, 0, false},   /* what was interrupted */
    [HOOK_KPROBE] = {false, 0, false}, /* the function */
    [HOOK_KMULTI] = {false, 0, false},
    [HOOK_KRETPROBE] = {false, 0, true}, /* the trampoline that the function returned to */
    [HOOK_KRMULTI] = {false, 0, true},
    /* the program, the trampoline; the function is next, or not */
    [HOOK_FENTRY] = {true, 2, false},
    [HOOK_FEXIT] = {true, 2, false},
    [HOOK_FMODRET] = {true, 2, false},
};

/* The table of machinery -------------------------------------------------- */

static bool is_machinery(const char *name)
{
	static const char *const prefixes[] = {
	    "__bpf_trace_",
	    "__traceiter_",
	    "bpf_trace_run",
	    "perf_trace_",
	    "do_perf_trace_",
	    "trace_call_bpf",
	    "kretprobe_trampoline",
	    "__kretprobe_trampoline",
	    "arch_rethook_trampoline",
	    "rethook_trampoline_handler",
	    "return_to_handler",
	    "ftrace_return_to_handler",
	    "__ftrace_return_to_handler",
	};

	/* asked of all functions of the kernel */
	for (unsigned i = 0; i < ARRAY_SIZE(prefixes); i++) {
		const char *p = prefixes[i], *s = name;

		while (*p && *s == *p)
			p++, s++;
		if (!*p)
			return true;
	}
	return false;
}

struct bound {
	uint64_t addr, end;
};

struct bounds {
	VEC(struct bound) v;
};

static void add_bound(void *arg, const struct ksymbol *sym)
{
	struct bounds *b = arg;
	struct bound bound = {sym->addr, sym->end};

	if (strchr("tTwW", sym->type) && is_machinery(sym->name))
		vec_push(&b->v, bound);
}

/*
 * Reading all symbols of the kernel takes a tenth of a second. Where it looks names up for us, the
 * functions that can be in the stacks of the script's tracepoints are enough. Some are named for
 * the event's class, which is not known: candidates are those of the event's type.
 */
struct wanted_event {
	const char *name;
	const struct type *type;
	/* found: its __traceiter_NAME(), and what may be its __bpf_trace_CLASS() */
	int iterators, handlers;
};

struct event_names {
	struct codegen *cg;
	VEC(struct wanted_event) events;
	VEC(const char *) names; /* of machinery */
};

static bool is_tracepoint_hook(enum hook_kind hook)
{
	return hook == HOOK_RAWTP || hook == HOOK_TPBTF || hook == HOOK_TP;
}

/* False when one is of a kind or type that is not known well. */
static bool find_events(struct event_names *n)
{
	struct codegen *cg = n->cg;

	for (int i = 0; i < cg->set->probes.n; i++) {
		const struct probe *p = cg->set->probes.v[i];
		struct wanted_event e = {.name = p->target.name};
		bool known = false;

		if (!is_tracepoint_hook(p->hook))
			continue;
		for (int j = 0; j < n->events.n && !known; j++)
			known = !strcmp(n->events.v[j].name, e.name);
		if (known)
			continue;
		e.type = type_tracepoint(cg->types, e.name);
		if (!e.type)
			return false;
		vec_push(&n->events, e);
	}
	return n->events.n > 0;
}

/* Before an event's arguments a function has what it was registered with. */
static bool takes_event(const struct type *func, const struct type *event)
{
	if (func->nparams != event->nparams + 1)
		return false;
	for (int i = 0; i < event->nparams; i++)
		if (!type_same(func->params[i + 1], event->params[i]))
			return false;
	return true;
}

static void add_of_class(struct event_names *n, const char *name, uint32_t number)
{
	bool is_handler = !strncmp(name, "__bpf_trace_", 12), added = false;
	struct kernel_func func;

	if (!type_kernel_func_get(n->cg->types, "vmlinux", number, &func))
		return;
	for (int i = 0; i < n->events.n; i++) {
		if (!takes_event(func.type, n->events.v[i].type))
			continue;
		n->events.v[i].handlers += is_handler;
		if (!added)
			vec_push(&n->names, name);
		added = true;
	}
}

static void add_iterator(struct event_names *n, const char *name, const char *event)
{
	for (int i = 0; i < n->events.n; i++)
		if (!strcmp(event, n->events.v[i].name)) {
			vec_push(&n->names, name);
			n->events.v[i].iterators++;
		}
}

static void add_function(void *arg, const char *name, uint32_t number)
{
	static const char iterator[] = "__traceiter_";
	struct event_names *n = arg;

	if (!is_machinery(name))
		return;
	if (!strncmp(name, iterator, sizeof(iterator) - 1))
		add_iterator(n, name, name + sizeof(iterator) - 1);
	else if (!strncmp(name, "bpf_trace_run", 13) || !strcmp(name, "trace_call_bpf") ||
		 !strcmp(name, "perf_trace_run_bpf_submit"))
		vec_push(&n->names, name);
	else
		add_of_class(n, name, number);
}

static bool ask_bounds(struct event_names *n, struct bounds *b)
{
	bool ok = feat(n->cg->feats, FEAT_SYM_LOOKUP);
	struct kaddr *k = kaddr_open();

	for (int i = 0; ok && i < n->names.n; i++) {
		struct bound bound;

		ok = !kaddr_range(k, n->names.v[i], &bound.addr, &bound.end);
		vec_push(&b->v, bound);
	}
	kaddr_close(k);
	if (!ok)
		b->v.n = 0;
	return ok;
}

static bool quick_bounds(struct codegen *cg, struct bounds *b)
{
	struct event_names n = {.cg = cg};
	unsigned tracepoints = 1u << HOOK_RAWTP | 1u << HOOK_TPBTF | 1u << HOOK_TP;
	bool ok = !(cg->tracer_frame_hooks & ~tracepoints) && !types_kernel_is_file(cg->types) &&
		  find_events(&n);

	if (ok)
		type_kernel_funcs(cg->types, "vmlinux", add_function, &n);
	for (int i = 0; i < n.events.n; i++) /* a module's has none here */
		ok = ok && n.events.v[i].iterators && n.events.v[i].handlers;
	ok = ok && ask_bounds(&n, b);
	vec_free(&n.events);
	vec_free(&n.names);
	return ok;
}

static int compare_bounds(const void *pa, const void *pb)
{
	const struct bound *a = pa, *b = pb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* As a literal of a power of two words, the last ones beyond all addresses: a 0, and then where
 * machinery begins and ends, in turns. */
void gen_machinery_table(struct codegen *cg)
{
	struct bounds b = {0};
	VEC(uint64_t) words = {0};
	int bits = 1;

	if (!cg->tracer_frame_hooks)
		return;
	if (!quick_bounds(cg, &b))
		syms_each(cg->ksyms, add_bound, &b);
	cg->set->orc.tracers_unknown = !b.v.n;
	if (b.v.n)
		qsort(b.v.v, b.v.n, sizeof(b.v.v[0]), compare_bounds);
	vec_push(&words, 0);
	for (int i = 0; i < b.v.n; i++) {
		if (words.n > 1 && words.v[words.n - 1] >= b.v.v[i].addr) {
			words.v[words.n - 1] = b.v.v[i].end;
			continue;
		}
		vec_push(&words, b.v.v[i].addr);
		vec_push(&words, b.v.v[i].end);
	}
	while (1 << bits < words.n + 1)
		bits++;
	while (words.n < 1 << bits)
		vec_push(&words, UINT64_MAX);
	cg->machinery_off = codegen_literal(cg, words.v, words.n * sizeof(words.v[0]), 8);
	cg->machinery_bits = bits;
	vec_free(&words);
	vec_free(&b.v);
}

/*
 * dt_machinery(address): is it in the table? A binary search without a branch, so that the verifier
 * sees one path: pos becomes the number of the last bound at or below the address; odd ones begin
 * tracer functions. Kernel addresses have the top bit set, so that signed differences compare them;
 * other addresses (0, after the last frame) are not in the table.
 */
struct ir *gen_machinery_routine(struct codegen *cg)
{
	struct ir *ir = ir_new(cg->arena, "dt_machinery", 1);
	int addr = ir_arg(ir, 0), pos = ir_reg(ir), table = ir_reg(ir), at, key, step,
	    bits = cg->machinery_bits;

	ir_movi(ir, pos, 0);
	for (int bit = bits - 1; bit >= 0; bit--) {
		at = ir_reg(ir);
		key = ir_reg(ir);
		step = ir_reg(ir);
		ir_map_mem(ir, table, &cg->set->maps.lits, cg->machinery_off);
		ir_mov(ir, at, pos);
		ir_alui(ir, BPF_ADD, at, 1 << bit);
		ir_alui(ir, BPF_AND, at, (1 << bits) - 1); /* known to old kernels too */
		ir_alui(ir, BPF_LSH, at, 3);
		ir_alu(ir, BPF_ADD, table, at);
		ir_ld(ir, 8, key, table, 0);
		ir_mov(ir, step, addr);
		ir_alu(ir, BPF_SUB, step, key);
		ir_alui(ir, BPF_ARSH, step, 63);
		ir_alui(ir, BPF_XOR, step, -1);
		ir_alui(ir, BPF_AND, step, 1 << bit);
		ir_alu(ir, BPF_ADD, pos, step);
	}
	ir_alui(ir, BPF_RSH, addr, 63);
	ir_alu(ir, BPF_AND, pos, addr);
	ir_alui(ir, BPF_AND, pos, 1);
	ir_ret(ir, pos);
	return ir;
}

/* Taking ------------------------------------------------------------------ */

/* 1 when the first two frames are the same, else 0. No function has called itself from where a
 * tracepoint, or a program, was called. */
static int is_twice(struct gen *g, int frames)
{
	int x = ir_reg(g->ir), y = ir_reg(g->ir);

	ir_ld(g->ir, 8, x, frames, 0);
	ir_ld(g->ir, 8, y, frames, 8);
	ir_alu(g->ir, BPF_XOR, x, y);
	ir_mov(g->ir, y, x);
	ir_neg(g->ir, y);
	ir_alu(g->ir, BPF_OR, x, y); /* has the top bit unless it is 0 */
	ir_alui(g->ir, BPF_RSH, x, 63);
	ir_alui(g->ir, BPF_XOR, x, 1);
	ir_alui(g->ir, BPF_AND, x, 1);
	return x;
}

/*
 * The function that the probe is in, where its frame may be missing; else -1. Kernels from 5.15
 * have a helper for it; on older ones a return probe's function is known by its symbol, and
 * trampolines keep the frame.
 */
static int missing_function(struct gen *g)
{
	const struct target *t = &g->probe->target;
	bool returns = g->hook_kind == HOOK_KRETPROBE || g->hook_kind == HOOK_KRMULTI;
	struct ksym sym = {.addr = t->addr};

	if (!returns && !hook_is_trampoline(g->hook_kind))
		return -1;
	if (returns ? hook_has_cookie(g->cg->feats, g->hook_kind)
		    : feat(g->cg->feats, FEAT_PERF_COOKIE))
		return gen_copy(g, ir_call_const(g->ir, SYS_FUNC_GET_FUNC_IP, 1, &g->ctx));
	if (!returns)
		return -1;
	if (!sym.addr)
		syms_named(g->cg->ksyms, t->group, t->name, KSYM_TEXT, false, &sym);
	return sym.addr ? gen_imm(g, sym.addr) : -1;
}

/* Puts the function back, before the first frame that is not a tracer's. */
static void put_function(struct gen *g, uint32_t off, int skip, int func)
{
	int p = gen_copy(g, gen_slot(g)), at = gen_copy(g, skip);

	ir_alui(g->ir, BPF_AND, at, 7);
	ir_alui(g->ir, BPF_LSH, at, 3);
	ir_alu(g->ir, BPF_ADD, p, at);
	ir_st(g->ir, 8, p, off + OFF_FUNC, func);
}

/* At a function's start the return address is in a register on some machines, and not yet in a
 * frame. */
static bool caller_is_missing(const struct gen *g)
{
	bool at_start = !g->probe->is_return && !g->probe->target.offset;

	return machine_here->regs.link >= 0 && at_start &&
	       (g->hook_kind == HOOK_KPROBE || g->hook_kind == HOOK_KMULTI);
}

/*
 * Where the function's return is probed, too, the register has the trampoline that it will return
 * to; the kernel has noted in the task, last, where that goes on.
 */
static void inspect_call(struct gen *g, int caller)
{
	static const struct {
		const char *trampoline, *note, *list;
	} ways[] = {
	    {"arch_rethook_trampoline", "struct rethook_node", "rethooks"},
	    {"__kretprobe_trampoline", "struct kretprobe_instance", "kretprobe_instances"},
	    {"kretprobe_trampoline", "struct kretprobe_instance", "kretprobe_instances"},
	};
	struct types *types = g->cg->types;
	uint64_t llist, ret, list;
	struct ksym sym;

	for (unsigned i = 0; i < ARRAY_SIZE(ways); i++) {
		const char *const path[] = {ways[i].list, "first"};
		int plain = ir_label(g->ir), tramp;

		if (!type_kernel_offset(types, "struct task_struct", ways[i].list, &list) ||
		    !type_kernel_offset(types, ways[i].note, "ret_addr", &ret) ||
		    !type_kernel_offset(types, ways[i].note, "llist", &llist) ||
		    !syms_named(g->cg->ksyms, "vmlinux", ways[i].trampoline, KSYM_TEXT, false,
				&sym))
			continue;
		tramp = gen_imm(g, sym.addr);
		ir_jcc(g->ir, BPF_JNE, caller, tramp, plain);
		ir_mov(g->ir, caller,
		       gen_read_kernel(g, gen_copy(g, gen_task_field(g, path, 2)), ret - llist, 8,
				       false));
		ir_place(g->ir, plain);
		return;
	}
}

/* Old kernels leave it out: the function goes one place to the front, and where it was is the
 * caller. */
static void put_caller(struct gen *g, uint32_t off, int skip)
{
	enum { LR = 240 };
	int caller = ir_reg(g->ir), frame = ir_reg(g->ir), there = ir_label(g->ir),
	    done = ir_label(g->ir);

	ir_ld_const(g->ir, 8, caller, g->ctx, LR);
	inspect_call(g, caller);
	ir_ld(g->ir, 8, frame, gen_slot(g), off + OFF_STACK + 8);
	ir_jcc(g->ir, BPF_JEQ, frame, caller, there);
	ir_ld(g->ir, 8, frame, gen_slot(g), off + OFF_STACK);
	ir_st(g->ir, 8, gen_slot(g), off + OFF_FUNC, frame);
	ir_st(g->ir, 8, gen_slot(g), off + OFF_STACK, caller);
	ir_jmp(g->ir, done);
	ir_place(g->ir, there);
	ir_alui(g->ir, BPF_ADD, skip, 1);
	ir_place(g->ir, done);
}

/* Goes to none where the frame at p plus off is not that of the function which a trampoline was
 * called from. */
static void check_function(struct gen *g, int p, uint32_t off, int func, int none)
{
	int addr = ir_reg(g->ir);

	ir_ld(g->ir, 8, addr, p, off);
	ir_alu(g->ir, BPF_SUB, addr, func);
	ir_jcci(g->ir, BPF_JGT, addr, FIRST_BYTES, none);
}

/*
 * Converts skip, the number of tracer frames, to the word from OFF_FUNC on that is the first frame.
 *
 * At its return a function is gone from the stack; in its place some kernels show the trampoline of
 * return probes. An fentry or fexit program's trampoline is called from the function's first bytes,
 * to which that frame points; but from 7.0 on a trampoline that calls the function (because of an
 * fexit program) is jumped to, and there is no such frame.
 */
static void find_function(struct gen *g, uint32_t off, int at, int skip)
{
	int func = missing_function(g), put = ir_label(g->ir), done = ir_label(g->ir);

	if (func >= 0 && hook_is_trampoline(g->hook_kind))
		check_function(g, at, tracer_frames[g->hook_kind].first * 8, func, put);
	if (func < 0 || hook_is_trampoline(g->hook_kind)) {
		ir_alui(g->ir, BPF_ADD, skip, 1);
		ir_jmp(g->ir, done);
	}
	ir_place(g->ir, put);
	if (func >= 0)
		put_function(g, off, skip, func);
	ir_place(g->ir, done);
}

/* How many of the frames are machinery goes into the slot and comes back as a number of which the
 * verifier knows nothing: to it the ways through here are one. */
static void count_machinery(struct gen *g, uint32_t off)
{
	int at = gen_copy(g, gen_slot(g)), skip = gen_imm(g, 0), done = ir_label(g->ir);
	int first = tracer_frames[g->hook_kind].first;

	ir_alui(g->ir, BPF_ADD, at, off + OFF_STACK);
	if (tracer_frames[g->hook_kind].twice) {
		int bytes;

		ir_mov(g->ir, skip, is_twice(g, at));
		bytes = gen_copy(g, skip);
		ir_alui(g->ir, BPF_LSH, bytes, 3);
		ir_alu(g->ir, BPF_ADD, at, bytes);
	}
	if (first)
		ir_alui(g->ir, BPF_ADD, skip, first);
	for (int i = first; tracer_frames[g->hook_kind].search && i < SURPLUS - 1; i++) {
		int addr = ir_reg(g->ir);

		ir_ld(g->ir, 8, addr, at, i * 8);
		g->cg->tracer_frame_hooks |= 1u << g->hook_kind;
		ir_jcci(g->ir, BPF_JEQ, gen_routine(g, "dt_machinery", 1, &addr), 0, done);
		ir_alui(g->ir, BPF_ADD, skip, 1);
	}
	ir_place(g->ir, done);
	if (caller_is_missing(g))
		put_caller(g, off, skip);
	else
		find_function(g, off, at, skip);
	ir_st(g->ir, 8, gen_slot(g), off + OFF_FIRST, skip);
}

/* After the frames that the kernel returned, where the fast path did not know how to begin. */
static void learn(struct gen *g, uint32_t off, int fast, int got, uint32_t most)
{
	int first = tracer_frames[g->hook_kind].first - !hook_is_trampoline(g->hook_kind),
	    done = ir_label(g->ir), at = gen_copy(g, gen_slot(g)), n = gen_copy(g, got), full,
	    begin = gen_imm(g, off + OFF_STACK + first * 8), func;

	ir_jcci(g->ir, BPF_JNE, fast, ORC_LEARN, done);
	func = missing_function(g);
	ir_alui(g->ir, BPF_ADD, at, off + OFF_STACK);
	at = is_twice(g, at);
	ir_alu(g->ir, BPF_SUB, n, at);
	ir_alui(g->ir, BPF_SUB, n, first);
	ir_jcci(g->ir, BPF_JSLT, n, FEWEST, done);
	ir_alui(g->ir, BPF_LSH, at, 3);
	ir_alu(g->ir, BPF_ADD, begin, at);
	if (func >= 0) { /* a trampoline; of one that was jumped to there is no such frame */
		int p = gen_copy(g, gen_slot(g));

		ir_alu(g->ir, BPF_ADD, p, at);
		check_function(g, p, off + OFF_STACK + first * 8, func, done);
	}
	full = gen_imm(g, most - 1);
	ir_alu(g->ir, BPF_SUB, full, got);
	ir_alui(g->ir, BPF_RSH, full, 63);
	stack_orc_learn(g, begin, n, full);
	ir_place(g->ir, done);
}

/* By the kernel's unwinding tables: a register with the number of frames, negative when it is for
 * the kernel to take them; -1 where it always is. */
static int take_fast(struct gen *g, uint32_t off, uint32_t n)
{
	int fast = stack_orc_take(g, off, n, tracer_frames[g->hook_kind].search),
	    most = stack_limit(STACK_MAX) - SURPLUS - 1, exact = ir_label(g->ir);

	if (fast < 0)
		return -1;
	if (tracer_frames[g->hook_kind].search) {
		g->cg->tracer_frame_hooks |= 1u << g->hook_kind;
		gen_want_routine(g->cg, "dt_machinery");
	}
	/* the kernel would count tracer frames, too */
	if ((int)n > most) {
		ir_jcci(g->ir, BPF_JSLE, fast, most, exact);
		ir_movi(g->ir, fast, ORC_SLOW);
		ir_place(g->ir, exact);
	}
	return fast;
}

static int first_frame(struct gen *g, uint32_t off)
{
	int first = ir_reg(g->ir);

	ir_ld(g->ir, 8, first, gen_slot(g), off + OFF_FIRST);
	ir_alui(g->ir, BPF_AND, first, 7);
	return first;
}

static int first_pointer(struct gen *g, uint32_t off)
{
	int p = gen_copy(g, gen_slot(g)), first = first_frame(g, off);

	ir_alui(g->ir, BPF_LSH, first, 3);
	ir_alu(g->ir, BPF_ADD, p, first);
	ir_alui(g->ir, BPF_ADD, p, off + OFF_FUNC);
	return p;
}

/* Frames that the kernel has, without those of tracers. */
static int depth(struct gen *g, uint32_t off)
{
	int r = ir_reg(g->ir), none = ir_label(g->ir);

	ir_ld(g->ir, 8, r, gen_slot(g), off + OFF_FRAMES);
	ir_jcci(g->ir, BPF_JEQ, r, 0, none); /* in user mode: none at all */
	ir_alui(g->ir, BPF_ADD, r, 1);
	ir_alu(g->ir, BPF_SUB, r, first_frame(g, off));
	ir_place(g->ir, none);
	return r;
}

/* Compares what both ways took. */
static void check(struct gen *g, uint32_t off, int fast, uint32_t fast_off, uint32_t n)
{
	int frames = depth(g, off), fits = ir_label(g->ir);

	ir_jcci(g->ir, BPF_JLE, frames, n, fits);
	ir_movi(g->ir, frames, n);
	ir_place(g->ir, fits);
	stack_orc_check(g, fast, fast_off, n, frames, first_pointer(g, off));
}

/* The firing's stack of at most n frames, as an offset in the slot. */
static uint32_t take(struct gen *g, uint32_t n)
{
	static const char taken[STACK_MAX + 1], checked[STACK_MAX + 1];
	uint32_t size = (n + SURPLUS) * 8,
		 off = gen_static(g, &taken[n], OFF_STACK + size + CLEARED * 8),
		 fast_off = off + OFF_STACK;
	int got, some, buf, fast, slow = ir_label(g->ir), done = ir_label(g->ir);
	bool checks = stack_orc_checks(g);

	if (gen_memo_find(g, &taken[n], 0) >= 0)
		return off;
	if (checks)
		fast_off = gen_static(g, &checked[n], (n + CLEARED) * 8);
	fast = take_fast(g, fast_off, n);
	if (fast >= 0 && !checks) {
		ir_jcci(g->ir, BPF_JSLT, fast, 0, slow);
		ir_st(g->ir, 8, gen_slot(g), off + OFF_FRAMES, fast);
		ir_sti(g->ir, 8, gen_slot(g), off + OFF_FIRST, 1);
		ir_jmp(g->ir, done);
	}
	ir_place(g->ir, slow);
	buf = gen_copy(g, gen_slot(g));
	ir_alui(g->ir, BPF_ADD, buf, off + OFF_STACK);
	got = gen_copy(
	    g, ir_callv(g->ir, BPF_FUNC_get_stack, g->ctx, buf, gen_imm(g, size), gen_imm(g, 0)));
	some = ir_label(g->ir);
	ir_jcci(g->ir, BPF_JSGE, got, 0, some); /* what it does not fill it clears */
	gen_zero(g, gen_slot(g), off + OFF_STACK, size);
	ir_movi(g->ir, got, 0);
	ir_place(g->ir, some);
	ir_alui(g->ir, BPF_RSH, got, 3);
	ir_st(g->ir, 8, gen_slot(g), off + OFF_FRAMES, got);
	if (fast >= 0 && tracer_frames[g->hook_kind].first)
		learn(g, off, fast, got, n + SURPLUS);
	count_machinery(g, off);
	if (fast >= 0 && checks)
		check(g, off, fast, fast_off, n);
	ir_place(g->ir, done);
	gen_memo_add(g, &taken[n], 0, gen_imm(g, 1));
	return off;
}

/* Pointer to the first frame. */
static int frames(struct gen *g, uint32_t n)
{
	return first_pointer(g, take(g, n));
}

int stack_limit(int most)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_stack", "re");
	int frames = most;

	if (f) {
		if (fscanf(f, "%d", &frames) != 1)
			frames = most;
		fclose(f);
	}
	return frames > 0 ? MIN(frames, most) : most;
}

/* stack([nframes]) */
static void check_stack(struct sema *s, struct node *n)
{
	int64_t frames = opt_num(s->opts, OPT_STACKFRAMES);

	if (n->list) {
		if (!sema_is_const(n->list))
			sema_die(s, D_STACK_SIZE, n->list,
				 "stack( ) argument #1 must be an integer constant");
		frames = n->list->value;
		if (frames < 1 || frames > stack_limit(STACK_MAX))
			sema_die(s, D_STACK_SIZE, n->list, "stack( ) takes from 1 to %d frames",
				 stack_limit(STACK_MAX));
	}
	n->type = (struct type *)type_stack(s->types, MIN(frames, opt_num(s->opts, OPT_MAXFRAMES)),
					    false);
}

static struct block block_stack(struct gen *g, struct node *n)
{
	uint32_t words = type_base(n->type)->nelem;

	return (struct block){.kind = BLOCK_MEM, .ptr = frames(g, words), .size = words * 8};
}

/* What the kernel has of frames, machinery not counted. */
static int gen_stackdepth(struct gen *g, struct node *n)
{
	int r = gen_memo_find(g, n->ref, 0);

	if (r >= 0)
		return r;
	r = depth(g, take(g, STACK_MAX));
	gen_memo_add(g, n->ref, 0, r);
	return r;
}

/* The return address of the function that the probe is in: the second frame. */
static int gen_caller(struct gen *g, struct node *n)
{
	int r = gen_memo_find(g, n->ref, 0), p;

	if (r >= 0)
		return r;
	p = frames(g, 2);
	r = ir_reg(g->ir);
	ir_ld(g->ir, 8, r, p, 8);
	gen_memo_add(g, n->ref, 0, r);
	return r;
}

/* Symbols ----------------------------------------------------------------- */

static void check_symbol(struct sema *s, struct node *n)
{
	n->type =
	    (struct type *)type_symaddr(s->types, !strcmp(n->name, "mod")	    ? SYM_MOD
						  : !strcmp(n->name, "cgroup_path") ? SYM_CGROUP
										    : SYM_FUNC);
}

static int gen_symbol(struct gen *g, struct node *n)
{
	return gen_expr(g, n->list);
}

int act_print_value(struct consume *c, const struct act *act, const uint8_t *data)
{
	const struct rec *rec = &act->recs[0];
	struct value v = {.type = rec->type, .data = data + rec->off, .size = rec->size};

	value_trace(&c->fmt, &v, opt_on(c->opts, OPT_QUIET), 0);
	c->ended_line = false;
	return 0;
}

const struct def defs_stack[] = {
    {"stack", DEF_SUB, "stack([uint32_t])", .check = check_stack, .gen_block = block_stack,
     .print = act_print_value, .help = "the kernel's stack: prints it, or is a value"},
    {"stackdepth", DEF_VAR, "uint32_t", .gen = gen_stackdepth,
     .help = "frames of the kernel's stack, at most 127"},
    {"caller", DEF_VAR, "uintptr_t", .gen = gen_caller,
     .help = "return address of the probe's function"},
    {"sym", DEF_SUB, "_symaddr(uintptr_t)", .check = check_symbol, .gen = gen_symbol,
     .print = act_print_value, .help = "the function or variable that a kernel address is in"},
    {"func", DEF_SUB, "_symaddr(uintptr_t)", .check = check_symbol, .gen = gen_symbol,
     .print = act_print_value, .help = "the same"},
    {"mod", DEF_SUB, "_symaddr(uintptr_t)", .check = check_symbol, .gen = gen_symbol,
     .print = act_print_value, .help = "the module that a kernel address is in"},
    {"cgroup_path", DEF_SUB, "_symaddr(uint64_t)", DEF_YIELDS, .check = check_symbol,
     .gen = gen_symbol, .print = act_print_value,
     .help = "the path of a control group by its number"},
    {0},
};
