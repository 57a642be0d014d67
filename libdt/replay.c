/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -x replay: gives a consumer what a recorded one got, in the same order, so that it does the same.
 * What the consumer asks for (a snapshot, what is reported of a fault) is the next thing in the
 * file, because the recorded one asked for it at the same point. Where the file is damaged that
 * need not be so: what is not there is not given, and what is not asked for counts when it comes.
 *
 * The file is untrusted. schema_file.c and the functions here check it; the consumer relies on no
 * more than that.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libdt/consumer/consume.h"
#include "libdt/consumer/schema_file.h"
#include "libdt/drops.h"
#include "libdt/message.h"
#include "libdt/report.h"
#include "libdt/schema_rows.h"
#include "libdt/session.h"
#include "libdt/symbols/cgroup.h"
#include "libdt/symbols/ksym.h"
#include "libdt/symbols/usym.h"

struct replay {
	struct dt *dt;
	struct playback *file;
	struct answers *answers;
	struct schema schema;
	struct schema_file schema_file;
	uint64_t wall;
	bool released, final, ended, nonsense; /* nonsense: some chunk makes no sense */
	bool reported;			       /* what is left out */
	int error;			       /* of the output */
};

/* Chunks ------------------------------------------------------------------ */

/* A chunk by itself: others may be read while it is processed. */
struct piece {
	int kind;
	uint8_t *data;
	size_t size;
};

static int peek(struct replay *r, const uint8_t **data, size_t *size)
{
	int kind;

	while ((kind = playback_peek(r->file, data, size)) == CHUNK_ANSWERS) {
		r->nonsense |= !answers_load(r->answers, *data, *size);
		playback_take(r->file);
	}
	return kind;
}

/* With the answers that follow: it asks for them. */
static void take(struct replay *r, struct piece *piece, const uint8_t *data)
{
	size_t size;

	piece->data = xmalloc(MAX(piece->size, 1u));
	if (piece->size)
		memcpy(piece->data, data, piece->size);
	playback_take(r->file);
	peek(r, &data, &size);
}

/* False: there is none. The data is to be freed. */
static bool next(struct replay *r, struct piece *piece)
{
	const uint8_t *data;

	piece->kind = peek(r, &data, &piece->size);
	if (piece->kind >= 0)
		take(r, piece, data);
	return piece->kind >= 0;
}

/* The next one, if it is of a kind. */
static bool next_of(struct replay *r, enum chunk kind, struct piece *piece)
{
	const uint8_t *data;

	piece->kind = peek(r, &data, &piece->size);
	if (piece->kind != (int)kind)
		return false;
	take(r, piece, data);
	return true;
}

static struct pack reader(const struct replay *r, const struct piece *piece)
{
	return pack_reader(piece->data, piece->size, r->dt->arena);
}

static void done(struct replay *r, const struct pack *p)
{
	r->nonsense |= p->bad || p->at != p->end;
}

/* What the consumer asks for ---------------------------------------------- */

enum { PARTS_MAX = 1 << 27 }; /* numbers of totals for each CPU, of all keys */

static bool add_row(struct replay *r, struct pack *p)
{
	struct aggrs *as = r->dt->aggrs;
	uint32_t id = 0, cpu = 0;
	const uint8_t *key;
	struct aggr *ag;
	int64_t *value;
	size_t size;

	PACK(p, &id);
	PACK(p, &cpu);
	if (p->bad || id >= (uint32_t)as->v.n || cpu > INT32_MAX)
		return false;
	ag = as->v.v[id];
	size = aggr_words(ag) * sizeof(*value);
	if ((size_t)(p->end - p->at) < ag->key_size + size ||
	    (as->percpu && ag->totals.live * as->ncpus > PARTS_MAX))
		return false;
	key = p->at;
	p->at += ag->key_size;
	value = xmalloc(size);
	pack_bytes(p, value, size);
	aggr_merge_row(as, ag, key, cpu, value);
	free(value);
	return true;
}

