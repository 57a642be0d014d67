/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mapping that an address of the current process is in, from the kernel's own structures, and
 * the unwinding table of its file.
 *
 * bpf_find_vma() would be the official way. It came with 5.17, and where interrupts are disabled,
 * as in all samples, it can be called once only: it releases the lock later. A list of our own,
 * kept by the kernel's events of mappings, costs all processes for the few that have samples, and
 * there is no hook for programs at the mappings that an exec makes. So the trees are read without
 * a lock, as memory that may change: a mapping that is found must contain the address, and the
 * worst is a frame that is not found.
 *
 * The maple tree (lib/maple_tree.c): a pointer to a node of 256 bytes has the node's kind in bits
 * 3 to 6. A node begins with its parent, followed by the greatest addresses of its slots but the
 * last one (15 of them, or in a node of the kind arange 9), followed by the slots. Ends that are 0
 * are unused. The words after the 9 are pointers of the kernel's, so that addresses of processes
 * are never above them as signed numbers: so one loop counts the slots to be passed in all kinds.
 */
#include "bpf/rt_vma.h"

#include <stddef.h>

#include "bpf/rt_build.h"
#include "bpf/rt_unwind.h"

enum { NODE_SIZE = 256, NODE_ENDS = 8, NODE_NENDS = 15, NODE_SLOTS = 128, ARANGE_SLOTS = 80 };
enum { KIND_SHIFT = 3, KIND_MASK = 15, KIND_LEAF_MAX = 1 };
enum { DEPTH_MAX = 40 }; /* of a red-black tree of a million; a maple tree has some levels */
enum { VMA_FOUND = 1 };	 /* in a step's result: it is a mapping, not a node */
enum { PAGE_BITS = 12 };
enum { CELL_STEP = 1 }; /* rt_unwind() has a count in cell 0 */
/* Set in all files that overlayfs opened, and always this bit; FMODE_BACKING has moved. */
enum { FMODE_NOACCOUNT = 1 << 29 };
enum { NS_PER_SEC = 1000000000 };

/* A new register: all ones when a register is negative, else 0. */
static int sign(struct rtb *b, int reg)
{
	int r = rtb_copy(b, reg);

	ir_alui(b->ir, BPF_ARSH, r, 63);
	return r;
}

/* How many of the node's ends are below an address. */
static int count_ends(struct rtb *b, int addr)
{
	struct ir *ir = b->ir;
	int count = rtb_imm(b, 0), end, passed, unused;

	for (int i = 0; i < NODE_NENDS; i++) {
		end = ir_reg(ir);
		ir_ld(ir, 8, end, b->priv, NODE_ENDS + 8 * i);
		passed = rtb_copy(b, end);
		ir_alu(ir, BPF_SUB, passed, addr);
		passed = sign(b, passed);
		ir_alui(ir, BPF_SUB, end, 1);
		unused = sign(b, end);
		ir_alui(ir, BPF_XOR, unused, -1);
		ir_alu(ir, BPF_AND, passed, unused);
		ir_alui(ir, BPF_AND, passed, 1);
		ir_alu(ir, BPF_ADD, count, passed);
	}
	return count;
}

static void maple_step(struct rtb *b, int entry, int addr)
{
	struct ir *ir = b->ir;
	int kind = rtb_copy(b, entry), node = rtb_copy(b, entry), at, p, slots, next = ir_reg(ir),
	    r, leaf = ir_label(ir);

	ir_alui(ir, BPF_RSH, kind, KIND_SHIFT);
	ir_alui(ir, BPF_AND, kind, KIND_MASK);
	ir_alui(ir, BPF_AND, node, -NODE_SIZE);
	r = ir_callv(ir, BPF_FUNC_probe_read_kernel, rtb_copy(b, b->priv), rtb_imm(b, NODE_SIZE),
		     node);
	ir_jcci(ir, BPF_JNE, r, 0, b->fail);
	at = count_ends(b, addr);
	ir_alui(ir, BPF_LSH, at, 3);
	/* kinds: 0 and 1 are leaves, 2 is as 1, 3 is arange */
	slots = rtb_copy(b, kind);
	ir_alui(ir, BPF_RSH, slots, 1);
	ir_alu(ir, BPF_AND, slots, kind);
	ir_alui(ir, BPF_AND, slots, 1);
	ir_alui(ir, BPF_MUL, slots, ARANGE_SLOTS - NODE_SLOTS);
	ir_alui(ir, BPF_ADD, slots, NODE_SLOTS);
	ir_alu(ir, BPF_ADD, at, slots);
	p = rtb_at(b, b->priv, at, NODE_SIZE - 8);
	ir_ld(ir, 8, next, p, 0);
	ir_jcci(ir, BPF_JLE, kind, KIND_LEAF_MAX, leaf);
	ir_ret(ir, next);
	ir_place(ir, leaf);
	ir_jcci(ir, BPF_JEQ, next, 0, b->fail);
	ir_alui(ir, BPF_OR, next, VMA_FOUND);
	ir_ret(ir, next);
}

