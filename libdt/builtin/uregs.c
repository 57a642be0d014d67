/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uregs[]: the registers that the process had when it entered the kernel. Where the process's own
 * code is probed they are the context; otherwise they are at the base of the thread's kernel stack,
 * which a helper returns from 5.15 on.
 *
 * regs[]: those at the probe, which are the context of kprobes (the plan takes these for
 * functions then, of which only single ones have them all), of the clock's and the counters'
 * events, and of code of programs.
 *
 * A subscript is a constant of libdt/lib/regs.d: the word of struct pt_regs and a number for each
 * machine (0 for x86-64), and those that every machine has from ANY_FIRST on. What x86-64 has and
 * the kernel does not save when it is entered is in unsaved[], from UNSAVED_FIRST on; uregs[] only.
 */
#include <string.h>
#include <unistd.h>

#include "bpf/sys.h"
#include "libdt/base/machine/machine.h"
#include "libdt/builtin/builtin.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"

enum { UNSAVED_FIRST = 50, ANY_FIRST = 100, ANY_COUNT = 6 };

enum { STACK_MIN = 16384 };

/* Not on the stack, but in the thread's structure, as the kernel last saved them. */
static const struct {
	const char *name, *member;
} unsaved[] = {
    {"R_DS", "ds"},	     {"R_ES", "es"},
    {"R_FS", "fsbase"},	     {"R_GS", "gsbase"}, /* 64-bit programs have no selectors there */
    {"R_FSBASE", "fsbase"},  {"R_GSBASE", "gsbase"},
    {"R_ERR", "error_code"}, {"R_TRAPNO", "trap_nr"},
};

/* A subscript of uregs[] that is one of unsaved[]. */
enum { IN_THREAD = 1000 };

/* The word of a register that every machine has: R_PC and those that follow it. */
static int any_word(unsigned which)
{
	const struct machine_regs *regs = &machine_here->regs;

	return (const uint8_t[ANY_COUNT]){regs->pc,	regs->sp,     regs->fp,
					  regs->result, regs->status, regs->result2}[which];
}

static int word_of(int64_t i)
{
	const struct machine_regs *regs = &machine_here->regs;

	if (i >= ANY_FIRST && i < ANY_FIRST + ANY_COUNT)
		return any_word(i - ANY_FIRST);
	return i >= regs->first && i < regs->first + regs->words ? i - regs->first : -1;
}

static bool is_unsaved(int64_t i)
{
	return !machine_here->regs.first && i >= UNSAVED_FIRST &&
	       i < UNSAVED_FIRST + (int64_t)ARRAY_SIZE(unsaved);
}

static void check_uregs(struct sema *s, struct node *n)
{
	const char *name = ((const struct def *)n->ref)->name;
	int64_t i;

	if (n->kind != N_INDEX)
		sema_die(s, D_IDENT_BADREF, n, "%s needs a subscript: %s[R_PC]", name, name);
	i = sema_const(s, n->list, D_PROTO_ARG,
		       arena_printf(s->arena, "the subscript of %s[ ]", name));
	n->aux = word_of(i);
	if (is_unsaved(i) && !strcmp(name, "regs"))
		sema_die(s, D_ARGS_IDX, n,
			 "regs[%s] is unavailable: only uregs[ ] has this register",
			 unsaved[i - UNSAVED_FIRST].name);
	if (is_unsaved(i))
		n->aux = IN_THREAD + i - UNSAVED_FIRST;
	if (n->aux < 0)
		sema_die(s, D_ARGS_IDX, n, "%s[%lld]: this machine has no such register", name,
			 (long long)i);
	n->type = (struct type *)type_int(s->types, 8, false);
}

/* Why programs are not called with the registers at the probe; NULL: they are. */
static const char *no_regs(struct sema *s, const struct probe *p)
{
	bool func = p->hook == HOOK_KPROBE || p->hook == HOOK_KRETPROBE;

	if (func && !types_kernel_is_file(s->types) && feat(s->feats, FEAT_BPF) &&
	    !feat(s->feats, FEAT_KPROBE))
		return "for functions they need kprobes, which this kernel does not have";
	if (func || p->hook == HOOK_PERF || hook_is_user(p->hook))
		return NULL;
	return "available in fbt, rawfbt, kinst, profile, tick, cpc, watch, pid and static probes "
	       "of programs; uregs[ ] has those of the process in all probes";
}

