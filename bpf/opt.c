/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Optimisation between building and register allocation. */
#include "bpf/ins.h"

/* Removes what has no effect but on registers nobody reads. */
static bool remove_dead(struct ir *ir)
{
	struct arena *mem = arena_new();
	struct flow *f = flow_build(ir, mem);
	bool *live = arena_alloc(mem, ir->nregs), changed = false;

	flow_live(f, ir);
	for (int b = 0; b < f->n; b++) {
		struct block *bl = &f->blocks[b];

		for (int g = 0; g < f->nglobal; g++)
			live[f->global[g]] = bl->live_out[g / 64] >> g % 64 & 1;
		for (int i = bl->end - 1; i >= bl->start; i--) {
			struct ins *in = &ir->ins.v[i];
			int regs[8], n = ins_defs(in, regs);
			bool wanted = !ins_is_pure(in);

			for (int k = 0; k < n; k++) {
				wanted |= live[regs[k]];
				live[regs[k]] = false;
			}
			if (!wanted) {
				in->kind = INS_NOP;
				changed = true;
				continue;
			}
			n = ins_uses(in, regs);
			for (int k = 0; k < n; k++)
				live[regs[k]] = true;
		}
	}
	arena_free(mem);
	return changed;
}

void opt_run(struct ir *ir)
{
	if (remove_dead(ir))
		flow_clean(ir);
}
