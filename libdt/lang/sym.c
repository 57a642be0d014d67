/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables, tuples of keys, aggregations; declarations; where all of it is stored. */
#include "libdt/lang/sym.h"

#include <string.h>

#include "libdt/lang/words.h"
#include "libdt/lang/lib.h"
#include "libdt/lang/sema_parts.h"

#define SELF_MAX 60000 /* what maps of a task's storage can have */

static const char *const scope_prefix[] = {"", "self->", "this->", "`"};

struct sym *sym_find(struct sema *s, enum scope scope, const char *name)
{
	struct sym *sym = scope <= SCOPE_THIS ? hash_gets(&s->syms->table[scope], name) : NULL;

	if (sym)
		sema_save_sym(s, sym);
	return sym;
}

struct sym *sym_lookup(struct sema *s, enum scope scope, const char *name)
{
	struct sym *sym = sym_find(s, scope, name);

	if (!sym && scope == SCOPE_GLOBAL && !def_find(s->builtins, name) && lib_declare(s, name))
		sym = sym_find(s, scope, name);
	return sym;
}

struct sym *sym_add(struct sema *s, enum sym_kind kind, enum scope scope, const char *name,
		    struct loc loc)
{
	struct sym *sym = arena_alloc(s->arena, sizeof(*sym));

	sym->kind = kind;
	sym->scope = scope;
	sym->name = arena_strdup(s->arena, name);
	sym->loc = loc;
	sym->library = s->in_library;
	sym->own = sema_is_own(s, loc);
	sym->attempt = s->attempt;
	hash_puts(kind == SYM_AGG ? &s->syms->aggs : &s->syms->table[scope], name, sym);
	vec_push(&s->syms->all, sym);
	return sym;
}

struct node *sym_use(struct sema *s, struct node *n, struct sym *sym)
{
	if (sym->kind == SYM_ASSOC)
		sema_die(s, D_IDENT_BADREF, n, "%s%s is an associative array: it needs a subscript",
			 scope_prefix[sym->scope], sym->name);
	n->sym = sym;
	n->type = (struct type *)sym->type;
	return n;
}

const char *sym_agg_name(struct sema *s, const struct node *n)
{
	return strcmp(n->name, "_") ? arena_printf(s->arena, "@%s", n->name) : "@";
}

/* Tuples ------------------------------------------------------------------ */

static const char *const_key_error =
    "keys must be integers, pointers, strings, structures, arrays or stacks";

static void tuple_widen(struct sema *s, struct aggr_col *col, struct node *key)
{
	uint32_t size = type_is_string(key->type) ? ALIGN_UP(sema_bound(s, key), 8)
						  : type_size(s->types, key->type);

	if (!type_is_string(key->type) && size > col->size)
		col->type = key->type;
	col->size = MAX(col->size, size);
}

/* An array that is a key by value; of one that has no size, the address is the key. */
static bool is_array(struct sema *s, const struct type *t)
{
	return type_base(t)->kind == T_ARRAY && type_size(s->types, t);
}

static bool key_type_ok(struct sema *s, const struct type *t)
{
	return type_is_word(t) || type_is_string(t) || type_is_block(t) || is_array(s, t);
}

/* Other operations take an array as a pointer; as a key it is its contents. */
static bool is_number(const struct type *t)
{
	return type_is_scalar(t) && !type_in_memory(t);
}

static bool key_fits(const struct type *col, const struct type *key)
{
	if (is_number(col) && is_number(key))
		return type_is_ptr(col) == type_is_ptr(key) || type_is_int(key) || type_is_int(col);
	return type_same(col, key);
}

