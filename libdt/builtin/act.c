/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Actions that record values: trace, printf, exit. */
#include "libdt/builtin/builtin.h"

#include <string.h>

#include "libdt/consumer/consume.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"

/* trace(x) */
static void check_trace(struct sema *s, struct node *n)
{
	struct node *x = n->list;

	if (x->kind == N_AGG)
		sema_die(s, D_TRACE_DYN, x, "trace( ) may not be applied to an aggregation");
	if (type_is_void(x->type))
		sema_die(s, D_TRACE_VOID, x, "trace( ) may not be applied to a void expression");
	/* of unknown size: its text, or its address */
	if (type_base(x->type)->kind == T_ARRAY && !type_base(x->type)->nelem)
		x = n->list = type_is_charptr(x->type) ? sema_convert(s, x, type_string(s->types))
						       : sema_decay(s, x);
	act_record_expr(s, act_new(s, n, n->ref), x);
}

static int gen_trace(struct gen *g, struct node *n)
{
	const struct act *act = gen_act(g, n);

	gen_record(g, act, 0, n->list);
	gen_act_done(g, act);
	return -1;
}

static int print_trace(struct consume *c, const struct act *act, const uint8_t *data)
{
	struct value v = rec_value(&act->recs[0], data);

	value_trace(&c->fmt, &v, opt_on(c->opts, OPT_QUIET),
		    opt_on(c->opts, OPT_RAWBYTES) ? opt_num(c->opts, OPT_STRSIZE) : 0);
	c->ended_line = false;
	return 0;
}

/* printf(format, ...) */

/* Where the format wants text, a char pointer stands for the text that it points to, in the
 * kernel's or the user's memory. */
static void texts_for(struct sema *s, struct node *call, const struct fmt *f)
{
	struct node **at = &call->list->next;

	for (int i = 0; *at; at = &(*at)->next, i++) {
		struct node *next = (*at)->next;

		if ((*at)->kind == N_AGG) /* reported below */
			continue;
		for (int p = 0; p < f->npieces; p++) {
			const struct fmt_piece *piece = &f->pieces[p];

			if (piece->conv && piece->arg == i &&
			    (piece->conv->letter == 's' || piece->conv->letter == 'S') &&
			    type_base((*at)->type)->kind == T_PTR && type_is_charptr((*at)->type))
				*at = sema_convert(s, *at, type_string(s->types));
		}
		if (!type_is_sou((*at)->type) && type_base((*at)->type)->kind == T_ARRAY &&
		    !type_is_charptr((*at)->type))
			*at = sema_decay(s, *at);
		(*at)->next = next;
	}
}

enum { FORMAT_ARGS = 512 }; /* of a call */

void act_format_check(struct sema *s, struct node *n)
{
	struct node *format = n->list;
	const struct type *types[FORMAT_ARGS];
	struct loc locs[FORMAT_ARGS];
	struct act *act;
	int nargs = 0;

	if (format->kind != N_STR)
		sema_die(s, D_PRINTF_ARG_FMT, format,
			 "%s( ) argument #1 is incompatible with prototype:\n\tprototype: string "
			 "constant\n\t"
			 " argument: %s",
			 n->name, sema_type_text(s, format->type));
	/* freopen("") restores the standard output */
	if (!format->len && strcmp(n->name, "freopen"))
		sema_die(s, D_PRINTF_FMT_EMPTY, format, "%s( ) format string is empty", n->name);
	act = act_new(s, n, n->ref);
	act->fmt = fmt_parse(s->arena, s->diag, format->loc, format->str, format->len);
	texts_for(s, n, act->fmt);
	for (struct node *a = format->next; a; a = a->next, nargs++) {
		if (nargs == ARRAY_SIZE(types))
			sema_die(s, D_PRINTF_ARG_EXTRA, a, "%s( ) takes at most %d arguments",
				 n->name, nargs);
		if (a->kind == N_AGG)
			sema_die(s, D_PRINTF_ARG_TYPE, a,
				 "%s( ) argument #%d may not be an aggregation: use printa( )",
				 n->name, nargs + 2);
		if (type_is_dyn(a->type) || type_is_void(a->type))
			sema_die(s, D_PRINTF_ARG_TYPE, a, "%s( ) argument #%d has no value",
				 n->name, nargs + 2);
		types[nargs] = a->type;
		locs[nargs] = a->loc;
	}
	fmt_check(act->fmt, s->diag, s->types, n->loc, n->name, types, locs, nargs, false);
	for (struct node *a = format->next; a; a = a->next)
		act_record_expr(s, act, a);
}

int act_format_gen(struct gen *g, struct node *n)
{
	const struct act *act = gen_act(g, n);
	int i = 0;

	for (struct node *a = n->list->next; a; a = a->next)
		gen_record(g, act, i++, a);
	gen_act_done(g, act);
	return -1;
}

int act_format_print(struct fmt_ctx *ctx, const struct act *act, const uint8_t *data)
{
	struct value values[FORMAT_ARGS];

	for (int i = 0; i < act->nrecs; i++)
		values[i] = rec_value(&act->recs[i], data);
	return fmt_print(act->fmt, ctx, values, act->nrecs, NULL, NULL);
}

static int print_printf(struct consume *c, const struct act *act, const uint8_t *data)
{
	c->ended_line = false;
	return act_format_print(&c->fmt, act, data);
}

/* exit(status) */
static void check_exit(struct sema *s, struct node *n)
{
	act_record_expr(s, act_new(s, n, n->ref), n->list);
}

/* Sets the flag that stops all programs at once; dtrace ends when it reads the record. */
static int gen_exit(struct gen *g, struct node *n)
{
	int p = ir_reg(g->ir);

	gen_trace(g, n);
	ir_map_mem(g->ir, p, &g->set->maps.ctl, offsetof(struct ctl, stopped));
	ir_sti(g->ir, 4, p, 0, STOP_ENDED);
	return -1;
}

static int print_exit(struct consume *c, const struct act *act, const uint8_t *data)
{
	struct value v = rec_value(&act->recs[0], data);

	c->status = value_int(&v); /* the last one counts, END's too */
	c->exited = true;
	return 0;
}

const struct def defs_act[] = {
    {"trace", DEF_ACT, "void(@)", DEF_PRINTS, .check = check_trace, .gen = gen_trace,
     .print = print_trace, .help = "records a value"},
    {"printf", DEF_ACT, "void(string, ...)", DEF_PRINTS, .check = act_format_check,
     .gen = act_format_gen, .print = print_printf, .help = "prints values by a format"},
    {"exit", DEF_ACT, "void(int)", DEF_CARRIED, .check = check_exit, .gen = gen_exit,
     .print = print_exit, .help = "ends tracing with a status"},
    {0},
};
