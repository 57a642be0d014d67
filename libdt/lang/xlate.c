/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Translators. "translator out < in *p > { m = e; ... }" says what the members of an out are,
 * made from an in. The out never exists in memory: xlate <out>(x).m is the expression e with x
 * for p, typed where it is used (inline.c copies it), so that one member costs what it needs and
 * another, which this kernel cannot give, costs nothing.
 *
 * xlate <out *>(x) is a view (type.h): its value is x, its type "out *" as seen through the
 * translator from x's type. So it can be kept in variables and arrays, compared and handed on as
 * the pointer that it looks like, and p->m is the translator's expression again. A builtin
 * variable or a provider's argument that is translated has just such a type.
 *
 * xlate <out>(x) as a value, and *p of a view p, are an N_XLATE until a member is taken. Where
 * the whole is used (assigned, recorded) it is "v.a = ..., v.b = ..., v", with a variable v made
 * for it (xlate_whole).
 */
#include "libdt/lang/xlate.h"

#include <string.h>

#include "libdt/lang/lib.h"
#include "libdt/lang/sema_parts.h"

static const struct type *out_type(struct sema *s, struct xlator *x)
{
	if (!x->out)
		x->out = type_of_decl(&s->decl_env, x->node->decl);
	return x->out;
}

static const struct type *in_type(struct sema *s, struct xlator *x)
{
	if (!x->in)
		x->in = type_of_decl(&s->decl_env, x->node->decl2);
	return x->in;
}

/* The library's translators to a type are read when one is wanted: by the names that the type
 * has. */
static void ask_library(struct sema *s, const struct type *out)
{
	const struct type *t = out;

	for (int i = 0; i < 16; i++) {
		if (t->plain) {
			t = t->plain;
			continue;
		}
		lib_declare(s, arena_printf(s->arena, "translator %s", type_text(s->types, t)));
		if (t->kind != T_TYPEDEF)
			break;
		t = t->ref;
	}
}

/* Takes the translator such a value? An exact fit is better than one of C's conversions. */
static int fit(struct sema *s, struct xlator *x, const struct type *in)
{
	const struct type *want = in_type(s, x);

	if (type_same(want, in))
		return 2;
	return type_is_scalar(want) && type_is_ptr(want) == type_is_ptr(in) &&
	       type_argument_ok(want, in);
}

struct xlator *xlator_find(struct sema *s, const struct type *out, const struct type *in)
{
	struct xlator *best = NULL;
	int best_fit = 0;

	ask_library(s, out);
	for (int i = 0; i < s->syms->xlators.n; i++) {
		struct xlator *x = s->syms->xlators.v[i];
		int how;

		if (!type_same(out_type(s, x), out))
			continue;
		how = fit(s, x, in);
		if (how > best_fit) {
			best = x;
			best_fit = how;
		}
	}
	return best;
}

static struct xlator *xlator_need(struct sema *s, const struct node *n, const struct type *out,
				  const struct type *in)
{
	struct xlator *x = xlator_find(s, out, in);

	if (!x)
		sema_die(s, D_XLATE_NONE, n,
			 "cannot translate from \"%s\" to \"%s\": there is no such translator",
			 sema_type_text(s, in), sema_type_text(s, out));
	return x;
}

/* Declaring --------------------------------------------------------------- */

static void check_members(struct sema *s, struct xlator *x)
{
	for (struct node *m = x->node->list; m; m = m->next) {
		if (!type_member(s->types, type_complete(s->types, x->out), m->name, NULL))
			sema_die(s, D_XLATE_MEMB, m, "translator member %s is not a member of %s",
				 m->name, sema_type_text(s, x->out));
		for (struct node *other = x->node->list; other != m; other = other->next)
			if (!strcmp(other->name, m->name))
				sema_die(s, D_XLATE_MEMB, m,
					 "translator member %s is defined twice", m->name);
	}
}

/* Against the first n of them. */
static void check_redeclared(struct sema *s, const struct xlator *x, int n)
{
	for (int i = 0; i < n; i++) {
		struct xlator *old = s->syms->xlators.v[i];

		if (old->out && old->in && type_same(old->out, x->out) && type_same(old->in, x->in))
			sema_die(s, D_XLATE_REDECL, x->node,
				 "translator from %s to %s has already been declared",
				 sema_type_text(s, x->in), sema_type_text(s, x->out));
	}
}

