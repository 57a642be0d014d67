/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a file can be found of which only the dentry is known. Its file system can be mounted at
 * many places, as a whole or a directory of it, and for many namespaces. Those of one namespace are
 * asked for, and first whole ones, then such that have the file below their root; whole ones of
 * others are better than nothing. Of several that are as good the oldest is taken: the others are
 * copies.
 */
#include "bpf/rt_build.h"

enum {
	PLACE_DENTRY,
	PLACE_WHOLE, /* the root of the whole file system */
	PLACE_AT,    /* the struct mount that is next, */
	PLACE_END,   /* or this: there is none */
	PLACE_BEST,  /* of those that were looked at, ... */
	PLACE_RANK,  /* ... and how good it is */
};
enum { PLACE_MOUNTS = 256, PLACE_DEPTH = 64 };
enum { RANK_FOREIGN = 1, RANK_FOLDER, RANK_WHOLE };

/* rt_place_under(slot, root): 1 when the dentry is root or below it. */
static struct code *build_place_under(struct rt *rt, const char *name)
{
	const struct rt_place *o = rt->place;
	int at, parent, loop, found, i;
	struct rtb b;
	struct ir *ir;

	if (!o)
		return NULL;
	rtb_start(&b, rt, name, 2);
	ir = b.ir, loop = ir_label(ir), found = ir_label(ir);
	rtb_slot(&b, ir_arg(ir, 0));
	i = rtb_imm(&b, 0);
	ir_place(ir, loop);
	at = rtb_word(&b, PLACE_DENTRY);
	ir_jcc(ir, BPF_JEQ, at, ir_arg(ir, 1), found);
	parent = rtb_peek(&b, at, o->dentry_parent, 8);
	ir_jcc(ir, BPF_JEQ, parent, at, b.fail);
	rtb_set_word(&b, PLACE_DENTRY, parent);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, PLACE_DEPTH, loop);
	ir_jmp(ir, b.fail);
	ir_place(ir, found);
	ir_reti(ir, 1);
	return rtb_finish(&b, 0);
}

/* Goes to foreign unless the mount is one of the namespace. That of some mounts is no address. */
static void only_own(struct rtb *b, int mount, int foreign)
{
	const struct rt_place *o = b->rt->place;
	int fail = b->fail;

	b->fail = foreign;
	ir_jcc(b->ir, BPF_JNE, rtb_peek(b, rtb_peek(b, mount, o->mount_ns, 8), o->ns_inum, 4),
	       rtb_imm(b, o->own_ns), foreign);
	b->fail = fail;
}

/* rt_place_step(slot): looks at a mount; 1 when there may be more. */
static struct code *build_place_step(struct rt *rt, const char *name)
{
	const struct rt_place *o = rt->place;
	int mount, root, rank, foreign, judge, next, under, dentry;
	struct rtb b;
	struct ir *ir;

	if (!o)
		return NULL;
	rtb_start(&b, rt, name, 1);
	ir = b.ir, foreign = ir_label(ir), judge = ir_label(ir), next = ir_label(ir),
	rank = ir_reg(ir);
	rtb_slot(&b, ir_arg(ir, 0));
	mount = rtb_word(&b, PLACE_AT);
	ir_jcc(ir, BPF_JEQ, mount, rtb_word(&b, PLACE_END), b.fail);
	root = rtb_peek(&b, mount, o->mount_root, 8);
	only_own(&b, mount, foreign);
	ir_movi(ir, rank, RANK_WHOLE);
	ir_jcc(ir, BPF_JEQ, root, rtb_word(&b, PLACE_WHOLE), judge);
	dentry = rtb_word(&b, PLACE_DENTRY);
	under = rtb_copy(&b, ir_call_func(ir, "rt_place_under", 2, (int[]){ir_arg(ir, 0), root}));
	rtb_set_word(&b, PLACE_DENTRY, dentry);
	ir_movi(ir, rank, RANK_FOLDER);
	ir_jcci(ir, BPF_JEQ, under, 0, next);
	ir_jmp(ir, judge);
	ir_place(ir, foreign);
	ir_jcc(ir, BPF_JNE, root, rtb_word(&b, PLACE_WHOLE), next);
	ir_movi(ir, rank, RANK_FOREIGN);
	ir_place(ir, judge);
	ir_jcc(ir, o->newest_first ? BPF_JLT : BPF_JLE, rank, rtb_word(&b, PLACE_RANK), next);
	rtb_set_word(&b, PLACE_RANK, rank);
	rtb_set_word(&b, PLACE_BEST, mount);
	ir_place(ir, next);
	root = rtb_peek(&b, mount, o->mount_next, 8);
	ir_alui(ir, BPF_SUB, root, o->link);
	rtb_set_word(&b, PLACE_AT, root);
	ir_reti(ir, 1);
	return rtb_finish(&b, 0);
}

static struct code *build_place(struct rt *rt, const char *name)
{
	const struct rt_place *o = rt->place;
	int super, end, first, loop, out, i, r, slot;
	struct rtb b;
	struct ir *ir;

	if (!o)
		return NULL;
	rtb_start(&b, rt, name, 2);
	ir = b.ir, slot = ir_arg(ir, 0), loop = ir_label(ir), out = ir_label(ir);
	rtb_slot(&b, slot);
	rtb_set_word(&b, PLACE_DENTRY, ir_arg(ir, 1));
	super = rtb_peek(&b, ir_arg(ir, 1), o->dentry_super, 8);
	rtb_set_word(&b, PLACE_WHOLE, rtb_peek(&b, super, o->super_root, 8));
	first = rtb_peek(&b, super, o->super_mounts, 8);
	ir_alui(ir, BPF_SUB, first, o->link);
	end = rtb_imm(&b, 0);
	if (!o->newest_first) { /* a ring of links, with that of the superblock among them */
		ir_mov(ir, end, super);
		ir_alui(ir, BPF_ADD, end, (int64_t)o->super_mounts - o->link);
	}
	ir_jcc(ir, BPF_JEQ, first, end, b.fail);
	rtb_set_word(&b, PLACE_END, end);
	rtb_set_word(&b, PLACE_AT, first);
	rtb_set_word(&b, PLACE_BEST, first);
	rtb_set_word(&b, PLACE_RANK, rtb_imm(&b, 0));
	i = rtb_imm(&b, 0);
	ir_place(ir, loop);
	r = rtb_copy(&b, ir_call_func(ir, "rt_place_step", 1, &slot));
	ir_jcci(ir, BPF_JEQ, r, 0, out);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, PLACE_MOUNTS, loop);
	ir_place(ir, out);
	r = rtb_word(&b, PLACE_BEST);
	ir_alui(ir, BPF_ADD, r, o->mount_mnt);
	ir_ret(ir, r);
	return rtb_finish(&b, 0);
}

const struct rt_def rt_place_defs[] = {
    {"rt_place", build_place},
    {"rt_place_step", build_place_step},
    {"rt_place_under", build_place_under},
    {NULL, NULL},
};
