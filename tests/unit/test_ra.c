/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Register allocation and the optimiser, by random functions: they must compute the same, leave
 * the same in memory, and make the same calls in the same order, whether optimised or not.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/ir.h"
#include "bpf/map.h"
#include "libdt/simulate/bpfvm.h"

/* ---- random functions ---- */

enum { CTX_WORDS = 12, MAP_WORDS = 16, FRAME_WORDS = 6, MAX_POOL = 40 };

/*
 * Helpers that only the interpreter has, with effects and pure; the number of arguments is
 * added.
 */
enum { HELPER_TRACE = 1000, HELPER_PURE = 2000 };

struct gen {
	uint64_t rng;
	struct ir *ir;
	bool kernel; /* only what the verifier lets pass */
	int ctx, pool[MAX_POOL], npool;
	int frame, depth, loops, calls, out;
	struct map *map;
};

static uint32_t rnd(struct gen *g, uint32_t below)
{
	g->rng ^= g->rng << 13;
	g->rng ^= g->rng >> 7;
	g->rng ^= g->rng << 17;
	return (g->rng >> 11) % below;
}

static int any(struct gen *g)
{
	return g->pool[rnd(g, g->npool)];
}

static int64_t any_imm(struct gen *g)
{
	static const int64_t imms[] = {0,
				       1,
				       -1,
				       2,
				       3,
				       7,
				       8,
				       16,
				       255,
				       256,
				       0xffff,
				       0x7fff,
				       -128,
				       INT32_MAX,
				       INT32_MIN,
				       0xffffffffLL,
				       0x100000000LL,
				       INT64_MIN,
				       INT64_MAX,
				       1000,
				       4096};

	return rnd(g, 3) ? imms[rnd(g, ARRAY_SIZE(imms))] : (int64_t)rnd(g, 1 << 20) - (1 << 19);
}

static int any_op(struct gen *g)
{
	static const int ops[] = {BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV, BPF_MOD, BPF_AND,
				  BPF_OR,  BPF_XOR, BPF_LSH, BPF_RSH, BPF_ARSH};

	return ops[rnd(g, ARRAY_SIZE(ops))];
}

static int any_cond(struct gen *g)
{
	static const int conds[] = {BPF_JEQ,  BPF_JNE,	BPF_JGT,  BPF_JGE,  BPF_JLT, BPF_JLE,
				    BPF_JSGT, BPF_JSGE, BPF_JSLT, BPF_JSLE, BPF_JSET};

	return conds[rnd(g, ARRAY_SIZE(conds))];
}

static bool is_shift(int op)
{
	return op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH;
}

static void gen_alu(struct gen *g)
{
	int op = any_op(g), d = any(g), s = any(g);

	switch (rnd(g, 4)) {
	case 0:
		ir_alu(g->ir, op, d, s);
		break;
	case 1:
		ir_alui(g->ir, op, d, is_shift(op) ? (int64_t)rnd(g, 64) : any_imm(g));
		break;
	case 2:
		ir_aluw(g->ir, op, d, s);
		break;
	default:
		ir_aluwi(g->ir, op, d, is_shift(op) ? (int64_t)rnd(g, 32) : any_imm(g));
		break;
	}
}

/* d = f(s) through a copy, as generated code does. */
static void gen_unary(struct gen *g)
{
	int d = any(g);

	ir_mov(g->ir, d, any(g));
	switch (rnd(g, 6)) {
	case 0:
		ir_neg(g->ir, d);
		break;
	case 1:
		ir_bswap(g->ir, d, 16 << rnd(g, 3));
		break;
	case 2:
		ir_sext(g->ir, d, 8 << rnd(g, 4));
		break;
	case 3:
		ir_zext(g->ir, d, 8 << rnd(g, 4));
		break;
	case 4:
		ir_movi(g->ir, d, any_imm(g));
		break;
	default:
		ir_alui(g->ir, BPF_ADD, d, rnd(g, 100));
		break;
	}
}

/* An access of size bytes in words of memory: its offset. */
static int any_off(struct gen *g, int size, int words)
{
	return size * rnd(g, words * 8 / size);
}