static void check_declared(struct sema *s, struct xlator *x, int before)
{
	const struct type *out = type_complete(s->types, out_type(s, x));

	if (!type_is_sou(out) || (type_base(out)->kind == T_FWD && x->node->list))
		sema_die(s, D_XLATE_SOU, x->node->decl,
			 "translator output type must be a struct or union");
	in_type(s, x);
	check_members(s, x);
	check_redeclared(s, x, before);
}

void xlator_declare(struct sema *s, struct node *item)
{
	struct xlator *x = arena_alloc(s->arena, sizeof(*x));

	x->node = item;
	x->of_library = s->in_library;
	x->own = sema_is_own(s, item->loc);
	if (!s->in_library)
		check_declared(s, x, s->syms->xlators.n);
	vec_push(&s->syms->xlators, x);
}

/* Using ------------------------------------------------------------------- */

static struct node *cast_node(struct sema *s, struct node *n, const struct type *to, struct loc loc)
{
	struct node *c = node_new(s->parse, N_CAST, loc);

	c->a = n;
	c->type = (struct type *)to;
	return c;
}

/* xlate <out *>(x): x under another type. */
static struct node *view_of(struct sema *s, struct node *n, const struct type *ptr)
{
	const struct type *out = type_base(ptr)->ref, *in = n->a->type;
	struct xlator *x;

	if (type_is_view(in) && type_same(type_base(in)->ref, out))
		return n->a;
	in = type_native(in);
	x = xlator_need(s, n, out, in);
	if (type_is_sou(in))
		sema_die(s, D_XLATE_DYNAMIC, n,
			 "\"%s\" is translated from a struct, which has no address: use xlate <%s>",
			 sema_type_text(s, ptr), sema_type_text(s, out));
	return cast_node(s, sema_convert(s, n->a, x->in), type_view(s->types, ptr, x->in), n->loc);
}

struct node *xlate_expr(struct sema *s, struct node *n)
{
	const struct type *to = type_of_decl(&s->decl_env, n->decl);
	const struct type *out = type_base(to)->kind == T_PTR ? type_base(to)->ref : to;

	if (!type_is_sou(out))
		sema_die(s, D_XLATE_SOU, n,
			 "translation output type must be a struct or union, or a pointer to one");
	n->a = sema_expr(s, n->a);
	if (!type_is_sou(n->a->type))
		n->a = sema_decay(s, n->a);
	if (type_is_void(n->a->type) || type_is_dyn(n->a->type))
		sema_die(s, D_XLATE_NONE, n, "cannot translate from \"%s\" to \"%s\"",
			 sema_type_text(s, n->a->type), sema_type_text(s, out));
	if (out != to)
		return view_of(s, n, to);
	n->ref = xlator_need(s, n, out, type_native(n->a->type));
	n->type = (struct type *)out;
	return n;
}

struct node *xlate_deref(struct sema *s, struct node *n)
{
	const struct type *view = type_base(n->a->type);
	struct node *x = node_new(s->parse, N_XLATE, n->loc);

	stable_same(s, n->a);
	x->a = cast_node(s, n->a, view->via, n->loc);
	x->ref = xlator_need(s, n, view->ref, view->via);
	x->type = (struct type *)view->ref;
	return x;
}

/* A bit-field keeps as many bits as it has. */
static struct node *cut_bits(struct sema *s, struct node *n, uint32_t bits)
{
	const struct type *t = n->type;
	bool is_signed = type_is_signed(t);

	for (int left = 1; left >= 0; left--) {
		struct node *sh = node_new(s->parse, N_BINARY, n->loc);

		sh->op = left ? OP_SHL : OP_SHR;
		sh->a = left ? sema_convert(s, n, type_int(s->types, 8, is_signed)) : n;
		sh->b = sema_int(s, n, 64 - bits, type_int(s->types, 4, true));
		n = sema_expr(s, sh);
	}
	return sema_convert(s, n, t);
}

/* The member's value as the member's type. Arrays stay what the expression is: a string, or an
 * array otherwise. */
static struct node *as_member(struct sema *s, struct node *n, const struct member *m,
			      struct node *e)
{
	const struct type *t = type_base(type_complete(s->types, m->type));
	bool ok;

