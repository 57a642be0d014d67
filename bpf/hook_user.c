/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hooks on the code of programs: uprobes one by one, and uprobe.multi. Each is at an offset of a
 * file, in one process or in all that have the file mapped, now and later. Single ones cost 110
 * ms each to close, measured: the kernel waits for grace periods; a thousand by uprobe.multi 35
 * ms in all.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/hook_int.h"
#include "bpf/sys.h"

#define UPROBE_PMU "/sys/bus/event_source/devices/uprobe/"

/* In the user's stack, above the return address where there is one. */
int user_arg(struct ir *ir, int ctx, int n)
{
	int frame, at, addr, size, value;

	if (n < 0 || n < func_args_in_regs())
		return func_regs_arg(ir, ctx, n);
	frame = ir_frame(ir, 8);
	at = ir_reg(ir);
	addr = func_stack_arg(ir, ctx, n);
	size = ir_reg(ir);
	value = ir_reg(ir);
	ir_frame_sti(ir, 8, frame, 0, 0);
	ir_frame_addr(ir, at, frame, 0);
	ir_movi(ir, size, 8);
	ir_callv(ir, BPF_FUNC_probe_read_user, at, size, addr);
	ir_frame_ld(ir, 8, value, frame, 0);
	ir_frame_free(ir, frame);
	return value;
}

/* 0: every one */
static int process(const struct target *t)
{
	return t->only ? 0 : t->pid;
}

static int attach_uprobe(int prog_fd, const struct target *t, uint64_t config, uint64_t cookie,
			 struct hook_links *links)
{
	struct perf_event_attr attr = {
	    .type = hook_read_number(UPROBE_PMU "type", "%d"),
	    .size = sizeof(attr),
	    .config = config | t->semaphore << 32,
	    .uprobe_path = sys_ptr(t->name),
	    .probe_offset = t->offset,
	    .disabled = 1,
	};
	int fd;

	if ((int)attr.type < 0)
		return -EOPNOTSUPP;
	fd = process(t) ? sys_perf_open(&attr, process(t), -1) : hook_open_event(&attr);
	if (fd < 0)
		return fd;
	vec_push(&links->fds, fd);
	links->slow = true;
	return hook_attach_event(prog_fd, fd, cookie, links);
}

int user_attach(int prog_fd, const struct target *t, uint64_t cookie, struct hook_links *links)
{
	return attach_uprobe(prog_fd, t, 0, cookie, links);
}

int user_attach_return(int prog_fd, const struct target *t, uint64_t cookie,
		       struct hook_links *links)
{
	int bit = hook_read_number(UPROBE_PMU "format/retprobe", "config:%d");

	return bit < 0 ? -EOPNOTSUPP : attach_uprobe(prog_fd, t, 1ull << bit, cookie, links);
}

static bool same_file(const struct target *a, const struct target *b)
{
	return process(a) == process(b) && !strcmp(a->name, b->name);
}

/* One link for those of n targets that are in the same file as the first; the others come to the
 * front. Returns how many are left, or -errno. */
static int attach_file(int prog_fd, const struct target **t, uint64_t *cookies, int n,
		       uint32_t flags, struct hook_links *links)
{
	uint64_t *offsets = xcalloc(3 * (size_t)n, sizeof(*offsets)), *semaphores = offsets + n,
		 *own = semaphores + n;
	const struct target *first = t[0];
	struct sys_link link = {
	    .prog_fd = prog_fd,
	    .attach_type = SYS_ATTACH_UPROBE_MULTI,
	    .uprobe_multi = {.path = sys_ptr(first->name),
			     .offsets = sys_ptr(offsets),
			     .cookies = sys_ptr(own),
			     .flags = flags,
			     .pid = process(first)},
	};
	int left = 0, rc;

	for (int i = 0; i < n; i++) {
		uint32_t k = link.uprobe_multi.cnt;

		if (!same_file(t[i], first)) {
			t[left] = t[i];
			cookies[left++] = cookies[i];
			continue;
		}
		offsets[k] = t[i]->offset;
		semaphores[k] = t[i]->semaphore;
		own[k] = cookies[i];
		if (t[i]->semaphore)
			link.uprobe_multi.ref_ctr_offsets = sys_ptr(semaphores);
		link.uprobe_multi.cnt++;
	}
	rc = hook_add_fd(links, sys_link_create(&link));
	free(offsets);
	return rc ? rc : left;
}

static int attach_multi(int prog_fd, const struct target *const *t, const uint64_t *cookies, int n,
			uint32_t flags, struct hook_links *links)
{
	const struct target **rest = xcalloc(n, sizeof(*rest));
	uint64_t *own = xcalloc(n, sizeof(*own));
	int left = n;

	memcpy(rest, t, n * sizeof(*rest));
	if (cookies)
		memcpy(own, cookies, n * sizeof(*own));
	while (left > 0)
		left = attach_file(prog_fd, rest, own, left, flags, links);
	free(rest);
	free(own);
	return left;
}

enum { MULTI_RETURN = 1 };

int user_attach_multi(int prog_fd, const struct target *const *t, const uint64_t *cookies, int n,
		      struct hook_links *links)
{
	return attach_multi(prog_fd, t, cookies, n, 0, links);
}

int user_attach_rmulti(int prog_fd, const struct target *const *t, const uint64_t *cookies, int n,
		       struct hook_links *links)
{
	return attach_multi(prog_fd, t, cookies, n, MULTI_RETURN, links);
}
