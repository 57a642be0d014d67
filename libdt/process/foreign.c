/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes that read other users' files, and the questions that dtrace asks them. */
#include "bpf/sys.h"
#include "libdt/process/foreign_int.h"

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

#include "libdt/base/clock.h"
#include "libdt/base/escape.h"
#include "libdt/base/fd.h"
#include "libdt/base/sandbox.h"

/* Number of processes that may wait for file systems of one user's; minimum size of an answer. */
enum { HANGING_MAX = 8, ROOM_MIN = 64 << 10 };

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

void foreign_limits(const struct foreign *f, uint64_t *size, uint64_t *ns)
{
	*size = f ? f->size : 0;
	*ns = f ? f->ns : 0;
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

struct object_files *foreign_object_files(struct foreign *f)
{
	return &f->objects;
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

/* Memory ------------------------------------------------------------------ */

static uint64_t space_left(const struct foreign *f)
{
	return f->used < f->size ? f->size - f->used : 0;
}

/* Half of what others leave, so that no user can take all. */
static uint64_t space_for(struct foreign *f, uint32_t payer)
{
	uint64_t left = space_left(f), own, most;

	if (!payer)
		return left;
	own = foreign_account_of(&f->time, payer)->memory;
	most = (left + own) / 2;
	return most > own ? most - own : 0;
}

/* It needs more memory than there is: than there is for this user. */
static int too_large(struct foreign *f, uint32_t payer)
{
	return space_for(f, payer) < space_left(f) ? -ENOSPC : -EFBIG;
}

/* What was exceeded ------------------------------------------------------- */

/* path: of the first file that does not fit; NULL: unknown. err: of too_large(). */
static void report_size(struct foreign *f, const char *path, int err, uint32_t payer)
{
	bool share = err == -ENOSPC;
	struct strbuf text = {0};

	if (f->reported_size)
		return;
	f->reported_size = true;
	escape_printf(&text,
		      "symbols or probes of some files of other users are omitted: %.128s and the "
		      "files before it need more memory than ",
		      path ? path : "a file");
	if (share && payer == FOREIGN_GONE)
		escape_printf(&text, "the share of ended processes of ");
	else if (share)
		escape_printf(&text, "the share of user %" PRIu32 " of ", payer);
	escape_printf(&text, "foreignsize (%" PRIu64 "m); try -x foreignsize=%" PRIu64 "m",
		      f->size >> 20, MAX(f->size >> 19, (uint64_t)1));
	f->report(f->arg, sb_str(&text));
	sb_free(&text);
}

static void report_time(struct foreign *f, const struct foreign_question *q)
{
	struct strbuf text = {0};

	if (f->reported_time)
		return;
	f->reported_time = true;
	escape_printf(&text, "symbols of some files are omitted: reading %.128s " FOREIGN_TOO_LONG,
		      q->op == FOREIGN_FIND && *q->path ? q->path : "a file of another user",
		      FOREIGN_TOO_LONG_ARGS(f->ns));
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

/* Questions --------------------------------------------------------------- */

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

static uint64_t time_for(struct foreign *f, uint32_t payer)
{
	struct foreign_account *account = foreign_account(&f->time, payer);
	int64_t most, left = foreign_time_left(&f->time, payer, FOREIGN_FILES, f->ns, &most);

	if (account->hanging)
		reap(f);
	return left > 0 && account->hanging < HANGING_MAX &&
		       !(foreign_ended(f) && foreign_rest_exceeded(&f->time, FOREIGN_FILES, f->ns))
		   ? left
		   : 0;
}

uint64_t foreign_time_for(struct foreign *f, uint32_t payer)
{
	uint64_t left = time_for(f, payer);

	if (!left)
		report_user(f, payer);
	return left;
}

uint64_t foreign_space_for(struct foreign *f, uint32_t payer)
{
	uint64_t space = time_for(f, payer) ? space_for(f, payer) : 0;

	return space < ROOM_MIN ? 0 : space;
}

uint32_t foreign_owner_of(struct foreign *f, uint32_t uid)
{
	return f ? foreign_owner(&f->time, uid) : uid;
}

uint32_t foreign_payer_of(struct foreign *f, pid_t pid)
{
	return foreign_owner_of(f, foreign_payer(pid));
}

void foreign_spend(struct foreign *f, uint32_t payer, uint64_t ns)
{
	foreign_time_spend(&f->time, payer, FOREIGN_FILES, ns, foreign_ended(f));
}

int foreign_question(struct foreign *f, struct foreign_question *q, int with, uint32_t payer,
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
	q->space = space_for(f, payer);
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

static void *take_memory(struct foreign *f, uint32_t payer, int fd, uint64_t len)
{
	void *mem = NULL;

	if (fcntl(fd, F_GET_SEALS) >= 0 && len && len <= space_for(f, payer) && is_sealed(fd, len))
		mem = len < MAP_MIN ? copy_memory(fd, len) : map_memory(fd, len);
	if (mem)
		foreign_charge(f, payer, len);
	return mem;
}

bool foreign_is_users(int err)
{
	return err == -EBUSY || err == -ENOSPC;
}

bool foreign_is_machines(int err)
{
	return sys_is_shortage(err) || err == -EIO;
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
	if (space_for(f, file->payer) < ROOM_MIN) {
		file->err = too_large(f, file->payer);
		report_size(f, file->path, file->err, file->payer);
		return NULL;
	}
	file->err = foreign_question(f, q, file->fd, file->payer, spent, &a, &fd);
	if (file->err == -EPIPE) /* it died: of too little memory, or of what it read */
		file->err = -EFBIG;
	if (!file->err) {
		file->err = a.err;
		mem = fd >= 0 ? take_memory(f, file->payer, fd, a.len) : NULL;
		*len = mem ? a.len : 0;
	}
	if (fd >= 0)
		close(fd);
	if (file->err == -EFBIG && !(q->op == FOREIGN_ELF && q->elf.most)) {
		file->err = too_large(f, file->payer);
		report_size(f, file->path, file->err, file->payer);
	} else if (foreign_is_machines(file->err)) {
		foreign_omit(f, "symbols or probes", file->path, strerror(-file->err));
	}
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

void foreign_drop(struct foreign *f, uint32_t payer, void *mem, size_t len)
{
	if (!mem)
		return;
	if (len < MAP_MIN)
		free(mem);
	else
		munmap(mem, len);
	foreign_charge(f, payer, -(int64_t)len);
}

void foreign_charge(struct foreign *f, uint32_t payer, int64_t bytes)
{
	f->used += bytes;
	foreign_account_of(&f->time, payer)->memory += bytes;
}

bool foreign_take(struct foreign *f, uint32_t payer, const char *path, uint64_t bytes)
{
	if (bytes > space_for(f, payer)) {
		report_size(f, path, bytes > space_left(f) ? -EFBIG : -ENOSPC, payer);
		return false;
	}
	foreign_charge(f, payer, bytes);
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
	err = foreign_question(f, &q, file->fd, file->payer, &file->spent_ns, &a, &fd);
	if (!err && a.err == -EFBIG)
		report_size(f, file->path, too_large(f, file->payer), file->payer);
	if (err || fd < 0)
		return err ? err : a.err;
	if (a.len) {
		foreign_charge(f, file->payer, a.len);
		vec_push(&f->copies, ((struct copy){v, fd, 1, file->payer, a.len}));
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
		foreign_charge(f, c->payer, -(int64_t)c->len);
		*c = f->copies.v[--f->copies.n];
		break;
	}
	close(fd);
}
