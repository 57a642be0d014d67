/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/code.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/base/clock.h"

/* PARTS_MAX: of a function, itself included; compilers make two. */
enum { FUNCTION_MAX = 1 << 20, PARTS_MAX = 64 };

struct insns insns_of(struct object *o, const struct object_sym *sym, uint64_t upto)
{
	size_t size = MIN(MIN(sym->size ? sym->size : upto, upto), FUNCTION_MAX);
	struct insns in = {.machine = machine_of(object_machine(o)), .code = xmalloc(size + 1)};

	in.size = object_read(o, sym->addr, in.code, size);
	return in;
}

bool insns_next(struct insns *in)
{
	in->at += in->len;
	in->len = in->machine && in->at < in->size
		      ? in->machine->length(in->code + in->at, in->size - in->at)
		      : 0;
	if (!in->len)
		free(in->code);
	return in->len;
}

static enum way way_of(const struct insns *in, size_t before, int64_t *distance)
{
	const struct machine_code c = {in->code, before, in->at, in->len};

	return in->machine->way(&c, distance);
}

/* The length of NAME in NAME.cold or NAME.cold.5; 0 when the name is no such one. */
static size_t cold_of(const char *name)
{
	const char *end = strstr(name, ".cold");

	return end && (!end[5] || end[5] == '.') ? (size_t)(end - name) : 0;
}

void code_cold_parts(struct object *o, struct hash *parts)
{
	static const struct object_sym several;
	const struct object_sym *syms;
	int n;

	syms = object_syms(o, &n);
	for (int i = 0; i < n; i++) {
		size_t len = cold_of(syms[i].name);
		void **at = len ? hash_ref(parts, syms[i].name, len) : NULL;

		if (at)
			*at = (void *)(*at ? &several : &syms[i]);
	}
}

static bool is_cold_part(const struct object_sym *part, const struct object_sym *sym)
{
	size_t len = cold_of(part->name);

	return len && strlen(sym->name) == len && !strncmp(part->name, sym->name, len);
}

static const char *const stubs[] = {".plt", ".plt.sec", ".plt.got"};

/* A function and its cold parts, of which the instructions are looked at in turn. */
struct walk {
	struct object *object;
	const struct object_sym *sym;
	VEC(const struct object_sym *) parts;
	struct {
		uint64_t begin, size;
	} stubs[ARRAY_SIZE(stubs)]; /* looked for once: a file has any number of sections */
	struct code_returns *r;
};

static void find_stubs(struct walk *w)
{
	for (size_t i = 0; i < ARRAY_SIZE(stubs); i++)
		if (!object_has_section(w->object, stubs[i], &w->stubs[i].begin, &w->stubs[i].size))
			w->stubs[i].size = 0;
}

static bool is_in_stubs(const struct walk *w, uint64_t addr)
{
	for (size_t i = 0; i < ARRAY_SIZE(stubs); i++)
		if (addr - w->stubs[i].begin < w->stubs[i].size)
			return true;
	return false;
}

static void add_part(struct walk *w, const struct object_sym *part)
{
	for (int i = 0; i < w->parts.n; i++)
		if (w->parts.v[i] == part)
			return;
	if (w->parts.n < PARTS_MAX)
		vec_push(&w->parts, part);
	else
		w->r->complete = false;
}

static void add_return(struct walk *w, uint64_t addr, bool is_jump)
{
	vec_push(&w->r->v, ((struct code_return){addr, is_jump}));
	w->r->jumps |= is_jump;
}

/* A jump at addr: in the function, to a cold part, to another function, or to what is not known. */
static void follow(struct walk *w, uint64_t addr, uint64_t to, bool always)
{
	const struct object_sym *there;
	bool called;

	for (int i = 0; i < w->parts.n; i++)
		if (to - w->parts.v[i]->addr < w->parts.v[i]->size)
			return;
	there = object_sym_at(w->object, to);
	if (there && is_cold_part(there, w->sym)) {
		add_part(w, there);
		return;
	}
	called = is_in_stubs(w, to) || (there && there->addr == to);
	if (called && always)
		add_return(w, addr, true);
	else
		w->r->complete = false;
}

static void walk_part(struct walk *w, const struct object_sym *part)
{
	struct insns in = insns_of(w->object, part, object_has_time(w->object) ? part->size : 0);
	size_t before = 0, end = 0;
	int64_t distance = 0;

	w->r->complete &= part->size && in.size == part->size;
	while (insns_next(&in)) {
		enum way way = way_of(&in, before, &distance);
		uint64_t addr = part->addr + in.at;

		if (way == RETURNS || way == CALLS)
			add_return(w, addr, way == CALLS);
		else if (way == JUMPS || way == BRANCHES)
			follow(w, addr, addr + distance, way == JUMPS);
		else if (way == UNKNOWN)
			w->r->complete = false;
		before = in.at;
		end = in.at + in.len;
	}
	w->r->complete &= end == part->size;
}

void code_returns(struct object *o, const struct object_sym *sym, const struct hash *parts,
		  struct code_returns *r)
{
	const struct object_sym *cold = hash_get(parts, sym->name, strlen(sym->name));
	uint64_t begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct walk w = {.object = o, .sym = sym, .r = r};

	*r = (struct code_returns){.complete = machine_of(object_machine(o)) != NULL};
	find_stubs(&w);
	add_part(&w, sym);
	if (cold && cold->name)
		add_part(&w, cold);
	for (int i = 0; i < w.parts.n; i++)
		walk_part(&w, w.parts.v[i]);
	vec_free(&w.parts);
	/* functions of another user's file may overlap, each as large as the file */
	object_work(o, clock_ns(CLOCK_THREAD_CPUTIME_ID) - begun);
}
