/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/consumer/consume.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/consumer/folded.h"
#include "libdt/consumer/last_byte.h"
#include "libdt/consumer/timeline.h"
#include "libdt/symbols/usym.h"

static const struct {
	enum fault fault;
	const char *text;
} faults[] = {
    {FAULT_UNKNOWN, "unknown fault"},
    {FAULT_BADADDR, "invalid address"},
    {FAULT_BADALIGN, "invalid alignment"},
    {FAULT_ILLOP, "illegal operation"},
    {FAULT_DIVZERO, "divide-by-zero"},
    {FAULT_NOSCRATCH, "out of scratch space"},
    {FAULT_KPRIV, "invalid kernel access"},
    {FAULT_UPRIV, "invalid user access"},
    {FAULT_TUPOFLOW, "tuple stack overflow"},
    {FAULT_BADSTACK, "bad stack"},
    {FAULT_BADSIZE, "bad size"},
    {FAULT_BADINDEX, "array index"},
    {FAULT_LIBRARY, "library-level fault"},
};

const char *fault_text(enum fault f)
{
	for (unsigned i = 0; i < ARRAY_SIZE(faults); i++)
		if (faults[i].fault == f)
			return faults[i].text;
	return faults[0].text;
}

static const struct writer_form *form_of(enum oformat oformat)
{
	switch (oformat) {
	case OFORMAT_JSON:
		return &writer_json;
	case OFORMAT_XML:
		return &writer_xml;
	case OFORMAT_HTML:
		return &writer_html;
	case OFORMAT_PERFETTO:
		return &writer_events;
	default:
		return NULL;
	}
}

void consume_init(struct consume *c, FILE *out, FILE *err, struct opts *opts, struct types *types,
		  struct aggrs *aggrs)
{
	const char *policy = opt_text(opts, OPT_BUFPOLICY);

	memset(c, 0, sizeof(*c));
	c->err = err;
	c->opts = opts;
	c->aggrs = aggrs;
	c->specs = specs_new(opt_num(opts, OPT_SPECSIZE));
	if (strcmp(policy, "switch"))
		c->hold = bufpolicy_new(opt_num(opts, OPT_BUFSIZE), !strcmp(policy, "ring"));
	c->fmt.types = types;
	c->fmt.syms = aggrs->syms;
	c->fmt.usyms = aggrs->usyms;
	c->fmt.cgroups = aggrs->cgroups;
	c->first_out = -1;
	c->oformat = consume_oformat(opts);
	c->writer.form = form_of(c->oformat);
	if (c->oformat == OFORMAT_PERFETTO)
		c->timeline = timeline_new();
	if (consume_writes(c))
		c->out = open_memstream(&c->aside, &c->aside_len);
	consume_output(c, out);
}

int consume_read_base(struct consume *c, struct strbuf *why)
{
	const char *path = opt_text(c->opts, OPT_FLAMEBASE);

	if (!path)
		return 0;
	if (c->oformat == OFORMAT_SVG || c->oformat == OFORMAT_HTML)
		return folded_read(path, &c->base, why);
	sb_puts(why, "it changes flame graphs only; add -x oformat=svg or html");
	return -1;
}

void consume_restore(struct consume *c)
{
	if (c->first_out < 0)
		return;
	consume_write_pause(c);
	dup2(c->first_out, fileno(c->sink));
	close(c->first_out);
	c->first_out = -1;
	consume_file_changed(c);
}

/* A file without a line. */
static void file_empty(struct consume_file *file)
{
	file->begun = false;
	for (size_t i = 0; i < file->names.n; i++)
		free(file->names.entries[i].value);
	hash_free(&file->names);
	flame_free(file->flame);
	file->flame = NULL;
}

static void find_file(struct consume *c)
{
	struct stat st = {0};
	uint64_t key[2];
	void **file;

	fstat(fileno(c->sink), &st);
	memcpy(key, (uint64_t[]){st.st_dev, st.st_ino}, sizeof(key));
	file = hash_ref(&c->files, key, sizeof(key));
	if (!*file)
		*file = xcalloc(1, sizeof(*c->file));
	else if (c->file != *file && S_ISREG(st.st_mode) && !st.st_size)
		file_empty(*file); /* another one that has the inode now */
	c->file = *file;
}

