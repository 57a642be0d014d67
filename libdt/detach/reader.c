/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dtrace -a, and the one that stops a session: see detach.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bpf/ring.h"
#include "libdt/base/clock.h"
#include "libdt/compile.h"
#include "libdt/consumer/consume.h"
#include "libdt/detach/description.h"
#include "libdt/detach/detach.h"
#include "libdt/detach/state.h"
#include "libdt/drops.h"
#include "libdt/engine/programs.h"
#include "libdt/engine/snapshot.h"
#include "libdt/fault.h"
#include "libdt/loop.h"
#include "libdt/message.h"
#include "libdt/report.h"
#include "libdt/schema_rows.h"
#include "libdt/session.h"
#include "libdt/start.h"
#include "libdt/totals.h"

struct reader {
	struct dt *dt;
	const char *verb; /* of errors: read or stop */
	FILE *out;
	struct store store;
	struct description d;
	struct position pos;	       /* as it was stored last, but for what ... */
	uint64_t (*drops)[DROP_COUNT]; /* ... is reported and not stored yet */
	uint64_t number;	       /* of the totals that were stored last */
	struct strbuf data;	       /* of the file that is written */
	struct totals_commit commit;
	struct prog end;
	size_t batch,
	    unstored; /* bytes of records in the batch, and since the position was stored */
};

/* The position is stored after so many bytes of records: what a reader that is killed may have
 * printed, and the next one prints again. */
enum { BATCH = 256 << 10, BATCH_FULL = -4096 };
/* How long a program may take to finish a record that it has begun. */
enum { PATIENCE_NS = 1000000000, POLL_NS = 500000 };

static int fail(struct reader *r, const char *what, int err)
{
	return report_error(r->dt, "failed to %s the detached session %s: %s%s%s", r->verb,
			    r->store.name, what, *what && err ? ": " : "",
			    err ? strerror(-err) : "");
}

/* State --------------------------------------------------------------------- */

static void hold(void *arg, const void *data, size_t size)
{
	static const char zeroes[8];
	struct strbuf *held = arg;
	uint64_t n = size;

	if (((const struct rec_header *)data)->clause == REC_REPORT)
		return; /* of this reader */
	sb_add(held, &n, sizeof(n));
	sb_add(held, data, size);
	sb_add(held, zeroes, ALIGN_UP(size, 8) - size);
}

/* Stores how far the session was read, when that is written out. last: drops, too. */
static int store_position(struct reader *r, bool last)
{
	struct consume *c = r->dt->consume;
	struct pack p = {.out = &r->data};
	int rc;

	if (fflush(c->sink))
		return -errno;
	r->pos.held.len = r->data.len = 0;
	if (c->temporal)
		temporal_each(c->temporal, hold, &r->pos.held);
	r->pos.ring = r->dt->ring ? ring_consumed(r->dt->ring) : 0;
	r->pos.exited = c->exited;
	r->pos.status = c->status;
	if (last)
		memcpy(r->pos.drops, r->drops, r->pos.ncpus * sizeof(*r->drops));
	state_pack_position(&r->pos, r->dt->aggrs, &p);
	rc = store_write(&r->store, "position", &r->data);
	if (!rc && r->dt->ring)
		ring_release(r->dt->ring);
	r->unstored = 0;
	return rc;
}

static int store_totals(void *arg)
{
	struct reader *r = arg;
	struct pack p = {.out = &r->data};
	uint64_t number = r->number + 1;
	int rc;

	r->data.len = 0;
	state_pack_totals(&number, r->dt->aggrs, &p);
	rc = store_write(&r->store, "totals", &r->data);
	if (!rc)
		r->number = number;
	return rc;
}

static void totals_removed(void *arg)
{
	struct reader *r = arg;

	__atomic_store_n(&session_ctl(r->dt)->removed, r->number, __ATOMIC_SEQ_CST);
}

