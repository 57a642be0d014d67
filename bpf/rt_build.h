/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the routines are written with; for bpf/rt*.c only.
 *
 * Rules that keep the verifier's work small, since it walks a loop iteration by iteration (it has
 * no other way on 5.10) and follows every path that it cannot show to be the same as one it knows:
 *
 * - A loop counts with a register that is constant in each iteration, and its body has one path
 *   wherever arithmetic can choose instead of a branch.
 * - Leaving a loop of many rounds comes next after the test, going on is the jump: the verifier
 *   follows what comes next first and keeps the jump for later, and it keeps no more than 8192.
 * - What leaves a loop passes through memory (rtb_put, rtb_get): a value that was stored in a map
 *   and loaded again is simply unknown, so that the exits of all iterations are one state. Kernels
 *   before 6.3 compare all scalars of a program with several functions exactly; without this the
 *   code after a loop would be walked once for each iteration.
 * - A loop within a loop is a routine of its own: a call of a global function costs nothing there.
 * - Whatever is added to a pointer was compared with a constant just before.
 */
#ifndef DT_RT_BUILD_H
#define DT_RT_BUILD_H

#include "bpf/rt.h"

/* Offsets in the private part. */
enum {
	PRIV_TABLE = 0, /* 256 bytes; or digits, which end at PRIV_DIGITS */
	PRIV_DIGITS = 72,
	PRIV_PEEK = 248, /* the table's last word: of rtb_peek */
	PRIV_CELL = 256, /* 8-byte cells */
};

/* First words of strings, beside those in rt.h. */
enum { TEXT_DOT = '.', TEXT_SLASH = '/' };

/* A routine that is being built. */
struct rtb {
	struct rt *rt;
	struct ir *ir;
	int strsize;
	int span;	  /* bytes that one loop goes through: strsize, or RT_PART */
	bool whole, part; /* of a routine that goes through long strings part by part */
	int64_t last_off; /* greatest offset at which a string can be */
	int slot;	  /* the slot's memory */
	int priv;	  /* its private part */
	int fail;	  /* label */
	int ones;	  /* register with 0x7f in each byte */
};

/*
 * Strings longer than this are gone through in parts: a routine of its own for each loop
 * ("rt_strcmp_part") looks at so many bytes, and a short loop calls it. It returns RTB_MORE when
 * its loop has come to its end.
 */
enum { RT_PART = 512, RTB_MORE = -2 };
/*
 * Builds the routine that calls the one of name and "_part" until that returns something else.
 * With each round the arguments of the set advance (bit i: argument i) are RT_PART greater;
 * positions: so is what is returned, unless it is negative. NULL where strings are short, and for
 * the part itself.
 */
struct code *rtb_in_parts(struct rt *rt, const char *name, int nargs, unsigned advance,
			  bool positions, int32_t fail);
/* Inside another routine: r becomes what the part returns at last. args are registers of the
 * caller's, and advanced. */
int rtb_parts(struct rtb *b, const char *part, int nargs, const int *args, unsigned advance,
	      bool positions);
/* In a part: returns RTB_MORE. In other functions does nothing. */
void rtb_more(struct rtb *b);

/*
 * Starts a function. The builder ends it with rtb_finish, which returns fail_value at the label
 * fail.
 */
void rtb_start(struct rtb *b, struct rt *rt, const char *name, int nargs);
struct code *rtb_finish(struct rtb *b, int32_t fail_value);
/* Looks the slot up. */
void rtb_slot(struct rtb *b, int slot);

int rtb_imm(struct rtb *b, int64_t imm); /* a new register with a constant */
int rtb_copy(struct rtb *b, int reg);	 /* ... with a copy */
/* A new register with base + off, where off is first checked to be at most max. */
int rtb_at(struct rtb *b, int base, int off, int64_t max);
/* Pointer to the string at an offset of the slot, which is checked; to a place in a string. */
int rtb_str(struct rtb *b, int off);
int rtb_inside(struct rtb *b, int off);
/* Stores into a cell; loads from it into reg a value that is checked to be at most max. */
void rtb_put(struct rtb *b, int cell, int reg);
void rtb_get(struct rtb *b, int cell, int reg, int64_t max);

/* Words of the table: a new register with one; one becomes what a register has. */
int rtb_word(struct rtb *b, int which);
void rtb_set_word(struct rtb *b, int which, int reg);
/* A new register with size bytes of the kernel's memory; the function fails where they cannot be
 * read. */
int rtb_peek(struct rtb *b, int addr, int off, int size);

/*
 * A new register with the bits 0x80 of all bytes of word set, and the others, but for those 0x80
 * whose byte is zero: so -1 when no byte is zero.
 */
int rtb_zeros(struct rtb *b, int word);
/*
 * From the result of rtb_zeros, which must not be -1, and is overwritten: only 0x80 of the first
 * zero byte.
 */
void rtb_first(struct rtb *b, int zeros);
/* Turns the result of rtb_first into the number of that byte ... */
void rtb_index(struct rtb *b, int first);
/* ... or into a mask of all bytes before it. */
void rtb_before(struct rtb *b, int first);

/*
 * k becomes the number of the highest bit of n, which must not be 0 and has so many bits (8 to 64);
 * n is overwritten.
 */
void rtb_high_bit(struct rtb *b, int n, int k, int bits);

/* The length of the string at a pointer, below strsize; uses cell 0. */
int rtb_strlen(struct rtb *b, int ptr);
/*
 * Makes the string at dst from n bytes (at most max, and below strsize) at src + from (at most
 * strsize or PRIV_DIGITS). Uses cells 0, which is left with n, and 1.
 */
void rtb_copy_out(struct rtb *b, int dst, int src, int from, int n, int max);
/* Ends the function with what is in a cell. */
void rtb_ret_cell(struct rtb *b, int cell);
/* Ends the function: the string at dst becomes the 8 bytes of word, and r is returned. */
void rtb_ret_word(struct rtb *b, int dst, int32_t word, int32_t r);

/* The families, by name. */
struct rt_def {
	const char *name;
	struct code *(*build)(struct rt *rt, const char *name);
};
extern const struct rt_def rt_str_defs[], rt_find_defs[], rt_num_defs[], rt_text_defs[],
    rt_net_defs[], rt_kern_defs[], rt_path_defs[], rt_place_defs[], rt_packet_defs[],
    rt_unwind_defs[], rt_unwind_link_defs[], rt_unwind_rule_defs[], rt_vma_defs[], rt_orc_defs[],
    rt_orc_rule_defs[], rt_orc_start_defs[]; /* end with a NULL name */

#endif
