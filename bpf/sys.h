/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bpf and perf_event_open system calls themselves, and what <linux/bpf.h> of older systems
 * lacks.
 *
 * Maps, programs and BTF are made with these rather than with libbpf's bpf_map_create() and
 * bpf_prog_load(), because those probe the kernel first (a dozen system calls, 0.2 to 1.5 ms
 * measured) and raise RLIMIT_MEMLOCK without need; libbpf 1.1 declares libbpf_set_memlock_rlim()
 * against the latter but does not export it. Everything else goes through libbpf's plain wrappers.
 */
#ifndef DT_SYS_H
#define DT_SYS_H

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By value, since the enumerators came with 5.11 to 6.6. */
enum {
	SYS_MAP_TASK_STORAGE = 29,
	SYS_ATTACH_PERF_EVENT = 41,
	SYS_ATTACH_KPROBE_MULTI = 42,
	SYS_ATTACH_UPROBE_MULTI = 48,
	SYS_FUNC_GET_CURRENT_TASK_BTF = 158,
	SYS_FUNC_TASK_STORAGE_GET = 156,
	SYS_FUNC_GET_FUNC_IP = 173,
	SYS_FUNC_GET_ATTACH_COOKIE = 174,
	SYS_FUNC_TASK_PT_REGS = 175,
	SYS_FUNC_LOOP = 181,
	SYS_FUNC_KTIME_GET_TAI_NS = 208,
	SYS_ENABLE_STATS = 32, /* command, of 5.8 */
	SYS_INFO_RUN_NS = 192 / 8,
	SYS_INFO_RUNS = 200 / 8,
	SYS_INFO_MISSES = 208 / 8, /* struct bpf_prog_info, in words: recursion_misses (5.12) */
	SYS_ENOTSUPP = 524,	   /* what the kernel returns in places where it means EOPNOTSUPP */
};

#ifndef BPF_PSEUDO_FUNC
#define BPF_PSEUDO_FUNC 4
#endif
#ifndef BPF_FETCH
#define BPF_FETCH 0x01
#endif

/* attr of BPF_LINK_CREATE. */
struct sys_link {
	uint32_t prog_fd, target_fd, attach_type, flags;
	union {
		struct {
			uint64_t cookie;
		} perf;
		struct {
			uint32_t flags, cnt;
			uint64_t syms, addrs, cookies;
		} kprobe_multi;
		struct {
			uint64_t path, offsets, ref_ctr_offsets, cookies;
			uint32_t cnt, flags, pid;
		} uprobe_multi;
	};
};

/* attr of BPF_RAW_TRACEPOINT_OPEN. Kernels that know no cookie refuse one that is not 0. */
struct sys_raw_tp {
	uint64_t name;
	uint32_t prog_fd, pad;
	uint64_t cookie;
};

/* A system call's result, or -errno. attr must be zeroed where nothing is meant. */
int sys_bpf(int cmd, const void *attr, size_t size);
/*
 * The same for what makes a map or a program. Before 5.11 the kernel charges their memory against
 * RLIMIT_MEMLOCK and says EPERM: then the limit is raised as far as we may, and the call is made
 * once more; likewise where there are too many files.
 */
int sys_bpf_make(int cmd, const void *attr, size_t size);
int sys_link_create(const struct sys_link *link);
int sys_perf_open(const struct perf_event_attr *attr, int pid, int cpu);
/* Does the error say that memory or descriptors are short, or that a signal came? Then it says
 * nothing about what was asked for. */
bool sys_is_shortage(int err);
/* How many of these calls have failed with such an error in this thread. */
unsigned sys_shortages(void);

/* The kernel counts the time of programs, of all of the system, as long as the descriptor is
 * open. It or -errno. */
int sys_count_time(void);
/* Lets the process have as many descriptors as it can. False: it had already. */
bool sys_raise_files(void);

/* A name as the kernel takes it: letters, digits, '_' and '.', at most 15; others become '_'. */
void sys_name(char out[16], const char *name);

static inline uint64_t sys_ptr(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

#endif
