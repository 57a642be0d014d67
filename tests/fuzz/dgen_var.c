/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables, associative arrays, keys. */
#include <string.h>

#include "tests/fuzz/dgen.h"

const char *dgen_name(struct dgen *g, const char *prefix)
{
	return arena_printf(g->mem, "%s%d", prefix, g->names++);
}

struct var *dgen_var_new(struct dgen *g, const char *name, int type)
{
	struct var *v = arena_alloc(g->mem, sizeof(*v));

	v->name = name;
	v->type = type;
	v->clause_local = !strncmp(name, "this->", 6);
	v->global = !strchr(name, '>');
	vec_push(&g->vars, v);
	return v;
}

struct table *dgen_table_new(struct dgen *g, const char *name, int type, int ncols)
{
	struct table *t = arena_alloc(g->mem, sizeof(*t));

	t->name = name;
	t->type = type;
	t->ncols = ncols;
	for (int i = 0; i < ncols; i++)
		t->cols[i] = dgen_chance(g, 35) ? STR : (int)dgen_pick(g, NTYPES);
	return t;
}

static const char *type_name(struct dgen *g, int type)
{
	return type == STR ? "string" : dgen_types[type][dgen_pick(g, 4)];
}

static void declare_array(struct dgen *g)
{
	int type = dgen_chance(g, 30) ? STR : (int)dgen_pick(g, NTYPES);
	struct table *t = dgen_table_new(g, dgen_name(g, dgen_chance(g, 30) ? "self->a" : "a"),
					 type, 1 + dgen_pick(g, MAX_COLS));
	bool self = !strncmp(t->name, "self->", 6);

	dgen_put(g, "%s%s %s[", self ? "self " : "", type_name(g, type), t->name + (self ? 6 : 0));
	for (int i = 0; i < t->ncols; i++)
		dgen_put(g, "%s%s", i ? ", " : "", type_name(g, t->cols[i]));
	dgen_put(g, "];\n");
	vec_push(&g->arrays, t);
}

static void declare_scalar(struct dgen *g)
{
	static const char *const scopes[] = {"", "", "self", "this"};
	const char *scope = scopes[dgen_pick(g, 4)], *name = dgen_name(g, "v");
	int type = dgen_chance(g, 25) ? STR : (int)dgen_pick(g, NTYPES);

	dgen_put(g, "%s %s %s;\n", scope, type_name(g, type), name);
	dgen_var_new(g, *scope ? arena_printf(g->mem, "%s->%s", scope, name) : name, type);
}

/* A struct with bit-fields, and variables of it. */
static void declare_struct(struct dgen *g)
{
	static const char *const scopes[] = {"", "self", "this"};
	const char *tag = dgen_name(g, "s"), *names[8];
	int n = 1 + dgen_pick(g, 8), types[8], bits[8];

	dgen_put(g, "struct %s {\n", tag);
	for (int i = 0; i < n; i++) {
		bits[i] = dgen_chance(g, 30) ? 1 + dgen_pick(g, 31) : 0;
		types[i] = bits[i] ? I32 + (int)dgen_pick(g, 2) : (int)dgen_pick(g, NTYPES);
		names[i] = dgen_name(g, "m");
		dgen_put(g, "\t%s %s", dgen_types[types[i]][0], names[i]);
		if (bits[i])
			dgen_put(g, ":%d", bits[i]);
		dgen_put(g, ";\n");
	}
	dgen_put(g, "};\n");
	for (int k = 0; k < 3; k++) {
		const char *var = dgen_name(g, "t");

		if (dgen_chance(g, 50))
			continue;
		dgen_put(g, "%s struct %s %s;\n", scopes[k], tag, var);
		for (int i = 0; i < n; i++) {
			struct var *v = dgen_var_new(g,
						     arena_printf(g->mem, "%s%s%s.%s", scopes[k],
								  k ? "->" : "", var, names[i]),
						     types[i]);

			v->bits = bits[i];
			v->member = true;
		}
	}
}

void dgen_declare(struct dgen *g)
{
	int n = 3 + dgen_pick(g, g->big ? 40 : 12);

	for (int i = 0; i < n; i++)
		declare_scalar(g);
	for (int i = dgen_pick(g, g->big ? 8 : 4); i > 0; i--)
		declare_array(g);
	for (int i = dgen_pick(g, 3); i > 0; i--)
		declare_struct(g);
}

struct var *dgen_var_read(struct dgen *g, bool string)
{
	for (int i = 0; g->vars.n && i < 8; i++) {
		struct var *v = g->vars.v[dgen_pick(g, g->vars.n)];

		if ((v->type == STR) != string || (v->use.written == g->stmt && dgen_live(g)))
			continue;
		if (v->clause_local && !v->set && dgen_live(g))
			continue;
		v->use.read = g->stmt;
		return v;
	}
	return NULL;
}

struct var *dgen_var_write(struct dgen *g, bool string, bool bits)
{
	for (int i = 0; g->vars.n && i < 8; i++) {
		struct var *v = g->vars.v[dgen_pick(g, g->vars.n)];

		if ((v->type == STR) != string || v->use.read == g->stmt ||
		    v->use.written == g->stmt || (v->bits && !bits))
			continue;
		v->use.written = g->stmt;
		return v;
	}
	return NULL;
}

struct table *dgen_array(struct dgen *g, bool string, bool write)
{
	for (int i = 0; g->arrays.n && i < 4; i++) {
		struct table *t = g->arrays.v[dgen_pick(g, g->arrays.n)];

		if ((t->type == STR) != string || t->use.written == g->stmt ||
		    (write && t->use.read == g->stmt))
			continue;
		*(write ? &t->use.written : &t->use.read) = g->stmt;
		return t;
	}
	return NULL;
}

struct key dgen_key(struct dgen *g, const struct table *t, int depth)
{
	struct elem *known =
	    t->elems.n && dgen_chance(g, 60) ? &t->elems.v[dgen_pick(g, t->elems.n)] : NULL;
	struct key old = known ? known->key : (struct key){0}, k = old;

	dgen_put(g, "[");
	for (int i = 0; i < t->ncols; i++) {
		dgen_put(g, i ? ", " : "");
		if (t->cols[i] == STR) {
			if (known && !strpbrk(old.v[i].text, "\\\"\n"))
				dgen_put(g, "\"%s\"", old.v[i].text);
			else
				k.v[i].text = dgen_str(g, depth - 1, false);
		} else if (known) {
			dgen_exact(g, t->cols[i], old.v[i].num, depth - 1);
		} else {
			size_t at = g->d.len;

			k.v[i].num = dgen_fit(t->cols[i], dgen_num(g, depth - 1).v);
			dgen_wrap(g, at, arena_printf(g->mem, "(%s)(", type_name(g, t->cols[i])),
				  ")");
		}
	}
	dgen_put(g, "]");
	return k;
}

static bool same_key(const struct table *t, const struct key *a, const struct key *b)
{
	for (int i = 0; i < t->ncols; i++)
		if (t->cols[i] == STR ? strcmp(a->v[i].text, b->v[i].text) != 0
				      : a->v[i].num != b->v[i].num)
			return false;
	return true;
}

struct elem *dgen_elem(struct dgen *g, struct table *t, const struct key *k, bool make)
{
	(void)g;
	for (int i = 0; i < t->elems.n; i++)
		if (same_key(t, &t->elems.v[i].key, k))
			return &t->elems.v[i];
	if (!make)
		return NULL;
	vec_push(&t->elems, ((struct elem){.key = *k}));
	return &t->elems.v[t->elems.n - 1];
}