static void gen_load(struct gen *g)
{
	int size = 1 << rnd(g, 4), d = any(g), base = ir_reg(g->ir), off;

	switch (rnd(g, 3)) {
	case 0:
		off = any_off(g, 8, CTX_WORDS);
		if (rnd(g, 2) || g->kernel) {
			ir_ld_const(g->ir, 8, d, g->ctx, off);
			break;
		}
		ir_mov(g->ir, base, g->ctx);
		ir_alui(g->ir, BPF_ADD, base, off);
		ir_ld_const(g->ir, size, d, base, 0);
		break;
	case 1:
		ir_frame_ld(g->ir, size, d, g->frame, any_off(g, size, FRAME_WORDS));
		break;
	default:
		off = any_off(g, size, MAP_WORDS);
		ir_map_mem(g->ir, base, g->map, rnd(g, 2) ? off : 0);
		ir_map_mem(g->ir, base, g->map, off);
		ir_ld(g->ir, size, d, base, 0);
		break;
	}
}

static void gen_store(struct gen *g)
{
	int size = 1 << rnd(g, 4), s = any(g), base = ir_reg(g->ir);

	switch (rnd(g, 4)) {
	case 0:
		ir_frame_st(g->ir, size, g->frame, any_off(g, size, FRAME_WORDS), s);
		break;
	case 1:
		ir_frame_sti(g->ir, size, g->frame, any_off(g, size, FRAME_WORDS), any_imm(g));
		break;
	case 2:
		ir_frame_addr(g->ir, base, g->frame, 8);
		ir_st(g->ir, size, base, any_off(g, size, FRAME_WORDS - 1), s);
		break;
	default:
		ir_map_mem(g->ir, base, g->map, 8);
		ir_alui(g->ir, BPF_ADD, base, 8);
		ir_st(g->ir, size, base, any_off(g, size, MAP_WORDS - 2), s);
		break;
	}
}

static void gen_atomic(struct gen *g)
{
	static const int ops[] = {BPF_ADD, BPF_OR, BPF_AND, BPF_XOR};
	int size = 4 << rnd(g, 2), s = any(g), base = ir_reg(g->ir),
	    off = any_off(g, size, MAP_WORDS);
	int op = ops[rnd(g, 4)];

	ir_map_mem(g->ir, base, g->map, 0);
	switch (rnd(g, 4)) {
	case 0:
		ir_atomic(g->ir, op, size, base, off, s);
		break;
	case 1:
		ir_atomic(g->ir, op | BPF_FETCH, size, base, off, s);
		break;
	case 2:
		ir_atomic(g->ir, BPF_XCHG, size, base, off, s);
		break;
	default:
		ir_cmpxchg(g->ir, size, any(g), base, off, any(g), s);
		break;
	}
}

static void gen_call(struct gen *g)
{
	int addr = ir_reg(g->ir), n = ir_reg(g->ir), args[5], nargs = rnd(g, 6), r;

	for (int i = 0; i < 5; i++)
		args[i] = any(g);
	g->calls++;
	switch (rnd(g, g->kernel ? 4 : 6)) {
	case 0:
		ir_frame_addr(g->ir, addr, g->frame, 8 * rnd(g, FRAME_WORDS));
		ir_movi(g->ir, n, 8);
		r = ir_callv(g->ir, BPF_FUNC_probe_read_kernel, addr, n, args[0]);
		break;
	case 1:
		r = ir_call(g->ir, BPF_FUNC_get_prandom_u32, 0, NULL);
		break;
	case 2:
		r = ir_call_const(g->ir, BPF_FUNC_get_current_pid_tgid, 0, NULL);
		break;
	case 3:
		r = ir_call_func(g->ir, "leaf", 3, args);
		break;
	case 4:
		r = ir_call_const(g->ir, HELPER_PURE + nargs, nargs, args);
		break;
	default:
		r = ir_call(g->ir, HELPER_TRACE + nargs, nargs, args);
		break;
	}
	if (rnd(g, 4))
		ir_mov(g->ir, any(g), r);
	else if (g->npool < MAX_POOL && !g->depth)
		g->pool[g->npool++] = r;
}

static void gen_block(struct gen *g, int n);

