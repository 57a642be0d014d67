/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -x oformat=perfetto: the array form of the Trace Event Format, an event per line. Perfetto,
 * chrome://tracing and others read it, also without the closing bracket.
 *
 *	"B", "E"	a slice of a thread begins, ends: a pair of probes
 *	"i"		an instant: any other record; also messages of dtrace
 *	"C"		a counter: the number of a key of an aggregation
 *	"M"		metadata: the name of a process or thread
 *
 * A pair is what -F indents by, entry and return of a function and names that end in -entry and
 * -return, and also -start and -done. It is a slice only if the script records both probes: a
 * return alone must not end anything, and slices that never end would nest without limit.
 *
 * Readers keep a stack of slices per thread, where an "E" ends the innermost slice whatever its
 * name is. A return may be missing (a drop, longjmp(), exit_group(), a function that was entered
 * before tracing began), so a track here has the same stack. A return ends its own slice and those
 * above it; one that has no slice becomes an instant.
 *
 * A record that is committed when the thread has had later ones is an instant as well: the slices
 * of a thread are in the order of time.
 *
 * A recording made in another format has no processes. Its tracks are the CPUs, as -F has them.
 */
#include "libdt/consumer/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/consume.h"

/* Ids that the kernel gives to no process (its PID_MAX_LIMIT is 2^22): dtrace's own track, those
 * of CPUs. */
enum { ID_OWN = 1 << 22, ID_CPUS, ID_CPU0 };

enum { NAME_MAX_LEN = 120 };

/* The two probes of a slice. */
struct pair {
	const char *prov;
	char *name;
	bool by_name;	   /* -entry, -start, ...: of any function of a program */
	bool begins, ends; /* which of the two are recorded */
};

/* What a probe is to its pair; pair is NULL if it has none. */
struct pair_end {
	struct pair *pair;
	bool begins;
};

struct slice {
	const struct pair *pair;
	uint64_t time; /* when it began */
	char *text;    /* its name; NULL: that of the pair */
};

struct track {
	uint32_t pid, tid;
	uint32_t task; /* of the thread that had this id last */
	uint64_t last; /* when its last event was */
	struct rec_header firing;
	bool any;	 /* it has had a firing */
	uint64_t paused; /* when the last document ended its slices; 0: they are in this one */
	VEC(struct slice) open;
};

struct timeline {
	struct hash tracks;	      /* tid -> struct track */
	struct hash pairs;	      /* provider, module and function or stem -> struct pair */
	VEC(struct pair_end) members; /* by index of the probe */
	/* the event at hand */
	const struct probe_desc *probe;
	char phase;	      /* B, E or i */
	bool has_actions;     /* of its clause */
	size_t array, filled; /* where its array of actions begins, and where they do */
	bool comma;	      /* as it was before the array */
	struct strbuf text;   /* what its actions printed first */
	struct track *track;  /* of a slice that begins; else NULL */
};

struct timeline *timeline_new(void)
{
	return xcalloc(1, sizeof(struct timeline));
}

static void pop_slice(struct track *track)
{
	free(track->open.v[--track->open.n].text);
}

void timeline_free(struct timeline *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->tracks.n; i++) {
		struct track *track = t->tracks.entries[i].value;

		while (track->open.n)
			pop_slice(track);
		vec_free(&track->open);
		free(track);
	}
	for (size_t i = 0; i < t->pairs.n; i++) {
		struct pair *pair = t->pairs.entries[i].value;

		free(pair->name);
		free(pair);
	}
	hash_free(&t->tracks);
	hash_free(&t->pairs);
	vec_free(&t->members);
	sb_free(&t->text);
	free(t);
}

/* Pairs of probes ---------------------------------------------------------- */

static void put_part(struct strbuf *key, const char *s)
{
	sb_add(key, s, strlen(s) + 1);
}

static enum flow_kind kind_of(const struct probe_desc *p)
{
	if (flow_stem(p, "-start"))
		return FLOW_IN;
	return flow_stem(p, "-done") ? FLOW_OUT : flow_kind(p);
}

static struct pair *pair_of(struct timeline *t, const struct probe_desc *p)
{
	size_t stem = p->is_entry || p->is_return ? 0 : strrchr(p->name, '-') - p->name;
	struct strbuf key = {0};
	struct pair **slot;

