/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names must be looked up while the session runs: at the replay the processes and the kernel are
 * others. Addresses are recognised by their types, and each is looked up once, which costs far less
 * than printing it each time. Where the type is not enough (a format prints a number as an
 * address), the action prints to nowhere, and what it looks up is noted.
 */
#include "libdt/consumer/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/symbols/cgroup.h"
#include "libdt/consumer/consume.h"
#include "libdt/symbols/ksym.h"
#include "libdt/record/pack.h"
#include "libdt/consumer/schema_file.h"
#include "libdt/symbols/usym.h"

/* What an action's output looks up. */
enum lookup { LOOKUP_UNKNOWN, LOOKUP_NOTHING, LOOKUP_VALUES, LOOKUP_OUTPUT };

struct recorder {
	struct consume *c;
	struct recording *recording;
	struct answers *answers;
	FILE *nowhere;
	bool silent, begun,
	    rows; /* in the recording: the mark of a drain; the beginning of a snapshot */
	uint64_t now;
	unsigned long produced;
	int probes;	     /* that are in the recording */
	struct hash lookups; /* action -> enum lookup */
};

static void take_row(void *arg, const struct aggr *ag, const void *key, int cpu,
		     const int64_t *value);
static void take_snapshot(void *arg, const struct aggrs *as);

struct recorder *recorder_new(struct consume *c, struct recording *recording,
			      struct answers *answers, bool silent)
{
	struct recorder *r = xcalloc(1, sizeof(*r));

	r->c = c;
	r->recording = recording;
	r->answers = answers;
	r->silent = silent;
	r->nowhere = fopen("/dev/null", "we");
	r->probes = c->schema->probes.n;
	c->fmt.answers = answers;
	syms_set_answers(c->fmt.syms, answers);
	usyms_set_answers(c->fmt.usyms, answers);
	cgroups_set_answers(c->fmt.cgroups, answers);
	c->aggrs->on_row = take_row;
	c->aggrs->on_snapshot = take_snapshot;
	c->aggrs->on_arg = r;
	return r;
}

void recorder_free(struct recorder *r)
{
	if (!r)
		return;
	if (r->nowhere)
		fclose(r->nowhere);
	hash_free(&r->lookups);
	free(r);
}

bool recorder_silent(const struct recorder *r)
{
	return r && r->silent;
}

/* The stream -------------------------------------------------------------- */

static void put(struct recorder *r, enum chunk kind, const void *data, size_t size)
{
	sb_add(recording_chunk(r->recording, kind), data, size);
}

void recorder_mark(struct recorder *r, enum chunk kind)
{
	recording_chunk(r->recording, kind);
}

/* Files that are mapped while tracing goes on bring probes of their own. */
static void put_new_probes(struct recorder *r)
{
	struct pack p = {.out = recording_chunk(r->recording, CHUNK_PROBES)};

	schema_file_probes((struct schema *)r->c->schema, &p, r->probes);
	r->probes = r->c->schema->probes.n;
}

static void put_drain_begin(struct recorder *r)
{
	uint64_t data[] = {r->now, r->produced};

	r->begun = true;
	put(r, CHUNK_MARK, data, sizeof(data));
}

void recorder_record(struct recorder *r, const void *data, size_t size)
{
	static const char zeroes[8];
	uint64_t head = size;
	struct strbuf *sb;

	if (r->now && !r->begun)
		put_drain_begin(r);
	if (r->probes < r->c->schema->probes.n)
		put_new_probes(r);
	sb = recording_chunk(r->recording, CHUNK_RECORDS);
	sb_add(sb, &head, sizeof(head));
	sb_add(sb, data, size);
	sb_add(sb, zeroes, ALIGN_UP(size, 8) - size);
}

void recorder_drain_begin(struct recorder *r, uint64_t now, unsigned long produced)
{
	r->now = now;
	r->produced = produced;
	r->begun = false;
}

/* Where nothing has come and nothing waits, nothing happens. */
void recorder_drain_end(struct recorder *r, unsigned long consumed, bool waits)
{
	uint64_t data = consumed;

	if (waits && !r->begun)
		put_drain_begin(r);
	if (r->begun)
		put(r, CHUNK_REACHED, &data, sizeof(data));
	r->now = 0;
	r->begun = false;
}

