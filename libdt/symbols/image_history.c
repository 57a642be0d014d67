/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/symbols/image_history.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libdt/base/clock.h"
#include "libdt/base/hash.h"
#include "libdt/base/mem.h"
#include "libdt/process/foreign.h"
#include "libdt/process/task.h"

/* How often a process's mappings are read again for addresses that are in none: at most a
 * twentieth of the time is spent on it. */
#define REREAD_NS 50000000
enum { REREAD_SHARE = 20 };
/* How long keys and records of a process that has ended may wait where they are not in the ring. */
#define LINGER_NS 5000000000
enum {
	READ_MAX = 64,	   /* of an image: a compiler at run time makes new code all the time */
	IMAGES_MAX = 64,   /* of a process */
	TOLD_MAX = 4096,   /* mappings of an image: there is no event for unmapping */
	ENDED_MAX = 16384, /* processes that have ended, whose addresses may come yet */
	KEPT_MAX = 32768,  /* those whose addresses were met */
	/* bytes of all mappings: those of more are forgotten before their time, and of processes
	 * that run are read again */
	COST_MAX = 256 << 20,
};

/* What /proc said, and when. */
struct read {
	struct proc_maps *maps;
	uint64_t begun, ended;
};

/*
 * An image is in parts, all with its id: where a mapping takes an address from another file, a new
 * part begins, with what is mapped or read since. What it does not have the older parts have.
 */
struct image {
	uint64_t id;		    /* also of one that was forgotten and is met again */
	uint64_t from;		    /* 0: it was there before we looked */
	bool forked;		    /* it began with a fork: it is another process */
	bool none;		    /* before the first process of that number that is known */
	VEC(struct read) read;	    /* the newest last */
	struct proc_maps *recorded; /* NULL: nothing */
};

struct process {
	pid_t pid, parent;
	VEC(struct image) images;   /* in the order of time; there is one at least */
	uint64_t read_ns, ended_ns; /* when it was read last, and has ended */
	uint64_t took_ns;	    /* to read it */
	bool seen;		    /* addresses of it were met */
	bool asked;		    /* it was read for its child's sake */
	bool reused;		    /* addresses of a former process of that number were met */
	bool outlives;		    /* threads ran after its first one had ended */
};

/* A child whose parent was there before we looked, and was not read yet. */
struct heir {
	pid_t pid, parent;
	uint64_t forked;
};

struct end {
	pid_t pid;
	uint64_t ns;
};

struct ends {
	VEC(struct end) v;
};

/* Numbers of processes, as bits: at most a bit for each number that there can be. */
enum { NUMBERS = 512 };
struct numbers {
	uint64_t bits[NUMBERS / 64];
};

struct image_history {
	struct foreign *foreign;
	struct hash processes; /* pid -> struct process */
	struct hash met;       /* pid / NUMBERS -> struct numbers: met, and ended */
	VEC(struct heir) heirs;
	struct ends ended, kept;
	uint64_t (*pull)(void *arg);
	void *arg;
	uint64_t ids;	  /* given to images */
	uint64_t until;	  /* all events up to this time were received */
	uint64_t lost_ns; /* when it was known that some are lost; 0: none are */
	uint64_t cost;	  /* of all mappings */
	uint64_t cost_max;
	bool pulling;
};

struct image_history *image_history_new(struct foreign *f)
{
	struct image_history *im = xcalloc(1, sizeof(*im));

	im->foreign = f;
	im->cost_max = COST_MAX;
	return im;
}

void image_history_limit(struct image_history *im, uint64_t bytes)
{
	im->cost_max = MIN(im->cost_max, bytes);
}

static void image_free(struct image *i)
{
	for (int k = 0; k < i->read.n; k++)
		proc_maps_free(i->read.v[k].maps);
	vec_free(&i->read);
	proc_maps_free(i->recorded);
}

static void process_free(struct process *p)
{
	for (int i = 0; i < p->images.n; i++)
		image_free(&p->images.v[i]);
	vec_free(&p->images);
	free(p);
}

void image_history_free(struct image_history *im)
{
	if (!im)
		return;
	for (size_t i = 0; i < im->processes.n; i++)
		if (im->processes.entries[i].key)
			process_free(im->processes.entries[i].value);
	hash_free(&im->processes);
	for (size_t i = 0; i < im->met.n; i++)
		free(im->met.entries[i].value);
	hash_free(&im->met);
	vec_free(&im->heirs);
	vec_free(&im->ended.v);
	vec_free(&im->kept.v);
	free(im);
}

