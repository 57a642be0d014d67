/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Specifiers and declarators. "const unsigned long" is joined from words into one N_SPEC, which
 * checks that the words go together; "*(*x)[3]" becomes a list of modifiers that reads from the
 * name outwards.
 */
#include <string.h>

#include "grammar/parse.h"

static void set_integer_word(struct node *n, int token)
{
	n->has_int = token == W_INT;
	n->has_short = token == W_SHORT;
	n->has_signed = token == W_SIGNED;
	n->has_unsigned = token == W_UNSIGNED;
	n->longs = token == W_LONG;
}

static const struct {
	int token;
	enum spec_base base;
	enum storage storage;
	enum qual qual;
} words[] = {
    {W_VOID, SPEC_VOID, 0, 0},
    {W_CHAR, SPEC_CHAR, 0, 0},
    {W_INT128, SPEC_INT128, 0, 0},
    {W_FLOAT, SPEC_FLOAT, 0, 0},
    {W_DOUBLE, SPEC_DOUBLE, 0, 0},
    {W_BOOL, SPEC_BOOL, 0, 0},
    {W_STRING, SPEC_STRING, 0, 0},
    {TYPE, SPEC_NAME, 0, 0},
    {W_CONST, 0, 0, QUAL_CONST},
    {W_VOLATILE, 0, 0, QUAL_VOLATILE},
    {W_RESTRICT, 0, 0, QUAL_RESTRICT},
    {W_USERLAND, 0, 0, QUAL_USERLAND},
    {W_AUTO, 0, STORAGE_AUTO, 0},
    {W_EXTERN, 0, STORAGE_EXTERN, 0},
    {W_REGISTER, 0, STORAGE_REGISTER, 0},
    {W_STATIC, 0, STORAGE_STATIC, 0},
    {W_TYPEDEF, 0, STORAGE_TYPEDEF, 0},
    {W_SELF, 0, STORAGE_SELF, 0},
    {W_THIS, 0, STORAGE_THIS, 0},
};

/* One word of a declaration, to be joined with the others. */
struct node *spec_word(struct parse *p, struct loc loc, const struct token *tok)
{
	struct node *n = node_new(p, N_SPEC, loc);

	set_integer_word(n, tok->kind);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (words[i].token != tok->kind)
			continue;
		n->spec = words[i].base;
		n->storage = words[i].storage;
		n->quals = words[i].qual;
	}
	if (tok->kind == TYPE) {
		n->name = tok->name;
		n->module = tok->module;
	}
	return node_done(p, n);
}

/* The alignment that suits every type, as the compilers of these machines have it. */
enum { ALIGN_MOST = 16 };

struct node *spec_attribute(struct parse *p, struct loc loc, const struct token *tok,
			    struct node *align)
{
	struct node *n = node_new(p, N_SPEC, loc);

	n->quals = tok->kind == W_PACKED ? QUAL_PACKED : 0;
	if (tok->kind == W_ALIGNED_MOST) {
		align = node_new(p, N_INT, loc);
		align->value = ALIGN_MOST;
	}
	n->list2 = align;
	return node_done(p, n);
}

/* Adds what an attribute says to the specifier or declarator whose list of alignments is given. */
static void add_attribute(struct node *to, const struct node *attribute)
{
	struct node **end = &to->list2;

	while (*end)
		end = &(*end)->next;
	*end = attribute->list2;
	to->quals |= attribute->quals & QUAL_PACKED;
}

/* To the type of a body: of several alignments the last counts, as in gcc. */
static void add_to_body(struct node *spec, const struct node *attributes)
{
	if (attributes->quals & QUAL_PACKED)
		spec->quals |= QUAL_PACKED_BODY;
	for (struct node *align = attributes->list2; align; align = align->next)
		spec->a = align;
}

