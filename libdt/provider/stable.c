/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/provider/stable.h"

#include <string.h>

#include "libdt/provider/event.h"
#include "libdt/provider/prov.h"

/* Ids: some thousands for each provider, in the order of the list; rows in the order of the
 * table, STABLE_PARTS for each. */
enum { STABLE_FIRST = 200000, STABLE_ROWS = 4000 };

static uint32_t first_id(const struct provider *prov)
{
	uint32_t n = 0;

	for (const struct provider *const *p = providers; *p != prov; p++)
		n += (*p)->table != NULL;
	return STABLE_FIRST + n * STABLE_ROWS;
}

static const struct provider *by_name(const char *name, int *at)
{
	for (const struct provider *const *p = providers + *at; *p; p++) {
		++*at;
		if ((*p)->table && (*p)->provide == stable_provide && glob_fits(name, (*p)->name))
			return *p;
	}
	return NULL;
}

/* "sysinfo:unix:idle_enter:": the name of the probe that other systems have in that function; ""
 * when there is none. */
static const char *name_at(const char *prov_name, const char *func)
{
	const struct provider *prov;
	int at = 0;

	while ((prov = by_name(prov_name, &at)))
		for (const struct stable_probe *row = prov->table; row->name; row++)
			if (row->place && !strcmp(row->place, func))
				return row->name;
	return "";
}

/* Scripts of other systems name the provider, and the module and function where theirs is: those
 * do not count here. */
void stable_rewrite(struct pdesc *pd)
{
	if (!*pd->prov)
		return;
	if (!*pd->name)
		pd->name = name_at(pd->prov, pd->func);
	pd->mod = pd->func = "";
}

/* Calls fn for what this kernel has of "a+b+c", the first n bytes of a text; how many there
 * were. */
static int each_part(struct probes *ps, const char *text, size_t n,
		     void (*fn)(void *arg, struct probe *p, int part), void *arg)
{
	struct probe *parts[STABLE_PARTS] = {NULL};
	const char *end = text + n;
	int part = 0, have = 0;

	for (size_t len; text < end; text += len + 1, part++) {
		struct probe *p = NULL;
		struct pdesc pd;

		len = strcspn(text, "+ ");
		if (part < STABLE_PARTS &&
		    pdesc_parse(probes_arena(ps), arena_strndup(probes_arena(ps), text, len), 3,
				&pd))
			p = probes_first(ps, &pd);
		/* on aarch64 fork, which it lacks, is clone */
		for (int i = 0; i < part && i < STABLE_PARTS; i++)
			if (parts[i] == p)
				p = NULL;
		if (p)
			parts[part] = p;
		if (p && fn)
			fn(arg, p, part);
		have += p != NULL;
	}
	return have;
}

/* The same for the first of several, separated by blanks, of which the kernel has any. */
static int first_of(struct probes *ps, const char *text,
		    void (*fn)(void *arg, struct probe *p, int part), void *arg)
{
	int n = 0;

	for (; text && *text && !n; text += strcspn(text, " "), text += strspn(text, " "))
		n = each_part(ps, text, strcspn(text, " "), fn, arg);
	return n;
}

static int under(struct probes *ps, const struct stable_probe *row,
		 void (*fn)(void *arg, struct probe *p, int part), void *arg)
{
	for (const struct stable_probe *r = row; r->fallback; r--)
		if (first_of(ps, r[-1].base, NULL, NULL))
			return 0;
	return first_of(ps, row->base, fn, arg);
}

struct adding {
	struct probes *ps;
	const struct provider *prov;
	const struct stable_rows *in;
	const struct stable_probe *row;
	const struct pdesc *pd;
	uint32_t id; /* of the row's first */
};

static void add(void *arg, struct probe *is, int part)
{
	struct adding *a = arg;
	const char *func = a->row->func ? a->row->func : "";
	struct probe *p;

	if (!pdesc_wants_id(a->pd, a->id + part, a->id + part) || probe_find(a->ps, a->id + part))
		return;
	if ((strchr(a->row->base, '+') || a->prov->functions) && !*func)
		func = *is->func ? is->func : is->name;
	p = probe_add(a->ps, a->prov, a->id + part, a->in->module, func, a->row->name);
	p->prov = a->in->name;
	p->base = is;
	p->hook = is->hook;
	p->target = is->target;
	memcpy(p->select, is->select, sizeof(p->select));
	p->is_entry = is->is_entry && !strcmp(is->prov, p->prov);
	p->is_return = is->is_return && !strcmp(is->prov, p->prov);
	p->first = a->row->first;
	p->data = (void *)a->row;
}

/* What a counter that is not there has in its arguments. */
static const struct stable_arg counted[] = {{"uint64_t", "0"}, {"uint64_t *", "0"}};

