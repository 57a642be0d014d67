/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Actions that record memory: print, tracemem. And setopt, which is carried out when its record
 * is read. */
#include "libdt/builtin/builtin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/consume.h"
#include "libdt/consumer/print_value.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"

/* Reads size bytes (register) at an address into recorded value i. */
static void record_memory(struct gen *g, const struct act *act, int i, int addr, int size,
			  unsigned space)
{
	int to = gen_copy(g, g->rec);

	ir_alui(g->ir, BPF_ADD, to, act->recs[i].off);
	gen_fetch(g, space, to, size, addr);
}

/* print(x): a pointer with what it points to, any other value by itself ---- */

/* The type of what print() shows for a pointer: text for a pointer to char. NULL: the address
 * only. */
static const struct type *pointee(struct sema *s, const struct type *t)
{
	const struct type *to;

	t = type_base(t);
	if (t->kind != T_PTR)
		return NULL;
	if (type_is_charptr(t))
		return type_string(s->types);
	to = type_base(t->ref);
	if (to->kind == T_VOID || to->kind == T_FUNC)
		return NULL;
	return type_size(s->types, to) ? t->ref : NULL;
}

/* What a view points to is in no memory: its translator makes it. */
static struct node *translated(struct sema *s, struct node *view)
{
	struct node *deref = node_new(s->parse, N_UNARY, view->loc);

	deref->op = OP_DEREF;
	deref->a = view;
	return xlate_whole(s, sema_expr(s, deref));
}

/* So much is recorded at least: setopt() may have print() show more than when tracing began. */
enum { PRINT_LEAST = 1024 };

static void check_print(struct sema *s, struct node *n)
{
	struct node *x = n->list;
	const struct type *to;
	struct act *act;
	uint64_t size, most = MAX(opt_num(s->opts, OPT_PRINTSIZE), PRINT_LEAST);
	int i;

	if (x->kind == N_AGG)
		sema_die(s, D_PRINT_AGG, x,
			 "print( ) may not be applied to an aggregation: use printa( )");
	if (type_is_void(x->type))
		sema_die(s, D_PRINT_VOID, x, "print( ) may not be applied to a void expression");
	size = type_size(s->types, x->type);
	if (!size && !type_is_string(x->type))
		sema_die(s, D_PRINT_SIZE, x,
			 "print( ) argument #1 has type %s, whose size is not known",
			 sema_type_text(s, x->type));
	to = type_is_ptr(x->type) ? type_complete(s->types, type_base(x->type)->ref) : NULL;
	if (to && type_is_sou(to) && type_base(to)->kind != T_FWD && !type_size(s->types, to))
		sema_die(s, D_PRINT_SIZE, x,
			 "print( ) argument #1 points to a \"%s\", which has no bytes",
			 sema_type_text(s, to));
	act = act_new(s, n, n->ref);
	if ((type_is_sou(x->type) || type_base(x->type)->kind == T_ARRAY) && size > most) {
		i = act_record(s, act, x->type, most);
		act->recs[i].name = x->loc;
		return;
	}
	act_record_expr(s, act, x);
	to = pointee(s, x->type);
	if (to && type_is_string(to))
		act_record(s, act, to, MIN(s->strsize, most));
	else if (to)
		act_record(s, act, to, MIN(type_size(s->types, to), most));
	if (to && type_is_view(x->type))
		x->next = translated(s, x);
}

static void record_pointee(struct gen *g, const struct act *act, struct node *x, int addr)
{
	const struct rec *to = &act->recs[1];
	struct str_dest d = {g->rec, to->off, to->size, .slot_off = -1};

	if (x->next)
		gen_record(g, act, 1, x->next);
	else if (type_is_string(to->type))
		gen_str_fetch(g, addr, type_space(x->type), -1, &d);
	else
		record_memory(g, act, 1, addr, gen_imm(g, to->size), type_space(x->type));
}