/* struct, union or enum; tag and body may be NULL. */
struct node *spec_tagged(struct parse *p, struct loc loc, const struct token *keyword,
			 const struct token *tag, const struct node_list *body)
{
	struct node *n = node_new(p, N_SPEC, loc);

	if (body && (keyword->module || (tag && tag->module)))
		diag_die(p->diag, D_DECL_SCOPE, loc,
			 "a type that is declared cannot have a module: %s`%s",
			 keyword->module ? keyword->module : tag->module, tag ? tag->name : "");
	n->spec = keyword->kind == W_STRUCT  ? SPEC_STRUCT
		  : keyword->kind == W_UNION ? SPEC_UNION
					     : SPEC_ENUM;
	n->module = keyword->module;
	if (tag) {
		n->name = tag->name;
		n->module = tag->module ? tag->module : keyword->module;
	}
	if (body) {
		n->has_body = true;
		n->list = body->head;
		n->value = p->lexer->pack;
		if (keyword->attributes)
			add_to_body(n, keyword->attributes);
	}
	return node_done(p, n);
}

static bool has_base(const struct node *n)
{
	return n->has_int || n->spec != SPEC_INT;
}

/* Adds what more says to spec. */
struct node *spec_join(struct parse *p, struct node *spec, struct node *more, struct loc loc)
{
	if (spec->storage && more->storage)
		diag_die(p->diag, D_DECL_CLASS, loc,
			 "only one storage class is allowed in a declaration");
	if (has_base(spec) && has_base(more))
		diag_die(p->diag, D_DECL_COMBO, loc, "invalid type combination");
	if (has_base(more)) {
		spec->spec = more->spec;
		spec->has_int = more->has_int;
		spec->name = more->name;
		spec->module = more->module;
		spec->has_body = more->has_body;
		spec->value = more->value;
		spec->a = more->a;
		spec->list = more->list;
	}
	if (more->storage)
		spec->storage = more->storage;
	if (spec->has_body && !more->has_body) /* after the body's brace */
		add_to_body(spec, more);
	else
		add_attribute(spec, more);
	spec->quals |= more->quals & ~QUAL_PACKED;
	spec->has_signed |= more->has_signed;
	spec->has_unsigned |= more->has_unsigned;
	spec->has_short |= more->has_short;
	spec->longs += more->longs;
	spec->loc = loc_span(spec->loc, loc);
	if (spec->has_short && spec->longs)
		diag_die(p->diag, D_UNKNOWN, loc,
			 "failed to resolve type short long: a type "
			 "cannot be both short and long");
	if (spec->longs > 2)
		diag_die(p->diag, D_DECL_LONG2, loc, "too many attributes \"long\" in a type");
	if (spec->has_signed && spec->has_unsigned)
		diag_die(p->diag, D_DECL_SIGN, loc, "a type cannot be both signed and unsigned");
	return node_done(p, spec);
}

/* Once all words are there: do the attributes suit the type? */
static void check_spec(struct parse *p, const struct node *spec)
{
	bool sign = spec->has_signed || spec->has_unsigned, length = spec->has_short || spec->longs;

	if (spec->spec == SPEC_INT || (!sign && !length))
		return;
	if (spec->spec == SPEC_VOID)
		diag_die(p->diag, D_DECL_VOIDATTR, spec->loc, "invalid attributes for void type");
	if (spec->spec == SPEC_CHAR && length)
		diag_die(p->diag, D_DECL_CHARATTR, spec->loc, "invalid attributes for char type");
	if (spec->spec == SPEC_CHAR || (spec->spec == SPEC_INT128 && !length) ||
	    (spec->spec == SPEC_DOUBLE && spec->longs == 1 && !sign))
		return;
	if (length)
		diag_die(p->diag, D_DECL_LONGINT, spec->loc,
			 "attributes \"long\" and \"short\" go with an integer or floating-point "
			 "type only");
	diag_die(p->diag, D_DECL_SIGNINT, spec->loc,
		 "attributes \"signed\" and \"unsigned\" go with an integer type only");
}

static struct node *new_decl(struct parse *p, struct loc loc, struct node *spec, struct node *list)
{
	struct node *n = node_new(p, N_DECL, loc);

	check_spec(p, spec);
	n->base = spec;
	n->list = list;
	for (; list; list = list->next) {
		list->base = spec;
		node_done(p, list);
	}
	return node_done(p, n);
}

