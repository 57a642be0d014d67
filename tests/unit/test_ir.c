/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The IR: exact texts of small functions, and what they compute in the interpreter. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/ir.h"
#include "bpf/map.h"
#include "libdt/simulate/bpfvm.h"

/* ---- exact texts ---- */

/* What ir_finish dumps at the stages of the mask. */
static char *dumped(struct ir *ir, unsigned mask)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	struct code *code = ir_finish(ir, out, mask);

	fclose(out);
	ck_assert_msg(!code->error, "%s", code->error);
	return text;
}

#define assert_dump(ir, mask, want)                \
	do {                                       \
		char *got_ = dumped((ir), (mask)); \
		ck_assert_str_eq(got_, (want));    \
		free(got_);                        \
	} while (0)

static struct arena *mem; /* of the test that runs */

static void set_up(void)
{
	mem = arena_new();
}

static void tear_down(void)
{
	arena_free(mem);
}

/* A little of everything, at all three stages. */
START_TEST(dump_stages)
{
	struct ir *ir = ir_new(mem, "f", 2);
	int a = ir_arg(ir, 0), b = ir_arg(ir, 1), c = ir_reg(ir), d = ir_reg(ir), l = ir_label(ir);

	ir_mov(ir, c, a);
	ir_alui(ir, BPF_MUL, c, 8);
	ir_movi(ir, d, 5);
	ir_alu(ir, BPF_ADD, c, d);
	ir_jcci(ir, BPF_JSGT, b, 3, l);
	ir_neg(ir, c);
	ir_place(ir, l);
	ir_ret(ir, c);
	assert_dump(ir, 7,
		    "f/2: built\n"
		    "\tv16 = r1\n"
		    "\tv17 = r2\n"
		    "\tv18 = v16\n"
		    "\tv18 *= 8\n"
		    "\tv19 = 5\n"
		    "\tv18 += v19\n"
		    "\tif v17 s> 3 goto L0\n"
		    "\tv18 = -v18\n"
		    "L0:\n"
		    "\tr0 = v18\n"
		    "\texit r0\n"
		    "f/2: optimised\n"
		    "\tv16 = r1\n"
		    "\tv17 = r2\n"
		    "\tv18 = v16\n"
		    "\tv18 <<= 3\n"
		    "\tv18 += 5\n"
		    "\tif v17 s> 3 goto L0\n"
		    "\tv18 = -v18\n"
		    "L0:\n"
		    "\tr0 = v18\n"
		    "\texit r0\n"
		    "f/2: allocated\n"
		    "\tr0 = r1\n"
		    "\tr0 <<= 3\n"
		    "\tr0 += 5\n"
		    "\tif r2 s> 3 goto L0\n"
		    "\tr0 = -r0\n"
		    "L0:\n"
		    "\texit r0\n");
}
END_TEST

/*
 * A value that lives across a call survives it in r6-r9; arguments and results move nothing
 * needlessly.
 */
START_TEST(dump_call)
{
	struct ir *ir = ir_new(mem, "f", 1);
	struct map map = {.name = "m"};
	int ctx = ir_arg(ir, 0), m = ir_reg(ir), key = ir_reg(ir), frame = ir_frame(ir, 8), v, l;

	ir_frame_sti(ir, 4, frame, 0, 1);
	ir_map(ir, m, &map);
	ir_frame_addr(ir, key, frame, 0);
	v = ir_callv(ir, BPF_FUNC_map_lookup_elem, m, key);
	l = ir_label(ir);
	ir_jcci(ir, BPF_JEQ, v, 0, l);
	ir_ld(ir, 8, key, ctx, 16);
	ir_st(ir, 8, v, 0, key);
	ir_place(ir, l);
	ir_reti(ir, 0);
	assert_dump(ir, 4,
		    "f/1: allocated\n"
		    "\tr6 = r1\n"
		    "\tu32[r10-8] = 1\n"
		    "\tr1 = map m\n"
		    "\tr2 = r10 - 8\n"
		    "\tr0 = call 1(r1, r2)\n"
		    "\tif r0 == 0 goto L0\n"
		    "\tr5 = u64[r6+16]\n"
		    "\tu64[r0+0] = r5\n"
		    "L0:\n"
		    "\tr0 = 0\n"
		    "\texit r0\n");
}
END_TEST

