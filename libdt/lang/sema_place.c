/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Places: elements and members, where they are, and what C asks of them and of types (sizeof,
 * offsetof). */
#include <string.h>

#include "libdt/lang/sema_parts.h"
#include "libdt/lang/words.h"

unsigned sema_space(const struct node *n)
{
	bool through =
	    (n->kind == N_MEMBER && n->op == OP_ARROW) ||
	    (n->kind == N_UNARY && n->op == OP_DEREF) ||
	    (n->kind == N_INDEX && !n->sym && !n->ref && type_base(n->a->type)->kind != T_ARRAY);

	if (through)
		return type_space(n->a->type);
	if (n->kind == N_MEMBER || (n->kind == N_INDEX && !n->sym && !n->ref))
		return sema_space(n->a);
	return 0;
}

void sema_inherit_space(struct sema *s, struct node *n)
{
	if (type_base(n->type)->kind == T_PTR && !type_space(n->type))
		n->type = (struct type *)type_in_space(s->types, n->type, sema_space(n));
}

/* What a pointer may point to from here on: the variable is in memory, and stores through
 * pointers look for it there. */
void sema_addressed(struct sema *s, struct node *n)
{
	/* args has no type of its own: args[n] is no element of it. */
	while (
	    (n->kind == N_MEMBER && n->op == OP_DOT) ||
	    (n->kind == N_INDEX && !n->sym && n->a->type && type_base(n->a->type)->kind == T_ARRAY))
		n = n->a;
	if (n->kind == N_IDENT && n->sym) {
		sema_save_sym(s, n->sym);
		n->sym->addressed = true;
		s->syms->storage.addressed[n->sym->scope] = true;
	}
}

/* A pointer value for an array expression: what arrays turn into in expressions. */
struct node *sema_decay(struct sema *s, struct node *n)
{
	const struct type *t = type_base(n->type);
	struct node *p;

	if (t->kind != T_ARRAY)
		return n;
	p = node_new(s->parse, N_UNARY, n->loc);
	p->op = OP_ADDR;
	p->a = n;
	sema_addressed(s, n);
	p->type = (struct type *)type_ptr(s->types, t->ref);
	p->type = (struct type *)type_in_space(s->types, p->type, sema_space(n));
	return p;
}

/* A string in memory that lasts only as long as the statement: what is made of it has the text,
 * not its address. */
static struct node *passing_text(struct node *n)
{
	if (type_is_string(n->type))
		return n->kind == N_STR || n->kind == N_INT ? NULL : n;
	if (n->kind != N_CAST || !type_is_charptr(n->type) || !type_is_string(n->a->type))
		return NULL;
	return n->a->kind == N_IDENT && n->a->sym ? NULL : n->a;
}

/* The same further on or back in the text: "x + strlen(x) - 2" are its last two characters. */
static struct node *move_start(struct sema *s, struct node *call, struct node *n, struct node *by)
{
	struct node *sum = node_new(s->parse, N_BINARY, n->loc);

	sum->op = n->op;
	sum->a = call->list->next;
	sum->b = by;
	by->next = NULL;
	call->list->next = sema_convert(s, sema_arith(s, sum), type_int(s->types, 4, true));
	call->loc = n->loc;
	return call;
}

struct node *sema_text_from(struct sema *s, struct node *n)
{
	struct node *text = passing_text(n->a), *by = n->b, *call;

	if (!text && n->op == OP_ADD) {
		text = passing_text(n->b);
		by = n->a;
	}
	if ((n->op != OP_ADD && n->op != OP_SUB) || !text || !type_is_int(by->type))
		return NULL;
	if (text->flags & NF_FROM)
		return move_start(s, text, n, by);
	if (n->op == OP_SUB) /* where nothing is */
		return NULL;
	call = node_new(s->parse, N_CALL, n->loc);
	call->name = "substr";
	call->ref = def_find(s->builtins, call->name);
	call->list = text;
	text->next = sema_convert(s, by, type_int(s->types, 4, true));
	text->next->next = NULL;
	call->type = (struct type *)type_string(s->types);
	call->flags |= NF_FROM;
	sema_site(s, call);
	return call;
}

/*
 * An array that ends its struct may be longer than declared: C programs declared such arrays with
 * one element, or as many as are usual, before there was a way to say that their length is open.
 */
static bool is_trailing(struct sema *s, const struct node *n)
{
	const struct type *of;
	uint64_t end;

	if (n->kind != N_MEMBER)
		return false;
	of = type_base(n->a->type);
	if (n->op == OP_ARROW)
		of = type_base(of->ref);
	of = type_base(type_complete(s->types, of));
	end = n->aux + type_size(s->types, n->type);
	for (int i = 0; i < of->nmembers; i++)
		if (of->members[i].bit_off / 8 >= end)
			return false;
	return true;
}