	if (t->kind == T_ARRAY) {
		ok = type_is_charptr(t) ? type_is_string(e->type) || type_is_charptr(e->type)
					: type_base(e->type)->kind == T_ARRAY &&
					      type_same(t->ref, type_base(e->type)->ref);
	} else if (type_is_sou(t)) {
		ok = type_same(t, e->type);
	} else {
		e = sema_decay(s, e);
		ok = sema_assignable(t, e);
	}
	if (!ok)
		sema_die(s, D_XLATE_INCOMPAT, n,
			 "translator member %s definition uses incompatible types: \"%s\" = \"%s\"",
			 n->name, sema_type_text(s, m->type), sema_type_text(s, e->type));
	if (t->kind == T_ARRAY || type_is_sou(t))
		return e;
	e = sema_convert(s, e, m->type);
	return m->bits && type_is_int(e->type) ? cut_bits(s, e, m->bits) : e;
}

static struct node *find_member(const struct xlator *x, const char *name)
{
	struct node *m = x->node->list;

	while (m && strcmp(m->name, name))
		m = m->next;
	return m;
}

static struct node *member_node(struct sema *s, struct node *of, const char *name)
{
	struct node *m = node_new(s->parse, N_MEMBER, of->loc);

	m->op = OP_DOT;
	m->name = name;
	m->a = of;
	return m;
}

/* A member of what is something else for each probe. */
static struct node *member_of_choice(struct sema *s, struct node *n)
{
	struct node *choice = node_new(s->parse, N_CHOICE, n->loc), **at = &choice->list;

	for (struct node *e = n->a->list, *next; e; e = next) {
		next = e->next;
		*at = xlate_member(s, member_node(s, e, n->name));
		at = &(*at)->next;
	}
	*at = NULL;
	choice->type = choice->list->type;
	return choice;
}

struct node *xlate_member(struct sema *s, struct node *n)
{
	struct node *in = n->a, *m, *e;
	const struct type *view = type_base(in->type);
	struct xlator *x = in->kind == N_XLATE ? (struct xlator *)in->ref
					       : xlator_need(s, n, view->ref, view->via);
	const struct type *out = type_complete(s->types, x->out);
	const struct member *om = type_member(s->types, out, n->name, NULL);
	struct subst b = {sema_type_text(s, x->out), x->node->decl2,
			  in->kind == N_XLATE ? in->a : NULL};
	struct loc use = s->use;

	if (in->kind == N_CHOICE)
		return member_of_choice(s, n);
	if (!om)
		sema_no_member(s, n, x->out);
	m = find_member(x, n->name);
	if (!m)
		sema_die(s, D_XLATE_NOCONV, n,
			 "translator from %s to %s does not define conversion for member: %s",
			 sema_type_text(s, x->in), sema_type_text(s, x->out), n->name);
	if (m->flags & NF_BUSY)
		sema_die(s, D_INLINE_PARM, n, "translator member %s refers to itself", n->name);
	if (!b.args)
		b.args = cast_node(s, in, view->via, n->loc);
	b.args->next = NULL;
	e = sema_subst(s, &b, m->a);
	m->flags |= NF_BUSY;
	if (!use.src)
		s->use = n->loc;
	e = as_member(s, n, om, sema_expr(s, e));
	s->use = use;
	m->flags &= ~NF_BUSY;
	e->loc = n->loc;
	if (!x->own)
		sema_mark_name(e);
	return e;
}

/* What other systems' structs have and ours have not: a script that takes such a member wants
 * theirs. */
static const struct {
	const char *ours, *theirs;
} foreign_members[] = {
    {"task_struct", "kthread_t"},
};

struct node *xlate_foreign(struct sema *s, struct node *n, const struct type *of)
{
	const struct type *theirs;
	const char *name = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(foreign_members) && of->name && n->op == OP_ARROW; i++)
		if (!strcmp(foreign_members[i].ours, of->name))
			name = foreign_members[i].theirs;
	theirs = name ? type_find(s->types, NULL, name) : NULL;
	if (!theirs || !type_member(s->types, type_complete(s->types, theirs), n->name, NULL))
		return NULL;
	n->a =
	    cast_node(s, n->a, type_view(s->types, type_ptr(s->types, theirs), n->a->type), n->loc);
	return xlate_member(s, n);
}

bool xlate_is_array(const struct type *t)
{
	return type_is_view(t) && type_base(type_native(t))->kind == T_PTR &&
	       type_base(type_base(type_native(t))->ref)->kind == T_PTR;
}

