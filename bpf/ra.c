/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Register allocation: many virtual registers into r0-r9 and the stack.
 *
 * A register's interval is the list of ranges of the code where its value is wanted; positions
 * are 2*i where instruction i reads and 2*i+1 where it writes. Machine registers have intervals
 * too, made by the copies around calls, so a virtual register lives in r0-r5 wherever no call is
 * in its way. Each machine register keeps the ranges given away; intervals ask for registers in
 * order of their density (uses, weighted by loops, per length), and take one whose ranges they
 * do not cross, preferring what a copy wants: then that copy vanishes. Before, copies between
 * virtual registers that never hold different values at once are merged.
 *
 * An interval that gets nothing is spilled and all begins anew. Its first replacement is one
 * temporary for each stretch without calls; a temporary that finds no register either is cut
 * down to single instructions, and those always find one. Constants and addresses are made again
 * instead of reloaded. The register that was spilled remains, as the name of its stack slot:
 * slots are found by the same intervals, over SPILL and RELOAD.
 *
 * The verifier shapes two things. Spills are always 8 bytes, as it follows pointers only so. And
 * before 5.11 it forgets the bounds of spilled scalars, so what an ordered comparison has
 * checked is spilled last.
 *
 * Rejected: graph colouring (quadratic in large clause lists), splitting at arbitrary places
 * (four registers that survive calls are too few for it to pay), SSA.
 */
#include <stdlib.h>
#include <string.h>

#include "bpf/ins.h"

enum { MAX_ROUNDS = 50 };

struct range {
	int from, to; /* [from, to) */
	struct range *next;
};

/* What is known of a register for as long as the allocation lasts. */
enum temp { WHOLE, STRETCH, SINGLE };
struct reg_state {
	uint8_t temp;	  /* WHOLE until it was spilled */
	bool on_stack;	  /* names a slot now */
	bool gone;	  /* was spilled and is made again where it is used */
	int home;	  /* of temporaries: the register that was spilled */
	struct ins maker; /* of registers that are gone: the instruction */
};

/* What is known of it in one round. */
struct ival {
	struct range *ranges;
	VEC(int) defs;	 /* instructions, the last first */
	VEC(int) copies; /* instructions that copy from or to it */
	double uses, weight;
	bool checked;
	int merged; /* into another register, or itself */
	int reg;    /* found for it; REG_NONE */
};

/* What is taken of a machine register or a stack slot: a bit for each position. */
struct file {
	uint64_t *taken;
};

struct ra {
	struct ir *ir;
	struct arena *mem; /* of the whole allocation */
	VEC(struct reg_state) regs;
	/* of one round */
	struct arena *round;
	struct flow *flow;
	struct ival *ivals;
	struct file files[NMACHINE];
	bool spilled;
};

/* ---- intervals ---- */

static void add_range(struct ra *ra, int reg, int from, int to)
{
	struct ival *iv = &ra->ivals[reg];
	struct range *r = iv->ranges;

	if (r && r->from <= to) {
		r->from = from;
		return;
	}
	r = arena_alloc(ra->round, sizeof(*r));
	*r = (struct range){from, to, iv->ranges};
	iv->ranges = r;
}

static double frequency(int depth)
{
	static const double power[] = {1, 8, 64, 512};

	return power[MIN(depth, 3)];
}

static bool is_ordered(const struct ins *in)
{
	return (in->kind == INS_JCC || in->kind == INS_JCCI) && in->op != BPF_JEQ &&
	       in->op != BPF_JNE && in->op != BPF_JSET;
}

static void note_uses(struct ra *ra, int i, double freq)
{
	struct ins *in = &ra->ir->ins.v[i];
	int regs[8], n = ins_defs(in, regs);

	for (int k = 0; k < n; k++) {
		ra->ivals[regs[k]].uses += freq;
		ir_vec_push(ra->round, &ra->ivals[regs[k]].defs, i);
	}
	n = ins_uses(in, regs);
	for (int k = 0; k < n; k++) {
		ra->ivals[regs[k]].uses += freq;
		ra->ivals[regs[k]].checked |= is_ordered(in);
	}
	if (in->kind != INS_MOV)
		return;
	ir_vec_push(ra->round, &ra->ivals[in->dst].copies, i);
	if (in->src != IR_FP)
		ir_vec_push(ra->round, &ra->ivals[in->src].copies, i);
}