static struct process *process_get(const struct image_history *im, pid_t pid)
{
	return hash_get(&im->processes, &pid, sizeof(pid));
}

/* Remembers, for good, that keys may have addresses of an ended process of that number. */
static void note_met(struct image_history *im, pid_t pid)
{
	pid_t part = pid / NUMBERS;
	struct numbers **n = (struct numbers **)hash_ref(&im->met, &part, sizeof(part));

	if (!*n)
		*n = xcalloc(1, sizeof(**n));
	(*n)->bits[pid % NUMBERS / 64] |= 1ull << pid % 64;
}

static bool was_met(const struct image_history *im, pid_t pid)
{
	pid_t part = pid / NUMBERS;
	const struct numbers *n = hash_get(&im->met, &part, sizeof(part));

	return n && n->bits[pid % NUMBERS / 64] >> pid % 64 & 1;
}

/* The process, as one that was there before when it is new. */
static struct process *process_ref(struct image_history *im, pid_t pid)
{
	struct process **p = (struct process **)hash_ref(&im->processes, &pid, sizeof(pid));

	if (!*p) {
		*p = xcalloc(1, sizeof(**p));
		(*p)->pid = pid;
		(*p)->reused = was_met(im, pid);
		vec_push(&(*p)->images, ((struct image){.id = ++im->ids}));
	}
	return *p;
}

static void drop_images(struct process *p, int n)
{
	for (int i = 0; i < n; i++)
		image_free(&p->images.v[i]);
	p->images.n -= n;
	memmove(p->images.v, p->images.v + n, p->images.n * sizeof(*p->images.v));
}

/* The images that began before that time, but for the last one. */
static void drop_before(struct process *p, uint64_t time)
{
	int n = 0;

	while (n < p->images.n - 1 && p->images.v[n].from < time)
		n++;
	drop_images(p, n);
}

static void drop(struct image_history *im, const struct end *end)
{
	struct process *p = process_get(im, end->pid);

	if (p && p->ended_ns != end->ns) { /* its number has come again */
		drop_before(p, end->ns);
	} else if (p) {
		hash_remove(&im->processes, &end->pid, sizeof(end->pid));
		process_free(p);
	}
}

static void shift(struct ends *ends, int n)
{
	ends->v.n -= n;
	memmove(ends->v.v, ends->v.v + n, ends->v.n * sizeof(*ends->v.v));
}

/* Those that have ended, while all mappings take too much. */
static void forget_costly(struct image_history *im, struct ends *ends)
{
	int n = 0;

	while (im->cost > im->cost_max && n < ends->v.n)
		drop(im, &ends->v.v[n++]);
	if (n)
		shift(ends, n);
}

static uint64_t maps_cost(const struct proc_maps *m)
{
	return m ? proc_maps_cost(m) : 0;
}

static uint64_t process_cost(const struct process *p)
{
	uint64_t cost = 0;

	for (int i = 0; i < p->images.n; i++) {
		const struct image *image = &p->images.v[i];

		cost += maps_cost(image->recorded);
		for (int k = 0; k < image->read.n; k++)
			cost += maps_cost(image->read.v[k].maps);
	}
	return cost;
}

static void drop_read(struct image *i, int k)
{
	proc_maps_free(i->read.v[k].maps);
	i->read.n--;
	memmove(&i->read.v[k], &i->read.v[k + 1], (i->read.n - k) * sizeof(*i->read.v));
}

/* All but the newest of its lists. */
static void drop_older(struct process *p)
{
	struct image *last;

	drop_images(p, p->images.n - 1);
	last = &p->images.v[0];
	while (last->read.n > 1)
		drop_read(last, 0);
	if (last->read.n) {
		proc_maps_free(last->recorded);
		last->recorded = NULL;
	}
}

static void drop_maps(struct process *p)
{
	for (int i = 0; i < p->images.n; i++) {
		image_free(&p->images.v[i]);
		p->images.v[i].recorded = NULL;
	}
}

/*
 * What one user's processes have mapped must not displace the others': those that take the most
 * are forgotten first. The lists that remain of a round take less than half of what the largest
 * took before.
 */
