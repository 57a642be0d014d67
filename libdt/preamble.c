/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/preamble.h"

#include <string.h>
#include <sys/utsname.h>

#include "libdt/base/clock.h"
#include "libdt/compile.h"
#include "libdt/consumer/consume.h"
#include "libdt/plan/plan.h"
#include "libdt/process/proc.h"
#include "libdt/record.h"
#include "libdt/session.h"

/* A line is for programs that may keep it whole: of long scripts it has the beginning. */
enum { CLAUSES_MAX = 1000, DESCRIPTIONS_MAX = 100, TEXT_MAX = 1 << 16 };

static void put_host(struct writer *w)
{
	struct utsname name;

	if (uname(&name))
		return;
	writer_object(w, "host");
	writer_string(w, "nodename", name.nodename);
	writer_string(w, "release", name.release);
	writer_string(w, "machine", name.machine);
	writer_end(w);
}

/* One moment on each clock that D's timestamp may show. */
static void put_clocks(struct writer *w, uint64_t ns, uint64_t wall)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), boot = clock_ns(CLOCK_BOOTTIME),
		 tai = clock_ns(CLOCK_TAI);

	writer_object(w, "clocks");
	writer_uint(w, "monotonic", ns);
	writer_uint(w, "realtime", ns + wall);
	writer_uint(w, "boottime", boot - (now - ns));
	writer_uint(w, "tai", tai - (now - ns));
	writer_end(w);
}

static void put_list(struct writer *w, const char *key, const char *text)
{
	writer_array(w, key);
	for (size_t len; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		writer_text(w, NULL, text, len);
	}
	writer_end(w);
}

static void put_option(struct writer *w, const struct opts *opts, enum opt which)
{
	const char *name = opt_name(which), *text = opt_text(opts, which);

	switch (opt_kind(which)) {
	case OPT_BOOL:
		writer_bool(w, name, opt_on(opts, which));
		break;
	case OPT_SIZE:
	case OPT_NUMBER:
	case OPT_RATE:
	case OPT_TIME:
		writer_int(w, name, opt_num(opts, which));
		break;
	case OPT_LIST:
		put_list(w, name, text ? text : "");
		break;
	default:
		if (text)
			writer_string(w, name, text);
		else
			writer_null(w, name);
	}
}

static void put_options(struct writer *w, const struct opts *opts)
{
	writer_object(w, "options");
	for (int i = 0; i < OPT_COUNT; i++)
		if (opt_changed(opts, i) && i != OPT_RECORD && i != OPT_RECORDPRINT)
			put_option(w, opts, i);
	writer_end(w);
}

static void put_session(struct dt *dt, struct writer *w, uint64_t ns, uint64_t wall)
{
	writer_string(w, "version", DT_VERSION);
	put_host(w);
	put_clocks(w, ns, wall);
	put_options(w, &dt->opts);
}

/* Stand-ins for probes of files that are mapped later are no probes yet. */
static int count_probes(const struct clause *c, struct hash *seen)
{
	int n = 0;

	for (int i = 0; i < c->probes.n; i++) {
		struct probe *p = c->probes.v[i];

		n += !p->awaits;
		if (!p->awaits)
			*hash_ref(seen, &p->id, sizeof(p->id)) = p;
	}
	return n;
}

static void put_clause(struct writer *w, const struct clause *c, int probes)
{
	writer_object(w, NULL);
	writer_uint(w, "clause", c->index + 1);
	writer_uint(w, "probes", probes);
	writer_array(w, "descriptions");
	for (int i = 0; i < c->descriptions.n && i < DESCRIPTIONS_MAX; i++)
		writer_string(w, NULL, c->descriptions.v[i]);
	writer_end(w);
	if (c->descriptions.n > DESCRIPTIONS_MAX)
		writer_bool(w, "truncated", true);
	writer_end(w);
}

/* The clauses of the script, without those that probes of the D library bring along. */
static void put_clauses(struct dt *dt, struct writer *w)
{
	struct hash seen = {0};
	int n = 0;

	writer_array(w, "clauses");
	for (int i = 0; i < dt->plan->clauses.n; i++) {
		const struct clause *c = dt->plan->clauses.v[i];
		int probes = c->implied ? 0 : count_probes(c, &seen);

		if (!c->implied && n++ < CLAUSES_MAX)
			put_clause(w, c, probes);
	}
	writer_end(w);
	if (n > CLAUSES_MAX)
		writer_bool(w, "truncated", true);
	writer_uint(w, "probes", seen.n);
	hash_free(&seen);
}

/* The script and the programs of -n, as they are compiled. */
static void put_programs(struct dt *dt, struct writer *w)
{
	size_t rest = TEXT_MAX;

	writer_array(w, "programs");
	for (int i = 0; i < dt->input->sources.n && rest; i++) {
		const struct source *src = dt->input->sources.v[i];
		size_t len = MIN(rest, (size_t)src->len);

		writer_object(w, NULL);
		if (src->kind == SOURCE_FILE)
			writer_string(w, "file", src->name);
		writer_text(w, "text", src->text, len);
		if (len < src->len)
			writer_bool(w, "truncated", true);
		writer_end(w);
		rest -= len;
	}
	writer_end(w);
}

