/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of kernel stacks. */
#ifndef DT_RT_ORC_INT_H
#define DT_RT_ORC_INT_H

#include "bpf/rt_build.h"
#include "bpf/rt_orc.h"

/* struct pt_regs */
enum { REGS_BP = 4 * 8, REGS_IP = 16 * 8, REGS_CS = 17 * 8, REGS_SP = 19 * 8 };

enum { STACK_FRAMES = 127 };

/* A routine that works on a struct orc_state of the slot: its arguments are the slot, the state,
 * and perhaps others. */
struct walk {
	struct rtb b;
	int state;	/* pointer to it */
	int pc, sp, bp; /* registers with what it has */
	int other;	/* label: this is not for us */
};

/* rt_orc.c */
/* Starts a function; the builder places the label other. */
void walk_begin(struct walk *w, struct rt *rt, const char *name, int nargs);
int walk_field(struct walk *w, size_t off); /* a new register with a word of the state */
void walk_set(struct walk *w, size_t off, int reg);
/* Reads the window from an address on, as far as its page reaches, for no stack ends within one.
 * */
void walk_fill(struct walk *w, int from);
/* r becomes the word at an address plus off; goes to miss when it is not in the window. */
void walk_word(struct walk *w, int r, int addr, int off, int miss);
/* Ends a function whose first arguments are those of rt_orc: with the walk from the state. */
void walk_ret(struct walk *w);
/* A new register with bits of a word. */
int orc_bits(struct rtb *b, int word, int shift, int mask);
/* Goes to out when an address is not in the kernel's text. */
void orc_check_text(struct rtb *b, int pc, int out);
/* What the cache has a rule by; exact: a register with 0 or 1, -1: it is a return address. */
int orc_key(struct rtb *b, int pc, int exact);
/* Pointer to the word of the cache for a key. */
int orc_cache_word(struct rtb *b, int key);

/* rt_orc_rule.c */
/* Reads bytes at a number into 8 zero bytes: a new register with them, 0 if they cannot be read.
 * */
int orc_read(struct rtb *b, int addr, int n);

#endif
