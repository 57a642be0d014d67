/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names, calls and statements. Operators are in sema_op.c and sema_assign.c, members and elements
 * in sema_place.c, variables and tuples in sym.c. */
#include "libdt/lang/sema.h"

#include <limits.h>
#include <string.h>

#include "libdt/lang/words.h"
#include "libdt/lang/lib.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/symbols/ksym.h"
#include "libdt/symbols/usym.h"

#define MAX_DEPTH 1000

void sema_die(struct sema *s, enum tag tag, const struct node *n, const char *fmt, ...)
{
	struct strbuf sb = {0};
	va_list ap;
	char *text;

	va_start(ap, fmt);
	sb_vprintf(&sb, fmt, ap);
	va_end(ap);
	text = arena_strdup(s->arena, sb_str(&sb));
	sb_free(&sb);
	diag_die(s->diag, tag, n ? n->loc : (struct loc){0}, "%s", text);
}

/* In output, which type_text() serves, stacks are stacks, and addresses that have names are those
 * names. */
const char *sema_type_text(struct sema *s, const struct type *t)
{
	static const char *const names[] = {[SYM_NAME] = "sym",
					    [SYM_FUNC] = "sym",
					    [SYM_MOD] = "mod",
					    [SYM_CGROUP] = "cgroup_path",
					    [SYM_CONTAINER] = "container"};
	static const char *const unames[] = {
	    [USYM_NAME] = "uaddr", [USYM_FUNC] = "usym", [USYM_MOD] = "umod"};
	const struct type *base = t ? type_base(t) : NULL;

	if (!t)
		return "void";
	switch (base->kind) {
	case T_STACK:
		return base->flags & TF_USERLAND ? "ustack" : "stack";
	case T_SYMADDR:
		return names[base->nelem];
	case T_USYMADDR:
		return unames[base->nelem];
	default:
		return type_text(s->types, t);
	}
}

struct node *sema_int(struct sema *s, const struct node *at, int64_t value, const struct type *type)
{
	struct node *n = node_new(s->parse, N_INT, at->loc);

	n->value = value;
	n->type = (struct type *)type;
	return n;
}

bool sema_is_const(const struct node *n)
{
	return n->kind == N_INT;
}

struct node *call_arg(struct node *call, int n)
{
	struct node *a = call->list;

	while (a && n--)
		a = a->next;
	return a;
}

/* The type of an integer constant, as in C. */
static const struct type *literal_type(struct sema *s, const struct node *n)
{
	bool is_unsigned =
	    n->suffix == SUFFIX_U || n->suffix == SUFFIX_UL || n->suffix == SUFFIX_ULL;
	bool is_long = n->suffix > SUFFIX_U;

	if (n->is_float)
		sema_float_refuse(s, n);
	if (n->is_char)
		return type_int(s->types, n->value > INT_MAX && (int64_t)n->value >= 0 ? 8 : 4,
				true);
	if (!is_long && !is_unsigned && n->value <= INT_MAX)
		return type_int(s->types, 4, true);
	if (!is_long && n->value <= UINT_MAX && (is_unsigned || !n->decimal))
		return type_int(s->types, 4, false);
	if (!is_unsigned && (int64_t)n->value >= 0)
		return type_int(s->types, 8, true);
	if (n->is_macro) /* a negative argument */
		return type_int(s->types, (int64_t)n->value >= INT_MIN ? 4 : 8, true);
	return type_int(s->types, 8, false);
}

static struct node *expr_int(struct sema *s, struct node *n)
{
	if (!n->type)
		n->type = (struct type *)literal_type(s, n);
	return n;
}

/* It is a pointer where one is wanted, and an int where any value is: sizeof, printf( ). */
static struct node *null_constant(struct sema *s, const struct node *n)
{
	struct node *null = sema_int(s, n, 0, type_ptr(s->types, type_void(s->types)));

	null->name = n->name;
	return null;
}

bool sema_is_null(const struct node *n)
{
	return n->kind == N_INT && n->name && type_is_ptr(n->type);
}

static const char *kind_text(const struct def *def)
{
	return def->kind == DEF_ACT   ? "tracing function"
	       : def->kind == DEF_AGG ? "aggregating function"
				      : "function";
}

static struct node *expr_ident(struct sema *s, struct node *n)
{
	const struct def *def;
	struct sym *sym;
	const struct type *type;
	int64_t value;