/* Ends of the ranges that are open while a block is walked backwards, 0 for none. */
static void block_ranges(struct ra *ra, struct block *bl, int *open, int *live)
{
	struct ir *ir = ra->ir;
	int nlive = 0;

	for (int g = flow_next(ra->flow, bl->live_out, 0); g >= 0;
	     g = flow_next(ra->flow, bl->live_out, g + 1)) {
		open[ra->flow->global[g]] = 2 * bl->end;
		live[nlive++] = ra->flow->global[g];
	}
	for (int i = bl->end - 1; i >= bl->start; i--) {
		struct ins *in = &ir->ins.v[i];
		int regs[8], n = ins_defs(in, regs);

		/* A dead copy may name a register that cannot be read: r0 after a helper that
		 * returns nothing. */
		if ((in->kind == INS_MOV || in->kind == INS_SPILL || in->kind == INS_RELOAD) &&
		    !open[in->dst]) {
			in->kind = INS_NOP;
			continue;
		}
		for (int k = 0; k < n; k++) {
			add_range(ra, regs[k], 2 * i + 1,
				  open[regs[k]] ? open[regs[k]] : 2 * i + 2);
			open[regs[k]] = 0;
		}
		n = ins_uses(in, regs);
		for (int k = 0; k < n; k++)
			if (!open[regs[k]]) {
				open[regs[k]] = 2 * i + 1;
				live[nlive++] = regs[k];
			}
		note_uses(ra, i, frequency(bl->depth));
	}
	for (int k = 0; k < nlive; k++)
		if (open[live[k]]) {
			add_range(ra, live[k], 2 * bl->start, open[live[k]]);
			open[live[k]] = 0;
		}
}

static void build_ranges(struct ra *ra)
{
	struct ir *ir = ra->ir;
	int *open = arena_alloc(ra->round, sizeof(int) * ir->nregs);
	int *live = arena_alloc(ra->round, sizeof(int) * (ir->nregs + 8 * (size_t)ir->ins.n));

	ra->ivals = arena_alloc(ra->round, sizeof(struct ival) * ir->nregs);
	for (int r = 0; r < ir->nregs; r++) {
		ra->ivals[r].merged = r;
		ra->ivals[r].reg = r < NMACHINE ? r : REG_NONE;
	}
	for (int b = ra->flow->n - 1; b >= 0; b--)
		block_ranges(ra, &ra->flow->blocks[b], open, live);
}

/* ---- merging of copies ---- */

static int merged(struct ra *ra, int reg)
{
	while (ra->ivals[reg].merged != reg)
		reg = ra->ivals[reg].merged = ra->ivals[ra->ivals[reg].merged].merged;
	return reg;
}

/* Is b wanted where a is set to something else? */
static bool sets_while_live(struct ra *ra, int a, int b)
{
	struct ival *ia = &ra->ivals[a];
	const struct range *r = ra->ivals[b].ranges;

	for (int k = ia->defs.n - 1; k >= 0 && r; k--) {
		int i = ia->defs.v[k], pos = 2 * i + 1;
		struct ins *in = &ra->ir->ins.v[i];

		while (r && r->to <= pos)
			r = r->next;
		if (!r || r->from > pos)
			continue;
		if (in->kind != INS_MOV || (merged(ra, in->src) != b && merged(ra, in->src) != a))
			return true;
	}
	return false;
}

static struct range *join_ranges(struct range *a, struct range *b)
{
	struct range *head = NULL, **tail = &head, *last = NULL;

