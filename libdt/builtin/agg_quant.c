/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregating functions with a distribution for a result: quantize, lquantize, llquantize. */
#include "libdt/builtin/agg.h"

#include "libdt/builtin/agg_gen.h"
#include "libdt/lang/sample.h"
#include "libdt/builtin/builtin.h"

#include <inttypes.h>
#include <string.h>

/* The most buckets of one key, half a megabyte: those below and above of lquantize(), and as many
 * levels as other DTrace implementations have. */
enum { MAX_LEVELS = UINT16_MAX, MAX_WORDS = MAX_LEVELS + 2 };

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

/* ---- sorting: by the sum of all values, as far as buckets know them, then by how many were
 * zero */

struct weight {
	long double total;
	int64_t zero;
};

static int compare_weights(struct weight a, struct weight b)
{
	if (a.total != b.total)
		return a.total < b.total ? -1 : 1;
	return a.zero < b.zero ? -1 : a.zero > b.zero;
}

static struct weight weigh(const int64_t *v, const struct aggr *ag,
			   int64_t (*value)(int bucket, const struct aggr *ag))
{
	struct weight w = {0, 0};

	for (int i = 0; i < ag->words; i++) {
		int64_t at = v[i] ? value(i, ag) : 0;

		w.total += (long double)v[i] * at;
		w.zero += at ? 0 : v[i];
	}
	return w;
}

/* ---- quantize */

int quantize_bucket(int64_t v)
{
	int k;

	if (!v)
		return QUANTIZE_ZERO;
	k = 63 - __builtin_clzll(magnitude(v));
	return v > 0 ? 64 + k : 62 - MIN(k, 62);
}

int64_t quantize_value(int bucket)
{
	if (bucket == QUANTIZE_ZERO)
		return 0;
	return bucket > QUANTIZE_ZERO ? 1LL << (bucket - 64) : -(1LL << (62 - bucket));
}

static int quantize_words(const int64_t *params)
{
	(void)params;
	return QUANTIZE_BUCKETS;
}

static void quantize_label(char *text, size_t size, int bucket, const struct aggr *ag)
{
	(void)ag;
	snprintf(text, size, "%" PRId64, quantize_value(bucket));
}

static void quantize_range(int bucket, const struct aggr *ag, int64_t *low, int64_t *high)
{
	int64_t v = quantize_value(bucket);

	(void)ag;
	*low = v >= 0 ? v : bucket ? v + (v + 1) : INT64_MIN;
	*high = v <= 0 ? v : v + (v - 1);
}

static int quantize_middle(const struct aggr *ag)
{
	(void)ag;
	return QUANTIZE_ZERO;
}

static int64_t quantize_at(int bucket, const struct aggr *ag)
{
	(void)ag;
	return quantize_value(bucket);
}

static int quantize_compare(const int64_t *a, const int64_t *b, const struct aggr *ag)
{
	return compare_weights(weigh(a, ag, quantize_at), weigh(b, ag, quantize_at));
}

const struct aggfunc aggfunc_quantize = {
    .name = "quantize",
    .scales = true,
    .words = quantize_words,
    .merge = agg_add_merge,
    .compare = quantize_compare,
    .print = aggr_draw,
    .bucket = quantize_at,
    .label = quantize_label,
    .range = quantize_range,
    .middle = quantize_middle,
};

/* ---- lquantize */

static int64_t step_of(const int64_t *params)
{
	return params[2] ? params[2] : 1;
}

int64_t lquantize_levels(const int64_t *params)
{
	int64_t width;

	if (step_of(params) < 0 || __builtin_sub_overflow(params[1], params[0], &width) ||
	    width < 0)
		return -1;
	return width / step_of(params);
}

int lquantize_bucket(int64_t v, const int64_t *params)
{
	uint64_t levels = lquantize_levels(params), level;

	if (v < params[0])
		return 0;
	level = ((uint64_t)v - (uint64_t)params[0]) / (uint64_t)step_of(params);
	return (int)MIN(level, levels) + 1;
}

