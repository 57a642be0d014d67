/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/foreign_proc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libdt/base/sandbox.h"
#include "libdt/base/fd.h"
#include "libdt/process/proc_maps.h"

/* openat2(2) and its struct open_how, which headers of Debian 11 may lack. */
enum { OPENAT2 = 437, RESOLVE_NO_MAGIC = 0x02, RESOLVE_BELOW_ROOT = 0x10 };

struct how {
	uint64_t flags, mode, resolve;
};

static void close_if(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* What a file is ---------------------------------------------------------- */

/* Regular files of these are the kernel's: proc, sysfs, debugfs, tracefs, bpf, cgroups,
 * securityfs, selinuxfs, configfs, efivarfs, pstore, binfmt_misc, smackfs, mqueue, nsfs, pidfs,
 * anonymous inodes, fusectl, rpc_pipefs, nfsd, xenfs. */
static const uint32_t kernel_file_systems[] = {
    0x9fa0,	0x62656572, 0x64626720, 0x74726163, 0xcafe4a11, 0x27e0eb,   0x63677270, 0x73636673,
    0xf97cff8c, 0x62656570, 0xde5e81e4, 0x6165676c, 0x42494e4d, 0x43415d53, 0x19800202, 0x6e736673,
    0x50494446, 0x09041934, 0x65735543, 0x67596969, 0x6e667364, 0xabba1974,
};

/* Those whose files are in this machine's memory and disks: reading them ends. ext, xfs, btrfs,
 * tmpfs, ramfs, f2fs, squashfs, erofs, vfat, iso9660, zfs, bcachefs. */
static const uint32_t local_file_systems[] = {
    0xef53,	0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0xf2f52010,
    0x73717368, 0xe0f5e1e2, 0x4d44,	0x9660,	    0x2fc12fc1, 0xca451a4e,
};

static bool is_among(uint32_t type, const uint32_t *types, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (types[i] == type)
			return true;
	return false;
}

int foreign_check(int fd)
{
	struct statfs fs;
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENODEV;
	if (fstatfs(fd, &fs))
		return -errno;
	return is_among((uint32_t)fs.f_type, kernel_file_systems, ARRAY_SIZE(kernel_file_systems))
		   ? -ENODEV
		   : 0;
}

bool foreign_is_mapped_as(int fd, uint64_t dev, uint64_t inode)
{
	void *mem = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	const struct proc_maps_limits none = {0};
	enum proc_maps_cut cut;
	struct proc_maps *own = mem == MAP_FAILED ? NULL : proc_maps_read(getpid(), &none, &cut);
	const struct mapping *at = own ? proc_maps_at(own, (uintptr_t)mem) : NULL;
	bool same = at && at->dev == dev && at->inode == inode;

	proc_maps_free(own);
	if (mem != MAP_FAILED)
		munmap(mem, 1);
	return same;
}

/* The opener -------------------------------------------------------------- */

/* The same file, to read from: what a descriptor of O_PATH leads to is still what it was. */
static int reopen(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd < 0 ? -errno : fd;
}

/*
 * /proc/PID/maps shows what is in another mount namespace with its path from the top of that: of a
 * process that has changed its root there, the root's own path stands in front. Returns the path
 * below the root, or NULL.
 */
static const char *without_root(const char *root, const char *path)
{
	char top[PATH_MAX];
	ssize_t n = readlink(root, top, sizeof(top));

	return n > 1 && (size_t)n < sizeof(top) && !strncmp(path, top, n) && path[n] == '/'
		   ? path + n
		   : NULL;
}

/* Links of a process's lead to where they do for the process. */
static int find_below(const struct foreign_question *q)
{
	struct how how = {O_PATH | O_CLOEXEC | (q->no_link ? O_NOFOLLOW : 0), 0,
			  RESOLVE_BELOW_ROOT | RESOLVE_NO_MAGIC};
	const char *below;
	char root[64];
	int dir, fd, err;

	snprintf(root, sizeof(root), "/proc/%d/root", q->root);
	dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -errno;
	fd = syscall(OPENAT2, dir, q->path, &how, sizeof(how));
	err = errno;
	if (fd < 0 && err == ENOENT && q->is_known && (below = without_root(root, q->path))) {
		fd = syscall(OPENAT2, dir, below, &how, sizeof(how));
		err = errno;
	}
	close(dir);
	return fd < 0 ? -err : fd;
}

static int find(const struct foreign_question *q)
{
	int fd;

	if (q->root)
		return find_below(q);
	fd = open(q->path, O_PATH | O_CLOEXEC | (q->no_link ? O_NOFOLLOW : 0));
	return fd < 0 ? -errno : fd;
}

static bool is_the_one(int fd, const struct stat *st, const struct foreign_question *q)
{
	int real;
	bool same;

	if (!q->is_known || (st->st_dev == q->dev && st->st_ino == q->inode))
		return true;
	real = st->st_ino == q->inode ? reopen(fd) : -1;
	same = real >= 0 && foreign_is_mapped_as(real, q->dev, q->inode);
	close_if(real);
	return same;
}

static uint64_t ns_of(struct timespec t)
{
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* The descriptor, or -errno. */
static int answer_find(const struct foreign_question *q, struct foreign_answer *a)
{
	int fd = find(q);
	struct stat st;

	if (fd < 0)
		return fd;
	a->err = foreign_check(fd);
	if (!a->err && fstat(fd, &st))
		a->err = -errno;
	if (!a->err && !is_the_one(fd, &st, q))
		a->err = -ESTALE;
	if (a->err) {
		close(fd);
		return a->err;
	}
	a->dev = st.st_dev;
	a->inode = st.st_ino;
	a->size = st.st_size;
	a->uid = st.st_uid;
	a->modified = ns_of(st.st_mtim);
	a->changed = ns_of(st.st_ctim);
	return fd;
}

/* Sealed memory; *len: how much there was. */
static int copy(int fd, uint64_t space, uint64_t *len)
{
	int to = memfd_create("dt-foreign", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	char *buf = xmalloc(1 << 16);
	ssize_t n;

	*len = 0;
	while (to >= 0 && (n = read(fd, buf, 1 << 16)) > 0) {
		*len += n;
		if (*len > space || !fd_write(to, buf, n)) {
			close(to);
			to = -1;
			errno = EFBIG;
		}
	}
	free(buf);
	if (to >= 0 && !fd_seal(to)) {
		close(to);
		to = -1;
	}
	return to < 0 ? -errno : to;
}

/* *copied: 0 when it is the file itself. */
static int answer_data(int fd, uint64_t space, uint64_t *copied)
{
	struct statfs fs;
	struct stat st;
	int made;

	/* The receiving process runs as an unprivileged user. */
	if (!fstatfs(fd, &fs) &&
	    is_among((uint32_t)fs.f_type, local_file_systems, ARRAY_SIZE(local_file_systems)) &&
	    !fstat(fd, &st) && st.st_mode & S_IROTH)
		return fd;
	made = copy(fd, space, copied);
	close(fd);
	return made;
}

static void open_and_answer(int sock, int reader, struct foreign_question *q, size_t len, int fd)
{
	struct foreign_answer a = {.number = q->number};
	int made;

	if (q->op == FOREIGN_FIND) {
		made = answer_find(q, &a);
	} else {
		made = fd < 0 ? -EBADF : reopen(fd);
		if (made >= 0 && q->op == FOREIGN_DATA)
			made = answer_data(made, q->space, &a.len);
	}
	close_if(fd);
	a.err = made < 0 ? made : 0;
	if (made >= 0 && q->op >= FOREIGN_ELF)
		fd_pass(reader, q, len, made);
	else
		fd_pass(sock, &a, sizeof(a), made);
	close_if(made);
}

_Noreturn void foreign_opener(int questions, int reader)
{
	struct foreign_question *q = xmalloc(sizeof(*q));
	ssize_t n;
	int fd;

	sandbox_quiet(questions, reader);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while ((n = fd_take(questions, q, sizeof(*q), &fd)) >
	       (ssize_t)offsetof(struct foreign_question, path)) {
		((char *)q)[n - 1] = '\0';
		open_and_answer(questions, reader, q, n, fd);
	}
	_exit(0);
}

/* The reader -------------------------------------------------------------- */

static int read_elf(int fd, struct foreign_question *q, struct strbuf *out)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	int err = elfread_refusal(elf) ? -ENOEXEC : 0;

	q->elf.space = q->elf.most ? MIN(q->elf.most, q->space) : q->space;
	if (!err)
		err = elfread(elf, fd, &q->elf, out);
	elf_end(elf);
	return err;
}

/* Sealed memory with it. */
static int seal_text(const struct strbuf *out)
{
	int fd = memfd_create("dt-foreign", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -errno;
	if (fd_write(fd, sb_str(out), out->len) && fd_seal(fd))
		return fd;
	close(fd);
	return -EFBIG;
}

static bool read_and_answer(int sock, struct foreign_question *q, int fd)
{
	struct foreign_answer a = {.number = q->number};
	struct strbuf out = {0};
	int made = -1;
	bool ok;

	a.err = q->op == FOREIGN_ELF ? read_elf(fd, q, &out) : jitread(fd, &q->jit, q->space, &out);
	if (out.len > q->space) {
		sb_free(&out);
		out = (struct strbuf){0};
		a.err = -EFBIG;
	}
	a.len = out.len;
	made = out.len ? seal_text(&out) : -1;
	if (out.len && made < 0)
		a.err = made;
	sb_free(&out);
	close(fd);
	ok = fd_pass(sock, &a, sizeof(a), made);
	close_if(made);
	return ok;
}

_Noreturn void foreign_reader(int questions, int answers, uint64_t size)
{
	struct foreign_question *q = xmalloc(sizeof(*q));
	struct rlimit memory;
	int fd;

	sandbox_quiet(questions, answers);
	if (sandbox_enter(0, size))
		_exit(1);
	elf_version(EV_CURRENT);
	sandbox_limit(size);
	sandbox_filter(true); /* liblzma is loaded when it is first wanted */
	getrlimit(RLIMIT_AS, &memory);
	while (fd_take(questions, q, sizeof(*q), &fd) > 0 && fd >= 0) {
		memory.rlim_cur = memory.rlim_max - (size - MIN(q->space, size));
		setrlimit(RLIMIT_AS, &memory);
		if (!read_and_answer(answers, q, fd))
			break;
	}
	_exit(0);
}
