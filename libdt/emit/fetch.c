/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of the kernel or the user, by number. */
#include <unistd.h>

#include "bpf/sys.h"
#include "libdt/emit/emit.h"
#include "libdt/opt.h"
#include "libdt/type/type.h"

enum { PAGE = 4096 }; /* where they are larger, some are asked for twice */

/*
 * Jumps to none in processes of other users. A page of theirs may be on a file system that they
 * serve and that does not answer: until it does, no tracer can remove a probe on user code, and
 * each program that waits keeps its slot.
 */
static void only_own_processes(struct gen *g, int none)
{
	int uid, own;

	if (opt_on(g->cg->opts, OPT_FUSE))
		return;
	uid = gen_copy(g, ir_call_const(g->ir, BPF_FUNC_get_current_uid_gid, 0, NULL));
	own = ir_label(g->ir);
	ir_zext(g->ir, uid, 32);
	ir_jcci(g->ir, BPF_JEQ, uid, 0, own);
	ir_jcci(g->ir, BPF_JNE, uid, getuid(), none);
	ir_place(g->ir, own);
}

/*
 * A page of the process that is not in memory: a program that may sleep has it brought in, after
 * the quick way failed. A record that was begun stays open meanwhile, and later ones wait.
 * Returns a register that is not 0 when it cannot be read.
 */
static int try_fetch(struct gen *g, unsigned space, int to, int size, int addr)
{
	int r = ir_callv(g->ir,
			 space == TF_USERLAND	? BPF_FUNC_probe_read_user
			 : space == TF_ANYWHERE ? BPF_FUNC_probe_read
						: BPF_FUNC_probe_read_kernel,
			 to, size, addr);
	int there;

	if (!space || !g->may_sleep)
		return r;
	g->sleeps = true;
	there = ir_label(g->ir);
	r = gen_copy(g, r);
	ir_jcci(g->ir, BPF_JEQ, r, 0, there);
	only_own_processes(g, there);
	ir_mov(g->ir, r, ir_callv(g->ir, BPF_FUNC_copy_from_user, to, size, addr));
	ir_place(g->ir, there);
	return r;
}

/*
 * Probes on locks are left out while a program has a slot, for the sake of our own maps' locks:
 * not for as long as it sleeps. The bit is always in one of the words. (Kernels whose programs
 * sleep have the atomic operations.)
 */
static void fall_asleep(struct gen *g, bool asleep)
{
	int clear;

	if (!g->cg->locks || !g->want_slot)
		return;
	ir_atomic(g->ir, BPF_OR, 8, g->part,
		  asleep ? offsetof(struct ctl_cpu, asleep) : offsetof(struct ctl_cpu, busy),
		  g->slot_bit);
	clear = gen_copy(g, g->slot_bit);
	ir_alui(g->ir, BPF_XOR, clear, -1);
	ir_atomic(g->ir, BPF_AND, 8, g->part,
		  asleep ? offsetof(struct ctl_cpu, busy) : offsetof(struct ctl_cpu, asleep),
		  clear);
}

void gen_bring_in(struct gen *g, int addr, uint32_t bytes)
{
	int frame = ir_frame(g->ir, 8), to = ir_reg(g->ir), at = gen_copy(g, addr),
	    none = ir_label(g->ir);

	g->sleeps = true;
	only_own_processes(g, none);
	fall_asleep(g, true);
	for (uint32_t off = 0; off < bytes + PAGE - 1; off += PAGE) {
		ir_frame_addr(g->ir, to, frame, 0);
		ir_callv(g->ir, BPF_FUNC_copy_from_user, gen_copy(g, to), gen_imm(g, 1),
			 gen_copy(g, at));
		ir_alui(g->ir, BPF_AND, at, -PAGE);
		ir_alui(g->ir, BPF_ADD, at, PAGE);
	}
	fall_asleep(g, false);
	ir_place(g->ir, none);
	ir_frame_free(g->ir, frame);
}