static int lquantize_words(const int64_t *params)
{
	int64_t levels = lquantize_levels(params);

	return levels < 0 || levels > MAX_LEVELS ? -1 : (int)levels + 2;
}

/* The lower end of a bucket; the one below all is a step lower than the first. */
static int64_t lquantize_low(int bucket, const struct aggr *ag)
{
	return ag->params[0] + (bucket - 1) * step_of(ag->params);
}

static void lquantize_label(char *text, size_t size, int bucket, const struct aggr *ag)
{
	int64_t low = lquantize_low(MAX(bucket, 1), ag);
	const char *sign = !bucket ? "< " : bucket == ag->words - 1 ? ">= " : "";

	snprintf(text, size, "%s%" PRId64, sign, low);
}

static void lquantize_range(int bucket, const struct aggr *ag, int64_t *low, int64_t *high)
{
	*low = bucket ? lquantize_low(bucket, ag) : INT64_MIN;
	*high = bucket < ag->words - 1 ? lquantize_low(bucket + 1, ag) - 1 : INT64_MAX;
}

static int lquantize_middle(const struct aggr *ag)
{
	(void)ag;
	return 1;
}

static int64_t lquantize_at(int bucket, const struct aggr *ag)
{
	return bucket ? lquantize_low(bucket, ag) : ag->params[0] - 1;
}

static int lquantize_compare(const int64_t *a, const int64_t *b, const struct aggr *ag)
{
	return compare_weights(weigh(a, ag, lquantize_at), weigh(b, ag, lquantize_at));
}

const struct aggfunc aggfunc_lquantize = {
    .name = "lquantize",
    .scales = true,
    .nparams = 3,
    .words = lquantize_words,
    .merge = agg_add_merge,
    .compare = lquantize_compare,
    .print = aggr_draw,
    .bucket = lquantize_at,
    .label = lquantize_label,
    .range = lquantize_range,
    .middle = lquantize_middle,
};

/* ---- llquantize */

enum { LL_FACTOR, LL_LOW, LL_HIGH, LL_STEPS };

/* Steps are a multiple of the factor or divide it. */
static bool ll_steps_fit(int64_t factor, int64_t steps)
{
	return steps > 0 && (steps % factor == 0 || factor % steps == 0);
}

static bool ll_sensible(const int64_t *p)
{
	return p[LL_FACTOR] >= 2 && p[LL_FACTOR] <= INT32_MAX &&
	       ll_steps_fit(p[LL_FACTOR], p[LL_STEPS]) && p[LL_STEPS] < MAX_WORDS &&
	       p[LL_LOW] >= 0 && p[LL_HIGH] >= p[LL_LOW] && p[LL_HIGH] < 64;
}

enum ll_fault {
	LL_FINE,
	LL_OVERFLOW, /* its values do not fit 64 bits */
	LL_UNEVEN,   /* its steps would not begin at integers */
};

/* One order after another; the caller gives order params[LL_LOW] first. */
static enum ll_fault ll_next(const int64_t *p, int order, struct llquantize_order *o)
{
	uint64_t factor = p[LL_FACTOR], steps = p[LL_STEPS], m = steps / factor;

	if (order == p[LL_LOW]) {
		o->lo = 1;
		for (int i = 0; i < order; i++)
			if (__builtin_mul_overflow(o->lo, factor, &o->lo))
				return LL_OVERFLOW;
		o->first = 1;
	} else {
		if (o->end == UINT64_MAX)
			return LL_OVERFLOW;
		o->lo = o->end;
		o->first += o->n;
	}
	if (__builtin_mul_overflow(o->lo, factor, &o->end))
		o->end = UINT64_MAX;
	if (steps < factor) {
		o->n = steps;
		if (__builtin_mul_overflow(o->lo, factor / steps, &o->width))
			return LL_OVERFLOW;
	} else {
		o->width = o->lo > m ? o->lo / m : 1;
		o->n = MIN(o->lo, m) * (factor - 1); /* fewer than steps */
		if (o->lo > m && o->lo % m)
			return LL_UNEVEN;
	}
	o->origin = o->lo - o->lo % o->width;
	return LL_FINE;
}

