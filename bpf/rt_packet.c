/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a packet, which a struct sk_buff has in pieces: first those in its own memory,
 * then parts of pages, then the same of other buffers in a list. A piece is taken by a routine of
 * its own, so that the verifier walks it once. What the device alone can read (netmem) ends the
 * packet, as does what cannot be read.
 */
#include "bpf/rt_build.h"

enum {
	PACKET_AT,    /* bytes there are */
	PACKET_BUF,   /* the buffer whose pieces are taken, ... */
	PACKET_FIRST, /* ... which is the packet's first one */
	PACKET_PIECE, /* 0: its own memory, ... */
	PACKET_ADDR,  /* ... which is here, ... */
	PACKET_BYTES, /* ... so many bytes; n: its n-th part of a page */
	PACKET_PAGES, /* what makes an address of a page's number; 0: it is not known */
};

/* What a piece's routine returns. */
enum { PACKET_DONE, PACKET_ON };

enum { PIECES = 256, PIECES_STATIC = 32 };
enum { UNSET = 0xffff, TOO_LONG = 1 << 24, NETMEM = 1 };

/* Ends the function: appends n bytes at an address to those copied so far. */
static void ret_taken(struct rtb *b, int addr, int n)
{
	const struct rt_packet *o = b->rt->packet;
	int at = rtb_word(b, PACKET_AT), space = rtb_imm(b, o->size), p, r;
	int fits = ir_label(b->ir), done = ir_label(b->ir);
	struct ir *ir = b->ir;

	ir_alu(ir, BPF_SUB, space, at);
	ir_jcc(ir, BPF_JLE, n, space, fits);
	ir_mov(ir, n, space);
	ir_place(ir, fits);
	p = rtb_at(b, rtb_at(b, b->slot, ir_arg(ir, 1), b->last_off - RT_PACKET(o->size)), at,
		   o->size);
	ir_alui(ir, BPF_ADD, p, RT_PACKET_HEAD);
	ir_jcci(ir, BPF_JGT, n, o->size, b->fail);
	r = ir_callv(ir, BPF_FUNC_probe_read_kernel, p, n, addr);
	ir_jcci(ir, BPF_JNE, r, 0, done);
	ir_alu(ir, BPF_ADD, at, n);
	rtb_set_word(b, PACKET_AT, at);
	ir_jcci(ir, BPF_JGE, at, o->size, done);
	ir_reti(ir, PACKET_ON);
	ir_place(ir, done);
	ir_reti(ir, PACKET_DONE);
}

/* Ends the function with the n-th part of a page, from 1. */
static void ret_paged(struct rtb *b, int shared, int n, int done)
{
	const struct rt_packet *o = b->rt->packet;
	int frag = rtb_copy(b, n), addr, pages, netmem;
	struct ir *ir = b->ir;

	ir_alui(ir, BPF_SUB, frag, 1);
	ir_alui(ir, BPF_MUL, frag, o->frag_size);
	ir_alu(ir, BPF_ADD, frag, shared);
	addr = rtb_peek(b, frag, o->frags + o->frag_page, 8);
	netmem = rtb_copy(b, addr);
	ir_alui(ir, BPF_AND, netmem, NETMEM);
	ir_jcci(ir, BPF_JNE, netmem, 0, done);
	pages = rtb_word(b, PACKET_PAGES);
	ir_jcci(ir, BPF_JEQ, pages, 0, done);
	ir_alui(ir, BPF_MUL, addr, o->page_scale);
	ir_alu(ir, BPF_ADD, addr, pages);
	ir_alu(ir, BPF_ADD, addr, rtb_peek(b, frag, o->frags + o->frag_off, 4));
	ret_taken(b, addr, rtb_peek(b, frag, o->frags + o->frag_len, 4));
}

/* Ends the function with the successor of a buffer, which is the first of a list's, or the next
 * one in it. */
static void ret_next(struct rtb *b, int buf, int shared, int done)
{
	const struct rt_packet *o = b->rt->packet;
	int next = ir_reg(b->ir), in_list = ir_label(b->ir), found = ir_label(b->ir), bytes,
	    zero = rtb_imm(b, 0);
	struct ir *ir = b->ir;

	ir_jcci(ir, BPF_JEQ, rtb_word(b, PACKET_FIRST), 0, in_list);
	ir_mov(ir, next, rtb_peek(b, shared, o->frag_list, 8));
	ir_jmp(ir, found);
	ir_place(ir, in_list);
	ir_mov(ir, next, rtb_peek(b, buf, o->next, 8));
	ir_place(ir, found);
	ir_jcci(ir, BPF_JEQ, next, 0, done);
	bytes = rtb_peek(b, next, o->len, 4);
	ir_alu(ir, BPF_SUB, bytes, rtb_peek(b, next, o->data_len, 4));
	rtb_set_word(b, PACKET_BYTES, bytes);
	rtb_set_word(b, PACKET_ADDR, rtb_peek(b, next, o->data, 8));
	rtb_set_word(b, PACKET_BUF, next);
	rtb_set_word(b, PACKET_FIRST, zero);
	rtb_set_word(b, PACKET_PIECE, zero);
	ir_reti(ir, PACKET_ON);
}

/* rt_packet_piece(slot, dst): takes one piece, or goes to the next buffer. */
static struct code *build_packet_piece(struct rt *rt, const char *name)
{
	const struct rt_packet *o = rt->packet;
	int buf, piece, next, shared, paged, list, done;
	struct rtb b;
	struct ir *ir;

