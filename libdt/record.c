/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -x record: the session's part of a recording. The consumer's is in consumer/recorder.c. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/consumer/consume.h"
#include "libdt/consumer/schema_file.h"
#include "libdt/drops.h"
#include "libdt/plan/plan.h"
#include "libdt/preamble.h"
#include "libdt/process/proc.h"
#include "libdt/record.h"
#include "libdt/report.h"
#include "libdt/session.h"

struct record {
	struct recording *file;
	struct answers *answers;
	struct schema_file schema;
	struct strbuf json, xml; /* the first line */
	uint64_t flushed;	 /* when it was written last */
	bool ended;
};

/* What a zone's file ends with: its rule, as TZ may have it. */
static bool read_rule(const char *path, char *rule, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	char *last = NULL;
	ssize_t n = 0;

	if (end > 0)
		n = pread(fd, rule, size - 1, MAX(0, end - (off_t)size + 1));
	if (fd >= 0)
		close(fd);
	if (n < 2 || rule[n - 1] != '\n')
		return false;
	rule[n - 1] = '\0';
	last = memrchr(rule, '\n', n - 1);
	if (!last || !last[1])
		return false;
	memmove(rule, last + 1, strlen(last + 1) + 1);
	return true;
}

/* The time zone as a rule, which no other machine needs a file for; else the offset of now. */
static const char *find_zone(struct arena *a)
{
	const char *tz = getenv("TZ"), *path = "/etc/localtime";
	time_t now = time(NULL);
	char rule[100];
	struct tm tm;
	long east;

	if (tz && *tz == ':')
		tz++;
	if (tz && *tz)
		path = *tz == '/' ? tz : arena_printf(a, "/usr/share/zoneinfo/%s", tz);
	if ((!tz || *tz) && read_rule(path, rule, sizeof(rule)))
		return arena_strdup(a, rule);
	if (tz && strpbrk(tz, "0123456789") && *tz != '/')
		return tz;
	if (!localtime_r(&now, &tm))
		return "UTC0";
	east = tm.tm_gmtoff;
	return arena_printf(a, "<%s>%c%ld:%02ld", tm.tm_zone, east < 0 ? '+' : '-',
			    labs(east) / 3600, labs(east) / 60 % 60);
}

/* Faults name places in clauses that record nothing. */
static void add_sources(struct dt *dt, struct schema_file *f)
{
	for (int i = 0; i < dt->plan->clauses.n; i++) {
		const struct clause *c = dt->plan->clauses.v[i];

		for (int s = 0; s < c->sites.n; s++)
			schema_file_source(f, c->sites.v[s].loc);
	}
}

static void put_schema(struct dt *dt)
{
	struct schema_file *f = &dt->record->schema;
	struct pack p = {.out = recording_chunk(dt->record->file, CHUNK_SCHEMA)};

	*f = (struct schema_file){
	    .schema = &dt->set->schema,
	    .aggrs = dt->aggrs,
	    .types = dt->types,
	    .ordered = dt->consume->temporal,
	    .early = dt->set->early,
	    .target = dt->consume->fmt.target,
	    .zone = find_zone(dt->arena),
	    .opts = &dt->opts,
	};
	add_sources(dt, f);
	schema_file_pack(f, &p);
}

static void put_preamble(struct dt *dt)
{
	struct record *r = dt->record;
	struct pack p = {.out = recording_chunk(r->file, CHUNK_PREAMBLE)};
	const char *text;

	preamble_text(dt, &writer_json, "json", &r->json);
	preamble_text(dt, &writer_xml, "xml", &r->xml);
	text = sb_str(&r->json);
	pack_lines(&p, &text);
	text = sb_str(&r->xml);
	pack_lines(&p, &text);
}

const char *record_preamble(const struct dt *dt, bool xml)
{
	if (!dt->record)
		return NULL;
	return sb_str(xml ? &dt->record->xml : &dt->record->json);
}

bool record_silent(const struct dt *dt)
{
	return opt_text(&dt->opts, OPT_RECORD) && !opt_on(&dt->opts, OPT_RECORDPRINT) && !dt->test;
}

