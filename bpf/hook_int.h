/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of hooks. */
#ifndef DT_HOOK_INT_H
#define DT_HOOK_INT_H

#include <linux/perf_event.h>

#include "bpf/hook.h"

/* hook.c */
int hook_add_fd(struct hook_links *links, int fd);
int hook_attach_event(int prog_fd, int event_fd, uint64_t cookie, struct hook_links *links);
/* A perf event that programs on it are called for on all CPUs; its fd or -errno. */
int hook_open_event(struct perf_event_attr *attr);

/* All that hook_attach_many() does, in this process. */
int hook_attach_here(enum hook_kind kind, struct hook_job *job, struct hook_links *links);
/* Closes those from the first on, the newest first: links were added after the events which they
 * tie. */
void hook_close_from(struct hook_links *links, int first);

/* hook_apart.c: as hook_attach_here(), in a process that is abandoned when it does not get on for
 * job->patience_ns: all targets are left out then. */
int hook_attach_apart(enum hook_kind kind, struct hook_job *job, struct hook_links *links);

/* hook_func.c: the kernel's functions. */
/* How many arguments are in registers; the address of one that is on the stack. */
int func_args_in_regs(void);
int func_stack_arg(struct ir *ir, int ctx, int n);
/* A number in a file of the kernel's, -1 when it is not there. */
int hook_read_number(const char *path, const char *fmt);
int func_regs_arg(struct ir *ir, int ctx, int n);
int func_regs_ret(struct ir *ir, int ctx, int nargs);
int func_typed_arg(struct ir *ir, int ctx, int n);
int func_typed_ret(struct ir *ir, int ctx, int nargs);
void func_override(struct ir *ir, int ctx, int value);
int func_hit(struct ir *ir, int ctx, const struct hook_where *w);
int func_returned(struct ir *ir, int ctx, const struct hook_where *w);
int func_attach_kprobe(int prog_fd, const struct target *t, uint64_t cookie,
		       struct hook_links *links);
int func_attach_kretprobe(int prog_fd, const struct target *t, uint64_t cookie,
			  struct hook_links *links);
int func_attach_multi(int prog_fd, const struct target *const *t, const uint64_t *cookies, int n,
		      struct hook_links *links);
int func_attach_rmulti(int prog_fd, const struct target *const *t, const uint64_t *cookies, int n,
		       struct hook_links *links);

/* hook_user.c: the code of programs. */
int user_arg(struct ir *ir, int ctx, int n);
int user_attach(int prog_fd, const struct target *t, uint64_t cookie, struct hook_links *links);
int user_attach_return(int prog_fd, const struct target *t, uint64_t cookie,
		       struct hook_links *links);
int user_attach_multi(int prog_fd, const struct target *const *t, const uint64_t *cookies, int n,
		      struct hook_links *links);
int user_attach_rmulti(int prog_fd, const struct target *const *t, const uint64_t *cookies, int n,
		       struct hook_links *links);

#endif