START_TEST(list_code)
{
	struct source *src = source_new(mem, SOURCE_PROBE, "x", "BEGIN\n{\n\ttrace(1);\n}", 20);
	struct ir *ir = ir_new(mem, "f", 1);
	struct map map = {.name = "vars"};
	int a = ir_arg(ir, 0), b = ir_reg(ir);
	struct code *code;
	char *text = NULL;
	size_t len;
	FILE *out;

	ir_loc(ir, (struct loc){src, 9, 8});
	ir_map_mem(ir, b, &map, 24);
	ir_atomic(ir, BPF_ADD, 8, b, 0, a);
	ir_zext(ir, a, 32);
	ir_st(ir, 8, b, 8, a);
	ir_call_func(ir, "g", 1, &a);
	ir_reti(ir, 7);
	code = ir_finish(ir, NULL, 0);
	out = open_memstream(&text, &len);
	code_list(code, out, true);
	fclose(out);
	ck_assert_str_eq(text, "f:\n"
			       "INS  OPC DST SRC    OFF        IMM\n"
			       "; 3: trace(1);\n"
			       "0000  18  r5  r2      +0 0x00000000    r5 = &vars+24\n"
			       "0001  00  r0  r0      +0 0x00000018\n"
			       "0002  db  r5  r1      +0 0x00000000    lock *(u64 *)(r5 +0) += r1\n"
			       "0003  bc  r1  r1      +0 0x00000000    w1 = w1\n"
			       "0004  7b  r5  r1      +8 0x00000000    *(u64 *)(r5 +8) = r1\n"
			       "0005  85  r0  r1      +0 0xffffffff    call g\n"
			       "0006  b7  r0  r0      +0 0x00000007    r0 = 7\n"
			       "0007  95  r0  r0      +0 0x00000000    exit\n");
	free(text);
	ck_assert_int_eq(code->relocs.n, 2);
	ck_assert_int_eq(code->relocs.v[0].kind, RELOC_MAP_MEM);
	ck_assert_int_eq(code->relocs.v[0].insn, 0);
	ck_assert_ptr_eq(code->relocs.v[0].map, &map);
	ck_assert_uint_eq(code->relocs.v[0].off, 24);
	ck_assert_int_eq(code->relocs.v[1].kind, RELOC_CALL);
	ck_assert_int_eq(code->relocs.v[1].insn, 5);
	ck_assert_str_eq(code->relocs.v[1].func, "g");
	ck_assert_int_eq(code->nargs, 1);
	ck_assert_int_eq(code->frame_size, 0);
}
END_TEST

START_TEST(source_lines)
{
	struct source *src = source_new(mem, SOURCE_PROBE, "x", "a;b;c", 5);
	struct ir *ir = ir_new(mem, "f", 1);
	int a = ir_arg(ir, 0);
	struct code *code;

	ir_loc(ir, (struct loc){src, 0, 1});
	ir_st(ir, 8, a, 0, a);
	ir_st(ir, 8, a, 8, a);
	ir_loc(ir, (struct loc){src, 2, 1});
	ir_alui(ir, BPF_ADD, a, 0); /* nothing is left of this */
	ir_loc(ir, (struct loc){src, 4, 1});
	ir_sti(ir, 8, a, 16, 1);
	ir_reti(ir, 0);
	code = ir_finish(ir, NULL, 0);
	ck_assert_int_eq(code->lines.n, 2);
	ck_assert_int_eq(code->lines.v[0].insn, 0);
	ck_assert_uint_eq(code->lines.v[0].loc.off, 0);
	ck_assert_int_eq(code->lines.v[1].insn, 2);
	ck_assert_uint_eq(code->lines.v[1].loc.off, 4);
}
END_TEST

/* ---- the optimiser ---- */