/* Types the keys; char arrays and pointers become strings where the tuple has one. */
static void tuple_use(struct sema *s, struct node *n, struct tuple *tu, const char *name,
		      bool is_new)
{
	int given = 0;
	struct node **at = &n->list;

	if (is_new) {
		tu->n = node_count(n->list);
		tu->cols = arena_alloc(s->arena, MAX(tu->n, 1) * sizeof(*tu->cols));
	}
	if (node_count(n->list) != tu->n)
		sema_die(s, D_PROTO_LEN, n,
			 "%s[ ] prototype mismatch: %d arg%s passed, %d expected", name,
			 node_count(n->list), node_count(n->list) == 1 ? "" : "s", tu->n);
	for (; *at; at = &(*at)->next, given++) {
		struct node *next = (*at)->next, *key = *at;
		struct aggr_col *col = &tu->cols[given];

		if (key->kind == N_AGG)
			sema_die(s, D_KEY_TYPE, key, "aggregation %s may not be used as a key: %s",
				 sym_agg_name(s, key), const_key_error);
		key = sema_expr(s, key);
		if (key->kind == N_XLATE || type_is_view(key->type))
			sema_die(s, D_KEY_TYPE, key,
				 "\"%s\", the result of a translator, may not be used as a key: "
				 "use one of its members",
				 sema_type_text(s, key->type));

		if (type_base(key->type)->kind == T_ARRAY && type_is_charptr(key->type))
			key = sema_convert(s, key, type_string(s->types));
		if (!is_array(s, key->type))
			key = sema_decay(s, key);
		if (!key_type_ok(s, key->type) || key->kind == N_XLATE)
			sema_die(s, D_KEY_TYPE, key, "%s expression may not be used as a key: %s",
				 sema_type_text(s, key->type), const_key_error);
		if (!is_new && !col->type)
			sema_die(s, D_ARR_BADREF, n, "%s[ ] is used in the key that makes it",
				 name);
		if (!is_new && type_is_string(col->type) && type_is_charptr(key->type))
			key = sema_convert(s, key, type_string(s->types));
		if (is_new && !sema_is_const(key) && key->kind != N_STR)
			col->name = key->loc;
		if (is_new)
			col->type = key->type;
		else if (!key_fits(col->type, key->type))
			sema_die(s, D_PROTO_ARG, key,
				 "%s[ ] argument #%d is incompatible with prototype:\n\tprototype: "
				 "%s\n\t argument: %s",
				 name, given + 1, sema_type_text(s, col->type),
				 sema_type_text(s, key->type));
		col->has_names |= sema_text_origin(key) == TEXT_NAME;
		col->has_memory |= sema_text_origin(key) == TEXT_MEMORY;
		tuple_widen(s, col, key);
		sema_string_site(s, key);
		key->next = next;
		*at = key;
	}
}

static void tuple_layout(struct tuple *tu, uint32_t start)
{
	uint32_t off = start;

	for (int i = 0; i < tu->n; i++) {
		struct aggr_col *c = &tu->cols[i];
		uint32_t align = is_number(c->type) ? c->size : 8;

		off = ALIGN_UP(off, MAX(align, 1));
		c->off = off;
		off += c->size;
	}
	tu->size = ALIGN_UP(off, 8);
}

/* Associative arrays ------------------------------------------------------ */

struct node *assoc_use(struct sema *s, struct node *n, struct sym *sym)
{
	const char *name = arena_printf(s->arena, "%s%s", scope_prefix[sym->scope], sym->name);

	tuple_use(s, n, &sym->key, name, false);
	n->sym = sym;
	n->type = (struct type *)sym->type;
	sema_site(s, n);
	return n;
}

/* What a variable is given when it gets its first value. */
static const struct type *variable_type(struct sema *s, const struct type *type)
{
	if (type_is_int(type))
		return type_wide(s->types, type);
	return type_base(type)->kind == T_ARRAY ? type_ptr(s->types, type_base(type)->ref) : type;
}

static struct node *lvalue_new_assoc(struct sema *s, struct node *n, const struct type *type)
{
	struct node *base = n->a;
	struct sym *sym;

	if (base->scope == SCOPE_THIS)
		sema_die(s, D_ARR_LOCAL, n,
			 "this->%s: clause-local variables cannot be associative arrays",
			 base->name);
	if (base->scope == SCOPE_GLOBAL && def_reserves(s->builtins, base->name))
		return sema_expr(s, n);
	sym = sym_add(s, SYM_ASSOC, base->scope, base->name, n->loc);
	sym->type = variable_type(s, type);
	tuple_use(s, n, &sym->key, base->name, true);
	n->sym = sym;
	n->type = (struct type *)sym->type;
	sema_site(s, n);
	return n;
}

