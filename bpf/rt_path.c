/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The path of a file, as the kernel's own d_path() finds it: from the dentry up to its parents,
 * at the root of a file system over to where that is mounted, until the task's root or the first
 * mount is reached. A step is a routine of its own, so that the verifier walks it once. Nothing
 * is locked: if a file is renamed just now, the path can be that of neither name. The text grows
 * towards the front, like that of rt_cleanpath.
 */
#include <string.h>

#include "bpf/rt_build.h"

enum {
	PATH_AT,	  /* where the text begins, from the area's start */
	PATH_DENTRY,	  /* what is next, ... */
	PATH_MNT,	  /* ... in which struct vfsmount */
	PATH_ROOT_DENTRY, /* where the task's root is; 0: does not matter */
	PATH_ROOT_MNT,
};
enum { PATH_AREA = 304, PATH_STEPS = 128, NAME_LEN = 255 };

/* What a step returns. */
enum { PATH_DONE, PATH_ON, PATH_CUT, PATH_LOOSE };

/* Puts a slash and the dentry's name in front of the text. */
static void put_name(struct rtb *b, int dentry, int cut)
{
	const struct rt_path *o = b->rt->path;
	struct ir *ir = b->ir;
	int len = rtb_peek(b, dentry, o->dentry_len, 4),
	    name = rtb_peek(b, dentry, o->dentry_name, 8), at = rtb_word(b, PATH_AT), p, r;

	ir_jcc(ir, BPF_JLE, at, len, cut);
	ir_jcci(ir, BPF_JGT, len, MIN(NAME_LEN, b->strsize - 1), cut);
	ir_alu(ir, BPF_SUB, at, len);
	p = rtb_at(b, b->priv, at, b->strsize);
	ir_alui(ir, BPF_ADD, p, PATH_AREA);
	r = ir_callv(ir, BPF_FUNC_probe_read_kernel, rtb_copy(b, p), len, name);
	ir_jcci(ir, BPF_JNE, r, 0, b->fail);
	ir_alui(ir, BPF_SUB, at, 1);
	p = rtb_at(b, b->priv, at, b->strsize);
	ir_sti(ir, 1, p, PATH_AREA, '/');
	rtb_set_word(b, PATH_AT, at);
}

/* rt_path_step(slot): goes one dentry up, or one mount. */
static struct code *build_path_step(struct rt *rt, const char *name)
{
	const struct rt_path *o = rt->path;
	int dentry, mnt, parent, up, down, other, done, cut, loose;
	struct rtb b;
	struct ir *ir;

	if (!o)
		return NULL;
	rtb_start(&b, rt, name, 1);
	ir = b.ir;
	down = ir_label(ir), other = ir_label(ir), done = ir_label(ir), cut = ir_label(ir),
	loose = ir_label(ir);
	rtb_slot(&b, ir_arg(ir, 0));
	dentry = rtb_word(&b, PATH_DENTRY), mnt = rtb_word(&b, PATH_MNT);
	ir_jcc(ir, BPF_JNE, dentry, rtb_word(&b, PATH_ROOT_DENTRY), other);
	ir_jcc(ir, BPF_JEQ, mnt, rtb_word(&b, PATH_ROOT_MNT), done);
	ir_place(ir, other);
	ir_jcc(ir, BPF_JNE, rtb_peek(&b, mnt, o->vfsmount_root, 8), dentry, down);
	up = rtb_peek(&b, mnt, o->mount_parent - o->mount_mnt, 8);
	ir_alui(ir, BPF_ADD, up, o->mount_mnt);
	ir_jcc(ir, BPF_JEQ, up, mnt, done);
	rtb_set_word(&b, PATH_DENTRY, rtb_peek(&b, mnt, o->mount_mountpoint - o->mount_mnt, 8));
	rtb_set_word(&b, PATH_MNT, up);
	ir_reti(ir, PATH_ON);
	ir_place(ir, down);
	parent = rtb_peek(&b, dentry, o->dentry_parent, 8);
	put_name(&b, dentry, cut);
	ir_jcc(ir, BPF_JEQ, parent, dentry, loose);
	rtb_set_word(&b, PATH_DENTRY, parent);
	ir_reti(ir, PATH_ON);
	ir_place(ir, loose);
	ir_reti(ir, PATH_LOOSE);
	ir_place(ir, cut);
	ir_reti(ir, PATH_CUT);
	ir_place(ir, done);
	ir_reti(ir, PATH_DONE);
	return rtb_finish(&b, -1);
}

/* Where the task's root is. */
static void find_root(struct rtb *b)
{
	const struct rt_path *o = b->rt->path;
	int task = rtb_copy(b, ir_call(b->ir, BPF_FUNC_get_current_task, 0, NULL)),
	    fs = rtb_peek(b, task, o->task_fs, 8);

	rtb_set_word(b, PATH_ROOT_DENTRY, rtb_peek(b, fs, o->fs_root + o->path_dentry, 8));
	rtb_set_word(b, PATH_ROOT_MNT, rtb_peek(b, fs, o->fs_root + o->path_mnt, 8));
}

/* What is in front does not fit: "..." instead of it, over the beginning of what is there if need
 * be. */
static void put_dots(struct rtb *b)
{
	int at = rtb_word(b, PATH_AT), fits = ir_label(b->ir), p;

	ir_jcci(b->ir, BPF_JGE, at, 3, fits);
	ir_movi(b->ir, at, 3);
	ir_place(b->ir, fits);
	ir_alui(b->ir, BPF_SUB, at, 3);
	p = rtb_at(b, b->priv, at, b->strsize);
	ir_sti(b->ir, 2, p, PATH_AREA, '.' << 8 | '.');
	ir_sti(b->ir, 1, p, PATH_AREA + 2, '.');
	rtb_set_word(b, PATH_AT, at);
}

