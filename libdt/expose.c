/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/expose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/fd.h"
#include "libdt/consumer/consume.h"
#include "libdt/consumer/metrics.h"
#include "libdt/drops.h"
#include "libdt/http.h"
#include "libdt/message.h"
#include "libdt/report.h"
#include "libdt/session.h"
#include "libdt/symbols/usym.h"

/* What readers of metrics see, in the order of enum dt_drop. */
static const char *const drop_kinds[] = {"principal", "aggregation", "dynamic",
					 "nested",    "speculation", "speculation_unavailable",
					 "error",     "overflow",    "other"};
static const enum fault fault_codes[] = {
    FAULT_UNKNOWN,   FAULT_BADADDR,  FAULT_BADALIGN, FAULT_ILLOP,    FAULT_DIVZERO,
    FAULT_NOSCRATCH, FAULT_KPRIV,    FAULT_UPRIV,    FAULT_TUPOFLOW, FAULT_BADSTACK,
    FAULT_BADSIZE,   FAULT_BADINDEX, FAULT_LIBRARY};

enum { FAULTS = ARRAY_SIZE(fault_codes) };
_Static_assert(ARRAY_SIZE(drop_kinds) == DT_DROP_COUNT, "each kind of drop has its name");

#define FILE_NS 10000000 /* the file is not replaced more often */

struct expose {
	uint64_t faults[FAULTS];
	const char *fault_names[FAULTS];
	char *file;
	bool file_failed; /* the last time; it was reported */
	uint64_t written; /* when, CLOCK_MONOTONIC */
	uint64_t start;	  /* of tracing, CLOCK_REALTIME */
	struct http *http;
	struct hash negative; /* aggregations that were reported */
};

static struct expose *get(struct dt *dt)
{
	if (!dt->expose)
		dt->expose = xcalloc(1, sizeof(*dt->expose));
	return dt->expose;
}

int dt_metrics_file(struct dt *dt, const char *path)
{
	struct expose *e = get(dt);

	free(e->file);
	e->file = path ? xstrdup(path) : NULL;
	return 0;
}

void expose_fault(struct dt *dt, int fault)
{
	int i = FAULTS - 1;

	if (!dt->expose)
		return;
	while (i > 0 && (int)fault_codes[i] != fault)
		i--;
	dt->expose->faults[i]++;
}

/* Pages ------------------------------------------------------------------- */

static void on_negative(void *arg, struct aggr *ag)
{
	struct dt *dt = arg;
	const char *name = strcmp(ag->name, "_") ? ag->name : "";

	if (hash_gets(&dt->expose->negative, ag->name))
		return;
	hash_puts(&dt->expose->negative, ag->name, ag);
	if (ag->func->bucket)
		message_note(dt, "@%s has buckets with negative counts: no metric shows them",
			     name);
	else
		message_note(
		    dt,
		    "a value of @%s is negative, and counters cannot be: use #pragma D metric "
		    "%s type gauge",
		    name, ag->name);
}

/* -x maxcpu: by how much aggregations are multiplied now. */
struct factors {
	VEC(const char *) names;
	VEC(uint64_t) now;
};

static struct factors factors_of(const struct dt *dt)
{
	struct factors f = {0};

	for (int i = 0; dt->budget && i < dt->aggrs->v.n; i++) {
		const struct aggr *ag = dt->aggrs->v.v[i];

		vec_push(&f.names, ag->name);
		vec_push(&f.now, (uint64_t)MAX(ag->sampled_now, 1));
	}
	return f;
}

static void write_page(struct dt *dt, bool openmetrics, struct strbuf *out)
{
	struct expose *e = dt->expose;
	struct factors f = factors_of(dt);
	const struct metric_own own[] = {
	    {"dt_drops", "Data that the tracer lost.", "kind", drop_kinds, dt->lost->of,
	     DT_DROP_COUNT, false},
	    {"dt_faults", "Run-time errors of the program.", "fault", e->fault_names, e->faults,
	     FAULTS, false},
	    {"dt_sampling", "N if one in N firings is counted, as N.", "aggregation", f.names.v,
	     f.now.v, f.names.n, true},
	};
	struct metrics m = {
	    .openmetrics = openmetrics,
	    .labels = opt_text(&dt->opts, OPT_LABELS),
	    .version = DT_VERSION,
	    .start_ns = e->start,
	    .own = own,
	    .n_own = ARRAY_SIZE(own) - !dt->budget,
	    .on_negative = on_negative,
	    .on_negative_arg = dt,
	};

	usyms_when(dt->usyms, 0);
	metrics_write(out, &m, &dt->consume->fmt, dt->aggrs);
	vec_free(&f.names);
	vec_free(&f.now);
}

static bool is_openmetrics(const struct dt *dt)
{
	return strcmp(opt_text(&dt->opts, OPT_OFORMAT), "prometheus");
}

static const char *serve(void *arg, bool openmetrics, struct strbuf *body)
{
	struct dt *dt = arg;

	if (dt->aggrs->v.n && aggrs_snapshot(dt->aggrs))
		return NULL;
	write_page(dt, openmetrics, body);
	return metrics_type(openmetrics);
}

/* What is no regular file, as /dev/null, is written to. 0 or -errno. */
static int write_over(const char *path, const struct strbuf *text)
{
	int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC), err = 0;

	if (fd < 0 || !fd_write(fd, text->s, text->len))
		err = -errno;
	if (fd >= 0)
		close(fd);
	return err;
}