START_TEST(once_only)
{
	struct ir *ir = ir_new(mem, "f", 1);
	int ctx = ir_arg(ir, 0), x = ir_reg(ir), y = ir_reg(ir), z = ir_reg(ir), p, q;

	p = ir_call_const(ir, BPF_FUNC_get_current_pid_tgid, 0, NULL);
	q = ir_call_const(ir, BPF_FUNC_get_current_pid_tgid, 0, NULL);
	ir_ld_const(ir, 8, x, ctx, 8);
	ir_ld_const(ir, 8, y, ctx, 8);
	ir_ld(ir, 8, z, ctx, 8); /* may have changed: stays */
	ir_st(ir, 8, ctx, 16, z);
	ir_ld(ir, 8, z, ctx, 8);
	ir_alu(ir, BPF_ADD, p, q);
	ir_alu(ir, BPF_ADD, x, y);
	ir_alu(ir, BPF_ADD, x, p);
	ir_alu(ir, BPF_ADD, x, z);
	ir_ret(ir, x);
	assert_dump(ir, 2,
		    "f/1: optimised\n"
		    "\tv16 = r1\n"
		    "\tr0 = const call 14()\n"
		    "\tv20 = r0\n"
		    "\tv17 = const u64[v16+8]\n"
		    "\tv19 = u64[v16+8]\n"
		    "\tu64[v16+16] = v19\n"
		    "\tv19 = u64[v16+8]\n"
		    "\tv20 += v20\n"
		    "\tv17 += v17\n"
		    "\tv17 += v20\n"
		    "\tv17 += v19\n"
		    "\tr0 = v17\n"
		    "\texit r0\n");
}
END_TEST

/* What was fetched before a branch is known after it, unless a branch changes it. */
START_TEST(across_joins)
{
	struct ir *ir = ir_new(mem, "f", 1);
	int ctx = ir_arg(ir, 0), x = ir_reg(ir), y = ir_reg(ir), z = ir_reg(ir), l = ir_label(ir);

	ir_ld_const(ir, 8, x, ctx, 0);
	ir_movi(ir, y, 1);
	ir_jcci(ir, BPF_JEQ, x, 0, l);
	ir_movi(ir, y, 2);
	ir_place(ir, l);
	ir_ld_const(ir, 8, z, ctx, 0);
	ir_alu(ir, BPF_ADD, z, y);
	ir_ret(ir, z);
	assert_dump(ir, 2,
		    "f/1: optimised\n"
		    "\tv16 = r1\n"
		    "\tv17 = const u64[v16+0]\n"
		    "\tv18 = 1\n"
		    "\tif v17 == 0 goto L0\n"
		    "\tv18 = 2\n"
		    "L0:\n"
		    "\tv19 = v17\n"
		    "\tv19 += v18\n"
		    "\tr0 = v19\n"
		    "\texit r0\n");
}
END_TEST

START_TEST(addresses)
{
	struct ir *ir = ir_new(mem, "f", 1);
	struct map map = {.name = "m"};
	int ctx = ir_arg(ir, 0), a = ir_reg(ir), b = ir_reg(ir), c = ir_reg(ir), x = ir_reg(ir);
	int frame = ir_frame(ir, 16);

	ir_mov(ir, a, ctx);
	ir_alui(ir, BPF_ADD, a, 8);
	ir_alui(ir, BPF_ADD, a, 8);
	ir_ld(ir, 4, x, a, 4);
	ir_map_mem(ir, b, &map, 8);
	ir_st(ir, 8, b, 0, x);
	ir_map_mem(ir, c, &map, 32);
	ir_st(ir, 8, c, 0, x);
	ir_frame_addr(ir, c, frame, 4);
	ir_st(ir, 4, c, 4, x);
	ir_reti(ir, 0);
	assert_dump(ir, 2,
		    "f/1: optimised\n"
		    "\tv16 = r1\n"
		    "\tv20 = u32[v16+20]\n"
		    "\tv18 = &m+8\n"
		    "\tu64[v18+0] = v20\n"
		    "\tu64[v18+24] = v20\n"
		    "\tu32[r10-8] = v20\n"
		    "\tr0 = 0\n"
		    "\texit r0\n");
}
END_TEST