static int gen_print(struct gen *g, struct node *n)
{
	const struct act *act = gen_act(g, n);
	struct node *x = n->list;
	int addr;

	if (act->nrecs == 2) {
		addr = gen_expr(g, x);
		ir_st(g->ir, act->recs[0].size, g->rec, act->recs[0].off, addr);
		record_pointee(g, act, x, addr);
	} else {
		gen_record(g, act, 0, x);
	}
	gen_act_done(g, act);
	return -1;
}

/* As much as -x printsize lets. */
static struct value shown(const struct consume *c, const struct rec *rec, const uint8_t *data)
{
	struct value v = rec_value(rec, data);

	v.size = MIN(v.size, (uint64_t)opt_num(c->opts, OPT_PRINTSIZE));
	return v;
}

static int print_print(struct consume *c, const struct act *act, const uint8_t *data)
{
	struct value v = rec_value(&act->recs[0], data), to;

	if (act->nrecs == 2) {
		to = shown(c, &act->recs[1], data);
		value_pointee(&c->fmt, value_int(&v), &to);
	} else {
		if (!type_is_string(v.type))
			v = shown(c, &act->recs[0], data);
		value_tree(&c->fmt, &v);
	}
	c->ended_line = true;
	return 0;
}

/* A pointer becomes an object with its type and the value it points to. */
static int write_print(struct consume *c, const struct act *act, const uint8_t *data,
		       struct writer *w)
{
	const struct rec *last = &act->recs[act->nrecs - 1], *rec = &act->recs[0];
	struct value v = rec_value(rec, data),
		     to = type_is_string(rec->type) ? v : shown(c, last, data);

	consume_value_begin(w, rec);
	writer_string(w, "type", type_text(c->fmt.types, last->type));
	if (act->nrecs == 2)
		writer_hex(w, "address", value_int(&v));
	writer_value(w, "value", &c->fmt, &to);
	if (to.size < type_size(c->fmt.types, to.type) && !type_is_string(to.type))
		writer_bool(w, "truncated", true);
	consume_value_end(w);
	return 0;
}

/* tracemem(address, size, [dynsize]) -------------------------------------- */

static void check_tracemem(struct sema *s, struct node *n)
{
	struct node *addr = call_arg(n, 0), *size = call_arg(n, 1), *dyn = call_arg(n, 2);
	int given = node_count(n->list);
	struct act *act;
	int i;

	if (given < 2 || given > 3)
		sema_die(s, D_PROTO_LEN, n,
			 "tracemem( ) prototype mismatch: %d argument%s passed, 2 or 3 expected",
			 given, given == 1 ? "" : "s");
	if (!type_is_ptr(addr->type) && !type_is_int(addr->type) && !type_is_string(addr->type))
		sema_die(s, D_TRACEMEM_ADDR, addr,
			 "tracemem( ) argument #1 is incompatible with prototype:\n\tprototype: "
			 "pointer or integer\n\t argument: %s",
			 sema_type_text(s, addr->type));
	if (!type_is_int(size->type))
		sema_die(s, D_PROTO_ARG, size,
			 "tracemem( ) argument #2 is incompatible with prototype:\n\tprototype: "
			 "size_t\n\t argument: %s",
			 sema_type_text(s, size->type));
	if (!sema_is_const(size) || size->value <= 0)
		sema_die(s, D_TRACEMEM_SIZE, size,
			 "tracemem( ) argument #2 must be a non-zero positive integer constant");
	if (dyn && !type_is_int(dyn->type))
		sema_die(s, D_TRACEMEM_DYNSIZE, dyn,
			 "tracemem( ) argument #3 is incompatible with prototype:\n\tprototype: "
			 "integer\n\t argument: %s",
			 sema_type_text(s, dyn->type));
	if (size->value > 1024 * 1024)
		sema_die(s, D_TRACEMEM_SIZE, size, "tracemem( ) argument #2 may be at most %d",
			 1024 * 1024);
	if (type_base(addr->type)->kind == T_ARRAY)
		n->list = addr = sema_decay(s, addr), addr->next = size;
	act = act_new(s, n, n->ref);
	i = act_record(s, act, type_array(s->types, type_int(s->types, 1, false), size->value),
		       size->value);
	act->recs[i].name = addr->loc;
	if (dyn)
		act_record(s, act, type_int(s->types, 8, false), 8);
}

