/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the next instruction begins. */
#ifndef DT_X86LEN_H
#define DT_X86LEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of the x86-64 instruction at code, of which n bytes are there; 0 when it is none, or
 * not one that is known. */
int x86_length(const uint8_t *code, size_t n);
/*
 * Where control goes after the instruction at code, of which n bytes are there. distance is set for
 * jumps to a fixed address, from the beginning of the instruction. A jump by a table of addresses,
 * as for a switch, is X86_ON: it stays in the function.
 */
enum x86_way {
	X86_ON,	      /* to the next instruction, or not known */
	X86_RETURN,   /* back to the caller */
	X86_MEMORY,   /* to an address in memory that is no table's: a call of another function */
	X86_REGISTER, /* to an address in a register: a table, or a call of another function */
	X86_JUMP,     /* to a fixed address */
	X86_BRANCH,   /* to a fixed address or to the next instruction */
};
enum x86_way x86_way(const uint8_t *code, size_t n, int64_t *distance);
/* Does the instruction add something to a register, of 64 bits? Its number, or -1. */
int x86_adds_to(const uint8_t *code, size_t n);
/* The register that an X86_REGISTER instruction jumps to; -1 with the prefix notrack, which marks
 * jumps by a table. */
int x86_jumps_to(const uint8_t *code, size_t n);
/*
 * Does the kernel take the instruction at code for another, when a uprobe is put on it? It looks
 * at the opcode of vector instructions (VEX, EVEX, XOP) as if it was one without these prefixes,
 * and carries out a jump, or mends the program counter as after a return
 * (arch_uprobe_analyze_insn() in Linux's arch/x86/kernel/uprobes.c, 5.10 to 7.2): the program
 * would go wrong.
 */
bool x86_mistaken(const uint8_t *code, size_t n);

#endif
