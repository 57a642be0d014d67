/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that make text of network addresses, which lie in the kernel's memory or the
 * process's. */
#include <linux/if_arp.h>
#include <sys/socket.h>

#include "libdt/builtin/builtin.h"
#include "libdt/lang/gen.h"
#include "libdt/lang/gen_parts.h"

enum { INET4_BOUND = 16, INET6_BOUND = 46, ETHER_LEN = 6, INFINIBAND_LEN = 20 };

/* A register with size bytes at an address; a bad one faults. */
static int word_at(struct gen *g, struct node *n, int addr, int off, int size)
{
	struct place p = {.kind = PLACE_ADDR,
			  .reg = addr,
			  .off = off,
			  .type = type_int(g->cg->types, size, false),
			  .space = type_space(n->type)};

	return gen_load(g, &p);
}

static void inet4(struct gen *g, struct node *n, int addr, const struct str_dest *d)
{
	int word = word_at(g, n, addr, 0, 4);
	struct str_dest t = str_result_at(g, d);

	gen_routine(g, "rt_inet4", 3, (int[]){gen_slot_no(g), gen_imm(g, t.slot_off), word});
	str_deliver(g, &t, d);
}

static void inet6_words(struct gen *g, int first, int second, const struct str_dest *d)
{
	struct str_dest t = str_result_at(g, d);

	gen_routine(g, "rt_inet6", 4,
		    (int[]){gen_slot_no(g), gen_imm(g, t.slot_off), first, second});
	str_deliver(g, &t, d);
}

static void inet6(struct gen *g, struct node *n, int addr, const struct str_dest *d)
{
	int first = word_at(g, n, addr, 0, 8), second = word_at(g, n, addr, 8, 8);

	inet6_words(g, first, second, d);
}

static void gen_inet_ntoa(struct gen *g, struct node *n, const struct str_dest *d)
{
	inet4(g, n->list, gen_expr(g, n->list), d);
}

/* Jumps to v6 unless it is an address of IPv4: ::ffff:1.2.3.4, and ::1.2.3.4, of which the first
 * 16 bits are not 0. */
static void not_inet4(struct gen *g, int first, int second, int v6)
{
	int mapped = ir_label(g->ir), high = gen_copy(g, second);

	ir_jcci(g->ir, BPF_JNE, first, 0, v6);
	ir_zext(g->ir, high, 32);
	ir_jcci(g->ir, BPF_JEQ, high, 0xffff0000, mapped);
	ir_jcci(g->ir, BPF_JNE, high, 0, v6);
	ir_mov(g->ir, high, second);
	ir_alui(g->ir, BPF_RSH, high, 32);
	ir_zext(g->ir, high, 16);
	ir_jcci(g->ir, BPF_JEQ, high, 0, v6);
	ir_place(g->ir, mapped);
}

/* An address of IPv4 in one of IPv6 prints as that, unless the second argument (strict) is not
 * 0. */
static void gen_inet_ntoa6(struct gen *g, struct node *n, const struct str_dest *d)
{
	int addr = gen_expr(g, n->list),
	    strict = call_arg(n, 1) ? gen_expr(g, call_arg(n, 1)) : gen_imm(g, 0);
	int first = word_at(g, n->list, addr, 0, 8),
	    second = gen_copy(g, word_at(g, n->list, addr, 8, 8));
	int v6 = ir_label(g->ir), done = ir_label(g->ir);
	struct str_dest t = str_result_at(g, d);

	ir_jcci(g->ir, BPF_JNE, strict, 0, v6);
	not_inet4(g, first, second, v6);
	ir_alui(g->ir, BPF_RSH, second, 32);
	gen_routine(g, "rt_inet4", 3, (int[]){gen_slot_no(g), gen_imm(g, t.slot_off), second});
	ir_jmp(g->ir, done);
	ir_place(g->ir, v6);
	inet6_words(g, first, second, &t);
	ir_place(g->ir, done);
	str_deliver(g, &t, d);
}

static void gen_inet_ntop(struct gen *g, struct node *n, const struct str_dest *d)
{
	struct node *where = call_arg(n, 1);
	int af = gen_expr(g, n->list), addr = gen_expr(g, where), v6 = ir_label(g->ir),
	    done = ir_label(g->ir);
	struct region r;

	ir_jcci(g->ir, BPF_JEQ, af, AF_INET6, v6);
	gen_fault_if(g, BPF_JNE, af, AF_INET, FAULT_ILLOP, af, 0);
	r = gen_enter(g);
	inet4(g, where, addr, d);
	gen_leave(g, r);
	ir_jmp(g->ir, done);
	ir_place(g->ir, v6);
	r = gen_enter(g);
	inet6(g, where, addr, d);
	gen_leave(g, r);
	ir_place(g->ir, done);
}