/* Readers see the old file or the new one, and each is whole. 0 or -errno. */
static int replace_file(const char *path, const struct strbuf *text)
{
	/* mkstemp() would need the umask for the mode, and with it all threads of the process */
	char *name =
	    xasprintf("%s.%d.%llx", path, getpid(), (unsigned long long)clock_ns(CLOCK_MONOTONIC));
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), err = 0;

	if (fd < 0 || !fd_write(fd, text->s, text->len))
		err = -errno;
	if (fd >= 0 && close(fd) && !err)
		err = -errno;
	if (!err && rename(name, path))
		err = -errno;
	if (err && fd >= 0)
		unlink(name);
	free(name);
	return err;
}

static int write_file(struct dt *dt)
{
	struct strbuf text = {0};
	struct stat st;
	bool regular;
	int err = 0;

	write_page(dt, is_openmetrics(dt), &text);
	regular = stat(dt->expose->file, &st) || S_ISREG(st.st_mode);
	err = (regular ? replace_file : write_over)(dt->expose->file, &text);
	dt->expose->written = clock_ns(CLOCK_MONOTONIC);
	sb_free(&text);
	return err;
}

/* An error now may be over with the next page: a full disk does not end tracing. */
static void update_file(struct dt *dt)
{
	int err = dt->aggrs->v.n ? aggrs_snapshot(dt->aggrs) : 0;

	if (!err)
		err = write_file(dt);
	if (err && !dt->expose->file_failed)
		message_note(dt, "failed to write %s: %s; trying again", dt->expose->file,
			     strerror(-err));
	dt->expose->file_failed = err != 0;
}

/* The phases -------------------------------------------------------------- */

static int check_labels(struct dt *dt)
{
	const char *labels = opt_text(&dt->opts, OPT_LABELS);

	if (labels && !metric_are_labels(labels))
		return report_error(
		    dt,
		    "failed to set -x labels: \"%s\" is not a list of different names "
		    "of labels, for example program,file",
		    labels);
	for (int i = 0; i < dt->aggrs->v.n; i++) {
		const struct aggr *ag = dt->aggrs->v.v[i];
		int n = ag->metric && ag->metric->labels ? metric_label_count(ag->metric->labels)
							 : ag->ncols;

		if (n != ag->ncols)
			return report_error(
			    dt, "#pragma D metric %s labels has %d names: @%s has %d keys",
			    ag->name, n, ag->name, ag->ncols);
	}
	return 0;
}

int expose_check(struct dt *dt)
{
	if (opt_text(&dt->opts, OPT_LISTEN) && !consume_metrics(&dt->opts))
		return report_error(dt, "failed to set -x listen: it serves metrics only; add -x "
					"oformat=openmetrics");
	return check_labels(dt);
}

/* "127.0.0.1:0": the kernel chooses the port, which only dtrace can report. */
static bool has_any_port(const char *address)
{
	const char *port = strrchr(address, ':');

	port = port ? port + 1 : address;
	return *port && !port[strspn(port, "0")];
}

static int start_server(struct dt *dt, const char *address)
{
	struct strbuf why = {0};

	dt->expose->http = http_new(address, serve, dt, &why);
	if (!dt->expose->http)
		report_error(dt, "failed to listen at %s: %s", address, sb_str(&why));
	else if (!opt_on(&dt->opts, OPT_QUIET) || has_any_port(address))
		message_note(dt, "serving metrics at %s", http_name(dt->expose->http));
	sb_free(&why);
	return dt->expose->http ? 0 : -1;
}

int expose_start(struct dt *dt)
{
	const char *address = opt_text(&dt->opts, OPT_LISTEN);
	struct expose *e;
	int err;

	if (!consume_metrics(&dt->opts))
		return 0;
	e = get(dt);
	e->start = clock_ns(CLOCK_REALTIME);
	for (int i = 0; i < FAULTS; i++)
		e->fault_names[i] = fault_text(fault_codes[i]);
	err = e->file ? write_file(dt) : 0;
	if (err)
		return report_error(dt, "failed to write %s: %s", e->file, strerror(-err));
	return address ? start_server(dt, address) : 0;
}

void expose_work(struct dt *dt, uint64_t *next)
{
	struct expose *e = dt->expose;
	uint64_t every;

	if (!e)
		return;
	if (e->http) {
		int ms = http_work(e->http);

		if (ms >= 0)
			*next = MIN(*next, clock_ns(CLOCK_MONOTONIC) + ms * 1000000ull);
	}
	if (!e->file)
		return;
	every = MAX(opt_num(&dt->opts, OPT_AGGRATE), FILE_NS);
	if (clock_ns(CLOCK_MONOTONIC) - e->written >= every)
		update_file(dt);
	*next = MIN(*next, e->written + every);
}

int expose_fds(struct dt *dt, struct pollfd *fds, int max)
{
	return dt->expose && dt->expose->http ? http_fds(dt->expose->http, fds, max) : 0;
}

int expose_end(struct dt *dt, FILE *out)
{
	struct expose *e = dt->expose;
	struct strbuf text = {0};
	bool served;

	if (!e || !consume_metrics(&dt->opts))
		return 0;
	served = e->http;
	http_free(e->http);
	e->http = NULL;
	if (e->file)
		return write_file(dt);
	if (served)
		return 0;
	write_page(dt, is_openmetrics(dt), &text);
	fwrite(text.s, 1, text.len, out);
	sb_free(&text);
	return fmt_error(out);
}

void expose_free(struct dt *dt)
{
	if (!dt->expose)
		return;
	http_free(dt->expose->http);
	hash_free(&dt->expose->negative);
	free(dt->expose->file);
	free(dt->expose);
}