static void forget_largest(struct image_history *im, uint64_t target, const struct process *keep)
{
	uint64_t most = 0;

	for (size_t i = 0; i < im->processes.n; i++) {
		const struct process *p = im->processes.entries[i].value;

		if (p && p != keep)
			most = MAX(most, process_cost(p));
	}
	for (size_t i = 0; i < im->processes.n && im->cost > target; i++) {
		struct process *p = im->processes.entries[i].value;

		if (p && p != keep && process_cost(p) > most / 2)
			drop_maps(p);
	}
	if (most && im->cost > target)
		forget_largest(im, target, keep);
}

/* Lists are dropped while all take too much; of process pid, or 0, the newest stays. */
static void limit_cost(struct image_history *im, pid_t pid)
{
	struct process *keep;

	if (im->cost <= im->cost_max)
		return;
	forget_costly(im, &im->kept);
	forget_costly(im, &im->ended);
	keep = pid ? process_get(im, pid) : NULL;
	if (im->cost > im->cost_max && keep)
		drop_older(keep);
	if (im->cost > im->cost_max)
		forget_largest(im, im->cost_max / 8 * 7, keep);
}

/* Images ------------------------------------------------------------------ */

static int index_at(const struct process *p, uint64_t time)
{
	int i = p->images.n - 1;

	while (i > 0 && p->images.v[i].from > time)
		i--;
	return i;
}

/* The first part of an image. */
static int first_part(const struct process *p, int i)
{
	while (i > 0 && p->images.v[i - 1].id == p->images.v[i].id)
		i--;
	return i;
}

/* Do two mappings have the same symbols, at the same addresses? */
static bool is_same(const struct mapping *a, const struct mapping *b)
{
	if (!a->inode && !b->inode)
		return mapping_is_vdso(a) == mapping_is_vdso(b);
	return a->dev == b->dev && a->inode == b->inode && a->start - a->off == b->start - b->off;
}

/* Is one that was read the same as one of an earlier event? On overlay file systems they may have
 * other numbers of the same file. */
static bool is_same_path(const struct mapping *read, const struct mapping *event)
{
	return is_same(read, event) || (*event->path == '/' && !strcmp(read->path, event->path) &&
					read->start - read->off == event->start - event->off);
}

/* Maps read after an image began belong to that image; those read while it began belong to none; or
 * if a mapping began it, to the part of which they have the address. */
static void divide(struct image *old, struct image *fresh, const struct mapping *one)
{
	int keep = 0;

	for (int k = 0; k < old->read.n; k++) {
		struct read *r = &old->read.v[k];
		bool spans = r->ended > fresh->from && r->begun < fresh->from;
		const struct mapping *m = spans && one ? proc_maps_at(r->maps, one->start) : NULL;

		if (r->ended <= fresh->from || (spans && one && !(m && is_same_path(m, one))))
			old->read.v[keep++] = *r;
		else if (!spans || one)
			vec_push(&fresh->read, *r);
		else
			proc_maps_free(r->maps);
	}
	old->read.n = keep;
}

static int count_of(const struct proc_maps *maps)
{
	int n = 0;

	if (maps)
		proc_maps_all(maps, &n);
	return n;
}

/* Puts mappings over those of a list. */
static struct proc_maps *cover(struct proc_maps *maps, const struct proc_maps *with)
{
	int n;

	for (int i = 0; i < count_of(with); i++)
		maps = proc_maps_add(maps, &proc_maps_all(with, &n)[i]);
	return maps;
}

/* Too many parts: what the next one has not replaced goes to it, of the lists that were read the
 * newest. */
static void drop_first(struct process *p)
{
	struct image *old = &p->images.v[0], *next = &p->images.v[1];

	if (old->id == next->id) {
		if (old->read.n && next->read.n < READ_MAX) {
			struct read r = old->read.v[--old->read.n];

			r.maps = cover(r.maps, next->recorded);
			vec_push(&next->read, r);
			memmove(&next->read.v[1], &next->read.v[0], (next->read.n - 1) * sizeof(r));
			next->read.v[0] = r;
		}
		if (count_of(old->recorded) + count_of(next->recorded) < TOLD_MAX) {
			old->recorded = cover(old->recorded, next->recorded);
			proc_maps_free(next->recorded);
			next->recorded = old->recorded;
			old->recorded = NULL;
		}
		next->forked |= old->forked;
	}
	drop_images(p, 1);
}