/* The records that the reader before this one held. */
static int take_held(struct reader *r)
{
	const char *at = r->pos.held.s, *end = at + r->pos.held.len;
	int err = 0;

	while (!err && end - at > 8) {
		uint64_t size;

		memcpy(&size, at, sizeof(size));
		at += sizeof(size);
		if (size > (size_t)(end - at))
			return -EINVAL;
		err = consume_record(r->dt->consume, at, size);
		at += MIN(ALIGN_UP(size, 8), (uint64_t)(end - at));
	}
	return err;
}

static int load_position(struct reader *r)
{
	struct strbuf sb = {0};
	struct pack p;
	int rc = store_read(&r->store, "position", &sb);

	r->pos.ncpus = r->dt->aggrs->ncpus;
	r->pos.drops = xcalloc(r->pos.ncpus, sizeof(*r->pos.drops));
	r->drops = xcalloc(r->pos.ncpus, sizeof(*r->drops));
	p = pack_reader(sb.s, sb.len, r->dt->arena);
	if (!rc)
		state_pack_position(&r->pos, r->dt->aggrs, &p);
	sb_free(&sb);
	memcpy(r->drops, r->pos.drops, r->pos.ncpus * sizeof(*r->drops));
	return rc ? rc : p.bad ? -EINVAL : 0;
}

/* What programs do not write any more. */
static int remove_old(struct dt *dt)
{
	return snapshot_remove(&dt->set->counts, !(session_ctl(dt)->generation & 1));
}

/* What a reader that was killed has stored, and not removed from the maps, is removed. */
static int load_totals(struct reader *r)
{
	struct strbuf sb = {0};
	struct pack p;
	uint64_t removed = session_ctl(r->dt)->removed;
	int rc = store_read(&r->store, "totals", &sb);

	p = pack_reader(sb.s, sb.len, r->dt->arena);
	if (!rc)
		state_pack_totals(&r->number, r->dt->aggrs, &p);
	sb_free(&sb);
	if (rc || p.bad || r->number < removed || r->number > removed + 1)
		return rc ? rc : -EINVAL;
	if (r->number > removed && !(rc = remove_old(r->dt)))
		totals_removed(r);
	return rc;
}

/* The session --------------------------------------------------------------- */

static int load_description(struct reader *r, FILE *out)
{
	struct dt *dt = r->dt;
	struct strbuf sb = {0};
	struct pack p;
	int rc = store_read(&r->store, "description", &sb);

	r->d.file = (struct schema_file){
	    .schema = &dt->set->schema,
	    .aggrs = dt->aggrs,
	    .types = dt->types,
	    .opts = &dt->opts,
	    .action = schema_action,
	    .aggfunc = schema_aggfunc,
	    .escape = fmt_escape(out, opt_on(&dt->opts, OPT_RAWBYTES)),
	};
	p = pack_reader(sb.s, sb.len, dt->arena);
	if (!rc)
		description_pack(&r->d, &p);
	sb_free(&sb);
	return rc ? rc : p.bad ? -EINVAL : 0;
}

static void on_error(void *arg, const struct rec_header *h, const struct rec_error *e)
{
	struct reader *r = arg;
	const struct schema *s = &r->dt->set->schema;
	struct fault_site site = {0};

	if (e->clause >= (unsigned)s->layouts.n || h->probe >= (unsigned)s->probes.n)
		return;
	if (e->site < (unsigned)r->d.clauses[e->clause].n)
		site = r->d.clauses[e->clause].v[e->site];
	fault_report(r->dt, h, e, s->probes.v[h->probe], &site);
}

static int run_end(void *arg, const char *name, const uint64_t *args, int nargs)
{
	struct reader *r = arg;

	(void)name;
	return r->end.fd < 0 ? 0 : prog_run(&r->end, args, nargs, NULL);
}

static int make_consumer(struct reader *r)
{
	struct dt *dt = r->dt;
	struct consume *c;

	if (session_make_consumer(dt, r->out) < 0)
		return -1;
	c = dt->consume;
	c->schema = &dt->set->schema;
	c->wall = &session_ctl(dt)->wall;
	c->on_error = on_error;
	c->on_error_arg = r;
	c->exited = r->pos.exited;
	c->status = r->pos.status;
	start_srclines(dt);
	if (r->d.file.ordered)
		consume_ordered(c, r->d.file.early);
	dt->opts.going = dt->going = dt->stopped = true;
	return 0;
}

