/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/sandbox.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/machine/machine.h"
#include "libdt/base/mem.h"

/* close_range(2), which has this number on all machines and is newer than the headers of Debian
 * 11, and its flag CLOSE_RANGE_CLOEXEC. */
enum { CLOSE_RANGE = 436, TO_CLOSE_ON_EXEC = 4 };

/*
 * A process has a user and a group of its own: any other process of its user could stop it, trace
 * it and take its files, and 65534 is the account of many services. Added to the number of the
 * process, which has at most 22 bits, OWN_IDS is beyond what accounts, subordinate ids, systemd and
 * SSSD use by default, and before systemd's foreign ids. NO_ACCOUNT: in a user namespace without
 * them.
 */
enum { NO_ACCOUNT = 65534, OWN_IDS = 0x7a000000 };

#define MEMORY_MAX (8ull << 30)

/* AddressSanitizer reserves terabytes of addresses, and more with each allocation. */
#ifdef __has_feature /* clang, whose releases of 2022 do not define what gcc does */
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
enum { MAY_LIMIT_MEMORY = false };
#else
enum { MAY_LIMIT_MEMORY = true };
#endif

void sandbox_memory(int resource, uint64_t most)
{
	struct rlimit limit;

	if (!MAY_LIMIT_MEMORY || getrlimit(resource, &limit))
		return;
	limit.rlim_cur = limit.rlim_max = MIN(most, limit.rlim_cur);
	setrlimit(resource, &limit);
}

static bool become(unsigned id)
{
	return !setresgid(id, id, id) && !setresuid(id, id, id);
}

static int drop_rights(void)
{
	if (geteuid())
		return 0;
	return !setgroups(0, NULL) && (become(OWN_IDS + getpid()) || become(NO_ACCOUNT)) ? 0
											 : -errno;
}

static void keep(int a, int b)
{
	const unsigned ends[] = {2, (unsigned)MIN(a, b), (unsigned)MAX(a, b), ~0u};

	for (int i = 0; i < 3; i++) /* there is no harm in a kernel that cannot */
		if (ends[i + 1] - (i < 2) > ends[i])
			syscall(CLOSE_RANGE, ends[i] + 1, ends[i + 1] - (i < 2), 0);
}

/* A kernel older than 5.11 has no such flag. */
void sandbox_close_on_exec(int from)
{
	DIR *dir;

	if (!syscall(CLOSE_RANGE, from, ~0u, TO_CLOSE_ON_EXEC))
		return;
	dir = opendir("/proc/self/fd");
	for (const struct dirent *e; dir && (e = readdir(dir));)
		if (isdigit((unsigned char)*e->d_name) && atoi(e->d_name) >= from)
			fcntl(atoi(e->d_name), F_SETFD, FD_CLOEXEC);
	if (dir)
		closedir(dir);
}

void sandbox_quiet(int a, int b)
{
	static const int defaults[] = {SIGTERM, SIGHUP, SIGABRT, SIGALRM};
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	for (int i = 0; null >= 0 && i < 3; i++)
		dup2(null, i);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < ARRAY_SIZE(defaults); i++)
		signal(defaults[i], SIG_DFL);
	keep(a, b);
}

void sandbox_limit(uint64_t more)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f && fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	sandbox_memory(RLIMIT_AS, (uint64_t)pages * sysconf(_SC_PAGESIZE) + more);
}

int sandbox_enter(int cpu_seconds, long long file_max)
{
	const struct {
		int which;
		rlim_t most;
	} limits[] = {{RLIMIT_CORE, 0},
		      {RLIMIT_FSIZE, file_max},
		      {RLIMIT_CPU, cpu_seconds ? (rlim_t)cpu_seconds : RLIM_INFINITY}};
	int err;

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		setrlimit(limits[i].which, &(struct rlimit){limits[i].most, limits[i].most});
	sandbox_memory(RLIMIT_AS, MEMORY_MAX);
	err = chdir("/") ? -errno : drop_rights();
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a change of rights would take it back */
	return err;
}

/* Filter of system calls -------------------------------------------------- */