static void add_rows(struct replay *r, const struct piece *piece)
{
	struct pack p = reader(r, piece);

	while (p.at < p.end)
		if (!add_row(r, &p)) {
			r->nonsense = true;
			return;
		}
}

/* True: a snapshot ends here. */
static bool take_snapshot(struct replay *r, const struct piece *piece)
{
	struct aggrs *as = r->dt->aggrs;
	uint64_t now = 0, snapshot = 0, ends = 0;
	struct pack p = reader(r, piece);

	PACK(&p, &now);
	PACK(&p, &snapshot);
	PACK(&p, &ends);
	done(r, &p);
	if (p.bad)
		return false;
	as->now_ns = now;
	if (!ends)
		return false;
	as->snapshot_ns = snapshot;
	aggrs_snapshot_end(as);
	return true;
}

/* The aggregations' take(). */
static int snapshot(void *arg)
{
	struct replay *r = arg;
	struct piece piece;
	bool ends = false;

	while (!ends) {
		if (next_of(r, CHUNK_ROWS, &piece))
			add_rows(r, &piece);
		else if (next_of(r, CHUNK_SNAPSHOT, &piece))
			ends = take_snapshot(r, &piece);
		else
			break;
		free(piece.data);
	}
	return 0;
}

static void put_fault(struct replay *r, const struct piece *piece, const struct rec_header *h,
		      const struct rec_error *e)
{
	struct consume *c = r->dt->consume;
	struct pack p = reader(r, piece);
	const char *text = NULL;
	struct loc loc = {0};
	bool reported = false;

	pack_lines(&p, &text);
	schema_file_loc(&r->schema_file, &p, &loc);
	pack_bool(&p, &reported);
	done(r, &p);
	if (p.bad || !text)
		return;
	if (reported) {
		fflush(c->sink);
		message_receive(r->dt, (struct dt_message){.severity = DT_MSG_FAULT, .text = text},
				loc);
	}
	if (consume_writes(c) && h && h->probe < (unsigned)r->schema.probes.n)
		consume_write_fault(c, h, e, loc, text);
}

/* The consumer's on_error: ERROR probes have fired, and their records come. */
static void on_error(void *arg, const struct rec_header *h, const struct rec_error *e)
{
	struct replay *r = arg;
	struct piece piece;

	if (!next_of(r, CHUNK_FAULT, &piece))
		return;
	put_fault(r, &piece, h, e);
	free(piece.data);
}

/* What comes -------------------------------------------------------------- */

static void put_records(struct replay *r, const struct piece *piece)
{
	struct pack p = reader(r, piece);

	while (p.at < p.end && !r->error) {
		const uint8_t *data;
		uint64_t size = 0;

		PACK(&p, &size);
		if (p.bad || size > (uint64_t)(p.end - p.at)) {
			r->nonsense = true;
			return;
		}
		data = p.at;
		p.at += MIN(ALIGN_UP(size, 8), (uint64_t)(p.end - p.at));
		if (consume_record(r->dt->consume, data, size) < 0 && !r->dt->consume->error)
			r->nonsense = true;
		r->error = r->dt->consume->error;
	}
}

static void put_message(struct replay *r, const struct piece *piece)
{
	struct pack p = reader(r, piece);
	struct dt_message m = {0};
	uint32_t severity = 0, drop = 0;

	PACK(&p, &severity);
	PACK(&p, &drop);
	PACK(&p, &m.count);
	PACK(&p, &m.cpu);
	pack_text(&p, &m.tag);
	pack_lines(&p, &m.text);
	pack_require(&p, severity < DT_MSG_VERIFIER || severity == DT_MSG_PROCESS);
	pack_require(&p, drop < ARRAY_SIZE(r->dt->lost->of) && m.text);
	done(r, &p);
	if (p.bad)
		return;
	m.severity = severity;
	m.drop = drop;
	if (severity == DT_MSG_DROP) {
		r->dt->lost->total += m.count;
		r->dt->lost->of[drop] += m.count;
	}
	if (severity == DT_MSG_WARNING) {
		consume_warn(r->dt->consume, "%s", m.text);
		consume_write_warnings(r->dt->consume);
	} else {
		message_receive(r->dt, m, (struct loc){0});
	}
}

