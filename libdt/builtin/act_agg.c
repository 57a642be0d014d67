/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Actions on aggregations: printa, clear, trunc, normalize, denormalize. They act on the totals
 * in user space when their record is read; first the totals are brought up to the time of the
 * record.
 */
#include "libdt/builtin/builtin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/aggr_key.h"
#include "libdt/consumer/consume.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"

static void use_agg(struct sema *s, struct act *act, struct sym *sym)
{
	uint32_t *aggs = arena_alloc(s->arena, (act->naggs + 1) * sizeof(*aggs));

	if (act->naggs)
		memcpy(aggs, act->aggs, act->naggs * sizeof(*aggs));
	aggs[act->naggs++] = sym->index;
	act->aggs = aggs;
	s->clause->needs_time = true;
}

/* Records whatever the action has besides aggregations. */
static int gen_agg_action(struct gen *g, struct node *n)
{
	const struct act *act = gen_act(g, n);

	if (act->nrecs)
		gen_record(g, act, 0, n->list->next);
	gen_act_done(g, act);
	return -1;
}

static struct aggr *first_agg(const struct consume *c, const struct act *act)
{
	return consume_agg(c, act->aggs[0]);
}

static int64_t recorded(const struct act *act, const uint8_t *data)
{
	struct value v = rec_value(&act->recs[0], data);

	return value_int(&v);
}

/* printa([format,] @agg, ...) */
static void check_keys(struct sema *s, struct node *n, struct sym *first, struct sym *sym)
{
	bool same = true;

	if (first->key.n != sym->key.n)
		sema_die(s, D_PRINTA_AGGKEY, n,
			 "@%s has %d keys and @%s has %d: they cannot be printed together",
			 sym->name, sym->key.n, first->name, first->key.n);
	for (int i = 0; same && i < sym->key.n; i++)
		same = aggr_cols_join(&first->key.cols[i], &sym->key.cols[i]);
	if (!same)
		sema_die(s, D_PRINTA_AGGPROTO, n,
			 "@%s has different keys than @%s: they cannot be printed together",
			 sym->name, first->name);
}

/* As print_agg() will have it, the last aggregation serves what is left of the format. */
static void check_percentiles(struct sema *s, struct node *format, const struct act *act)
{
	for (int i = 0; i < act->fmt->npieces; i++) {
		const struct fmt_piece *p = &act->fmt->pieces[i];
		const struct sym *sym =
		    sym_agg_nth(s->syms, act->aggs[MIN(p->arg, act->naggs - 1)]);

		if (p->percent && !sym->func->agg->range)
			sema_die(s, D_PRINTF_AGG_CONV, format,
				 "format conversion #%d is for a distribution, and @%s is %s( )",
				 p->number, sym->name, sym->func->name);
	}
}

/* Rows may be sorted by an aggregation that is not printed. */
static void warn_unused(struct sema *s, const struct node *n, const struct act *act)
{
	bool percentiles = false;

	for (int i = 0; i < act->fmt->npieces; i++)
		percentiles |= act->fmt->pieces[i].percent != 0;
	for (int i = MAX(act->fmt->naggs, 1); i < act->naggs; i++)
		if (i != opt_num(s->opts, OPT_AGGSORTPOS))
			diag_warn(s->diag, n->loc, "no conversion of printa( ) prints @%s%s",
				  sym_agg_nth(s->syms, act->aggs[i])->name,
				  percentiles ? ": adjacent percentiles are of one aggregation"
					      : "");
}

static void check_printa(struct sema *s, struct node *n)
{
	struct act *act = act_new(s, n, n->ref);
	struct node *format = n->list->kind == N_STR ? n->list : NULL;
	const struct type *types[64];
	struct loc locs[64];
	struct sym *first = NULL;
	int i = format != NULL;

	if (!n->list)
		sema_die(s, D_PROTO_LEN, n,
			 "printa( ) prototype mismatch: 0 args passed, at least 1 expected");
	if (!call_arg(n, i))
		sema_die(s, D_PRINTA_PROTO, n,
			 "printa( ) prototype mismatch: an aggregation is expected");
	for (; call_arg(n, i); i++) {
		struct sym *sym = sema_agg_arg(s, n, i, D_PRINTA_AGGARG);

		if (first)
			check_keys(s, n, first, sym);
		else
			first = sym;
		use_agg(s, act, sym);
	}
	if (!format)
		return;
	act->fmt = fmt_parse(s->arena, s->diag, format->loc, format->str, format->len);
	if (first->key.n > (int)ARRAY_SIZE(types))
		sema_die(s, D_PRINTA_PROTO, n, "printa( ): too many keys");
	for (int k = 0; k < first->key.n; k++) {
		types[k] = first->key.cols[k].type;
		locs[k] = n->loc;
	}
	fmt_check(act->fmt, s->diag, s->types, n->loc, "printa", types, locs, first->key.n, true);
	check_percentiles(s, format, act);
	warn_unused(s, n, act);
}