bool llquantize_order(const int64_t *params, int order, struct llquantize_order *o)
{
	if (!ll_sensible(params) || order < params[LL_LOW] || order > params[LL_HIGH])
		return false;
	for (int i = params[LL_LOW]; i <= order; i++)
		if (ll_next(params, i, o) != LL_FINE)
			return false;
	return true;
}

int llquantize_side(const int64_t *params)
{
	struct llquantize_order o = {0};
	int side = 0;

	if (!ll_sensible(params))
		return -1;
	for (int i = params[LL_LOW]; i <= params[LL_HIGH]; i++) {
		if (ll_next(params, i, &o) != LL_FINE)
			return -1;
		side += o.n;
	}
	return side;
}

/* The bucket of |v|, counted from the middle. */
static int ll_distance(uint64_t v, const int64_t *params)
{
	struct llquantize_order o = {0};

	for (int i = params[LL_LOW]; i <= params[LL_HIGH] && !ll_next(params, i, &o); i++) {
		if (v < o.lo)
			return 0;
		if (v < o.end)
			return o.first + (int)((v - o.origin) / o.width);
	}
	return o.first + o.n;
}

int llquantize_bucket(int64_t v, const int64_t *params)
{
	int middle = llquantize_side(params) + 1, k = ll_distance(magnitude(v), params);

	return v < 0 ? middle - k : middle + k;
}

/* Of both signs, those beyond the orders of magnitude, and the one between. */
static int words_of(int side)
{
	return 2 * side + 3;
}

static int llquantize_words(const int64_t *params)
{
	int side = llquantize_side(params);

	return side < 0 || words_of(side) > MAX_WORDS ? -1 : words_of(side);
}

/* What the bucket at a distance from the middle begins with; of distance 0, what it ends before. */
static int64_t ll_value(int k, const int64_t *params)
{
	struct llquantize_order o = {0};
	uint64_t v = 0;

	for (int i = params[LL_LOW]; i <= params[LL_HIGH] && !ll_next(params, i, &o); i++) {
		v = o.end;
		if (k < o.first + o.n) {
			v = k ? MAX(o.lo, o.origin + (k - o.first) * o.width) : o.lo;
			break;
		}
	}
	return MIN(v, (uint64_t)INT64_MAX);
}

static void llquantize_label(char *text, size_t size, int bucket, const struct aggr *ag)
{
	int middle = ag->words / 2, k = bucket < middle ? middle - bucket : bucket - middle;
	int64_t v = ll_value(k, ag->params);

	if (!k && v == 1)
		snprintf(text, size, "0");
	else if (!k)
		snprintf(text, size, "abs() < %" PRId64, v);
	else if (!bucket)
		snprintf(text, size, "<= -%" PRId64, v);
	else if (bucket == ag->words - 1)
		snprintf(text, size, ">= %" PRId64, v);
	else
		snprintf(text, size, "%" PRId64, bucket < middle ? -v : v);
}

static void llquantize_range(int bucket, const struct aggr *ag, int64_t *low, int64_t *high)
{
	int middle = ag->words / 2, k = bucket < middle ? middle - bucket : bucket - middle;
	int64_t from = ll_value(k, ag->params),
		to = k < middle ? ll_value(k + 1, ag->params) : INT64_MAX;

	to -= to < INT64_MAX;
	if (!k) {
		*low = -(from - 1);
		*high = from - 1;
	} else if (bucket > middle) {
		*low = from;
		*high = to;
	} else {
		*low = to == INT64_MAX ? INT64_MIN : -to;
		*high = -from;
	}
}

static int llquantize_middle(const struct aggr *ag)
{
	return ag->words / 2;
}