/* The array that a text is read from, of which pr_name and the like are made, or NULL. */
static const struct node *array_of_text(const struct node *n)
{
	if (n->kind != N_STRINGOF || n->a->kind != N_UNARY || n->a->op != OP_ADDR)
		return NULL;
	return type_base(n->a->a->type)->kind == T_ARRAY ? n->a->a : NULL;
}

static void check_bounds(struct sema *s, const struct node *n, const struct node *array)
{
	const struct type *t = type_base(array->type);

	if (t->nelem && sema_is_const(n->b) && (uint64_t)n->b->value >= t->nelem &&
	    !is_trailing(s, array))
		sema_die(s, D_ARR_BOUNDS, n, "index outside array bounds: %lld, array size is %llu",
			 (long long)n->b->value, (unsigned long long)t->nelem);
}

static struct node *index_element(struct sema *s, struct node *n)
{
	const struct node *array;
	const struct type *t = type_base(n->a->type);

	if (!n->list || n->list->next)
		sema_die(s, D_ARR_BADREF, n, "subscript of %s takes one index",
			 sema_type_text(s, n->a->type));
	n->b = sema_decay(s, sema_expr(s, n->list));
	n->list = NULL;
	if (!type_is_int(n->b->type))
		sema_die(s, D_ARR_BADREF, n->b, "index of an array must be an integer");
	n->b = sema_convert(s, n->b, type_int(s->types, 8, true));
	if (type_is_view(n->a->type))
		return xlate_element(s, n);
	if (type_is_string(t)) {
		array = array_of_text(n->a);
		if (array)
			check_bounds(s, n, array);
		n->type = (struct type *)type_find(s->types, "D", "char");
		return n;
	}
	if (type_is_void(t->ref) || type_base(t->ref)->kind == T_FUNC)
		sema_die(s, D_DEREF_VOID, n, "cannot take elements of %s",
			 sema_type_text(s, n->a->type));
	type_complete(s->types, t->ref);
	if (t->kind == T_ARRAY)
		check_bounds(s, n, n->a);
	n->type = (struct type *)t->ref;
	sema_inherit_space(s, n);
	sema_site(s, n);
	return n;
}

struct node *sema_index(struct sema *s, struct node *n)
{
	struct node *base = n->a;
	const struct def *def;

	if (base->kind == N_IDENT && base->scope == SCOPE_KERNEL) {
		struct sym *sym = kernel_foreign(s, base);

		if (sym && sym->parms)
			return inline_expand(s, sym, n);
	} else if (base->kind == N_IDENT) {
		struct sym *sym;

		if (sema_is_unknown(s, base))
			sema_unknown(s, base);
		sym = sym_lookup(s, base->scope, base->name);

		if (sym && sym->kind == SYM_INLINE)
			return inline_expand(s, sym, n);
		if (sym && sym->kind == SYM_ASSOC)
			return assoc_use(s, n, sym);
		def = sym || base->scope != SCOPE_GLOBAL ? NULL : def_find(s->builtins, base->name);
		if (def && def->kind == DEF_VAR && def->flags & DEF_ARRAY) {
			n->ref = def;
			def->check(s, n);
			return n->flags & NF_REPLACED ? n->a : n;
		}
		if (!sym && !def && base->scope == SCOPE_GLOBAL &&
		    def_missing(s->builtins, base->name))
			sema_die(s, D_VAR_UNSUP, n, "%s[ ] %s", base->name,
				 def_missing(s->builtins, base->name)->why);
		if (!sym && !def)
			sema_die(s, base->scope == SCOPE_GLOBAL ? D_IDENT_UNDEF : D_VAR_UNDEF, n,
				 "%s%s[ ] has not yet been declared or assigned",
				 base->scope == SCOPE_SELF   ? "self->"
				 : base->scope == SCOPE_THIS ? "this->"
							     : "",
				 base->name);
	}
	n->a = sema_expr(s, base);
	if (!type_is_ptr(n->a->type) && !type_is_string(n->a->type))
		sema_die(s, D_ARR_BADREF, n, "cannot index %s: it is neither array nor pointer",
			 sema_type_text(s, n->a->type));
	return index_element(s, n);
}

/* "; did you mean struct task_struct?", for a struct or union that is only declared; or "". */
static const char *hint_tag(struct sema *s, const struct type *t)
{
	const struct type *base = type_base(t);
	const char *text = sema_type_text(s, base), *tag = strchr(text, ' '), *near;
	if (base->kind != T_FWD || s->trying || !tag)
		return "";
	near = type_similar(s->types, *text == 'u' ? T_UNION : T_STRUCT, ++tag);
	return near
		   ? arena_printf(s->arena, "; did you mean %.*s%s?", (int)(tag - text), text, near)
		   : "";
}