static void gen_if(struct gen *g)
{
	int other = ir_label(g->ir), end = ir_label(g->ir);

	if (rnd(g, 2))
		ir_jcc(g->ir, any_cond(g), any(g), any(g), other);
	else
		ir_jcci(g->ir, any_cond(g), any(g), any_imm(g), other);
	g->depth++;
	gen_block(g, 1 + rnd(g, 5));
	if (rnd(g, 12) == 0)
		ir_jmp(g->ir, g->out);
	if (rnd(g, 2))
		ir_jmp(g->ir, end);
	ir_place(g->ir, other);
	gen_block(g, rnd(g, 5));
	ir_place(g->ir, end);
	g->depth--;
}

static void gen_loop(struct gen *g)
{
	int count = ir_reg(g->ir), top = ir_label(g->ir);

	if (g->loops >= (g->kernel ? 1 : 3))
		return;
	g->loops++;
	ir_movi(g->ir, count, 1 + rnd(g, 4));
	ir_place(g->ir, top);
	g->depth++;
	gen_block(g, 1 + rnd(g, 6));
	g->depth--;
	ir_alui(g->ir, BPF_SUB, count, 1);
	ir_jcci(g->ir, BPF_JNE, count, 0, top);
}

static void gen_block(struct gen *g, int n)
{
	while (n--) {
		switch (rnd(g, 16)) {
		case 0:
			if (g->depth < 4)
				gen_if(g);
			break;
		case 1:
			if (g->depth < 3)
				gen_loop(g);
			break;
		case 2:
			gen_call(g);
			break;
		case 3:
		case 4:
			gen_load(g);
			break;
		case 5:
		case 6:
			gen_store(g);
			break;
		case 7:
			gen_atomic(g);
			break;
		case 8:
		case 9:
		case 10:
			gen_unary(g);
			break;
		case 11:
			ir_mov(g->ir, any(g), any(g));
			break;
		default:
			gen_alu(g);
			break;
		}
	}
}

/*
 * The same seed gives the same function. All registers count in the result, and what memory
 * holds too.
 */
static struct ir *gen_main(struct arena *a, uint64_t seed, struct map *map, bool kernel)
{
	struct gen g = {.rng = seed * 0x9e3779b97f4a7c15 + 1, .kernel = kernel, .map = map};
	int result, t;

	g.ir = ir_new(a, "main", 1);
	g.ctx = ir_arg(g.ir, 0);
	g.out = ir_label(g.ir);
	g.frame = ir_frame(g.ir, FRAME_WORDS * 8);
	g.npool = 3 + rnd(&g, kernel ? 12 : 25);
	for (int i = 0; i < FRAME_WORDS; i++)
		ir_frame_sti(g.ir, 8, g.frame, 8 * i, i);
	for (int i = 0; i < g.npool; i++) {
		g.pool[i] = ir_reg(g.ir);
		if (rnd(&g, 3))
			ir_ld_const(g.ir, 8, g.pool[i], g.ctx, any_off(&g, 8, CTX_WORDS));
		else
			ir_movi(g.ir, g.pool[i], any_imm(&g));
	}
	t = g.npool;
	gen_block(&g, 5 + rnd(&g, kernel ? 40 : 80));
	g.npool = t; /* those added later are not set on the way out */
	ir_place(g.ir, g.out);
	result = ir_reg(g.ir);
	ir_movi(g.ir, result, 0);
	for (int i = 0; i < g.npool; i++) {
		ir_alui(g.ir, BPF_MUL, result, 31);
		ir_alu(g.ir, BPF_ADD, result, g.pool[i]);
	}
	t = ir_reg(g.ir);
	for (int i = 0; i < FRAME_WORDS; i++) {
		ir_frame_ld(g.ir, 8, t, g.frame, 8 * i);
		ir_alu(g.ir, BPF_XOR, result, t);
	}
	ir_ret(g.ir, result);
	return g.ir;
}

static struct ir *gen_leaf(struct arena *a)
{
	struct ir *ir = ir_new(a, "leaf", 3);
	int sum = ir_reg(ir);

	ir_mov(ir, sum, ir_arg(ir, 0));
	ir_alu(ir, BPF_MUL, sum, ir_arg(ir, 1));
	ir_alu(ir, BPF_XOR, sum, ir_arg(ir, 2));
	ir_alui(ir, BPF_ADD, sum, 17);
	ir_ret(ir, sum);
	return ir;
}

/* ---- running them ---- */

struct trace {
	struct bpfvm vm;
	uint64_t hash, calls;
};

