/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/sys.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A signal that comes while the verifier works ends it with EAGAIN. */
enum { TRIES = 5 };

static _Thread_local unsigned shortages;

unsigned sys_shortages(void)
{
	return shortages;
}

bool sys_is_shortage(int err)
{
	return err == -ENOMEM || err == -EMFILE || err == -ENFILE || err == -EAGAIN;
}

/* The result of a system call, or -errno. */
static int result_of(long rc)
{
	int result = rc < 0 ? -errno : (int)rc;

	shortages += sys_is_shortage(result);
	return result;
}

int sys_bpf(int cmd, const void *attr, size_t size)
{
	long rc = -1;

	errno = EAGAIN;
	for (int i = 0; i < TRIES && rc < 0 && errno == EAGAIN; i++)
		rc = syscall(SYS_bpf, cmd, attr, size);
	return result_of(rc);
}

/* Whether there was something to raise, so that trying again makes sense. */
static bool raise_memlock(void)
{
	struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY}, now;

	if (getrlimit(RLIMIT_MEMLOCK, &now) || now.rlim_cur == RLIM_INFINITY)
		return false;
	if (!setrlimit(RLIMIT_MEMLOCK, &all))
		return true;
	if (now.rlim_cur == now.rlim_max)
		return false;
	now.rlim_cur = now.rlim_max;
	return !setrlimit(RLIMIT_MEMLOCK, &now);
}

int sys_bpf_make(int cmd, const void *attr, size_t size)
{
	int rc = sys_bpf(cmd, attr, size);

	if ((rc == -EPERM && raise_memlock()) || (rc == -EMFILE && sys_raise_files()))
		rc = sys_bpf(cmd, attr, size);
	return rc;
}

int sys_count_time(void)
{
	uint32_t type = 0; /* BPF_STATS_RUN_TIME */

	return sys_bpf(SYS_ENABLE_STATS, &type, sizeof(type));
}

int sys_link_create(const struct sys_link *link)
{
	return sys_bpf(BPF_LINK_CREATE, link, sizeof(*link));
}

int sys_perf_open(const struct perf_event_attr *attr, int pid, int cpu)
{
	return result_of(syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC));
}

bool sys_raise_files(void)
{
	FILE *f = fopen("/proc/sys/fs/nr_open", "re");
	struct rlimit now, all = {1 << 20, 1 << 20};
	unsigned long most;

	if (f && fscanf(f, "%lu", &most) == 1)
		all.rlim_cur = all.rlim_max = most;
	if (f)
		fclose(f);
	if (getrlimit(RLIMIT_NOFILE, &now) || now.rlim_cur >= all.rlim_cur)
		return false;
	if (!setrlimit(RLIMIT_NOFILE, &all))
		return true;
	if (now.rlim_cur == now.rlim_max)
		return false;
	now.rlim_cur = now.rlim_max;
	return !setrlimit(RLIMIT_NOFILE, &now);
}

void sys_name(char out[16], const char *name)
{
	int i;

	for (i = 0; i < 15 && name[i]; i++) {
		unsigned char c = name[i];

		out[i] = c < 128 && (isalnum(c) || c == '.') ? c : '_';
	}
	out[i] = '\0';
}