/* Code after a jump that is always taken goes, and with it what only that code wanted. */
START_TEST(dead_code)
{
	struct ir *ir = ir_new(mem, "f", 1);
	int ctx = ir_arg(ir, 0), x = ir_reg(ir), y = ir_reg(ir), l = ir_label(ir), m = ir_label(ir);

	ir_ld(ir, 8, y, ctx, 0);
	ir_movi(ir, x, 3);
	ir_alui(ir, BPF_LSH, x, 2);
	ir_jcci(ir, BPF_JEQ, x, 12, l);
	ir_callv(ir, BPF_FUNC_trace_printk, y);
	ir_jmp(ir, m);
	ir_place(ir, l);
	ir_jmp(ir, m);
	ir_place(ir, m);
	ir_ret(ir, x);
	ir_sti(ir, 8, ctx, 0, 0);
	ir_reti(ir, 1);
	assert_dump(ir, 2,
		    "f/1: optimised\n"
		    "\tr0 = 12\n"
		    "\texit r0\n");
}
END_TEST

/* Extensions without effect: of what is stored narrow, loaded narrow, or masked anyway. */
START_TEST(needless_extensions)
{
	struct ir *ir = ir_new(mem, "f", 1);
	int ctx = ir_arg(ir, 0), x = ir_reg(ir), y = ir_reg(ir);

	ir_ld(ir, 4, x, ctx, 0);
	ir_zext(ir, x, 32);
	ir_alui(ir, BPF_ADD, x, 1);
	ir_sext(ir, x, 32);
	ir_st(ir, 4, ctx, 0, x);
	ir_ld(ir, 8, y, ctx, 8);
	ir_sext(ir, y, 16);
	ir_zext(ir, y, 8);
	ir_ret(ir, y);
	assert_dump(ir, 2,
		    "f/1: optimised\n"
		    "\tv16 = r1\n"
		    "\tv17 = u32[v16+0]\n"
		    "\tv17 += 1\n"
		    "\tu32[v16+0] = v17\n"
		    "\tv18 = u64[v16+8]\n"
		    "\tv18 &= 255\n"
		    "\tr0 = v18\n"
		    "\texit r0\n");
}
END_TEST

/* The register that a jump tests is the one used afterwards: old verifiers refine no copies. */
START_TEST(checked_register)
{
	struct ir *ir = ir_new(mem, "f", 1);
	int ctx = ir_arg(ir, 0), x = ir_reg(ir), y = ir_reg(ir), l = ir_label(ir);

	ir_ld(ir, 8, x, ctx, 0);
	ir_mov(ir, y, x);
	ir_jcci(ir, BPF_JGT, y, 10, l);
	ir_movi(ir, x, 3);
	ir_st(ir, 8, ctx, 8, x);
	ir_alu(ir, BPF_ADD, ctx, y);
	ir_ld(ir, 1, y, ctx, 0);
	ir_place(ir, l);
	ir_ret(ir, y);
	assert_dump(ir, 4,
		    "f/1: allocated\n"
		    "\tr0 = u64[r1+0]\n"
		    "\tif r0 > 10 goto L0\n"
		    "\tu64[r1+8] = 3\n"
		    "\tr1 += r0\n"
		    "\tr0 = u8[r1+0]\n"
		    "L0:\n"
		    "\texit r0\n");
}
END_TEST

/* ---- what is computed ---- */

static uint64_t reference(int op, bool w, uint64_t x, uint64_t y)
{
	unsigned __int128 wide = w ? (uint32_t)x : x;
	uint64_t bits = w ? 32 : 64, d = w ? (uint32_t)y : y, r;

	switch (op) {
	case BPF_ADD:
		r = wide + d;
		break;
	case BPF_SUB:
		r = wide - d;
		break;
	case BPF_MUL:
		r = wide * d;
		break;
	case BPF_DIV:
		r = d ? wide / d : 0;
		break;
	case BPF_MOD:
		r = d ? wide % d : wide;
		break;
	case BPF_AND:
		r = wide & d;
		break;
	case BPF_OR:
		r = wide | d;
		break;
	case BPF_XOR:
		r = wide ^ d;
		break;
	case BPF_LSH:
		r = wide << (d % bits);
		break;
	case BPF_RSH:
		r = wide >> (d % bits);
		break;
	default:
		r = w ? (uint64_t)((int32_t)x >> d % 32) : (uint64_t)((int64_t)x >> d % 64);
		break;
	}
	return w ? (uint32_t)r : r;
}