static int64_t llquantize_at(int bucket, const struct aggr *ag)
{
	int middle = ag->words / 2;

	if (bucket == middle)
		return 0;
	return bucket < middle ? -ll_value(middle - bucket, ag->params)
			       : ll_value(bucket - middle, ag->params);
}

static int llquantize_compare(const int64_t *a, const int64_t *b, const struct aggr *ag)
{
	return compare_weights(weigh(a, ag, llquantize_at), weigh(b, ag, llquantize_at));
}

const struct aggfunc aggfunc_llquantize = {
    .name = "llquantize",
    .scales = true,
    .nparams = 4,
    .words = llquantize_words,
    .merge = agg_add_merge,
    .compare = llquantize_compare,
    .print = aggr_draw,
    .bucket = llquantize_at,
    .label = llquantize_label,
    .range = llquantize_range,
    .middle = llquantize_middle,
};

/* In the kernel ----------------------------------------------------------- */

/* Adds the increment to the bucket whose number is in a register; words says how many there are. */
static void add_bucket(struct gen *g, struct node *n, int bucket, int words)
{
	int at = gen_copy(g, bucket), p = gen_copy(g, g->agg_value), skip = ir_label(g->ir);
	int amount = sample_scaled(g, g->agg_args[1] >= 0 ? g->agg_args[1] : gen_imm(g, n->aux));

	ir_jcci(g->ir, BPF_JGE, at, words, skip); /* never: for the verifier */
	gen_bounded(g, at, words - 1);
	ir_alui(g->ir, BPF_MUL, at, 8);
	ir_alu(g->ir, BPF_ADD, p, at);
	ir_atomic(g->ir, BPF_ADD, 8, p, g->agg_off, amount);
	ir_place(g->ir, skip);
	if (g->agg_sym->counts->has_sum) {
		int sum = gen_copy(g, g->agg_args[0]);

		ir_alu(g->ir, BPF_MUL, sum, amount);
		agg_add(g, words, sum);
	}
}

/* The increment: a constant goes to aux, anything else is evaluated with the value. */
static void check_increment(struct sema *s, struct node *n, int argn)
{
	struct node *inc = call_arg(n, argn);

	n->aux = 1;
	if (!inc)
		return;
	if (!type_is_int(inc->type))
		sema_die(s, D_PROTO_ARG, inc,
			 "%s( ) argument #%d is incompatible with prototype:\n\tprototype: "
			 "int64_t\n\t argument: %s",
			 n->name, argn + 1, sema_type_text(s, inc->type));
	if (sema_is_const(inc))
		n->aux = inc->value;
}

static int64_t constant(struct sema *s, struct node *n, int argn, enum tag type_tag)
{
	struct node *a = call_arg(n, argn);

	if (!sema_is_const(a) || !type_is_int(a->type))
		sema_die(s, type_tag, a, "%s( ) argument #%d must be an integer constant", n->name,
			 argn + 1);
	return a->value;
}

static void check_quantize(struct sema *s, struct node *n)
{
	agg_check_args(s, n, 1, 2);
	check_increment(s, n, 1);
}

static int gen_quantize(struct gen *g, struct node *n)
{
	add_bucket(g, n, gen_routine(g, "rt_quantize", 1, g->agg_args), QUANTIZE_BUCKETS);
	return -1;
}