void gen_fetch(struct gen *g, unsigned space, int to, int size, int addr)
{
	if (space != TF_USERLAND)
		gen_check_read(g, addr, size);
	gen_fault_read(g, BPF_JNE, try_fetch(g, space, to, size, addr), 0, space, addr);
}

int gen_read(struct gen *g, int addr, int64_t off, int size, unsigned space, bool fault)
{
	int frame = ir_frame(g->ir, 8), at = ir_reg(g->ir), dst = ir_reg(g->ir), r,
	    v = ir_reg(g->ir), len;

	ir_mov(g->ir, at, addr);
	if (off)
		ir_alui(g->ir, BPF_ADD, at, off);
	len = gen_imm(g, size);
	if (fault && space != TF_USERLAND)
		gen_check_read(g, at, len);
	ir_frame_addr(g->ir, dst, frame, 0);
	r = try_fetch(g, space, dst, len, at);
	if (fault)
		gen_fault_read(g, BPF_JNE, r, 0, space, at);
	ir_frame_ld(g->ir, size, v, frame, 0);
	ir_frame_free(g->ir, frame);
	return v;
}

int gen_read_kernel(struct gen *g, int addr, int off, int size, bool is_signed)
{
	int v = gen_read(g, addr, off, size, 0, true);

	if (is_signed && size < 8)
		ir_sext(g->ir, v, size * 8);
	return v;
}

int gen_read_user(struct gen *g, int addr, int off, int size)
{
	return gen_read(g, addr, off, size, TF_USERLAND, true);
}

/* Adds a register that was saved (its offset plus one is in which) times scale (-1: once) to v. */
static void add_saved(struct gen *g, int v, int which, int scale)
{
	int frame = ir_frame(g->ir, 8), none = ir_label(g->ir), to = ir_reg(g->ir),
	    from = ir_reg(g->ir), r = ir_reg(g->ir);

	ir_jcci(g->ir, BPF_JEQ, which, 0, none);
	ir_mov(g->ir, from, g->ctx);
	ir_alu(g->ir, BPF_ADD, from, which);
	ir_alui(g->ir, BPF_SUB, from, 1);
	ir_frame_addr(g->ir, to, frame, 0);
	ir_frame_sti(g->ir, 8, frame, 0, 0);
	ir_callv(g->ir, BPF_FUNC_probe_read_kernel, to, gen_imm(g, 8), from);
	ir_frame_ld(g->ir, 8, r, frame, 0);
	if (scale >= 0)
		ir_alu(g->ir, BPF_MUL, r, scale);
	ir_alu(g->ir, BPF_ADD, v, r);
	ir_place(g->ir, none);
	ir_frame_free(g->ir, frame);
}

static int late_word(struct gen *g, int n, size_t member, int size)
{
	int r = ir_reg(g->ir);

	ir_ld(g->ir, size, r, g->late_row,
	      g->set->late_row_size - (LATE_ARGS - n) * sizeof(struct late_arg) + member);
	return r;
}

static void fetch_late(struct gen *g, int v, int size)
{
	enum { WIDEST = 16 };
	int frame = ir_frame(g->ir, WIDEST), itself = ir_label(g->ir), to = ir_reg(g->ir);

	ir_jcci(g->ir, BPF_JEQ, size, 0, itself);
	ir_alui(g->ir, BPF_AND, size, WIDEST - 1);
	ir_frame_sti(g->ir, 8, frame, 0, 0);
	ir_frame_sti(g->ir, 8, frame, 8, 0);
	ir_frame_addr(g->ir, to, frame, 0);
	gen_fetch(g, TF_USERLAND, to, size, v);
	ir_frame_ld(g->ir, 8, v, frame, 0);
	ir_place(g->ir, itself);
	ir_frame_free(g->ir, frame);
}