/* The address is copied to the slot, where the routine reads it. */
static void gen_link_ntop(struct gen *g, struct node *n, const struct str_dest *d)
{
	int type = gen_expr(g, n->list), addr = gen_expr(g, call_arg(n, 1)),
	    len = gen_imm(g, ETHER_LEN), known = ir_label(g->ir);
	int to = gen_copy(g, gen_slot(g)), off = gen_temp(g, INFINIBAND_LEN);
	struct str_dest t;

	ir_jcci(g->ir, BPF_JEQ, type, ARPHRD_ETHER, known);
	gen_fault_if(g, BPF_JNE, type, ARPHRD_INFINIBAND, FAULT_ILLOP, type, 0);
	ir_movi(g->ir, len, INFINIBAND_LEN);
	ir_place(g->ir, known);
	ir_alui(g->ir, BPF_ADD, to, off);
	gen_fetch(g, type_space(call_arg(n, 1)->type), to, len, addr);
	t = str_result_at(g, d);
	gen_routine(g, "rt_hex", 4,
		    (int[]){gen_slot_no(g), gen_imm(g, t.slot_off), gen_imm(g, off), len});
	str_deliver(g, &t, d);
}

/*
 * The process of a socket. The kernel does not keep it, and packets arrive in any process's time,
 * so a map has the last process that operated on the socket while tracing. The least recently used
 * ones go; and as a socket's memory is used again, its ports (which change only then) are part of
 * the key.
 */
enum { SOCKETS = 16384 };

static int find_socket(struct gen *g, int frame)
{
	int key = ir_reg(g->ir), m = ir_reg(g->ir);

	ir_frame_addr(g->ir, key, frame, 0);
	ir_map(g->ir, m, &g->set->maps.sockets);
	return ir_callv(g->ir, BPF_FUNC_map_lookup_elem, m, key);
}

static void enter_socket(struct gen *g, int frame)
{
	int key = ir_reg(g->ir), m = ir_reg(g->ir), value = ir_reg(g->ir);

	ir_frame_addr(g->ir, key, frame, 0);
	ir_frame_addr(g->ir, value, frame, 16);
	ir_map(g->ir, m, &g->set->maps.sockets);
	ir_callv(g->ir, BPF_FUNC_map_update_elem, m, key, value, gen_imm(g, BPF_ANY));
}

/* dt_socket_pid(socket, ports, pid): enters the pid, unless that is 0; else the one that was
 * entered last, 0: none was. */
static int gen_socket_pid(struct gen *g, struct node *n)
{
	struct ir *ir = g->ir;
	int frame = ir_frame(ir, 24), r, found, was = ir_reg(ir), absent = ir_label(ir),
	    enter = ir_label(ir), done = ir_label(ir);

	if (!g->set->maps.sockets.name[0])
		map_init(&g->set->maps.sockets, "dt_sockets", BPF_MAP_TYPE_LRU_HASH, 16, 8,
			 SOCKETS);
	ir_frame_st(ir, 8, frame, 0, gen_expr(g, call_arg(n, 0)));
	ir_frame_st(ir, 8, frame, 8, gen_expr(g, call_arg(n, 1)));
	r = gen_copy(g, gen_expr(g, call_arg(n, 2)));
	ir_frame_st(ir, 8, frame, 16, r);
	found = find_socket(g, frame);
	ir_jcci(ir, BPF_JEQ, found, 0, absent);
	ir_ld(ir, 8, was, found, 0);
	ir_jcc(ir, BPF_JEQ, was, r, done); /* as nearly always: an update costs more */
	ir_jcci(ir, BPF_JNE, r, 0, enter);
	ir_mov(ir, r, was);
	ir_jmp(ir, done);
	ir_place(ir, absent);
	ir_jcci(ir, BPF_JEQ, r, 0, done);
	ir_place(ir, enter);
	enter_socket(g, frame);
	ir_place(ir, done);
	ir_frame_free(ir, frame);
	return r;
}

static uint32_t bound_inet4(struct sema *s, struct node *n)
{
	(void)s;
	(void)n;
	return INET4_BOUND;
}

static uint32_t bound_inet6(struct sema *s, struct node *n)
{
	(void)s;
	(void)n;
	return INET6_BOUND;
}

static uint32_t bound_link(struct sema *s, struct node *n)
{
	(void)s;
	(void)n;
	return 3 * INFINIBAND_LEN;
}

const struct def defs_net[] = {
    {.name = "dt_socket_pid",
     .kind = DEF_SUB,
     .proto = "int(void *, uint64_t, int)",
     .gen = gen_socket_pid,
     .help = "for the D library: the process that operated on a socket last"},
    {.name = "inet_ntoa",
     .kind = DEF_SUB,
     .proto = "string(ipaddr_t *)",
     .gen_str = gen_inet_ntoa,
     .bound = bound_inet4,
     .help = "the IPv4 address at a pointer as text"},
    {.name = "inet_ntoa6",
     .kind = DEF_SUB,
     .proto = "string(in6_addr_t *, [int])",
     .gen_str = gen_inet_ntoa6,
     .bound = bound_inet6,
     .help = "the IPv6 address at a pointer as text; IPv4-mapped ones as IPv4, unless strict"},
    {.name = "inet_ntop",
     .kind = DEF_SUB,
     .proto = "string(int, void *)",
     .gen_str = gen_inet_ntop,
     .bound = bound_inet6,
     .help = "the address at a pointer as text, of AF_INET or AF_INET6"},
    {.name = "link_ntop",
     .kind = DEF_SUB,
     .proto = "string(int, void *)",
     .gen_str = gen_link_ntop,
     .bound = bound_link,
     .help = "the hardware address at a pointer as text, of ARPHRD_ETHER or ARPHRD_INFINIBAND"},
    {0},
};