static void check_regs(struct sema *s, struct node *n)
{
	struct clause *c = s->clause;

	check_uregs(s, n);
	for (int i = 0; c && i < c->probes.n; i++) {
		const struct probe *p = c->probes.v[i];
		const char *why = no_regs(s, probe_base(p));

		if (why)
			sema_die(s, D_VAR_UNSUP, n, "regs[ ] of %s:%s:%s:%s are not known: %s",
				 p->prov, p->mod, p->func, p->name, why);
	}
	if (c)
		c->uses_regs = true;
}

/* Before 5.15: where the kernel puts them when it is entered (without KASAN, which makes stacks
 * larger). */
static int stack_regs(struct gen *g)
{
	static const char *const path[] = {"stack"};
	int r = gen_copy(g, gen_task_field(g, path, 1));

	ir_alui(g->ir, BPF_ADD, r, MAX(STACK_MIN, sysconf(_SC_PAGESIZE)) - machine_here->regs.size);
	return r;
}

/* The verifier gives the address a pointer type that may not be stored as a fault's address: so no
 * fault is raised. It allows loads of whole members. */
static int task_reg(struct gen *g, int word)
{
	struct ir *ir = g->ir;
	int addr = gen_copy(g, ir_call_const(ir, SYS_FUNC_GET_CURRENT_TASK_BTF, 0, NULL));
	int value = ir_reg(ir), frame, at;

	addr = ir_call_const(ir, SYS_FUNC_TASK_PT_REGS, 1, &addr);
	if (machine_here->regs.loadable >> word & 1) {
		ir_ld_const(ir, 8, value, addr, word * 8);
		return value;
	}
	addr = gen_copy(g, addr), at = ir_reg(ir), frame = ir_frame(ir, 8);
	ir_alui(ir, BPF_ADD, addr, word * 8);
	ir_frame_sti(ir, 8, frame, 0, 0);
	ir_frame_addr(ir, at, frame, 0);
	ir_callv(ir, BPF_FUNC_probe_read_kernel, at, gen_imm(g, 8), addr);
	ir_frame_ld(ir, 8, value, frame, 0);
	ir_frame_free(ir, frame);
	return value;
}

/* A word of the context. */
static int word_of_context(struct gen *g, int word)
{
	int r = ir_reg(g->ir);

	ir_ld_const(g->ir, 8, r, g->ctx, word * 8);
	return r;
}

static int word_of_regs(struct gen *g, int word)
{
	static const char key;
	int r = gen_memo_find(g, &key, word);

	if (r >= 0)
		return r;
	if (hook_is_user(g->hook_kind)) {
		r = word_of_context(g, word);
	} else if (feat(g->cg->feats, FEAT_TASK_PT_REGS)) {
		r = task_reg(g, word);
	} else {
		r = gen_read_kernel(g, stack_regs(g), word * 8, 8, false);
	}
	gen_memo_add(g, &key, word, r);
	return r;
}

static int gen_uregs(struct gen *g, struct node *n)
{
	if (n->aux < IN_THREAD)
		return word_of_regs(g, n->aux);
	return gen_task_field(
	    g, (const char *const[]){"thread", unsaved[n->aux - IN_THREAD].member}, 2);
}

static int gen_regs(struct gen *g, struct node *n)
{
	return word_of_context(g, n->aux);
}

int gen_ureg(struct gen *g, enum ureg which)
{
	return word_of_regs(g, which == UREG_THIRD ? machine_here->unwind.third : any_word(which));
}

const struct def defs_uregs[] = {
    {"uregs", DEF_VAR, NULL, DEF_ARRAY, .check = check_uregs, .gen = gen_uregs,
     .help = "the process's registers: uregs[R_PC]"},
    {"regs", DEF_VAR, NULL, DEF_ARRAY, .check = check_regs, .gen = gen_regs,
     .help = "the registers at the probe: regs[R_PC]"},
    {0},
};
