/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of definitions, one for each family; they are searched in the order of def.c. */
#ifndef DT_BUILTIN_H
#define DT_BUILTIN_H

#include "libdt/lang/def.h"

/* What the compiler is given. */
extern const struct builtins builtins;

/* Each ends with a row without a name. */
extern const struct def defs_var[];  /* var.c: variables */
extern const struct def defs_args[]; /* var_args.c: arg0..., args[], errno */
extern const struct def defs_str[];  /* sub_str.c: strings */
extern const struct def
    defs_kern[]; /* sub_kern.c: paths, files, locks of the kernel; cwd, root, execargs */
extern const struct def defs_net[];	  /* sub_net.c: network addresses */
extern const struct def defs_mem[];	  /* sub_mem.c: memory, copyin and friends */
extern const struct def defs_num[];	  /* sub_num.c: numbers, bytes, processes */
extern const struct def defs_act[];	  /* act.c: trace, printf, exit */
extern const struct def defs_act_print[]; /* act_print.c: print, tracemem, setopt */
extern const struct def defs_act_pcap[];  /* act_pcap.c: packets */
/* act_proc.c: what is done to the outside: system, raise, freopen */
extern const struct def defs_act_proc[];
extern const struct def defs_act_agg[];	 /* act_agg.c: printa, clear, trunc, normalize */
extern const struct def defs_act_spec[]; /* act_spec.c: speculations */
extern const struct def defs_stack[];	 /* stack.c: stack, caller, sym, func... */
extern const struct def defs_agg[];	 /* agg_*.c: aggregating functions */
extern const struct def defs_agg_quant[];

struct act;
struct fmt_ctx;
struct program_set;

/* sub_str.c: where a routine may put its result: d itself, or a temporary that str_deliver()
 * copies to d. */
struct str_dest str_result_at(struct gen *g, const struct str_dest *d);
void str_deliver(struct gen *g, const struct str_dest *t, const struct str_dest *d);

/* sub_kern.c: the offset of a member of a member ("d_name.len") in a structure of the kernel; an
 * error when there is no such. */
uint32_t kern_offset(struct sema *s, struct node *n, const char *type, const char *path);

/* act.c: what actions with a format have in common with printf. */
void act_format_check(struct sema *s, struct node *n);
int act_format_gen(struct gen *g, struct node *n);
/* 0 or -errno of the output, which is the context's. */
int act_format_print(struct fmt_ctx *ctx, const struct act *act, const uint8_t *data);

/* act_spec.c: speculations that ended when the ring was full: of this identifier (1 there is one,
 * 0 not, -1 no such identifier); it is free again when dtrace says so. */
int spec_left_end(const struct program_set *set, int id, uint32_t *tag, bool *commit);
void spec_free_id(struct program_set *set, int id);

/* act_spec.c: their maps, and routines of programs that use them */
void spec_describe_maps(struct codegen *cg);
struct ir *gen_spec_claim_routine(struct codegen *cg);
struct ir *gen_speculation_routine(struct codegen *cg);
struct ir *gen_speculating_routine(struct codegen *cg);
struct ir *gen_spec_end_routine(struct codegen *cg);

/* stack.c: dt_machinery(address): is it in a function that is there only because we trace? The
 * table that it looks into is made when all programs are. */
void gen_machinery_table(struct codegen *cg);
struct ir *gen_machinery_routine(struct codegen *cg);
/*
 * stack_orc.c: the frames of the kernel's stack by its unwinding tables (bpf/rt_orc.h), at most n,
 * to an offset in the slot, without those of tracers; words up to n are 0 after them. Returns a
 * register with their number, negative when bpf_get_stack() has to take them; or -1 where that
 * always has to. tracers: stacks of the hook may begin with such frames.
 */
int stack_orc_take(struct gen *g, uint32_t to, int n, bool tracers);
/* After that was ORC_LEARN: learns from the frames that the kernel returned, from that on which
 * called the program or its trampoline; their offset and number are registers. full: there may be
 * more, a register with 0 or 1. */
void stack_orc_learn(struct gen *g, int frames, int n, int full);
/* -x kstack=check: compares what take left at an offset with n words at want, a pointer, of which
 * depth (a register; at most n) are frames. */
bool stack_orc_checks(struct gen *g);
void stack_orc_check(struct gen *g, int fast, uint32_t have, int n, int depth, int want);
/* ustack.c: dt_process(): records of this process's addresses are about to be written. */
struct ir *gen_process_routine(struct codegen *cg);

extern const struct def defs_uregs[]; /* uregs.c: the process's registers */
/* One of them: a word of struct pt_regs. UREG_THIRD: as in struct machine_unwind. */
enum ureg { UREG_PC, UREG_SP, UREG_FP, UREG_THIRD = -1 };
int gen_ureg(struct gen *g, enum ureg which);
extern const struct def defs_ustack[]; /* ustack.c: the process's stack and symbols */

/* stack.c: the frames that the running kernel records of a stack (perf_event_max_stack), at most
 * most. */
int stack_limit(int most);

/* stack.c: of functions that print their value where they are statements. */
int act_print_value(struct consume *c, const struct act *act, const uint8_t *data);

#endif
