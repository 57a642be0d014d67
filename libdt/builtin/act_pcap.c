/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pcap(skb, proto): a packet of the kernel's. It is put together in the slot (bpf/rt_packet.c)
 * and goes from there into the record. */
#include "libdt/builtin/builtin.h"
#include "libdt/consumer/consume.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"

/* What is recorded, in this order. */
enum { REC_BYTES, REC_CAPTURED, REC_LENGTH, REC_PROTO };

/* A part of a page, which had other names when it was a struct bio_vec (before 6.9). */
static uint32_t frag_offset(struct sema *s, struct node *n, const char *name, const char *before)
{
	uint64_t off;

	if (type_kernel_offset(s->types, "skb_frag_t", before, &off))
		return off;
	return kern_offset(s, n, "skb_frag_t", name);
}

static struct rt_packet *packet_layout(struct sema *s, struct node *n)
{
	struct rt_packet *o = arena_alloc(s->arena, sizeof(*o));
	static const char buf[] = "struct sk_buff", shared[] = "struct skb_shared_info";

	o->next = kern_offset(s, n, buf, "next");
	o->len = kern_offset(s, n, buf, "len");
	o->data_len = kern_offset(s, n, buf, "data_len");
	o->head = kern_offset(s, n, buf, "head");
	o->data = kern_offset(s, n, buf, "data");
	o->end = kern_offset(s, n, buf, "end");
	o->mac_header = kern_offset(s, n, buf, "mac_header");
	o->network_header = kern_offset(s, n, buf, "network_header");
	o->nr_frags = kern_offset(s, n, shared, "nr_frags");
	o->frag_list = kern_offset(s, n, shared, "frag_list");
	o->frags = kern_offset(s, n, shared, "frags");
	o->frag_page = frag_offset(s, n, "netmem", "bv_page");
	o->frag_off = frag_offset(s, n, "offset", "bv_offset");
	o->frag_len = frag_offset(s, n, "len", "bv_len");
	o->frag_size = type_size(s->types, type_find(s->types, "vmlinux", "skb_frag_t"));
	o->page_scale = type_page_scale(s->types);
	o->size = opt_num(s->opts, OPT_PCAPSIZE);
	return o;
}

/* A number, as pkt_addr is, or a pointer, unless that is known to be something else's. */
static bool may_be_packet(struct sema *s, const struct type *t)
{
	const struct type *to, *packet = type_find(s->types, "vmlinux", "struct sk_buff");

	t = type_base(type_native(t));
	if (t->kind != T_PTR)
		return type_is_int(t);
	to = type_base(t->ref);
	return to->kind == T_VOID || (packet && type_same(to, type_base(packet)));
}

static void check_pcap(struct sema *s, struct node *n)
{
	struct node *skb = n->list, *proto = call_arg(n, 1);
	const struct type *u32 = type_int(s->types, 4, false);
	uint32_t most = opt_num(s->opts, OPT_PCAPSIZE);
	struct act *act;

	if (!may_be_packet(s, skb->type))
		sema_die(s, D_PCAP_ADDR, skb,
			 "pcap( ) argument #1 is incompatible with prototype:\n\tprototype: struct "
			 "sk_buff * or its address\n\t argument: %s",
			 sema_type_text(s, skb->type));
	if (sema_is_const(proto) && !capture_kind(proto->value))
		sema_die(
		    s, D_PCAP_PROTO, proto,
		    "pcap( ) argument #2 must be one of the constants PCAP_* of the D library");
	n->aux2 = (intptr_t)packet_layout(s, n);
	act = act_new(s, n, n->ref);
	act_record(s, act, type_array(s->types, type_int(s->types, 1, false), most), most);
	act->recs[REC_BYTES].name = skb->loc;
	act_record(s, act, u32, 4);
	act_record(s, act, u32, 4);
	act_record(s, act, u32, 4);
	s->clause->needs_time = s->clause->shows_time = true;
}

/* Whether packets of a kind begin with the network's header, as a register; what is no kind is a
 * fault. */
