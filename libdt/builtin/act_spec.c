/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Speculations: speculation(), speculate(), commit(), discard().
 *
 * The records of a speculation go into the ring as all others do, but carry its tag; the consumer
 * holds them back until it reads its end, a record of its own (consumer/spec.c). One ring has one
 * order, so nothing has to be cleaned on other CPUs, and an identifier is free for the next
 * speculation() as soon as it has ended: the next one has another tag, which is its number with a
 * count of how often it was given.
 *
 * A hash has the active speculations: identifier -> tag. Taking an identifier is an insertion that
 * fails where there is one (BPF_NOEXIST), which is atomic on every kernel; atomic operations with a
 * result need 5.12, and tracing programs may not use spin locks. Ending a speculation looks its tag
 * up and deletes it. The two must be one step, or a speculation that another CPU began in between
 * would end unnoticed: so a program that ends one holds a lock on its tag, another element of the
 * hash, taken the same way, while it looks again and deletes. A program that finds the lock taken
 * has nothing to end. (A lock on the identifier would still be held when the next speculation
 * ends.)
 *
 * An end that finds the ring full is left in memory that dtrace looks at (spec_tags: "ends"), and
 * its identifier stays taken, with tag 0, until dtrace has seen that and frees it. So no end is
 * lost, whatever becomes of its clause.
 */
#include "libdt/builtin/builtin.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "libdt/consumer/consume.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"

/* Keys are two words: an identifier and 0, or, as a lock, and the tag that ends. */
enum { KEY_ID = 0, KEY_LOCK = 4 };

/* What an element holds: the tag, 0 while it is being made and when its end waits for dtrace, and
 * the identifier: an element that is deleted during a lookup may be reused for another one. */
enum { ELEM_TAG = 0, ELEM_ID = 4 };

/* Identifiers take the low bits of a tag; the step from one tag of an identifier to its next is
 * above them. */
static uint32_t tag_step(const struct program_set *set)
{
	uint32_t step = 2;

	while (step <= set->nspec + 1)
		step *= 2;
	return step;
}

/* After the tags: for each identifier an end that did not fit in the ring, a word of 8 bytes: the
 * tag, and ... */
enum { END_COMMIT = 1, END_TAG_SHIFT = 1 };

static uint32_t ends_off(const struct program_set *set)
{
	return ALIGN_UP((set->nspec + 1) * sizeof(uint32_t), 8);
}

void spec_describe_maps(struct codegen *cg)
{
	uint32_t n = cg->set->nspec + 1, size = ends_off(cg->set) + n * sizeof(uint64_t),
		 *tags = arena_alloc(cg->arena, size);

	map_init(&cg->set->maps.specs, "dt_specs", BPF_MAP_TYPE_HASH, 8, 8,
		 n + 8 * cg->set->ncpus + 64);
	map_init_memory(&cg->set->maps.spec_tags, "dt_spec_tags", size);
	for (uint32_t i = 0; i < n; i++)
		tags[i] = i;
	cg->set->maps.spec_tags.init = tags;
}

/* The routines ------------------------------------------------------------ */

/* A call of a map's helper with the address of a frame as the key, and of another one as the
 * value. */
static int map_call(struct ir *ir, struct codegen *cg, int helper, int key, int value)
{
	int m = ir_reg(ir), k = ir_reg(ir), v = ir_reg(ir), flags = ir_reg(ir);

	ir_map(ir, m, &cg->set->maps.specs);
	ir_frame_addr(ir, k, key, 0);
	if (value < 0)
		return ir_callv(ir, helper, m, k);
	ir_frame_addr(ir, v, value, 0);
	ir_movi(ir, flags, BPF_NOEXIST);
	return ir_callv(ir, helper, m, k, v, flags);
}

/* The new tag of an identifier that we have taken (register): no other program changes its count
 * meanwhile. */
static int next_tag(struct ir *ir, struct codegen *cg, int id)
{
	int p = ir_reg(ir), off = ir_reg(ir), tag = ir_reg(ir);

	ir_mov(ir, off, id);
	ir_alui(ir, BPF_MUL, off, 4);
	ir_map_mem(ir, p, &cg->set->maps.spec_tags, 0);
	ir_alu(ir, BPF_ADD, p, off);
	ir_ld(ir, 4, tag, p, 0);
	ir_alui(ir, BPF_ADD, tag, tag_step(cg->set));
	ir_st(ir, 4, p, 0, tag);
	return tag;
}