/* The text is the answer. */
static struct code *finish(struct rtb *b, int dst)
{
	struct ir *ir = b->ir;
	int at = rtb_word(b, PATH_AT), n = rtb_imm(b, b->strsize - 1), some = ir_label(ir),
	    area = rtb_copy(b, b->priv);

	ir_alu(ir, BPF_SUB, n, at);
	ir_jcci(ir, BPF_JNE, n, 0, some);
	rtb_ret_word(b, dst, TEXT_SLASH, 1);
	ir_place(ir, some);
	ir_alui(ir, BPF_ADD, area, PATH_AREA);
	rtb_copy_out(b, dst, area, at, n, b->strsize);
	rtb_ret_cell(b, 0);
	return rtb_finish(b, -1);
}

/* What is in no tree (a pipe, a socket) has its name without a slash, and is "<none>" without a
 * name. */
static void ret_loose(struct rtb *b, int dst, int ready)
{
	static const char none[8] = "<none>";
	struct ir *ir = b->ir;
	int at = rtb_word(b, PATH_AT);
	int64_t text;

	ir_alui(ir, BPF_ADD, at, 1);
	rtb_set_word(b, PATH_AT, at);
	ir_jcci(ir, BPF_JLT, at, b->strsize - 1, ready);
	memcpy(&text, none, sizeof(text));
	ir_st(ir, 8, dst, 0, rtb_imm(b, text));
	ir_reti(ir, sizeof("<none>") - 1);
}

static struct code *build_path(struct rt *rt, const char *name)
{
	int dst, loop, out, cut, ready, whole, rooted, i, r, slot;
	struct rtb b;
	struct ir *ir;

	if (!rt->path)
		return NULL;
	rtb_start(&b, rt, name, 5);
	ir = b.ir, slot = ir_arg(ir, 0);
	loop = ir_label(ir), out = ir_label(ir), cut = ir_label(ir), ready = ir_label(ir),
	rooted = ir_label(ir);
	rtb_slot(&b, slot);
	dst = rtb_str(&b, ir_arg(ir, 1));
	rtb_set_word(&b, PATH_AT, rtb_imm(&b, b.strsize - 1));
	rtb_set_word(&b, PATH_MNT, ir_arg(ir, 2));
	rtb_set_word(&b, PATH_DENTRY, ir_arg(ir, 3));
	whole = rtb_imm(&b, 0);
	rtb_set_word(&b, PATH_ROOT_DENTRY, whole);
	rtb_set_word(&b, PATH_ROOT_MNT, whole);
	ir_jcci(ir, BPF_JNE, ir_arg(ir, 4), 0, rooted);
	find_root(&b);
	ir_place(ir, rooted);
	i = rtb_imm(&b, 0);
	ir_place(ir, loop);
	r = rtb_copy(&b, ir_call_func(ir, "rt_path_step", 1, &slot));
	rtb_put(&b, 0, r);
	ir_jcci(ir, BPF_JNE, r, PATH_ON, out);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, PATH_STEPS, loop);
	ir_jmp(ir, cut);
	ir_place(ir, out);
	r = ir_reg(ir);
	ir_ld(ir, 8, r, b.priv, PRIV_CELL);
	ir_jcci(ir, BPF_JEQ, r, PATH_DONE, ready);
	ir_jcci(ir, BPF_JEQ, r, PATH_CUT, cut);
	ir_jcci(ir, BPF_JNE, r, PATH_LOOSE, b.fail);
	ret_loose(&b, dst, ready);
	ir_place(ir, cut);
	put_dots(&b);
	ir_place(ir, ready);
	return finish(&b, dst);
}

/* Blanks for the NULs among n bytes, which become a string. */
static struct code *build_blanks(struct rt *rt, const char *name)
{
	struct rtb b;
	int dst, n, loop, some, i, p, w, z;
	struct ir *ir;

	rtb_start(&b, rt, name, 3);
	ir = b.ir, n = ir_arg(ir, 2), loop = ir_label(ir), some = ir_label(ir), w = ir_reg(ir);
	rtb_slot(&b, ir_arg(ir, 0));
	dst = rtb_str(&b, ir_arg(ir, 1));
	ir_jcci(ir, BPF_JNE, n, 0, some);
	rtb_ret_word(&b, dst, TEXT_EMPTY, 0);
	ir_place(ir, some);
	i = rtb_imm(&b, 0), p = rtb_copy(&b, dst);
	ir_place(ir, loop);
	ir_ld(ir, 8, w, p, 0);
	z = rtb_zeros(&b, w);
	ir_alui(ir, BPF_XOR, z, -1);
	ir_alui(ir, BPF_RSH, z, 2); /* 0x20 is a blank */
	ir_alu(ir, BPF_OR, w, z);
	ir_st(ir, 8, p, 0, w);
	ir_alui(ir, BPF_ADD, p, 8);
	ir_alui(ir, BPF_ADD, i, 8);
	ir_jcci(ir, BPF_JLT, i, b.strsize, loop);
	p = rtb_at(&b, dst, n, b.strsize - 1);
	ir_sti(ir, 8, p, 0, 0);
	ir_ret(ir, n);
	return rtb_finish(&b, -1);
}

const struct rt_def rt_path_defs[] = {
    {"rt_path", build_path},
    {"rt_path_step", build_path_step},
    {"rt_blanks", build_blanks},
    {NULL, NULL},
};