struct node *lvalue_for(struct sema *s, struct node *n, const struct type *type)
{
	struct sym *sym;

	if (n->type)
		return n;
	if (n->kind == N_IDENT || (n->kind == N_INDEX && n->a->kind == N_IDENT))
		sema_check_parsed(s, n->kind == N_INDEX ? n->a : n);
	if (n->kind == N_INDEX && n->a->kind == N_IDENT && n->a->scope <= SCOPE_THIS &&
	    !sym_find(s, n->a->scope, n->a->name))
		return lvalue_new_assoc(s, n, type);
	if (n->kind != N_IDENT || n->scope > SCOPE_THIS)
		return sema_expr(s, n);
	sym = sym_find(s, n->scope, n->name);
	if (sym && sym->kind == SYM_INLINE)
		sema_die(s, D_OP_WRITE, n, "inline %s cannot be assigned to", n->name);
	if (!sym) {
		if (n->scope == SCOPE_GLOBAL && def_reserves(s->builtins, n->name))
			sema_die(s, D_OP_WRITE, n, "built-in variable %s cannot be assigned to%s",
				 n->name, s->in_pred ? "; a comparison is written ==" : "");
		sym = sym_add(s, SYM_VAR, n->scope, n->name, n->loc);
		sym->type = variable_type(s, type);
	}
	sym->assigned = true;
	return sym_use(s, n, sym);
}

/* Aggregations ------------------------------------------------------------ */

/* "@a" as an argument: the symbol, keys checked. NULL when no aggregation of that name is there
 * yet. */
static struct sym *find_aggregation(struct sema *s, struct node *n)
{
	struct sym *sym = hash_gets(&s->syms->aggs, n->name);

	if (sym)
		sema_save_sym(s, sym);
	return sym;
}

static void agg_redefined(struct sema *s, struct node *n, struct sym *sym)
{
	const char *name = sym_agg_name(s, n->a);
	int now, before, column;

	loc_pos(n->loc, &now, &column);
	loc_pos(sym->loc, &before, &column);
	sema_die(s, D_AGG_REDEF, n,
		 "aggregation redefined: %s\n\t current: %s = %s( ) : line %d\n\tprevious: %s = "
		 "%s( ) : line %d",
		 name, name, n->b->name, now, name, sym->func->name, before);
}

static int aggs_count(const struct syms_of_script *ss)
{
	int n = 0;

	for (int i = 0; i < ss->all.n; i++)
		n += ss->all.v[i]->kind == SYM_AGG;
	return n;
}

/* Which constant argument of an aggregating function changed from one use to another. */
static _Noreturn void params_differ(struct sema *s, struct node *call, const int64_t *before)
{
	const struct sym *sym = call->sym;
	const enum tag *tags = sym->func->param_tags;

	for (int i = 0; i < AGGR_PARAMS; i++)
		if (sym->params[i] != before[i])
			sema_die(s, tags ? tags[i] : D_AGG_REDEF, call,
				 "%s( ) argument #%d of @%s was %lld before and is %lld here",
				 sym->func->name, i + 2, sym->name, (long long)before[i],
				 (long long)sym->params[i]);
	sema_die(s, D_AGG_REDEF, call, "@%s has other parameters here than before", sym->name);
}

/* A call in an expression that calls something else than a name, or NULL. */
static struct node *unnamed_call(struct node *n)
{
	struct node *found;

	if (!n || (n->kind == N_CALL && !n->name))
		return n;
	found = unnamed_call(n->a);
	found = found ? found : unnamed_call(n->b);
	return found ? found : unnamed_call(n->c);
}

static const struct def *called(struct sema *s, const struct node *n)
{
	return n->kind == N_CALL && n->name ? def_find(s->builtins, n->name) : NULL;
}

