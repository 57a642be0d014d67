/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of user stacks. */
#ifndef DT_RT_UNWIND_INT_H
#define DT_RT_UNWIND_INT_H

#include "bpf/rt_build.h"
#include "bpf/rt_unwind.h"

/* A routine that works on a struct unwind_state of the slot: its arguments are the slot, the
 * state, and perhaps others. */
struct step {
	struct rtb b;
	int state;	  /* pointer to struct unwind_state */
	int sp, fp;	  /* registers with the frame's, 0: they are loaded at each use */
	int end, unknown; /* labels: the stack ends; the code has no rule */
};

/* What rt_unwind_step() returns: the stack has ended; it goes on; it goes on, and the window is
 * filled. */
enum { STEP_END, STEP_ON, STEP_WINDOW };

/* rt_unwind.c: what all machines have in common. */
/* Where the code is in which the frame is: a return address may be the first of another
 * function. Sets the state. */
int step_load(struct step *s);
int step_field(struct step *s, int off); /* a new register with a word of the state */
int step_sp(struct step *s);
int step_fp(struct step *s);
/* A new register: all ones when x < y, else 0; neither is so large that the difference has no
 * sign. */
int step_below(struct rtb *b, int x, int y);
/* One or two words of the process; goes to bad when they cannot be read. */
void step_user_words(struct step *s, int base, int off, int n, int *words, int bad);
/* One; the stack ends where it cannot be read. */
int step_user_word(struct step *s, int base, int off);
/* A new register with the word at an address, or so many words (0: none, else a register) below
 * it; goes to miss when it is not in the window. */
int step_window_word(struct step *s, int addr, int words, int miss);
/* Reads a window from an address, or so many words (as above, but 0 is 1) below it; goes to bad
 * when it would have the words of a single frame, which this is the base of, or cannot be read. */
void step_window_fill(struct step *s, int base, int start, int words, int bad);
int step_kind(struct step *s, int rule);
/* A new register with the offset of a rule, in words, of so many bits. */
int step_rule_off(struct step *s, int rule, int bits);
/* A new register with the base of a rule, but of those that are CFI_SPECIAL and CFI_END: goes to
 * other then. */
int step_base(struct step *s, int kind, int off, int other);
/* That the first frame's code has no rule is noted. */
void step_note_guess(struct step *s, int rule);
/* A new register with a return address: what it was before a return probe, if it is one's now. */
int step_return_address(struct step *s, int base, int word);
/* The caller's registers; ends the stack when pc is 0. */
void step_set(struct step *s, int pc, int sp, int fp, int exact);
/* The same where a signal's handler returns to. */
void step_signal(struct step *s);
/* The address of the code where the stack is becomes the next frame. */
void step_put(struct step *s);

/* rt_unwind_link.c: machines where calls leave the return address in a register. */
/* The step by a rule. Ends the function. */
void link_apply(struct step *s, int rule);
/* A new register with the base, by a rule that is as usual and from the window; else goes to out.
 * fp and pc get the caller's. */
int link_usual(struct step *s, int rule, int fp, int pc, int out);

/* rt_unwind_rule.c: which rule is for an address. */
/* Pointer to the process's struct unwind_space; goes to unknown when it has none. */
int rule_find_space(struct rtb *b, int unknown);
/* A new register with the rule when the code is in the mapping of the code before, and the cache
 * has the rule; else goes to miss. */
int rule_cached(struct step *s, int addr, int miss);
/* The same, where the cache has none by the search. */
int rule_known(struct step *s, int addr);

#endif