	while (a || b) {
		struct range **from = !b || (a && a->from <= b->from) ? &a : &b, *r = *from;

		*from = r->next;
		if (last && r->from <= last->to) {
			last->to = MAX(last->to, r->to);
			continue;
		}
		*tail = last = r;
		tail = &r->next;
	}
	*tail = NULL;
	return head;
}

/* From the end, so that none is overwritten before it was moved. */
static void join_defs(struct ra *ra, struct ival *ia, const struct ival *ib)
{
	int n = ia->defs.n, m = ib->defs.n;

	for (int k = 0; k < m; k++)
		ir_vec_push(ra->round, &ia->defs, ib->defs.v[k]);
	for (int to = n + m; m > 0;)
		if (n && ia->defs.v[n - 1] < ib->defs.v[m - 1])
			ia->defs.v[--to] = ia->defs.v[--n];
		else
			ia->defs.v[--to] = ib->defs.v[--m];
}

static void merge(struct ra *ra, int a, int b)
{
	struct ival *ia = &ra->ivals[a], *ib = &ra->ivals[b];

	ib->merged = a;
	ia->ranges = join_ranges(ia->ranges, ib->ranges);
	join_defs(ra, ia, ib);
	for (int k = 0; k < ib->copies.n; k++)
		ir_vec_push(ra->round, &ia->copies, ib->copies.v[k]);
	ia->uses += ib->uses;
	ia->checked |= ib->checked;
}

/*
 * Two registers may be one when neither is set, but from the other, while the other is wanted. A
 * copy that is made to be checked stays: with the range of what it is a copy of it would be
 * spilled, and what was checked forgotten.
 */
static void merge_copies(struct ra *ra)
{
	struct ir *ir = ra->ir;

	for (int i = 0; i < ir->ins.n; i++) {
		struct ins *in = &ir->ins.v[i];
		int a, b;

		if (in->kind != INS_MOV || in->src < IR_VIRTUAL || in->dst < IR_VIRTUAL ||
		    ra->ivals[in->dst].checked)
			continue;
		a = merged(ra, in->dst);
		b = merged(ra, in->src);
		if (a != b && !sets_while_live(ra, a, b) && !sets_while_live(ra, b, a))
			merge(ra, a, b);
	}
	for (int i = 0; i < ir->ins.n; i++) {
		struct ins *in = &ir->ins.v[i];

		if (in->dst >= IR_VIRTUAL)
			in->dst = merged(ra, in->dst);
		if (in->src >= IR_VIRTUAL)
			in->src = merged(ra, in->src);
		if (in->kind == INS_MOV && in->dst == in->src)
			in->kind = INS_NOP;
	}
}

/* ---- finding registers ---- */

enum { WORD_BITS = 64 };

/* Bits of a word from the first one on to before the last. */
static uint64_t mask(int first, int last)
{
	return (~0ull << first) & (~0ull >> (WORD_BITS - last));
}

static struct file file_new(struct ra *ra)
{
	size_t words = 2 * (size_t)ra->ir->ins.n / WORD_BITS + 1;

	return (struct file){arena_alloc(ra->round, words * sizeof(uint64_t))};
}

static bool file_free(const struct file *f, const struct range *r)
{
	for (; r; r = r->next)
		for (int at = r->from, next; at < r->to; at = next) {
			int base = at & -WORD_BITS;

			next = MIN(r->to, base + WORD_BITS);
			if (f->taken[base / WORD_BITS] & mask(at - base, next - base))
				return false;
		}
	return true;
}

static void file_take(struct file *f, const struct range *r)
{
	for (; r; r = r->next)
		for (int at = r->from, next; at < r->to; at = next) {
			int base = at & -WORD_BITS;

			next = MIN(r->to, base + WORD_BITS);
			f->taken[base / WORD_BITS] |= mask(at - base, next - base);
		}
}