static void put_report(struct replay *r, const struct piece *piece)
{
	struct pack p = reader(r, piece);
	const char *tag = NULL, *text = NULL;
	uint64_t time = 0, n = 0;
	int cpu = 0;

	PACK(&p, &time);
	PACK(&p, &n);
	PACK(&p, &cpu);
	pack_text(&p, &tag);
	pack_lines(&p, &text);
	done(r, &p);
	if (!p.bad && text)
		consume_report(r->dt->consume, time, tag ?: REPORT_PROCESS, n, cpu, text);
}

static int put_preamble(struct replay *r, const struct piece *piece)
{
	const char *texts[2] = {NULL, NULL};
	struct consume *c = r->dt->consume;
	struct pack p = reader(r, piece);

	pack_lines(&p, &texts[0]);
	pack_lines(&p, &texts[1]);
	done(r, &p);
	if (!consume_writes(c) || p.bad || !texts[0] || !texts[1])
		return 0;
	return consume_write_preamble(c, texts[0], texts[1]);
}

static int release(struct replay *r)
{
	r->released = true;
	return consume_release(r->dt->consume);
}

/* As dt_stop(). */
static int put_final(struct replay *r, uint64_t ended, bool line)
{
	struct consume *c = r->dt->consume;
	int err;

	r->final = true;
	c->ended = ended;
	if (line && !consume_writes(c))
		consume_end_text(c);
	err = r->dt->aggrs->v.n ? aggrs_snapshot(r->dt->aggrs) : 0;
	return err || consume_writes(c) ? err : consume_aggregations(c);
}

static int read_final(struct replay *r, const struct piece *piece)
{
	struct pack p = reader(r, piece);
	uint64_t ended = 0;
	bool line = false;

	PACK(&p, &ended);
	pack_bool(&p, &line);
	done(r, &p);
	return put_final(r, ended, line);
}

static void read_end(struct replay *r, const struct piece *piece)
{
	struct pack p = reader(r, piece);
	uint64_t drops = 0;
	int status = 0;

	PACK(&p, &status);
	PACK(&p, &drops);
	done(r, &p);
	r->ended = !p.bad;
	if (!p.bad && !r->dt->consume->status)
		r->dt->consume->status = status;
}

static void put_interrupt(struct replay *r)
{
	struct consume *c = r->dt->consume;

	if (c->oformat == OFORMAT_TEXT && (!opt_on(c->opts, OPT_QUIET) || isatty(fileno(c->sink))))
		fputc('\n', c->out);
}

/* A chunk of as many 64-bit numbers. */
static bool read_numbers(struct replay *r, const struct piece *piece, uint64_t *numbers, int n)
{
	struct pack p = reader(r, piece);

	for (int i = 0; i < n; i++)
		PACK(&p, &numbers[i]);
	done(r, &p);
	return !p.bad;
}

static void read_probes(struct replay *r, const struct piece *piece)
{
	struct pack p = reader(r, piece);

	schema_file_probes(&r->schema, &p, r->schema.probes.n);
	done(r, &p);
}