	if (n->scope == SCOPE_KERNEL)
		return kernel_symbol(s, n, false);
	if (sema_is_unknown(s, n))
		sema_unknown(s, n);
	sym = sym_lookup(s, n->scope, n->name);
	if (sym && sym->kind == SYM_INLINE)
		return inline_expand(s, sym, n);
	if (sym)
		return sym_use(s, n, sym);
	if (n->scope == SCOPE_SELF || n->scope == SCOPE_THIS)
		sema_die(s, D_VAR_UNDEF, n, "%s->%s has not yet been declared or assigned",
			 n->scope == SCOPE_SELF ? "self" : "this", n->name);
	if (!strcmp(n->name, "NULL"))
		return null_constant(s, n);
	def = def_find(s->builtins, n->name);
	if (def && def->kind == DEF_VAR) {
		n->ref = def;
		if (def->flags & DEF_TIME && s->clause)
			s->clause->shows_time = true;
		if (def->flags & DEF_CLOCK && s->clause)
			s->clause->reads_clock = true;
		if (def->flags & DEF_PRIVATE)
			attr_use(s, n, (struct attr){STAB_STABLE, STAB_PRIVATE, CLASS_COMMON},
				 "scalar", def->name);
		if (def->proto)
			n->type = (struct type *)def_type(s, def);
		if (def->check)
			def->check(s, n);
		return n->flags & NF_REPLACED ? n->a : n;
	}
	if (def)
		sema_die(s, D_IDENT_BADREF, n, "%s '%s' may not be referenced as scalar%s",
			 kind_text(def), n->name, words_hint(s->arena, words_variable(n->name)));
	if (type_enumerator(s->types, NULL, n->name, &value, &type))
		return sema_int(s, n, value, type);
	{
		const char *near, *theirs = words_variable(n->name);
		const struct def_missing *missing = def_missing(s->builtins, n->name);

		if (missing)
			sema_die(s, D_VAR_UNSUP, n, "%s %s", n->name, missing->why);
		if (theirs)
			sema_die(s, D_IDENT_UNDEF, n,
				 "failed to resolve %s: Unknown variable name%s", n->name,
				 words_hint(s->arena, theirs));
		if (words_unquoted(s->arena, n))
			sema_die(
			    s, D_IDENT_UNDEF, n,
			    "failed to resolve %s: Unknown variable name; a string is written %s",
			    n->name, words_unquoted(s->arena, n));
		if (n->loc.src && n->loc.src->text[n->loc.off] == '$')
			sema_die(s, D_IDENT_UNDEF, n,
				 "failed to resolve %s: Unknown variable name; as a string, the "
				 "argument is $%.*s",
				 n->name, (int)n->loc.len, n->loc.src->text + n->loc.off);
		near = hash_gets(&s->syms->aggs, n->name)
			   ? arena_printf(s->arena, "@%s", n->name)
			   : def_similar(s->builtins, n->name, false);
		if (!near)
			near = lib_similar(s, n->name);
		sema_die(s, D_IDENT_UNDEF, n, "failed to resolve %s: Unknown variable name%s%s%s",
			 n->name, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	}
}

static struct node *expr_agg(struct sema *s, struct node *n)
{
	sema_die(
	    s, D_AGG_SCALAR, n,
	    "aggregation %s may not be used as a value; D writes a value as a variable: \"%s\"",
	    sym_agg_name(s, n), words_value(s->arena, n));
}

static struct node *expr_stringof(struct sema *s, struct node *n)
{
	n->a = sema_decay(s, sema_expr(s, n->a));
	if (type_is_string(n->a->type))
		return n->a;
	if (!type_is_charptr(n->a->type) && !type_is_ptr(n->a->type) && !type_is_int(n->a->type))
		sema_die(s, D_STRINGOF_TYPE, n, "cannot apply stringof to a value of type %s",
			 sema_type_text(s, n->a->type));
	n->type = (struct type *)type_string(s->types);
	sema_site(s, n);
	return n;
}

/* The constant 0 is a null pointer, a NULL string, as in C: using it is a fault when the probe
 * fires. */
static bool null_for(const struct type *want, const struct node *arg)
{
	return arg->kind == N_INT && !arg->value && (type_is_ptr(want) || type_is_string(want));
}

void sema_printed(struct sema *s, struct node *list)
{
	static const char *const names[][2] = {{"pid", "dt_nspid"}, {"tid", "dt_nstid"}};

	for (; list && opt_on(s->opts, OPT_NSPID); list = list->next)
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			if (list->kind == N_IDENT && list->scope == SCOPE_GLOBAL &&
			    !strcmp(list->name, names[i][0]))
				list->name = names[i][1];
}

/* Checks the number and types of arguments against the prototype and converts them. */
static void call_prototype(struct sema *s, struct node *n, const struct type *proto)
{
	int given = node_count(n->list), least = 0;
	struct node **at = &n->list;

	for (int i = 0; i < proto->nparams; i++)
		least += !(proto->params[i]->flags & TF_OPTIONAL);
	if (given < least || (given > proto->nparams && !(proto->flags & TF_VARARGS))) {
		bool exact = least == proto->nparams && !(proto->flags & TF_VARARGS);

		sema_die(s, D_PROTO_LEN, n,
			 "%s( ) prototype mismatch: %d arg%s passed, %s%d expected%s", n->name,
			 given, given == 1 ? "" : "s",
			 exact		 ? ""
			 : given < least ? "at least "
					 : "at most ",
			 given < least ? least : proto->nparams,
			 words_hint(s->arena, words_call(s->arena, n)));
	}
	for (int i = 0; *at; at = &(*at)->next, i++) {
		struct node *next = (*at)->next, *arg = *at;
		const struct type *want = i < proto->nparams ? proto->params[i] : NULL;

		if (want && type_base(want)->kind == T_AGG) {
			if (arg->kind != N_AGG)
				sema_die(s, D_PROTO_ARG, arg,
					 "%s( ) argument #%d must be an aggregation", n->name,
					 i + 1);
			continue;
		}
		if (arg->kind == N_AGG && (!want || type_is_dyn(want))) {
			arg->type = (struct type *)type_special(s->types, T_AGG);
			continue; /* the check of the def says whether it likes that */
		}
		if (arg->kind == N_AGG)
			sema_die(s, D_PROTO_ARG, arg,
				 "%s( ) argument #%d is incompatible with prototype:\n\tprototype: "
				 "%s\n\t argument: aggregation %s",
				 n->name, i + 1, sema_type_text(s, want), sym_agg_name(s, arg));
		arg = xlate_whole(s, sema_expr(s, arg));
		if (!want || !type_is_dyn(want))
			arg = sema_decay(s, arg);
		if (sema_is_null(arg) && (!want || type_is_dyn(want) || type_is_int(want)))
			arg = sema_int(s, arg, 0, type_int(s->types, 4, true));
		if (want && !type_argument_ok(want, arg->type) && !null_for(want, arg))
			sema_die(s, D_PROTO_ARG, arg,
				 "%s( ) argument #%d is incompatible with prototype:\n\tprototype: "
				 "%s\n\t argument: %s",
				 n->name, i + 1, sema_type_text(s, want),
				 sema_type_text(s, arg->type));
		if (want && !type_is_dyn(want))
			arg = sema_convert_arg(s, arg, want);
		arg->next = next;
		*at = arg;
	}
}

static _Noreturn void unsupported(struct sema *s, struct node *n, const struct def_missing *m)
{
	const struct def action = {.name = n->name, .flags = DEF_DESTRUCTIVE};

	if (m->proto) {
		call_prototype(s, n, type_prototype(s->types, m->proto));
		spec_order_destructive(s, n, &action);
	}
	sema_die(s, D_UNSUPPORTED, n, "%s( ) %s", n->name, m->why);
}

static struct node *expr_call(struct sema *s, struct node *n)
{
	const struct def *def;
	const struct type *proto;
	struct sym *sym;