void recorder_retire(struct recorder *r, unsigned long produced, unsigned long consumed)
{
	uint64_t data[] = {produced, consumed};

	put(r, CHUNK_RETIRE, data, sizeof(data));
}

void recorder_spec_end(struct recorder *r, uint32_t tag, bool commit, uint64_t time)
{
	uint64_t data[] = {tag, commit, time};

	put(r, CHUNK_SPEC_END, data, sizeof(data));
}

void recorder_report(struct recorder *r, uint64_t time, const char *tag, uint64_t n, int cpu,
		     const char *message)
{
	struct pack p = {.out = recording_chunk(r->recording, CHUNK_REPORT)};

	PACK(&p, &time);
	PACK(&p, &n);
	PACK(&p, &cpu);
	pack_text(&p, &tag);
	pack_lines(&p, &message);
}

void recorder_sampled(struct recorder *r, const struct aggr *ag, uint32_t of)
{
	uint64_t data[] = {ag->id, of};

	put(r, CHUNK_SAMPLED, data, sizeof(data));
}

static void put_snapshot(struct recorder *r, bool ends)
{
	const struct aggrs *as = r->c->aggrs;
	uint64_t data[] = {as->now_ns, as->snapshot_ns, ends};

	r->rows = !ends;
	put(r, CHUNK_SNAPSHOT, data, sizeof(data));
}

/* A row of a snapshot: aggregation, CPU, key, value. */
static void take_row(void *arg, const struct aggr *ag, const void *key, int cpu,
		     const int64_t *value)
{
	struct recorder *r = arg;
	uint32_t head[] = {ag->id, cpu};
	struct strbuf *sb;

	if (!r->rows)
		put_snapshot(r, false);
	sb = recording_chunk(r->recording, CHUNK_ROWS);
	sb_add(sb, head, sizeof(head));
	if (ag->key_size)
		sb_add(sb, key, ag->key_size);
	sb_add(sb, value, aggr_words(ag) * sizeof(*value));
}

static void take_snapshot(void *arg, const struct aggrs *as)
{
	(void)as;
	put_snapshot(arg, true);
}

/* Names ------------------------------------------------------------------- */

static uint64_t word(const struct value *v, uint32_t i)
{
	uint64_t n = 0;

	if ((i + 1) * sizeof(n) <= v->size)
		memcpy(&n, (const char *)v->data + i * sizeof(n), sizeof(n));
	return n;
}

static void look_kernel(struct recorder *r, uint64_t addr)
{
	const char *mod, *name;
	uint64_t off;

	if (!answers_noted(r->answers, ASK_KERNEL, 0, addr))
		syms_find(r->c->fmt.syms, addr, &mod, &name, &off);
}

/* place: by which the source line is looked up. */
static void look_user(struct recorder *r, int pid, uint64_t addr, uint64_t place)
{
	struct usyms *us = r->c->fmt.usyms;
	const char *mod, *name;
	uint64_t off;
	int line;

	if (!answers_noted(r->answers, ASK_USER, pid, addr))
		usyms_find(us, pid, addr, &mod, &name, &off);
	if (opt_on(r->c->opts, OPT_SRCLINES) && !answers_noted(r->answers, ASK_LINE, pid, place))
		usyms_line(us, pid, place, &name, &line);
}

static void look_stack(struct recorder *r, const struct value *v)
{
	bool user = type_base(v->type)->flags & TF_USERLAND;
	int n = value_frames(v);

	for (int i = 0; i < n; i++)
		if (user)
			look_user(r, word(v, 0), word(v, i + 1), value_frame_place(v, i));
		else
			look_kernel(r, word(v, i));
}

static void look_value(struct recorder *r, const struct value *v)
{
	const struct type *t = type_base(v->type);

	if (t->kind == T_STACK)
		look_stack(r, v);
	else if (t->kind == T_USYMADDR)
		look_user(r, word(v, 0), word(v, 1), word(v, 1));
	else if (t->kind != T_SYMADDR)
		return;
	else if (t->nelem == SYM_CGROUP || t->nelem == SYM_CONTAINER)
		cgroups_path(r->c->fmt.cgroups, word(v, 0));
	else
		look_kernel(r, word(v, 0));
}

