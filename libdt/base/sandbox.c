/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "libdt/base/mem.h"

/* close_range(2), which has this number on all machines and is newer than the headers of Debian
 * 11. */
enum { NOBODY = 65534, CLOSE_RANGE = 436 };

/* AddressSanitizer reserves terabytes of addresses, and more with each allocation: no limit
 * then. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define MEMORY_MAX RLIM_INFINITY
#else
#define MEMORY_MAX (8ull << 30)
#endif

static int drop_rights(void)
{
	if (geteuid())
		return 0;
	return setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
		       setresuid(NOBODY, NOBODY, NOBODY)
		   ? -errno
		   : 0;
}

static void keep(int a, int b)
{
	const unsigned ends[] = {2, (unsigned)MIN(a, b), (unsigned)MAX(a, b), ~0u};

	for (int i = 0; i < 3; i++) /* there is no harm in a kernel that cannot */
		if (ends[i + 1] - (i < 2) > ends[i])
			syscall(CLOSE_RANGE, ends[i] + 1, ends[i + 1] - (i < 2), 0);
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
	struct rlimit limit;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f && fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	limit.rlim_cur = limit.rlim_max = (rlim_t)pages * sysconf(_SC_PAGESIZE) + more;
	if (MEMORY_MAX != RLIM_INFINITY)
		setrlimit(RLIMIT_AS, &limit);
}

int sandbox_enter(int cpu_seconds, long long file_max)
{
	const struct {
		int which;
		rlim_t most;
	} limits[] = {{RLIMIT_CORE, 0},
		      {RLIMIT_FSIZE, file_max},
		      {RLIMIT_CPU, cpu_seconds ? (rlim_t)cpu_seconds : RLIM_INFINITY},
		      {RLIMIT_AS, MEMORY_MAX}};
	int err;

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		setrlimit(limits[i].which, &(struct rlimit){limits[i].most, limits[i].most});
	err = chdir("/") ? -errno : drop_rights();
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a change of rights would take it back */
	return err;
}
