/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * uregs[]: the registers that the process had when it entered the kernel. Where the process's own code is probed they are the
 * context; elsewhere they are at the base of the thread's kernel stack: a helper tells where from 5.15 on.
 *
 * A subscript is a constant of libdt/lib/regs.d: on x86-64 the word of struct pt_regs, on aarch64 that and X_FIRST, and
 * those that every machine has from ANY_FIRST on. What x86-64 has and the kernel does not save when it is entered is in unsaved[], from
 * UNSAVED_FIRST on.
 */
#include <unistd.h>

#include "bpf/sys.h"
#include "libdt/builtin/builtin.h"
#include "libdt/lang/gen_int.h"
#include "libdt/lang/sema_int.h"

enum { UNSAVED_FIRST = 50, ANY_FIRST = 100, X_FIRST = 200 };

/* Words of struct pt_regs: program counter, stack pointer, frame pointer, what is returned, processor status. Before 5.15 all of
   it had REGS_SIZE bytes. */
#if defined(__x86_64__)
static const uint8_t any[] = {16, 19, 4, 10, 18};
enum { FIRST = 0, WORDS = 21, REGS_SIZE = 168 };
#elif defined(__aarch64__)
static const uint8_t any[] = {32, 31, 29, 0, 33};
enum { FIRST = X_FIRST, WORDS = 34, REGS_SIZE = 336 };
#endif
enum { STACK_MIN = 16384 };

#define SEGMENT "the kernel does not save segment registers when it is entered"
#define SEGMENT_BASE "the kernel does not save where segments begin when it is entered"
static const struct {
	const char *name, *why;
} unsaved[] = {
	{"R_DS", SEGMENT}, {"R_ES", SEGMENT}, {"R_FS", SEGMENT}, {"R_GS", SEGMENT},
	{"R_FSBASE", SEGMENT_BASE}, {"R_GSBASE", SEGMENT_BASE},
	{"R_ERR", "the word in which the kernel saves an error code is that of the system call's number (R_TRAPNO)"},
};

static int word_of(int64_t i)
{
	if (i >= ANY_FIRST && i < ANY_FIRST + (int64_t)ARRAY_SIZE(any))
		return any[i - ANY_FIRST];
	return i >= FIRST && i < FIRST + WORDS ? i - FIRST : -1;
}

static void check_uregs(struct sema *s, struct node *n)
{
	int64_t i;

	if (n->kind != N_INDEX)
		sema_die(s, D_ARGS_TYPE, n, "uregs needs a subscript: uregs[R_PC]");
	i = sema_const(s, n->list, D_ARGS_TYPE, "the subscript of uregs[ ]");
	n->aux = word_of(i);
	if (n->aux < 0 && !FIRST && i >= UNSAVED_FIRST && i < UNSAVED_FIRST + (int64_t)ARRAY_SIZE(unsaved))
		sema_die(s, D_ARGS_IDX, n, "uregs[%s] cannot be had: %s", unsaved[i - UNSAVED_FIRST].name, unsaved[i - UNSAVED_FIRST].why);
	if (n->aux < 0)
		sema_die(s, D_ARGS_IDX, n, "uregs[%lld]: this machine has no such register", (long long)i);
	n->type = (struct type *)type_int(s->types, 8, false);
}

/* Before 5.15: where the kernel puts them when it is entered (without KASAN, which makes stacks larger). */
static int stack_regs(struct gen *g)
{
	static const char *const path[] = {"stack"};
	int r = gen_copy(g, gen_task_field(g, path, 1));

	ir_alui(g->ir, BPF_ADD, r, MAX(STACK_MIN, sysconf(_SC_PAGESIZE)) - REGS_SIZE);
	return r;
}

/* The verifier gives the address a type, with which it may not be told of as a fault's: so none is. */
static int task_reg(struct gen *g, int word)
{
	struct ir *ir = g->ir;
	int addr = gen_copy(g, ir_call_const(ir, SYS_FUNC_GET_CURRENT_TASK_BTF, 0, NULL));
	int frame = ir_frame(ir, 8), at = ir_reg(ir), value = ir_reg(ir);

	addr = gen_copy(g, ir_callv(ir, SYS_FUNC_TASK_PT_REGS, addr));
	ir_alui(ir, BPF_ADD, addr, word * 8);
	ir_frame_sti(ir, 8, frame, 0, 0);
	ir_frame_addr(ir, at, frame, 0);
	ir_callv(ir, BPF_FUNC_probe_read_kernel, at, gen_imm(g, 8), addr);
	ir_frame_ld(ir, 8, value, frame, 0);
	ir_frame_free(ir, frame);
	return value;
}

static int word_of_regs(struct gen *g, int word)
{
	static const char key;
	int r = gen_memo_find(g, &key, word);

	if (r >= 0)
		return r;
	if (hook_is_user(g->hook_kind)) {
		r = ir_reg(g->ir);
		ir_ld_const(g->ir, 8, r, g->ctx, word * 8);
	} else if (feat(g->sh->feats, FEAT_TASK_PT_REGS)) {
		r = task_reg(g, word);
	} else {
		r = gen_read_kernel(g, stack_regs(g), word * 8, 8, false);
	}
	gen_memo_add(g, &key, word, r);
	return r;
}

static int gen_uregs(struct gen *g, struct node *n)
{
	return word_of_regs(g, n->aux);
}

int gen_ureg(struct gen *g, enum ureg which)
{
	return word_of_regs(g, any[which]);
}

const struct def defs_uregs[] = {
	{"uregs", DEF_VAR, NULL, DEF_ARRAY, .check = check_uregs, .gen = gen_uregs, .help = "the process's registers: uregs[R_PC]"},
	{0},
};