/* How gladly its copies would see a register in each machine register. */
static void copy_wishes(struct ra *ra, int reg, double wish[NMACHINE])
{
	struct ival *iv = &ra->ivals[reg];

	memset(wish, 0, sizeof(double) * NMACHINE);
	for (int k = 0; k < iv->copies.n; k++) {
		struct ins *in = &ra->ir->ins.v[iv->copies.v[k]];
		int other = in->dst == reg ? in->src : in->dst, want;

		if (in->kind != INS_MOV || other == IR_FP)
			continue;
		want = other < NMACHINE ? other : ra->ivals[other].reg;
		if (want >= 0)
			wish[want] += 1;
	}
}

/*
 * Of those that calls destroy, first what copies seldom want: results are in r0, arguments from
 * r1 on.
 */
static const uint8_t order[NMACHINE] = {5, 4, 0, 3, 2, 1, 6, 7, 8, 9};

static int choose(struct ra *ra, int reg)
{
	double wish[NMACHINE], best_wish = -1;
	int best = REG_NONE;

	copy_wishes(ra, reg, wish);
	for (int k = 0; k < NMACHINE; k++) {
		int r = order[k];

		if (wish[r] > best_wish && file_free(&ra->files[r], ra->ivals[reg].ranges)) {
			best = r;
			best_wish = wish[r];
		}
	}
	return best;
}

static int range_length(const struct range *r)
{
	int len = 0;

	for (; r; r = r->next)
		len += r->to - r->from;
	return len;
}

/* A register set once, by a constant or an address, can be set again anywhere. */
static struct ins *maker(struct ra *ra, int reg)
{
	struct ival *iv = &ra->ivals[reg];
	struct ins *in;

	if (iv->defs.n != 1)
		return NULL;
	in = &ra->ir->ins.v[iv->defs.v[0]];
	switch (in->kind) {
	case INS_MOVI:
	case INS_MAP:
	case INS_MAP_MEM:
	case INS_FRAME:
		return in;
	default:
		return NULL;
	}
}

static double weigh(struct ra *ra, int reg)
{
	struct ival *iv = &ra->ivals[reg];
	double w = iv->uses / (range_length(iv->ranges) + 4);

	if (ra->regs.v[reg].temp == SINGLE)
		return 1e30;
	if (iv->checked)
		w *= 16;
	if (maker(ra, reg))
		w /= 2;
	return w;
}

struct order {
	double weight;
	int reg, start;
};

static int by_weight(const void *pa, const void *pb)
{
	const struct order *a = pa, *b = pb;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->reg < b->reg ? -1 : a->reg > b->reg;
}

static void spill(struct ra *ra, int reg)
{
	struct reg_state *st = &ra->regs.v[reg];
	struct ins *in = maker(ra, reg);

	ra->spilled = true;
	if (st->temp == SINGLE) {
		ir_fail(ra->ir, "out of registers"); /* more than ten are needed by one instruction:
							cannot be */
		return;
	}
	if (st->temp == STRETCH) {
		st->gone = true;
		return;
	}
	st->home = reg;
	if (in) {
		st->gone = true;
		st->maker = *in;
		st->maker.remat = true;
	} else {
		st->on_stack = true;
	}
}

static void colour(struct ra *ra)
{
	struct ir *ir = ra->ir;
	struct order *todo = arena_alloc(ra->round, sizeof(*todo) * ir->nregs);
	int n = 0;

	for (int r = 0; r < NMACHINE; r++) {
		ra->files[r] = file_new(ra);
		file_take(&ra->files[r], ra->ivals[r].ranges);
	}
	for (int r = IR_VIRTUAL; r < ir->nregs; r++)
		if (ra->ivals[r].merged == r && ra->ivals[r].ranges && !ra->regs.v[r].on_stack)
			todo[n++] = (struct order){weigh(ra, r), r, ra->ivals[r].ranges->from};
	qsort(todo, n, sizeof(*todo), by_weight);
	for (int k = 0; k < n; k++) {
		int r = choose(ra, todo[k].reg);

		ra->ivals[todo[k].reg].reg = r;
		if (r == REG_NONE)
			spill(ra, todo[k].reg);
		else
			file_take(&ra->files[r], ra->ivals[todo[k].reg].ranges);
	}
}

/* ---- spilling ---- */

