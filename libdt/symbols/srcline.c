/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/symbols/srcline.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libdt/base/clock.h"
#include "libdt/base/hash.h"
#include "libdt/base/mem.h"
#include "libdt/symbols/addr2line.h"
#include "libdt/process/foreign_time.h"
#include "libdt/process/object.h"

/* How many processes there are at a time; how many of our own files may fail, which says that the
 * command is no good; how many of others are reported; how much of what they said is remembered. */
enum { HELPERS = 16, FAILURES = 3, FOREIGN_REPORTS = 8, MEMORY_MAX = 64 << 20 };
/* How long an answer may take: the first has all of the file's lines read. Of files of others: so
 * much for each answer besides their time; and the rest of them when tracing has ended, of which
 * one file may take a part. After a signal none is asked for PAUSE_NS. */
enum { ANSWER_MS = 10000, EACH_NS = 100000, ENDING_FILES = 4 };
#define ENDING_NS 4000000000ull
#define PAUSE_NS 1000000000ull

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
	bool foreign;	     /* a file that others can change: */
	uint64_t left_ns;    /* what it may take yet, */
	uint64_t cpu;	     /* and CPU time that its process had had (struct addr2line_wait) */
	uint64_t copied;     /* bytes of it that the helper has a copy of */
	struct hash answers; /* address -> struct answer */
};

struct srclines {
	char *command;
	struct srclines_user user;
	uint64_t ns, ending_ns; /* of files of others: for each, and for all when tracing ended */
	bool ending;
	uint64_t paused_until; /* after a signal */
	VEC(struct srcfile *) files;
	struct arena *arena; /* of answers */
	size_t memory;	     /* what they take */
	uint64_t asked;
	int helpers, failed, foreign_reports;
	uint64_t copied; /* bytes of other users' files that helpers have */
	bool useless;	 /* there is no such command, or it is none */
};

struct srclines *srclines_new(const char *command, uint64_t ns, const struct srclines_user *user)
{
	struct srclines *sl = xcalloc(1, sizeof(*sl));

	sl->command = xstrdup(command);
	sl->user = *user;
	sl->ns = ns;
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
	f->foreign = sl->ns && object_is_foreign(o);
	f->left_ns = sl->ns;
	vec_push(&sl->files, f);
	return f;
}

static void end_helper(struct srclines *sl, struct srcfile *f)
{
	if (!f->helper)
		return;
	sl->helpers--;
	sl->copied -= f->copied;
	addr2line_end(f->helper);
	f->helper = NULL;
	f->copied = 0;
	f->cpu = 0;
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
	sl->user.report(sl->user.arg, sb_str(&sb));
	sb_free(&sb);
}

static struct srcfile *least_recent(const struct srclines *sl, bool copied)
{
	struct srcfile *oldest = NULL;

	for (int i = 0; i < sl->files.n; i++) {
		struct srcfile *f = sl->files.v[i];

		if (f->helper && (f->copied || !copied) && (!oldest || f->asked < oldest->asked))
			oldest = f;
	}
	return oldest;
}

/* Ends the least recently used processes, where there are too many or their copies and one more of
 * this size are too large; the next query for such a file starts a new one. */
static void evict(struct srclines *sl, uint64_t size)
{
	if (sl->helpers == HELPERS)
		end_helper(sl, least_recent(sl, false));
	while (sl->copied && sl->copied + size > ADDR2LINE_COPY_MAX)
		end_helper(sl, least_recent(sl, true));
}

static void report_unreadable(struct srclines *sl, const struct srcfile *f, int err)
{
	if (sl->foreign_reports++ >= FOREIGN_REPORTS)
		return;
	if (err == -ENOEXEC)
		report(sl, "srclines: no source lines of %s: it is no longer an ELF file", f->name);
	else
		report(sl, "srclines: no source lines of %s: it cannot be copied: %s", f->name,
		       strerror(-err));
}

/* took: ns, for a file of others. */
static void spend(struct srclines *sl, struct srcfile *f, uint64_t took)
{
	f->left_ns -= MIN(took, f->left_ns);
	sl->ending_ns -= MIN(took, sl->ending_ns);
	object_spend(f->object, took);
}

/* The copy, and the end of one that takes its place, may take long. */
static void start_helper(struct srclines *sl, struct srcfile *f, const struct addr2line_file *file,
			 bool *unreadable, int *err)
{
	uint64_t begun = clock_ns(CLOCK_MONOTONIC);

	evict(sl, file->size);
	f->helper = addr2line_start(sl->command, file, unreadable, err);
	if (f->foreign)
		spend(sl, f, clock_ns(CLOCK_MONOTONIC) - begun);
}

static bool ready(struct srclines *sl, struct srcfile *f)
{
	struct addr2line_file file = {.path = f->path && *f->path ? f->path : NULL, .fd = -1};
	bool unreadable;
	struct stat st;
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
	file.foreign = object_is_foreign(f->object);
	if (file.foreign && !file.path && !fstat(file.fd, &st))
		file.size = st.st_size;
	start_helper(sl, f, &file, &unreadable, &err);
	if (f->helper) {
		sl->helpers++;
		sl->copied += f->copied = file.size;
		return true;
	}
	object_fd_end(f->object);
	if (unreadable) {
		free(f->path);
		f->path = NULL;
		report_unreadable(sl, f, err);
		return false;
	}
	sl->useless = true;
	report(sl,
	       "srclines: source lines are unavailable: %s: %s (-x addr2linepath names another "
	       "program)",
	       sl->command, strerror(-err));
	return false;
}

