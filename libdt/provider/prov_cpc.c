/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpc: EVENT-MODE-COUNT fires on a CPU whenever the event has happened COUNT times there in that
 * mode (user, kernel, all). The events are perf's (cpcevent.h), those that this machine counts; a
 * machine without counters has the software ones. Probes are made when a description names them;
 * listings show each event with a usual count.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/provider/cpcevent.h"
#include "libdt/provider/prov.h"

enum { ID_FIRST = 150000, ID_LAST = 199999 };

static const char devices[] = "/sys/bus/event_source/devices";

struct spec {
	char event[64];
	const char *mode;
	uint64_t count;
};

/* From the end, for events of sysfs may have "-" in their names. */
static bool parse(const char *text, struct spec *s)
{
	static const char *const modes[] = {"user", "kernel", "all"};
	const char *count = strrchr(text, '-'), *mode;
	char *end;

	if (!count || count[1] < '0' || count[1] > '9')
		return false;
	errno = 0;
	s->count = strtoull(count + 1, &end, 10);
	if (*end || errno)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		mode = count - strlen(modes[i]);
		if (mode - 1 <= text || mode[-1] != '-' ||
		    strncmp(mode, modes[i], strlen(modes[i])) ||
		    (size_t)(mode - text) > sizeof(s->event))
			continue;
		s->mode = modes[i];
		memcpy(s->event, text, mode - 1 - text);
		s->event[mode - 1 - text] = '\0';
		return true;
	}
	return false;
}

static struct perf_event_attr *make_attr(struct probes *ps, const struct cpc_event *e,
					 const struct spec *s)
{
	struct perf_event_attr *attr = arena_alloc(probes_arena(ps), sizeof(*attr));

	attr->type = e->type;
	attr->size = sizeof(*attr);
	attr->config = e->config[0];
	attr->config1 = e->config[1];
	attr->config2 = e->config[2];
	attr->sample_period = s->count;
	attr->exclude_kernel = attr->exclude_hv = *s->mode == 'u';
	attr->exclude_user = *s->mode == 'k';
	attr->disabled = 1;
	return attr;
}

static void add(struct probes *ps, const char *name, const struct spec *s,
		const struct cpc_event *e)
{
	struct perf_event_attr *attr;
	struct probe *p;
	uint32_t id;

	if (s->count < e->least || s->count > INT64_MAX)
		return;
	id = probe_hashed_id(ps, name, ID_FIRST, ID_LAST);
	attr = make_attr(ps, e, s);
	if (!id || probe_find(ps, id) || !hook_has_event(attr))
		return;
	p = probe_add(ps, &provider_cpc, id, "", "", name);
	p->hook = HOOK_PERF;
	p->target.perf = attr;
	p->target.cpu = -1;
}

struct listing {
	struct probes *ps;
	const struct pdesc *pd;
};

static void add_usual(void *arg, const char *name, const struct cpc_event *e)
{
	struct listing *l = arg;
	struct spec s = {.mode = "all", .count = e->usual};
	char full[160];

	snprintf(full, sizeof(full), "%s-all-%u", name, e->usual);
	if (glob_fits(l->pd->name, full))
		add(l->ps, full, &s, e);
}

/* A pattern, or a number from a listing, means what listings show. */
static void cpc_provide(struct probes *ps, const struct pdesc *pd)
{
	struct listing l = {ps, pd};
	struct cpc_event e;
	struct spec s;

	if (!glob_fits(pd->mod, "") || !glob_fits(pd->func, "") ||
	    !pdesc_wants_id(pd, ID_FIRST, ID_LAST))
		return;
	if (!*pd->name || !glob_is_literal(pd->name))
		cpc_event_each(devices, add_usual, &l);
	else if (parse(pd->name, &s) && cpc_event_find(devices, s.event, &e))
		add(ps, pd->name, &s, &e);
}

static const char *cpc_unavailable(struct probes *ps, const struct pdesc *pd)
{
	struct arena *a = probes_arena(ps);
	struct cpc_event e;
	struct spec s;

	if (!glob_is_literal(pd->prov) || !glob_is_literal(pd->name) || !*pd->name)
		return NULL;
	if (!parse(pd->name, &s))
		return "probes of the cpc provider are EVENT-MODE-COUNT, for example "
		       "page_faults-user-1000; "
		       "MODE is user, kernel or all";
	if (!cpc_event_find(devices, s.event, &e))
		return arena_printf(
		    a,
		    "there is no event %s; dtrace -l -P cpc lists those that this machine counts",
		    s.event);
	if (s.count < e.least)
		return arena_printf(a, "the least count of %s is %u", s.event, e.least);
	if (!hook_has_event(make_attr(ps, &e, &s)))
		return arena_printf(a, "this machine does not count %s", s.event);
	return NULL;
}

const struct provider provider_cpc = {
    .name = "cpc",
    .attr_provider = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON},
    .attr_module = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_function = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_CPU},
    .attr_args = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON},
    .provide = cpc_provide,
    .unavailable_reason = cpc_unavailable,
};
