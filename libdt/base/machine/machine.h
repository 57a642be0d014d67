/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What depends on the machine: registers, calling convention, system calls and instructions. Each
 * machine has one file with its struct machine; all of them are in each dtrace, because files of
 * other machines can be read. machine_here is the one that dtrace itself runs on.
 */
#ifndef DT_MACHINE_H
#define DT_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libdt/base/machine/sdtarg.h"

enum { MACHINE_ARGS = 8, MACHINE_CALL_ARGS = 6, MACHINE_INSN_BYTES = 15 };

/* Words of struct pt_regs, of which ptrace(PTRACE_GETREGSET) has the first ptrace_words. */
struct machine_regs {
	uint8_t pc, sp, fp, result, result2, status;
	int8_t link; /* has the return address when a function begins; -1: it is on the stack */
	uint8_t nargs, args[MACHINE_ARGS]; /* registers of integer arguments, in their order */
	uint8_t words;			   /* of the structure that subscripts can name */
	uint8_t ptrace_words;
	uint16_t size; /* bytes of the structure at the base of a kernel stack, before Linux 5.15 */
	uint16_t first;	   /* subscript of uregs[] for word 0 (libdt/lib/regs.d) */
	uint64_t loadable; /* words that the verifier lets programs load as members */
};

/* What a system call leaves in struct pt_regs; offsets in bytes. */
struct machine_calls {
	uint16_t number, number_size;
	/* arguments of the machine's own programs, and of 32-bit ones */
	uint16_t args[2][MACHINE_CALL_ARGS];
	/* A bit is 1 for 32-bit programs, or 0 if native is set. */
	uint16_t mode;
	uint8_t mode_bit;
	bool native;
	/* the same of the task: a member of struct thread_info, and its bit */
	const char *flags;
	uint8_t flags_bit;
	/* words with the number and the result of a call that a debugger makes; restart is set to
	 * -1 if it is not negative, so that no other call is restarted */
	uint8_t call;
	int8_t restart;
	const char *prefix; /* of the kernel's functions for system calls */
};

/* What bpf/rt_unwind.c needs to find callers of the machine's functions. */
struct machine_unwind {
	bool known; /* false: only the kernel does, by frame pointers */
	/* In call frame information: numbers of the stack and frame pointer, of the return address,
	 * and of a register that has the base of some frames (rbx; 0: there is none). */
	uint8_t sp, fp, ra, base;
	/* The word of struct pt_regs that it begins with beside pc, sp and fp: base, or link. */
	uint8_t third;
	/* Where a signal's handler returns to: registers' offsets from the stack pointer. */
	uint16_t signal_pc, signal_sp, signal_fp, signal_third;
	/* The first 8 bytes of code that handlers return to, which has no call frame information;
	 * 0: it has. */
	uint64_t sigreturn;
	bool is_signed; /* return addresses may be: pointer authentication */
};

/* Instructions for a debugger. */
struct machine_debug {
	uint32_t trap, trap_mask;
	uint8_t pc_behind; /* by how much the program counter is after a trap */
	uint32_t call, call_mask;
};

/* Entries of the kernel's page tables. */
struct machine_pages {
	uint8_t shift; /* bit of the physical address's bit 12 */
	/* of an entry above the last level: it is a table if entry & mask == table */
	uint8_t mask, table;
	const char *five_levels; /* what /proc/cpuinfo has on CPUs with five; NULL: none has */
};

/* What an instruction does with the control flow. */
enum way {
	GOES_ON,
	RETURNS,
	JUMPS,	  /* to a fixed address */
	BRANCHES, /* to a fixed address or to the next instruction */
	CALLS,	  /* jumps to another function */
	UNKNOWN,  /* a jump that may be a switch's or a call */
};

/* Code from its first instruction on: one at at, of len bytes, and the one in front of it. */
struct machine_code {
	const uint8_t *code;
	size_t before, at, len;
};

/* What a value consists of: integers or not, in each of its 8-byte words. */
struct value_parts {
	bool integer[2], floating[2];
	bool long_double; /* one of more than 8 bytes */
	bool odd;	  /* not aligned, or too much to look at */
	int scalars, floats;
	uint64_t float_size; /* of all, when each is in floating point and of this size; else 0 */
};

/* An argument or a result. */
struct call_value {
	uint64_t size;
	bool is_struct, is_float, aligned_16;
	struct value_parts parts; /* of up to 16 bytes */
};

/* Registers and words of the stack that earlier arguments take. */
struct args_taken {
	int ints, floats, words;
};

/* A static probe that dtrace -G makes. */
struct machine_place {
	uint32_t relocation; /* of an address of 64 bits */
	uint32_t nop;	     /* an instruction of so many bytes */
	int nop_len;
	const char *zero; /* the operand of an argument that is 0 */
};

struct machine {
	const char *name;	 /* as uname -m prints it */
	const char *defined;	 /* by the C compiler for it, for D programs with -C */
	uint16_t elf;		 /* EM_* */
	uint32_t elf_flags;	 /* of objects that dtrace writes */
	uint32_t audit;		 /* AUDIT_ARCH_* */
	bool unnamed_bits_align; /* an unnamed bit-field aligns its structure */
	/* the bit of AT_HWCAP by which a CPU has atomic instructions rather than pairs of a load
	 * and a store that retry; 0: each has them */
	uint64_t atomics;
	struct machine_regs regs;
	struct machine_calls calls;
	struct machine_unwind unwind;
	struct machine_debug debug;
	struct machine_pages pages;
	struct machine_place static_probe;

	/* Takes registers or words of the stack for the next argument. Returns which argN it is. */
	int (*place)(struct args_taken *taken, const struct call_value *v);
	/* Is a result in memory of the caller's, whose address takes the first register? NULL: a
	 * register of its own has the address. */
	bool (*result_in_memory)(const struct call_value *v);

	/* The length of the instruction at code, of which n bytes are there; 0: it is unknown. */
	int (*length)(const uint8_t *code, size_t n);
	/* What an instruction does; sets distance, from its first byte, for JUMPS and BRANCHES. */
	enum way (*way)(const struct machine_code *c, int64_t *distance);
	/* Is it one that kernels refuse to probe, or used to? code has MACHINE_INSN_BYTES. */
	bool (*doubtful)(const uint8_t *code);
	/* Does the kernel take it for another, so that a probe on it breaks the program? NULL:
	 * never. */
	bool (*mistaken)(const uint8_t *code, size_t n);
	/* The operand of a static probe's argument; false if it is not understood. */
	bool (*operand)(const char *text, const struct sdtarg_env *env, struct sdtarg *a);
};

extern const struct machine machine_x86_64, machine_aarch64, machine_riscv64;
extern const struct machine *const machine_here;

/* The machine of an ELF file, by its EM_*; NULL: none of these. */
const struct machine *machine_of(int elf);

/* How many of the highest bits of a return address are its signature, where this machine's may be
 * signed; else 0. */
int machine_signature_bits(void);

/* Has this CPU atomic instructions? */
bool machine_has_atomics(void);

/* For place(). Takes words of the stack, aligned to 16 bytes if wide is set. Returns which argN the
 * first one is, after nargs registers. */
int args_on_stack(struct args_taken *taken, int nargs, uint64_t size, bool wide);
/* For operand(): reads a number with an optional sign, and moves *text past it. */
bool operand_number(const char **text, int64_t *value);
/* Four bytes of code. */
static inline uint32_t machine_word(const uint8_t *code)
{
	return code[0] | code[1] << 8 | code[2] << 16 | (uint32_t)code[3] << 24;
}

#endif