const char *sym_count_hint(struct sema *s, const struct node *n)
{
	const struct def *def = n->kind == N_ASSIGN ? called(s, n->b) : NULL;
	const struct type *t;
	struct node *value;
	const char *ours = words_count(s->arena, n, &value);
	bool summed = value && (value != n->b || n->op == OP_ADD);

	if (def && def->kind == DEF_AGG && n->op == OP_ADD)
		return words_hint(s->arena, words_plain_assign(s->arena, n));
	if (value && (!sema_try(s, value, &t) || type_is_void(t) || type_is_dyn(t)))
		return "";
	return summed && !type_is_scalar(t) ? "" : words_hint(s->arena, ours);
}

struct node *agg_assign(struct sema *s, struct node *n)
{
	struct node *agg = n->a, *call = n->b;
	const struct def *def = called(s, call);
	struct sym *sym = find_aggregation(s, agg);
	bool is_new = !sym;
	int64_t params[6] = {0};

	if (call->kind == N_CALL && call->name && !def)
		sema_expr(s, call); /* says what is wrong with the name */
	if (unnamed_call(call))
		sema_expr(s, unnamed_call(call)); /* "@ = tick-1()" calls the number 1 */
	if (n->op != OP_NONE)
		sema_die(s, D_AGG_FUNC, n,
			 "operator %s= may not be applied to an aggregation: %s%s", op_text(n->op),
			 sym_agg_name(s, agg), sym_count_hint(s, n));
	if (!def || def->kind != DEF_AGG)
		sema_die(s, D_AGG_FUNC, n,
			 "aggregations can only be assigned the result of an aggregating function: "
			 "%s%s",
			 sym_agg_name(s, agg), sym_count_hint(s, n));
	if (!s->clause)
		sema_die(s, D_AGG_FUNC, n, "aggregations may be used in clauses only");
	spec_order_aggregation(s, call);
	if (is_new) {
		int index = aggs_count(s->syms);

		sym = sym_add(s, SYM_AGG, SCOPE_GLOBAL, agg->name, n->loc);
		sym->index = index;
		sym->func = def;
		sym->keyed = agg->keyed;
	}
	if (sym->func != def)
		agg_redefined(s, n, sym);
	if (agg->keyed && !agg->list)
		sema_die(s, D_AGG_MDIM, agg, "%s[ ]: an aggregation's key must not be empty",
			 sym_agg_name(s, agg));
	sema_printed(s, agg->list);
	tuple_use(s, agg, &sym->key, sym_agg_name(s, agg), is_new);
	call->ref = def;
	call->sym = sym;
	sym->adds++;
	call->type = (struct type *)type_void(s->types);
	for (struct node **at = &call->list; *at; at = &(*at)->next) {
		struct node *next = (*at)->next;

		*at = sema_decay(s, sema_expr(s, *at));
		(*at)->next = next;
	}
	call->sym->nparams = 0;
	memcpy(params, sym->params, sizeof(params));
	if (def->check)
		def->check(s, call); /* number and types of arguments; sets sym->params */
	if (!is_new && memcmp(params, sym->params, sizeof(params)))
		params_differ(s, call, params);
	agg->sym = sym;
	agg->type = n->type = (struct type *)type_void(s->types);
	sema_site(s, n);
	return n;
}

static enum tag undefined_tag(enum tag argument)
{
	switch (argument) {
	case D_PRINTA_AGGARG:
		return D_PRINTA_AGGBAD;
	case D_CLEAR_AGGARG:
		return D_CLEAR_AGGBAD;
	case D_TRUNC_AGGARG:
		return D_TRUNC_AGGBAD;
	case D_NORMALIZE_AGGARG:
		return D_NORMALIZE_AGGBAD;
	default:
		return D_AGG_NULL;
	}
}

/* An argument that must be an aggregation; tag says that it is none. */
struct sym *sema_agg_arg(struct sema *s, struct node *call, int argn, enum tag tag)
{
	struct node *a = call_arg(call, argn);
	struct sym *sym;

