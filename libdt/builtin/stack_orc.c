/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel stacks by the kernel's unwinding tables: finds the tables and what their entries look
 * like, and calls the routines of bpf/rt_orc.c.
 *
 * What is not exactly as expected (the layout of entries, symbols that are missing) leaves all
 * stacks to bpf_get_stack().
 */
#include <stddef.h>
#include <string.h>

#include "libdt/base/machine/machine.h"
#include "libdt/builtin/builtin.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/symbols/ksym.h"
#include "libdt/type/type.h"

enum { ENTRY_SIZE = 6, FLAGS_AT = 32, LAST_FLAG = 15, KERNEL_TEXT_MAX = 1 << 30 };

/* A bit-field of entries: its first bit after the offsets, and width. False if there is none. */
static bool entry_bits(struct types *types, const struct type *entry, const char *name, uint8_t *at,
		       uint8_t *bits)
{
	uint64_t off;
	const struct member *m = type_member(types, entry, name, &off);

	if (!m || off < FLAGS_AT || off > FLAGS_AT + LAST_FLAG || !m->bits)
		return false;
	*at = off - FLAGS_AT;
	*bits = m->bits;
	return true;
}

static bool entry_offset(struct types *types, const struct type *entry, const char *name,
			 uint64_t at)
{
	uint64_t off;
	const struct member *m = type_member(types, entry, name, &off);

	return m && !m->bits && off == at && type_size(types, m->type) == 2;
}

/* Kernels before 6.4 have a bit for the end of stacks, and types without one. */
static bool find_layout(struct types *types, struct rt_orc *o)
{
	const struct type *entry = type_find(types, "vmlinux", "struct orc_entry");
	uint8_t at, bits, flag;
	bool has_end;

	entry = entry ? type_base(type_complete(types, type_base(entry))) : NULL;
	if (!entry || !type_is_sou(entry) || type_size(types, entry) != ENTRY_SIZE ||
	    !entry_offset(types, entry, "sp_offset", 0) ||
	    !entry_offset(types, entry, "bp_offset", 16) ||
	    !entry_bits(types, entry, "sp_reg", &at, &bits) || at != 0 || bits != 4 ||
	    !entry_bits(types, entry, "bp_reg", &at, &bits) || at != 4 || bits != 4 ||
	    !entry_bits(types, entry, "type", &o->type_shift, &o->type_bits))
		return false;
	if (!entry_bits(types, entry, "signal", &o->signal, &flag))
		o->signal = 0;
	has_end = entry_bits(types, entry, "end", &o->end, &flag);
	if (has_end)
		o->call = 0, o->regs = 1;
	else
		o->end = 0, o->ends = 1, o->call = 2, o->regs = 3;
	return has_end || (o->signal && o->type_bits == 3);
}

struct wanted {
	const char *name;
	uint64_t *addr;
	bool needed;
};

static bool find_symbols(struct codegen *cg, const struct wanted *w, int n)
{
	struct ksym sym;

	for (int i = 0; i < n; i++) {
		if (syms_named(cg->ksyms, NULL, w[i].name, 0, true, &sym))
			*w[i].addr = sym.addr;
		if (!*w[i].addr && w[i].needed)
			return false;
	}
	return true;
}

static bool find_tables(struct codegen *cg, struct rt_orc *o)
{
	uint64_t ips_end = 0, has_rethook;
	/* since 6.0 kretprobes have no function of their own */
	bool rethook =
	    type_kernel_offset(cg->types, "struct rethook_node", "ret_addr", &has_rethook);
	const struct wanted w[] = {
	    {"__start_orc_unwind_ip", &o->ips, true},
	    {"__stop_orc_unwind_ip", &ips_end, true},
	    {"__start_orc_unwind", &o->entries, true},
	    {"_stext", &o->text, true},
	    {"_etext", &o->text_end, true},
	    {"unwind_next_frame", &o->function, true},
	    {"__switch_to", &o->switches, false},
	    {"return_to_handler", &o->returns[0], false},
	    {rethook ? "arch_rethook_trampoline" : "__kretprobe_trampoline", &o->returns[1], false},
	    {rethook ? "arch_rethook_trampoline" : "kretprobe_trampoline", &o->returns[2], false},
	};

	if (!find_symbols(cg, w, ARRAY_SIZE(w)) || ips_end <= o->ips || (ips_end - o->ips) % 4 ||
	    o->text_end <= o->text || o->text_end - o->text > KERNEL_TEXT_MAX ||
	    o->text >> 32 != UINT32_MAX || (ips_end - o->ips) / 4 > INT32_MAX)
		return false;
	o->n = (ips_end - o->ips) / 4;
	return true;
}

static bool is_known(struct codegen *cg)
{
	struct rt_orc *o = &cg->set->orc;

	if (cg->orc_tried)
		return o->known;
	cg->orc_tried = true;
	o->known = strcmp(opt_text(cg->opts, OPT_KSTACK), "kernel") &&
		   !opt_text(cg->opts, OPT_KSYMPATH) && feat(cg->feats, FEAT_ORC) &&
		   feat(cg->feats, FEAT_READ_KERNEL) && feat(cg->feats, FEAT_GLOBAL_FUNC) &&
		   !types_kernel_is_file(cg->types) && find_layout(cg->types, o) &&
		   find_tables(cg, o);
	if (!o->known)
		return false;
	map_init_memory(&cg->set->maps.orc, "dt_orc", ORC_MEM_SIZE);
	o->mem = &cg->set->maps.orc;
	return true;
}