static int is_network(struct gen *g, const struct node *arg, int proto)
{
	int network = ir_reg(g->ir), known = ir_label(g->ir);

	if (arg->kind == N_INT)
		return gen_imm(g, capture_kind(arg->value)->network);
	for (const struct capture_kind *k = capture_kinds; k->name; k++) {
		ir_movi(g->ir, network, k->network);
		ir_jcci(g->ir, BPF_JEQ, proto, k->proto, known);
	}
	gen_fault_here(g, FAULT_ILLOP, proto);
	ir_place(g->ir, known);
	return network;
}

static int address(struct gen *g, int ptr, uint32_t off)
{
	int p = gen_copy(g, ptr);

	ir_alui(g->ir, BPF_ADD, p, off);
	return p;
}

static int gen_pcap(struct gen *g, struct node *n)
{
	const struct rt_packet *o = g->cg->rt->packet = (struct rt_packet *)(intptr_t)n->aux2;
	const struct act *act = gen_act(g, n);
	const struct rec *recs = act->recs;
	int skb = gen_copy(g, gen_expr(g, n->list)),
	    proto = gen_copy(g, gen_expr(g, call_arg(n, 1)));
	int at = gen_temp(g, RT_PACKET(o->size)), length = ir_reg(g->ir), captured, r;

	captured = gen_routine(g, "rt_packet", 5,
			       (int[]){gen_slot_no(g), gen_imm(g, at), skb,
				       is_network(g, call_arg(n, 1), proto), gen_pages(g)});
	captured = gen_copy(g, captured);
	gen_fault_if(g, BPF_JSLT, captured, 0, FAULT_BADADDR, skb, 0);
	ir_ld(g->ir, 8, length, address(g, gen_slot(g), at), 0);
	ir_st(g->ir, 4, g->rec, recs[REC_CAPTURED].off, captured);
	ir_st(g->ir, 4, g->rec, recs[REC_LENGTH].off, length);
	ir_st(g->ir, 4, g->rec, recs[REC_PROTO].off, proto);
	r = address(g, g->rec, recs[REC_BYTES].off);
	/* it is not, which the verifier cannot know */
	gen_fault_if(g, BPF_JGT, captured, o->size, FAULT_BADADDR, skb, 0);
	ir_callv(g->ir, BPF_FUNC_probe_read_kernel, r, captured,
		 address(g, gen_slot(g), at + RT_PACKET_HEAD));
	gen_act_done(g, act);
	return -1;
}

static struct packet packet_of(const struct consume *c, const struct act *act, const uint8_t *data)
{
	struct value captured = rec_value(&act->recs[REC_CAPTURED], data),
		     length = rec_value(&act->recs[REC_LENGTH], data);
	struct value proto = rec_value(&act->recs[REC_PROTO], data),
		     bytes = rec_value(&act->recs[REC_BYTES], data);

	return (struct packet){
	    .kind = capture_kind(value_int(&proto)),
	    .ns = c->time + __atomic_load_n(c->wall, __ATOMIC_RELAXED),
	    .bytes = bytes.data,
	    .captured = MIN((uint64_t)value_int(&captured), bytes.size),
	    .length = value_int(&length),
	};
}

static int print_pcap(struct consume *c, const struct act *act, const uint8_t *data)
{
	struct packet p = packet_of(c, act, data);

	return p.kind ? capture_print(c, &p) : 0; /* programs record no other, but a file may */
}

static int write_pcap(struct consume *c, const struct act *act, const uint8_t *data,
		      struct writer *w)
{
	struct packet p = packet_of(c, act, data);

	if (!p.kind)
		return 0;
	consume_value_begin(w, &act->recs[REC_BYTES]);
	writer_string(w, "type", p.kind->name);
	writer_uint(w, "linktype", p.kind->linktype);
	writer_uint(w, "length", p.length);
	writer_bytes(w, "bytes", p.bytes, p.captured);
	consume_value_end(w);
	return 0;
}

const struct def defs_act_pcap[] = {
    {"pcap", DEF_ACT, "void(@, int)", .check = check_pcap, .gen = gen_pcap, .print = print_pcap,
     .write = write_pcap,
     .help = "records a packet: its struct sk_buff, and its first header, a PCAP_* constant"},
    {0},
};
