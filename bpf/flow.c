/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The flow of control: jumps made short, blocks, loops, and which registers live between them. */
#include <stdlib.h>
#include <string.h>

#include "bpf/ins.h"

/* Where labels and jumps are. */
struct places {
	int *at; /* of each label; -1 when it was not placed */
	int *jumps, njumps;
};

static struct places find_places(struct ir *ir, struct arena *mem)
{
	struct places p = {.at = arena_alloc(mem, sizeof(int) * (ir->nlabels + 1)),
			   .jumps = arena_alloc(mem, sizeof(int) * (ir->ins.n + 1))};

	for (int i = 0; i < ir->nlabels; i++)
		p.at[i] = -1;
	for (int i = 0; i < ir->ins.n; i++) {
		struct ins *in = &ir->ins.v[i];

		if (ins_is_jump(in))
			p.jumps[p.njumps++] = i;
		if (in->kind != INS_LABEL)
			continue;
		if (p.at[in->label] >= 0)
			ir_fail(ir, "label placed twice");
		p.at[in->label] = i;
	}
	for (int k = 0; k < p.njumps; k++)
		if (p.at[ir->ins.v[p.jumps[k]].label] < 0)
			ir_fail(ir, "label not placed");
	return p;
}

/* The first instruction at or after i that is one. */
static int skip_labels(const struct ir *ir, int i)
{
	while (i < ir->ins.n && (ir->ins.v[i].kind == INS_LABEL || ir->ins.v[i].kind == INS_NOP))
		i++;
	return i;
}

/* Jumps to jumps go to the end of the chain; a chain may be an endless loop. */
static bool thread_jumps(struct ir *ir, const struct places *p)
{
	bool changed = false;

	for (int k = 0; k < p->njumps; k++) {
		struct ins *in = &ir->ins.v[p->jumps[k]];

		for (int hops = 0; hops < 32; hops++) {
			int to = skip_labels(ir, p->at[in->label]);

			if (to >= ir->ins.n || ir->ins.v[to].kind != INS_JMP ||
			    ir->ins.v[to].label == in->label)
				break;
			in->label = ir->ins.v[to].label;
			changed = true;
		}
	}
	return changed;
}

/* Does the label lie between instruction i and the next real one? */
static bool label_is_next(const struct ir *ir, const int *at, int i, int label)
{
	return at[label] > i && at[label] < skip_labels(ir, i + 1);
}

/*
 * "if c goto A; goto B; A:" becomes "if !c goto B; A:", and jumps to the next instruction
 * vanish.
 */
static bool shorten_jumps(struct ir *ir, const struct places *p)
{
	bool changed = false;

	for (int k = 0; k < p->njumps; k++) {
		int i = p->jumps[k];
		struct ins *in = &ir->ins.v[i], *next;

		if (in->kind == INS_NOP)
			continue;
		if (label_is_next(ir, p->at, i, in->label)) {
			in->kind = INS_NOP;
			changed = true;
			continue;
		}
		next = i + 1 < ir->ins.n ? in + 1 : NULL;
		if (in->kind == INS_JMP || !next || next->kind != INS_JMP ||
		    cond_invert(in->op) < 0 || !label_is_next(ir, p->at, i + 1, in->label))
			continue;
		in->op = cond_invert(in->op);
		in->label = next->label;
		next->kind = INS_NOP;
		changed = true;
	}
	return changed;
}

static void mark_reached(struct ir *ir, const int *at, bool *reached, struct arena *mem)
{
	int *todo = arena_alloc(mem, sizeof(int) * (ir->ins.n + 1)), n = 0;

	todo[n++] = 0;
	while (n) {
		int i = todo[--n];

		for (; i < ir->ins.n && !reached[i]; i++) {
			struct ins *in = &ir->ins.v[i];

			reached[i] = true;
			if (ins_is_jump(in) && !reached[at[in->label]])
				todo[n++] = at[in->label];
			if (in->kind == INS_JMP || in->kind == INS_EXIT)
				break;
		}
		if (i >= ir->ins.n)
			ir_fail(ir, "function falls off its end");
	}
}

