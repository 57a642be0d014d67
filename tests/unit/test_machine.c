/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions and calling convention of riscv64, on each machine; what the machines have in
 * common. */
#include <check.h>
#include <elf.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/utsname.h>
#include <ucontext.h>

#include "libdt/base/machine/machine.h"
#include "libdt/base/mem.h"

START_TEST(here)
{
	struct utsname name;

	ck_assert_int_eq(uname(&name), 0);
	ck_assert_str_eq(machine_here->name, name.machine);
	ck_assert_ptr_eq(machine_of(machine_here->elf), machine_here);
	ck_assert_ptr_eq(machine_of(EM_RISCV), &machine_riscv64);
	ck_assert_ptr_null(machine_of(EM_386));
}
END_TEST

/* The frame of a signal is as the C library has it. */
START_TEST(signal_frame)
{
	const struct machine_unwind *u = &machine_here->unwind;

#if defined(__x86_64__)
	enum { REGS = offsetof(ucontext_t, uc_mcontext.gregs) };

	ck_assert_uint_eq(u->signal_pc, REGS + REG_RIP * 8);
	ck_assert_uint_eq(u->signal_sp, REGS + REG_RSP * 8);
	ck_assert_uint_eq(u->signal_fp, REGS + REG_RBP * 8);
	ck_assert_uint_eq(u->signal_third, REGS + REG_RBX * 8);
#elif defined(__aarch64__)
	enum { AT = sizeof(siginfo_t) }; /* the structure follows that */

	ck_assert_uint_eq(u->signal_pc, AT + offsetof(ucontext_t, uc_mcontext.pc));
	ck_assert_uint_eq(u->signal_sp, AT + offsetof(ucontext_t, uc_mcontext.sp));
	ck_assert_uint_eq(u->signal_fp, AT + offsetof(ucontext_t, uc_mcontext.regs[29]));
	ck_assert_uint_eq(u->signal_third, AT + offsetof(ucontext_t, uc_mcontext.regs[30]));
#else
	ck_assert(!u->known);
#endif
}
END_TEST

/* No address of this process has a bit of a signature. */
START_TEST(signatures)
{
	int bits = machine_signature_bits(), here;
	void *const addresses[] = {&here, (void *)(uintptr_t)machine_signature_bits,
				   (void *)(uintptr_t)memcpy};

	ck_assert_int_eq(bits > 0, machine_here->unwind.is_signed);
	for (size_t i = 0; bits && i < ARRAY_SIZE(addresses); i++)
		ck_assert_uint_eq((uintptr_t)addresses[i] >> (64 - bits), 0);
	ck_assert_int_le(bits, 25);
}
END_TEST

/* As riscv64-linux-gnu-as writes them: the instruction, and the one in front of it. */
static const struct {
	const char *text;
	uint32_t before, insn;
	int len;
	enum way way;
	int64_t distance;
	bool doubtful;
} insns[] = {
    {"addi sp,sp,-16", 0, 0x1141, 2, GOES_ON, 0, false},
    {"c.beqz a0,+0x20", 0, 0xc105, 2, BRANCHES, 0x20, false},
    {"c.bnez a1,-0x20", 0, 0xf1e5, 2, BRANCHES, -0x20, false},
    {"bne a0,a1,-0x10", 0, 0xfeb518e3, 4, BRANCHES, -0x10, false},
    {"j +0x1234", 0, 0x2340106f, 4, JUMPS, 0x1234, false},
    {"c.j +0x44", 0, 0xa091, 2, JUMPS, 0x44, false},
    {"c.j -0x66", 0, 0xbf69, 2, JUMPS, -0x66, false},
    {"jal ra,+0x800", 0, 0x001000ef, 4, GOES_ON, 0, false},
    {"jalr ra,0(ra)", 0x00000097, 0x000080e7, 4, GOES_ON, 0, false},
    {"auipc t1,-1; jr 16(t1)", 0xfffff317, 0x01030067, 4, JUMPS, -0x1000 + 16 - 4, false},
    {"auipc ra,0; jr 16(t1)", 0x00000097, 0x01030067, 4, UNKNOWN, 0, false},
    {"c.add a5,a4; c.jr a5", 0x97ba, 0x8782, 2, GOES_ON, 0, false},
    {"add a5,a5,a4; c.jr a5", 0x00e787b3, 0x8782, 2, GOES_ON, 0, false},
    {"add a5,a5,a4; jr a5", 0x00e787b3, 0x00078067, 4, GOES_ON, 0, false},
    {"sub a5,a5,a4; jr a5", 0x40e787b3, 0x00078067, 4, UNKNOWN, 0, false},
    {"c.lw a5,0(a5); c.jr a5", 0x439c, 0x8782, 2, UNKNOWN, 0, false},
    {"c.jalr a5", 0, 0x9782, 2, GOES_ON, 0, false},
    {"c.mv a0,a1", 0, 0x852e, 2, GOES_ON, 0, false},
    {"c.jr ra", 0, 0x8082, 2, RETURNS, 0, false},
    {"ret", 0, 0x00008067, 4, RETURNS, 0, false},
    {"c.ebreak", 0, 0x9002, 2, GOES_ON, 0, true},
    {"ecall", 0, 0x00000073, 4, GOES_ON, 0, true},
    {"lr.d a0,(a1)", 0, 0x1005b52f, 4, GOES_ON, 0, true},
    {"fence", 0, 0x0ff0000f, 4, GOES_ON, 0, true},
    {"zeroes", 0, 0, 0, GOES_ON, 0, false},
    {"an instruction of 6 bytes", 0, 0x1f, 0, GOES_ON, 0, false},
};