/* dt_spec_claim(id): takes that identifier; 0 when it is in use. */
struct ir *gen_spec_claim_routine(struct codegen *cg)
{
	struct ir *ir = ir_new(cg->arena, "dt_spec_claim", 1);
	int id = ir_arg(ir, 0), key = ir_frame(ir, 8), value = ir_frame(ir, 8), r, elem,
	    taken = ir_label(ir);

	ir_jcci(ir, BPF_JGT, id, cg->set->nspec, taken);
	ir_frame_st(ir, 8, key, KEY_ID, id);
	r = map_call(ir, cg, BPF_FUNC_map_lookup_elem, key, -1); /* cheaper than trying to insert */
	ir_jcci(ir, BPF_JNE, r, 0, taken);
	ir_frame_sti(ir, 4, value, ELEM_TAG, 0);
	ir_frame_st(ir, 4, value, ELEM_ID, id);
	r = map_call(ir, cg, BPF_FUNC_map_update_elem, key, value);
	ir_jcci(ir, BPF_JNE, r, 0, taken);
	elem = map_call(ir, cg, BPF_FUNC_map_lookup_elem, key, -1);
	ir_jcci(ir, BPF_JEQ, elem, 0, taken);
	/* once more: old kernels forget it while it is spilled */
	ir_jcci(ir, BPF_JGT, id, cg->set->nspec, taken);
	ir_st(ir, 4, elem, ELEM_TAG, next_tag(ir, cg, id));
	ir_reti(ir, 1);
	ir_place(ir, taken);
	ir_reti(ir, 0);
	return ir;
}

/* dt_speculation(): takes an identifier; 0 when there is none. To the verifier a round is one
 * call and one way on. */
struct ir *gen_speculation_routine(struct codegen *cg)
{
	struct ir *ir = ir_new(cg->arena, "dt_speculation", 0);
	int i = ir_reg(ir), kind = ir_reg(ir), r, loop = ir_label(ir), next = ir_label(ir);

	ir_movi(ir, i, 0);
	ir_place(ir, loop);
	ir_alui(ir, BPF_ADD, i, 1);
	r = ir_call_func(ir, "dt_spec_claim", 1, &i);
	ir_jcci(ir, BPF_JEQ, r, 0, next);
	ir_ret(ir, i);
	ir_place(ir, next);
	ir_jcci(ir, BPF_JLT, i, cg->set->nspec, loop);
	ir_movi(ir, kind, DROP_SPECULATION);
	ir_call_func(ir, "dt_drop", 1, &kind);
	ir_reti(ir, 0);
	return ir;
}

/* Register with the tag of the active speculation whose identifier is in a frame and in a
 * register, else 0. */
static int tag_of(struct ir *ir, struct codegen *cg, int key, int id)
{
	int elem = map_call(ir, cg, BPF_FUNC_map_lookup_elem, key, -1);
	int tag = ir_reg(ir), its = ir_reg(ir), none = ir_label(ir), same = ir_label(ir);

	ir_movi(ir, tag, 0);
	ir_jcci(ir, BPF_JEQ, elem, 0, none);
	ir_ld(ir, 4, tag, elem, ELEM_TAG);
	ir_ld(ir, 4, its, elem, ELEM_ID);
	ir_jcc(ir, BPF_JEQ, its, id, same);
	ir_movi(ir, tag, 0);
	ir_place(ir, same);
	ir_place(ir, none);
	return tag;
}

/* The argument as an identifier, which is 0 where it cannot be one. */
static int identifier(struct ir *ir, struct codegen *cg)
{
	int id = ir_arg(ir, 0), fine = ir_label(ir);

	ir_jcci(ir, BPF_JLE, id, cg->set->nspec, fine);
	ir_movi(ir, id, 0);
	ir_place(ir, fine);
	return id;
}