	if (!n->name)
		sema_die(s, D_FUNC_IDENT, n, "only functions named directly can be called");
	sym = sym_lookup(s, SCOPE_GLOBAL, n->name);
	if (sym && sym->kind == SYM_INLINE)
		return inline_expand(s, sym, n);
	def = def_find(s->builtins, n->name);
	if (!def || def->kind == DEF_VAR) {
		const char *near = def_similar(s->builtins, n->name, true);
		const char *theirs = words_function(s->arena, n);
		const struct def_missing *missing = def_missing(s->builtins, n->name);

		if (missing)
			unsupported(s, n, missing);
		if (def || sym)
			sema_die(s, D_FUNC_IDKIND, n, "%s is a variable, not a function", n->name);
		if (theirs)
			sema_die(s, D_FUNC_UNDEF, n, "undefined function name: %s%s", n->name,
				 words_hint(s->arena, theirs));
		sema_die(s, D_FUNC_UNDEF, n, "undefined function name: %s%s%s%s", n->name,
			 near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	}
	if (def->kind == DEF_AGG)
		sema_die(s, D_AGG_FUNC, n,
			 "%s( ) is an aggregating function: it must be assigned to an aggregation",
			 n->name);
	if (def->kind == DEF_ACT && !s->clause)
		sema_die(s, D_FUNC_BADCALL, n, "%s( ) may be called in clauses only", n->name);
	if (def->kind == DEF_ACT && s->in_pred)
		sema_die(s, D_FUNC_BADCALL, n, "%s( ) may not be called from a predicate", n->name);
	if (def->flags & DEF_DESTRUCTIVE && !s->destructive)
		s->destructive = def->name;
	n->ref = def;
	if (def->flags & DEF_UNTYPED) {
		def->check(s, n);
		return n->a;
	}
	proto = type_prototype(s->types, def->proto);
	n->type = (struct type *)proto->ref;
	if (def->flags & DEF_PRINTS) {
		sema_floats(s, &n->list);
		sema_printed(s, n->list);
	}
	call_prototype(s, n, proto);
	sema_site(s, n);
	spec_order_destructive(s, n, def);
	if (def->check)
		def->check(s, n);
	return n->flags & NF_REPLACED ? n->a : n;
}

struct node *sema_expr(struct sema *s, struct node *n)
{
	if (n->type && n->kind != N_INT)
		return n; /* typed already (shared by desugaring) */
	if (++s->expr_depth > MAX_DEPTH)
		sema_die(s, D_SYNTAX, n, "expression is nested too deeply");
	switch (n->kind) {
	case N_INT:
		n = expr_int(s, n);
		break;
	case N_STR:
		n->type = (struct type *)type_string(s->types);
		break;
	case N_IDENT:
		n = expr_ident(s, n);
		break;
	case N_AGG:
		n = expr_agg(s, n);
		break;
	case N_INDEX:
		n = sema_index(s, n);
		break;
	case N_CALL:
		n = expr_call(s, n);
		break;
	case N_MEMBER:
		n = sema_member(s, n);
		break;
	case N_UNARY:
		n = sema_unary(s, n);
		break;
	case N_BINARY:
		n = sema_binary(s, n);
		break;
	case N_ASSIGN:
		n = sema_assign(s, n);
		break;
	case N_COND:
		n = sema_cond(s, n);
		break;
	case N_COMMA:
		n->a = sema_effect(s, n->a);
		n->b = sema_expr(s, n->b);
		n->type = n->b->type;
		break;
	case N_CAST:
		n = sema_cast(s, n);
		break;
	case N_SIZEOF:
		n = sema_sizeof(s, n);
		break;
	case N_OFFSETOF:
		n = sema_offsetof(s, n);
		break;
	case N_STRINGOF:
		n = expr_stringof(s, n);
		break;
	case N_XLATE:
		n = xlate_expr(s, n);
		break;
	default:
		sema_die(s, D_SYNTAX, n, "not an expression");
	}
	s->expr_depth--;
	if (!n->type)
		n->type = (struct type *)type_void(s->types);
	return n;
}

int64_t sema_const(struct sema *s, struct node *n, enum tag tag, const char *what)
{
	n = sema_expr(s, n);
	if (!sema_is_const(n) || !type_is_int(n->type))
		sema_die(s, tag, n, "%s must be an integer constant", what);
	return n->value;
}

/* stack(), func() and similar functions print where they are statements, and as arms of a "?:" that
 * does. */
static void as_action(struct sema *s, struct node *n)
{
	const struct def *def = n->ref;

	if (n->kind == N_COND) {
		s->cond_depth++;
		as_action(s, n->b);
		as_action(s, n->c);
		s->cond_depth--;
		n->flags |= NF_VOID_CONTEXT;
	} else if (n->kind == N_COMMA) {
		as_action(s, n->b);
	} else if (n->kind == N_CALL && def && def->kind == DEF_SUB && def->print && s->clause &&
		   !(n->flags & NF_ACTION)) {
		n->flags |= NF_ACTION;
		act_record_expr(s, act_new(s, n, def), n);
	}
}

/* An expression whose value is unused: may be an action or an aggregation. */
struct node *sema_effect(struct sema *s, struct node *n)
{
	if (n->kind == N_INT && !n->type)
		n->type = (struct type *)literal_type(s, n);
	n = sema_expr(s, n);
	if (n->kind == N_XLATE)
		n = n->a;
	as_action(s, n);
	n->flags |= NF_VOID_CONTEXT;
	return n;
}

static void stmt_if(struct sema *s, struct node *n)
{
	struct order before, first;

	n->a = sema_condition(s, n->a);
	if (sema_is_const(n->a)) { /* the dead branch is not even looked at */
		struct node *live = n->a->value ? n->b : n->c;

		n->kind = N_BLOCK;
		n->list = live ? live->list : NULL;
		sema_statements(s, n->list);
		return;
	}
	s->cond_depth++;
	before = spec_order_branch(s);
	sema_statements(s, n->b->list);
	first = spec_order_else(s, before);
	if (n->c)
		sema_statements(s, n->c->list);
	spec_order_join(s, first);
	s->cond_depth--;
}

void sema_statement(struct sema *s, struct node *n)
{
	if (++s->expr_depth > MAX_DEPTH)
		sema_die(s, D_SYNTAX, n, "statements are nested too deeply");
	s->statement = n;
	switch (n->kind) {
	case N_EXPR:
		if (n->a->kind == N_AGG)
			sema_die(
			    s, D_AGG_NULL, n->a,
			    "@%s has no effect: an aggregation is assigned an aggregating function",
			    n->a->name);
		n->a = sema_effect(s, n->a);
		break;
	case N_IF:
		stmt_if(s, n);
		break;
	case N_BLOCK:
		sema_statements(s, n->list);
		break;
	default:
		break;
	}
	s->expr_depth--;
}

void sema_statements(struct sema *s, struct node *list)
{
	for (struct node *n = list; n; n = n->next)
		sema_statement(s, n);
}

void sema_site(struct sema *s, struct node *n)
{
	if (!s->clause)
		return;
	n->site = s->clause->sites.n;
	vec_push(&s->clause->sites, (struct clause_site){.loc = s->use.src ? s->use : n->loc});
}

void sema_string_site(struct sema *s, struct node *n)
{
	if (type_is_string(n->type) && n->kind != N_STR && !n->site)
		sema_site(s, n);
}

struct act *act_new(struct sema *s, struct node *call, const struct def *def)
{
	struct act *act = arena_alloc(s->arena, sizeof(*act));
	struct clause *c = s->clause;