struct rewrite {
	struct ra *ra;
	VEC(struct ins) out;
	int *cur;      /* temporary that stands for a spilled register now, 0 for none */
	VEC(int) used; /* those with one */
};

static struct reg_state *state(struct ra *ra, int reg)
{
	static const struct reg_state fresh = {0};

	while (ra->regs.n <= reg)
		ir_vec_push(ra->mem, &ra->regs, fresh);
	return &ra->regs.v[reg];
}

static bool was_spilled(struct ra *ra, int reg)
{
	return reg >= IR_VIRTUAL && reg < ra->regs.n &&
	       (ra->regs.v[reg].on_stack || ra->regs.v[reg].gone);
}

/*
 * A stretch ends: at calls and where control comes together. What a jump not taken has checked
 * stays checked.
 */
static void forget(struct rewrite *w)
{
	for (int k = 0; k < w->used.n; k++)
		w->cur[w->used.v[k]] = 0;
	w->used.n = 0;
}

static void load_temp(struct rewrite *w, int home, int temp, struct loc loc)
{
	struct reg_state *h = state(w->ra, home);
	struct ins in = {.kind = INS_RELOAD, .src = home, .label = -1};

	if (h->gone)
		in = h->maker;
	in.dst = temp;
	in.loc = loc;
	ir_vec_push(w->ra->mem, &w->out, in);
}

/* The temporary that stands for reg in this instruction; loaded when its value is wanted. */
static int temp_for(struct rewrite *w, int reg, bool want, struct loc loc)
{
	struct ra *ra = w->ra;
	int home = state(ra, reg)->home, level = state(ra, reg)->temp, t = w->cur[reg];

	if (t)
		return t;
	t = ir_reg(ra->ir);
	state(ra, t)->home = home;
	state(ra, t)->temp = level == WHOLE ? STRETCH : SINGLE;
	w->cur[reg] = t;
	ir_vec_push(ra->mem, &w->used, reg);
	if (want)
		load_temp(w, home, t, loc);
	return t;
}

static void store_temp(struct rewrite *w, int temp, struct loc loc)
{
	int home = state(w->ra, temp)->home;
	struct ins in = {.kind = INS_SPILL, .dst = home, .src = temp, .label = -1, .loc = loc};

	if (state(w->ra, home)->on_stack)
		ir_vec_push(w->ra->mem, &w->out, in);
}

/*
 * Loads and stores of a stretch that is now cut up, and makers of what is made again, are
 * dropped.
 */
static bool is_stale(struct ra *ra, const struct ins *in)
{
	if (in->kind == INS_RELOAD)
		return was_spilled(ra, in->dst);
	if (in->kind == INS_SPILL)
		return was_spilled(ra, in->src);
	if (in->dst < IR_VIRTUAL || !was_spilled(ra, in->dst) || !ra->regs.v[in->dst].gone)
		return false;
	return in->remat || (ra->regs.v[in->dst].temp == WHOLE && ins_roles(in).dst_def);
}

static void rewrite_one(struct rewrite *w, struct ins in)
{
	struct ra *ra = w->ra;
	struct roles r = ins_roles(&in);
	int dst = REG_NONE, src = REG_NONE, old_dst = in.dst, old_src = in.src;

	if (in.kind == INS_NOP || is_stale(ra, &in))
		return;
	if (in.kind == INS_RELOAD || in.kind == INS_SPILL) {
		ir_vec_push(ra->mem, &w->out, in);
		return;
	}
	if (in.kind == INS_LABEL)
		forget(w);
	if ((r.src_use || r.src_def) && was_spilled(ra, old_src))
		in.src = src = temp_for(w, old_src, r.src_use, in.loc);
	if ((r.dst_use || r.dst_def) && was_spilled(ra, old_dst))
		in.dst = dst = temp_for(w, old_dst, r.dst_use, in.loc);
	ir_vec_push(ra->mem, &w->out, in);
	if (dst != REG_NONE && r.dst_def)
		store_temp(w, dst, in.loc);
	if (src != REG_NONE && r.src_def)
		store_temp(w, src, in.loc);
	if (src != REG_NONE && state(ra, old_src)->temp != WHOLE)
		w->cur[old_src] = 0;
	if (dst != REG_NONE && state(ra, old_dst)->temp != WHOLE)
		w->cur[old_dst] = 0;
	if (in.kind == INS_CALL || in.kind == INS_CALL_FUNC || in.kind == INS_JMP)
		forget(w);
}

