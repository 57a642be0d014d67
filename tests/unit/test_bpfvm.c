/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interpreter must complain: a test that runs in it proves only what it refuses. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/ir.h"
#include "bpf/map.h"
#include "libdt/simulate/bpfvm.h"

static struct arena *mem; /* of the test that runs */

static void set_up(void)
{
	mem = arena_new();
}

static void tear_down(void)
{
	arena_free(mem);
}

#define insn(c, d, s, o, i) \
	((struct bpf_insn){.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)})
#define MOVI(d, i) insn(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define MOV(d, s) insn(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define LD(d, s, o) insn(BPF_LDX | BPF_MEM | BPF_DW, d, s, o, 0)
#define ST(d, s, o) insn(BPF_STX | BPF_MEM | BPF_DW, d, s, o, 0)
#define STB(d, o, i) insn(BPF_ST | BPF_MEM | BPF_B, d, 0, o, i)
#define JA(o) insn(BPF_JMP | BPF_JA, 0, 0, o, 0)
#define CALL(i) insn(BPF_JMP | BPF_CALL, 0, 0, 0, i)
#define EXIT insn(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/*
 * What running the instructions complains of; "" for nothing. r1 is the address of one constant
 * word.
 */
static const char *complaint(struct bpf_insn *insns, int n)
{
	static const uint64_t word = 42;
	struct code code = {.name = "f", .nargs = 1, .frame_size = 16};
	struct bpfvm vm = {.helper = bpfvm_helpers, .max_steps = 100};
	const char *text;

	code.insns.v = insns;
	code.insns.n = n;
	vm.helper_arg = &vm;
	bpfvm_region(&vm, &word, sizeof(word), false);
	bpfvm_run(&vm, &code, 1, (uint64_t[]){(uintptr_t)&word});
	text = arena_strdup(mem, vm.error ? vm.error : "");
	bpfvm_done(&vm);
	return text;
}

#define assert_complaint(want, ...)                                            \
	do {                                                                   \
		struct bpf_insn insns_[] = {__VA_ARGS__};                      \
		ck_assert_str_eq(complaint(insns_, ARRAY_SIZE(insns_)), want); \
	} while (0)

START_TEST(refuses)
{
	assert_complaint("", LD(0, 1, 0), EXIT);
	assert_complaint("f+0: r0 is read, but was never written", EXIT);
	assert_complaint("f+0: r7 is read, but was never written", MOV(0, 7), EXIT);
	assert_complaint("read of stack at r10-8, 8 bytes, never written", LD(0, 10, -8), EXIT);
	assert_complaint("read of stack at r10-8, 8 bytes, never written", STB(10, -8, 1),
			 LD(0, 10, -8), EXIT);
	assert_complaint("write to constant memory", STB(1, 0, 1), EXIT);
	assert_complaint("f+0: r10 is written", MOVI(10, 1), EXIT);
	assert_complaint("f+1: runs out of the function", MOVI(0, 1));
	assert_complaint("f+9: runs out of the function", JA(8), EXIT);
	assert_complaint("f+0: jump with reserved fields", insn(BPF_JMP | BPF_JA, 0, 0, 0, 1),
			 EXIT);
	assert_complaint("f+0: too many steps", JA(-1), EXIT);
	assert_complaint("f+0: unknown operation 0xf0", insn(BPF_ALU64 | 0xf0, 1, 0, 0, 0), EXIT);
	assert_complaint("f+0: division by constant zero", insn(BPF_ALU64 | BPF_DIV, 1, 0, 0, 0),
			 EXIT);
	assert_complaint("f+0: shift by 64", insn(BPF_ALU64 | BPF_LSH, 1, 0, 0, 64), EXIT);
	assert_complaint("BPF helper 999 needs a kernel", CALL(999), EXIT);
	/* Calls destroy r1 to r5. */
	assert_complaint("f+1: r1 is read, but was never written",
			 CALL(BPF_FUNC_get_smp_processor_id), MOV(0, 1), EXIT);
	assert_complaint("f: writes stack beyond its frame_size", MOVI(0, 0), ST(10, 0, -24), EXIT);
}
END_TEST

START_TEST(refuses_strange_memory)
{
	struct bpf_insn insns[] = {LD(0, 1, 1), EXIT};

	ck_assert_ptr_nonnull(strstr(complaint(insns, 2), "access of 8 bytes at 0x"));
	ck_assert_ptr_nonnull(strstr(complaint(insns, 2), "which is nowhere"));
}
END_TEST