	if (!a || a->kind != N_AGG)
		sema_die(s, tag, a ? a : call, "%s( ) argument #%d must be an aggregation",
			 call->name, argn + 1);
	sym = find_aggregation(s, a);
	if (!sym && s->recovers)
		s->unknown = a;
	if (!sym)
		sema_die(s, undefined_tag(tag), a, "undefined aggregation: %s", sym_agg_name(s, a));
	if (a->keyed)
		sema_die(s, D_AGG_MDIM, a, "%s( ) takes a whole aggregation, without keys: %s",
			 call->name, sym_agg_name(s, a));
	a->sym = sym;
	a->type = (struct type *)type_special(s->types, T_AGG);
	return sym;
}

/* Declarations ------------------------------------------------------------ */

static void declare_assoc(struct sema *s, struct sym *sym, const struct type *t)
{
	sym->kind = SYM_ASSOC;
	sym->type = t->ref;
	sym->key.n = t->nparams;
	sym->key.cols = arena_alloc(s->arena, t->nparams * sizeof(*sym->key.cols));
	for (int i = 0; i < t->nparams; i++) {
		const struct type *k = t->params[i];

		sym->key.cols[i].type = k;
		sym->key.cols[i].size = type_is_string(k) ? 8 : type_size(s->types, k);
	}
}

static void declare_variable(struct sema *s, struct node *d, enum scope scope)
{
	const struct type *t = type_of_decl(&s->decl_env, d);
	struct sym *old = sym_find(s, scope, d->name), *sym;
	bool assoc = type_base(t)->kind == T_ASSOC;

	if (d->base->storage == STORAGE_EXTERN && type_base(t)->kind == T_ARRAY &&
	    !type_base(t)->nelem)
		return; /* another declaration has its size */
	if (type_base(t)->kind == T_FUNC)
		return; /* a prototype: its types are known now, and nothing else is asked of it */
	if (type_is_void(t))
		sema_die(s, D_DECL_VOIDATTR, d, "cannot have void object: %s", d->name);
	if (assoc && scope == SCOPE_THIS)
		sema_die(s, D_DECL_LOCASSC, d, "cannot declare local associative array: %s",
			 d->name);
	if (scope == SCOPE_GLOBAL && def_reserves(s->builtins, d->name))
		sema_die(
		    s, D_DECL_IDRED, d,
		    "identifier redefined: %s\n\t current: variable\n\tprevious: built-in variable",
		    d->name);
	if (old && s->in_library)
		return;
	if (old && !old->library) {
		if (!old->declared || !type_same(old->type, assoc ? t->ref : t))
			sema_die(s, D_DECL_IDRED, d, "identifier redeclared: %s", d->name);
		return;
	}
	if (!type_is_string(t) && !assoc && !type_size(s->types, type_complete(s->types, t)))
		sema_die(s, D_DECL_INCOMPLETE, d, "variable of incomplete type: %s", d->name);
	sym = sym_add(s, SYM_VAR, scope, d->name, d->loc);
	sym->declared = true;
	sym->type = t;
	if (assoc)
		declare_assoc(s, sym, type_base(t));
}

static void declare(struct sema *s, struct node *item)
{
	enum storage st = item->base->storage;

	if (st == STORAGE_AUTO || st == STORAGE_REGISTER)
		sema_die(s, D_DECL_BADCLASS, item, "specified storage class is not allowed here");
	type_declare(&s->decl_env, item); /* struct, union, enum bodies and typedefs */
	if (st == STORAGE_TYPEDEF)
		return;
	for (struct node *d = item->list; d; d = d->next)
		declare_variable(s, d,
				 st == STORAGE_SELF   ? SCOPE_SELF
				 : st == STORAGE_THIS ? SCOPE_THIS
						      : SCOPE_GLOBAL);
}

void sema_item(struct sema *s, struct node *item)
{
	s->clause = NULL;
	switch (item->kind) {
	case N_DECL:
		declare(s, item);
		break;
	case N_INLINE:
		inline_declare(s, item);
		break;
	case N_XLATOR:
		xlator_declare(s, item);
		break;
	case N_PROVIDER:
		provdecl_declare(s, item);
		break;
	case N_PRAGMA:
		sema_pragma(s, item);
		break;
	default:
		sema_die(s, D_SYNTAX, item, "only declarations may stand here");
	}
}