static int process(struct replay *r, const struct piece *piece)
{
	struct consume *c = r->dt->consume;
	uint64_t n[3] = {0};

	switch (piece->kind) {
	case CHUNK_PROBES:
		read_probes(r, piece);
		break;
	case CHUNK_PREAMBLE:
		return put_preamble(r, piece);
	case CHUNK_RECORDS:
		put_records(r, piece);
		break;
	case CHUNK_MARK:
		if (read_numbers(r, piece, n, 2))
			consume_drain_begin(c, n[0], n[1]);
		break;
	case CHUNK_REACHED:
		return read_numbers(r, piece, n, 1) ? MIN(consume_drain_end(c, n[0]), 0) : 0;
	case CHUNK_FLUSH:
		return MIN(consume_drain_all(c), 0);
	case CHUNK_RETIRE:
		if (read_numbers(r, piece, n, 2))
			consume_retire(c, n[0], n[1]);
		break;
	case CHUNK_SPEC_END:
		return read_numbers(r, piece, n, 3) ? consume_spec_end(c, n[0], n[1], n[2]) : 0;
	case CHUNK_ROWS:
		add_rows(r, piece);
		break;
	case CHUNK_SNAPSHOT:
		take_snapshot(r, piece);
		break;
	case CHUNK_FAULT:
		put_fault(r, piece, NULL, NULL);
		break;
	case CHUNK_MESSAGE:
		put_message(r, piece);
		break;
	case CHUNK_REPORT:
		put_report(r, piece);
		break;
	case CHUNK_SAMPLED:
		if (read_numbers(r, piece, n, 2) && n[0] < (uint64_t)c->aggrs->v.n)
			aggr_sample(c->aggrs->v.v[n[0]], n[1]);
		break;
	case CHUNK_WALL:
		if (read_numbers(r, piece, n, 1))
			r->wall = n[0];
		break;
	case CHUNK_INTERRUPT:
		put_interrupt(r);
		break;
	case CHUNK_RELEASE:
		return release(r);
	case CHUNK_FINAL:
		return read_final(r, piece);
	case CHUNK_END:
		read_end(r, piece);
		break;
	default:
		r->nonsense = true;
	}
	return 0;
}

/* The beginning ----------------------------------------------------------- */

/* Instead of system(), freopen() and ftruncate(). */
static int leave_out(struct consume *c, const struct act *act, const uint8_t *data)
{
	struct replay *r = c->on_error_arg;

	(void)data;
	c->ended_line |= strcmp(act->name, "system") != 0;
	if (!r->reported)
		message(r->dt, DT_MSG_WARNING,
			"replay does not carry out system( ), freopen( ) and ftruncate( ): "
			"what they did is left out");
	r->reported = true;
	return 0;
}

static bool find_action(struct act *act)
{
	static const char *const left_out[] = {"system", "freopen", "ftruncate"};

	if (!schema_action(act))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(left_out); i++)
		if (!strcmp(act->name, left_out[i]))
			act->print = leave_out;
	return true;
}

/* A rule that names no file. */
static bool is_zone(const char *zone)
{
	return *zone && !strstr(zone, "..") && *zone != '/' && *zone != ':' &&
	       !zone[strspn(zone, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				  "<>+-,.:/")];
}

static int fail(struct dt *dt, const char *why)
{
	return report_error(dt, "failed to replay %s: %s", opt_text(&dt->opts, OPT_REPLAY), why);
}

static int load_schema(struct replay *r, FILE *out)
{
	struct dt *dt = r->dt;
	struct schema_file *f = &r->schema_file;
	struct piece piece;
	struct pack p;

	if (!next_of(r, CHUNK_SCHEMA, &piece))
		return fail(dt, "the description of its records is damaged or missing");
	p = reader(r, &piece);
	*f = (struct schema_file){
	    .schema = &r->schema,
	    .aggrs = dt->aggrs,
	    .types = dt->types,
	    .opts = &dt->opts,
	    .action = find_action,
	    .aggfunc = schema_aggfunc,
	    .escape = fmt_escape(out, opt_on(&dt->opts, OPT_RAWBYTES)),
	};
	schema_file_pack(f, &p);
	free(piece.data);
	if (p.bad)
		return fail(dt, "the description of its records makes no sense");
	if (f->zone && is_zone(f->zone)) {
		setenv("TZ", f->zone, 1);
		tzset();
	}
	types_set_string(dt->types, opt_num(&dt->opts, OPT_STRSIZE));
	return 0;
}

