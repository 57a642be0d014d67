/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/symbols/srcline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/hash.h"
#include "libdt/base/mem.h"
#include "libdt/symbols/addr2line.h"
#include "libdt/process/object.h"

/*
 * How long an answer may take: the first has all of the file's lines read. How many of them there
 * are at a time; how many may fail; how much of what they said is remembered.
 */
enum { ANSWER_MS = 10000, HELPERS = 16, FAILURES = 3, MEMORY_MAX = 64 << 20 };

struct answer {
	const char *file; /* NULL: not known */
	int line;
};

/* An object and its addr2line process. */
struct srcfile {
	struct object *object;
	char *name;
	char *path; /* object_debug(); NULL: no line information */
	struct addr2line *helper;
	uint64_t asked;
	struct hash answers; /* address -> struct answer */
};

struct srclines {
	char *command;
	void (*report)(void *arg, const char *text);
	void *arg;
	VEC(struct srcfile *) files;
	struct arena *arena; /* of answers */
	size_t memory;	     /* what they take */
	uint64_t asked;
	int helpers, failed;
	bool useless; /* there is no such command, or it is none */
};

struct srclines *srclines_new(const char *command, void (*report)(void *arg, const char *text),
			      void *arg)
{
	struct srclines *sl = xcalloc(1, sizeof(*sl));

	sl->command = xstrdup(command);
	sl->report = report;
	sl->arg = arg;
	sl->arena = arena_new();
	return sl;
}

void srclines_free(struct srclines *sl)
{
	if (!sl)
		return;
	vec_free(&sl->files);
	arena_free(sl->arena);
	free(sl->command);
	free(sl);
}

struct srcfile *srcfile_new(struct srclines *sl, struct object *o, const char *name)
{
	struct srcfile *f = xcalloc(1, sizeof(*f));

	f->object = o;
	f->name = xstrdup(name);
	f->path = object_debug(o, ".debug_line");
	vec_push(&sl->files, f);
	return f;
}

static void end_helper(struct srclines *sl, struct srcfile *f)
{
	if (!f->helper)
		return;
	sl->helpers--;
	addr2line_end(f->helper);
	f->helper = NULL;
	object_fd_end(f->object);
}

void srcfile_free(struct srclines *sl, struct srcfile *f)
{
	if (!f)
		return;
	end_helper(sl, f);
	for (int i = 0; i < sl->files.n; i++)
		if (sl->files.v[i] == f)
			sl->files.v[i] = sl->files.v[--sl->files.n];
	hash_free(&f->answers);
	free(f->name);
	free(f->path);
	free(f);
}

static PRINTF_LIKE(2, 3) void report(struct srclines *sl, const char *fmt, ...)
{
	struct strbuf sb = {0};
	va_list ap;

	va_start(ap, fmt);
	sb_vprintf(&sb, fmt, ap);
	va_end(ap);
	sl->report(sl->arg, sb_str(&sb));
	sb_free(&sb);
}

/* Ends the least recently used process; the next query for its file starts a new one. */
static void evict(struct srclines *sl)
{
	struct srcfile *oldest = NULL;

	if (sl->helpers < HELPERS)
		return;
	for (int i = 0; i < sl->files.n; i++) {
		struct srcfile *f = sl->files.v[i];

		if (f->helper && (!oldest || f->asked < oldest->asked))
			oldest = f;
	}
	end_helper(sl, oldest);
}

static bool ready(struct srclines *sl, struct srcfile *f)
{
	struct addr2line_file file = {.path = f->path && *f->path ? f->path : NULL, .fd = -1};
	int err;

	if (f->helper || !f->path || sl->useless)
		return f->helper;
	if (!file.path)
		file.fd = object_fd(f->object);
	if (!file.path && file.fd < 0) { /* it is too large, or took too long, which was reported */
		free(f->path);
		f->path = NULL;
		return false;
	}
	evict(sl);
	f->helper = addr2line_start(sl->command, &file, &err);
	sl->helpers += f->helper != NULL;
	if (f->helper)
		return true;
	object_fd_end(f->object);
	sl->useless = true;
	report(sl,
	       "srclines: source lines are unavailable: %s: %s (-x addr2linepath names another "
	       "program)",
	       sl->command, strerror(-err));
	return false;
}

static void give_up(struct srclines *sl, struct srcfile *f, int err)
{
	end_helper(sl, f);
	free(f->path);
	f->path = NULL;
	sl->useless = ++sl->failed == FAILURES;
	report(sl, "srclines: no more source lines of %s%s: %s %s", f->name,
	       sl->useless ? " and others" : "", sl->command,
	       err == -ETIMEDOUT ? "took too long to respond" : "has ended");
}

/* What is not known is remembered, too. */
static struct answer *ask(struct srclines *sl, struct srcfile *f, uint64_t addr)
{
	struct answer *a = arena_alloc(sl->arena, sizeof(*a));
	struct strbuf file = {0};
	int err;

	if (ready(sl, f)) {
		err = addr2line_ask(f->helper, addr, ANSWER_MS, &file, &a->line);
		if (!err && a->line)
			a->file = arena_strdup(sl->arena, sb_str(&file));
		if (err)
			give_up(sl, f, err);
	}
	sl->memory += file.len + 128; /* with its entry in the table */
	sb_free(&file);
	return a;
}

/* A long name for each address of a file would take all memory. */
static void forget(struct srclines *sl)
{
	for (int i = 0; i < sl->files.n; i++) {
		hash_free(&sl->files.v[i]->answers);
		sl->files.v[i]->answers = (struct hash){0};
	}
	arena_free(sl->arena);
	sl->arena = arena_new();
	sl->memory = 0;
}

bool srclines_find(struct srclines *sl, struct srcfile *f, uint64_t addr, const char **file,
		   int *line)
{
	struct answer *a = f->answers.n ? hash_get(&f->answers, &addr, sizeof(addr)) : NULL;

	f->asked = ++sl->asked;
	if (!a && f->path && !sl->useless) {
		if (sl->memory > MEMORY_MAX)
			forget(sl);
		a = ask(sl, f, addr);
		hash_put(&f->answers, &addr, sizeof(addr), a);
	}
	*file = a ? a->file : NULL;
	*line = a ? a->line : 0;
	return *file;
}