static void check_lquantize(struct sema *s, struct node *n)
{
	int64_t base, limit, step = 1, levels;

	agg_check_args(s, n, 3, 5);
	base = constant(s, n, 1, D_LQUANT_BASETYPE);
	limit = constant(s, n, 2, D_LQUANT_LIMTYPE);
	if (call_arg(n, 3))
		step = constant(s, n, 3, D_LQUANT_STEPTYPE);
	if (base < INT32_MIN || base > INT32_MAX)
		sema_die(s, D_LQUANT_BASEVAL, n,
			 "lquantize( ) argument #2 must be a 32-bit quantity");
	if (limit < INT32_MIN || limit > INT32_MAX)
		sema_die(s, D_LQUANT_LIMVAL, n,
			 "lquantize( ) argument #3 must be a 32-bit quantity");
	if (limit <= base)
		sema_die(s, D_LQUANT_MISMATCH, n,
			 "lquantize( ) base (argument #2) must be less than limit (argument #3)");
	if (step <= 0)
		sema_die(s, D_LQUANT_STEPTYPE, n,
			 "lquantize( ) argument #4 must be a positive integer constant");
	if (step > UINT16_MAX)
		sema_die(s, D_LQUANT_STEPVAL, n,
			 "lquantize( ) argument #4 must be between 1 and 65535");
	levels = (limit - base) / step;
	if (!levels)
		sema_die(s, D_LQUANT_STEPLARGE, n,
			 "lquantize( ) step (argument #4) too large: must have at least one "
			 "quantization level");
	if (levels > MAX_LEVELS)
		sema_die(s, D_LQUANT_STEPSMALL, n,
			 "lquantize( ) step (argument #4) too small: number of quantization levels "
			 "must be at most %d, not %" PRId64,
			 MAX_LEVELS, levels);
	n->sym->params[0] = base;
	n->sym->params[1] = limit;
	n->sym->params[2] = step;
	check_increment(s, n, 4);
}

static int gen_lquantize(struct gen *g, struct node *n)
{
	const int64_t *p = g->agg_sym->params;
	int64_t levels = lquantize_levels(p);
	int b = ir_reg(g->ir), v, done = ir_label(g->ir), in = ir_label(g->ir);

	ir_movi(g->ir, b, 0);
	ir_jcci(g->ir, BPF_JSLT, g->agg_args[0], p[0], done);
	v = gen_copy(g, g->agg_args[0]);
	ir_alui(g->ir, BPF_SUB, v, p[0]);
	if (p[2] > 1)
		ir_alui(g->ir, BPF_DIV, v, p[2]);
	ir_movi(g->ir, b, levels + 1);
	ir_jcci(g->ir, BPF_JLT, v, levels, in);
	ir_jmp(g->ir, done);
	ir_place(g->ir, in);
	ir_mov(g->ir, b, v);
	ir_alui(g->ir, BPF_ADD, b, 1);
	ir_place(g->ir, done);
	add_bucket(g, n, b, levels + 2);
	return -1;
}

/* The last order of magnitude whose values fit 64 bits. */
static int last_order(const int64_t *p)
{
	struct llquantize_order o = {0};
	int order = 0;

	while (ll_next((int64_t[]){p[LL_FACTOR], order, order, p[LL_STEPS]}, order, &o) !=
	       LL_OVERFLOW)
		order++;
	return order - 1;
}

/* The orders of magnitude, and the number of buckets of all. */
static void check_orders(struct sema *s, const struct node *n, const int64_t *p)
{
	int last = last_order(p), factor = p[LL_FACTOR];
	struct llquantize_order o = {0};
	int side = 0;

	if (p[LL_LOW] > last)
		sema_die(s, D_LLQUANT_LMAGVAL, n,
			 "llquantize( ) low magnitude (argument #3) must be at most %d, so that "
			 "powers of %d fit 64 bits",
			 last, factor);
	if (p[LL_HIGH] > last)
		sema_die(s, D_LLQUANT_HMAGVAL, n,
			 "llquantize( ) high magnitude (argument #4) must be at most %d, so that "
			 "powers of %d fit 64 bits",
			 last, factor);
	for (int i = p[LL_LOW]; i <= p[LL_HIGH]; i++) {
		if (ll_next(p, i, &o) == LL_UNEVEN)
			sema_die(s, D_LLQUANT_STEPVAL, n,
				 "llquantize( ) steps (argument #5) must evenly divide %d to the "
				 "power of %d",
				 factor, i + 1);
		side += o.n;
	}
	if (words_of(side) > MAX_WORDS)
		sema_die(s, D_LLQUANT_STEPVAL, n,
			 "llquantize( ) steps (argument #5) too large: number of buckets must be "
			 "at most %d, not %d",
			 MAX_WORDS, words_of(side));
}