	spec_order_action(s, call, def);
	act->name = def->name;
	act->print = def->print;
	act->write = def->write;
	act->carried = def->flags & DEF_CARRIED;
	act->loc = call->loc;
	act->cond_off = -1;
	if (s->cond_depth)
		act->cond_off = c->layout.size++;
	c->records = true;
	vec_push(&c->layout.acts, act);
	call->aux = c->layout.acts.n - 1;
	return act;
}

int act_record(struct sema *s, struct act *act, const struct type *type, uint32_t size)
{
	struct layout *l = &s->clause->layout;
	struct rec *recs = arena_alloc(s->arena, (act->nrecs + 1) * sizeof(*recs));
	uint32_t align = type_is_scalar(type) ? MIN(size, 8) : 8;
	const struct type *base = type_base(type);

	/* What a process's address means changes with an exec. */
	s->clause->needs_time |=
	    base->kind == T_USYMADDR || (base->kind == T_STACK && (base->flags & TF_USERLAND));
	if (act->nrecs)
		memcpy(recs, act->recs, act->nrecs * sizeof(*recs));
	l->size = ALIGN_UP(l->size, MAX(align, 1));
	recs[act->nrecs] = (struct rec){.type = type, .off = l->size, .size = size};
	l->size += size;
	if (l->size > 1024 * 1024)
		diag_die(s->diag, D_COMPILE, act->loc, "the clause's record is too large: %u bytes",
			 l->size);
	act->recs = recs;
	return act->nrecs++;
}

/* Of both: a script's text beside a name is taken for one. */
static enum text_origin origin_of_both(enum text_origin a, enum text_origin b)
{
	return a == TEXT_MEMORY || b == TEXT_MEMORY ? TEXT_MEMORY : MAX(a, b);
}

enum text_origin sema_text_origin(const struct node *n)
{
	enum text_origin origin = TEXT_SCRIPT;