/* dt_speculating(id): the tag for records of a speculation; 0 when it is not active. */
struct ir *gen_speculating_routine(struct codegen *cg)
{
	struct ir *ir = ir_new(cg->arena, "dt_speculating", 1);
	int id = identifier(ir, cg), key = ir_frame(ir, 8);

	ir_frame_st(ir, 8, key, KEY_ID, id);
	ir_ret(ir, tag_of(ir, cg, key, id));
	return ir;
}

static void count_drop(struct ir *ir)
{
	int kind = ir_reg(ir);

	ir_movi(ir, kind, DROP_PRINCIPAL);
	ir_call_func(ir, "dt_drop", 1, &kind);
}

/* Sends the record of the end; jumps to full when the ring is full. */
static void send_end(struct ir *ir, struct codegen *cg, int tag, int commit, int time, int full)
{
	int rec = gen_ring_reserve(ir, cg, sizeof(struct rec_header));

	ir_jcci(ir, BPF_JEQ, rec, 0, full);
	ir_sti(ir, 4, rec, offsetof(struct rec_header, clause), (int32_t)REC_SPEC_END);
	ir_st(ir, 4, rec, offsetof(struct rec_header, probe), commit);
	ir_sti(ir, 4, rec, offsetof(struct rec_header, cpu), 0);
	ir_st(ir, 4, rec, offsetof(struct rec_header, spec), tag);
	ir_st(ir, 8, rec, offsetof(struct rec_header, time), time);
	ir_callv(ir, BPF_FUNC_ringbuf_submit, rec, gen_wake_flags(ir, cg));
}

/* Leaves the end, and freeing the identifier, to dtrace. */
static void leave_end(struct ir *ir, struct codegen *cg, int key, int id, int tag, int commit)
{
	int elem = map_call(ir, cg, BPF_FUNC_map_lookup_elem, key, -1), out = ir_label(ir),
	    p = ir_reg(ir), word = ir_reg(ir);

	ir_jcci(ir, BPF_JEQ, elem, 0, out);
	ir_jcci(ir, BPF_JGT, id, cg->set->nspec, out); /* as in the claim */
	ir_sti(ir, 4, elem, ELEM_TAG, 0);
	ir_mov(ir, word, tag);
	ir_alui(ir, BPF_LSH, word, END_TAG_SHIFT);
	ir_alu(ir, BPF_OR, word, commit);
	ir_alui(ir, BPF_MUL, id, 8);
	ir_map_mem(ir, p, &cg->set->maps.spec_tags, ends_off(cg->set));
	ir_alu(ir, BPF_ADD, p, id);
	ir_st(ir, 8, p, 0, word);
	ir_place(ir, out);
}

/* dt_spec_end(id, commit, time): ends a speculation, unless it is not active or ends already;
 * time: of the firing, where records are sorted. */
struct ir *gen_spec_end_routine(struct codegen *cg)
{
	struct ir *ir = ir_new(cg->arena, "dt_spec_end", 3);
	int id = identifier(ir, cg), commit = ir_arg(ir, 1), time = ir_arg(ir, 2),
	    key = ir_frame(ir, 8), lock = ir_frame(ir, 8);
	int value = ir_frame(ir, 8), tag, now, r, locked = ir_label(ir), unlock = ir_label(ir),
	    none = ir_label(ir);
	int leave = ir_label(ir);

	ir_frame_st(ir, 8, key, KEY_ID, id);
	tag = tag_of(ir, cg, key, id);
	ir_jcci(ir, BPF_JEQ, tag, 0, none);
	ir_frame_st(ir, 4, lock, KEY_ID, id);
	ir_frame_st(ir, 4, lock, KEY_LOCK, tag);
	ir_frame_sti(ir, 8, value, 0, 0);
	r = map_call(ir, cg, BPF_FUNC_map_update_elem, lock, value);
	/* before 6.4 the helper of a map is its int function, whose upper half is anything */
	ir_sext(ir, r, 32);
	ir_jcci(ir, BPF_JEQ, r, 0, locked);
	ir_jcci(ir, BPF_JEQ, r, -EEXIST, none);
	/* the kernel would not: we interrupted a program that was at the hash itself */
	count_drop(ir);
	ir_place(ir, none);
	ir_reti(ir, 0);
	ir_place(ir, locked);
	now = tag_of(ir, cg, key, id);
	ir_jcc(ir, BPF_JNE, now, tag, unlock);
	send_end(ir, cg, tag, commit, time, leave);
	r = map_call(ir, cg, BPF_FUNC_map_delete_elem, key, -1);
	ir_jcci(ir, BPF_JEQ, r, 0, unlock);
	ir_place(ir, leave); /* here, too: what has ended once is not ended again */
	leave_end(ir, cg, key, id, tag, commit);
	ir_place(ir, unlock);
	map_call(ir, cg, BPF_FUNC_map_delete_elem, lock, -1);
	ir_reti(ir, 0);
	return ir;
}

