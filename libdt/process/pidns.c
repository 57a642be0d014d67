/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process in an inner PID namespace cannot read the kernel's PIDs from any file or system call.
 * So a program of ours, which runs in dtrace's own process, walks the kernel's list of processes
 * and compares: PROCESSES of them in a call, then it is called again and continues where it was,
 * which the map remembers. The verifier follows each iteration, so that more of them would take it
 * seconds.
 */
#include "libdt/process/pidns.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "bpf/map.h"
#include "bpf/prog.h"
#include "libdt/base/hash.h"
#include "libdt/base/kernel_layout.h"
#include "libdt/base/mem.h"

enum { PROCESSES = 128, RUNS = 512, UPID_SIZE = 16 };
enum { ARG_WANTED, ARG_BY_HERE, ARG_GO_ON };

struct layout {
	uint64_t leader, tasks, tgid, pid, level, numbers, nr, ns;
};

struct pidns {
	struct feats *feats;
	const struct kernel_layout *kernel;
	struct arena *arena;
	struct prog prog;
	struct map at; /* the process to go on with */
	bool tried, loaded;
	struct hash known; /* the kernel's numbers -> those here, -1 for none */
};

bool pidns_own(void)
{
	enum { PROC_PID_INIT_INO = 0xeffffffc }; /* include/linux/proc_ns.h */
	struct stat st;

	return !stat("/proc/self/ns/pid", &st) && st.st_ino != (ino_t)(uint32_t)PROC_PID_INIT_INO;
}

struct pidns *pidns_new(struct feats *feats, const struct kernel_layout *kernel)
{
	struct pidns *ns = xcalloc(1, sizeof(*ns));

	ns->feats = feats;
	ns->kernel = kernel;
	ns->arena = arena_new();
	map_init_memory(&ns->at, "dt_pidns", 8);
	prog_init(&ns->prog, "dt_pidns", BPF_PROG_TYPE_RAW_TRACEPOINT);
	return ns;
}

void pidns_free(struct pidns *ns)
{
	if (!ns)
		return;
	prog_close(&ns->prog);
	map_close(&ns->at);
	hash_free(&ns->known);
	arena_free(ns->arena);
	free(ns);
}

static bool find_layout(const struct kernel_layout *k, struct layout *l)
{
	const struct kernel_member members[] = {
	    {"struct task_struct", "group_leader", &l->leader},
	    {"struct task_struct", "tasks", &l->tasks},
	    {"struct task_struct", "tgid", &l->tgid},
	    {"struct task_struct", "thread_pid", &l->pid},
	    {"struct pid", "level", &l->level},
	    {"struct pid", "numbers", &l->numbers},
	    {"struct upid", "nr", &l->nr},
	    {"struct upid", "ns", &l->ns},
	};

	return kernel_layout_find(k, members, ARRAY_SIZE(members));
}

/* A new register with what is there; 0 where nothing can be read. */
static int peek(struct ir *ir, int addr, uint64_t off, int size)
{
	int frame = ir_frame(ir, 8), to = ir_reg(ir), n = ir_reg(ir), at = ir_reg(ir),
	    r = ir_reg(ir);

	ir_mov(ir, at, addr);
	ir_alui(ir, BPF_ADD, at, off);
	ir_frame_addr(ir, to, frame, 0);
	ir_movi(ir, n, size);
	ir_callv(ir, BPF_FUNC_probe_read_kernel, to, n, at);
	ir_frame_ld(ir, size, r, frame, 0);
	ir_frame_free(ir, frame);
	return r;
}

/*
 * Returns the PID, in the other namespace, of the process whose number is wanted. A process of an
 * outer namespace has fewer numbers; what is read after them is meaningless.
 */