/* The image at that time ends. one: it goes on with this mapping, as another part. */
static struct image *begin(struct image_history *im, struct process *p, uint64_t time,
			   const struct mapping *one)
{
	struct image fresh = {.from = time};
	int at;

	if (p->images.n == IMAGES_MAX)
		drop_first(p);
	at = index_at(p, time);
	fresh.id = one ? p->images.v[at].id : ++im->ids;
	divide(&p->images.v[at], &fresh, one);
	vec_push(&p->images, fresh);
	memmove(&p->images.v[at + 2], &p->images.v[at + 1], (p->images.n - 2 - at) * sizeof(fresh));
	p->images.v[at + 1] = fresh;
	return &p->images.v[at + 1];
}

/* A list that has nothing that was not known is not kept, nor is an older one of which it has
 * all. */
static void add_read(struct image_history *im, struct process *p, const struct read *r)
{
	struct image *i = &p->images.v[p->images.n - 1];
	struct read *last = i->read.n ? &i->read.v[i->read.n - 1] : NULL;

	if (last && proc_maps_contains(last->maps, r->maps)) {
		proc_maps_free(r->maps);
		return;
	}
	if (last && proc_maps_contains(r->maps, last->maps))
		drop_read(i, i->read.n - 1);
	else if (i->read.n == READ_MAX)
		drop_read(i, 0);
	proc_maps_count(r->maps, &im->cost);
	vec_push(&i->read, *r);
	limit_cost(im, p->pid);
}

static void read_maps(struct image_history *im, struct process *p)
{
	struct read r = {.begun = clock_ns(CLOCK_MONOTONIC)};

	r.maps = foreign_maps(im->foreign, p->pid);
	p->read_ns = r.ended = clock_ns(CLOCK_MONOTONIC);
	p->took_ns = r.ended - r.begun;
	if (r.maps)
		add_read(im, p, &r);
}

/* A child has what its parent has, of what was read that which was there for sure when it was
 * made. */
static bool inherit(const struct image_history *im, struct image *to, const struct image *from)
{
	bool any = false;

	for (int k = 0; k < from->read.n; k++) {
		struct read r = from->read.v[k];

		if (r.ended > to->from && r.ended > im->until)
			continue;
		proc_maps_share(r.maps);
		r.begun = r.ended = to->from; /* it stays the child's image's, whenever that ends */
		vec_push(&to->read, r);
		any = true;
	}
	return any;
}

/* The child has all parts of its parent's image. */
static void on_fork(struct image_history *im, const struct mmap_event *e)
{
	struct process *parent = process_ref(im, e->parent), *p = process_ref(im, e->pid);
	int last = index_at(parent, e->time), first = first_part(parent, last);
	struct image *to = begin(im, p, e->time, NULL);
	bool any = false;
	uint64_t id = to->id;

	to->forked = true;
	if (!p->ended_ns) /* what was met of it already came after the fork */
		p->images.v[0].none = !p->images.v[0].from;
	p->parent = e->parent;
	p->reused = was_met(im, e->pid);
	p->ended_ns = 0;
	p->outlives = false;
	p->asked = false;
	for (int i = first; i <= last; i++) {
		const struct image *from = &parent->images.v[i];

		if (i > first) {
			to = begin(im, p, e->time, NULL);
			to->id = id;
		}
		to->recorded = proc_maps_share(from->recorded);
		any |= inherit(im, to, from);
	}
	if (!any && !parent->images.v[first].from)
		vec_push(&im->heirs, ((struct heir){e->pid, e->parent, e->time}));
}

/* How a mapping goes with a list: is an address of it another's, or is all of it there? */
enum { APART, TAKES, WITHIN };
static int compare(const struct proc_maps *maps, const struct mapping *one,
		   bool (*same)(const struct mapping *, const struct mapping *))
{
	const struct mapping *m;
	int n, low = 0, high;

	m = proc_maps_all(maps, &n);
	for (high = n; low < high;) { /* the first that ends after its start */
		int mid = low + (high - low) / 2;

		if (m[mid].end <= one->start)
			low = mid + 1;
		else
			high = mid;
	}
	for (int i = low; i < n && m[i].start < one->end; i++)
		if (!same(&m[i], one))
			return TAKES;
	return low < n && m[low].start <= one->start && m[low].end >= one->end ? WITHIN : APART;
}