/* The aggregations that an action names, to be freed. */
static struct aggr **aggs_of(const struct consume *c, const struct act *act)
{
	struct aggr **ags = xmalloc(act->naggs * sizeof(*ags));

	for (int i = 0; i < act->naggs; i++)
		ags[i] = consume_agg(c, act->aggs[i]);
	return ags;
}

static int print_printa(struct consume *c, const struct act *act, const uint8_t *data)
{
	struct aggr **ags = aggs_of(c, act);
	int err = consume_snapshot(c);

	(void)data;
	if (!err && !act->fmt)
		fputc('\n', c->out);
	if (!err)
		err = consume_print_aggs(c, act->fmt, ags, act->naggs);
	c->ended_line = false;
	free(ags);
	return err;
}

static int write_printa(struct consume *c, const struct act *act, const uint8_t *data,
			struct writer *w)
{
	struct aggr **ags = aggs_of(c, act);
	int err = consume_snapshot(c);

	(void)data;
	if (!err)
		err = consume_write_aggregations(c, act->fmt, ags, act->naggs, w);
	free(ags);
	return err;
}

static void check_clear(struct sema *s, struct node *n)
{
	use_agg(s, act_new(s, n, n->ref), sema_agg_arg(s, n, 0, D_CLEAR_AGGARG));
}

static void check_denormalize(struct sema *s, struct node *n)
{
	use_agg(s, act_new(s, n, n->ref), sema_agg_arg(s, n, 0, D_NORMALIZE_AGGARG));
}

static int print_clear(struct consume *c, const struct act *act, const uint8_t *data)
{
	int err = consume_snapshot(c);

	(void)data;
	if (!err)
		aggr_clear(first_agg(c, act));
	return err;
}

static int print_denormalize(struct consume *c, const struct act *act, const uint8_t *data)
{
	(void)data;
	return aggr_normalize(first_agg(c, act), 1);
}

/* trunc(@a, [n]) */
static void check_trunc(struct sema *s, struct node *n)
{
	struct act *act = act_new(s, n, n->ref);
	struct node *count;

	use_agg(s, act, sema_agg_arg(s, n, 0, D_TRUNC_AGGARG));
	count = call_arg(n, 1);
	if (count && !type_is_scalar(count->type))
		sema_die(s, D_TRUNC_SCALAR, count, "trunc( ) argument #2 must be of scalar type");
	if (count)
		act_record_expr(s, act, count);
}

static int print_trunc(struct consume *c, const struct act *act, const uint8_t *data)
{
	int err = consume_snapshot(c);

	if (!err)
		aggr_trunc(first_agg(c, act), act->nrecs ? recorded(act, data) : 0);
	return err;
}

/* normalize(@a, factor) */
static void check_normalize(struct sema *s, struct node *n)
{
	struct act *act = act_new(s, n, n->ref);
	struct node *factor;

	use_agg(s, act, sema_agg_arg(s, n, 0, D_NORMALIZE_AGGARG));
	factor = call_arg(n, 1);
	if (!type_is_scalar(factor->type))
		sema_die(s, D_NORMALIZE_SCALAR, factor,
			 "normalize( ) argument #2 must be of scalar type");
	act_record_expr(s, act, factor);
}

static int print_normalize(struct consume *c, const struct act *act, const uint8_t *data)
{
	if (aggr_normalize(first_agg(c, act), recorded(act, data)) == -EINVAL)
		consume_warn(c, "normalize( ) of @%s by 0 is ignored", first_agg(c, act)->name);
	return 0;
}

const struct def defs_act_agg[] = {
    {"printa", DEF_ACT, "void(@, ...)", DEF_CARRIED, .check = check_printa, .gen = gen_agg_action,
     .print = print_printa, .write = write_printa, .help = "prints aggregations"},
    {"clear", DEF_ACT, "void(@)", DEF_CARRIED, .check = check_clear, .gen = gen_agg_action,
     .print = print_clear, .help = "sets an aggregation's values to zero, keeps its keys"},
    {"trunc", DEF_ACT, "void(@, [int64_t])", DEF_CARRIED, .check = check_trunc,
     .gen = gen_agg_action, .print = print_trunc,
     .help = "keeps the n largest (or smallest, n < 0) keys, or none"},
    {"normalize", DEF_ACT, "void(@, uint64_t)", DEF_CARRIED, .check = check_normalize,
     .gen = gen_agg_action, .print = print_normalize,
     .help = "divides an aggregation's values when they are printed"},
    {"denormalize", DEF_ACT, "void(@)", DEF_CARRIED, .check = check_denormalize,
     .gen = gen_agg_action, .print = print_denormalize, .help = "undoes normalize()"},
    {0},
};
