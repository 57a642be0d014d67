/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limit on the memory of a session (-x maxmem).
 *
 * Most of what a session needs is known before it begins: the kernel makes hash maps and the ring
 * with all of their memory at once, by the sizes of options (bufsize, aggsize, dynvarsize ...).
 * This, what the process has by then, and the buffers that options give it later (speculations,
 * bufpolicy) is summed up and compared with the limit: a sum that is larger is an error with its
 * parts, because a smaller buffer that the user did not choose would lose data later.
 *
 * What grows while tracing goes on gets the rest: half of it the totals of aggregations, a quarter
 * each what is read from other users' files (as foreignsize), and the mappings of processes, also
 * of those that have ended. Each has its own way to be full: new keys are dropped, which is
 * reported as an aggregation drop; files are not read, which foreign.c reports; and the oldest
 * processes that have ended are forgotten, so that their addresses print as numbers.
 *
 * The sizes are those of the kernel's elements as of Linux 6.18, within some percent; the memory
 * of programs, links and probes, and tables of symbols of the kernel and of root's own files,
 * which do not grow with time, are not in the sum.
 *
 * Rejected: a limit on the resident size of the process (a memory cgroup does that, and kills);
 * smaller buffers that fit (which one the script can do without is the user's to say).
 */
#include "libdt/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/consume.h"
#include "libdt/lang/sym.h"
#include "libdt/message.h"
#include "libdt/process/foreign.h"
#include "libdt/report.h"
#include "libdt/session.h"
#include "libdt/symbols/usym.h"

enum part { RING, KEPT, TOTALS, VARIABLES, SCRATCH, SPECULATIONS, TABLES, OTHERS, PROCESS, PARTS };

static const struct {
	const char *what, *options;
} names[PARTS] = {
    [RING] = {"the principal buffer", "bufsize"},
    [KEPT] = {"records that are kept", "bufpolicy, bufsize"},
    [TOTALS] = {"aggregations", "aggsize"},
    [VARIABLES] = {"variables", "dynvarsize"},
    [SCRATCH] = {"scratch memory", "scratchsize, strsize"},
    [SPECULATIONS] = {"speculations", "nspec, specsize"},
    [TABLES] = {"unwinding tables", "unwindsize"},
    [OTHERS] = {"other maps", NULL},
    [PROCESS] = {"dtrace itself", NULL},
};

struct sum {
	struct dt *dt;
	uint64_t of[PARTS];
};

static enum part part_of(struct dt *dt, const struct map *m)
{
	const struct shared_maps *maps = &dt->set->maps;

	if (m == &maps->ring)
		return RING;
	if (m == &maps->aggmem)
		return TOTALS;
	if (m == &maps->self || m == &maps->globals)
		return VARIABLES;
	if (m == &maps->scratch)
		return SCRATCH;
	if (m == &maps->specs || m == &maps->spec_tags)
		return SPECULATIONS;
	if (m == &maps->unwind_rows || m == &maps->unwind_spaces || m == &maps->unwind_files ||
	    m == &maps->unwind_cache || m == &maps->orc)
		return TABLES;
	for (int i = 0; i < dt->script->all.n; i++)
		if (m == &dt->script->all.v[i]->map)
			return VARIABLES;
	for (int i = 0; i < dt->set->counts.v.n; i++) {
		const struct aggr_maps *ag = dt->set->counts.v.v[i];

		if (m == ag->outer || m == ag->more_outer || m == &ag->gen[0] || m == &ag->gen[1])
			return TOTALS;
	}
	return OTHERS;
}

static void add_map(void *arg, const struct map *m)
{
	struct sum *s = arg;
	enum part part = part_of(s->dt, m);

	s->of[part] += map_memory_size(m);
	if (m == &s->dt->set->maps.specs)
		s->of[part] +=
		    opt_num(&s->dt->opts, OPT_NSPEC) * opt_num(&s->dt->opts, OPT_SPECSIZE);
	if (m == &s->dt->set->maps.ring && strcmp(opt_text(&s->dt->opts, OPT_BUFPOLICY), "switch"))
		s->of[KEPT] += opt_num(&s->dt->opts, OPT_BUFSIZE);
}

static uint64_t own_memory(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[256];
	uint64_t kb = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "RssAnon: %" SCNu64, &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb << 10;
}

static void put_size(struct strbuf *sb, uint64_t bytes)
{
	if (bytes < 1 << 20)
		sb_printf(sb, "%" PRIu64 "k", (bytes + 1023) >> 10);
	else
		sb_printf(sb, "%.1fm", bytes / 1048576.0);
}

static int refuse(struct dt *dt, const struct sum *s, uint64_t all)
{
	struct strbuf sb = {0};
	const char *comma = "";

	put_size(&sb, all);
	sb_puts(&sb, " are needed: ");
	for (int i = 0; i < PARTS; i++) {
		if (!s->of[i])
			continue;
		sb_puts(&sb, comma);
		put_size(&sb, s->of[i]);
		sb_printf(&sb, " for %s", names[i].what);
		if (names[i].options)
			sb_printf(&sb, " (%s)", names[i].options);
		comma = ", ";
	}
	report_error(dt, "failed to set -x maxmem=%s: %s", opt_text(&dt->opts, OPT_MAXMEM), sb.s);
	sb_free(&sb);
	return -1;
}

const char *memory_of_aggregations(struct dt *dt)
{
	struct sum s = {.dt = dt};
	struct strbuf sb = {0};
	const char *text;

	program_set_maps(dt->set, add_map, &s);
	put_size(&sb, s.of[TOTALS]);
	text = arena_strdup(dt->arena, sb_str(&sb));
	sb_free(&sb);
	return text;
}

int memory_start(struct dt *dt)
{
	struct sum s = {.dt = dt};
	uint64_t limit = opt_num(&dt->opts, OPT_MAXMEM), all = 0, rest;

	if (!dt->opts.v[OPT_MAXMEM].set)
		return 0;
	program_set_maps(dt->set, add_map, &s);
	s.of[PROCESS] = own_memory();
	for (int i = 0; i < PARTS; i++)
		all += s.of[i];
	if (all >= limit)
		return refuse(dt, &s, all);
	rest = limit - all;
	dt->aggrs->max_bytes = rest / 2;
	foreign_lower(dt->foreign, rest / 4);
	usyms_limit(dt->usyms, rest / 4);
	message_debug(dt, "%llu kB of memory are needed, and %llu kB remain for growth",
		      (unsigned long long)all >> 10, (unsigned long long)rest >> 10);
	return 0;
}