static int make_consumer(struct replay *r, FILE *out)
{
	struct dt *dt = r->dt;
	struct consume *c;

	dt->aggrs->percpu = opt_on(&dt->opts, OPT_AGGPERCPU);
	dt->aggrs->expire_ns = opt_num(&dt->opts, OPT_AGGEXPIRE);
	dt->aggrs->take = snapshot;
	dt->aggrs->take_arg = r;
	if (session_make_consumer(dt, out) < 0)
		return -1;
	c = dt->consume;
	c->replay = true;
	c->schema = &r->schema;
	c->wall = &r->wall;
	c->fmt.answers = r->answers;
	c->fmt.target = r->schema_file.target;
	c->on_error = on_error;
	c->on_error_arg = r;
	if (r->schema_file.ordered)
		consume_ordered(c, r->schema_file.early);
	dt->opts.going = true;
	return 0;
}

static int begin(struct replay *r, FILE *out)
{
	struct dt *dt = r->dt;
	const char *why;

	r->file = playback_open(opt_text(&dt->opts, OPT_REPLAY), &why);
	if (!r->file)
		return fail(dt, why);
	r->answers = answers_new(NULL);
	dt->types = types_new(false, "none");
	dt->aggrs = aggrs_new(1);
	dt->aggrs->syms = dt->syms = syms_new(NULL, NULL);
	dt->aggrs->usyms = dt->usyms = usyms_new(NULL);
	dt->aggrs->cgroups = dt->cgroups = cgroups_new();
	syms_set_answers(dt->syms, r->answers);
	usyms_set_answers(dt->usyms, r->answers);
	cgroups_set_answers(dt->cgroups, r->answers);
	if (load_schema(r, out) < 0)
		return -1;
	if (consume_metrics(&dt->opts))
		return fail(dt, "a recording has no metrics (-x oformat=openmetrics, prometheus)");
	return make_consumer(r, out);
}

/* What the end of a file that is cut lacks is done all the same. */
static int end(struct replay *r)
{
	struct consume *c = r->dt->consume;
	int err = 0;

	if (!r->released)
		err = consume_drain_rest(c) ?: release(r);
	if (!r->final && !err)
		err = put_final(r, 0, true);
	return consume_finish(c, r->dt->lost->total, err);
}

static int report_damage(struct replay *r)
{
	const char *path = opt_text(&r->dt->opts, OPT_REPLAY);
	uint64_t damaged = playback_damaged(r->file);

	if (damaged)
		return report_error(r->dt, "the recording %s is damaged: %llu bytes were skipped",
				    path, (unsigned long long)damaged),
		       1;
	if (r->nonsense || playback_gaps(r->file))
		return report_error(r->dt, "the recording %s is damaged: parts were skipped", path),
		       1;
	if (!r->ended)
		return report_error(r->dt, "the recording %s is not complete: it has no end", path),
		       1;
	return 0;
}

int dt_replay(struct dt *dt, FILE *out)
{
	struct replay *r;
	struct piece piece;
	int err = 0;

	if (!opt_text(&dt->opts, OPT_REPLAY) || dt->types || dt->replay)
		return report_error(dt, "nothing to replay: set -x replay in a new session");
	out = session_output(dt, out);
	r = dt->replay = xcalloc(1, sizeof(*r));
	r->dt = dt;
	if (begin(r, out) < 0)
		return -1;
	while (!err && !r->error && next(r, &piece)) {
		err = process(r, &piece);
		free(piece.data);
	}
	err = err ? err : r->error;
	if (!err)
		err = end(r);
	if (err == -EPIPE)
		return 0;
	if (err)
		return report_error(dt, "failed to print: %s", strerror(-err));
	return report_damage(r);
}

void replay_free(struct dt *dt)
{
	struct replay *r = dt->replay;

	if (!r)
		return;
	playback_close(r->file);
	answers_free(r->answers);
	schema_free(&r->schema);
	schema_file_free(&r->schema_file);
	free(r);
}
