/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/provider/stable.h"

#include <string.h>

#include "libdt/provider/prov.h"

/* Ids: a thousand for each provider, in the order of the list; rows in the order of the table. */
enum { STABLE_FIRST = 200000, STABLE_ROWS = 1000 };

static uint32_t first_id(const struct provider *prov)
{
	uint32_t n = 0;

	for (const struct provider *const *p = providers; *p != prov; p++)
		n += (*p)->table != NULL;
	return STABLE_FIRST + n * STABLE_ROWS;
}

/* Scripts of other systems name the provider, and the module and function where theirs is: those do not count here. */
void stable_rewrite(struct pdesc *pd)
{
	if (*pd->prov)
		pd->mod = pd->func = "";
}

/* The first of the descriptions that this kernel has a probe for. */
static struct probe *under(struct probes *ps, const char *descriptions)
{
	while (*descriptions) {
		size_t len = strcspn(descriptions, " ");
		struct probe *found = NULL;
		struct pdesc pd;

		if (pdesc_parse(probes_arena(ps), arena_strndup(probes_arena(ps), descriptions, len), 3, &pd))
			found = probes_first(ps, &pd);
		if (found)
			return found;
		descriptions += len + strspn(descriptions + len, " ");
	}
	return NULL;
}

static void add(struct probes *ps, const struct provider *prov, const struct stable_probe *row, uint32_t id)
{
	struct probe *is = probe_find(ps, id) ? NULL : under(ps, row->under), *p;

	if (!is)
		return;
	p = probe_add(ps, prov, id, "vmlinux", row->func ? row->func : "", row->name);
	p->under = is;
	p->hook = is->hook;
	p->target = is->target;
	p->is_entry = is->is_entry && !strcmp(is->prov, p->prov);
	p->is_return = is->is_return && !strcmp(is->prov, p->prov);
	p->data = (void *)row;
}

static const struct provider *by_name(const char *name, int *at)
{
	for (const struct provider *const *p = providers + *at; *p; p++) {
		++*at;
		if ((*p)->table && (*p)->provide == stable_provide && glob_match(name, (*p)->name))
			return *p;
	}
	return NULL;
}

void stable_offer(struct probes *ps, const struct provider *prov, const struct pdesc *pd)
{
	for (int i = 0; prov->table[i].name; i++) {
		const struct stable_probe *row = &prov->table[i];
		uint32_t id = first_id(prov) + i;

		if (glob_match(pd->name, row->name) && glob_match(pd->func, row->func ? row->func : "") && pdesc_wants_id(pd, id, id))
			add(ps, prov, row, id);
	}
}

void stable_provide(struct probes *ps, const struct pdesc *pd)
{
	const struct provider *prov;
	int at = 0;

	while ((prov = by_name(pd->prov, &at)))
		stable_offer(ps, prov, pd);
}

static const struct type *arg_type(struct probes *ps, const struct probe *p, const char *text)
{
	int i = *text == '=' ? text[1] - '0' : -1;
	const struct type *t = i >= 0 ? i < p->under->nargs ? p->under->args[i].type : NULL : type_find(probes_types(ps), NULL, text);

	return t ? t : type_int(probes_types(ps), 8, true);
}

/* The types are promised by the table; what is below may only now know its place. */
void stable_args(struct probes *ps, struct probe *p)
{
	const struct stable_probe *row = p->data;
	struct probe_arg *args = arena_alloc(probes_arena(ps), ARRAY_SIZE(row->args) * sizeof(*args));

	probe_args(ps, p->under);
	p->target = p->under->target;
	while (p->nargs < (int)ARRAY_SIZE(row->args) && row->args[p->nargs].type) {
		args[p->nargs].type = arg_type(ps, p, row->args[p->nargs].type);
		p->nargs++;
	}
	p->args = args;
}

const char *stable_lacks(struct probes *ps, const struct pdesc *pd)
{
	const struct provider *prov;
	int at = 0;

	while ((prov = by_name(pd->prov, &at))) {
		for (int i = 0; prov->table[i].name; i++)
			if (glob_is_literal(pd->name) && !strcmp(pd->name, prov->table[i].name) && !under(ps, prov->table[i].under))
				return arena_printf(probes_arena(ps), "this kernel has none of the probes that %s:::%s is made of: %s",
						    prov->name, pd->name, prov->table[i].under);
	}
	return NULL;
}
