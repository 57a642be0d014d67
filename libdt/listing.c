/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dtrace -l: probes, and types by their names. */
#include <string.h>

#include "libdt/base/escape.h"
#include "libdt/compile.h"
#include "libdt/consumer/consume.h"
#include "libdt/plan/plan.h"
#include "libdt/preamble.h"
#include "libdt/provider/prov.h"
#include "libdt/report.h"
#include "libdt/session.h"

struct listing {
	struct dt *dt;
	FILE *out;
	bool verbose;
	struct writer writer; /* its form is NULL for text */
};

static void put_attr(struct writer *w, const char *key, struct attr attr)
{
	writer_object(w, key);
	writer_string(w, "names", stability_name(attr.name));
	writer_string(w, "data", stability_name(attr.data));
	writer_string(w, "class", depclass_name(attr.class));
	writer_end(w);
}

static void put_details(struct listing *l, struct probe *p)
{
	struct writer *w = &l->writer;

	probe_args(l->dt->probes, p);
	put_attr(w, "stability", probe_attr(p));
	put_attr(w, "argument_stability", p->provider->attr_args);
	writer_array(w, "arguments");
	for (int i = 0; i < p->nargs; i++) {
		writer_object(w, NULL);
		if (p->args[i].name && *p->args[i].name)
			writer_string(w, "name", p->args[i].name);
		writer_string(w, "type", type_text(l->dt->types, p->args[i].type));
		writer_end(w);
	}
	writer_end(w);
}

static void write_probe(struct listing *l, struct probe *p)
{
	writer_line(&l->writer, "probe");
	writer_probe(&l->writer, &p->desc);
	if (l->verbose)
		put_details(l, p);
	preamble_put(&l->writer, l->out);
}

static void list_probe(void *arg, struct probe *p)
{
	struct listing *l = arg;

	if (l->writer.form)
		write_probe(l, p);
	else if (l->verbose)
		probe_list_verbose(l->dt->probes, l->out, p);
	else
		probe_list(l->out, p);
}

/* Probes of all processes under the names that each process has them. */
static void list_named(struct listing *l, struct probe *p)
{
	if (usdt_is_of_all(p))
		usdt_each_process(l->dt->probes, p, list_probe, l);
	else
		list_probe(l, p);
}

/* For a description that matches nothing, unless there is a reason, or advice about its form. */
static void suggest(struct dt *dt, const struct clause *c)
{
	const char *near;
	struct pdesc pd;
	int fields;

	if (c->implied || c->probes.n || c->descriptions.n != 1 || dt->input->unavailable_reason ||
	    !pdesc_parse(dt->arena, c->descriptions.v[0], 3, &pd))
		return;
	fields = !!*pd.mod + !!*pd.func + !!*pd.name;
	/* compilation has suggested other fields already */
	if (probes_suggest_fields(dt->probes, &pd))
		return;
	near = *pd.prov || fields == 1 ? probes_suggest(dt->probes, &pd) : NULL;
	if (near)
		diag_warn(&dt->diag, (struct loc){0},
			  "%s does not match any probes; did you mean %s?", c->descriptions.v[0],
			  near);
}

int dt_list(struct dt *dt, FILE *out, bool verbose)
{
	struct listing l = {.dt = dt, .out = out, .verbose = verbose};
	struct pdesc all = {.prov = "", .mod = "", .func = "", .name = ""};
	struct hash seen = {0};

	if (compile_open(dt) < 0)
		return -1;
	if (setjmp(dt->diag.recover))
		return compile_caught(dt);
	if (consume_oformat(&dt->opts) == OFORMAT_JSON) {
		l.writer.form = &writer_json;
		preamble_list(dt, &l.writer, out);
	} else {
		probe_list_header(out);
	}
	if (!dt->plan->clauses.n) {
		probes_match(dt->probes, &all, list_probe, &l);
		all.prov = "sdt";
		dt->input->unavailable_reason = probes_unavailable(dt->probes, &all);
		all.prov = "fbt";
		if (!dt->input->unavailable_reason)
			dt->input->unavailable_reason = probes_unavailable(dt->probes, &all);
	}
	for (int i = 0; i < dt->plan->clauses.n; i++) {
		struct clause *c = dt->plan->clauses.v[i];

		suggest(dt, c);
		for (int j = 0; j < c->probes.n && !c->implied && !c->probes.v[j]->awaits; j++) {
			void **was = hash_ref(&seen, &c->probes.v[j]->id, sizeof(uint32_t));

			if (!*was)
				list_named(&l, c->probes.v[j]);
			*was = c;
		}
	}
	hash_free(&seen);
	writer_free(&l.writer);
	if (dt->input->unavailable_reason)
		diag_warn(&dt->diag, (struct loc){0}, "%s", dt->input->unavailable_reason);
	return 0;
}

/* A type by its name, or a structure by its tag. */
static const struct type *named_type(struct dt *dt, const char *name)
{
	static const char *const kinds[] = {"", "struct ", "union ", "enum "};
	const char *tick = strrchr(name, '`'), *module = NULL;
	const struct type *type = NULL;

	if (tick && tick > name)
		module = arena_strndup(dt->arena, name, tick - name);
	for (size_t i = 0;
	     i < ARRAY_SIZE(kinds) && (!type || type_complete(dt->types, type)->kind == T_FWD); i++)
		type = type_find(dt->types, module,
				 arena_printf(dt->arena, "%s%s", kinds[i], tick ? tick + 1 : name));
	return type;
}

static void write_type(struct dt *dt, const struct type *type, const char *definition, FILE *out)
{
	struct writer w = {.form = &writer_json};

	writer_line(&w, "type");
	writer_uint(&w, "schema", WRITER_SCHEMA);
	writer_string(&w, "name", type_text(dt->types, type));
	writer_uint(&w, "size", type_size(dt->types, type));
	writer_string(&w, "definition", definition);
	preamble_put(&w, out);
	writer_free(&w);
}

int dt_list_type(struct dt *dt, const char *name, FILE *out)
{
	const struct type *type, *body;
	struct strbuf text = {0}, clean = {0};

	if (compile_open(dt) < 0)
		return -1;
	if (setjmp(dt->diag.recover))
		return compile_caught(dt);
	type = named_type(dt, name);
	body = type ? type_base(type_complete(dt->types, type)) : NULL;
	if (!body || body->kind == T_FWD)
		return report_error(dt, "failed to resolve type %s: %s", name,
				    types_kernel_error(dt->types) ? types_kernel_error(dt->types)
								  : "there is none of that name");
	type_describe(dt->types, type, &text);
	if (type->kind == T_TYPEDEF && body->name && (type_is_sou(body) || body->kind == T_ENUM)) {
		sb_putc(&text, '\n');
		type_describe(dt->types, body, &text);
	}
	if (consume_oformat(&dt->opts) == OFORMAT_JSON) {
		write_type(dt, type, sb_str(&text), out);
	} else {
		escape_add(&clean, sb_str(&text), text.len, ESCAPE_TEXT);
		fprintf(out, "%s\n", sb_str(&clean));
	}
	sb_free(&clean);
	sb_free(&text);
	return 0;
}