	if (!o)
		return NULL;
	rtb_start(&b, rt, name, 2);
	ir = b.ir, paged = ir_label(ir), list = ir_label(ir), done = ir_label(ir);
	rtb_slot(&b, ir_arg(ir, 0));
	piece = rtb_word(&b, PACKET_PIECE);
	next = rtb_copy(&b, piece);
	ir_alui(ir, BPF_ADD, next, 1);
	rtb_set_word(&b, PACKET_PIECE, next);
	ir_jcci(ir, BPF_JNE, piece, 0, paged);
	ret_taken(&b, rtb_word(&b, PACKET_ADDR), rtb_word(&b, PACKET_BYTES));
	ir_place(ir, paged);
	buf = rtb_word(&b, PACKET_BUF);
	shared = rtb_peek(&b, buf, o->head, 8);
	ir_alu(ir, BPF_ADD, shared, rtb_peek(&b, buf, o->end, 4));
	ir_jcc(ir, BPF_JGT, piece, rtb_peek(&b, shared, o->nr_frags, 1), list);
	ret_paged(&b, shared, piece, done);
	ir_place(ir, list);
	ret_next(&b, buf, shared, done);
	ir_place(ir, done);
	ir_reti(ir, PACKET_DONE);
	return rtb_finish(&b, -1);
}

/* Where the kernel has noted that the header is, or else where the buffer's data begins; head:
 * the memory's beginning. */
static int header_at(struct rtb *b, int skb, int network, int head)
{
	const struct rt_packet *o = b->rt->packet;
	int at = rtb_copy(b, rtb_peek(b, skb, o->data, 8)), off = ir_reg(b->ir);
	int of_network = ir_label(b->ir), noted = ir_label(b->ir), there = ir_label(b->ir);
	struct ir *ir = b->ir;

	ir_jcci(ir, BPF_JNE, network, 0, of_network);
	ir_mov(ir, off, rtb_peek(b, skb, o->mac_header, 2));
	ir_jcci(ir, BPF_JNE, off, UNSET, noted);
	ir_jmp(ir, there);
	ir_place(ir, of_network);
	ir_mov(ir, off, rtb_peek(b, skb, o->network_header, 2));
	ir_jcci(ir, BPF_JEQ, off, 0, there);
	ir_place(ir, noted);
	ir_mov(ir, at, head);
	ir_alu(ir, BPF_ADD, at, off);
	ir_place(ir, there);
	return at;
}

/* Finds where the packet begins and its length, which is the result's register. A header after the
 * data belongs to another packet. */
static int begin(struct rtb *b, int skb, int network)
{
	const struct rt_packet *o = b->rt->packet;
	int data = rtb_peek(b, skb, o->data, 8), length = rtb_peek(b, skb, o->len, 4),
	    paged = rtb_peek(b, skb, o->data_len, 4);
	int at = header_at(b, skb, network, rtb_peek(b, skb, o->head, 8)), own = ir_label(b->ir),
	    bytes;
	struct ir *ir = b->ir;

	bytes = rtb_copy(b, data);
	ir_alu(ir, BPF_ADD, bytes, length);
	ir_alu(ir, BPF_SUB, bytes, paged);
	ir_alu(ir, BPF_SUB, bytes, at);
	ir_jcci(ir, BPF_JLE, bytes, TOO_LONG, own);
	ir_mov(ir, at, data);
	ir_mov(ir, bytes, length);
	ir_alu(ir, BPF_SUB, bytes, paged);
	ir_place(ir, own);
	rtb_set_word(b, PACKET_ADDR, at);
	rtb_set_word(b, PACKET_BYTES, bytes);
	ir_alu(ir, BPF_ADD, bytes, paged);
	return bytes;
}

static struct code *build_packet(struct rt *rt, const char *name)
{
	bool global = !rt->feats || feat(rt->feats, FEAT_GLOBAL_FUNC);
	int slot, dst, skb, i, r, loop, out;
	struct rtb b;
	struct ir *ir;

	if (!rt->packet)
		return NULL;
	rtb_start(&b, rt, name, 5);
	ir = b.ir, slot = ir_arg(ir, 0), dst = ir_arg(ir, 1), skb = ir_arg(ir, 2),
	loop = ir_label(ir), out = ir_label(ir);
	rtb_slot(&b, slot);
	r = rtb_at(&b, b.slot, dst, b.last_off - RT_PACKET(rt->packet->size));
	ir_st(ir, 8, r, 0, begin(&b, skb, ir_arg(ir, 3)));
	i = rtb_imm(&b, 0);
	rtb_set_word(&b, PACKET_AT, i);
	rtb_set_word(&b, PACKET_PIECE, i);
	rtb_set_word(&b, PACKET_BUF, skb);
	rtb_set_word(&b, PACKET_FIRST, rtb_imm(&b, 1));
	rtb_set_word(&b, PACKET_PAGES, ir_arg(ir, 4));
	ir_place(ir, loop);
	r = rtb_copy(&b, ir_call_func(ir, "rt_packet_piece", 2, (int[]){slot, dst}));
	rtb_put(&b, 0, r); /* so that all rounds end in the same state */
	ir_jcci(ir, BPF_JNE, r, PACKET_ON, out);
	ir_alui(ir, BPF_ADD, i, 1);
	ir_jcci(ir, BPF_JLT, i, global ? PIECES : PIECES_STATIC, loop);
	ir_place(ir, out);
	r = ir_reg(ir);
	ir_ld(ir, 8, r, b.priv, PRIV_CELL);
	ir_jcci(ir, BPF_JSLT, r, 0, b.fail);
	ir_ret(ir, rtb_word(&b, PACKET_AT));
	return rtb_finish(&b, -1);
}

const struct rt_def rt_packet_defs[] = {
    {"rt_packet", build_packet},
    {"rt_packet_piece", build_packet_piece},
    {NULL, NULL},
};
