/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PIDs are reused: the map of one process must not name the functions of another user's process
 * that gets its PID, nor the other way round. So names belong to an image (image_history.h), which
 * lasts from a fork or an exec to the next one of that PID. A map is read for the newest image
 * only, and what was read is discarded if a newer one began meanwhile. Where events may be missing
 * the start time of the process must be the same at each look-up.
 */
#include "libdt/symbols/jit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/hash.h"
#include "libdt/base/mem.h"
#include "libdt/process/foreign.h"
#include "libdt/process/jitread.h"
#include "libdt/process/task.h"
#include "libdt/symbols/image_history.h"

/*
 * How often a file is looked at for addresses that it did not have; how long it may be read then,
 * in parts; how many times as long it is left alone where that takes long; and up to where it is
 * read.
 */
#define AGAIN_NS 50000000
#define CATCH_UP_NS 400000000
#define FILE_MAX (1ull << 30)
enum {
	REST = 2,
	SWEEP_MIN = 4096, /* so many are remembered at least */
};

/*
 * What was added at a time, ascending. A file that grows would have to be sorted again and again:
 * instead a run is merged with the one before it when that is not much longer, so each symbol is
 * moved a few times only.
 */
struct run {
	struct jit_symbol *v;
	uint64_t n;
};

/* An answer, which has the names of a run, and its symbols until they are merged. */
struct block {
	void *mem;
	size_t len;
};

struct process {
	uint64_t image; /* its id */
	pid_t pid;
	uint64_t started; /* in clock ticks; 0: not known */
	VEC(struct run) runs;
	VEC(struct block) blocks;
	uint64_t inode; /* of the file */
	uint32_t payer; /* of what was read of it */
	uint32_t uid;	/* whose process it is, */
	bool is_seen;	/* if that was looked up while it ran */
	struct jitread next;
	uint64_t looked_ns, rest_ns;
};

struct jits {
	struct foreign *foreign;
	struct image_history *images; /* NULL: there is one image of each number */
	struct hash processes;	      /* id of an image -> struct process */
	size_t sweep_at;	      /* when so many are there */
};

struct jits *jits_new(struct foreign *foreign, struct image_history *images)
{
	struct jits *js = xcalloc(1, sizeof(*js));

	js->foreign = foreign;
	js->images = images;
	js->sweep_at = SWEEP_MIN;
	return js;
}

static bool is_in_block(const struct process *p, const struct run *r)
{
	for (int i = 0; i < p->blocks.n; i++) {
		const char *mem = p->blocks.v[i].mem, *v = (const char *)r->v;

		if (v >= mem && v < mem + p->blocks.v[i].len)
			return true;
	}
	return false;
}

static void run_free(struct jits *js, struct process *p, struct run *r)
{
	if (!r->n || is_in_block(p, r))
		return;
	foreign_charge(js->foreign, p->payer, -(int64_t)(r->n * sizeof(*r->v)));
	free(r->v);
}

/* What was read of its file is forgotten. */
static void clear(struct jits *js, struct process *p)
{
	for (int i = 0; i < p->runs.n; i++)
		run_free(js, p, &p->runs.v[i]);
	for (int i = 0; i < p->blocks.n; i++)
		foreign_drop(js->foreign, p->payer, p->blocks.v[i].mem, p->blocks.v[i].len);
	vec_free(&p->runs);
	vec_free(&p->blocks);
}

static void forget(struct jits *js, struct process *p)
{
	clear(js, p);
	p->next = (struct jitread){0};
	p->inode = 0;
}

static void process_free(struct jits *js, struct process *p)
{
	clear(js, p);
	free(p);
}

void jits_free(struct jits *js)
{
	for (size_t i = 0; i < js->processes.n; i++)
		if (js->processes.entries[i].key)
			process_free(js, js->processes.entries[i].value);
	hash_free(&js->processes);
	free(js);
}

/* As image_history_life(). */
static bool life_of(const struct jits *js, pid_t pid, uint64_t time, struct image_life *life)
{
	*life = (struct image_life){.id = pid, .until = UINT64_MAX, .is_sure = true};
	return !js->images || image_history_life(js->images, pid, time, life);
}

static bool is_known(const struct jits *js, const struct process *p)
{
	return !js->images || image_history_has(js->images, p->pid, p->image);
}

/* Of those that have no file only when it was looked for is known: it may be forgotten. Those whose
 * images were forgotten are not asked for any more. Events must not cause this: they are received
 * while a process, or a name, is in use. */
static void sweep(struct jits *js)
{
	if (js->processes.live < js->sweep_at)
		return;
	for (size_t i = 0; i < js->processes.n; i++) {
		struct process *p = js->processes.entries[i].value;

		if (!p || (p->runs.n && is_known(js, p)))
			continue;
		hash_remove(&js->processes, &p->image, sizeof(p->image));
		process_free(js, p);
	}
	js->sweep_at = MAX(2 * js->processes.live, (size_t)SWEEP_MIN);
}