/* Of the size that the script reckons no more than fits. */
static int shown_size(struct gen *g, struct node *dyn, uint32_t most)
{
	int size = gen_copy(g, gen_expr(g, dyn));

	gen_at_most(g, size, most);
	gen_bounded(g, size, most);
	return size;
}

static int gen_tracemem(struct gen *g, struct node *n)
{
	const struct act *act = gen_act(g, n);
	struct node *dyn = call_arg(n, 2);
	int addr =
		type_is_string(n->list->type) ? gen_str_address(g, n->list) : gen_expr(g, n->list),
	    size;

	if (dyn) {
		size = shown_size(g, dyn, act->recs[0].size);
		ir_st(g->ir, 8, g->rec, act->recs[1].off, size);
	} else {
		size = gen_imm(g, act->recs[0].size);
	}
	record_memory(g, act, 0, addr, size, type_space(n->list->type));
	gen_act_done(g, act);
	return -1;
}

/* The bytes that were asked for. */
static struct value traced(const struct act *act, const uint8_t *data)
{
	struct value v = rec_value(&act->recs[0], data), size;

	if (act->nrecs == 2) {
		size = rec_value(&act->recs[1], data);
		v.size = MIN((uint64_t)value_int(&size), v.size);
	}
	return v;
}

static int print_tracemem(struct consume *c, const struct act *act, const uint8_t *data)
{
	struct value v = traced(act, data);

	value_dump(&c->fmt, v.data, v.size);
	c->ended_line = false;
	return 0;
}

static int write_tracemem(struct consume *c, const struct act *act, const uint8_t *data,
			  struct writer *w)
{
	struct value v = traced(act, data);

	(void)c;
	consume_value_begin(w, &act->recs[0]);
	writer_bytes(w, "bytes", v.data, v.size);
	consume_value_end(w);
	return 0;
}

/* setopt(name, [value]) --------------------------------------------------- */

/* What is wrong with its arguments is reported when its record is read, and the script goes on. */
static void check_setopt(struct sema *s, struct node *n)
{
	struct act *act = act_new(s, n, n->ref);

	for (struct node *a = n->list; a; a = a->next)
		act_record_expr(s, act, a);
}

static int gen_setopt(struct gen *g, struct node *n)
{
	const struct act *act = gen_act(g, n);
	int i = 0;

	for (struct node *a = n->list; a; a = a->next)
		gen_record(g, act, i++, a);
	gen_act_done(g, act);
	return -1;
}

/* A copy of a recorded string, which ends within its record. */
static char *recorded_text(const struct rec *rec, const uint8_t *data)
{
	char *text = xmalloc(rec->size + 1);

	memcpy(text, data + rec->off, rec->size);
	text[rec->size] = '\0';
	return text;
}

static int print_setopt(struct consume *c, const struct act *act, const uint8_t *data)
{
	char *name = recorded_text(&act->recs[0], data), why[200];
	char *value = act->nrecs > 1 ? recorded_text(&act->recs[1], data) : NULL;
	int err;

	c->opts->from = OPT_FROM_PROGRAM;
	err = opts_set(c->opts, name, value, why, sizeof(why));
	c->opts->from = OPT_FROM_COMMAND;
	if (err < 0)
		consume_warn(c, "setopt( ): failed to set option '%s': %s", name, why);
	consume_options(c);
	free(name);
	free(value);
	return 0;
}

const struct def defs_act_print[] = {
    {"print", DEF_ACT, "void(@)", DEF_PRINTS, .check = check_print, .gen = gen_print,
     .print = print_print, .write = write_print,
     .help = "prints a value with its type; of a pointer, also its target"},
    {"tracemem", DEF_ACT, "void(...)", .check = check_tracemem, .gen = gen_tracemem,
     .print = print_tracemem, .write = write_tracemem,
     .help = "records memory: address, size, and how much of it to print"},
    {"setopt", DEF_ACT, "void(string, [string])", DEF_CARRIED, .check = check_setopt,
     .gen = gen_setopt, .print = print_setopt, .help = "sets a dynamic option while tracing"},
    {0},
};