static void put_trace(struct dt *dt, struct writer *w, uint64_t ns, uint64_t wall)
{
	put_session(dt, w, ns, wall);
	if (proc_target(dt->procs))
		writer_int(w, "target", proc_target(dt->procs));
	put_programs(dt, w);
	put_clauses(dt, w);
}

int preamble_trace(struct dt *dt)
{
	uint64_t ns = dt->started_ns,
		 wall = __atomic_load_n(&session_ctl(dt)->wall, __ATOMIC_RELAXED);
	const char *recorded = record_preamble(dt, false);
	struct writer *w;

	if (!consume_writes(dt->consume) || dt->consume->timeline)
		return 0;
	if (recorded)
		return consume_write_preamble(dt->consume, recorded, record_preamble(dt, true));
	w = consume_write_start(dt->consume, ns);
	put_trace(dt, w, ns, wall);
	return consume_write_start_end(dt->consume);
}

static void begin(struct writer *w, uint64_t ns, uint64_t wall)
{
	char date[WRITER_DATE];

	writer_date(ns + wall, date);
	writer_line(w, "start");
	writer_uint(w, "schema", WRITER_SCHEMA);
	writer_uint(w, "timestamp", ns);
	writer_string(w, "time", date);
}

void preamble_text(struct dt *dt, const struct writer_form *form, const char *oformat,
		   struct strbuf *out)
{
	struct opt_value *opt = &dt->opts.v[OPT_OFORMAT], given = *opt;
	uint64_t ns = dt->started_ns,
		 wall = __atomic_load_n(&session_ctl(dt)->wall, __ATOMIC_RELAXED);
	struct writer w = {.form = form};

	opt->text = (char *)oformat;
	opt->set = true;
	begin(&w, ns, wall);
	put_trace(dt, &w, ns, wall);
	writer_line_end(&w);
	sb_add(out, w.sb.s, w.sb.len);
	writer_free(&w);
	*opt = given;
}

void preamble_put(struct writer *w, FILE *out)
{
	writer_line_end(w);
	fwrite(w->sb.s, 1, w->sb.len, out);
}

void preamble_list(struct dt *dt, struct writer *w, FILE *out)
{
	uint64_t ns = clock_ns(CLOCK_MONOTONIC), wall = clock_ns(CLOCK_REALTIME) - ns;

	begin(w, ns, wall);
	put_session(dt, w, ns, wall);
	preamble_put(w, out);
}

static void put_feature(void *arg, const struct feat_state *state)
{
	struct writer *w = arg;

	writer_object(w, NULL);
	writer_string(w, "name", state->name);
	writer_bool(w, "available", state->available);
	if (state->disabled)
		writer_bool(w, "disabled", true);
	writer_string(w, "description", state->text);
	if (state->since)
		writer_string(w, "since", state->since);
	writer_end(w);
}

static void disable_features(struct dt *dt)
{
	const char *nofeat = opt_text(&dt->opts, OPT_NOFEAT);

	if (nofeat)
		feats_disable(dt->feats, nofeat);
}

/* What dtrace was built with. */
#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static const struct {
	const char *name;
	bool used;
} libraries[] = {
#ifdef HAVE_DWARF
    {"libdw", true},
#else
    {"libdw", false},
#endif
#ifdef HAVE_CTF
    {"libctf", true},
#else
    {"libctf", false},
#endif
#ifdef HAVE_DEMANGLE
    {"libiberty", true},
#else
    {"libiberty", false},
#endif
};

static void write_build(struct writer *w)
{
	writer_object(w, "build");
	writer_string(w, "compiler", COMPILER);
	for (size_t i = 0; i < ARRAY_SIZE(libraries); i++)
		writer_bool(w, libraries[i].name, libraries[i].used);
	writer_end(w);
}

static void print_build(FILE *out)
{
	fprintf(out, "built with %s", COMPILER);
	for (size_t i = 0; i < ARRAY_SIZE(libraries); i++)
		fprintf(out, ", %s %s", libraries[i].used ? "with" : "without", libraries[i].name);
	putc('\n', out);
}

static void write_version(struct dt *dt, FILE *out, bool features)
{
	struct writer w = {.form = &writer_json};

	writer_line(&w, "version");
	writer_uint(&w, "schema", WRITER_SCHEMA);
	writer_string(&w, "version", DT_VERSION);
	writer_string(&w, "language", DT_LANGUAGE);
	put_host(&w);
	if (features) {
		write_build(&w);
		writer_array(&w, "features");
		feats_each(dt->feats, put_feature, &w);
		writer_end(&w);
	}
	preamble_put(&w, out);
	writer_free(&w);
}

void dt_version(struct dt *dt, FILE *out, bool features)
{
	disable_features(dt);
	if (consume_oformat(&dt->opts) == OFORMAT_JSON) {
		write_version(dt, out, features);
		return;
	}
	fprintf(out, "dtrace: dt %s (D %s)\n", DT_VERSION, DT_LANGUAGE);
	if (features) {
		print_build(out);
		feats_report(dt->feats, out);
	}
}

void dt_features(struct dt *dt, FILE *out)
{
	disable_features(dt);
	feats_report(dt->feats, out);
}