/* Keeps what is reached, and of the labels those that are jumped to. Has code gone that jumps led
 * around? */
static bool pack(struct ir *ir, const struct places *p, const bool *reached, struct arena *mem)
{
	bool *wanted = arena_alloc(mem, ir->nlabels + 1), gone = false;
	int n = 0;

	for (int k = 0; k < p->njumps; k++)
		if (reached[p->jumps[k]] && ir->ins.v[p->jumps[k]].kind != INS_NOP)
			wanted[ir->ins.v[p->jumps[k]].label] = true;
	for (int i = 0; i < ir->ins.n; i++) {
		struct ins *in = &ir->ins.v[i];

		if (in->kind == INS_NOP || (in->kind == INS_LABEL && !wanted[in->label]))
			continue;
		if (!reached[i]) {
			gone = true;
			continue;
		}
		if (n < i)
			ir->ins.v[n] = *in;
		n++;
	}
	ir->ins.n = n;
	return gone;
}

void flow_clean(struct ir *ir)
{
	struct arena *mem = arena_new();

	for (bool again = true; again && !ir->error;) {
		struct places p = find_places(ir, mem);
		bool *reached = arena_alloc(mem, ir->ins.n + 1);

		if (ir->error)
			break;
		again = thread_jumps(ir, &p);
		again |= shorten_jumps(ir, &p);
		mark_reached(ir, p.at, reached, mem);
		again |= pack(ir, &p, reached, mem);
	}
	arena_free(mem);
}

static void add_edges(struct flow *f, struct ir *ir, const int *block_of, const int *at)
{
	for (int b = 0; b < f->n; b++) {
		struct block *bl = &f->blocks[b];
		struct ins *last = &ir->ins.v[bl->end - 1];

		if (last->kind != INS_JMP && last->kind != INS_EXIT && b + 1 < f->n)
			bl->succ[bl->nsucc++] = b + 1;
		if (ins_is_jump(last))
			bl->succ[bl->nsucc++] = block_of[at[last->label]];
		if (bl->nsucc == 2 && bl->succ[0] == bl->succ[1])
			bl->nsucc = 1;
	}
	for (int pass = 0; pass < 2; pass++) {
		for (int b = 0; b < f->n; b++) {
			for (int s = 0; s < f->blocks[b].nsucc; s++) {
				struct block *to = &f->blocks[f->blocks[b].succ[s]];

				if (pass)
					to->pred[to->npred] = b;
				to->npred++;
			}
		}
		for (int b = 0; !pass && b < f->n; b++) {
			f->blocks[b].pred =
			    arena_alloc(f->mem, sizeof(int) * (f->blocks[b].npred + 1));
			f->blocks[b].npred = 0;
		}
	}
}

/*
 * Loops are what lies between a backward jump and its target: exact for code that is built in
 * order.
 */
static void find_depths(struct flow *f)
{
	int *delta = arena_alloc(f->mem, sizeof(int) * (f->n + 1)), depth = 0;

	for (int b = 0; b < f->n; b++)
		for (int s = 0; s < f->blocks[b].nsucc; s++)
			if (f->blocks[b].succ[s] <= b) {
				delta[f->blocks[b].succ[s]]++;
				delta[b + 1]--;
			}
	for (int b = 0; b < f->n; b++)
		f->blocks[b].depth = depth += delta[b];
}

struct flow *flow_build(struct ir *ir, struct arena *mem)
{
	struct flow *f = arena_alloc(mem, sizeof(*f));
	int *block_of = arena_alloc(mem, sizeof(int) * (ir->ins.n + 1));
	bool leader = true;

