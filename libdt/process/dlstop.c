/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/dlstop.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "bpf/hook.h"
#include "bpf/map.h"
#include "bpf/prog.h"
#include "libdt/base/mem.h"
#include "libdt/process/evaltime.h"
#include "libdt/process/foreign.h"

struct dlstop {
	pid_t pid;
	struct arena *arena;
	struct map stopped; /* 0 -> when */
	uint64_t seen;	    /* what it said when the process was let go */
	struct prog prog;
	struct hook_links links;
};

/* The linker's list is consistent (state 0) when libraries have been added; it calls before that,
 * too. */
static struct code *make_code(struct dlstop *d, uint64_t state)
{
	struct ir *ir = ir_new(d->arena, "dt_dlstop", 1);
	int out = ir_label(ir), frame = ir_frame(ir, 16), at = ir_reg(ir), size = ir_reg(ir),
	    addr = ir_reg(ir), now = ir_reg(ir);
	int key = ir_reg(ir), value = ir_reg(ir), m = ir_reg(ir), flags = ir_reg(ir),
	    sig = ir_reg(ir), is = ir_reg(ir);

	ir_arg(ir, 0);
	ir_frame_sti(ir, 8, frame, 0, 0);
	ir_frame_addr(ir, at, frame, 0);
	ir_movi(ir, size, 4);
	ir_movi(ir, addr, state);
	ir_callv(ir, BPF_FUNC_probe_read_user, at, size, addr);
	ir_frame_ld(ir, 8, is, frame, 0);
	ir_jcci(ir, BPF_JNE, is, 0, out);
	ir_mov(ir, now, ir_call(ir, BPF_FUNC_ktime_get_ns, 0, NULL));
	ir_frame_st(ir, 8, frame, 8, now);
	ir_frame_addr(ir, key, frame, 0);
	ir_frame_addr(ir, value, frame, 8);
	ir_map(ir, m, &d->stopped);
	ir_movi(ir, flags, BPF_ANY);
	ir_callv(ir, BPF_FUNC_map_update_elem, m, key, value, flags);
	ir_movi(ir, sig, SIGSTOP);
	ir_callv(ir, BPF_FUNC_send_signal, sig);
	ir_place(ir, out);
	ir_reti(ir, 0);
	return ir_finish(ir, NULL, 0);
}

struct dlstop *dlstop_new(struct foreign *f, pid_t pid, struct feats *feats, int *err)
{
	/* detached sooner */
	enum hook_kind hook = feat(feats, FEAT_UPROBE_MULTI) ? HOOK_UMULTI : HOOK_UPROBE;
	struct linker l;
	struct target t;
	const struct target *one = &t;
	struct hook_job job = {.targets = &one, .n = 1, .errors = err};
	struct dlstop *d;
	uint64_t size;

	*err = -ENOENT;
	if (!evaltime_linker(f, pid, &l))
		return NULL;
	t = (struct target){.name = l.path,
			    .offset = l.off,
			    .pid = pid,
			    .foreign = l.foreign,
			    .dev = l.dev,
			    .inode = l.inode};
	foreign_limits(f, &size, &job.patience_ns);
	d = xcalloc(1, sizeof(*d));
	d->pid = pid;
	d->arena = arena_new();
	map_init(&d->stopped, "dt_stopped", BPF_MAP_TYPE_HASH, 8, 8, 1);
	prog_init(&d->prog, "dt_dlstop", hook_get(hook)->prog_type);
	d->prog.attach_type = hook_get(hook)->attach_type;
	d->prog.main = make_code(d, l.state);
	*err = prog_load(&d->prog, feats, NULL, false);
	job.prog_fd = d->prog.fd;
	if (!*err && hook_attach_many(hook, &job, &d->links))
		*err = -EINTR;
	free(l.path);
	if (!*err)
		return d;
	dlstop_free(d);
	return NULL;
}

static uint64_t stopped_at(struct dlstop *d)
{
	uint64_t key = 0, when = 0;

	return d->stopped.fd < 0 || map_lookup(&d->stopped, &key, &when) ? 0 : when;
}

bool dlstop_caught(struct dlstop *d)
{
	uint64_t when = stopped_at(d);
	bool caught = when != d->seen;

	d->seen = when;
	return caught;
}

void dlstop_go(struct dlstop *d)
{
	kill(d->pid, SIGCONT);
}

void dlstop_free(struct dlstop *d)
{
	hook_detach(&d->links);
	if (dlstop_caught(d))
		dlstop_go(d);
	prog_close(&d->prog);
	map_close(&d->stopped);
	arena_free(d->arena);
	free(d);
}