static int64_t traced_helper(void *arg, int id, uint64_t r[5])
{
	struct trace *t = arg;
	uint64_t h = id, word;
	int n = id == BPF_FUNC_probe_read_kernel ? 3 : id >= HELPER_TRACE ? id % 10 : 0;

	if (id == BPF_FUNC_get_current_pid_tgid)
		return 0x1234500006789;
	for (int i = id == BPF_FUNC_probe_read_kernel ? 1 : 0; i < n; i++)
		h = (h ^ r[i]) * 0x100000001b3;
	if (id >= HELPER_PURE)
		return h;
	t->hash = (t->hash ^ h) * 0x100000001b3;
	t->calls++;
	word = h * 77;
	if (id == BPF_FUNC_probe_read_kernel)
		bpfvm_write(&t->vm, r[0], &word, 8);
	return t->hash >> 7;
}

struct outcome {
	int64_t result;
	uint64_t hash, calls, memory[MAP_WORDS], steps;
	char error[200];
};

static void run_code(struct code *main, struct code *leaf, struct map *map, uint64_t seed,
		     struct outcome *o)
{
	struct code *codes[] = {main, leaf};
	struct trace t = {.vm = {.funcs = codes, .nfuncs = 2, .helper = traced_helper}};
	uint64_t ctx[CTX_WORDS];

	t.vm.helper_arg = &t;
	memset(o, 0, sizeof(*o));
	memset(map->mem, 0x11, sizeof(o->memory));
	for (int i = 0; i < CTX_WORDS; i++)
		ctx[i] = i % 3 ? (seed + i) * 0x2545f4914f6cdd1d : (uint64_t)i - 3;
	bpfvm_region(&t.vm, ctx, sizeof(ctx), false);
	o->result = bpfvm_run(&t.vm, main, 1, (uint64_t[]){(uintptr_t)ctx});
	o->hash = t.hash;
	o->calls = t.calls;
	o->steps = t.vm.steps;
	memcpy(o->memory, map->mem, sizeof(o->memory));
	if (t.vm.error)
		strcpy(o->error, t.vm.error);
	bpfvm_done(&t.vm);
}

static void random_map(struct map *map, uint64_t memory[MAP_WORDS])
{
	*map = (struct map){.name = "vars",
			    .type = BPF_MAP_TYPE_ARRAY,
			    .key_size = 4,
			    .max_entries = 1,
			    .value_size = 8 * MAP_WORDS,
			    .memory = true,
			    .fd = -1,
			    .mem = memory};
}

/* The programs are many, and checks are slow: they are asked for only when something is wrong. */
static void compare_seed(uint64_t seed)
{
	uint64_t memory[MAP_WORDS];
	struct arena *a = arena_new();
	struct map map;
	struct code *plain, *best, *leaf;
	struct outcome op, ob;

	random_map(&map, memory);
	plain = ir_finish_plain(gen_main(a, seed, &map, false));
	best = ir_finish(gen_main(a, seed, &map, false), NULL, 0);
	leaf = ir_finish(gen_leaf(a), NULL, 0);
	if (plain->error || best->error)
		ck_abort_msg("seed %llu: %s", (long long)seed,
			     plain->error ? plain->error : best->error);
	run_code(plain, leaf, &map, seed, &op);
	run_code(best, leaf, &map, seed, &ob);
	if (op.error[0] || ob.error[0])
		ck_abort_msg("seed %llu: plain: %s; optimised: %s", (long long)seed, op.error,
			     ob.error);
	if (op.result != ob.result || op.hash != ob.hash || op.calls != ob.calls ||
	    memcmp(op.memory, ob.memory, sizeof(op.memory)))
		ck_abort_msg(
		    "seed %llu: plain %llx after %llu calls, optimised %llx after %llu calls",
		    (long long)seed, (long long)op.result, (long long)op.calls,
		    (long long)ob.result, (long long)ob.calls);
	arena_free(a);
}

START_TEST(random_functions)
{
	for (int k = 0; k < 250; k++)
		compare_seed((uint64_t)_i * 250 + k);
}
END_TEST

/*
 * More values than registers across a call: they come back, in slots below the frames, 8 bytes
 * each.
 */