/* An instruction in two bytes or four; none if it is 0. */
static size_t put(uint8_t *code, uint32_t insn)
{
	size_t n = !insn ? 0 : (insn & 3) != 3 ? 2 : 4;

	memcpy(code, &insn, n);
	return n;
}

START_TEST(riscv64_code)
{
	const struct machine *m = &machine_riscv64;
	uint8_t code[8 + MACHINE_INSN_BYTES] = {0};
	size_t at = put(code, insns[_i].before), n = put(code + at, insns[_i].insn);
	struct machine_code c = {code, 0, at, n};
	int64_t distance = 0;

	ck_assert_int_eq(m->length(code + at, n), insns[_i].len);
	ck_assert_int_eq(m->doubtful(code + at), insns[_i].doubtful);
	if (!insns[_i].len)
		return;
	ck_assert_int_eq(m->length(code + at, n - 1), 0);
	ck_assert_msg(m->way(&c, &distance) == insns[_i].way, "%s", insns[_i].text);
	if (insns[_i].way == JUMPS || insns[_i].way == BRANCHES)
		ck_assert_int_eq(distance, insns[_i].distance);
}
END_TEST

static struct call_value number(uint64_t size)
{
	return (struct call_value){.size = size, .aligned_16 = size == 16};
}

static struct call_value floating(uint64_t size)
{
	return (struct call_value){.size = size,
				   .is_float = true,
				   .aligned_16 = size == 16,
				   .parts = {.scalars = 1, .floats = 1, .long_double = size > 8}};
}

static struct call_value structure(uint64_t size, int scalars, int floats)
{
	return (struct call_value){
	    .size = size, .is_struct = true, .parts = {.scalars = scalars, .floats = floats}};
}

/* Which argN the value is, after so many numbers and doubles. */
static int place(int ints, int floats, struct call_value v, struct args_taken *taken)
{
	*taken = (struct args_taken){ints, floats, 0};
	return machine_riscv64.place(taken, &v);
}

static void expect(int at, struct args_taken taken, int want, int ints, int floats, int words)
{
	ck_assert_int_eq(at, want);
	ck_assert_int_eq(taken.ints, ints);
	ck_assert_int_eq(taken.floats, floats);
	ck_assert_int_eq(taken.words, words);
}

static bool in_memory(struct call_value v)
{
	return machine_riscv64.result_in_memory(&v);
}

START_TEST(riscv64_arguments)
{
	struct args_taken t;

	expect(place(2, 0, number(4), &t), t, 2, 3, 0, 0);
	expect(place(8, 0, number(8), &t), t, 8, 8, 0, 1);
	/* two registers; a register and the stack; the stack */
	expect(place(3, 0, number(16), &t), t, 3, 5, 0, 0);
	expect(place(7, 0, number(16), &t), t, 7, 8, 0, 1);
	expect(place(8, 0, number(16), &t), t, 8, 8, 0, 2);
	expect(place(2, 1, floating(8), &t), t, 2, 2, 2, 0);
	expect(place(2, 8, floating(8), &t), t, 2, 3, 8, 0);
	expect(place(2, 0, floating(16), &t), t, 2, 4, 0, 0);
	/* { double, double }, { int, float }, { int, int }, three members, a large one */
	expect(place(1, 0, structure(16, 2, 2), &t), t, 1, 1, 2, 0);
	expect(place(1, 0, structure(8, 2, 1), &t), t, 1, 2, 1, 0);
	expect(place(1, 7, structure(16, 2, 2), &t), t, 1, 3, 7, 0);
	expect(place(8, 0, structure(8, 2, 1), &t), t, 8, 8, 0, 1);
	expect(place(1, 0, structure(8, 2, 0), &t), t, 1, 2, 0, 0);
	expect(place(1, 0, structure(12, 3, 3), &t), t, 1, 3, 0, 0);
	expect(place(1, 0, structure(24, 3, 3), &t), t, 1, 2, 0, 0);
	ck_assert(in_memory(structure(24, 3, 0)));
	ck_assert(!in_memory(structure(16, 2, 0)));
}
END_TEST

Suite *machine_suite(void)
{
	Suite *s = suite_create("machine");
	TCase *t = tcase_create("machine");

	tcase_add_test(t, here);
	tcase_add_test(t, signal_frame);
	tcase_add_test(t, signatures);
	tcase_add_loop_test(t, riscv64_code, 0, ARRAY_SIZE(insns));
	tcase_add_test(t, riscv64_arguments);
	suite_add_tcase(s, t);
	return s;
}