int gen_late_arg(struct gen *g, int n)
{
	int v = late_word(g, n, offsetof(struct late_arg, value), 8), cut,
	    positive = ir_label(g->ir), done = ir_label(g->ir);

	gen_fault_if(g, BPF_JNE, late_word(g, n, offsetof(struct late_arg, lacks), 1), 0,
		     FAULT_ILLOP, -1, n);
	add_saved(g, v, late_word(g, n, offsetof(struct late_arg, reg), 2), -1);
	add_saved(g, v, late_word(g, n, offsetof(struct late_arg, index), 2),
		  late_word(g, n, offsetof(struct late_arg, scale), 4));
	fetch_late(g, v, late_word(g, n, offsetof(struct late_arg, memory), 4));
	ir_alu(g->ir, BPF_RSH, v, late_word(g, n, offsetof(struct late_arg, shift), 1));
	cut = late_word(g, n, offsetof(struct late_arg, cut), 1);
	ir_alu(g->ir, BPF_LSH, v, cut);
	ir_jcci(g->ir, BPF_JEQ, late_word(g, n, offsetof(struct late_arg, is_signed), 1), 0,
		positive);
	ir_alu(g->ir, BPF_ARSH, v, cut);
	ir_jmp(g->ir, done);
	ir_place(g->ir, positive);
	ir_alu(g->ir, BPF_RSH, v, cut);
	ir_place(g->ir, done);
	return v;
}

int gen_peek_kernel(struct gen *g, int addr, int off, int size)
{
	return gen_read(g, addr, off, size, 0, false);
}

/* A number in the task itself, loaded without a helper where the verifier knows what the task is;
 * -1: it cannot be. */
static int field_within(struct gen *g, const char *const *path, int npath)
{
	struct types *types = g->cg->types;
	const struct type *t = type_find(types, "vmlinux", "struct task_struct");
	uint64_t bits, off = 0;
	int r;

	for (int i = 0; t && i < npath; i++) {
		const struct member *m;

		t = type_base(type_complete(types, type_base(t)));
		m = type_is_sou(t) ? type_member(types, t, path[i], &bits) : NULL;
		t = m ? m->type : NULL;
		off += m ? bits / 8 : 0;
	}
	if (!t || !type_is_int(t) || !feat(g->cg->feats, FEAT_TASK_STORAGE) ||
	    g->cg->opts->v[OPT_BTFPATH].set)
		return -1;
	r = ir_reg(g->ir);
	ir_ld(g->ir, type_size(types, t), r,
	      ir_call_const(g->ir, SYS_FUNC_GET_CURRENT_TASK_BTF, 0, NULL), off);
	return r;
}

/* A field reached by pointers from the current task: the offsets are the running kernel's. */
int gen_task_field(struct gen *g, const char *const *path, int npath)
{
	struct types *types = g->cg->types;
	const struct type *t = type_find(types, "vmlinux", "struct task_struct");
	int at = field_within(g, path, npath), off = 0;

	if (at >= 0)
		return at;
	at = ir_call_const(g->ir, BPF_FUNC_get_current_task, 0, NULL);
	for (int i = 0; i < npath; i++) {
		const struct member *m = NULL;
		uint64_t bits = 0;

		t = t ? type_complete(types, type_base(t)) : NULL;
		if (t && t->kind == T_PTR)
			t = type_complete(types, type_base(t->ref));
		if (t && type_is_sou(t))
			m = type_member(types, t, path[i], &bits);
		if (!m)
			diag_die(g->cg->diag, D_SYM_NOTYPES, g->loc,
				 "the kernel's type data are needed and have no %s: %s", path[i],
				 types_kernel_error(types) ? types_kernel_error(types)
							   : "no such member");
		t = m->type;
		off += bits / 8;
		if (type_is_sou(t)) /* embedded, not pointed to */
			continue;
		at = gen_peek_kernel(g, at, off, type_size(types, t));
		off = 0;
	}
	return at;
}
