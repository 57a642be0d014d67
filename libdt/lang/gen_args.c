/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probe's arguments: a firing fetches each once at most, where the first clause that wants it
 * does so in any case. What takes many instructions, as arguments of system calls that programs of
 * two modes make, and is wanted by many clauses each on a condition of its own, is fetched before
 * the first of them: code of less size, for the compiler and above all for the verifier.
 */
#include "libdt/lang/gen_parts.h"

enum { DEAR_INSNS = 8, DEAR_PLACES = 3 };

static int fetch(struct gen *g, const struct probe *probe, int n)
{
	int r = -1;

	if (probe->provider->arg)
		r = probe->provider->arg(g, probe, n);
	else if (g->hook->arg)
		r = g->hook->arg(g->ir, g->ctx, n);
	return r < 0 ? gen_imm(g, 0) : r;
}

int gen_arg(struct gen *g, bool below, int n)
{
	static const char keys[2];
	const struct probe *probe = below ? g->probe->base : g->probe;
	int r = gen_memo_find(g, &keys[below], n), begin = ir_count(g->ir), stubs = g->stubs.n;

	if (r >= 0)
		return r;
	r = fetch(g, probe, n);
	if (n >= 0 && n < EARLY_ARGS && probe->provider->uniform_args && g->stubs.n == stubs &&
	    ir_count(g->ir) - begin >= DEAR_INSNS)
		g->dear_args[below][n]++;
	gen_memo_add(g, &keys[below], n, r);
	return r;
}

void gen_early_args(struct gen *g)
{
	for (int below = 0; below < 2; below++)
		for (int n = 0; n < EARLY_ARGS; n++)
			if (g->early_args[below] & 1 << n)
				gen_arg(g, below, n);
}

bool gen_plan_early_args(struct gen *g)
{
	bool more = false;

	for (int below = 0; g->many && below < 2; below++)
		for (int n = 0; n < EARLY_ARGS; n++)
			if (g->dear_args[below][n] >= DEAR_PLACES) {
				g->early_args[below] |= 1 << n;
				more = true;
			}
	return more;
}