static void check_llquantize(struct sema *s, struct node *n)
{
	static const enum tag types[] = {D_LLQUANT_FACTORTYPE, D_LLQUANT_LMAGTYPE,
					 D_LLQUANT_HMAGTYPE, D_LLQUANT_STEPTYPE};
	static const enum tag values[] = {D_LLQUANT_FACTORVAL, D_LLQUANT_LMAGVAL, D_LLQUANT_HMAGVAL,
					  D_LLQUANT_STEPVAL};
	int64_t p[4];

	agg_check_args(s, n, 5, 6);
	for (int i = 0; i < 4; i++) {
		p[i] = constant(s, n, i + 1, types[i]);
		if (i == LL_STEPS && p[i] <= 0)
			sema_die(s, D_LLQUANT_STEPTYPE, n,
				 "llquantize( ) argument #%d must be a positive integer constant",
				 i + 2);
		if (p[i] < 0 || p[i] > UINT16_MAX)
			sema_die(s, values[i], n,
				 "llquantize( ) argument #%d must be an unsigned 16-bit quantity",
				 i + 2);
		n->sym->params[i] = p[i];
	}
	if (p[0] < 2)
		sema_die(s, D_LLQUANT_FACTORVAL, n,
			 "llquantize( ) factor (argument #2) must be two or more");
	if (p[1] > p[2])
		sema_die(s, D_LLQUANT_HMAGVAL, n,
			 "llquantize( ) high magnitude (argument #4) must not be less than low "
			 "magnitude (argument #3)");
	if (!ll_steps_fit(p[0], p[3]))
		sema_die(s, D_LLQUANT_STEPVAL, n,
			 "llquantize( ) steps (argument #5) must be a multiple or a divisor of "
			 "factor (argument #2)");
	check_orders(s, n, p);
	check_increment(s, n, 5);
}

static int gen_llquantize(struct gen *g, struct node *n)
{
	const int64_t *p = g->agg_sym->params;
	int side = llquantize_side(p);
	struct rt_order orders[64];
	struct llquantize_order o;
	char *name = arena_printf(g->arena, "rt_llquantize_%d_%d_%d_%d", (int)p[0], (int)p[1],
				  (int)p[2], (int)p[3]);
	int count = 0;

	for (int order = p[1]; order <= p[2] && count < 64 && llquantize_order(p, order, &o);
	     order++)
		orders[count++] = (struct rt_order){o.lo, o.end, o.width, o.origin, o.first};
	rt_build_llquantize(g->cg->rt, name, orders, count, side);
	add_bucket(g, n, gen_routine(g, name, 1, g->agg_args), words_of(side));
	return -1;
}

static const enum tag linear_tags[] = {D_LQUANT_MATCHBASE, D_LQUANT_MATCHLIM, D_LQUANT_MATCHSTEP};
static const enum tag loglinear_tags[] = {D_LLQUANT_MATCHFACTOR, D_LLQUANT_MATCHLMAG,
					  D_LLQUANT_MATCHHMAG, D_LLQUANT_MATCHSTEPS};

const struct def defs_agg_quant[] = {
    {"quantize", DEF_AGG, "void(...)", .check = check_quantize, .gen = gen_quantize,
     .agg = &aggfunc_quantize, .help = "distribution by powers of two"},
    {"lquantize", DEF_AGG, "void(...)", .check = check_lquantize, .gen = gen_lquantize,
     .agg = &aggfunc_lquantize, .param_tags = linear_tags,
     .help = "linear distribution: value, base, limit, step, increment"},
    {"llquantize", DEF_AGG, "void(...)", .check = check_llquantize, .gen = gen_llquantize,
     .agg = &aggfunc_llquantize, .param_tags = loglinear_tags,
     .help = "log-linear distribution: value, factor, low, high, steps, increment"},
    {0},
};