	put_part(&key, p->prov);
	put_part(&key, p->mod);
	put_part(&key, stem ? "" : p->func); /* other functions may have the other probe */
	sb_add(&key, p->name, stem);
	slot = (struct pair **)hash_ref(&t->pairs, key.s, key.len);
	sb_free(&key);
	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		(*slot)->prov = p->prov;
		(*slot)->by_name = stem;
		(*slot)->name = stem ? xasprintf("%.*s", (int)stem, p->name) : xstrdup(p->func);
	}
	return *slot;
}

/* With -Z more probes come while tracing. */
static const struct pair_end *member_of(struct timeline *t, const struct schema *schema,
					uint32_t probe)
{
	while (t->members.n < schema->probes.n) {
		const struct probe_desc *p = schema->probes.v[t->members.n];
		enum flow_kind kind = kind_of(p);
		struct pair_end m = {.begins = kind == FLOW_IN};

		if (kind != FLOW_NONE && p->records) {
			m.pair = pair_of(t, p);
			*(m.begins ? &m.pair->begins : &m.pair->ends) = true;
		}
		vec_push(&t->members, m);
	}
	return &t->members.v[probe];
}

/* Lines -------------------------------------------------------------------- */

static void event_begin(struct writer *w, char phase, uint32_t pid, uint32_t tid, uint64_t ns)
{
	writer_line(w, NULL);
	writer_text(w, "ph", &phase, 1);
	writer_uint(w, "pid", pid);
	writer_uint(w, "tid", tid);
	if (phase != 'M')
		writer_float(w, "ts", ns / 1000.0L);
}

static void event_end(struct consume *c, struct writer *w)
{
	writer_line_end(w);
	consume_write_line(c, w->sb.s);
}

/* Is this name not the one that the file has? */
static bool is_new_name(struct consume *c, uint32_t pid, uint32_t tid, const char *name)
{
	uint32_t key[2] = {pid, tid};
	char **slot = (char **)hash_ref(&c->file->names, key, sizeof(key));

	if (*slot && !strcmp(*slot, name))
		return false;
	free(*slot);
	*slot = xstrdup(name);
	return true;
}

static void put_name(struct consume *c, const char *what, uint32_t pid, uint32_t tid,
		     const char *name)
{
	struct writer w = {.form = c->writer.form};

	event_begin(&w, 'M', pid, tid, 0);
	writer_string(&w, "name", what);
	writer_object(&w, "args");
	writer_string(&w, "name", name);
	event_end(c, &w);
	writer_free(&w);
}

/* A thread that is not its process's first names the process only until that one does. */
static void name_track(struct consume *c, uint32_t pid, uint32_t tid, const char *process,
		       const char *thread)
{
	uint32_t key[2] = {pid, UINT32_MAX};

	if (!is_new_name(c, pid, tid, thread))
		return;
	if ((pid == tid || !hash_get(&c->file->names, key, sizeof(key))) &&
	    is_new_name(c, pid, UINT32_MAX, process))
		put_name(c, "process_name", pid, tid, process);
	put_name(c, "thread_name", pid, tid, thread);
}

static void name_own_track(struct consume *c)
{
	name_track(c, ID_OWN, ID_OWN, "dtrace output", "messages");
}

/* The beginning or end of a slice. Some readers compare name and category of the two. */
static void edge_begin(struct writer *w, const struct track *track, int i, char phase, uint64_t ns)
{
	const struct slice *slice = &track->open.v[i];

	event_begin(w, phase, track->pid, track->tid, ns);
	writer_string(w, "cat", slice->pair->prov);
	writer_string(w, "name", slice->text ?: slice->pair->name);
}

static void put_edge(struct consume *c, const struct track *track, int i, char phase, uint64_t ns)
{
	struct writer w = {.form = c->writer.form};

	edge_begin(&w, track, i, phase, ns);
	event_end(c, &w);
	writer_free(&w);
}

/* The end of the innermost slice. */
static void begin_end(struct writer *w, struct track *track, uint64_t ns)
{
	edge_begin(w, track, track->open.n - 1, 'E', ns);
	pop_slice(track);
}

static void end_slice(struct consume *c, struct track *track, uint64_t ns)
{
	put_edge(c, track, track->open.n - 1, 'E', ns);
	pop_slice(track);
}

/* Of a thread that is no more. */
static void drop_slices(struct consume *c, struct track *track)
{
	while (track->open.n && track->paused)
		pop_slice(track);
	while (track->open.n)
		end_slice(c, track, track->last);
	track->paused = 0;
}

/* Documents ---------------------------------------------------------------- */