static bool names_numbers(const struct fmt *f)
{
	for (int i = 0; f && i < f->npieces; i++)
		if (f->pieces[i].conv && strchr("aAIP", f->pieces[i].conv->letter))
			return true;
	return false;
}

static enum lookup lookup_of_type(const struct type *t)
{
	switch (type_base(t)->kind) {
	case T_STACK:
	case T_SYMADDR:
	case T_USYMADDR:
		return LOOKUP_VALUES;
	case T_STRUCT:
	case T_UNION:
	case T_FWD:
		return LOOKUP_OUTPUT; /* print() names the functions that members point to */
	case T_ARRAY:
		return lookup_of_type(type_base(t)->ref);
	default:
		return LOOKUP_NOTHING;
	}
}

static enum lookup lookup_of(const struct act *act)
{
	enum lookup most = names_numbers(act->fmt) ? LOOKUP_OUTPUT : LOOKUP_NOTHING;

	for (int i = 0; i < act->nrecs; i++)
		most = MAX(most, lookup_of_type(act->recs[i].type));
	return most;
}

/* The action's output, to nowhere. */
static int print_nowhere(struct recorder *r, const struct act *act, const uint8_t *data)
{
	struct consume *c = r->c;
	FILE *out = c->out, *fmt_out = c->fmt.out;
	bool ended_line = c->ended_line;
	int err;

	c->out = c->fmt.out = r->nowhere;
	err = act->print(c, act, data);
	c->out = out;
	c->fmt.out = fmt_out;
	c->ended_line = ended_line;
	return err;
}

static int look(struct recorder *r, const struct act *act, const uint8_t *data)
{
	void **lookup = hash_ref(&r->lookups, &act, sizeof(act));

	if (!*lookup)
		*lookup = (void *)(uintptr_t)lookup_of(act);
	if ((enum lookup)(uintptr_t)*lookup == LOOKUP_OUTPUT && !act->carried && r->nowhere)
		return print_nowhere(r, act, data);
	for (int i = 0; (enum lookup)(uintptr_t)*lookup == LOOKUP_VALUES && i < act->nrecs; i++) {
		struct value v = rec_value(&act->recs[i], data);

		look_value(r, &v);
	}
	return 0;
}

int recorder_take(struct recorder *r, const struct rec_header *h)
{
	const struct layout *layout = r->c->schema->layouts.v[h->clause];
	const uint8_t *data = (const uint8_t *)h;
	int err = 0;

	r->c->time = h->time;
	for (int i = 0; i < layout->acts.n && !err; i++) {
		const struct act *act = layout->acts.v[i];

		if (act->cond_off >= 0 && !data[act->cond_off])
			continue;
		err = look(r, act, data);
		if (r->silent && act->carried && !err)
			err = act->print(r->c, act, data);
	}
	return err;
}

static bool has_names(const struct aggr *ag)
{
	for (int i = 0; i < ag->ncols; i++)
		if (lookup_of_type(ag->cols[i].type) != LOOKUP_NOTHING)
			return true;
	return false;
}

static void look_keys(struct recorder *r, const struct aggr *ag)
{
	for (size_t i = 0; i < ag->totals.n; i++) {
		const struct aggr_entry *e = ag->totals.entries[i].value;

		for (int k = 0; e && k < ag->ncols; k++) {
			struct value v = aggr_col_value(&ag->cols[k], e->key);

			look_value(r, &v);
		}
	}
}

int recorder_take_aggs(struct recorder *r, const struct fmt *f, struct aggr *const *ags, int n)
{
	struct fmt_ctx ctx = r->c->fmt;
	struct aggr_sort sort = consume_sort(r->c);
	bool any = false;
	int err = 0;

	usyms_when(r->c->fmt.usyms, 0);
	for (int i = 0; i < n; i++) {
		any |= ags[i]->totals.live != 0;
		if (has_names(ags[i]))
			look_keys(r, ags[i]);
	}
	ctx.out = r->nowhere;
	if (names_numbers(f) && r->nowhere)
		err = aggr_printf(&ctx, f, ags, n, &sort);
	for (int i = 0; i < n && r->silent; i++)
		ags[i]->printed |= any;
	return err;
}