/* 300 bytes twice are more than the kernel has. */
START_TEST(refuses_deep_stacks)
{
	struct ir *ir = ir_new(mem, "f", 0), *g = ir_new(mem, "g", 0);
	struct bpfvm vm = {.nfuncs = 2};
	struct code *codes[2];

	ir_frame_sti(ir, 8, ir_frame(ir, 300), 0, 0);
	ir_ret(ir, ir_call_func(ir, "g", 0, NULL));
	ir_frame_sti(g, 8, ir_frame(g, 300), 0, 0);
	ir_reti(g, 0);
	codes[0] = ir_finish(ir, NULL, 0);
	codes[1] = ir_finish(g, NULL, 0);
	vm.funcs = codes;
	bpfvm_run(&vm, codes[1], 0, NULL);
	ck_assert_ptr_null(vm.error);
	bpfvm_run(&vm, codes[0], 0, NULL);
	ck_assert_str_eq(vm.error, "g: stack of the chain of calls is too large");
	bpfvm_done(&vm);
}
END_TEST

/* Reads of text, of what ends early, and of nothing that is there. */
START_TEST(probing)
{
	char from[] = "hello", to[8] = "";
	struct bpfvm vm = {.helper = bpfvm_helpers};
	uint64_t dst = (uintptr_t)to, src = (uintptr_t)from;

	bpfvm_region(&vm, to, sizeof(to), true);
	memset(to, 'x', sizeof(to));
	ck_assert_int_eq(
	    bpfvm_helpers(&vm, BPF_FUNC_probe_read_kernel_str, (uint64_t[5]){dst, 8, src}), 6);
	ck_assert_str_eq(to, "hello");
	ck_assert_int_eq(to[6], 'x');
	ck_assert_int_eq(
	    bpfvm_helpers(&vm, BPF_FUNC_probe_read_kernel_str, (uint64_t[5]){dst, 4, src}), 4);
	ck_assert_str_eq(to, "hel");
	ck_assert_int_eq(bpfvm_helpers(&vm, BPF_FUNC_probe_read_user, (uint64_t[5]){dst, 6, src}),
			 0);
	ck_assert_str_eq(to, "hello");
	ck_assert_int_eq(bpfvm_helpers(&vm, BPF_FUNC_probe_read_kernel, (uint64_t[5]){dst, 8, 16}),
			 -EFAULT);
	ck_assert_int_eq(to[0], 0);
	ck_assert_int_eq(
	    bpfvm_helpers(&vm, BPF_FUNC_probe_read_kernel_str, (uint64_t[5]){dst, 8, 16}), -EFAULT);
	ck_assert_ptr_null(vm.error);
	bpfvm_helpers(&vm, BPF_FUNC_probe_read_kernel, (uint64_t[5]){dst + 1, 8, src});
	ck_assert_ptr_nonnull(vm.error);
	bpfvm_done(&vm);
}
END_TEST

START_TEST(arrays)
{
	uint64_t elements[3] = {7, 8, 9}, value = 10;
	uint32_t key = 2;
	struct map map = {.name = "a",
			  .type = BPF_MAP_TYPE_ARRAY,
			  .key_size = 4,
			  .value_size = 8,
			  .max_entries = 3,
			  .mem = elements};
	struct bpfvm vm = {.helper = bpfvm_helpers};
	uint64_t m = (uintptr_t)&map, k = (uintptr_t)&key, v = (uintptr_t)&value;

	bpfvm_region(&vm, &key, sizeof(key), false);
	bpfvm_region(&vm, &value, sizeof(value), false);
	ck_assert_ptr_eq((void *)bpfvm_helpers(&vm, BPF_FUNC_map_lookup_elem, (uint64_t[5]){m, k}),
			 &elements[2]);
	ck_assert_int_eq(bpfvm_helpers(&vm, BPF_FUNC_map_update_elem, (uint64_t[5]){m, k, v}), 0);
	ck_assert_uint_eq(elements[2], 10);
	key = 3;
	ck_assert_ptr_null(
	    (void *)bpfvm_helpers(&vm, BPF_FUNC_map_lookup_elem, (uint64_t[5]){m, k}));
	ck_assert_ptr_null(vm.error);
	bpfvm_done(&vm);
}
END_TEST

Suite *bpfvm_suite(void)
{
	Suite *s = suite_create("bpfvm");
	TCase *tc = tcase_create("bpfvm");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, refuses);
	tcase_add_test(tc, refuses_strange_memory);
	tcase_add_test(tc, refuses_deep_stacks);
	tcase_add_test(tc, probing);
	tcase_add_test(tc, arrays);
	suite_add_tcase(s, tc);
	return s;
}