/* A probe that never fires, for a name that scripts may have. */
static void add_never(const struct adding *a, const char *why)
{
	const char *func = a->row->func ? a->row->func : "";
	struct probe *p;

	if (!pdesc_wants_id(a->pd, a->id, a->id) || probe_find(a->ps, a->id))
		return;
	p = probe_add(a->ps, a->prov, a->id, a->in->module, func, a->row->name);
	p->prov = a->in->name;
	p->hook = HOOK_RAWTP;
	p->target.name = "sys_enter";
	p->data = (void *)a->row;
	p->unsupported = why;
}

/* Of several rows of one name the first stands for all. */
static bool is_first(const struct stable_probe *rows, int i)
{
	for (int k = 0; k < i; k++)
		if (!strcmp(rows[k].name, rows[i].name))
			return false;
	return true;
}

static bool has_any(struct probes *ps, const struct stable_probe *rows, const char *name)
{
	for (; rows->name; rows++)
		if (!strcmp(rows->name, name) && under(ps, rows, NULL, NULL))
			return true;
	return false;
}

/* Does a description mean names that only other systems have? Not if it means all probes. */
static bool means_never(const struct pdesc *pd)
{
	return !pd->id && strspn(pd->name, "*") < strlen(pd->name);
}

/* Those that one description has put into the table are for none that means all probes. */
bool stable_leaves_out(const struct pdesc *pd, const struct probe *p)
{
	return p->unsupported && !p->provider->counters && !means_never(pd);
}

void stable_offer_rows(struct probes *ps, const struct provider *prov, const struct stable_rows *in,
		       const struct pdesc *pd)
{
	for (int i = 0; in->rows[i].name; i++) {
		const struct stable_probe *row = &in->rows[i];
		uint32_t id = in->first_id + i * STABLE_PARTS;
		struct adding a = {ps, prov, in, row, pd, id};

		if (glob_fits(pd->name, row->name) &&
		    glob_fits(pd->func, row->func ? row->func : "") &&
		    pdesc_wants_id(pd, id, id + STABLE_PARTS - 1) && !probe_find(ps, id) &&
		    !under(ps, row, add, &a) &&
		    (prov->counters || (row->unsupported && means_never(pd))) &&
		    is_first(in->rows, i) && !has_any(ps, in->rows, row->name))
			add_never(&a, row->unsupported
					  ? row->unsupported
					  : arena_printf(probes_arena(ps),
							 "this kernel has none of %s", row->base));
	}
}

void stable_offer(struct probes *ps, const struct provider *prov, const struct pdesc *pd)
{
	struct stable_rows in = {prov->name, "vmlinux", prov->table, first_id(prov)};

	stable_offer_rows(ps, prov, &in, pd);
}

void stable_provide(struct probes *ps, const struct pdesc *pd)
{
	const struct provider *prov;
	int at = 0;

	while ((prov = by_name(pd->prov, &at)))
		stable_offer(ps, prov, pd);
}

const char *stable_prologue(const struct probe *p)
{
	return p->base ? ((const struct stable_probe *)p->data)->prologue : NULL;
}

static const struct type *arg_type(struct probes *ps, const struct probe *p, const char *text)
{
	int i = *text == '=' && p->base ? text[1] - '0' : -1;
	const struct type *t = i >= 0 ? i < p->base->nargs ? p->base->args[i].type : NULL
				      : type_find(probes_types(ps), NULL, text);

	return t ? t : type_int(probes_types(ps), 8, true);
}

/* The types are promised by the table; what is below may only now know its place. */
void stable_args(struct probes *ps, struct probe *p)
{
	const struct stable_probe *row = p->data;
	const struct stable_arg *of = p->unsupported && !row->args[0].type ? counted : row->args;
	int most = of == counted ? ARRAY_SIZE(counted) : ARRAY_SIZE(row->args);
	struct probe_arg *args = arena_alloc(probes_arena(ps), most * sizeof(*args));

	if (p->base) {
		probe_args(ps, p->base);
		p->target = p->base->target;
	}
	while (p->nargs < most && of[p->nargs].type) {
		args[p->nargs].type = arg_type(ps, p, of[p->nargs].type);
		p->nargs++;
	}
	p->args = args;
}

/* Are probes of tracepoints among these? */
static bool of_events(const char *base)
{
	return strstr(base, "rawtp:") || strstr(base, "sdt:");
}

const char *stable_unavailable(struct probes *ps, const struct pdesc *pd)
{
	const struct provider *prov;
	const char *why;
	int at = 0;

	while (glob_is_literal(pd->name) && (prov = by_name(pd->prov, &at)))
		for (const struct stable_probe *row = prov->table; row->name; row++) {
			if (strcmp(pd->name, row->name))
				continue;
			if (row->unsupported)
				return row->unsupported;
			if (under(ps, row, NULL, NULL))
				continue;
			why = of_events(row->base) ? events_unreadable(ps) : NULL;
			if (why)
				return arena_printf(probes_arena(ps), "%s:::%s is made of %s: %s",
						    prov->name, pd->name, row->base, why);
			return arena_printf(probes_arena(ps),
					    "this kernel has none of the probes that %s:::%s "
					    "needs: %s",
					    prov->name, pd->name, row->base);
		}
	return NULL;
}