void consume_file_changed(struct consume *c)
{
	consume_options(c); /* a terminal? */
	find_file(c);
}

void consume_file_emptied(struct consume *c)
{
	file_empty(c->file);
}

void consume_free(struct consume *c)
{
	if (c->first_out >= 0)
		close(c->first_out);
	if (consume_keeps_aside(c) && c->out)
		fclose(c->out);
	last_byte_close(c->last);
	capture_free(c->capture);
	specs_free(c->specs);
	bufpolicy_free(c->hold);
	temporal_free(c->temporal);
	free(c->aside);
	sb_free(&c->base);
	sb_free(&c->start);
	sb_free(&c->again);
	writer_free(&c->writer);
	timeline_free(c->timeline);
	for (size_t i = 0; i < c->files.n; i++) {
		struct consume_file *file = c->files.entries[i].value;

		file_empty(file);
		sb_free(&file->columns);
		free(file);
	}
	hash_free(&c->files);
	sb_free(&c->notes);
	flows_free(&c->flows);
	sb_free(&c->waiting);
	recorder_free(c->recorder);
}

static bool is_pipe(FILE *f)
{
	struct stat st;

	return !fstat(fileno(f), &st) && S_ISFIFO(st.st_mode);
}

static FILE *text_stream(struct consume *c, FILE *out)
{
	last_byte_close(c->last);
	c->last = opt_on(c->opts, OPT_QUIET) && is_pipe(out) ? last_byte_open(out) : NULL;
	return c->last ? last_byte_stream(c->last) : out;
}

void consume_output(struct consume *c, FILE *out)
{
	if (c->sink == out) {
		/* the caller may have opened it anew: another document or table begins */
		if ((consume_writes(c) && c->writer.form->head) || c->oformat == OFORMAT_CSV ||
		    c->oformat == OFORMAT_SVG)
			find_file(c);
		return;
	}
	c->sink = out;
	if (c->oformat == OFORMAT_TEXT)
		c->out = text_stream(c, out);
	else if (!consume_keeps_aside(c))
		c->out = c->err;
	c->fmt.out = c->out;
	consume_file_changed(c);
}

int consume_to_events(struct consume *c, const struct consume_events *events, void *arg)
{
	FILE *aside = open_memstream(&c->aside, &c->aside_len);

	if (!aside)
		return -1;
	c->oformat = OFORMAT_EVENTS;
	c->events = events;
	c->events_arg = arg;
	c->fmt.out = c->out = aside;
	consume_options(c);
	return 0;
}

enum oformat consume_oformat(const struct opts *opts)
{
	static const struct {
		const char *word;
		enum oformat oformat;
	} words[] = {
	    {"json", OFORMAT_JSON},
	    {"jsonl", OFORMAT_JSON},
	    {"xml", OFORMAT_XML},
	    {"html", OFORMAT_HTML},
	    {"svg", OFORMAT_SVG},
	    {"perfetto", OFORMAT_PERFETTO},
	    {"folded", OFORMAT_FOLDED},
	    {"csv", OFORMAT_CSV},
	    {"openmetrics", OFORMAT_METRICS},
	    {"prometheus", OFORMAT_METRICS},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(opt_text(opts, OPT_OFORMAT), words[i].word))
			return words[i].oformat;
	return OFORMAT_TEXT;
}

bool consume_timed(const struct opts *opts)
{
	enum oformat oformat = consume_oformat(opts);

	return form_of(oformat) || opts->events || opts->detached || opt_text(opts, OPT_RECORD);
}

bool consume_metrics(const struct opts *opts)
{
	return consume_oformat(opts) == OFORMAT_METRICS;
}