static struct process *process_of(struct jits *js, pid_t pid, const struct image_life *life)
{
	struct process **p =
	    (struct process **)hash_ref(&js->processes, &life->id, sizeof(life->id));

	if (!*p) {
		*p = xcalloc(1, sizeof(**p));
		(*p)->image = life->id;
		(*p)->pid = pid;
	}
	return *p;
}

/* Field 22 of /proc/PID/stat, after a name that may contain any character. */
static uint64_t start_of(pid_t pid)
{
	enum { BEHIND_NAME = 20 };
	char path[64], text[1024], *at;
	size_t len = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (f) {
		len = fread(text, 1, sizeof(text) - 1, f);
		fclose(f);
	}
	text[len] = '\0';
	at = strrchr(text, ')');
	for (int i = 0; at && i < BEHIND_NAME; i++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at + 1, NULL, 10) : 0;
}

/* What is known of a process of the same number that ended without an event is forgotten. */
static void check_start(struct jits *js, struct process *p)
{
	uint64_t started = start_of(p->pid);

	if (!started)
		return;
	if (p->started != started) {
		forget(js, p);
		p->is_seen = false;
		p->looked_ns = 0;
	}
	p->started = started;
}

static void see(struct jits *js, pid_t pid)
{
	uint64_t begun = clock_ns(CLOCK_MONOTONIC);
	struct image_life life;
	struct process *p;
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d", pid);
	if (stat(path, &st) || !life_of(js, pid, clock_ns(CLOCK_MONOTONIC), &life) ||
	    life.from > begun)
		return;
	p = process_of(js, pid, &life);
	if (!life.is_sure)
		check_start(js, p);
	p->uid = st.st_uid;
	p->is_seen = true;
}

void jits_see(struct jits *js, pid_t pid)
{
	sweep(js);
	see(js, pid);
}

void jits_exec(struct jits *js, pid_t pid, uint64_t time)
{
	struct image_life life;
	struct process *old = NULL, *p;

	if (life_of(js, pid, time - 1, &life))
		old = hash_get(&js->processes, &life.id, sizeof(life.id));
	if (!old || !old->is_seen || !life_of(js, pid, time, &life))
		return;
	/* It may end before it is seen again. Only root's user stays the same for sure. */
	if (!old->uid) {
		p = process_of(js, pid, &life);
		p->is_seen = true;
	}
	see(js, pid);
}

/* Reading ----------------------------------------------------------------- */

static void merge_last(struct jits *js, struct process *p)
{
	struct run *a = &p->runs.v[p->runs.n - 2], *b = a + 1;
	struct run both = {xcalloc(a->n + b->n, sizeof(*both.v)), a->n + b->n};

	for (uint64_t i = 0, j = 0; i + j < both.n;) {
		bool first = j == b->n || (i < a->n && jit_symbol_compare(&a->v[i], &b->v[j]) <= 0);

		both.v[i + j] = first ? a->v[i] : b->v[j];
		*(first ? &i : &j) += 1;
	}
	foreign_charge(js->foreign, p->payer, both.n * sizeof(*both.v));
	run_free(js, p, a);
	run_free(js, p, b);
	*a = both;
	p->runs.n--;
}

static bool add_run(struct jits *js, struct process *p, struct jitread_answer *a, struct block b)
{
	struct run r = {(void *)((char *)b.mem + sizeof(*a)), a->n};
	const char *texts = (char *)b.mem + b.len - a->texts_len;

	if (texts[a->texts_len - 1])
		return false;
	for (uint64_t i = 0; i < r.n; i++) {
		uint64_t off = (uintptr_t)r.v[i].name;

		if (off >= a->texts_len)
			return false;
		r.v[i].name = texts + off;
	}
	vec_push(&p->blocks, b);
	vec_push(&p->runs, r);
	while (p->runs.n > 1 && p->runs.v[p->runs.n - 2].n < 2 * p->runs.v[p->runs.n - 1].n)
		merge_last(js, p);
	return true;
}

static void take(struct jits *js, struct process *p, struct block b)
{
	struct jitread_answer a;
	bool kept = false;

	if (b.len < sizeof(a))
		return;
	memcpy(&a, b.mem, sizeof(a));
	if (a.anew)
		clear(js, p);
	p->next = a.next;
	if (a.n && a.n <= (b.len - sizeof(a)) / sizeof(struct jit_symbol) && a.texts_len &&
	    a.texts_len == b.len - sizeof(a) - a.n * sizeof(struct jit_symbol))
		kept = add_run(js, p, &a, b);
	if (!kept)
		foreign_drop(js->foreign, p->payer, b.mem, b.len);
}

/* Of a process: its number in its own pid namespace, in how many of ours it is, and whose files it
 * makes. */
struct identity {
	pid_t inner;
	int levels;
	uint32_t uid;
};