/* The name of a struct or union is known, but nothing of what is in it. */
static _Noreturn void unknown_struct(struct sema *s, const struct node *n, const struct type *t)
{
	const char *why = types_kernel_error(s->types);

	s->kernel_unavailable = why || t->module;
	sema_die(s, D_OP_INCOMPLETE, n,
		 "operator %s cannot be applied to a forward declaration: no %s definition is "
		 "available%s%s",
		 n->op == OP_ARROW ? "->" : ".", sema_type_text(s, t), why ? ": " : "",
		 why ? why : hint_tag(s, t));
}

_Noreturn void sema_no_member(struct sema *s, const struct node *n, const struct type *t)
{
	const char *near = s->trying ? NULL : type_member_similar(s->types, t, n->name);
	const char *theirs = type_base(t)->module ? words_member(n->name) : NULL;

	s->kernel_unavailable = type_base(t)->module;
	if (theirs)
		sema_die(s, D_TYPE_MEMBER, n, "%s is not a member of %s%s", n->name,
			 sema_type_text(s, t), words_hint(s->arena, theirs));
	sema_die(s, D_TYPE_MEMBER, n, "%s is not a member of %s%s%s%s", n->name,
		 sema_type_text(s, t), near ? "; did you mean " : "", near ? near : "",
		 near ? "?" : "");
}

bool sema_is_of_stack(const struct node *n)
{
	while (n->kind == N_INDEX && !n->sym && !n->ref)
		n = n->a;
	return n->kind == N_MEMBER && n->op == OP_DOT && n->a && n->a->type &&
	       type_base(n->a->type)->kind == T_STACK;
}

/* stack().depth and the like: the members that other systems show of a stack's value. */
static struct node *stack_member(struct sema *s, struct node *n)
{
	const struct type *t = type_base(n->a->type), *number = type_int(s->types, 4, false);
	bool user = t->flags & TF_USERLAND;
	const struct node *strsz = n->a->kind == N_CALL && n->a->list ? n->a->list->next : NULL;

	if (!strcmp(n->name, "is_user"))
		return sema_int(s, n, user, number);
	if (!strcmp(n->name, "strsz"))
		return sema_int(s, n,
				user && strsz && sema_is_const(strsz) ? (int64_t)strsz->value : 0,
				number);
	if (!strcmp(n->name, "pid") && !user)
		return sema_int(s, n, 0, number);
	n->type = (struct type *)number;
	if (!strcmp(n->name, "depth"))
		n->flags |= NF_DEPTH;
	else if (!strcmp(n->name, "addrs"))
		n->type = (struct type *)type_array(s->types, type_int(s->types, 8, false),
						    t->nelem - user);
	else if (strcmp(n->name, "pid"))
		sema_no_member(s, n, n->a->type);
	n->aux = !strcmp(n->name, "addrs") && user ? 8 : 0;
	return n;
}

/* The array of arguments, not a variable of the script. */
static bool is_args(struct sema *s, const struct node *n)
{
	return n->kind == N_IDENT && n->scope == SCOPE_GLOBAL && !strcmp(n->name, "args") &&
	       !sym_find(s, SCOPE_GLOBAL, "args");
}

struct node *sema_member(struct sema *s, struct node *n)
{
	const struct type *t;
	const struct member *m;
	struct node *theirs;
	uint64_t bit_off;

	if (is_args(s, n->a) && n->op == OP_ARROW)
		return def_find(s->builtins, "args")->member(s, n);
	if (is_args(s, n->a))
		sema_die(s, D_IDENT_BADREF, n, "args needs a subscript: args[0]%s",
			 words_hint(s->arena, arena_printf(s->arena, "args->%s", n->name)));
	n->a = sema_expr(s, n->a);
	t = type_base(n->a->type);
	if (n->a->kind == N_XLATE && n->op == OP_DOT)
		return xlate_member(s, n);
	if (t->kind == T_STACK && n->op == OP_DOT)
		return stack_member(s, n);
	if (n->op == OP_ARROW) {
		n->a = sema_decay(s, n->a);
		t = type_base(n->a->type);
		if (type_is_view(t))
			return xlate_member(s, n);
		if (t->kind != T_PTR)
			sema_die(s, D_OP_PTR, n, "operator -> must be applied to a pointer");
	}
	if (n->op == OP_ARROW)
		t = type_base(t->ref);
	t = type_base(type_complete(s->types, t));
	if (t->kind == T_FWD)
		unknown_struct(s, n, t);
	if (!type_is_sou(t))
		sema_die(s, D_OP_SOU, n,
			 "operator %s cannot be applied to a value of type \"%s\"; must be "
			 "%sstruct or union",
			 n->op == OP_ARROW ? "->" : ".", sema_type_text(s, n->a->type),
			 n->op == OP_ARROW ? "pointer to " : "");
	m = type_member(s->types, t, n->name, &bit_off);
	theirs = m ? NULL : xlate_foreign(s, n, t);
	if (theirs)
		return theirs;
	if (!m)
		sema_no_member(s, n, t);
	n->type = (struct type *)m->type;
	sema_inherit_space(s, n);
	n->aux = bit_off / 8;
	if (m->bits) {
		uint64_t size = type_size(s->types, m->type), unit = bit_off / (size * 8) * size;

		n->flags |= NF_BITFIELD;
		/* else it begins in the byte at hand, in a packed struct */
		if (bit_off - unit * 8 + m->bits <= size * 8)
			n->aux = unit;
		n->aux2 = (bit_off - n->aux * 8) | (int64_t)m->bits << 32;
	}
	if (n->op == OP_ARROW || sema_is_kernel(n))
		sema_site(s, n);
	return n;
}