static void report_failure(struct srclines *sl, const struct srcfile *f, int err, bool others)
{
	if (f->foreign && err == -ETIMEDOUT && !f->left_ns)
		report(sl, "srclines: no more source lines of %s%s: %s " FOREIGN_TOO_LONG, f->name,
		       others ? " and others" : "", sl->command, FOREIGN_TOO_LONG_ARGS(sl->ns));
	else
		report(sl, "srclines: no more source lines of %s%s: %s %s", f->name,
		       others ? " and others" : "", sl->command,
		       err == -ETIMEDOUT ? "took too long to respond" : "has ended");
}

/* Is the time of all files of others over, which is limited when tracing has ended? */
static bool is_over(const struct srclines *sl)
{
	return sl->ending && !sl->ending_ns;
}

static void give_up(struct srclines *sl, struct srcfile *f, int err)
{
	end_helper(sl, f);
	free(f->path);
	f->path = NULL;
	if (!f->foreign) {
		sl->useless = ++sl->failed == FAILURES;
		report_failure(sl, f, err, sl->useless);
	} else if (sl->foreign_reports++ < FOREIGN_REPORTS) {
		report_failure(sl, f, err, is_over(sl) || sl->foreign_reports == FOREIGN_REPORTS);
	}
}

/* How long the next answer may take; 0: it is not asked for. */
static uint64_t time_for(struct srclines *sl, const struct srcfile *f)
{
	uint64_t left;

	if (!f->foreign)
		return ANSWER_MS * 1000000ull;
	left = MIN(f->left_ns, object_time(f->object));
	return sl->ending ? MIN(left, MIN(sl->ending_ns, ENDING_NS / ENDING_FILES)) : left;
}

static void count_time(struct srclines *sl, struct srcfile *f, const struct addr2line_wait *w,
		       uint64_t took)
{
	f->cpu = w->cpu;
	if (!f->foreign || w->extended) /* that was the machine's fault */
		return;
	spend(sl, f, took - MIN(took, (uint64_t)EACH_NS));
}

/* 0: it is known, or known that there is no line. -EINTR, -EBUSY: it may be known later. */
static int ask_helper(struct srclines *sl, struct srcfile *f, uint64_t addr, struct strbuf *file,
		      int *line)
{
	struct addr2line_wait w = {.ns = time_for(sl, f), .cpu = f->cpu, .arg = sl->user.arg};
	uint64_t begun = clock_ns(CLOCK_MONOTONIC);
	bool all = w.ns == f->left_ns;
	int err;

	w.ended = sl->ending ? NULL : sl->user.ended;
	err = w.ns ? addr2line_ask(f->helper, addr, &w, file, line) : -ETIMEDOUT;
	count_time(sl, f, &w, clock_ns(CLOCK_MONOTONIC) - begun);
	if (err == -EINTR) { /* its answer would be taken for that to the next question */
		end_helper(sl, f);
		sl->paused_until = clock_ns(CLOCK_MONOTONIC) + PAUSE_NS;
	} else if (err == -ETIMEDOUT && f->foreign && !sl->ending && !all) {
		end_helper(sl, f); /* the account is exceeded, which is no fault of the file */
		err = -EBUSY;
	} else if (err) {
		f->left_ns = err == -ETIMEDOUT && all ? 0 : f->left_ns;
		give_up(sl, f, err);
	}
	return err;
}

/* What is not known is remembered, too. NULL: it may be known later. */
static struct answer *ask(struct srclines *sl, struct srcfile *f, uint64_t addr)
{
	struct strbuf file = {0};
	struct answer *a = NULL;
	int line = 0, err = ready(sl, f) ? ask_helper(sl, f, addr, &file, &line) : 0;

	if (err != -EINTR && err != -EBUSY) {
		a = arena_alloc(sl->arena, sizeof(*a));
		a->line = line;
		a->file = line ? arena_strdup(sl->arena, sb_str(&file)) : NULL;
		sl->memory += file.len + 128; /* with its entry in the table */
		hash_put(&f->answers, &addr, sizeof(addr), a);
	}
	sb_free(&file);
	return a;
}

/* A signal is likely to end tracing, which comes next: the records that were read before are
 * printed without waiting. */
static bool may_ask(struct srclines *sl, const struct srcfile *f)
{
	if (!f->path || sl->useless || (f->foreign && !object_time(f->object)))
		return false;
	if (!sl->ending && sl->user.ended(sl->user.arg)) {
		sl->ending = true;
		sl->ending_ns = ENDING_NS;
	}
	if (f->foreign && is_over(sl))
		return false;
	return sl->ending || !sl->paused_until || clock_ns(CLOCK_MONOTONIC) >= sl->paused_until;
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
	if (!a && may_ask(sl, f)) {
		if (sl->memory > MEMORY_MAX)
			forget(sl);
		a = ask(sl, f, addr);
	}
	*file = a ? a->file : NULL;
	*line = a ? a->line : 0;
	return *file;
}