static void share_aggregations(struct reader *r)
{
	struct aggrs *as = r->dt->aggrs;

	r->commit = (struct totals_commit){store_totals, totals_removed, r};
	totals_begin(r->dt, r->d.sleepers, &r->commit);
	as->percpu = opt_on(&r->dt->opts, OPT_AGGPERCPU);
	as->expire_ns = opt_num(&r->dt->opts, OPT_AGGEXPIRE);
}

static int open_maps(struct reader *r)
{
	struct dt *dt = r->dt;
	int rc = pins_open(dt, &r->store);

	if (rc)
		return fail(r, "its maps cannot be used", rc);
	dt->set->counts.sync = sync_new();
	if (!dt->set->counts.sync)
		return fail(r, "cannot make a map", -errno);
	share_aggregations(r);
	dt->set->drops_reported = r->drops;
	dt->set->runner = run_end;
	dt->set->runner_arg = r;
	loop_set_clocks(dt);
	if (dt->set->maps.ring.fd < 0)
		return 0;
	dt->ring = ring_open(&dt->set->maps.ring);
	if (!dt->ring)
		return fail(r, "failed to map the ring buffer", -errno);
	ring_hold(dt->ring);
	return ring_seek(dt->ring, r->pos.ring) ? 0 : fail(r, "its position is damaged", 0);
}

/* Only what the session has decided: buffers are not the reader's. */
static void fix_options(struct opts *o)
{
	opts_set(o, "bufpolicy", "switch", NULL, 0);
}

static int open_session(struct reader *r)
{
	struct dt *dt = r->dt;
	int rc;

	if (opt_text(&dt->opts, OPT_RECORD) || consume_metrics(&dt->opts))
		return fail(r, "readers neither record nor have metrics", 0);
	dt->types = types_new(false, "none");
	dt->aggrs = aggrs_new(1);
	compile_open_symbols(dt);
	if ((rc = load_description(r, r->out)))
		return fail(r, "its description is damaged", rc);
	fix_options(&dt->opts);
	types_set_string(dt->types, opt_num(&dt->opts, OPT_STRSIZE));
	if ((rc = load_position(r)))
		return fail(r, "its position is damaged", rc);
	if (open_maps(r) < 0)
		return -1;
	if ((rc = load_totals(r)))
		return fail(r, "its totals are damaged", rc);
	if (make_consumer(r) < 0)
		return -1;
	rc = take_held(r);
	return rc ? fail(r, "its position is damaged", rc) : 0;
}

/* Reading ------------------------------------------------------------------- */

static int take_record(void *arg, const void *data, size_t size)
{
	struct reader *r = arg;
	int rc = consume_record(r->dt->consume, data, size);

	r->batch += size;
	r->unstored += size;
	return rc ? rc : r->batch >= BATCH ? BATCH_FULL : 0;
}

/* A position has all records that wait for their turn, as those of a backlog do until its end is
 * reached: stored after each batch they would be written again and again. */
static bool is_store_due(const struct reader *r)
{
	return r->unstored >= r->pos.held.len;
}

/* Prints what the ring has, and stores the position unless it is END's. Returns how many records
 * there were, or -errno. */
static int drain(struct reader *r, bool store)
{
	struct dt *dt = r->dt;
	int n, err;

	consume_drain_begin(dt->consume, clock_ns(CLOCK_MONOTONIC), ring_produced(dt->ring));
	n = ring_drain(dt->ring, take_record, r);
	if (n == BATCH_FULL)
		n = 1;
	if (n < 0)
		return n;
	err = consume_drain_end(dt->consume, ring_consumed(dt->ring));
	r->batch = 0;
	if (!err && store && is_store_due(r))
		err = store_position(r, false);
	return err ? err : n;
}

static void nap(void)
{
	nanosleep(&(struct timespec){0, POLL_NS}, NULL);
}