void consume_date(const struct consume *c, uint64_t ns, char text[WRITER_DATE])
{
	*text = '\0';
	if (c->wall)
		writer_date(ns + __atomic_load_n(c->wall, __ATOMIC_RELAXED), text);
}

/* Decided by the terminal unless the script sets the option. */
static bool want_utf8(const struct opts *opts)
{
	static const char *const ascii[] = {"", "dumb", "sun", "sun-color"};
	const char *text = opt_text(opts, OPT_ENCODING), *term = getenv("TERM");

	if (strcmp(text, "auto"))
		return !strcmp(text, "utf8");
	for (unsigned i = 0; i < ARRAY_SIZE(ascii); i++)
		if (!strcmp(term ? term : "", ascii[i]))
			return false;
	return true;
}

void consume_options(struct consume *c)
{
	c->fmt.stackindent = opt_num(c->opts, OPT_STACKINDENT);
	c->fmt.timefmt = opt_text(c->opts, OPT_TIMEFMT);
	usyms_demangle(c->fmt.usyms, opt_on(c->opts, OPT_DEMANGLE));
	c->fmt.escape = fmt_escape(c->fmt.out, opt_on(c->opts, OPT_RAWBYTES));
	c->fmt.draw.hist = opt_on(c->opts, OPT_AGGHIST);
	c->fmt.draw.pack = opt_on(c->opts, OPT_AGGPACK);
	c->fmt.draw.zoom = opt_on(c->opts, OPT_AGGZOOM);
	c->fmt.draw.utf8 = want_utf8(c->opts);
}

/* A line may be incomplete: messages reported meanwhile follow it. */
void consume_warn(struct consume *c, const char *fmt, ...)
{
	struct strbuf sb = {0};
	va_list ap;

	va_start(ap, fmt);
	escape_vprintf(&sb, fmt, ap);
	va_end(ap);
	c->on_warning(c->on_warning_arg, sb_str(&sb));
	if (consume_writes(c)) {
		sb_puts(&c->notes, sb_str(&sb));
		sb_putc(&c->notes, '\n');
	}
	sb_free(&sb);
}

struct value rec_value(const struct rec *rec, const uint8_t *data)
{
	struct value v = value_recorded(rec->type, data + rec->off, rec->size);

	v.origin = rec->origin;
	return v;
}

struct aggr_sort consume_sort(const struct consume *c)
{
	return (struct aggr_sort){
	    .key = opt_on(c->opts, OPT_AGGSORTKEY),
	    .rev = opt_on(c->opts, OPT_AGGSORTREV),
	    .keypos = opt_num(c->opts, OPT_AGGSORTKEYPOS),
	    .pos = opt_num(c->opts, OPT_AGGSORTPOS),
	};
}

int consume_snapshot(struct consume *c)
{
	return aggrs_snapshot_since(c->aggrs, c->time);
}

/* The line's beginning ---------------------------------------------------- */

static void column_header(struct consume *c, bool flow)
{
	struct strbuf text = {0};

	if (c->header)
		return;
	c->header = true;
	if (flow)
		flow_header(opt_on(c->opts, OPT_FLOWTHREAD), &text);
	else
		sb_printf(&text, "%3s %6s %32s", "CPU", "ID", "FUNCTION:NAME");
	fprintf(c->out, "%s\n", sb_str(&text));
	sb_free(&text);
}

const struct rec_thread *rec_thread(const struct consume *c, const struct rec_header *h)
{
	return c->schema->layouts.v[h->clause]->has_thread ? (const struct rec_thread *)(h + 1)
							   : NULL;
}

const struct rec_process *rec_process(const struct consume *c, const struct rec_header *h)
{
	const struct layout *layout = c->schema->layouts.v[h->clause];
	const char *after = (const char *)(h + 1);

	if (!layout->has_process)
		return NULL;
	return (const void *)(after + (layout->has_thread ? sizeof(struct rec_thread) : 0));
}