struct node *xlate_advance(struct sema *s, const struct node *n, struct node *view, struct node *by)
{
	struct node *at = node_new(s->parse, N_BINARY, n->loc);

	at->op = n->kind == N_BINARY ? n->op : OP_ADD;
	at->a = cast_node(s, view, type_native(view->type), n->loc);
	at->b = by;
	return cast_node(s, sema_expr(s, at), view->type, n->loc);
}

/* p[n] of a view is the n-th of what it is made from. */
struct node *xlate_element(struct sema *s, struct node *n)
{
	struct node *deref = node_new(s->parse, N_UNARY, n->loc);

	deref->op = OP_DEREF;
	deref->a = xlate_advance(s, n, n->a, n->b);
	return xlate_deref(s, deref);
}

/* Casts ------------------------------------------------------------------- */

/* A view of such a struct that has become a number. */
static struct node *view_in(const struct node *n, const struct type *out)
{
	while (n->kind == N_CAST && type_is_int(n->type))
		n = n->a;
	return xlate_is_array(n->type) && type_same(type_base(n->type)->ref, out) ? (struct node *)n
										  : NULL;
}

/* (T *)((uint64_t)v + n * sizeof (T)): the address n elements after v, which are of another size
 * than T. */
static struct node *counted_in_bytes(struct sema *s, struct node *n, const struct type *out)
{
	struct node *sum = n->a, *by = node_new(s->parse, N_BINARY, n->loc), *view;

	if (sum->kind != N_BINARY || sum->op != OP_ADD || !type_is_int(sum->type))
		return NULL;
	view = view_in(sum->a, out);
	by->a = view ? sum->b : sum->a;
	if (!view)
		view = view_in(sum->b, out);
	if (!view)
		return NULL;
	by->op = OP_DIV;
	by->b = sema_int(s, n, type_size(s->types, out), type_int(s->types, 8, true));
	by->a = sema_convert(s, by->a, type_int(s->types, 8, true));
	return xlate_advance(s, n, view, sema_expr(s, by));
}

/* Whether the library translates to such a struct, and from an int alone, which numbers something:
 * a cpuinfo_t is made of the number of a CPU, and no address is the address of one. A struct
 * timespec, made of nanoseconds, also lies in the memory of programs. */
static bool made_of_index(struct sema *s, const struct type *out)
{
	const struct type *index = type_int(s->types, 4, true);
	bool any = false;

	for (int i = 0; i < s->syms->xlators.n; i++) {
		struct xlator *x = s->syms->xlators.v[i];

		if (!x->of_library || !type_same(out_type(s, x), out))
			continue;
		if (!type_same(in_type(s, x), index))
			return false;
		any = true;
	}
	return any;
}

/* The library's translators to such a struct, if it lies nowhere in memory; of those that take a
 * value like this, or the one that may. */
static struct xlator *maker(struct sema *s, const struct type *out, const struct type *in,
			    int *makers)
{
	bool vague =
	    type_is_int(in) || (type_base(in)->kind == T_PTR && type_is_void(type_base(in)->ref));
	struct xlator *best = NULL;

	ask_library(s, out);
	*makers = 0;
	for (int i = 0; i < s->syms->xlators.n; i++) {
		struct xlator *x = s->syms->xlators.v[i];

		if (!x->of_library || !type_same(out_type(s, x), out) ||
		    type_base(in_type(s, x))->kind != T_PTR)
			continue;
		++*makers;
		if (vague || type_same(in_type(s, x), in))
			best = x;
	}
	return vague && *makers > 1 ? NULL : best;
}

struct node *xlate_cast(struct sema *s, struct node *n, const struct type *to)
{
	const struct type *out = type_base(to)->ref, *in = type_native(n->a->type);
	struct node *moved;
	struct xlator *x;
	int makers;