/* Does a mapping take an address from what was there? */
static bool takes(const struct process *p, int at, const struct mmap_event *e)
{
	int first = first_part(p, at);

	for (int i = at; i >= first; i--) {
		const struct image *image = &p->images.v[i];
		int how = image->recorded ? compare(image->recorded, &e->map, is_same) : APART;
		bool within = how == WITHIN;

		for (int k = 0; k < image->read.n && how != TAKES; k++) {
			const struct read *r = &image->read.v[k];

			if (r->begun >= e->time)
				continue;
			how =
			    compare(r->maps, &e->map, r->ended > e->time ? is_same_path : is_same);
			within |= how == WITHIN;
		}
		if (how == TAKES)
			return true;
		if (within)
			break;
	}
	return false;
}

/* Older parts may not come up again where this one is forgotten. */
static void forget_parts(struct process *p, int at)
{
	for (int i = first_part(p, at); i <= at; i++) {
		struct image *part = &p->images.v[i];

		if (i < at) {
			image_free(part);
			part->recorded = NULL;
		}
	}
	proc_maps_free(p->images.v[at].recorded);
	p->images.v[at].recorded = NULL;
}

static void on_map(struct image_history *im, const struct mmap_event *e)
{
	bool has_name = e->map.inode || *e->map.path;
	struct process *p;
	struct image *i;
	int at, n;

	limit_cost(im, 0);
	if (!has_name && !process_get(im, e->pid))
		return;
	p = process_ref(im, e->pid);
	at = index_at(p, e->time);
	if (takes(p, at, e)) {
		i = begin(im, p, e->time, &e->map);
	} else if (has_name) {
		i = &p->images.v[at];
	} else {
		return; /* a JIT maps memory all the time */
	}
	at = i - p->images.v;
	n = count_of(i->recorded);
	if (n >= TOLD_MAX || (n && im->cost > im->cost_max))
		forget_parts(p, at);
	i->recorded = proc_maps_add(i->recorded, &e->map);
	proc_maps_count(i->recorded, &im->cost);
}

/* A thread that executes a program takes the number of the first one, which has ended for that or
 * before. */
static void on_exec(struct image_history *im, const struct mmap_event *e)
{
	struct process *p = process_ref(im, e->pid);
	int kept = 0;

	for (int i = 0; p->ended_ns && i < im->ended.v.n; i++)
		if (im->ended.v.v[i].pid != e->pid || im->ended.v.v[i].ns != p->ended_ns)
			im->ended.v.v[kept++] = im->ended.v.v[i];
	if (p->ended_ns)
		im->ended.v.n = kept;
	p->ended_ns = 0;
	p->outlives = false;
	begin(im, p, e->time, NULL);
}

/* Its addresses may come yet, and its number again. */
static void on_exit_of_first(struct image_history *im, const struct mmap_event *e)
{
	struct process *p = process_ref(im, e->pid);

	if (p->seen)
		note_met(im, e->pid);
	p->ended_ns = e->time;
	vec_push(&im->ended.v, ((struct end){e->pid, e->time}));
}

void image_history_event(struct image_history *im, const struct mmap_event *e)
{
	switch (e->kind) {
	case MMAP_EVENT_LOST:
		im->lost_ns = clock_ns(CLOCK_MONOTONIC);
		break;
	case MMAP_EVENT_MAP:
		on_map(im, e);
		break;
	case MMAP_EVENT_FORK:
		on_fork(im, e);
		break;
	case MMAP_EVENT_EXEC:
		on_exec(im, e);
		break;
	case MMAP_EVENT_EXIT:
		on_exit_of_first(im, e);
		break;
	}
}

/* Following --------------------------------------------------------------- */

void image_history_follow(struct image_history *im, uint64_t (*pull)(void *arg), void *arg)
{
	im->pull = pull;
	im->arg = arg;
}

/* Has the first thread of a process ended, but not long ago all of them? There is no event of the
 * last one's end: it is known to have ended since it was looked for last. */
static bool runs_on(struct process *p, const struct end *end)
{
	bool ran = p->outlives;

	if (p->ended_ns != end->ns)
		return false;
	p->outlives = !task_has_ended(task_shown(p->pid));
	return ran || p->outlives;
}

/* Of processes that have ended those are kept for longer whose addresses were met: they may be
 * printed at the end. */