static void heading(struct consume *c, const struct probe_desc *p, const struct rec_header *h)
{
	bool flow = opt_on(c->opts, OPT_FLOWINDENT);
	struct strbuf text = {0};

	column_header(c, flow);
	if (flow) {
		flow_line(&c->flows, p, h, rec_thread(c, h), c->more, &text);
		fputs(sb_str(&text), c->out);
	} else {
		sb_printf(&text, "%s:%s", p->func, p->name);
		fprintf(c->out, "%3u %6u %32s ", h->cpu, p->id, sb_str(&text));
	}
	sb_free(&text);
}

/* Records ----------------------------------------------------------------- */

/* quiet leaves out the line's end alone where flowindent is on, as on Solaris: scripts with both
 * print it themselves. */
static void begin_line(struct consume *c, const struct rec_header *h)
{
	c->time = h->time;
	c->ended_line = false;
	if (consume_writes(c))
		consume_write_begin(c, h);
	else if (c->events)
		c->events->begin(c->events_arg, h);
	else if (!opt_on(c->opts, OPT_QUIET) || opt_on(c->opts, OPT_FLOWINDENT))
		heading(c, c->schema->probes.v[h->probe], h);
}

static void end_line(struct consume *c)
{
	if (consume_writes(c))
		consume_write_end(c);
	else if (c->events)
		c->events->end(c->events_arg);
	else if (!opt_on(c->opts, OPT_QUIET) && !c->ended_line)
		fputc('\n', c->out);
	if (c->last)
		fflush(c->out);
}

static int event_action(struct consume *c, const struct act *act, const uint8_t *data)
{
	int err = act->print(c, act, data);

	fflush(c->out);
	c->events->action(c->events_arg, act, data, c->aside, c->aside_len);
	fseeko(c->out, 0, SEEK_SET);
	return err;
}

static int carry_out(struct consume *c, const struct act *act, const uint8_t *data)
{
	if (consume_writes(c))
		return consume_write_action(c, act, data);
	return c->events ? event_action(c, act, data) : act->print(c, act, data);
}

/* The actions of a record, in order. A firing that only ends speculations has no line; what is
 * committed has its own. */
static int print_record(struct consume *c, const void *data)
{
	const struct rec_header *h = data;
	const struct layout *layout = c->schema->layouts.v[h->clause];
	bool begun = false;

	usyms_when(c->fmt.usyms, h->time);
	if (c->recorder)
		c->error = recorder_take(c->recorder, h);
	if (recorder_silent(c->recorder)) {
		usyms_when(c->fmt.usyms, 0);
		return c->error;
	}
	for (int i = 0; i < layout->acts.n && !c->error; i++) {
		const struct act *act = layout->acts.v[i];

		if (act->cond_off >= 0 && !((const uint8_t *)data)[act->cond_off])
			continue;
		if (!begun)
			begin_line(c, h);
		begun = true;
		c->error = carry_out(c, act, data);
	}
	if (!begun && !layout->ends_specs) {
		begin_line(c, h);
		begun = true;
	}
	if (begun)
		end_line(c);
	if (!c->error)
		c->error = fmt_error(c->sink);
	usyms_when(c->fmt.usyms, 0);
	return c->error;
}

/* With -F, whether a return has an arrow depends on the record after it. */
static bool waits_for_next(const struct consume *c, const struct rec_header *h)
{
	return opt_on(c->opts, OPT_FLOWINDENT) && !consume_writes(c) && !c->events &&
	       h->clause + 1 < (uint32_t)c->schema->layouts.n &&
	       flow_kind(c->schema->probes.v[h->probe]) == FLOW_OUT;
}

static int print_waiting(struct consume *c, const struct rec_header *next)
{
	struct strbuf record = c->waiting;
	const struct rec_header *h = (const void *)record.s;

	if (!record.len)
		return c->error;
	memset(&c->waiting, 0, sizeof(c->waiting));
	c->more = next && next->cpu == h->cpu && flow_same_firing(h, next);
	print_record(c, record.s);
	c->more = false;
	sb_free(&record);
	return c->error;
}