	if (type_base(to)->kind != T_PTR || !type_is_sou(out) || !type_is_of_d(s->types, out))
		return NULL;
	if (type_is_view(n->a->type) && type_same(type_base(n->a->type)->ref, out))
		return NULL;
	moved = counted_in_bytes(s, n, out);
	if (moved)
		return moved;
	x = maker(s, out, in, &makers);
	if (!makers && (n->a->kind == N_INT || !made_of_index(s, out)))
		return NULL;
	if (!makers)
		sema_die(s, D_XLATE_NONE, n,
			 "cannot cast \"%s\" to \"%s\", which no structure in memory has: it is "
			 "translated from a number, as in xlate <%s>(0)",
			 sema_type_text(s, n->a->type), sema_type_text(s, to),
			 sema_type_text(s, out));
	if (!x)
		sema_die(s, D_XLATE_NONE, n,
			 "cannot cast \"%s\" to \"%s\", which no structure in memory has: %s",
			 sema_type_text(s, n->a->type), sema_type_text(s, to),
			 makers > 1 ? "cast to the kernel's own structure and use xlate"
				    : "there is no translator from it");
	if (n->a->kind == N_INT)
		return sema_int(s, n, n->a->value, type_view(s->types, to, x->in));
	return cast_node(s, cast_node(s, n->a, x->in, n->loc), type_view(s->types, to, x->in),
			 n->loc);
}

/* As a whole -------------------------------------------------------------- */

struct node *sema_hidden(struct sema *s, const struct node *n)
{
	const char *name = arena_printf(s->arena, "xlate %d", s->syms->all.n);
	struct sym *sym = sym_add(s, SYM_VAR, SCOPE_THIS, name, n->loc);
	struct node *ident = node_new(s->parse, N_IDENT, n->loc);

	sym->type = n->type;
	sym->declared = sym->assigned = true;
	ident->name = sym->name;
	ident->scope = SCOPE_THIS;
	ident->sym = sym;
	ident->type = n->type;
	return ident;
}

/* space.m = what the translator says. */
static struct node *assign_member(struct sema *s, struct node *n, struct node *space,
				  const char *name)
{
	struct node *as = node_new(s->parse, N_ASSIGN, n->loc);

	as->b = xlate_whole(s, xlate_member(s, member_node(s, n, name)));
	if (type_is_view(as->b->type))
		sema_die(s, D_XLATE_DYNAMIC, n,
			 "member %s of \"%s\" is itself translated: use its members one by one",
			 name, sema_type_text(s, n->type));
	as->a = sema_expr(s, member_node(s, space, name));
	as->type = as->a->type;
	if (type_base(as->type)->kind == T_ARRAY && type_is_charptr(as->type) &&
	    type_base(as->b->type)->kind != T_ARRAY)
		as->b = sema_convert(s, as->b, type_string(s->types));
	as->flags = NF_VOID_CONTEXT;
	sema_site(s, as);
	return as;
}

struct node *xlate_whole(struct sema *s, struct node *n)
{
	const struct xlator *x = n->ref;
	struct node *to, *whole;

	if (n->kind != N_XLATE)
		return n;
	if (!type_size(s->types, type_complete(s->types, n->type)))
		sema_die(s, D_XLATE_SOU, n, "\"%s\" has no size", sema_type_text(s, n->type));
	whole = to = sema_hidden(s, n);
	for (struct node *m = x->node->list; m; m = m->next) {
		struct node *comma = node_new(s->parse, N_COMMA, n->loc);

		comma->a = assign_member(s, n, to, m->name);
		comma->b = whole;
		comma->type = n->type;
		whole = comma;
	}
	return whole;
}

/* As user text has them, all ---------------------------------------------- */

struct member_of {
	struct xlator *x;
	struct node *m;
};

static void check_member(struct sema *s, void *arg)
{
	struct member_of *of = arg;
	struct node in = {.loc = of->m->loc, .type = (struct type *)of->x->in},
		    *whole = node_new(s->parse, N_XLATE, of->m->loc);

	whole->a = sema_hidden(s, &in);
	whole->ref = of->x;
	whole->type = (struct type *)of->x->out;
	xlate_member(s, member_node(s, whole, of->m->name));
}

static void check_in_library(struct sema *s, void *arg)
{
	const int *i = arg;

	check_declared(s, s->syms->xlators.v[*i], *i);
}

void xlators_check(struct sema *s, void (*report)(void *arg, const struct failure *why), void *arg)
{
	struct failure why;

	for (int i = 0; i < s->syms->xlators.n; i++) {
		struct xlator *x = s->syms->xlators.v[i];

		if (x->own && x->of_library && !sema_attempt(s, check_in_library, &i, &why)) {
			report(arg, &why);
			continue;
		}
		for (struct node *m = x->own ? x->node->list : NULL; m; m = m->next)
			if (!sema_check(s, check_member, &(struct member_of){x, m}, &why))
				report(arg, &why);
	}
}