struct node *sema_sizeof(struct sema *s, struct node *n)
{
	const struct type *t;

	if (n->decl) {
		t = type_of_decl(&s->decl_env, n->decl);
	} else {
		n->a = sema_expr(s, n->a);
		if (n->a->flags & NF_BITFIELD)
			sema_die(s, D_SIZEOF_BITFIELD, n, "cannot apply sizeof to a bit-field");
		t = sema_is_null(n->a) ? type_int(s->types, 4, true) : n->a->type;
	}
	t = type_complete(s->types, type_narrow(t));
	vec_push(&s->syms->measured, t);
	if (type_is_string(t)) {
		bool literal = !n->decl && n->a->kind == N_STR;

		return sema_int(s, n, literal ? n->a->len + 1 : s->strsize,
				type_int(s->types, 8, false));
	}
	if (!type_size(s->types, t))
		sema_die(s, D_SIZEOF_TYPE, n, "cannot apply sizeof to type %s%s",
			 sema_type_text(s, t), hint_tag(s, t));
	return sema_int(s, n, type_size(s->types, t), type_int(s->types, 8, false));
}

static uint64_t offset_path(struct sema *s, struct node *n, const struct type **t)
{
	uint64_t off, bits;
	const struct member *m;

	if (!n)
		return 0;
	if (n->kind == N_INDEX) {
		off = offset_path(s, n->a, t);
		if (type_base(*t)->kind != T_ARRAY)
			sema_die(s, D_OFFSETOF_TYPE, n, "offsetof: not an array");
		*t = type_base(*t)->ref;
		return off + type_size(s->types, *t) *
				 sema_const(s, n->list, D_OFFSETOF_TYPE, "index in offsetof");
	}
	off = offset_path(s, n->a, t);
	*t = type_base(type_complete(s->types, *t));
	if (!type_is_sou(*t) || (*t)->kind == T_FWD)
		sema_die(s, D_OFFSETOF_TYPE, n, "offsetof: %s is not a struct or union%s",
			 sema_type_text(s, *t), type_is_sou(*t) ? " whose members are known" : "");
	m = type_member(s->types, *t, n->name, &bits);
	if (!m)
		sema_die(s, D_UNKNOWN, n, "failed to determine offset of %s: %s has no such member",
			 n->name, sema_type_text(s, *t));
	if (m->bits)
		sema_die(s, D_OFFSETOF_BITFIELD, n, "cannot take the offset of a bit-field: %s",
			 n->name);
	*t = m->type;
	return off + bits / 8;
}

/* The structure that has what the pointer points to so far from its beginning: it is in the same
 * memory. */
static struct node *container_of(struct sema *s, struct node *n, uint64_t off)
{
	const struct type *to = type_ptr(s->types, type_of_decl(&s->decl_env, n->decl));
	struct node *p = sema_decay(s, sema_expr(s, n->b)), *sub;

	if (!type_is_ptr(p->type) || type_is_view(p->type))
		sema_die(s, D_OP_PTR, n, "container_of( ) must be applied to a pointer");
	sub = node_new(s->parse, N_BINARY, n->loc);
	sub->op = OP_SUB;
	sub->a = sema_convert(s, p, type_ptr(s->types, type_int(s->types, 1, true)));
	sub->b = sema_int(s, n, off, type_int(s->types, 8, false));
	return sema_convert(s, sema_expr(s, sub), to);
}

struct node *sema_offsetof(struct sema *s, struct node *n)
{
	const struct type *t = type_of_decl(&s->decl_env, n->decl);
	uint64_t off;

	vec_push(&s->syms->measured, t);
	if (!n->a) { /* a plain member name */
		n->a = node_new(s->parse, N_MEMBER, n->loc);
		n->a->name = n->name;
	}
	off = offset_path(s, n->a, &t);
	return n->b ? container_of(s, n, off) : sema_int(s, n, off, type_int(s->types, 8, false));
}