void image_history_forget(struct image_history *im, uint64_t time)
{
	int n = 0;

	while (n < im->ended.v.n &&
	       (im->ended.v.v[n].ns + LINGER_NS < time || im->ended.v.n - n > ENDED_MAX)) {
		struct end end = im->ended.v.v[n++];
		struct process *p = process_get(im, end.pid);

		if (p && im->ended.v.n - n < ENDED_MAX && runs_on(p, &end)) {
			end.ns = p->ended_ns = MAX(time, clock_ns(CLOCK_MONOTONIC));
			vec_push(&im->ended.v, end);
		} else if (p && p->seen) {
			vec_push(&im->kept.v, end);
		} else {
			drop(im, &end);
		}
	}
	if (n)
		shift(&im->ended, n);
	for (n = 0; im->kept.v.n - n > KEPT_MAX; n++)
		drop(im, &im->kept.v.v[n]);
	if (n)
		shift(&im->kept, n);
}

/*
 * Parents that existed before tracing began are read when they have a child. Whether a parent was
 * the same all the time until then is known once all events up to that time were received.
 */
static void settle(struct image_history *im)
{
	int n = im->heirs.n;

	for (int i = 0; i < n; i++) {
		struct process *parent = process_get(im, im->heirs.v[i].parent);

		if (parent && !parent->asked && !parent->images.v[parent->images.n - 1].read.n) {
			parent->asked = true;
			read_maps(im, parent);
		}
	}
	im->until = im->pull(im->arg);
	for (int i = 0; i < n; i++) {
		struct heir *h = &im->heirs.v[i];
		struct process *parent = process_get(im, h->parent), *p = process_get(im, h->pid);
		struct image *to = p ? &p->images.v[index_at(p, h->forked)] : NULL;

		if (parent && to && to->from == h->forked)
			inherit(im, to, &parent->images.v[index_at(parent, h->forked)]);
	}
	im->heirs.n -= n;
	memmove(im->heirs.v, im->heirs.v + n, im->heirs.n * sizeof(*im->heirs.v));
}

void image_history_catch_up(struct image_history *im)
{
	if (!im->pull || im->pulling)
		return;
	im->pulling = true;
	im->until = im->pull(im->arg);
	if (im->heirs.n)
		settle(im);
	image_history_forget(im, 0);
	im->pulling = false;
}

/* Looking ----------------------------------------------------------------- */

/* Does an address whose time is not known belong to another process of that number, maybe? */
static bool is_reused(const struct process *p)
{
	for (int i = 1; i < p->images.n; i++)
		if (p->images.v[i].forked && !p->images.v[i - 1].none)
			return true;
	return p->reused;
}

/* A report of a process may be read after its end. */
static void note_ended(struct image_history *im, struct process *p)
{
	p->reused = is_reused(p);
	if (p->reused || p->ended_ns)
		note_met(im, p->pid);
}

static struct process *meet(struct image_history *im, pid_t pid)
{
	struct process *p = process_ref(im, pid);

	if (!p->seen) {
		p->seen = true;
		note_ended(im, p);
		read_maps(im, p);
		p = process_ref(im, pid); /* it may have been forgotten, for it takes too much */
	}
	return p;
}

void image_history_see(struct image_history *im, pid_t pid)
{
	struct process *p = process_get(im, pid);

	if (!p || !p->seen) {
		meet(im, pid);
		return;
	}
	note_ended(im, p);
	read_maps(im, p);
}

/* What an address is in. */
struct hit {
	const struct mapping *m; /* NULL: nothing */
	const struct proc_maps *in;
	uint64_t read_ns; /* when it had been read; 0: it is of an event */
	bool doubt;	  /* it may be in something else */
};

/* May an older mapping be meant instead, with other names? Data in memory without a file has
 * none; and the dynamic linker maps a file as data, then parts of it as code. */
static bool is_doubtful(const struct hit *newer, const struct hit *older)
{
	const struct mapping *a = newer->m, *b = older->m;

	if (!(a->inode || a->exec) || !(b->inode || b->exec))
		return false;
	if (a->inode == b->inode && a->dev == b->dev && !(a->exec && b->exec))
		return false;
	return newer->read_ns && !older->read_ns ? !is_same_path(a, b) : !is_same(a, b);
}

/* In one part of an image. Lists that were read may differ: not all changes have events. */
static struct hit find_in(const struct image *i, uint64_t addr, uint64_t time)
{
	struct hit best = {0};