enum { FORM_CONST, FORM_IMM, FORM_REG };

/* x op y, with constants for both, for y, or for none. */
static uint64_t computed(int op, bool w, uint64_t x, uint64_t y, int form)
{
	struct arena *a = arena_new();
	struct ir *ir = ir_new(a, "f", 2);
	int r = ir_reg(ir), s = ir_reg(ir);
	struct bpfvm vm = {0};
	struct code *code;
	uint64_t result;

	if (form == FORM_CONST)
		ir_movi(ir, r, x);
	else
		ir_mov(ir, r, ir_arg(ir, 0));
	if (form == FORM_REG)
		ir_mov(ir, s, ir_arg(ir, 1));
	else
		ir_movi(ir, s, y);
	if (form == FORM_IMM && !w)
		ir_alui(ir, op, r, y);
	else if (w)
		ir_aluw(ir, op, r, s);
	else
		ir_alu(ir, op, r, s);
	ir_ret(ir, r);
	code = ir_finish(ir, NULL, 0);
	result = bpfvm_run(&vm, code, 2, (uint64_t[]){x, y});
	ck_assert_msg(!vm.error, "%s", vm.error);
	if (form == FORM_CONST)
		ck_assert_uint_eq(vm.steps, 2);
	bpfvm_done(&vm);
	arena_free(a);
	return result;
}

START_TEST(arithmetic)
{
	static const int ops[] = {BPF_ADD, BPF_SUB, BPF_MUL, BPF_DIV, BPF_MOD, BPF_AND,
				  BPF_OR,  BPF_XOR, BPF_LSH, BPF_RSH, BPF_ARSH};
	static const uint64_t values[] = {0,
					  1,
					  2,
					  8,
					  31,
					  63,
					  0x7fffffff,
					  0x80000000,
					  0xffffffff,
					  0x100000000,
					  0x123456789abcdef,
					  INT64_MAX,
					  INT64_MIN,
					  -1ULL,
					  -8ULL,
					  0xffff};
	int op = ops[_i];

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		for (size_t j = 0; j < ARRAY_SIZE(values); j++)
			for (int form = FORM_CONST; form <= FORM_REG; form++)
				for (int w = 0; w < 2; w++)
					ck_assert_uint_eq(
					    computed(op, w, values[i], values[j], form),
					    reference(op, w, values[i], values[j]));
}
END_TEST

static uint64_t run_one(struct ir *ir, uint64_t arg)
{
	struct bpfvm vm = {0};
	struct code *code = ir_finish(ir, NULL, 0);
	uint64_t result = bpfvm_run(&vm, code, 1, &arg);

	ck_assert_msg(!vm.error, "%s", vm.error);
	bpfvm_done(&vm);
	return result;
}

