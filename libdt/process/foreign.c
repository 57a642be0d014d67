/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/cached.h"
#include "libdt/base/clock.h"
#include "libdt/base/escape.h"
#include "libdt/base/fd.h"
#include "libdt/base/mem.h"
#include "libdt/base/sandbox.h"
#include "libdt/process/foreign_proc.h"
#include "libdt/process/foreign_time.h"

/* Number of processes that may wait for file systems of one user's; minimum size of an answer. */
enum { HANGING_MAX = 8, ROOM_MIN = 64 << 10 };

/*
 * Lists of mappings: the most text of one; the time that each has at least, which is all that each
 * has while all together have exceeded theirs (foreign_time.h). The number of a user's processes is
 * not limited: while a user other than root has exceeded the account, lists are short, which
 * suffices for most processes; beyond twice that there are none. When tracing has ended, an account
 * has MAPS_REST_NS for all that remains, and all have twice that.
 */
enum {
	MAPS_MAX = 64 << 20,
	MAPS_MIN = 1 << 20,
	MAPS_SHORT = 64 << 10,
	MAPS_NS = 20000000,
	MAPS_REST_NS = 500000000,
};

/* A process that was abandoned, and whose account waits for it. */
struct abandoned {
	pid_t pid;
	struct foreign_account *account;
};

/* A copy of a file, in memory. */
struct copy {
	struct foreign_version of;
	int fd, users;
	uint64_t len;
};

struct foreign {
	pid_t opener, reader; /* 0: they do not run */
	int to_opener, from_reader;
	VEC(struct abandoned) ended; /* those that have not gone yet */
	uint32_t number;
	uint64_t size, used, ns;
	VEC(struct copy) copies;
	struct foreign_time time;
	bool (*has_ended)(void *arg);
	void *has_ended_arg;
	bool reported_size, reported_time, reported_user, reported_maps, reported_files,
	    reported_omission;
	struct open_objects open;
	void (*report)(void *arg, const char *text);
	void *arg;
};

struct foreign *foreign_new(uint64_t size, uint64_t ns, void (*report)(void *arg, const char *text),
			    void *arg)
{
	struct foreign *f = xcalloc(1, sizeof(*f));

	f->size = size;
	f->ns = ns;
	f->report = report;
	f->arg = arg;
	return f;
}

void foreign_lower(struct foreign *f, uint64_t size)
{
	if (f)
		f->size = MIN(f->size, size);
}

/* The processes ----------------------------------------------------------- */

/* A process that hangs in a file system ends when that responds: do not wait for it. */
static void reap(struct foreign *f)
{
	int kept = 0;

	for (int i = 0; i < f->ended.n; i++)
		if (!waitpid(f->ended.v[i].pid, NULL, WNOHANG))
			f->ended.v[kept++] = f->ended.v[i];
		else if (f->ended.v[i].account)
			f->ended.v[i].account->hanging--;
	f->ended.n = kept;
}

static void end_process(struct foreign *f, pid_t pid, struct foreign_account *account)
{
	kill(pid, SIGKILL);
	if (account)
		account->hanging++;
	vec_push(&f->ended, ((struct abandoned){pid, account}));
}

/* account: of the user whose question was not answered, or NULL. */
static void stop(struct foreign *f, struct foreign_account *account)
{
	if (!f->opener)
		return;
	close(f->to_opener);
	close(f->from_reader);
	end_process(f, f->opener, account);
	end_process(f, f->reader, NULL);
	f->opener = f->reader = 0;
	reap(f);
}

void foreign_free(struct foreign *f)
{
	if (!f)
		return;
	stop(f, NULL);
	for (int i = 0; i < 20 && f->ended.n; i++) {
		poll(NULL, 0, 1);
		reap(f);
	}
	vec_free(&f->ended);
	vec_free(&f->copies); /* all were given back */
	foreign_time_free(&f->time);
	free(f);
}

/* Three sockets: dtrace and opener, opener and reader, reader and dtrace. */
static bool make_sockets(int s[6])
{
	for (int i = 0; i < 6; i += 2)
		if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, s + i)) {
			while (i-- > 0)
				close(s[i]);
			return false;
		}
	return true;
}

