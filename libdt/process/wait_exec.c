/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Polling /proc, or an event for each exec, is too late to see a process's first instructions. So a
 * program of ours stops it in exec: a signal that is sent there is delivered before the first
 * instruction of the new image. It is an ordinary SIGSTOP; dtrace resumes each process that it
 * stops, on every path.
 *
 * The program catches one process: a table of one element, which the first process fills; an
 * insertion is atomic also on kernels without atomic exchange.
 */
#include "libdt/process/wait_exec.h"

#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bpf/hook.h"
#include "bpf/map.h"
#include "bpf/prog.h"
#include "libdt/process/pidns.h"

enum { COMM = 16, LOOK_MS = 5 };

struct wait_exec {
	struct arena *arena;
	struct map caught; /* 0 -> its pid */
	struct prog prog;
	struct hook_links links;
	bool returned;
};

/*
 * The program stops any process with the name, so we must be allowed to resume any: that needs two
 * capabilities, and PIDs of the initial namespace.
 */
static bool may_let_go(void)
{
	struct __user_cap_header_struct h = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3] = {0};
	uint32_t need = 1u << CAP_KILL | 1u << CAP_SYS_PTRACE;

	return !syscall(SYS_capget, &h, caps) && (caps[0].effective & need) == need;
}

const char *wait_exec_refuses(const char *name)
{
	if (!*name)
		return "the name is empty";
	if (!may_let_go())
		return "this requires CAP_SYS_PTRACE and CAP_KILL, to stop and resume the process";
	if (pidns_own())
		return PIDNS_OWN;
	if (strchr(name, '/'))
		return "it is a path, but processes are found by name only";
	return strlen(name) >= COMM ? "process names have at most 15 characters" : NULL;
}

/* Goes on at other unless the process has the name. */
static void compare_name(struct ir *ir, const char *name, int other)
{
	int frame = ir_frame(ir, COMM), at = ir_reg(ir), size = ir_reg(ir);
	uint64_t words[COMM / 8] = {0};

	memcpy(words, name, strlen(name));
	ir_frame_addr(ir, at, frame, 0);
	ir_movi(ir, size, COMM);
	ir_callv(ir, BPF_FUNC_get_current_comm, at, size);
	for (int i = 0; i < COMM / 8; i++) {
		int want = ir_reg(ir), is = ir_reg(ir);

		ir_movi(ir, want, words[i]);
		ir_frame_ld(ir, 8, is, frame, i * 8);
		ir_jcc(ir, BPF_JNE, is, want, other);
	}
	ir_frame_free(ir, frame);
}

static struct code *make_code(struct wait_exec *aw, const char *name)
{
	struct ir *ir = ir_new(aw->arena, "dt_await", 1);
	int out = ir_label(ir), frame, key = ir_reg(ir), value = ir_reg(ir), m = ir_reg(ir),
	    flags = ir_reg(ir), pid = ir_reg(ir), rc, sig;

	ir_arg(ir, 0);
	compare_name(ir, name, out);
	frame = ir_frame(ir, 16);
	ir_mov(ir, pid, ir_call(ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));
	ir_alui(ir, BPF_RSH, pid, 32);
	ir_frame_sti(ir, 8, frame, 0, 0);
	ir_frame_st(ir, 8, frame, 8, pid);
	ir_frame_addr(ir, key, frame, 0);
	ir_frame_addr(ir, value, frame, 8);
	ir_map(ir, m, &aw->caught);
	ir_movi(ir, flags, BPF_NOEXIST);
	rc = ir_callv(ir, BPF_FUNC_map_update_elem, m, key, value, flags);
	ir_jcci(ir, BPF_JNE, rc, 0, out);
	sig = ir_reg(ir);
	ir_movi(ir, sig, SIGSTOP);
	ir_callv(ir, BPF_FUNC_send_signal, sig);
	ir_place(ir, out);
	ir_reti(ir, 0);
	return ir_finish(ir, NULL, 0);
}

struct wait_exec *wait_exec_new(const char *name, struct feats *feats, int *err, struct strbuf *why)
{
	struct target t = {.name = "sched_process_exec"};
	struct wait_exec *aw = xcalloc(1, sizeof(*aw));

	aw->arena = arena_new();
	map_init(&aw->caught, "dt_caught", BPF_MAP_TYPE_HASH, 8, 8, 1);
	prog_init(&aw->prog, "dt_await", hook_get(HOOK_RAWTP)->prog_type);
	aw->prog.main = make_code(aw, name);
	*err = prog_load(&aw->prog, feats, why, false);
	if (!*err)
		*err = hook_attach(HOOK_RAWTP, aw->prog.fd, &t, 0, &aw->links);
	if (!*err)
		return aw;
	wait_exec_free(aw);
	return NULL;
}

static pid_t caught(struct wait_exec *aw)
{
	uint64_t key = 0, pid = 0;

	return map_lookup(&aw->caught, &key, &pid) ? 0 : (pid_t)pid;
}

pid_t wait_exec_next(struct wait_exec *aw)
{
	struct timespec look = {0, LOOK_MS * 1000000};
	pid_t pid;

	while (!(pid = caught(aw)))
		if (nanosleep(&look, NULL) && errno == EINTR)
			return 0;
	aw->returned = true;
	return pid;
}

void wait_exec_again(struct wait_exec *aw)
{
	uint64_t key = 0;

	aw->returned = false;
	map_delete(&aw->caught, &key);
}

void wait_exec_free(struct wait_exec *aw)
{
	struct timespec look = {0, LOOK_MS * 1000000};
	uint64_t key = 0, none = 0;
	bool other = !aw->returned && map_update(&aw->caught, &key, &none, BPF_NOEXIST) == -EEXIST;

	hook_detach(&aw->links);
	if (other) { /* it may have entered the table, and be about to get the signal */
		nanosleep(&look, NULL);
		kill(caught(aw), SIGCONT);
	}
	prog_close(&aw->prog);
	map_close(&aw->caught);
	arena_free(aw->arena);
	free(aw);
}