int record_start(struct dt *dt, bool silent)
{
	const char *path = opt_text(&dt->opts, OPT_RECORD);
	struct recording *file;
	int err;

	if (!path)
		return 0;
	if (consume_metrics(&dt->opts))
		return report_error(dt,
				    "failed to record to %s: metrics (-x oformat=%s) are not "
				    "recorded",
				    path, opt_text(&dt->opts, OPT_OFORMAT));
	if (dt->opts.events)
		return report_error(
		    dt, "failed to record to %s: a receiver of dt_on_event( ) is set", path);
	file = recording_create(path, &err);
	if (!file)
		return report_error(dt, "failed to record to %s: %s", path,
				    err == -EEXIST ? "the file exists; remove it or name another"
						   : strerror(-err));
	dt->record = xcalloc(1, sizeof(*dt->record));
	dt->record->file = file;
	dt->record->flushed = clock_ns(CLOCK_MONOTONIC);
	put_schema(dt);
	put_preamble(dt);
	record_wall(dt);
	dt->record->answers = answers_new(file);
	dt->consume->recorder = recorder_new(dt->consume, file, dt->record->answers, silent);
	return 0;
}

static void put_message(struct dt *dt, const struct dt_message *m)
{
	struct pack p = {.out = recording_chunk(dt->record->file, CHUNK_MESSAGE)};
	uint32_t severity = m->severity, drop = m->drop;
	uint64_t count = m->count;
	const char *tag = m->tag, *text = m->text;
	int cpu = m->cpu;

	PACK(&p, &severity);
	PACK(&p, &drop);
	PACK(&p, &count);
	PACK(&p, &cpu);
	pack_text(&p, &tag);
	pack_lines(&p, &text);
}

void record_warning(struct dt *dt, const char *text)
{
	if (dt->record && !dt->record->ended)
		put_message(dt, &(struct dt_message){.severity = DT_MSG_WARNING, .text = text});
}

/* Warnings in a recording are the consumer's, which a replay gives to it: record_warning(). */
void record_message(struct dt *dt, const struct dt_message *m)
{
	bool wanted = m->severity != DT_MSG_DEBUG && m->severity != DT_MSG_VERIFIER &&
		      m->severity != DT_MSG_WARNING;

	if (wanted && dt->record && !dt->record->ended)
		put_message(dt, m);
}

void record_wall(struct dt *dt)
{
	uint64_t wall;

	if (!dt->record)
		return;
	wall = __atomic_load_n(&session_ctl(dt)->wall, __ATOMIC_RELAXED);
	sb_add(recording_chunk(dt->record->file, CHUNK_WALL), &wall, sizeof(wall));
}

void record_fault(struct dt *dt, const char *text, struct loc loc, bool reported)
{
	struct pack p = {0};

	if (!dt->record)
		return;
	p.out = recording_chunk(dt->record->file, CHUNK_FAULT);
	pack_lines(&p, &text);
	schema_file_loc(&dt->record->schema, &p, &loc);
	pack_bool(&p, &reported);
}

void record_interrupt(struct dt *dt)
{
	if (dt->record)
		recording_chunk(dt->record->file, CHUNK_INTERRUPT);
}

void record_final(struct dt *dt, bool line)
{
	struct pack p = {0};

	if (!dt->record)
		return;
	p.out = recording_chunk(dt->record->file, CHUNK_FINAL);
	PACK(&p, &dt->consume->ended);
	pack_bool(&p, &line);
}

static int fail_write(struct dt *dt, int err)
{
	return report_error(dt, "failed to write the recording %s: %s",
			    opt_text(&dt->opts, OPT_RECORD), strerror(-err));
}

int record_flush(struct dt *dt)
{
	enum { EVERY_NS = 1000000000 };
	uint64_t now;

	if (!dt->record)
		return 0;
	now = clock_ns(CLOCK_MONOTONIC);
	if (now - dt->record->flushed >= EVERY_NS) {
		dt->record->flushed = now;
		recording_flush(dt->record->file);
	}
	return recording_error(dt->record->file) ? fail_write(dt, recording_error(dt->record->file))
						 : 0;
}

int record_end(struct dt *dt)
{
	struct record *r = dt->record;
	uint64_t drops = dt->lost->total;
	struct pack p = {0};
	int status, err;

	if (!r || r->ended)
		return 0;
	status = dt->consume->status;
	if (!status && opt_on(&dt->opts, OPT_CMDSTATUS))
		status = proc_status(dt->procs);
	p.out = recording_chunk(r->file, CHUNK_END);
	PACK(&p, &status);
	PACK(&p, &drops);
	recording_flush(r->file);
	r->ended = true;
	err = recording_error(r->file);
	return err ? fail_write(dt, err) : 0;
}

void record_free(struct dt *dt)
{
	struct record *r = dt->record;

	if (!r)
		return;
	recording_close(r->file, !dt->going && !dt->test);
	answers_free(r->answers);
	schema_file_free(&r->schema);
	sb_free(&r->json);
	sb_free(&r->xml);
	free(r);
}