	f->mem = mem;
	for (int i = 0; i < ir->ins.n; i++) {
		struct ins *in = &ir->ins.v[i];

		f->n += leader || (in->kind == INS_LABEL && in[-1].kind != INS_LABEL);
		block_of[i] = f->n - 1;
		leader = ins_is_jump(in) || in->kind == INS_EXIT;
	}
	f->blocks = arena_alloc(mem, sizeof(struct block) * (f->n + 1));
	for (int i = ir->ins.n - 1; i >= 0; i--) {
		struct block *b = &f->blocks[block_of[i]];

		b->start = i;
		b->end = MAX(b->end, i + 1);
	}
	add_edges(f, ir, block_of, find_places(ir, mem).at);
	find_depths(f);
	return f;
}

/* Registers read in some block before it sets them: only these can live across blocks. */
static void find_globals(struct flow *f, struct ir *ir)
{
	int *seen = arena_alloc(f->mem, sizeof(int) * ir->nregs);

	f->index = arena_alloc(f->mem, sizeof(int) * ir->nregs);
	f->global = arena_alloc(f->mem, sizeof(int) * ir->nregs);
	for (int r = 0; r < ir->nregs; r++)
		f->index[r] = -1;
	for (int b = 0; b < f->n; b++) {
		for (int i = f->blocks[b].start; i < f->blocks[b].end; i++) {
			int regs[8], n = ins_uses(&ir->ins.v[i], regs);

			for (int k = 0; k < n; k++)
				if (seen[regs[k]] != b + 1 && f->index[regs[k]] < 0) {
					f->global[f->nglobal] = regs[k];
					f->index[regs[k]] = f->nglobal++;
				}
			n = ins_defs(&ir->ins.v[i], regs);
			for (int k = 0; k < n; k++)
				seen[regs[k]] = b + 1;
		}
	}
	f->nwords = (f->nglobal + 63) / 64;
}

static void block_sets(struct flow *f, struct ir *ir, struct block *bl, uint64_t *use,
		       uint64_t *def)
{
	for (int i = bl->end - 1; i >= bl->start; i--) {
		int regs[8], n = ins_defs(&ir->ins.v[i], regs), g;

		for (int k = 0; k < n; k++) {
			if ((g = f->index[regs[k]]) < 0)
				continue;
			def[g / 64] |= 1ULL << g % 64;
			use[g / 64] &= ~(1ULL << g % 64);
		}
		n = ins_uses(&ir->ins.v[i], regs);
		for (int k = 0; k < n; k++)
			if ((g = f->index[regs[k]]) >= 0)
				use[g / 64] |= 1ULL << g % 64;
	}
}

/* Of thousands of registers few live across a block: words that are 0 are passed over at once. */
int flow_next(const struct flow *f, const uint64_t *set, int g)
{
	int w = g / 64;
	uint64_t left = w < f->nwords ? set[w] >> g % 64 << g % 64 : 0;

	while (!left && ++w < f->nwords)
		left = set[w];
	return left ? w * 64 + __builtin_ctzll(left) : -1;
}

/*
 * Sets have a bit for each register that lives across blocks, in a large program thousands, of
 * which few live in any one block. So each block also has a mask of the words of its live_in that
 * are not 0, and only these are looked at.
 */
struct live {
	struct flow *f;
	uint64_t *defs;	 /* nwords for each block */
	uint64_t *masks; /* nmasks for each block */
	bool *changed;	 /* what a successor needs has changed since the block was computed */
	int nmasks;
};

static void live_mark(struct live *l, int b)
{
	for (int w = 0; w < l->f->nwords; w++)
		if (l->f->blocks[b].live_in[w])
			l->masks[(size_t)l->nmasks * b + w / 64] |= 1ULL << w % 64;
}

/* One word of both sets; whether live_in has grown. */
static bool live_word(struct live *l, int b, int w)
{
	struct block *bl = &l->f->blocks[b];
	uint64_t out = 0, in;

	for (int s = 0; s < bl->nsucc; s++)
		out |= l->f->blocks[bl->succ[s]].live_in[w];
	bl->live_out[w] = out;
	in = bl->live_in[w] | (out & ~l->defs[(size_t)l->f->nwords * b + w]);
	if (in == bl->live_in[w])
		return false;
	bl->live_in[w] = in;
	l->masks[(size_t)l->nmasks * b + w / 64] |= 1ULL << w % 64;
	return true;
}