	if (n->flags & NF_NAME)
		return TEXT_NAME;
	switch (n->kind) {
	case N_STR:
		return TEXT_SCRIPT;
	case N_IDENT:
		return n->ref && type_is_string(n->type) ? TEXT_NAME : TEXT_MEMORY;
	case N_COND:
		return origin_of_both(sema_text_origin(n->b), sema_text_origin(n->c));
	case N_COMMA:
		return sema_text_origin(n->b);
	case N_CAST:
	case N_STRINGOF:
		return sema_text_origin(n->a) == TEXT_NAME ? TEXT_NAME : TEXT_MEMORY;
	case N_CHOICE:
		for (const struct node *e = n->list; e; e = e->next)
			origin = origin_of_both(origin, sema_text_origin(e));
		return origin;
	default:
		return TEXT_MEMORY;
	}
}

void sema_mark_name(struct node *n)
{
	if (n->type && (type_is_string(n->type) || type_is_charptr(n->type)) && n->kind != N_STR)
		n->flags |= NF_NAME;
}

/* What is recorded of an expression in an argument list: its type and size. */
int act_record_expr(struct sema *s, struct act *act, struct node *n)
{
	const struct type *t = n->type;
	uint64_t size = type_is_string(t) ? sema_bound(s, n) : type_size(s->types, t);
	int i = act_record(s, act, t, size);

	sema_string_site(s, n);
	if (!sema_is_const(n) && n->kind != N_STR)
		act->recs[i].name = n->loc;
	act->recs[i].origin = sema_text_origin(n);
	return i;
}

uint32_t sema_bound(struct sema *s, struct node *n)
{
	uint32_t bound = s->strsize, other;
	const struct def *def = n->ref;

	switch (n->kind) {
	case N_STR:
		bound = n->len + 1;
		break;
	case N_COND:
		bound = sema_bound(s, n->b);
		other = sema_bound(s, n->c);
		bound = MAX(bound, other);
		break;
	case N_COMMA:
		return sema_bound(s, n->b);
	case N_CHOICE:
		bound = 1;
		for (struct node *e = n->list; e; e = e->next) {
			other = sema_bound(s, e);
			bound = MAX(bound, other);
		}
		break;
	case N_ASSIGN:
		return n->op == OP_NONE ? sema_bound(s, n->b) : s->strsize;
	case N_CAST:
		if (type_is_string(n->a->type))
			return sema_bound(s, n->a);
		break;
	case N_STRINGOF:
		if (n->a->kind == N_UNARY && n->a->op == OP_ADDR &&
		    type_base(n->a->a->type)->kind == T_ARRAY && type_base(n->a->a->type)->nelem)
			bound = type_base(n->a->a->type)->nelem + 1;
		break;
	case N_INT:
		return 1;
	case N_IDENT:
	case N_CALL:
		/* once: each level of nesting asks the one below */
		other = def && def->bound ? def->bound(s, n) : 0;
		if (other)
			bound = other;
		break;
	default:
		break;
	}
	return MIN(bound, s->strsize);
}

bool sema_set_strsize(struct sema *s)
{
	s->strsize = opt_num(s->opts, OPT_STRSIZE);
	/* the routines want so much: plan.c */
	return types_set_string(s->types, ALIGN_UP(MAX(s->strsize, 16), 8) + 8);
}

static bool fold(void *arg, struct node *expr, int64_t *value)
{
	expr = sema_expr(arg, expr);
	*value = expr->value;
	return sema_is_const(expr) && type_is_int(expr->type);
}

void sema_init(struct sema *s, struct arena *a, struct diag *d, struct types *types,
	       struct probes *probes, struct feats *feats, struct opts *opts,
	       struct syms_of_script *syms)
{
	memset(s, 0, sizeof(*s));
	s->arena = a;
	s->trees = arena_part(a);
	s->diag = d;
	s->types = types;
	s->probes = probes;
	s->feats = feats;
	s->opts = opts;
	s->syms = syms;
	sema_set_strsize(s);
	s->decl_env = (struct decl_env){types, d, fold, s};
}