START_TEST(extensions)
{
	static const struct {
		void (*op)(struct ir *ir, int dst, int bits);
		int bits;
		uint64_t want;
	} rows[] = {
	    {ir_sext, 8, 0xffffffffffffff98},
	    {ir_sext, 16, 0xffffffffffffba98},
	    {ir_sext, 32, 0xfffffffffedcba98},
	    {ir_sext, 64, 0x01234567fedcba98},
	    {ir_zext, 8, 0x98},
	    {ir_zext, 16, 0xba98},
	    {ir_zext, 32, 0xfedcba98},
	    {ir_zext, 64, 0x01234567fedcba98},
	    {ir_bswap, 16, 0x98ba},
	    {ir_bswap, 32, 0x98badcfe},
	    {ir_bswap, 64, 0x98badcfe67452301},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (int known = 0; known < 2; known++) {
			struct ir *ir = ir_new(mem, "f", 1);
			int r = ir_reg(ir);

			if (known)
				ir_movi(ir, r, 0x01234567fedcba98);
			else
				ir_mov(ir, r, ir_arg(ir, 0));
			rows[i].op(ir, r, rows[i].bits);
			ir_ret(ir, r);
			ck_assert_uint_eq(run_one(ir, 0x01234567fedcba98), rows[i].want);
		}
}
END_TEST

/* Every condition, both ways, over values that differ signed and unsigned. */
START_TEST(conditions)
{
	static const struct {
		int cond;
		const char *holds; /* for the pairs below: 1 or 0 */
	} rows[] = {
	    {BPF_JEQ, "1000"},	{BPF_JNE, "0111"},  {BPF_JGT, "0100"},	{BPF_JGE, "1100"},
	    {BPF_JLT, "0011"},	{BPF_JLE, "1011"},  {BPF_JSGT, "0001"}, {BPF_JSGE, "1001"},
	    {BPF_JSLT, "0110"}, {BPF_JSLE, "1110"}, {BPF_JSET, "1110"},
	};
	static const int64_t pairs[][2] = {{5, 5}, {-1, 7}, {3, 7}, {8, -16}};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (int k = 0; k < 4; k++) {
			struct ir *ir = ir_new(mem, "f", 1);
			int l = ir_label(ir);
			bool want = rows[i].holds[k] == '1';

			if (rows[i].cond == BPF_JSET && k == 3)
				want = 8 & -16;
			ir_jcci(ir, rows[i].cond, ir_arg(ir, 0), pairs[k][1], l);
			ir_reti(ir, 0);
			ir_place(ir, l);
			ir_reti(ir, 1);
			ck_assert_msg(run_one(ir, pairs[k][0]) == want, "condition %x, pair %d",
				      rows[i].cond, k);
		}
}
END_TEST

START_TEST(atomics)
{
	uint64_t memory[4] = {10, 20, 30, 0xffffffff00000005};
	struct map map = {.name = "m",
			  .type = BPF_MAP_TYPE_ARRAY,
			  .value_size = 32,
			  .max_entries = 1,
			  .mem = memory};
	struct ir *ir = ir_new(mem, "f", 1);
	int base = ir_reg(ir), one = ir_reg(ir), old = ir_reg(ir), e = ir_reg(ir), sum = ir_reg(ir);

	ir_map_mem(ir, base, &map, 0);
	ir_movi(ir, one, 1);
	ir_atomic(ir, BPF_ADD, 8, base, 0, one);
	ir_movi(ir, old, 2);
	ir_atomic(ir, BPF_ADD | BPF_FETCH, 8, base, 8, old); /* 20 */
	ir_mov(ir, sum, old);
	ir_movi(ir, old, 99);
	ir_atomic(ir, BPF_XCHG, 8, base, 16, old); /* 30 */
	ir_alu(ir, BPF_ADD, sum, old);
	ir_movi(ir, e, 5);
	ir_cmpxchg(ir, 4, old, base, 24, e, one); /* 5, and it happens */
	ir_alu(ir, BPF_ADD, sum, old);
	ir_cmpxchg(ir, 4, old, base, 24, e, base); /* 1, and it does not */
	ir_alu(ir, BPF_ADD, sum, old);
	ir_ret(ir, sum);
	ck_assert_uint_eq(run_one(ir, 0), 20 + 30 + 5 + 1);
	ck_assert_uint_eq(memory[0], 11);
	ck_assert_uint_eq(memory[1], 22);
	ck_assert_uint_eq(memory[2], 99);
	ck_assert_uint_eq(memory[3], 0xffffffff00000001);
}
END_TEST

/* What an offset has beyond 16 bits goes to the base, once for neighbours. */
START_TEST(far_memory)
{
	struct ir *ir = ir_new(mem, "f", 1);
	int base = ir_arg(ir, 0), v = ir_reg(ir);

	ir_sti(ir, 8, base, 32760, 1);
	ir_sti(ir, 8, base, 32768, 2);
	ir_ld(ir, 4, v, base, 70000);
	ir_st(ir, 2, base, 65536, v);
	ir_reti(ir, 0);
	assert_dump(ir, 2,
		    "f/1: optimised\n"
		    "\tv16 = r1\n"
		    "\tu64[v16+32760] = 1\n"
		    "\tv18 = v16\n"
		    "\tv18 += 65536\n"
		    "\tu64[v18-32768] = 2\n"
		    "\tv19 = v18\n"
		    "\tv17 = u32[v19+4464]\n"
		    "\tv20 = v18\n"
		    "\tu16[v20+0] = v17\n"
		    "\tr0 = 0\n"
		    "\texit r0\n");
}
END_TEST

/* ---- frames and errors ---- */

START_TEST(frames)
{
	struct ir *ir = ir_new(mem, "f", 1);
	int a = ir_frame(ir, 16), b = ir_frame(ir, 9), c, d;

	ir_frame_sti(ir, 8, a, 0, 1);
	ir_frame_sti(ir, 8, b, 8, 2);
	ir_frame_free(ir, a);
	c = ir_frame(ir, 8);
	d = ir_frame(ir, 24);
	ir_frame_sti(ir, 8, c, 0, 3);
	ir_frame_sti(ir, 8, d, 16, 4);
	ir_reti(ir, 0);
	assert_dump(ir, 4,
		    "f/1: allocated\n"
		    "\tu64[r10-16] = 1\n"
		    "\tu64[r10-24] = 2\n"
		    "\tu64[r10-8] = 3\n"
		    "\tu64[r10-40] = 4\n"
		    "\tr0 = 0\n"
		    "\texit r0\n");
}
END_TEST

static const char *error_of(struct ir *ir)
{
	return ir_finish(ir, NULL, 0)->error;
}

START_TEST(errors)
{
	struct ir *ir = ir_new(mem, "f", 1);

	ir_jmp(ir, ir_label(ir));
	ck_assert_str_eq(error_of(ir), "label not placed");

	ir = ir_new(mem, "f", 1);
	ir_sti(ir, 8, ir_arg(ir, 0), 0, 1);
	ck_assert_str_eq(error_of(ir), "function falls off its end");

	ir = ir_new(mem, "f", 1);
	ir_frame(ir, 256);
	ir_frame(ir, 264);
	ir_reti(ir, 0);
	ck_assert_str_eq(error_of(ir), "stack frame too large");

	ir = ir_new(mem, "f", 1);
	ir_frame_sti(ir, 8, ir_frame(ir, 8), 4, 0);
	ir_reti(ir, 0);
	ck_assert_str_eq(error_of(ir), "access beyond the stack frame");

	ir = ir_new(mem, "f", 1);
	ir_arg(ir, 1);
	ir_reti(ir, 0);
	ck_assert_str_eq(error_of(ir), "no such argument");
}
END_TEST

/* A jump that does not fit 16 bits. */
START_TEST(too_large)
{
	struct ir *ir = ir_new(mem, "f", 1);
	int l = ir_label(ir);

	ir_jcci(ir, BPF_JEQ, ir_arg(ir, 0), 0, l);
	for (int i = 0; i < 40000; i++)
		ir_sti(ir, 8, ir_arg(ir, 0), 0, i);
	ir_place(ir, l);
	ir_reti(ir, 0);
	ck_assert_str_eq(error_of(ir), "function too large");
}
END_TEST

Suite *ir_suite(void)
{
	Suite *s = suite_create("ir");
	TCase *texts = tcase_create("texts"), *values = tcase_create("values");

	tcase_add_checked_fixture(texts, set_up, tear_down);
	tcase_add_test(texts, dump_stages);
	tcase_add_test(texts, dump_call);
	tcase_add_test(texts, list_code);
	tcase_add_test(texts, source_lines);
	tcase_add_test(texts, once_only);
	tcase_add_test(texts, across_joins);
	tcase_add_test(texts, addresses);
	tcase_add_test(texts, dead_code);
	tcase_add_test(texts, needless_extensions);
	tcase_add_test(texts, checked_register);
	tcase_add_test(texts, far_memory);
	tcase_add_test(texts, frames);
	tcase_add_test(texts, errors);
	tcase_add_test(texts, too_large);
	suite_add_tcase(s, texts);
	tcase_add_checked_fixture(values, set_up, tear_down);
	tcase_add_loop_test(values, arithmetic, 0, 11);
	tcase_add_test(values, extensions);
	tcase_add_test(values, conditions);
	tcase_add_test(values, atomics);
	suite_add_tcase(s, values);
	return s;
}