static bool start(struct foreign *f)
{
	int s[6];

	if (f->opener)
		return true;
	if (!make_sockets(s))
		return false;
	f->reader = fork();
	if (!f->reader)
		foreign_reader(s[3], s[4], f->size);
	f->opener = f->reader > 0 ? fork() : -1;
	if (!f->opener)
		foreign_opener(s[1], s[2]);
	for (int i = 1; i < 5; i++)
		close(s[i]);
	f->to_opener = s[0];
	f->from_reader = s[5];
	if (f->opener > 0)
		return true;
	if (f->reader > 0)
		end_process(f, f->reader, NULL);
	close(s[0]);
	close(s[5]);
	f->opener = f->reader = 0;
	return false;
}

/* What was exceeded ------------------------------------------------------- */

/* path: of the first file that does not fit; NULL: unknown. */
static void report_size(struct foreign *f, const char *path)
{
	struct strbuf text = {0};

	if (f->reported_size)
		return;
	f->reported_size = true;
	escape_printf(&text,
		      "symbols or probes of some files of other users are omitted: %.128s and the "
		      "files before it need more memory than foreignsize (%" PRIu64
		      "m); try -x foreignsize=%" PRIu64 "m",
		      path ? path : "a file", f->size >> 20, MAX(f->size >> 19, (uint64_t)1));
	f->report(f->arg, sb_str(&text));
	sb_free(&text);
}

static void report_time(struct foreign *f, const struct foreign_question *q)
{
	struct strbuf text = {0};

	if (f->reported_time)
		return;
	f->reported_time = true;
	escape_printf(&text,
		      "symbols of some files are omitted: reading %.128s takes longer than "
		      "foreigntime (%" PRIu64 "ms); try -x foreigntime=%" PRIu64 "ms",
		      q->op == FOREIGN_FIND && *q->path ? q->path : "a file of another user",
		      f->ns / 1000000, MAX(f->ns / 100000, (uint64_t)1));
	f->report(f->arg, sb_str(&text));
	sb_free(&text);
}

static void report_user(struct foreign *f, uint32_t uid)
{
	char text[256];
	int n;

	if (f->reported_user)
		return;
	f->reported_user = true;
	n = snprintf(text, sizeof(text), "symbols of some files are omitted: files of ");
	n += uid == FOREIGN_GONE
		 ? snprintf(text + n, sizeof(text) - n, "processes that have ended take")
		 : snprintf(text + n, sizeof(text) - n, "processes of user %" PRIu32 " take", uid);
	snprintf(text + n, sizeof(text) - n,
		 " too much time (foreigntime, %" PRIu64
		 "ms, for each); try -x foreigntime=%" PRIu64 "ms",
		 f->ns / 1000000, MAX(f->ns / 100000, (uint64_t)1));
	f->report(f->arg, text);
}

static void report_maps(struct foreign *f, pid_t pid, enum proc_maps_cut cut,
			const struct proc_maps_limits *limits)
{
	char text[200];
	int n;

	if (cut == PROC_MAPS_WHOLE || f->reported_maps)
		return;
	f->reported_maps = true;
	n = snprintf(text, sizeof(text),
		     "symbols of some processes are omitted: reading the mappings of process %d ",
		     pid);
	if (cut == PROC_MAPS_TIME)
		snprintf(text + n, sizeof(text) - n,
			 "takes longer than foreigntime (%" PRIu64
			 "ms); try -x foreigntime=%" PRIu64 "ms",
			 f->ns / 1000000, MAX(f->ns / 100000, (uint64_t)1));
	else
		snprintf(text + n, sizeof(text) - n, "ended after %" PRIu64 " MB or %d mappings",
			 limits->bytes >> 20, PROC_MAPS_MAX);
	f->report(f->arg, text);
}

void foreign_omit_files(struct foreign *f, pid_t pid, int most)
{
	char text[200];

	if (!f || f->reported_files)
		return;
	f->reported_files = true;
	snprintf(text, sizeof(text),
		 "symbols of some files are omitted: process %d has mapped more than %d files as "
		 "code",
		 pid, most);
	f->report(f->arg, text);
}