static bool live_block(struct live *l, int b)
{
	struct block *bl = &l->f->blocks[b];
	bool grown = false;

	for (int m = 0; m < l->nmasks; m++) {
		uint64_t words = 0;

		for (int s = 0; s < bl->nsucc; s++)
			words |= l->masks[(size_t)l->nmasks * bl->succ[s] + m];
		for (; words; words &= words - 1)
			grown |= live_word(l, b, m * 64 + __builtin_ctzll(words));
	}
	return grown;
}

/* Backwards, until nothing changes: but for loops, once. */
static void live_solve(struct live *l)
{
	struct flow *f = l->f;
	bool again = true;

	while (again) {
		again = false;
		for (int b = f->n - 1; b >= 0; b--) {
			struct block *bl = &f->blocks[b];

			if (!l->changed[b])
				continue;
			l->changed[b] = false;
			if (!live_block(l, b))
				continue;
			for (int p = 0; p < bl->npred; p++) {
				l->changed[bl->pred[p]] = true;
				again |= bl->pred[p] >= b;
			}
		}
	}
}

void flow_live(struct flow *f, struct ir *ir)
{
	struct live l = {.f = f};
	size_t words;

	find_globals(f, ir);
	words = f->nwords;
	l.nmasks = (f->nwords + 63) / 64;
	l.defs = arena_alloc(f->mem, sizeof(uint64_t) * (words * f->n + 1));
	l.masks = arena_alloc(f->mem, sizeof(uint64_t) * ((size_t)l.nmasks * f->n + 1));
	l.changed = arena_alloc(f->mem, f->n);
	for (int b = 0; b < f->n; b++) {
		struct block *bl = &f->blocks[b];

		bl->live_in = arena_alloc(f->mem, sizeof(uint64_t) * (words + 1));
		bl->live_out = arena_alloc(f->mem, sizeof(uint64_t) * (words + 1));
		block_sets(f, ir, bl, bl->live_in, l.defs + words * b);
		live_mark(&l, b);
		l.changed[b] = true;
	}
	live_solve(&l);
}

/*
 * Reverse postorder: order[k] is the k-th block, and place its inverse. All blocks are
 * reachable.
 */
static void number_blocks(struct flow *f, int *order, int *place)
{
	int *stack = arena_alloc(f->mem, sizeof(int) * (f->n + 1));
	uint8_t *next = arena_alloc(f->mem, f->n);
	bool *seen = arena_alloc(f->mem, f->n);
	int n = 0, k = f->n;

	stack[n++] = 0;
	seen[0] = true;
	while (n) {
		int b = stack[n - 1];

		if (next[b] < f->blocks[b].nsucc) {
			int to = f->blocks[b].succ[next[b]++];

			if (!seen[to]) {
				seen[to] = true;
				stack[n++] = to;
			}
			continue;
		}
		order[--k] = b;
		place[b] = k;
		n--;
	}
}

/* After Cooper, Harvey and Kennedy. */
int *flow_dominators(struct flow *f)
{
	int *idom = arena_alloc(f->mem, sizeof(int) * (f->n + 1));
	int *order = arena_alloc(f->mem, sizeof(int) * (f->n + 1));
	int *place = arena_alloc(f->mem, sizeof(int) * (f->n + 1));
	bool changed = true;

	number_blocks(f, order, place);
	for (int b = 1; b < f->n; b++)
		idom[b] = -1;
	while (changed) {
		changed = false;
		for (int k = 1; k < f->n; k++) {
			struct block *bl = &f->blocks[order[k]];
			int dom = -1;

			for (int p = 0; p < bl->npred; p++) {
				int other = bl->pred[p];

				if (idom[other] < 0)
					continue;
				while (dom >= 0 && dom != other) {
					if (place[dom] > place[other])
						dom = idom[dom];
					else
						other = idom[other];
				}
				dom = other;
			}
			changed |= dom != idom[order[k]];
			idom[order[k]] = dom;
		}
	}
	return idom;
}