/* Storage ----------------------------------------------------------------- */

static void place(struct sema *s, struct sym *sym, uint32_t *top)
{
	uint32_t align = type_is_scalar(sym->type) && type_base(sym->type)->kind != T_ARRAY
			     ? type_size(s->types, sym->type)
			     : 8;

	sym->size = type_size(s->types, sym->type);
	*top = ALIGN_UP(*top, MAX(align, 1));
	sym->off = *top;
	*top += sym->size;
}

void sema_finish(struct sema *s)
{
	struct syms_of_script *ss = s->syms;
	int nthis = 0;

	pragma_finish(s);
	ss->storage.globals_size = ss->storage.self_size = ss->this_size = 0;
	for (int i = 0; i < ss->all.n; i++) {
		struct sym *sym = ss->all.v[i];

		if (sym->kind == SYM_AGG)
			tuple_layout(&sym->key, 0);
		if (sym->kind == SYM_ASSOC) { /* a thread's arrays have the thread in front */
			tuple_layout(&sym->key, sym->scope == SCOPE_SELF ? 8 : 0);
			sym->size = type_size(s->types, sym->type);
		}
		if (sym->kind != SYM_VAR)
			continue;
		if (sym->scope == SCOPE_THIS)
			sym->index = nthis++;
		if (sym->scope == SCOPE_THIS) /* a word each, as gen_prog.c clears words */
			ss->this_size = ALIGN_UP(ss->this_size, 8);
		place(s, sym,
		      sym->scope == SCOPE_GLOBAL ? &ss->storage.globals_size
		      : sym->scope == SCOPE_SELF ? &ss->storage.self_size
						 : &ss->this_size);
	}
	ss->storage.globals_size = ALIGN_UP(ss->storage.globals_size, 8);
	ss->storage.self_size = ALIGN_UP(ss->storage.self_size, 8);
	ss->this_size = ALIGN_UP(ss->this_size, 8);
	if (ss->storage.self_size > SELF_MAX)
		sema_die(s, D_COMPILE, NULL, "thread-local variables need %u bytes (limit %d)",
			 ss->storage.self_size, SELF_MAX);
}

/* Listing ----------------------------------------------------------------- */

static void list_agg(const struct sym *sym, FILE *out)
{
	fprintf(out, "@%-19s agg glb %8s %8u %s\n", sym->name, "-", sym->key.size, sym->func->name);
}

static void list_var(const struct sym *sym, struct types *types, FILE *out)
{
	static const char *const scopes[] = {"glb", "tls", "loc"};
	bool array = sym->kind == SYM_ASSOC || type_base(sym->type)->kind == T_ARRAY;
	char off[16] = "-"; /* elements are in a map */

	if (sym->kind == SYM_VAR)
		snprintf(off, sizeof(off), "%u", sym->off);
	fprintf(out, "%-20s %s %s %8s %8u %s\n", sym->name, array ? "arr" : "scl",
		scopes[sym->scope], off, sym->size, type_text(types, sym->type));
}

struct sym *sym_agg_nth(const struct syms_of_script *ss, int index)
{
	for (int i = 0; i < ss->all.n; i++)
		if (ss->all.v[i]->kind == SYM_AGG && ss->all.v[i]->index == index)
			return ss->all.v[i];
	return NULL;
}

void sym_list(const struct syms_of_script *ss, struct types *types, FILE *out)
{
	bool any = false;

	for (int i = 0; i < ss->all.n; i++) {
		const struct sym *sym = ss->all.v[i];
		bool agg = sym->kind == SYM_AGG;

		if (sym->library || sym->kind == SYM_INLINE || (agg ? !sym->func : !sym->type))
			continue;
		if (!any)
			fprintf(out, "\n%-20s KND SCP %8s %8s TYPE\n", "NAME", "OFFSET", "SIZE");
		any = true;
		if (agg)
			list_agg(sym, out);
		else
			list_var(sym, types, out);
	}
}