static void tree_step(struct rtb *b, int node, int addr)
{
	const struct rt_vmas *o = &b->rt->unwind->vmas;
	struct ir *ir = b->ir;
	int vma = rtb_copy(b, node), right = ir_label(ir), found = ir_label(ir);

	ir_alui(ir, BPF_SUB, vma, o->vma_node);
	ir_jcc(ir, BPF_JGE, addr, rtb_peek(b, vma, o->vma_end, 8), right);
	ir_jcc(ir, BPF_JGE, addr, rtb_peek(b, vma, o->vma_start, 8), found);
	ir_ret(ir, rtb_peek(b, node, o->node_left, 8));
	ir_place(ir, right);
	ir_ret(ir, rtb_peek(b, node, o->node_right, 8));
	ir_place(ir, found);
	ir_alui(ir, BPF_OR, vma, VMA_FOUND);
	ir_ret(ir, vma);
}

/* rt_vma_step(slot, node, addr): the node below; or the mapping and VMA_FOUND; or 0. */
static struct code *build_step(struct rt *rt, const char *name)
{
	struct rtb b;

	if (!rt->unwind || !rt->unwind->vmas.known)
		return NULL;
	rtb_start(&b, rt, name, 3);
	rtb_slot(&b, ir_arg(b.ir, 0));
	if (rt->unwind->vmas.maple)
		maple_step(&b, ir_arg(b.ir, 1), ir_arg(b.ir, 2));
	else
		tree_step(&b, ir_arg(b.ir, 1), ir_arg(b.ir, 2));
	return rtb_finish(&b, 0);
}

/* A new register with the address of the struct vm_area_struct. */
static int find_vma(struct rtb *b, int mm, int slot, int addr)
{
	const struct rt_vmas *o = &b->rt->unwind->vmas;
	struct ir *ir = b->ir;
	int loop = ir_label(ir), out = ir_label(ir), i = rtb_imm(b, 0), at = ir_reg(ir),
	    found = ir_reg(ir), r;

	ir_mov(ir, at, rtb_peek(b, mm, o->mm_root, 8));
	ir_place(ir, loop);
	ir_jcci(ir, BPF_JEQ, at, 0, b->fail);
	r = ir_call_func(ir, "rt_vma_step", 3, (int[]){slot, at, addr});
	rtb_put(b, CELL_STEP, r);
	ir_mov(ir, at, r);
	ir_mov(ir, found, r);
	ir_alui(ir, BPF_AND, found, VMA_FOUND);
	ir_jcci(ir, BPF_JNE, found, 0, out);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, DEPTH_MAX, loop);
	ir_jmp(ir, b->fail);
	ir_place(ir, out);
	r = ir_reg(ir);
	ir_ld(ir, 8, r, b->priv, PRIV_CELL + 8 * CELL_STEP);
	ir_alui(ir, BPF_XOR, r, VMA_FOUND);
	return r;
}

/* The inode that the process sees. */
static int inode_of(struct rtb *b, int file)
{
	const struct rt_vmas *o = &b->rt->unwind->vmas;
	struct ir *ir = b->ir;
	int inode = rtb_copy(b, rtb_peek(b, file, o->file_inode, 8)), mode, own = ir_label(ir);

	if (!o->has_backing)
		return inode;
	mode = rtb_peek(b, file, o->file_mode, 4);
	ir_alui(ir, BPF_AND, mode, FMODE_NOACCOUNT);
	ir_jcci(ir, BPF_JEQ, mode, 0, own);
	ir_mov(ir, inode, rtb_peek(b, rtb_peek(b, file, o->backing_dentry, 8), o->dentry_inode, 8));
	ir_place(ir, own);
	return inode;
}

static void put_key(struct rtb *b, int off, int reg)
{
	ir_st(b->ir, 8, b->priv, off, reg);
}

/* The struct unwind_file_key, at the beginning of the private part. */
static void file_key(struct rtb *b, int vma, int file)
{
	const struct rt_vmas *o = &b->rt->unwind->vmas;
	struct ir *ir = b->ir;
	int inode = inode_of(b, file), time = rtb_peek(b, inode, o->inode_sec, 8),
	    page = rtb_peek(b, vma, o->vma_page, 8);

	ir_alui(ir, BPF_MUL, time, NS_PER_SEC);
	ir_alu(ir, BPF_ADD, time, rtb_peek(b, inode, o->inode_nsec, 4));
	ir_alui(ir, BPF_LSH, page, PAGE_BITS);
	put_key(b, offsetof(struct unwind_file_key, dev),
		rtb_peek(b, rtb_peek(b, inode, o->inode_super, 8), o->super_dev, 4));
	put_key(b, offsetof(struct unwind_file_key, inode), rtb_peek(b, inode, o->inode_number, 8));
	put_key(b, offsetof(struct unwind_file_key, modified), time);
	put_key(b, offsetof(struct unwind_file_key, off), page);
}