void foreign_omit_rest(struct foreign *f, pid_t pid)
{
	char text[200];

	snprintf(text, sizeof(text),
		 "what process %d has not mapped yet is omitted: its start takes longer than "
		 "foreigntime (%" PRIu64 "ms); try -x foreigntime=%" PRIu64 "ms",
		 pid, f->ns / 1000000, MAX(f->ns / 100000, (uint64_t)1));
	f->report(f->arg, text);
}

/* Questions --------------------------------------------------------------- */

static uint64_t space_left(const struct foreign *f)
{
	return f->used < f->size ? f->size - f->used : 0;
}

/* The answer to this question: others belong to abandoned questions. */
static int wait_answer(struct foreign *f, const struct foreign_question *q,
		       struct foreign_answer *a, int *fd, uint64_t until, uint64_t left)
{
	enum { STARVED_MAX = 10, MORE_NS = 20000000 };
	uint64_t last = until + STARVED_MAX * left, since = 0;
	const pid_t pids[] = {f->opener, f->reader};

	for (;;) {
		struct pollfd p[] = {{.fd = f->to_opener, .events = POLLIN},
				     {.fd = f->from_reader, .events = POLLIN}};
		uint64_t now = clock_ns(CLOCK_MONOTONIC);
		int n = now < until ? poll(p, 2, (int)((until - now + 999999) / 1000000)) : 0;

		if (!n && now < last && sandbox_is_starved(pids, 2, &since, left)) {
			until = MAX(now, until) + MORE_NS;
			continue;
		}
		if (!n)
			return -ETIMEDOUT;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n < 0)
			continue;
		if (fd_take(p[0].revents ? p[0].fd : p[1].fd, a, sizeof(*a), fd) != sizeof(*a))
			return -EPIPE;
		if (a->number == q->number)
			return 0;
		if (*fd >= 0)
			close(*fd);
	}
}

uint64_t foreign_time_for(struct foreign *f, uint32_t payer)
{
	struct foreign_account *account = foreign_account(&f->time, payer);
	int64_t most, left = foreign_time_left(&f->time, payer, FOREIGN_FILES, f->ns, &most);

	if (account->hanging)
		reap(f);
	if (left > 0 && account->hanging < HANGING_MAX &&
	    !(foreign_ended(f) && foreign_rest_exceeded(&f->time, FOREIGN_FILES, f->ns)))
		return left;
	report_user(f, payer);
	return 0;
}

uint32_t foreign_owner_of(struct foreign *f, uint32_t uid)
{
	return f ? foreign_owner(&f->time, uid) : uid;
}

void foreign_spend(struct foreign *f, uint32_t payer, uint64_t ns)
{
	foreign_time_spend(&f->time, payer, FOREIGN_FILES, ns, foreign_ended(f));
}

/* payer: the user whose process has the file (foreign_time.h). spent: the time that the file has
 * taken before, NULL: it is new. 0: there is an answer. */
static int question(struct foreign *f, struct foreign_question *q, int with, uint32_t payer,
		    uint64_t *spent, struct foreign_answer *a, int *fd)
{
	uint64_t begun = clock_ns(CLOCK_MONOTONIC),
		 left = spent ? f->ns - MIN(*spent, f->ns) : f->ns, took;
	int err = !left ? -ETIMEDOUT : !foreign_time_for(f, payer) ? -EBUSY : 0;

	*fd = -1;
	if (err)
		return err;
	if (!start(f))
		return -errno;
	q->number = ++f->number;
	q->space = space_left(f);
	if (fd_pass(f->to_opener, q, offsetof(struct foreign_question, path) + strlen(q->path) + 1,
		    with))
		err = wait_answer(f, q, a, fd, begun + left, left);
	else
		err = -EPIPE;
	took = clock_ns(CLOCK_MONOTONIC) - begun;
	foreign_spend(f, payer, MIN(took, left)); /* longer is the machine's fault */
	if (spent)
		*spent += took;
	if (err == -ETIMEDOUT)
		report_time(f, q);
	if (err)
		stop(f, err == -ETIMEDOUT ? foreign_account(&f->time, payer) : NULL);
	return err;
}

/* Is the memory sealed, so that it cannot change? */
static bool is_sealed(int fd, uint64_t len)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
	struct stat st;

	return (fcntl(fd, F_GET_SEALS) & seals) == seals && !fstat(fd, &st) &&
	       (uint64_t)st.st_size == len;
}

