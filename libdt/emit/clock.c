/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clocks, which stand still in one firing; over chill() timestamp alone advances. */
#include "bpf/sys.h"
#include "libdt/emit/emit.h"

/* The first use fetches it, wherever that is: in one firing it stands still. */
static int read_clock(struct gen *g, struct reading *clock, int helper)
{
	int r = gen_memo_find(g, clock, 0), known;

	if (r >= 0)
		return r;
	clock->uses++;
	if (clock->reg < 0) {
		r = ir_call(g->ir, helper, 0, NULL);
	} else {
		r = clock->reg;
		known = ir_label(g->ir);
		ir_jcci(g->ir, BPF_JNE, r, 0, known);
		ir_mov(g->ir, r, ir_call(g->ir, helper, 0, NULL));
		ir_place(g->ir, known);
	}
	gen_memo_add(g, clock, 0, r);
	return r;
}

int gen_monotonic(struct gen *g)
{
	return read_clock(g, &g->time, BPF_FUNC_ktime_get_ns);
}

bool gen_clock_read(const struct gen *g)
{
	return g->time.uses;
}

int gen_timestamp(struct gen *g)
{
	switch (*opt_text(g->cg->opts, OPT_CLOCK)) {
	case 'b':
		return read_clock(g, &g->shown, BPF_FUNC_ktime_get_boot_ns);
	case 't':
		return read_clock(g, &g->shown, SYS_FUNC_KTIME_GET_TAI_NS);
	default:
		return gen_monotonic(g);
	}
}

void gen_clock_moves(struct gen *g)
{
	struct reading *clocks[] = {&g->time, &g->shown};

	for (unsigned i = 0; i < ARRAY_SIZE(clocks); i++) {
		gen_memo_drop(g, clocks[i]);
		if (clocks[i]->reg >= 0)
			ir_movi(g->ir, clocks[i]->reg, 0);
	}
}