int consume_print_waiting(struct consume *c)
{
	return print_waiting(c, NULL);
}

int consume_print_record(void *arg, const void *data, size_t size)
{
	struct consume *c = arg;

	if (print_waiting(c, data))
		return c->error;
	if (!waits_for_next(c, data))
		return print_record(c, data);
	sb_add(&c->waiting, data, size);
	return c->error;
}

void consume_sampled(struct consume *c, struct aggr *ag, uint32_t of)
{
	if (c->recorder)
		recorder_sampled(c->recorder, ag, of);
	aggr_sample(ag, of);
}

struct flame *consume_flame(struct consume *c)
{
	if (!c->file->flame)
		c->file->flame = flame_new(c->base.len ? c->base.s : NULL);
	return c->file->flame;
}

static void add_flame(struct consume *c, struct aggr *ag, const struct aggr_sort *sort)
{
	struct fmt_ctx ctx = c->fmt;

	ctx.escape = ESCAPE_NAME;
	flame_add(consume_flame(c), &ctx, ag, sort);
}

/* With oformat=folded the rows of several aggregations are not joined: a flame graph is of one. */
static int fold(struct consume *c, struct aggr *const *ags, int n, const struct aggr_sort *sort)
{
	struct fmt_ctx ctx = c->fmt;
	int err = 0;

	ctx.out = c->sink;
	ctx.escape = fmt_escape(c->sink, opt_on(c->opts, OPT_RAWBYTES));
	for (int i = 0; i < n && !err; i++)
		err = aggr_fold(&ctx, ags[i], sort);
	return err;
}

int consume_print_aggs(struct consume *c, const struct fmt *f, struct aggr *const *ags, int n)
{
	struct aggr_sort sort = consume_sort(c);
	int err = c->recorder ? recorder_take_aggs(c->recorder, f, ags, n) : 0;

	if (err || recorder_silent(c->recorder))
		return err;
	c->fmt.columns = fmt_columns(fileno(c->fmt.out));
	usyms_when(c->fmt.usyms, 0); /* keys are older than the record that prints them */
	if (c->oformat == OFORMAT_FOLDED && aggr_has_stack(ags[0]))
		return fold(c, ags, n, &sort);
	if (c->oformat == OFORMAT_SVG && aggr_has_stack(ags[0])) {
		for (int i = 0; i < n; i++)
			add_flame(c, ags[i], &sort);
		return 0;
	}
	if (c->oformat == OFORMAT_METRICS)
		return 0;
	if (c->oformat == OFORMAT_CSV)
		return consume_csv(c, ags, n);
	return f ? aggr_printf(&c->fmt, f, ags, n, &sort) : aggr_print(&c->fmt, ags, n, &sort);
}

int consume_aggregations(struct consume *c)
{
	int err = 0;

	for (int i = 0; i < c->aggrs->v.n && !err; i++)
		if (!c->aggrs->v.v[i]->printed)
			err = consume_print_aggs(c, NULL, &c->aggrs->v.v[i], 1);
	if (c->last)
		fflush(c->out);
	return err;
}

void consume_flush(struct consume *c)
{
	consume_print_waiting(c);
	fflush(c->out);
	fflush(c->sink);
}

void consume_end_text(struct consume *c)
{
	if (c->last)
		last_byte_end(c->last);
	else
		fputc('\n', c->out);
}

int consume_look_up_aggregations(struct consume *c)
{
	int err = 0;

	for (int i = 0; c->recorder && i < c->aggrs->v.n && !err; i++)
		if (!c->aggrs->v.v[i]->printed)
			err = recorder_take_aggs(c->recorder, NULL, &c->aggrs->v.v[i], 1);
	return err;
}

void consume_expired(struct consume *c)
{
	uint64_t n = c->aggrs->expired;

	if (n)
		consume_warn(c,
			     "%llu key%s of aggregations had no event for the time of -x aggexpire "
			     "and %s removed",
			     (unsigned long long)n, n > 1 ? "s" : "", n > 1 ? "were" : "was");
}