/* Of the slices that are open, the innermost ends first. */
static void pause_slices(struct consume *c, struct track *track)
{
	if (!track->open.n || track->paused)
		return;
	track->paused = MAX(c->time, track->last);
	for (int i = track->open.n - 1; i >= 0; i--)
		put_edge(c, track, i, 'E', track->paused);
}

static void resume_slices(struct consume *c, struct track *track)
{
	for (int i = 0; i < track->open.n && track->paused; i++)
		put_edge(c, track, i, 'B', track->paused);
	track->paused = 0;
}

void timeline_pause(struct consume *c)
{
	struct hash *tracks = &c->timeline->tracks;

	for (size_t i = 0; i < tracks->n; i++)
		pause_slices(c, tracks->entries[i].value);
}

/* Records ------------------------------------------------------------------ */

static void set_track(struct consume *c, struct track *track, const struct rec_header *h)
{
	const struct rec_process *process = rec_process(c, h);
	char name[sizeof(process->comm) + 16];

	if (process && process->tid) {
		track->pid = process->pid;
		track->tid = process->tid;
		snprintf(name, sizeof(name), "%.*s", (int)sizeof(process->comm), process->comm);
		name_track(c, track->pid, track->tid, name, name);
		return;
	}
	/* The idle threads share the id 0. */
	track->pid = process ? 0 : ID_CPUS;
	track->tid = ID_CPU0 + h->cpu;
	snprintf(name, sizeof(name), process ? "idle %u" : "CPU %u", h->cpu);
	name_track(c, track->pid, track->tid, process ? "idle" : "CPUs", name);
}

static struct track *track_of(struct consume *c, const struct rec_header *h)
{
	const struct rec_thread *thread = rec_thread(c, h);
	const struct rec_process *process = rec_process(c, h);
	uint32_t key = process && process->tid ? process->tid : ID_CPU0 + h->cpu,
		 task = process && thread ? thread->task : 0;
	struct track **slot = (struct track **)hash_ref(&c->timeline->tracks, &key, sizeof(key)),
		     *track = *slot;

	if (!track)
		track = *slot = xcalloc(1, sizeof(*track));
	if (track->task != task) {
		drop_slices(c, track);
		track->any = false;
		track->task = task;
	}
	set_track(c, track, h);
	resume_slices(c, track);
	return track;
}

/* The innermost slice of this pair, which began at this time (0: at any); -1: there is none. */
static int find_open(const struct track *track, const struct pair *pair, uint64_t time)
{
	int i = track->open.n - 1;

	while (i >= 0 && (track->open.v[i].pair != pair || (time && track->open.v[i].time != time)))
		i--;
	return i;
}

/* By another clause, which may be an earlier one if it was speculative. */
static bool is_same_firing(const struct rec_header *last, const struct rec_header *h)
{
	return flow_same_firing(last, h) || (last->probe == h->probe && last->time == h->time);
}

/* What the record is, with the slices that it begins and ends. */
static char take_phase(struct consume *c, struct track *track, const struct rec_header *h)
{
	const struct pair_end *m = member_of(c->timeline, c->schema, h->probe);
	bool again = track->any && is_same_firing(&track->firing, h);
	int open;

	if (h->time < track->last) /* committed later */
		return 'i';
	track->firing = *h;
	track->last = h->time;
	track->any = true;
	if (again || !m->pair || !m->pair->begins || !m->pair->ends)
		return 'i';
	if (m->begins) {
		struct slice slice = {.pair = m->pair, .time = h->time};

		/* the same firing, other probes in between */
		if (find_open(track, m->pair, h->time) >= 0)
			return 'i';
		vec_push(&track->open, slice);
		c->timeline->track = track;
		return 'B';
	}
	open = find_open(track, m->pair, 0);
	if (open < 0)
		return 'i';
	while (track->open.n > open + 1)
		end_slice(c, track, h->time);
	return 'E';
}

void timeline_record(struct consume *c, const struct rec_header *h)
{
	struct timeline *t = c->timeline;
	struct writer *w = &c->writer;
	struct track *track = track_of(c, h);

	t->track = NULL;
	t->phase = take_phase(c, track, h);
	t->probe = c->schema->probes.v[h->probe];
	t->has_actions = c->schema->layouts.v[h->clause]->acts.n;
	t->text.len = 0;
	if (t->phase == 'E')
		begin_end(w, track, h->time);
	else
		event_begin(w, t->phase, track->pid, track->tid, h->time);
	if (t->phase == 'i')
		writer_string(w, "s", "t");
	if (t->phase != 'E')
		writer_string(w, "cat", t->probe->prov);
	if (t->phase != 'E') {
		writer_object(w, "args");
		writer_uint(w, "cpu", h->cpu);
	}
	t->array = w->sb.len;
	t->comma = w->comma;
	/* Readers join the arguments of both ends of a slice. */
	if (t->phase == 'E')
		writer_object(w, "args");
	writer_array(w, t->phase == 'E' ? "return" : "output");
	t->filled = w->sb.len;
}