static uint32_t state_of(struct gen *g)
{
	static const char key[] = "orc";

	return gen_static(g, key, sizeof(struct orc_state));
}

/* Is the context on the stack? */
static bool starts_near(enum hook_kind hook)
{
	return hook == HOOK_RAWTP || hook == HOOK_TPBTF || hook_is_trampoline(hook);
}

static bool has_regs(enum hook_kind hook)
{
	return hook == HOOK_KPROBE || hook == HOOK_KMULTI;
}

static int which_start(struct gen *g)
{
	return g->probe_index >= 0 ? gen_copy(g, g->probe_index) : gen_imm(g, g->probe->index);
}

static void put_regs(struct gen *g, uint32_t state)
{
	const struct machine_regs *m = &machine_here->regs;
	const struct {
		uint8_t word;
		uint32_t off;
	} regs[] = {
	    {m->pc, offsetof(struct orc_state, pc)},
	    {m->sp, offsetof(struct orc_state, sp)},
	    {m->fp, offsetof(struct orc_state, bp)},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(regs); i++) {
		int r = ir_reg(g->ir);

		ir_ld_const(g->ir, 8, r, g->ctx, regs[i].word * 8);
		ir_st(g->ir, 8, gen_slot(g), state + regs[i].off, r);
	}
}

int stack_orc_take(struct gen *g, uint32_t to, int n, bool tracers)
{
	uint32_t state;
	int args[5];

	bool tp = g->hook_kind == HOOK_TP;

	if ((!starts_near(g->hook_kind) && !has_regs(g->hook_kind) && !tp) || !is_known(g->cg))
		return -1;
	state = state_of(g);
	args[0] = gen_slot_no(g), args[1] = gen_imm(g, state), args[2] = gen_imm(g, to);
	args[3] = gen_imm(g, n);
	if (has_regs(g->hook_kind)) {
		put_regs(g, state);
		/* a kprobe has the registers of before its instruction, and the address after its
		 * first byte; the others that of the next instruction */
		ir_sti(g->ir, 8, gen_slot(g), state + offsetof(struct orc_state, exact),
		       g->hook_kind != HOOK_KPROBE);
		return gen_copy(g, gen_routine(g, "rt_orc_regs", 4, args));
	}
	if (tracers)
		g->set->orc.has_tracers = true;
	ir_st(g->ir, 8, gen_slot(g), state + offsetof(struct orc_state, context), g->ctx);
	ir_sti(g->ir, 8, gen_slot(g), state + offsetof(struct orc_state, lead), tracers);
	if (tp)
		return gen_copy(g, gen_routine(g, "rt_orc_tp", 4, args));
	args[4] = which_start(g);
	return gen_copy(g, gen_routine(g, "rt_orc_near", 5, args));
}

void stack_orc_learn(struct gen *g, int frames, int n, int full)
{
	uint32_t state;
	int few = ir_label(g->ir), count = gen_copy(g, n);

	state = state_of(g);
	ir_st(g->ir, 8, gen_slot(g), state + offsetof(struct orc_state, full), full);
	ir_jcci(g->ir, BPF_JLT, count, ORC_TRIED, few);
	ir_sti(g->ir, 8, gen_slot(g), state + offsetof(struct orc_state, full), 1);
	ir_movi(g->ir, count, ORC_TRIED);
	ir_place(g->ir, few);
	gen_routine(g, "rt_orc_learn", 5,
		    (int[]){gen_slot_no(g), gen_imm(g, state), frames, count, which_start(g)});
}

/* -x kstack=check ---------------------------------------------------------- */

bool stack_orc_checks(struct gen *g)
{
	return !strcmp(opt_text(g->cg->opts, OPT_KSTACK), "check");
}

static void count(struct gen *g, int which)
{
	int p = ir_reg(g->ir);

	ir_map_mem(g->ir, p, &g->set->maps.orc, ORC_MEM_COUNTS + 8 * which);
	ir_atomic(g->ir, BPF_ADD, 8, p, 0, gen_imm(g, 1));
}

void stack_orc_check(struct gen *g, int fast, uint32_t have, int n, int depth, int want)
{
	int slow = ir_label(g->ir), wrong = ir_label(g->ir), done = ir_label(g->ir),
	    x = ir_reg(g->ir), y = ir_reg(g->ir);

	ir_jcci(g->ir, BPF_JSLT, fast, 0, slow);
	count(g, ORC_COUNT_FAST);
	ir_jcc(g->ir, BPF_JNE, fast, depth, wrong);
	for (int i = 0; i < n; i++) {
		ir_ld(g->ir, 8, x, gen_slot(g), have + i * 8);
		ir_ld(g->ir, 8, y, want, i * 8);
		ir_jcc(g->ir, BPF_JNE, x, y, wrong);
	}
	ir_jmp(g->ir, done);
	ir_place(g->ir, wrong);
	count(g, ORC_COUNT_WRONG);
	ir_jmp(g->ir, done);
	ir_place(g->ir, slow);
	count(g, ORC_COUNT_SLOW);
	ir_place(g->ir, done);
}