static struct identity identity_of(pid_t pid)
{
	struct identity id = {.inner = pid};
	char path[64], line[512];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "Uid:", 4))
			sscanf(line + 4, "%*u %u", &id.uid);
		if (strncmp(line, "NSpid:", 6))
			continue;
		for (char *s = strtok(line + 6, " \t\n"); s; s = strtok(NULL, " \t\n")) {
			id.inner = atoi(s);
			id.levels++;
		}
	}
	if (f)
		fclose(f);
	return id;
}

/*
 * What an ended process left in our /tmp. That it is its own the file's owner says, if the
 * process was seen or its parent has still to wait for it, or that it is the file which was read
 * before.
 */
static int find_left(struct jits *js, const struct process *p, const struct identity *id,
		     const char *path, struct foreign_file *file)
{
	int err = -ENOENT;

	foreign_file_init(file);
	if (task_has_ended(task_shown(p->pid)) && id->levels <= 1)
		err = foreign_find_here(js->foreign, 0, path, file);
	if (!err && !(p->inode	   ? file->inode == p->inode
		      : p->is_seen ? file->uid == p->uid
				   : id->levels == 1 && file->uid == id->uid)) {
		foreign_release(file);
		err = -ESTALE;
	}
	return err;
}

static int find_map(struct jits *js, const struct process *p, struct foreign_file *file)
{
	struct identity id = identity_of(p->pid);
	char *path = xasprintf("/tmp/perf-%d.map", id.inner);
	int err = foreign_find_here(js->foreign, p->pid, path, file);

	if (!err && file->uid && file->uid != id.uid) { /* another user's, in the common /tmp */
		foreign_release(file);
		err = -EPERM;
	}
	if (err && err != -ETIMEDOUT)
		err = find_left(js, p, &id, path, file);
	free(path);
	return err;
}

/* Was the image there until now? A fork is reported before the process runs, an exec before its
 * user changes. */
static bool is_there(struct jits *js, const struct process *p, uint64_t now)
{
	struct image_life life;
	uint64_t started;

	if (!life_of(js, p->pid, now, &life) || life.id != p->image)
		return false;
	started = life.is_sure ? 0 : start_of(p->pid);
	return !started || started == p->started;
}

/* Reads what the file has that was not read yet. */
static void look(struct jits *js, struct process *p)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), before;
	struct foreign_file file;
	struct block b;

	if (p->looked_ns && now - p->looked_ns < MAX(p->rest_ns, (uint64_t)AGAIN_NS))
		return;
	p->looked_ns = now;
	if (!is_there(js, p, now) || find_map(js, p, &file))
		return;
	if (p->inode && p->inode != file.inode) {
		clear(js, p);
		p->next = (struct jitread){0};
	}
	p->inode = file.inode;
	if (!p->blocks.n)
		p->payer = file.payer;
	file.payer = p->payer;
	do { /* all that there is, in parts */
		before = p->next.from;
		if (before > FILE_MAX)
			break;
		b.mem = foreign_ask_jit(js->foreign, &file, &p->next, &b.len);
		if (b.mem)
			take(js, p, b);
	} while (b.mem && p->next.from > before && clock_ns(CLOCK_MONOTONIC) - now < CATCH_UP_NS);
	foreign_release(&file);
	p->looked_ns = clock_ns(CLOCK_MONOTONIC);
	if (!is_there(js, p, p->looked_ns))
		forget(js, p);
	p->rest_ns = REST * (p->looked_ns - now);
}

/* The last one that begins at the address or before it. */
static const struct jit_symbol *last_before(const struct run *r, uint64_t addr)
{
	uint64_t low = 0, high = r->n;

	while (low < high) {
		uint64_t mid = low + (high - low) / 2;

		if (r->v[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &r->v[low - 1] : NULL;
}

static const struct jit_symbol *symbol_at(const struct process *p, uint64_t addr)
{
	const struct jit_symbol *best = NULL;

	for (int i = 0; i < p->runs.n; i++) {
		const struct jit_symbol *s = last_before(&p->runs.v[i], addr);

		if (s && (!best || jit_symbol_compare(s, best) > 0))
			best = s;
	}
	return best && addr - best->addr < best->size ? best : NULL;
}

bool jits_find(struct jits *js, pid_t pid, uint64_t addr, uint64_t time, const char **name,
	       uint64_t *off)
{
	const struct jit_symbol *s;
	struct image_life life;
	struct process *p;

	sweep(js);
	if (!life_of(js, pid, time, &life))
		return false;
	p = process_of(js, pid, &life);
	if (!life.is_sure)
		check_start(js, p);
	s = symbol_at(p, addr);
	if (!s && life.until == UINT64_MAX) {
		look(js, p);
		s = symbol_at(p, addr);
	}
	if (!s)
		return false;
	*name = s->name;
	*off = addr - s->addr;
	return true;
}