static struct code *build(struct arena *a, const struct layout *l, struct map *where)
{
	struct ir *ir = ir_new(a, "dt_pidns", 1);
	int loop = ir_label(ir), first = ir_label(ir), next = ir_label(ir), mask = ir_reg(ir),
	    i = ir_reg(ir), number = ir_reg(ir), change = ir_reg(ir);
	int wanted, task, at, own, pid, both, p = ir_reg(ir);

	ir_arg(ir, 0);
	wanted = ir_ctx_word(ir, ARG_WANTED);
	ir_movi(ir, mask, 0);
	ir_alu(ir, BPF_SUB, mask, ir_ctx_word(ir, ARG_BY_HERE));
	task = peek(ir, ir_call(ir, BPF_FUNC_get_current_task, 0, NULL), l->leader, 8);
	own = peek(ir, task, l->pid, 8);
	at = peek(ir, own, l->level, 4);
	ir_alui(ir, BPF_MUL, at, UPID_SIZE);
	ir_alui(ir, BPF_ADD, at, l->numbers);
	ir_alu(ir, BPF_ADD, own, at);
	own = peek(ir, own, l->ns, 8);
	ir_jcci(ir, BPF_JEQ, ir_ctx_word(ir, ARG_GO_ON), 0, first);
	ir_map_mem(ir, p, where, 0);
	ir_ld(ir, 8, task, p, 0);
	ir_place(ir, first);
	ir_movi(ir, i, 0);
	ir_place(ir, loop);
	pid = peek(ir, task, l->pid, 8);
	ir_alu(ir, BPF_ADD, pid, at);
	ir_mov(ir, number, peek(ir, task, l->tgid, 4));
	both = peek(ir, pid, l->nr, 4);
	ir_alu(ir, BPF_XOR, both, number);
	ir_mov(ir, change, mask);
	ir_alu(ir, BPF_AND, change, both); /* the one to compare is the one here, or the kernel's */
	ir_alu(ir, BPF_XOR, number, change);
	ir_alu(ir, BPF_XOR, both, number);
	ir_alu(ir, BPF_XOR, number, wanted);
	pid = peek(ir, pid, l->ns, 8);
	ir_alu(ir, BPF_XOR, pid, own);
	ir_alu(ir, BPF_OR, number, pid);
	ir_jcci(ir, BPF_JNE, number, 0, next);
	ir_ret(ir, both);
	ir_place(ir, next);
	ir_mov(ir, task, peek(ir, task, l->tasks, 8));
	ir_alui(ir, BPF_SUB, task, l->tasks);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, PROCESSES, loop);
	ir_map_mem(ir, p, where, 0);
	ir_st(ir, 8, p, 0, task);
	ir_reti(ir, 0);
	return ir_finish(ir, NULL, 0);
}

static bool load(struct pidns *ns)
{
	struct layout l;

	if (!ns->tried && find_layout(ns->kernel, &l)) {
		ns->prog.main = build(ns->arena, &l, &ns->at);
		ns->loaded = !prog_load(&ns->prog, ns->feats, NULL, false);
	}
	ns->tried = true;
	return ns->loaded;
}

static pid_t other_number(struct pidns *ns, pid_t pid, bool by_here)
{
	for (int i = 0; i < RUNS && pid > 0 && load(ns); i++) {
		uint64_t args[] = {
		    [ARG_WANTED] = pid, [ARG_BY_HERE] = by_here, [ARG_GO_ON] = i > 0};
		int64_t found;

		if (prog_run(&ns->prog, args, ARRAY_SIZE(args), &found))
			break;
		if (found > 0)
			return found;
	}
	return 0;
}

pid_t pidns_kernel(struct pidns *ns, pid_t here)
{
	return other_number(ns, here, true);
}

pid_t pidns_here(struct pidns *ns, pid_t kernel)
{
	void **known = hash_ref(&ns->known, &kernel, sizeof(kernel));

	if (!*known) {
		pid_t here = other_number(ns, kernel, false);

		*known = (void *)(intptr_t)(here ? here : -1);
	}
	return MAX((intptr_t)*known, 0);
}
