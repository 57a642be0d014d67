/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregating functions with one number for a result: count, sum, min, max, avg, stddev. */
#include "libdt/builtin/agg.h"

#include "libdt/builtin/agg_gen.h"
#include "libdt/lang/sample.h"
#include "libdt/builtin/builtin.h"

#include <inttypes.h>

static int one_word(const int64_t *params)
{
	(void)params;
	return 1;
}

static int64_t first_scalar(const int64_t *v, const struct aggr *ag)
{
	return aggr_quotient(v[0], ag->normal);
}

void agg_add_merge(int64_t *into, const int64_t *from, int words)
{
	for (int i = 0; i < words; i++)
		into[i] = (uint64_t)into[i] + (uint64_t)from[i];
}

static int compare_numbers(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int first_compare(const int64_t *a, const int64_t *b, const struct aggr *ag)
{
	(void)ag;
	return compare_numbers(a[0], b[0]);
}

static void scalar_print(struct fmt_ctx *ctx, const int64_t *v, const struct aggr *ag)
{
	fprintf(ctx->out, " %16" PRId64, ag->func->scalar(v, ag));
}

static bool first_empty(const int64_t *v)
{
	return !v[0];
}

const struct aggfunc aggfunc_count = {
    .name = "count",
    .scales = true,
    .shows = AGGR_COUNT,
    .words = one_word,
    .additive = true,
    .merge = agg_add_merge,
    .compare = first_compare,
    .print = scalar_print,
    .scalar = first_scalar,
    .is_empty = first_empty,
};

const struct aggfunc aggfunc_sum = {
    .name = "sum",
    .scales = true,
    .words = one_word,
    .sums = 1 << 0,
    .additive = true,
    .merge = agg_add_merge,
    .compare = first_compare,
    .print = scalar_print,
    .scalar = first_scalar,
    .is_empty = first_empty,
};

/* ---- min and max */

static void min_init(int64_t *v, const int64_t *params)
{
	(void)params;
	v[0] = INT64_MAX;
}

static void min_merge(int64_t *into, const int64_t *from, int words)
{
	(void)words;
	into[0] = MIN(into[0], from[0]);
}

const struct aggfunc aggfunc_min = {
    .name = "min",
    .words = one_word,
    .init = min_init,
    .merge = min_merge,
    .compare = first_compare,
    .print = scalar_print,
    .scalar = first_scalar,
};

static void max_init(int64_t *v, const int64_t *params)
{
	(void)params;
	v[0] = INT64_MIN;
}

static void max_merge(int64_t *into, const int64_t *from, int words)
{
	(void)words;
	into[0] = MAX(into[0], from[0]);
}

const struct aggfunc aggfunc_max = {
    .name = "max",
    .words = one_word,
    .init = max_init,
    .merge = max_merge,
    .compare = first_compare,
    .print = scalar_print,
    .scalar = first_scalar,
};

/* ---- avg */

static int two_words(const int64_t *params)
{
	(void)params;
	return 2;
}

/* The sum is normalised before the division, as in other DTrace implementations. */
static int64_t average(const int64_t *v, int64_t normal)
{
	if (!v[0])
		return 0;
	if (v[0] == -1) /* only an overflow gets there, and INT64_MIN / -1 would trap */
		return -(uint64_t)aggr_quotient(v[1], normal);
	return aggr_quotient(v[1], normal) / v[0];
}

static int64_t avg_scalar(const int64_t *v, const struct aggr *ag)
{
	return average(v, ag->normal);
}

static int avg_compare(const int64_t *a, const int64_t *b, const struct aggr *ag)
{
	(void)ag;
	return compare_numbers(average(a, 1), average(b, 1));
}

const struct aggfunc aggfunc_avg = {
    .name = "avg",
    .scales = true,
    .shows = AGGR_MEAN,
    .words = two_words,
    .sums = 1 << 1,
    .merge = agg_add_merge,
    .compare = avg_compare,
    .print = scalar_print,
    .scalar = avg_scalar,
    .is_empty = first_empty,
};

/* ---- stddev: sqrt(average(x^2) - average(x)^2), all in integers */

typedef unsigned __int128 u128; /* the only name for it is two words */

static int four_words(const int64_t *params)
{
	(void)params;
	return 4;
}

static u128 squares(const int64_t *v)
{
	return (u128)(uint64_t)v[3] << 64 | (uint64_t)v[2];
}

static void stddev_merge(int64_t *into, const int64_t *from, int words)
{
	u128 sum = squares(into) + squares(from);

	(void)words;
	agg_add_merge(into, from, 2);
	into[2] = (int64_t)(uint64_t)sum;
	into[3] = (int64_t)(uint64_t)(sum >> 64);
}

static uint64_t square_root(u128 n)
{
	u128 root = 0;

	for (int bit = 63; bit >= 0; bit--) {
		u128 next = root | (u128)1 << bit;

		if (next * next <= n)
			root = next;
	}
	return root;
}

static int64_t deviation(const int64_t *v, int64_t normal)
{
	int64_t avg = average(v, normal);
	u128 of_squares = squares(v), of_avg = (u128)((__int128)avg * avg);

	if (!v[0])
		return 0;
	of_squares = of_squares / (uint64_t)normal / (uint64_t)normal / (uint64_t)v[0];
	return of_squares > of_avg ? (int64_t)square_root(of_squares - of_avg) : 0;
}

static int64_t stddev_scalar(const int64_t *v, const struct aggr *ag)
{
	return deviation(v, ag->normal);
}

static int stddev_compare(const int64_t *a, const int64_t *b, const struct aggr *ag)
{
	(void)ag;
	return compare_numbers(deviation(a, 1), deviation(b, 1));
}

const struct aggfunc aggfunc_stddev = {
    .name = "stddev",
    .scales = true,
    .shows = AGGR_DEVIATION,
    .words = four_words,
    .sums = 1 << 1,
    .merge = stddev_merge,
    .compare = stddev_compare,
    .print = scalar_print,
    .scalar = stddev_scalar,
    .is_empty = first_empty,
};

/* In the kernel: the value's words are atomically updated, for what interrupts us may count too.
 * ---- */

void agg_add(struct gen *g, int word, int amount)
{
	ir_atomic(g->ir, BPF_ADD, 8, g->agg_value, g->agg_off + word * 8, amount);
}

void agg_check_args(struct sema *s, struct node *n, int least, int most)
{
	int given = node_count(n->list);

	if (given < least || given > most)
		sema_die(s, D_PROTO_LEN, n,
			 "%s( ) prototype mismatch: %d arg%s passed, %s%d expected", n->name, given,
			 given == 1 ? "" : "s",
			 least == most	 ? ""
			 : given < least ? "at least "
					 : "at most ",
			 given < least ? least : most);
	if (most && !type_is_scalar(n->list->type))
		sema_die(s, D_AGG_SCALAR, n->list,
			 "%s( ) argument #1 is incompatible with prototype:\n\tprototype: "
			 "int64_t\n\t argument: %s",
			 n->name, sema_type_text(s, n->list->type));
	if (most && type_is_int(n->list->type)) {
		struct node *rest = n->list->next;

		n->list = sema_convert(s, n->list, type_int(s->types, 8, true));
		n->list->next = rest;
	}
}

static void check_count(struct sema *s, struct node *n)
{
	agg_check_args(s, n, 0, 0);
}

static void check_value(struct sema *s, struct node *n)
{
	agg_check_args(s, n, 1, 1);
}

static int gen_count(struct gen *g, struct node *n)
{
	(void)n;
	agg_add(g, 0, sample_scaled(g, gen_imm(g, 1)));
	return -1;
}

static int gen_sum(struct gen *g, struct node *n)
{
	(void)n;
	agg_add(g, 0, sample_scaled(g, g->agg_args[0]));
	return -1;
}

/* Stores the value unless the word has a better one; tries again when another CPU changed it
 * meanwhile. */
static void keep_best(struct gen *g, int is_better)
{
	bool atomic = feat(g->cg->feats, FEAT_ATOMIC_FETCH);
	int done = ir_label(g->ir);

	for (int try = 0; try < (atomic ? 8 : 1); try++) {
		int old = ir_reg(g->ir), seen = ir_reg(g->ir);

		ir_ld(g->ir, 8, old, g->agg_value, g->agg_off);
		ir_jcc(g->ir, is_better, old, g->agg_args[0], done);
		if (!atomic) {
			ir_st(g->ir, 8, g->agg_value, g->agg_off, g->agg_args[0]);
			break;
		}
		ir_cmpxchg(g->ir, 8, seen, g->agg_value, g->agg_off, old, g->agg_args[0]);
		ir_jcc(g->ir, BPF_JEQ, seen, old, done);
	}
	if (atomic)
		gen_drop(g, DROP_AGGREGATION); /* another CPU changed it eight times */
	ir_place(g->ir, done);
}

static int gen_min(struct gen *g, struct node *n)
{
	(void)n;
	keep_best(g, BPF_JSLE);
	return -1;
}

static int gen_max(struct gen *g, struct node *n)
{
	(void)n;
	keep_best(g, BPF_JSGE);
	return -1;
}

static int gen_avg(struct gen *g, struct node *n)
{
	(void)n;
	agg_add(g, 0, sample_scaled(g, gen_imm(g, 1)));
	agg_add(g, 1, sample_scaled(g, g->agg_args[0]));
	return -1;
}

/* The square of a magnitude below 2^63, as 128 bits, from the products of its halves. */
static void square(struct gen *g, int x, int *low, int *high)
{
	struct ir *ir = g->ir;
	int a = gen_copy(g, x), b = gen_copy(g, x), ab, carry = ir_label(ir);

	ir_alui(ir, BPF_RSH, a, 32);
	ir_zext(ir, b, 32);
	ab = gen_copy(g, a);
	ir_alu(ir, BPF_MUL, ab, b);
	*high = gen_copy(g, a);
	ir_alu(ir, BPF_MUL, *high, a);
	*low = gen_copy(g, b);
	ir_alu(ir, BPF_MUL, *low, b);
	a = gen_copy(g, ab); /* 2ab is added at bit 32 */
	ir_alui(ir, BPF_RSH, a, 31);
	ir_alu(ir, BPF_ADD, *high, a);
	ir_alui(ir, BPF_LSH, ab, 33);
	ir_alu(ir, BPF_ADD, *low, ab);
	ir_jcc(ir, BPF_JGE, *low, ab, carry);
	ir_alui(ir, BPF_ADD, *high, 1);
	ir_place(ir, carry);
}

static int gen_stddev(struct gen *g, struct node *n)
{
	int x = gen_copy(g, g->agg_args[0]), sign = gen_copy(g, x), low, high, sum,
	    done = ir_label(g->ir);

	(void)n;
	agg_add(g, 0, sample_scaled(g, gen_imm(g, 1)));
	agg_add(g, 1, sample_scaled(g, g->agg_args[0]));
	ir_alui(g->ir, BPF_ARSH, sign, 63);
	ir_alu(g->ir, BPF_XOR, x, sign);
	ir_alu(g->ir, BPF_SUB, x, sign);
	square(g, x, &low, &high);
	sample_scaled_pair(g, &low, &high);
	sum = gen_copy(g, low);
	if (feat(g->cg->feats, FEAT_ATOMIC_FETCH)) {
		ir_atomic(g->ir, BPF_ADD | BPF_FETCH, 8, g->agg_value, g->agg_off + 16, sum);
	} else {
		int now = sum;

		sum = ir_reg(g->ir);
		ir_ld(g->ir, 8, sum, g->agg_value, g->agg_off + 16);
		ir_atomic(g->ir, BPF_ADD, 8, g->agg_value, g->agg_off + 16, now);
	}
	ir_alu(g->ir, BPF_ADD, sum, low);
	ir_jcc(g->ir, BPF_JGE, sum, low, done);
	ir_alui(g->ir, BPF_ADD, high, 1);
	ir_place(g->ir, done);
	agg_add(g, 3, high);
	return -1;
}

/* clang-format off: texts are laid out as D */
#define SCALAR(name, checker, text)                                               \
	{                                                                         \
#name, DEF_AGG, "void(...)", .check = checker, .gen = gen_##name, \
					     .agg = &aggfunc_##name, .help = text \
	}
/* clang-format on */

const struct def defs_agg[] = {
    SCALAR(count, check_count, "how many times"),
    SCALAR(sum, check_value, "total"),
    SCALAR(min, check_value, "smallest value"),
    SCALAR(max, check_value, "largest value"),
    SCALAR(avg, check_value, "average"),
    SCALAR(stddev, check_value, "standard deviation"),
    {0},
};
