/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/detach/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bpf/pin.h"
#include "libdt/base/clock.h"
#include "libdt/base/fd.h"
#include "libdt/dt.h"

#define STATE_DIR "/run/dtrace"
#define BPFFS "/sys/fs/bpf"
#define PIN_DIR BPFFS "/dtrace"

enum { NAME_LENGTH = 64, BOOT_ID = 37, FILE_MAX = 1 << 30 };
/* Another reader that takes longer is reported. */
enum { LONG_NS = 1000000000, POLL_NS = 10000000 };

bool store_is_name(const char *name)
{
	static const char first[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
	size_t n = strspn(name, first);

	return n && n <= NAME_LENGTH && !name[n] && !strchr("-_.", *name);
}

/* Directories --------------------------------------------------------------- */

/* A directory that only we can change. Its descriptor, or -errno; -EPERM: it is another's. */
static int open_own(int at, const char *path)
{
	int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & 077))
		return fd;
	close(fd);
	return -EPERM;
}

static int make_own(int at, const char *path)
{
	if (mkdirat(at, path, 0700) && errno != EEXIST)
		return -errno;
	return open_own(at, path);
}

static int fail_dir(struct strbuf *why, const char *path, int err)
{
	if (err == -EPERM)
		sb_printf(why,
			  "%s is not a directory that only its owner, the user of dtrace, "
			  "can use (mode 700)",
			  path);
	else if (err == -EACCES)
		sb_printf(why,
			  "%s: %s: sessions can be used by the user that began them, as a rule "
			  "root",
			  path, strerror(-err));
	else
		sb_printf(why, "%s: %s", path, strerror(-err));
	return -1;
}

/* The directory of all pins. False: it cannot be used. */
static bool make_pin_dir(struct strbuf *why)
{
	int fd;

	if (!pin_is_bpffs(BPFFS)) {
		sb_puts(why, "no BPF file system is mounted at " BPFFS
			     "; mount one: mount -t bpf bpf " BPFFS);
		return false;
	}
	fd = make_own(AT_FDCWD, PIN_DIR);
	if (fd < 0) {
		fail_dir(why, PIN_DIR, fd);
		return false;
	}
	close(fd);
	return true;
}

/* The BPF file system reserves names with dots. */
static char *pin_dir(const char *name)
{
	char *path = xasprintf("%s/%s", PIN_DIR, name);

	for (char *at = path + strlen(PIN_DIR); (at = strchr(at, '.'));)
		*at = '+';
	return path;
}

char *store_pin(const struct store *p, const char *pin)
{
	return xasprintf("%s/%s", p->pins, pin);
}

/* Removes the files of a directory, but one. */
static int remove_files(int fd, const char *but)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0), err = 0;
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	const struct dirent *e;

	if (!dir) {
		if (copy >= 0)
			close(copy);
		return -errno;
	}
	rewinddir(dir);
	while ((e = readdir(dir)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
		    (!but || strcmp(e->d_name, but)) && unlinkat(fd, e->d_name, 0))
			err = -errno;
	closedir(dir);
	return err;
}

static int remove_pins(const struct store *p)
{
	int fd = open_own(AT_FDCWD, p->pins), err;

	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	err = remove_files(fd, NULL);
	close(fd);
	return rmdir(p->pins) && !err ? -errno : err;
}

/* Without "session" first: what is left after a kill is incomplete. */
static int clean(const struct store *p)
{
	int err = unlinkat(p->dir, "session", 0) && errno != ENOENT ? -errno : remove_pins(p);

	return err ? err : remove_files(p->dir, "lock");
}

/* Files --------------------------------------------------------------------- */

int store_write(const struct store *p, const char *file, const struct strbuf *data)
{
	char *name = xasprintf("%s.new", file);
	int fd, err = 0;

	unlinkat(p->dir, name, 0);
	fd = openat(p->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		err = -errno;
	else if (data->len && !fd_write(fd, data->s, data->len))
		err = -errno;
	if (fd >= 0 && close(fd) && !err)
		err = -errno;
	if (!err && renameat(p->dir, name, p->dir, file))
		err = -errno;
	free(name);
	return err;
}

int store_read(const struct store *p, const char *file, struct strbuf *data)
{
	int fd = openat(p->dir, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK), err = 0;
	struct stat st;
	char *text;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		err = -errno;
	else if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_size > FILE_MAX)
		err = -EPERM;
	if (!err) {
		text = xmalloc(st.st_size + 1);
		if (fd_read(fd, text, st.st_size))
			sb_add(data, text, st.st_size);
		else
			err = -EIO;
		free(text);
	}
	close(fd);
	return err;
}

static void read_boot(char boot[BOOT_ID])
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!f || fscanf(f, "%36s", boot) != 1)
		strcpy(boot, "unknown");
	if (f)
		fclose(f);
}

int store_complete(struct store *p, int probes)
{
	struct strbuf sb = {0};
	char boot[BOOT_ID];
	int err;

	read_boot(boot);
	sb_printf(&sb, "%s %s %" PRIu64 " %d\n", DT_VERSION, boot, clock_ns(CLOCK_REALTIME),
		  probes);
	err = store_write(p, "session", &sb);
	sb_free(&sb);
	return err;
}

static bool has_pins(const struct store *p)
{
	char *path = store_pin(p, "ctl");
	struct stat st;
	bool has = !stat(path, &st);

	free(path);
	return has;
}

static void find_state(struct store *p)
{
	char boot[BOOT_ID], now[BOOT_ID];
	struct strbuf sb = {0};

	p->state = STORE_INCOMPLETE;
	*p->version = '\0';
	if (!store_read(p, "session", &sb) &&
	    sscanf(sb_str(&sb), "%31s %36s %" SCNu64 " %d", p->version, boot, &p->started,
		   &p->probes) == 4) {
		read_boot(now);
		p->state = strcmp(boot, now) ? STORE_STALE
			   : has_pins(p)     ? STORE_READY
					     : STORE_UNPINNED;
	}
	sb_free(&sb);
}