/* Short answers are copied: the number of mappings that a process may have is limited. */
enum { MAP_MIN = 64 << 10 };

static void *copy_memory(int fd, uint64_t len)
{
	void *mem = xmalloc(len);

	if (pread(fd, mem, len, 0) == (ssize_t)len)
		return mem;
	free(mem);
	return NULL;
}

static void *map_memory(int fd, uint64_t len)
{
	void *mem = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

static void *take_memory(struct foreign *f, int fd, uint64_t len)
{
	void *mem = NULL;

	if (fcntl(fd, F_GET_SEALS) >= 0 && len && len <= space_left(f) && is_sealed(fd, len))
		mem = len < MAP_MIN ? copy_memory(fd, len) : map_memory(fd, len);
	if (mem)
		f->used += len;
	return mem;
}

static void *ask(struct foreign *f, struct foreign_file *file, struct foreign_question *q,
		 uint64_t *spent, size_t *len)
{
	struct foreign_answer a = {0};
	void *mem = NULL;
	int fd = -1;

	*len = 0;
	if (file->err == -ETIMEDOUT)
		return NULL;
	if (space_left(f) < ROOM_MIN) {
		file->err = -EFBIG;
		report_size(f, file->path);
		return NULL;
	}
	file->err = question(f, q, file->fd, file->payer, spent, &a, &fd);
	if (file->err == -EPIPE) /* it died: of too little memory, or of what it read */
		file->err = -EFBIG;
	if (!file->err) {
		file->err = a.err;
		mem = fd >= 0 ? take_memory(f, fd, a.len) : NULL;
		*len = mem ? a.len : 0;
	}
	if (fd >= 0)
		close(fd);
	if (file->err == -EFBIG && !(q->op == FOREIGN_ELF && q->elf.most))
		report_size(f, file->path);
	return mem;
}

void *foreign_ask(struct foreign *f, struct foreign_file *file, const struct elfread_ask *elf,
		  size_t *len)
{
	struct foreign_question q = {.op = FOREIGN_ELF, .elf = *elf};

	return ask(f, file, &q, &file->spent_ns, len);
}

void *foreign_ask_jit(struct foreign *f, struct foreign_file *file, const struct jitread *jit,
		      size_t *len)
{
	struct foreign_question q = {.op = FOREIGN_JIT, .jit = *jit};

	return ask(f, file, &q, NULL, len);
}

void foreign_drop(struct foreign *f, void *mem, size_t len)
{
	if (!mem)
		return;
	if (len < MAP_MIN)
		free(mem);
	else
		munmap(mem, len);
	f->used -= len;
}

void foreign_charge(struct foreign *f, int64_t bytes)
{
	f->used += bytes;
}

bool foreign_take(struct foreign *f, const char *path, uint64_t bytes)
{
	if (bytes > space_left(f)) {
		report_size(f, path);
		return false;
	}
	f->used += bytes;
	return true;
}

void foreign_omit(struct foreign *f, const char *what, const char *path, const char *why)
{
	struct strbuf text = {0};

	if (f->reported_omission)
		return;
	f->reported_omission = true;
	escape_printf(&text, "%s of %.128s are omitted: %s", what, path, why);
	f->report(f->arg, sb_str(&text));
	sb_free(&text);
}

static bool is_copy_of(const struct copy *c, const struct foreign_version *v)
{
	return c->of.dev == v->dev && c->of.inode == v->inode && c->of.modified == v->modified &&
	       c->of.changed == v->changed;
}

int foreign_data(struct foreign *f, struct foreign_file *file)
{
	struct foreign_version v = {file->dev, file->inode, file->modified, file->changed,
				    file->size};
	struct foreign_question q = {.op = FOREIGN_DATA};
	struct foreign_answer a;
	int fd, err;

	for (int i = 0; i < f->copies.n; i++)
		if (is_copy_of(&f->copies.v[i], &v)) {
			f->copies.v[i].users++;
			return f->copies.v[i].fd;
		}
	err = question(f, &q, file->fd, file->payer, &file->spent_ns, &a, &fd);
	if (!err && a.err == -EFBIG)
		report_size(f, file->path);
	if (err || fd < 0)
		return err ? err : a.err;
	if (a.len) {
		f->used += a.len;
		vec_push(&f->copies, ((struct copy){v, fd, 1, a.len}));
	}
	return fd;
}

void foreign_data_end(struct foreign *f, int fd)
{
	for (int i = 0; i < f->copies.n; i++) {
		struct copy *c = &f->copies.v[i];

		if (c->fd != fd)
			continue;
		if (--c->users)
			return;
		f->used -= c->len;
		*c = f->copies.v[--f->copies.n];
		break;
	}
	close(fd);
}

/* Finding ----------------------------------------------------------------- */

void foreign_file_init(struct foreign_file *file)
{
	*file = (struct foreign_file){.fd = -1, .own = -1};
}

void foreign_release(struct foreign_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	if (file->own >= 0)
		close(file->own);
	free(file->path);
	foreign_file_init(file);
}

const char *foreign_refusal(int err)
{
	switch (err) {
	case -ENODEV:
		return "it is not a regular file";
	case -ESTALE:
		return "it is not the file that is mapped";
	case -ETIMEDOUT:
		return "its file system does not answer (-x foreigntime)";
	case -EBUSY:
		return "reading files of its user takes too long (-x foreigntime)";
	}
	return strerror(-err);
}

static uint64_t ns_of(struct timespec t)
{
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void take_stat(struct foreign_file *file, const struct stat *st)
{
	file->dev = st->st_dev;
	file->inode = st->st_ino;
	file->size = st->st_size;
	file->uid = st->st_uid;
	file->modified = ns_of(st->st_mtim);
	file->changed = ns_of(st->st_ctim);
}

/* By a descriptor of O_PATH, which is closed. */
static int take_own(int fd, struct foreign_file *file)
{
	char path[64];
	struct stat st;
	int err = foreign_check(fd);

	if (!err) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		file->own = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		err = file->own < 0 || fstat(file->own, &st) ? -errno : 0;
	}
	close(fd);
	if (!err)
		take_stat(file, &st);
	return err;
}

int foreign_find_own(const char *path, struct foreign_file *file)
{
	int fd = open(path, O_PATH | O_CLOEXEC), err;

	foreign_file_init(file);
	if (fd < 0)
		return -errno;
	err = take_own(fd, file);
	if (err)
		foreign_release(file);
	else
		file->path = xstrdup(path);
	return err;
}

/* Can only root (and the user of this process) modify the file? */
static bool is_trusted(int fd, bool last)
{
	struct stat st;

	if (fstat(fd, &st) || (last ? !S_ISREG(st.st_mode) : !S_ISDIR(st.st_mode)))
		return false;
	return (!st.st_uid || st.st_uid == geteuid()) && !(st.st_mode & (S_IWGRP | S_IWOTH));
}

/* A descriptor of O_PATH of a file that only root can change, by a path where only root can
 * change anything; -1. */
static int open_trusted(const char *path)
{
	int at = *path == '/' ? open("/", O_PATH | O_DIRECTORY | O_CLOEXEC) : -1, next;
	char name[NAME_MAX + 1];

	while (at >= 0 && *path) {
		size_t len;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (!len || len > NAME_MAX || !strncmp(path, "..", 2) || !is_trusted(at, false)) {
			close(at);
			return -1;
		}
		memcpy(name, path, len);
		name[len] = '\0';
		path += len;
		next = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		close(at);
		at = next;
	}
	if (at >= 0 && is_trusted(at, true))
		return at;
	if (at >= 0)
		close(at);
	return -1;
}

/* m: what it must be, or NULL. */
static bool find_trusted(const char *path, const struct mapping *m, struct foreign_file *file)
{
	int fd = open_trusted(path);

	foreign_file_init(file);
	if (fd < 0)
		return false;
	if (!take_own(fd, file) &&
	    (!m || (file->inode == m->inode &&
		    (file->dev == m->dev || foreign_is_mapped_as(file->own, m->dev, m->inode))))) {
		file->path = xstrdup(path);
		return true;
	}
	foreign_release(file);
	return false;
}

/* The link in map_files, which leads to what is mapped without asking its file system
 * anything. */
static bool find_link(const char *link, bool device, const struct mapping *m, uint32_t payer,
		      struct foreign_file *file)
{
	struct cached c;
	int fd = open(link, O_PATH | O_CLOEXEC);

	foreign_file_init(file);
	if (fd < 0)
		return false;
	if (!cached_at(fd, "", &c) || !S_ISREG(c.mode) || c.inode != m->inode ||
	    (device && c.dev != m->dev)) {
		close(fd);
		return false;
	}
	*file = (struct foreign_file){
	    .fd = fd,
	    .own = -1,
	    .dev = m->dev,
	    .inode = m->inode,
	    .size = c.size,
	    .uid = c.uid,
	    .payer = payer,
	    .modified = c.modified,
	    .changed = c.changed,
	    .path = xstrdup(link),
	};
	return true;
}

static int find(struct foreign *f, pid_t root, const char *path, const struct mapping *m,
		bool no_link, uint32_t payer, struct foreign_file *file)
{
	struct foreign_question q = {.op = FOREIGN_FIND, .root = root, .no_link = no_link};
	struct foreign_answer a;
	int fd, err;

	if (!f) /* no helper process: only in tests */
		return root ? -EPERM : foreign_find_own(path, file);
	foreign_file_init(file);
	if (strlen(path) >= sizeof(q.path))
		return -ENAMETOOLONG;
	strcpy(q.path, path);
	if (m) {
		q.is_known = true;
		q.dev = m->dev;
		q.inode = m->inode;
	}
	err = question(f, &q, -1, payer, NULL, &a, &fd);
	err = err ? err : a.err ? a.err : fd < 0 ? -EIO : 0;
	if (err)
		return err;
	*file = (struct foreign_file){.fd = fd,
				      .own = -1,
				      .dev = a.dev,
				      .inode = a.inode,
				      .size = a.size,
				      .uid = a.uid,
				      .payer = payer == FOREIGN_GONE ? a.uid : payer,
				      .modified = a.modified,
				      .changed = a.changed};
	file->path = root ? xasprintf("/proc/%d/root%s", root, path) : xstrdup(path);
	return 0;
}

int foreign_find_below(struct foreign *f, pid_t root, const struct mapping *m,
		       struct foreign_file *file)
{
	return find(f, root, m->path, m, true, foreign_payer(root), file);
}

int foreign_find_mapped(struct foreign *f, pid_t pid, const struct mapping *m,
			struct foreign_file *file)
{
	uint32_t payer;
	char *link;
	bool found;

	if (find_trusted(m->path, m, file))
		return 0;
	payer = foreign_payer(pid);
	if (!find(f, 0, m->path, m, true, payer, file))
		return 0;
	link = xasprintf("/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, m->start, m->end);
	found = find_link(link, true, m, payer, file) || !find(f, 0, link, m, false, payer, file);
	free(link);
	return found ? 0 : find(f, pid, m->path, m, true, payer, file);
}

int foreign_version(struct foreign *f, pid_t pid, const struct mapping *m,
		    struct foreign_version *v)
{
	char *link = xasprintf("/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, m->start, m->end);
	struct foreign_file file;
	int err = 0;

	/* Some file systems have another number for the device there. */
	if (!find_link(link, false, m, FOREIGN_GONE, &file))
		err = foreign_find_mapped(f, pid, m, &file);
	free(link);
	if (err)
		return err;
	*v = (struct foreign_version){m->dev, m->inode, file.modified, file.changed, file.size};
	foreign_release(&file);
	return 0;
}

struct open_objects *foreign_open_objects(struct foreign *f)
{
	return &f->open;
}

static bool is_same(const struct foreign_file *a, const struct foreign_file *b)
{
	return a->inode == b->inode && a->size == b->size && a->modified == b->modified &&
	       a->changed == b->changed;
}

int foreign_find_again(struct foreign *f, bool own, struct foreign_file *file)
{
	struct mapping m = {.dev = file->dev, .inode = file->inode, .path = file->path};
	struct foreign_file again;
	int err = 0;

	/* The link first: its file system need not answer. */
	if (own)
		err = find_trusted(file->path, &m, &again) ? 0 : -ESTALE;
	else if (!find_link(file->path, true, &m, file->payer, &again))
		err = find(f, 0, file->path, &m, false, file->payer, &again);
	if (!err && is_same(file, &again)) {
		file->fd = again.fd;
		file->own = again.own;
		again.fd = again.own = -1;
	} else if (!err) {
		err = -ESTALE;
	}
	foreign_release(&again);
	return err;
}

/* What is left of a user's account limits its process's list. False: there is none. */
static bool limit_user(struct foreign *f, uint32_t uid, bool ended, struct proc_maps_limits *limits)
{
	int64_t most, left = foreign_time_left(&f->time, uid, FOREIGN_LISTS, f->ns, &most);

	if (ended && (foreign_account(&f->time, uid)->spent[FOREIGN_LISTS].rest > MAPS_REST_NS ||
		      f->time.all.spent[FOREIGN_LISTS].rest > MAPS_REST_NS * 2ull))
		return false;
	if (ended)
		limits->ns = MIN(limits->ns, (uint64_t)MAPS_REST_NS);
	if (left > 0)
		limits->ns = MIN(limits->ns, MAX((uint64_t)left, (uint64_t)MAPS_NS));
	else
		*limits = (struct proc_maps_limits){.bytes = MAPS_SHORT, .ns = MAPS_NS};
	return left > -most;
}

static void report_lists(struct foreign *f, uint32_t uid)
{
	char text[200];

	if (f->reported_maps)
		return;
	f->reported_maps = true;
	snprintf(text, sizeof(text),
		 "symbols or probes of some processes are omitted: reading the mappings of the "
		 "processes of user %" PRIu32 " takes longer than foreigntime (%" PRIu64
		 "ms); try -x foreigntime=%" PRIu64 "ms",
		 uid, f->ns / 1000000, MAX(f->ns / 100000, (uint64_t)1));
	f->report(f->arg, text);
}

void foreign_on_ended(struct foreign *f, bool (*ended)(void *arg), void *arg)
{
	f->has_ended = ended;
	f->has_ended_arg = arg;
}

bool foreign_ended(const struct foreign *f)
{
	return f && f->has_ended && f->has_ended(f->has_ended_arg);
}

struct proc_maps *foreign_maps(struct foreign *f, pid_t pid)
{
	struct proc_maps_limits limits = {0};
	uint64_t begun = clock_ns(CLOCK_MONOTONIC), took;
	uint32_t uid = foreign_payer(pid);
	bool limited = uid && uid != FOREIGN_GONE && uid != geteuid(), ended = foreign_ended(f),
	     cut_short;
	enum proc_maps_cut cut;
	struct proc_maps *m;

	if (!f)
		return proc_maps_read(pid, &limits, &cut);
	limits.bytes = MIN(MAX(f->size / 4, (uint64_t)MAPS_MIN), (uint64_t)MAPS_MAX);
	limits.ns = foreign_time_exceeded(&f->time, FOREIGN_LISTS, f->ns)
			? MAPS_NS
			: MAX(f->ns, (uint64_t)MAPS_NS);
	if (limited && !limit_user(f, uid, ended, &limits)) {
		report_lists(f, uid);
		errno = ETIMEDOUT;
		return NULL;
	}
	cut_short = limited && limits.ns < f->ns;
	m = proc_maps_read(pid, &limits, &cut);
	took = clock_ns(CLOCK_MONOTONIC) - begun;
	foreign_time_spend(&f->time, uid, FOREIGN_LISTS, took, ended && limited);
	if (cut && cut_short)
		report_lists(f, uid);
	report_maps(f, pid, cut, &limits);
	return m;
}

void foreign_limits(const struct foreign *f, uint64_t *size, uint64_t *ns)
{
	*size = f ? f->size : 0;
	*ns = f ? f->ns : 0;
}

int foreign_find_here(struct foreign *f, pid_t root, const char *path, struct foreign_file *file)
{
	uint32_t payer = root ? foreign_payer(root) : FOREIGN_GONE;

	return find(f, root, path, NULL, true, payer, file);
}

int foreign_find(struct foreign *f, pid_t root, const char *path, struct foreign_file *file)
{
	if (!f)
		return foreign_find_own(path, file);
	if (!root && find_trusted(path, NULL, file))
		return 0;
	return find(f, root, path, NULL, false, foreign_payer(root), file);
}