int spec_left_end(const struct program_set *set, int id, uint32_t *tag, bool *commit)
{
	uint64_t *word, v;

	if (!set->maps.spec_tags.mem || (uint32_t)id > set->nspec)
		return -1;
	word = (uint64_t *)((uint8_t *)set->maps.spec_tags.mem + ends_off(set)) + id;
	v = __atomic_load_n(word, __ATOMIC_ACQUIRE);
	*tag = v >> END_TAG_SHIFT;
	*commit = v & END_COMMIT;
	if (!v)
		return 0;
	*word = 0;
	return 1;
}

void spec_free_id(struct program_set *set, int id)
{
	uint32_t key[2] = {id, 0};

	map_delete(&set->maps.specs, key);
}

/* The calls --------------------------------------------------------------- */

static int gen_speculation(struct gen *g, struct node *n)
{
	(void)n;
	gen_want_routine(g->cg, "dt_spec_claim");
	return gen_routine(g, "dt_speculation", 0, NULL);
}

static void check_speculate(struct sema *s, struct node *n)
{
	act_new(s, n, n->ref);
}

/* The clause's record belongs to the speculation from here on; without one the clause ends here. */
static int gen_speculate(struct gen *g, struct node *n)
{
	int tag = gen_routine(g, "dt_speculating", 1, (int[]){gen_expr(g, n->list)}),
	    active = ir_label(g->ir);

	gen_may_leave(g);
	ir_jcci(g->ir, BPF_JNE, tag, 0, active);
	gen_record_drop(g, g->rec);
	ir_jmp(g->ir, g->l_next);
	ir_place(g->ir, active);
	ir_st(g->ir, 4, g->rec, offsetof(struct rec_header, spec), tag);
	gen_act_done(g, gen_act(g, n));
	return -1;
}

static int print_speculate(struct consume *c, const struct act *act, const uint8_t *data)
{
	(void)c, (void)act, (void)data;
	return 0;
}

static void check_end(struct sema *s, struct node *n)
{
	spec_order_action(s, n, n->ref);
	s->clause->layout.ends_specs = true;
}

/* 0 and speculations that are not active are no error, a number that none can have is one. */
static int end_call(struct gen *g, struct node *n, bool commit)
{
	int id = gen_expr(g, n->list);

	gen_fault_if(g, BPF_JGT, id, g->set->nspec, FAULT_ILLOP, id, 0);
	g->set->early |= g->set->ordered;
	gen_routine(
	    g, "dt_spec_end", 3,
	    (int[]){id, gen_imm(g, commit), g->set->ordered ? gen_monotonic(g) : gen_imm(g, 0)});
	return -1;
}

static int gen_commit(struct gen *g, struct node *n)
{
	return end_call(g, n, true);
}

static int gen_discard(struct gen *g, struct node *n)
{
	return end_call(g, n, false);
}

const struct def defs_act_spec[] = {
    {"speculation", DEF_SUB, "int()", DEF_KEEPS, .gen = gen_speculation,
     .help = "the identifier of a new speculation; 0 if none is free"},
    {"speculate", DEF_ACT, "void(int)", .check = check_speculate, .gen = gen_speculate,
     .print = print_speculate,
     .help = "holds back what the clause records from here on until commit()"},
    {"commit", DEF_ACT, "void(int)", .check = check_end, .gen = gen_commit,
     .help = "prints what a speculation has recorded"},
    {"discard", DEF_ACT, "void(int)", .check = check_end, .gen = gen_discard,
     .help = "discards what a speculation has recorded"},
    {0},
};