static void rewrite(struct ra *ra)
{
	struct rewrite w = {.ra = ra};
	struct ir *ir = ra->ir;

	w.cur = arena_alloc(ra->mem, sizeof(int) * ir->nregs);
	for (int i = 0; i < ir->ins.n; i++)
		rewrite_one(&w, ir->ins.v[i]);
	ir->ins.v = (void *)w.out.v;
	ir->ins.n = w.out.n;
	ir->ins.cap = w.out.cap;
}

/* ---- the end ---- */

/* Slots lie below the frames; their registers were kept out of the machine's. */
static int *find_slots(struct ra *ra)
{
	struct ir *ir = ra->ir;
	int *slots = arena_alloc(ra->mem, sizeof(int) * ir->nregs), first = ir->nslots, n = 0;
	struct file files[STACK_SLOTS];

	for (int r = IR_VIRTUAL; r < ir->nregs; r++) {
		int k;

		if (!ra->ivals[r].ranges || !ra->regs.v[r].on_stack)
			continue;
		ir->nspills++;
		for (k = 0; k < n && !file_free(&files[k], ra->ivals[r].ranges); k++)
			;
		if (first + k >= STACK_SLOTS) {
			ir_fail(ir, "stack frame too large");
			break;
		}
		if (k == n)
			files[n++] = file_new(ra);
		file_take(&files[k], ra->ivals[r].ranges);
		slots[r] = -8 * (first + k + 1);
	}
	ir->nslots += n;
	return slots;
}

static void put_machine(struct ra *ra)
{
	struct ir *ir = ra->ir;
	int *slots = find_slots(ra);

	for (int i = 0; i < ir->ins.n; i++) {
		struct ins *in = &ir->ins.v[i];

		if (in->kind == INS_SPILL) {
			in->kind = INS_ST;
			in->off = slots[in->dst];
			in->dst = IR_FP;
			in->size = 8;
		} else if (in->kind == INS_RELOAD) {
			in->kind = INS_LD;
			in->off = slots[in->src];
			in->src = IR_FP;
			in->size = 8;
		}
		if (in->dst >= IR_VIRTUAL)
			in->dst = ra->ivals[in->dst].reg;
		if (in->src >= IR_VIRTUAL)
			in->src = ra->ivals[in->src].reg;
		if (in->kind == INS_MOV && in->dst == in->src)
			in->kind = INS_NOP;
	}
}

void ra_run(struct ir *ir)
{
	struct ra ra = {.ir = ir, .mem = arena_new()};
	struct ins *keep;

	for (int round = 0; !ir->error; round++) {
		ra.round = arena_new();
		ra.spilled = false;
		state(&ra, ir->nregs - 1);
		ra.flow = flow_build(ir, ra.round);
		flow_live(ra.flow, ir);
		build_ranges(&ra);
		if (round == 0)
			merge_copies(&ra);
		colour(&ra);
		if (round == MAX_ROUNDS)
			ir_fail(ir, "out of registers");
		if (!ra.spilled && !ir->error)
			put_machine(&ra);
		else if (!ir->error)
			rewrite(&ra);
		arena_free(ra.round);
		if (!ra.spilled)
			break;
	}
	keep = arena_alloc(ir->mem, sizeof(*keep) * (ir->ins.n + 1));
	memcpy(keep, ir->ins.v, sizeof(*keep) * ir->ins.n);
	ir->ins.v = keep;
	ir->ins.cap = ir->ins.n;
	arena_free(ra.mem);
	if (!ir->error)
		flow_clean(ir);
}