void timeline_text(struct timeline *t, const char *s, size_t len)
{
	size_t n = 0;

	if (t->text.len)
		return;
	while (len && (*s == ' ' || *s == '\t' || *s == '\n')) {
		s++;
		len--;
	}
	while (n < len && n < NAME_MAX_LEN && s[n] && s[n] != '\n')
		n++;
	while (n < len && n && ((unsigned char)s[n] & 0xc0) == 0x80) /* in a character of UTF-8 */
		n--;
	while (n && s[n - 1] == ' ')
		n--;
	sb_add(&t->text, s, n);
}

static void put_event_name(struct timeline *t, struct writer *w)
{
	const struct probe_desc *p = t->probe;
	struct slice *slice = t->track ? &t->track->open.v[t->track->open.n - 1] : NULL;

	if (slice && !(slice->pair->by_name && t->text.len)) {
		writer_string(w, "name", slice->pair->name);
		return;
	}
	if (!t->text.len)
		sb_printf(&t->text, "%s%s%s", p->func, *p->func ? ":" : "", p->name);
	writer_string(w, "name", sb_str(&t->text));
	if (slice)
		slice->text = xstrdup(sb_str(&t->text));
}

bool timeline_record_end(struct consume *c)
{
	struct timeline *t = c->timeline;
	struct writer *w = &c->writer;
	bool empty = w->sb.len == t->filled;

	writer_end(w);
	if (t->phase == 'E')
		writer_end(w); /* args, which an end has only for this */
	if (empty) {
		w->sb.len = t->array;
		w->comma = t->comma;
	}
	if (t->phase == 'E')
		return true;
	writer_end(w); /* args */
	put_event_name(t, w);
	return t->phase == 'B' || !empty || !t->has_actions;
}

void timeline_message(struct consume *c, const char *type, uint64_t ns)
{
	struct writer *w = &c->writer;

	name_own_track(c);
	event_begin(w, 'i', ID_OWN, ID_OWN, ns);
	writer_string(w, "s", "t");
	writer_string(w, "cat", "dtrace");
	writer_string(w, "name", type);
	writer_object(w, "args");
}

/* Counters ----------------------------------------------------------------- */

static bool is_counter(const struct aggr *ag)
{
	return ag->func->scalar && !aggr_has_stack(ag);
}

/* The keys of an entry, as the name of one of the counter's series. */
static void put_value(struct consume *c, struct writer *w, const struct aggr_entry *e)
{
	const struct aggr *ag = e->ag;
	struct fmt_ctx ctx = c->fmt;
	struct strbuf text = {0};

	ctx.escape = ESCAPE_NONE;
	for (int i = 0; i < ag->ncols; i++) {
		struct value v = aggr_col_value(&ag->cols[i], e->key);

		if (i)
			sb_putc(&text, ',');
		value_word(&ctx, &v, &text);
	}
	if (!ag->ncols)
		sb_puts(&text, ag->func->name);
	writer_int(w, sb_str(&text), ag->func->scalar(e->value, ag));
	sb_free(&text);
}

static void put_counter(struct consume *c, struct aggr *ag)
{
	struct writer w = {.form = c->writer.form};
	char *name = xasprintf("@%s", strcmp(ag->name, "_") ? ag->name : "");
	struct aggr_sort sort = {.key = true}; /* series keep their places */
	struct aggr_entry **rows;
	int count = aggr_rows(&ag, 1, &sort, &rows);

	name_own_track(c);
	event_begin(&w, 'C', ID_OWN, ID_OWN, c->aggrs->snapshot_ns);
	writer_string(&w, "name", name);
	writer_object(&w, "args");
	for (int r = 0; r < count; r++)
		put_value(c, &w, rows[r]);
	if (count)
		event_end(c, &w);
	ag->printed |= count != 0;
	writer_free(&w);
	free(rows);
	free(name);
}

bool timeline_counters(struct consume *c, struct aggr *const *ags, int n)
{
	bool all = true;

	for (int i = 0; i < n; i++) {
		if (is_counter(ags[i]))
			put_counter(c, ags[i]);
		else
			all = false;
	}
	return all;
}
