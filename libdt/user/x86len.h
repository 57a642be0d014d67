/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the next instruction begins. */
#ifndef DT_X86LEN_H
#define DT_X86LEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of the x86-64 instruction at code, of which n bytes are there; 0 when it is none, or not one that is known. */
int x86_length(const uint8_t *code, size_t n);
/*
 * Where the instruction at code, of which n bytes are there, leads: out of the function for sure (a return, or a jump through memory that is no
 * table's), by an unconditional jump to a distance from its own beginning, or on, as far as is known.
 */
enum x86_way { X86_ON, X86_OUT, X86_TO };
enum x86_way x86_way(const uint8_t *code, size_t n, int64_t *distance);
/*
 * Does the kernel take the instruction at code for another, when a uprobe is put on it? It looks at the opcode of vector instructions (VEX,
 * EVEX, XOP) as if it was one without these prefixes, and carries out a jump, or mends the program counter as after a return
 * (arch_uprobe_analyze_insn() in Linux's arch/x86/kernel/uprobes.c, 5.10 to 7.2): the program would go wrong.
 */
bool x86_mistaken(const uint8_t *code, size_t n);

#endif