/* Up to what was there at the call: also records that another CPU was writing, and those whose
 * turn in the order of time comes a little later. */
static int read_records(struct reader *r)
{
	struct dt *dt = r->dt;
	uint64_t began = clock_ns(CLOCK_MONOTONIC), due;
	unsigned long end;
	int n;

	if (!dt->ring)
		return 0;
	end = ring_produced(dt->ring);
	do {
		n = drain(r, true);
		if (!n)
			nap();
		due = consume_due(dt->consume);
	} while (n >= 0 &&
		 (ring_consumed(dt->ring) < end || (due && due <= began + TEMPORAL_EARLY_NS)) &&
		 clock_ns(CLOCK_MONOTONIC) < began + PATIENCE_NS + (n > 0 ? INT64_MAX / 2 : 0));
	return n < 0 ? n : 0;
}

/* All that the stopped programs have left. */
static int read_rest(struct reader *r, bool store)
{
	int n = 0;

	while (r->dt->ring && (n = drain(r, store)) > 0)
		;
	return n < 0 ? n : consume_drain_rest(r->dt->consume);
}

/* Twice: a reader that was killed may have left something in either generation. */
static int read_aggregations(struct reader *r)
{
	int rc = aggrs_snapshot(r->dt->aggrs);

	return rc ? rc : aggrs_snapshot(r->dt->aggrs);
}

/* An error of the output is no error when its reader has closed the pipe: it is stored as not
 * read. */
static int finish(struct reader *r, int err)
{
	if (err == -EPIPE)
		return 0;
	if (err && ferror(r->dt->consume->sink))
		return report_error(r->dt, "failed to print: %s", strerror(-err));
	if (err == -EBUSY)
		return fail(r, "a BPF program did not finish in time; try again", 0);
	return err ? fail(r, "", err) : 0;
}

static int begin_output(struct reader *r)
{
	struct consume *c = r->dt->consume;

	int err = consume_writes(c) ? consume_write_preamble(c, r->d.json, r->d.xml) : 0;

	message_stream(r->dt);
	return err;
}

static int print_aggregations(struct reader *r)
{
	struct consume *c = r->dt->consume;
	int err = 0;

	if (!consume_writes(c)) {
		if (r->dt->aggrs->v.n)
			fputc('\n', c->out);
		err = consume_aggregations(c);
	}
	fault_report_more(r->dt, true);
	drops_report_wrapped(r->dt);
	return consume_finish(c, r->dt->lost->total, err);
}

static int read_session(struct reader *r)
{
	struct consume *c = r->dt->consume;
	int err;

	drops_report(r->dt);
	err = begin_output(r);
	if (!err)
		err = read_records(r);
	if (!err)
		err = store_position(r, true);
	if (!err)
		err = read_aggregations(r);
	/* what waits for its turn is the next reader's */
	temporal_free(c->temporal);
	c->temporal = NULL;
	if (!err)
		err = print_aggregations(r);
	if (!err && (c->exited || session_ctl(r->dt)->stopped))
		message_note(r->dt,
			     "tracing of %s has ended by exit( ); dtrace -x detach=stop %s stops "
			     "it",
			     r->store.name, r->store.name);
	return finish(r, err);
}

static int no_snapshot(void *arg)
{
	(void)arg;
	return 0;
}

/* Programs do nothing from now on, and are detached. */
static int detach(struct reader *r)
{
	struct dt *dt = r->dt;
	int err;

	__atomic_store_n(&session_ctl(dt)->stopped, STOP_ENDED, __ATOMIC_SEQ_CST);
	dt->lost->misses = pins_misses(&r->store) - r->pos.misses;
	r->pos.misses += dt->lost->misses;
	err = pins_detach(&r->store);
	return err ? err : sync_wait(dt->set->counts.sync);
}