/* Opening ------------------------------------------------------------------- */

static void begin(struct store *p, const char *name)
{
	*p = (struct store){
	    .name = xstrdup(name), .pins = pin_dir(name), .base = -1, .dir = -1, .lock = -1};
}

void store_close(struct store *p)
{
	int fds[] = {p->lock, p->dir, p->base};

	for (size_t i = 0; p->name && i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free((char *)p->name);
	free((char *)p->pins);
	*p = (struct store){.base = -1, .dir = -1, .lock = -1};
}

static int lock_file(int fd, int how)
{
	int rc;

	do
		rc = flock(fd, LOCK_EX | how);
	while (rc && errno == EINTR);
	return rc ? -errno : 0;
}

/* waits: see store_open(). */
static int lock_waiting(int fd, void (*waits)(void *arg), void *arg)
{
	uint64_t began = clock_ns(CLOCK_MONOTONIC);
	int rc;

	while ((rc = lock_file(fd, LOCK_NB)) == -EWOULDBLOCK &&
	       clock_ns(CLOCK_MONOTONIC) < began + LONG_NS)
		nanosleep(&(struct timespec){0, POLL_NS}, NULL);
	if (rc != -EWOULDBLOCK)
		return rc;
	waits(arg);
	return lock_file(fd, 0);
}

/* Opens the files' directory and locks it, at once if waits is NULL. 0 or -errno; -ENOENT: it was
 * removed meanwhile. */
static int lock(struct store *p, void (*waits)(void *arg), void *arg)
{
	struct stat st;
	int rc;

	p->dir = open_own(p->base, p->name);
	if (p->dir < 0)
		return p->dir;
	p->lock = openat(p->dir, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (p->lock < 0)
		return -errno;
	rc = waits ? lock_waiting(p->lock, waits, arg) : lock_file(p->lock, LOCK_NB);
	if (rc)
		return rc;
	return !fstat(p->lock, &st) && st.st_nlink ? 0 : -ENOENT;
}

static int fail(struct store *p)
{
	store_close(p);
	return -1;
}

static int refuse_existing(const struct store *p, struct strbuf *why)
{
	sb_printf(why,
		  "a detached session of this name exists: dtrace -a %s reads it, dtrace -x "
		  "detach=stop %s stops it",
		  p->name, p->name);
	return -1;
}

int store_create(struct store *p, const char *name, struct strbuf *why)
{
	int rc;

	begin(p, name);
	if (!make_pin_dir(why))
		return fail(p);
	p->base = make_own(AT_FDCWD, STATE_DIR);
	if (p->base < 0) {
		fail_dir(why, STATE_DIR, p->base);
		return fail(p);
	}
	rc = mkdirat(p->base, name, 0700) && errno != EEXIST ? -errno : lock(p, NULL, NULL);
	if (rc == -EWOULDBLOCK)
		sb_puts(why, "another dtrace begins, reads or stops the session of this name");
	else if (rc)
		fail_dir(why, name, rc);
	if (rc)
		return fail(p);
	find_state(p);
	if (p->state == STORE_READY || p->state == STORE_UNPINNED) {
		refuse_existing(p, why);
		return fail(p);
	}
	rc = clean(p);
	if (!rc && mkdir(p->pins, 0700))
		rc = -errno;
	if (!rc)
		return 0;
	fail_dir(why, p->pins, rc);
	return fail(p);
}

int store_open(struct store *p, const char *name, void (*waits)(void *arg), void *arg,
	       struct strbuf *why)
{
	int rc;

	begin(p, name);
	p->base = open_own(AT_FDCWD, STATE_DIR);
	rc = p->base < 0 ? p->base : lock(p, waits, arg);
	if (!rc) {
		find_state(p);
		return 0;
	}
	if (rc == -ENOENT)
		sb_puts(why, "there is no detached session of this name (dtrace -x detach=list "
			     "lists them)");
	else
		fail_dir(why, p->base < 0 ? STATE_DIR : name, rc);
	return fail(p);
}

int store_remove(struct store *p)
{
	int err = clean(p);

	if (!err && (unlinkat(p->dir, "lock", 0) || unlinkat(p->base, p->name, AT_REMOVEDIR)))
		err = -errno;
	store_close(p);
	return err;
}

/* All ----------------------------------------------------------------------- */

static bool is_busy(const struct store *p)
{
	int fd = openat(p->dir, "lock", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	bool busy = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return busy;
}

static int is_session(const struct dirent *e)
{
	return store_is_name(e->d_name);
}

int store_each(void (*fn)(void *arg, const struct store *p, bool busy), void *arg,
	       struct strbuf *why)
{
	int base = open_own(AT_FDCWD, STATE_DIR), n;
	struct dirent **names;
	char path[32];

	if (base == -ENOENT)
		return 0;
	if (base < 0)
		return fail_dir(why, STATE_DIR, base);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", base); /* musl has no scandirat() */
	n = scandir(path, &names, is_session, alphasort);
	if (n < 0) {
		fail_dir(why, STATE_DIR, -errno);
		close(base);
		return -1;
	}
	for (int i = 0; i < n; i++) {
		struct store p;

		begin(&p, names[i]->d_name);
		p.dir = open_own(base, names[i]->d_name);
		if (p.dir >= 0) {
			find_state(&p);
			fn(arg, &p, is_busy(&p));
		}
		store_close(&p);
		free(names[i]);
	}
	free(names);
	close(base);
	return 0;
}