	for (int k = i->read.n; k-- >= 0;) { /* the last pass: maps from events */
		struct hit hit = {.in = k >= 0 ? i->read.v[k].maps : i->recorded,
				  .read_ns = k >= 0 ? i->read.v[k].ended : 0};

		hit.m = hit.in ? proc_maps_at(hit.in, addr) : NULL;
		if (hit.m && !best.m)
			best = hit;
		else if (hit.m && (!time || time < best.read_ns))
			best.doubt |= is_doubtful(&best, &hit);
	}
	return best;
}

/* In the image of that time and older ones of the process, for an address may have been kept; where
 * that is not sure, in all of the process. Of a time that is not known only what is the same in all
 * parts of an image. */
static struct hit search(const struct image_history *im, const struct process *p, uint64_t addr,
			 uint64_t time)
{
	int at = time ? index_at(p, time) : p->images.n - 1;
	struct hit best = {.doubt = !time && is_reused(p)};
	uint64_t id = 0, from = 0;

	if (time && p->images.v[at].from > time && !im->lost_ns) /* it was forgotten */
		best.doubt = true;
	for (int i = at; i >= 0 && !best.doubt; i = p->images.v[i].forked ? -1 : i - 1) {
		const struct image *part = &p->images.v[i];
		struct hit hit;

		if (best.m && (time || part->id != id))
			break;
		if (best.m && part->from == from) /* the parent's: it was replaced before */
			continue;
		hit = find_in(part, addr, time);
		if (!hit.m)
			continue;
		if (best.m)
			best.doubt = hit.doubt || is_doubtful(&best, &hit);
		else
			best = hit;
		id = part->id;
		from = part->from;
	}
	for (int i = at + 1; im->lost_ns && !best.m && !best.doubt && i < p->images.n; i++) {
		if (p->images.v[i].forked)
			break;
		best = find_in(&p->images.v[i], addr, time);
	}
	return best;
}

/* Reads a process again, but not all the time. */
static bool reread(struct image_history *im, struct process *p)
{
	if (clock_ns(CLOCK_MONOTONIC) - p->read_ns <
	    MAX((uint64_t)REREAD_NS, p->took_ns * REREAD_SHARE))
		return false;
	read_maps(im, p);
	return true;
}

const struct mapping *image_history_find(struct image_history *im, pid_t pid, uint64_t addr,
					 uint64_t time, const struct proc_maps **in)
{
	struct process *p;
	struct hit hit;

	meet(im, pid);
	if (!time || time > im->until)
		image_history_catch_up(im);
	p = meet(im, pid); /* catching up may have forgotten the oldest */
	if (p->read_ns <= im->lost_ns && reread(im, p)) /* what it had may be replaced */
		p = meet(im, pid);
	hit = search(im, p, addr, time);
	if (!hit.m && !hit.doubt && reread(im, p)) {
		image_history_catch_up(im);
		hit = search(im, meet(im, pid), addr, time);
	}
	if (hit.doubt)
		return NULL;
	if (in && hit.m)
		*in = hit.in;
	return hit.m;
}

bool image_history_life(struct image_history *im, pid_t pid, uint64_t time, struct image_life *life)
{
	const struct process *p;
	int at, next;

	if (!time || time > im->until)
		image_history_catch_up(im);
	p = process_get(im, pid);
	if (!p || (!time && is_reused(p)))
		return false;
	at = time ? index_at(p, time) : p->images.n - 1;
	if (p->images.v[at].none || (time && p->images.v[at].from > time))
		return false;
	next = at + 1;
	while (next < p->images.n && p->images.v[next].id == p->images.v[at].id)
		next++;
	*life = (struct image_life){
	    .id = p->images.v[at].id,
	    .from = p->images.v[first_part(p, at)].from,
	    .until = next < p->images.n ? p->images.v[next].from : UINT64_MAX,
	    .is_sure = im->pull && !im->lost_ns,
	};
	return true;
}

bool image_history_has(const struct image_history *im, pid_t pid, uint64_t id)
{
	const struct process *p = process_get(im, pid);

	for (int i = 0; p && i < p->images.n; i++)
		if (p->images.v[i].id == id)
			return true;
	return false;
}

pid_t image_history_parent(const struct image_history *im, pid_t pid)
{
	const struct process *p = process_get(im, pid);

	return p ? p->parent : 0;
}