/* END, once: its records stay in the ring until the session is removed. */
static int fire_end(struct reader *r)
{
	struct dt *dt = r->dt;
	int err = 0;

	r->end.fd = pins_open_end(&r->store);
	if (!session_ctl(dt)->ended)
		err = programs_fire(dt->set, "END", NULL, 0);
	__atomic_store_n(&session_ctl(dt)->ended, 1, __ATOMIC_SEQ_CST);
	if (!err)
		err = aggrs_snapshot(dt->aggrs);
	dt->aggrs->take = no_snapshot; /* what END does to totals is not stored */
	return err ? err : read_rest(r, false);
}

static int stop_session(struct reader *r)
{
	struct consume *c = r->dt->consume;
	int err = detach(r);

	drops_report(r->dt);
	if (!err)
		err = begin_output(r);
	if (!err && !session_ctl(r->dt)->ended)
		err = read_rest(r, true);
	if (!err)
		err = store_position(r, true);
	if (!err)
		err = read_aggregations(r);
	if (!err)
		err = fire_end(r);
	c->ended = clock_ns(CLOCK_MONOTONIC);
	if (!err)
		err = print_aggregations(r);
	if (!err)
		return 0;
	return err == -EPIPE ? -1 : finish(r, err);
}

/* Which sessions can be read --------------------------------------------------- */

/* Why not; NULL: it can be. */
static const char *why_unreadable(const struct store *p)
{
	if (p->state == STORE_INCOMPLETE)
		return "it is incomplete: the dtrace that began or stopped it was killed";
	if (p->state == STORE_STALE)
		return "the system has been restarted since";
	if (p->state == STORE_UNPINNED)
		return "its programs are not in /sys/fs/bpf, which was mounted again or is "
		       "another one";
	return strcmp(p->version, DT_VERSION) ? "another version of dtrace began it" : NULL;
}

static void waits(void *arg)
{
	struct reader *r = arg;

	message_note(r->dt, "waiting for another dtrace that reads or stops %s", r->store.name);
}

static struct reader *reader_new(struct dt *dt, const char *verb, const char *name, FILE *out)
{
	struct strbuf why = {0};
	struct reader *r;

	if (dt->types || dt->reader) {
		report_error(dt, "failed to %s a detached session: the handle is in use", verb);
		return NULL;
	}
	if (!store_is_name(name)) {
		report_error(dt, "invalid name of a detached session: \"%s\"", name);
		return NULL;
	}
	r = dt->reader = xcalloc(1, sizeof(*r));
	r->dt = dt;
	r->verb = verb;
	r->out = session_output(dt, out);
	r->end.fd = -1;
	if (store_open(&r->store, name, waits, r, &why) < 0)
		report_error(dt, "failed to %s the detached session %s: %s", verb, name,
			     sb_str(&why));
	sb_free(&why);
	return r->store.name ? r : NULL;
}

int reader_read(struct dt *dt, const char *name, FILE *out)
{
	struct reader *r = reader_new(dt, "read", name, out);
	const char *why = r ? why_unreadable(&r->store) : NULL;

	if (!r)
		return -1;
	if (why)
		return report_error(
		    dt,
		    "failed to read the detached session %s: %s; dtrace -x detach=stop "
		    "%s removes it",
		    name, why, name);
	return open_session(r) < 0 ? -1 : read_session(r);
}

static int remove_session(struct reader *r, const char *name)
{
	int err = store_remove(&r->store);

	return err ? report_error(r->dt, "failed to remove the detached session %s: %s", name,
				  strerror(-err))
		   : 0;
}

int reader_stop(struct dt *dt, const char *name, FILE *out)
{
	struct reader *r = reader_new(dt, "stop", name, out);
	const char *why = r ? why_unreadable(&r->store) : NULL;

	if (!r)
		return -1;
	if (why)
		message_note(dt, "%s is removed, without its output: %s", name, why);
	else if (open_session(r) < 0 || stop_session(r) < 0)
		return -1;
	return remove_session(r, name);
}

void reader_free(struct dt *dt)
{
	struct reader *r = dt->reader;

	if (!r)
		return;
	store_close(&r->store);
	schema_file_free(&r->d.file);
	state_free(&r->pos);
	free(r->drops);
	sb_free(&r->data);
	prog_close(&r->end);
	free(r);
}