/* A declaration; from here on its typedefs are types, and its variables are none. */
struct node *decl_new(struct parse *p, struct loc loc, struct node *spec, struct node *list)
{
	struct node *n = new_decl(p, loc, spec, list);

	if (!list && spec->spec != SPEC_STRUCT && spec->spec != SPEC_UNION &&
	    spec->spec != SPEC_ENUM)
		diag_die(p->diag, D_DECL_USELESS, loc,
			 "useless declaration: it declares neither a name nor a type");
	if (spec->storage != STORAGE_SELF && spec->storage != STORAGE_THIS)
		for (; list; list = list->next)
			if (list->name)
				look_declared(p, list->name, spec->storage == STORAGE_TYPEDEF);
	return n;
}

struct node *decl_member(struct parse *p, struct loc loc, struct node *spec, struct node *list)
{
	if (spec->storage)
		diag_die(p->diag, D_DECL_CLASS, spec->loc, "a member cannot have a storage class");
	return new_decl(p, loc, spec, list);
}

/* A declarator that stands alone: of a type name, a parameter, an inline. */
struct node *decl_declarator(struct parse *p, struct loc loc, struct node *spec,
			     struct node *decltor)
{
	check_spec(p, spec);
	if (!decltor)
		decltor = node_new(p, N_DECLTOR, loc);
	if (!decltor->name)
		decltor->loc = loc;
	decltor->base = spec;
	return node_done(p, decltor);
}

struct node *decl_param(struct parse *p, struct loc loc, struct node *spec, struct node *decltor)
{
	if (spec->storage)
		diag_die(p->diag, D_DECL_PARMCLASS, spec->loc,
			 "inappropriate storage class for a parameter or a key");
	return decl_declarator(p, loc, spec, decltor);
}

static struct node *modify(struct parse *p, struct loc loc, struct node *decltor, struct node *mod)
{
	struct node **at;
	int n = 0;

	if (!decltor)
		decltor = node_new(p, N_DECLTOR, loc);
	for (at = &decltor->list; *at; at = &(*at)->next)
		if (++n >= MODIFIERS_MAX)
			parse_too_deep(p, loc);
	*at = mod;
	node_done(p, mod);
	return node_done(p, decltor);
}

static struct node *new_mod(struct parse *p, struct loc loc, enum op op)
{
	struct node *mod = node_new(p, N_MOD, loc);

	mod->op = op;
	return mod;
}

/* A name of the kernel's stands where one of the program's is declared. */
_Noreturn struct node *decl_scoped(struct parse *p, const struct node *kernel)
{
	diag_die(p->diag, D_DECL_SCOPE, kernel->loc,
		 "a name that is declared cannot have a module: %s`%s",
		 kernel->module ? kernel->module : "", kernel->name);
}

struct node *decl_attribute(struct parse *p, struct node *decltor, const struct node *attribute)
{
	add_attribute(decltor, attribute);
	return node_done(p, decltor);
}

struct node *decl_array(struct parse *p, struct loc loc, struct node *decltor, struct node *size)
{
	struct node *mod = new_mod(p, loc, MOD_ARRAY);

	mod->a = size;
	return modify(p, loc, decltor, mod);
}

struct node *decl_assoc(struct parse *p, struct loc loc, struct node *decltor, struct node *keys)
{
	struct node *mod = new_mod(p, loc, MOD_ASSOC);

	mod->list = keys;
	return modify(p, loc, decltor, mod);
}

struct node *decl_pointer(struct parse *p, struct loc loc, unsigned quals, struct node *decltor)
{
	struct node *mod = new_mod(p, loc, MOD_PTR);

	mod->quals = quals;
	return modify(p, loc, decltor, mod);
}

struct node *decl_function(struct parse *p, struct loc loc, struct node *decltor,
			   struct node *params, bool varargs)
{
	struct node *mod = new_mod(p, loc, MOD_FUNC);
	bool nothing = params && !params->next && !params->name && !params->list && !varargs &&
		       params->base->spec == SPEC_VOID;

	mod->list = nothing ? NULL : params;
	mod->varargs = varargs;
	return modify(p, loc, decltor, mod);
}