START_TEST(spills)
{
	struct arena *mem = arena_new();
	struct ir *ir = ir_new(mem, "f", 1);
	int v[9], r, frame = ir_frame(ir, 24);
	struct trace t = {.vm = {.helper = traced_helper}};
	uint64_t ctx[9], got, want = 0;
	struct code *code;

	ir_frame_sti(ir, 8, frame, 0, 1000);
	for (int i = 0; i < 9; i++) {
		v[i] = ir_reg(ir);
		ir_ld(ir, 8, v[i], ir_arg(ir, 0), 8 * i);
		ctx[i] = i + 1;
		want = want * 10 + ctx[i];
	}
	ir_callv(ir, BPF_FUNC_get_prandom_u32);
	r = ir_reg(ir);
	ir_movi(ir, r, 0);
	for (int i = 0; i < 9; i++) {
		ir_alui(ir, BPF_MUL, r, 10);
		ir_alu(ir, BPF_ADD, r, v[i]);
	}
	ir_frame_ld(ir, 8, v[0], frame, 0);
	ir_alu(ir, BPF_ADD, r, v[0]);
	ir_ret(ir, r);
	code = ir_finish(ir, NULL, 0);
	ck_assert_int_eq(code->nspills, 5);
	ck_assert_int_eq(code->frame_size, 24 + 40);
	t.vm.helper_arg = &t;
	bpfvm_region(&t.vm, ctx, sizeof(ctx), false);
	got = bpfvm_run(&t.vm, code, 1, (uint64_t[]){(uintptr_t)ctx});
	ck_assert_msg(!t.vm.error, "%s", t.vm.error);
	ck_assert_uint_eq(got, want + 1000);
	bpfvm_done(&t.vm);
	arena_free(mem);
}
END_TEST

/*
 * What is checked stays in its register until it is used, also where it is the last copy of
 * something that was spilled: before 5.11 the verifier forgets the bounds of what comes back from
 * the stack.
 */
START_TEST(checked_copies)
{
	struct arena *mem = arena_new();
	struct ir *ir = ir_new(mem, "f", 1);
	int v[5], x = ir_reg(ir), r, sum, ok = ir_label(ir), jump = -1, scale = -1;
	const struct bpf_insn *in;
	struct code *code;

	ir_ld(ir, 8, x, ir_arg(ir, 0), 0);
	for (int i = 0; i < 5; i++) {
		v[i] = ir_reg(ir);
		ir_ld(ir, 8, v[i], ir_arg(ir, 0), 8 * i + 8);
	}
	sum = ir_reg(ir);
	ir_movi(ir, sum, 0);
	for (int k = 0; k < 100; k++) { /* they are wanted more than what is checked */
		ir_callv(ir, BPF_FUNC_get_prandom_u32);
		for (int i = 0; i < 15; i++)
			ir_alu(ir, BPF_ADD, sum, v[i % 5]);
	}
	r = ir_reg(ir);
	ir_mov(ir, r, x);
	ir_jcci(ir, BPF_JLT, r, 2, ok);
	ir_movi(ir, r, 0);
	ir_place(ir, ok);
	ir_alui(ir, BPF_MUL, r, 24);
	ir_alu(ir, BPF_ADD, sum, r);
	ir_ret(ir, sum);
	code = ir_finish(ir, NULL, 0);
	ck_assert_int_gt(code->nspills, 0);
	in = code->insns.v;
	for (int i = 0; i < code->insns.n; i++) {
		if (BPF_CLASS(in[i].code) == BPF_JMP && BPF_OP(in[i].code) == BPF_JLT)
			jump = i;
		if (BPF_CLASS(in[i].code) == BPF_ALU64 && BPF_OP(in[i].code) == BPF_MUL)
			scale = i;
	}
	ck_assert(jump > 0 && scale > jump);
	ck_assert_int_eq(in[scale].dst_reg, in[jump].dst_reg);
	for (int i = jump; i < scale; i++)
		ck_assert_int_ne(BPF_CLASS(in[i].code), BPF_LDX);
	arena_free(mem);
}
END_TEST

Suite *ra_suite(void)
{
	Suite *s = suite_create("ra");
	TCase *tc = tcase_create("ra");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, spills);
	tcase_add_test(tc, checked_copies);
	tcase_add_loop_test(tc, random_functions, 0, 12);
	suite_add_tcase(s, tc);
	return s;
}