static const int allowed[] = {
    SYS_read,	      SYS_pread64,	 SYS_readv,
    SYS_write,	      SYS_writev,	 SYS_recvmsg,
    SYS_recvfrom,     SYS_sendmsg,	 SYS_sendto,
    SYS_ppoll,	      SYS_mmap,		 SYS_munmap,
    SYS_mremap,	      SYS_mprotect,	 SYS_brk,
    SYS_madvise,      SYS_close,	 SYS_lseek,
    SYS_fstat,	      SYS_newfstatat,	 SYS_fcntl,
    SYS_dup,	      SYS_ftruncate,	 SYS_memfd_create,
    SYS_prlimit64,    SYS_getrlimit,	 SYS_setrlimit,
    SYS_getpid,	      SYS_gettid,	 SYS_getrandom,
    SYS_futex,	      SYS_setitimer,	 SYS_exit,
    SYS_exit_group,   SYS_rt_sigaction,	 SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_clock_gettime, SYS_gettimeofday,
    SYS_sysinfo,      SYS_sched_yield,	 SYS_restart_syscall,
    SYS_sigaltstack, /* of sanitizers, at exit */
#ifdef SYS_poll
    SYS_poll,	      SYS_alarm,
#endif
};
static const int looking[] = {
    SYS_statx, SYS_readlinkat, SYS_faccessat, SYS_getcwd,
#ifdef SYS_stat
    SYS_stat,  SYS_lstat,      SYS_access,    SYS_readlink,
#endif
};

struct program {
	struct sock_filter insns[160];
	int n;
};

static void emit(struct program *p, struct sock_filter insn)
{
	p->insns[p->n++] = insn;
}

static void load(struct program *p, size_t off)
{
	emit(p, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, off));
}

static void conclude(struct program *p, uint32_t result)
{
	emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, result));
}

static void allow(struct program *p, const int *calls, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i], 0, 1));
		conclude(p, SECCOMP_RET_ALLOW);
	}
}

/* The call when its argument has none of the flags. */
static void allow_without(struct program *p, int call, int arg, uint32_t flags)
{
	size_t off = offsetof(struct seccomp_data, args) + arg * sizeof(uint64_t);

	emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4));
	load(p, off); /* little-endian: the half that the kernel looks at */
	emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, flags, 1, 0));
	conclude(p, SECCOMP_RET_ALLOW);
	conclude(p, SECCOMP_RET_ERRNO | EPERM);
}

void sandbox_filter(bool opens)
{
	const uint32_t writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
	struct program p = {.n = 0};

	load(&p, offsetof(struct seccomp_data, arch));
	emit(&p,
	     (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, machine_here->audit, 1, 0));
	conclude(&p, SECCOMP_RET_KILL_PROCESS);
	load(&p, offsetof(struct seccomp_data, nr));
	allow(&p, allowed, ARRAY_SIZE(allowed));
	if (opens) {
		allow(&p, looking, ARRAY_SIZE(looking));
		allow_without(&p, SYS_openat, 2, writes);
#ifdef SYS_open
		allow_without(&p, SYS_open, 1, writes);
#endif
	}
	conclude(&p, SECCOMP_RET_ERRNO | EPERM);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
	      &(struct sock_fprog){.len = p.n, .filter = p.insns});
}

void sandbox_end(pid_t pid)
{
	enum { TRIES = 50 };
	pid_t got = 0;

	kill(pid, SIGKILL);
	for (int i = 0; i < TRIES && (!got || (got < 0 && errno == EINTR)); i++) {
		if (i)
			poll(NULL, 0, 1);
		got = waitpid(pid, NULL, WNOHANG);
	}
}

/* Adds the CPU time that a process has had, in ns; does it want more, instead of waiting for
 * something? */
static bool is_running(pid_t pid, uint64_t *ns)
{
	unsigned long user = 0, system = 0;
	char path[64], text[1024], state = 0, *p;
	FILE *f;
	size_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	if (f)
		fclose(f);
	text[n] = '\0';
	p = strrchr(text, ')');
	if (p && sscanf(p + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %lu", &state, &user,
			&system) == 3)
		*ns += (uint64_t)(user + system) * 1000000000ull / sysconf(_SC_CLK_TCK);
	return state == 'R';
}

bool sandbox_is_running(pid_t pid)
{
	uint64_t cpu = 0;

	return is_running(pid, &cpu);
}

bool sandbox_is_starved(const pid_t *pids, int n, uint64_t *since, uint64_t ns)
{
	uint64_t cpu = 0;
	bool wants = false;

	for (int i = 0; i < n; i++)
		wants |= is_running(pids[i], &cpu);
	if (!*since)
		*since = cpu + 1;
	return wants && cpu < *since + ns;
}

struct patience sandbox_patience(pid_t pid, uint64_t ns)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	return (struct patience){.until = now + ns, .last = now + 10 * ns, .ns = ns, .pid = pid};
}

bool sandbox_extend(struct patience *p)
{
	enum { MORE_NS = 20000000 };
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (!p->pid || now >= p->last || !sandbox_is_starved(&p->pid, 1, &p->cpu, p->ns))
		return false;
	p->until = now + MORE_NS;
	return true;
}