/* The same of the kernel's own code, but not that of 32-bit programs; goes to other when the
 * mapping is not that. */
static void vdso_key(struct rtb *b, int mm, int start, int other)
{
	struct ir *ir = b->ir;
	int high = rtb_copy(b, start);

	ir_jcc(ir, BPF_JNE, rtb_peek(b, mm, b->rt->unwind->vmas.mm_vdso, 8), start, other);
	ir_alui(ir, BPF_RSH, high, 32);
	ir_jcci(ir, BPF_JEQ, high, 0, other);
	for (size_t off = 0; off < sizeof(struct unwind_file_key); off += 8)
		ir_sti(ir, 8, b->priv, off, 0);
}

/* Fills a struct unwind_here. */
static void put_here(struct rtb *b, int to, int start, int end, int file)
{
	struct ir *ir = b->ir;
	int p = rtb_at(b, b->slot, to, b->rt->slot_size - sizeof(struct unwind_here)),
	    bias = rtb_copy(b, start), r = ir_reg(ir);

	ir_st(ir, 8, p, offsetof(struct unwind_here, part.start), start);
	ir_st(ir, 8, p, offsetof(struct unwind_here, part.end), end);
	ir_ld(ir, 8, r, file, offsetof(struct unwind_file, less));
	ir_alu(ir, BPF_SUB, bias, r);
	ir_st(ir, 8, p, offsetof(struct unwind_here, part.bias), bias);
	ir_ld(ir, 4, r, file, offsetof(struct unwind_file, first));
	ir_st(ir, 4, p, offsetof(struct unwind_here, part.first), r);
	ir_ld(ir, 4, r, file, offsetof(struct unwind_file, n));
	ir_st(ir, 4, p, offsetof(struct unwind_here, part.n), r);
	ir_ld(ir, 8, r, file, offsetof(struct unwind_file, id));
	ir_st(ir, 8, p, offsetof(struct unwind_here, id), r);
}

static void build_search(struct rtb *b)
{
	const struct rt_vmas *o = &b->rt->unwind->vmas;
	struct ir *ir = b->ir;
	int slot = ir_arg(ir, 0), addr = ir_arg(ir, 2), mm, vma, start, end, file, m = ir_reg(ir),
	    r, other = ir_label(ir), vdso = ir_label(ir), look = ir_label(ir), none = ir_label(ir),
	    task;

	rtb_slot(b, slot);
	task = rtb_copy(b, ir_call(ir, BPF_FUNC_get_current_task, 0, NULL));
	mm = rtb_peek(b, task, o->task_mm, 8);
	ir_jcci(ir, BPF_JEQ, mm, 0, b->fail);
	vma = find_vma(b, mm, slot, addr);
	start = rtb_peek(b, vma, o->vma_start, 8);
	end = rtb_peek(b, vma, o->vma_end, 8);
	ir_jcc(ir, BPF_JLT, addr, start, b->fail);
	ir_jcc(ir, BPF_JGE, addr, end, b->fail);
	file = rtb_peek(b, vma, o->vma_file, 8);
	ir_jcci(ir, BPF_JEQ, file, 0, vdso);
	file_key(b, vma, file);
	ir_jmp(ir, look);
	ir_place(ir, vdso);
	vdso_key(b, mm, start, other);
	ir_place(ir, look);
	ir_map(ir, m, b->rt->unwind->files);
	r = ir_callv(ir, BPF_FUNC_map_lookup_elem, m, rtb_copy(b, b->priv));
	ir_jcci(ir, BPF_JEQ, r, 0, none);
	put_here(b, ir_arg(ir, 1), start, end, r);
	ir_reti(ir, VMA_TABLE);
	ir_place(ir, none);
	ir_reti(ir, VMA_FILE);
	ir_place(ir, other);
	ir_reti(ir, VMA_OTHER);
}

/* rt_vma_table(slot, to, addr): the table for the code at an address, to a struct unwind_here. */
static struct code *build_table(struct rt *rt, const char *name)
{
	struct rtb b;

	if (!rt->unwind)
		return NULL;
	rtb_start(&b, rt, name, 3);
	if (rt->unwind->vmas.known)
		build_search(&b);
	return rtb_finish(&b, VMA_NONE);
}

const struct rt_def rt_vma_defs[] = {
    {"rt_vma_table", build_table},
    {"rt_vma_step", build_step},
    {NULL, NULL},
};
