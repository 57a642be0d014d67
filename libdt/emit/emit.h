/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building blocks of programs, for providers and for the compiler: values that are the same during
 * a firing, memory, faults, routines, the clock. What they need is in struct gen, of which there is
 * one for each program. Nothing here looks at trees or clauses.
 */
#ifndef DT_EMIT_H
#define DT_EMIT_H

#include "bpf/ir.h"
#include "bpf/rt.h"
#include "grammar/node.h"
#include "libdt/abi/control.h"
#include "libdt/image/program.h"
#include "libdt/opt.h"

struct builtins; /* lang/def.h */
struct clause;
struct sema;
struct sym;
struct syms;
struct syms_of_script;
struct type;
struct types;

#define SCRATCH_MEMORY \
	(32 << 20) /* bytes that the default of scratchsize may take for all of them */

/* Where variables are. */
struct var_storage {
	uint32_t globals_size, self_size;
	bool addressed[3]; /* by enum scope: of some variable the address is taken */
};

/* What the generation of all programs of a session has in common. Owned by the plan. */
struct codegen {
	struct arena *arena;
	struct diag *diag;
	struct types *types;
	struct feats *feats;
	struct opts *opts;
	struct sema *sema;
	struct syms_of_script *syms;
	const struct var_storage *storage; /* their variables */
	struct syms *ksyms;		   /* the kernel's */
	struct program_set *set;
	const struct builtins *builtins;
	/* builtin/stack.c: bits of the hooks whose stacks may have machinery; the table */
	unsigned tracer_frame_hooks;
	uint32_t machinery_off; /* of it, in the literals' memory; and its size as a power of two */
	int machinery_bits;
	bool orc_tried; /* set->orc has been looked for */
	uint32_t strsize;
	struct strbuf lit_bytes;       /* contents of the literals' memory */
	struct hash lit_index;	       /* text -> offset + 1 */
	uint32_t slot_size;	       /* the largest that any program needs */
	VEC(const char *) routines;    /* names wanted, each once */
	VEC(struct ir *) own_routines; /* of them, those that clauses made for this script */
	/* those that look up the thread's variables, and (1) make them; or NULL */
	struct ir *self_routines[2];
	struct rt *rt;
	int nclocks;
	bool preempted_known, preempted; /* raw tracepoints: see plan/choose.c */
	bool where_tried, where_known;
	struct hook_where where; /* kernel addresses for programs that identify probes by address */
	uint32_t sink_off;	 /* in the globals' memory: takes stores that cannot be made */
	bool uses_vtime, uses_self;
	/* a clause of ERROR has exit() without a condition: a fault ends tracing */
	bool error_ends;
	bool locks; /* a probe may fire while a map of ours is locked: see provider/locks.c */
	/* -x maxcpu: rows of shared_maps.sampling; that of the program at hand, -1: it is never
	 * sampled */
	int sample_rows, sample_row;
};

/* A fault whose code is at the end of the clause. */
struct fault_stub {
	int label;
	enum fault fault;
	int value; /* register, or -1: imm */
	int64_t imm;
	int site;
	bool has_rec;	/* a record was reserved */
	bool of_kernel; /* a read of the kernel's memory failed */
};

struct memo {
	const void *key;
	int64_t sub;
	int reg;
};

struct slot_static {
	const void *key;
	uint32_t off; /* from static_base */
};

/* Of a clock, which stands still in one firing. */
struct reading {
	int reg; /* 0 until the first use; -1 while only one place uses it */
	int uses;
	int begins; /* register of a reading before the first clause, -1: there is none */
};

enum { EARLY_ARGS = 10 }; /* arguments from the first on that may be fetched early */

struct gen {
	struct codegen *cg;
	struct program_set *set; /* cg's */
	struct ir *ir;
	struct sema *sema;
	struct arena *arena;
	const struct hook *hook;
	enum hook_kind hook_kind;
	struct probe *probe; /* the one probe of the program, or the first of many */
	struct probe *const *probes;
	int nprobes;
	struct clause *clause; /* at hand */
	struct loc loc;	       /* of it */
	int site;	       /* of the node at hand, among the clause's places */

	int ctx; /* register: context */
	/* register: HOOK_FMODRET: what the function is to return, 0: it runs; -1 on other
	 * hooks */
	int result;
	int probe_index; /* register: index among the enabled probes; -1 when constant */
	int late_row;	 /* register: of a program for probes that are met later, their row; -1 */
	/* register: the result of the provider's mode(), for those that no branch refined; -1 where
	 * unused */
	int mode;
	int cpu;	     /* register or -1 */
	struct reading time; /* of the monotonic clock: records, vtimestamp, ... */
	/* of the clock that timestamp shows, where that is another one (-x clock) */
	struct reading shown;
	int generation;	   /* register or -1 */
	int slot, slot_no; /* registers: scratch slot and its number; -1 when not claimed */
	int self;	   /* register: thread's storage, may hold NULL; -1 */
	int self_state;	   /* 0 unknown, 1 looked up, may be NULL; 2 there */
	int alloc_off;	   /* register: bytes taken in the slot's dynamic area; -1 */
	int rec;	   /* register: record of the clause at hand; -1 */
	int *this_regs;	   /* of this-> scalars by sym index; -1 not yet */

	enum sample_scope sample_scope;
	bool sampled; /* the clause at hand is */
	/* registers: the logarithm; SAMPLE_SOME: not 0: the firing does not count */
	int sample_shift, sample_skip;

	bool locks; /* a probe of the program may fire while a map of ours is locked */
	bool many;  /* clauses: see gen_condition() */
	bool calls; /* so many that functions add to aggregations: in_routine() in gen_aggr.c */
	bool spill; /* variables, keys and texts are in the slot: no registers, hardly a stack */

	uint32_t temp_top, temp_max; /* static part of the slot: high-water marks */
	uint32_t this_base;	     /* slot offset of this-> strings and structs */
	uint32_t dyn_base, dyn_size; /* slot offset and size of the dynamic area */
	uint32_t
	    dyn_fixed; /* bytes of the allocations of constant size, found out in the first pass */
	uint32_t static_base, static_size; /* what lives as long as the firing: see gen_static() */
	VEC(struct slot_static) statics;   /* kept from the first pass to the second */

	int l_next; /* label: end of the clause at hand */
	VEC(struct fault_stub) stubs;

	/* DEF_AGG's gen: register with a verifier pointer to the value words, and ... */
	int agg_value;
	int agg_off; /* ... offset */
	struct sym *agg_sym;
	int agg_args[2]; /* registers: the value and the increment, evaluated */

	int slot_bit; /* register: our bit in the CPU's busy word */
	/* register: the CPU's part of the control memory; -1 when no slot is claimed */
	int part;
	VEC(int) frames;	 /* stack frames to free at the end of the statement */
	bool may_sleep;		 /* pages of the process may be brought in */
	bool sleeps, aggregates; /* found out in the first pass */
	/* found out in the first pass */
	bool want_slot, want_self, want_alloc, want_slack, want_cpu;
	/* of the probe, and of the one below (gen_args.c): how many places fetch a dear one, and
	 * bits of those that are fetched before the first clause, found out in the first pass */
	uint16_t dear_args[2][EARLY_ARGS], early_args[2];
	VEC(struct memo) memos; /* values fetched once: builtins by name */
	int memo_floor;		/* memos from here on die at the end of the conditional region */
	bool conditional;
};

/* Numbers. Cuts a register to the size and sign of a type: */
void gen_fit(struct gen *g, int r, const struct type *t);
/* The routines that every program may call: dt_drop(kind), dt_error(clause, probe, site, fault,
 * value) and dt_fills(). */
struct ir *gen_drop_routine(struct codegen *cg);
struct ir *gen_error_routine(struct codegen *cg);
struct ir *gen_fills_routine(struct codegen *cg);
int gen_copy(struct gen *g, int r);
/* For a number that was just compared and is at most so much. Where the verifier knows its low
 * bits, too (a multiple of 32 that is below 20), the path is one that is never taken; 5.10, and
 * kernels from 6.8 on, lose track of the number there and refuse what is done with it. */
void gen_bounded(struct gen *g, int r, uint64_t most);
/* Makes a number, taken as unsigned, that much at most; of an int. */
void gen_at_most(struct gen *g, int r, uint32_t most);

/* Copies size bytes (a register) at a number in such a place to a verifier pointer; faults where
 * that cannot be read. */
void gen_fetch(struct gen *g, unsigned space, int to, int size, int addr);
/* Has the pages brought in that bytes at this number are in, of root's processes and those of
 * dtrace's user, or with -x fuse of all; only where the program may sleep. */
void gen_bring_in(struct gen *g, int addr, uint32_t bytes);
/* Faults: the clause ends when the condition holds. value may be -1 for the constant imm. */
void gen_fault_if(struct gen *g, int cond, int a, int64_t imm, enum fault f, int value,
		  int64_t value_imm);
/* FAULT_BADADDR when the condition holds: such memory cannot be read at the number in addr. */
void gen_fault_read(struct gen *g, int cond, int a, int64_t imm, unsigned space, int addr);
void gen_fault_always(struct gen *g, enum fault f, int value, int64_t value_imm);
/* only a label may follow it */
void gen_fault_here(struct gen *g, enum fault f, int value);

/* What providers and defs use. */
struct ir *gen_ir(struct gen *g);
int gen_ctx(struct gen *g);
int gen_imm(struct gen *g, int64_t v); /* register with a constant */
const struct opts *gen_opts(struct gen *g);
/* Address of the row of names of the probe that fires; jumps to out when it has none. */
int gen_probe_row(struct gen *g, int out);
/* A number of it, at an offset; own: what it is where the program serves this probe alone. */
int gen_probe_number(struct gen *g, size_t at, uint32_t own);
int gen_probe_where(struct gen *g);	 /* of the probe that fires, struct probe's where */
int gen_address(struct gen *g, int ptr); /* verifier pointer to number */
/* size bytes at a number plus off, in such a place (type_space()); a bad address faults, or reads
 * as 0. */
int gen_read(struct gen *g, int addr, int64_t off, int size, unsigned space, bool fault);
/* a bad address faults */
int gen_read_kernel(struct gen *g, int addr, int off, int size, bool is_signed);
int gen_read_user(struct gen *g, int addr, int off, int size); /* a bad address faults */
/* argument n of a probe that is met later: struct late_arg */
int gen_late_arg(struct gen *g, int n);
int gen_peek_kernel(struct gen *g, int addr, int off, int size); /* a bad address reads as 0 */
/* The path of members from the current task, e.g. "real_parent", "tgid": offsets from the
 * kernel's types. */
int gen_task_field(struct gen *g, const char *const *path, int npath);
/* The modes in which the program's probes have numbers: bits 1 and 2. */
unsigned gen_modes(const struct gen *g);
int gen_routine(struct gen *g, const char *name, int nargs, const int *args);
int gen_slot(struct gen *g); /* scratch slot's pointer */
int gen_slot_no(struct gen *g);
/* offset in the slot of size bytes, until the end of the statement */
uint32_t gen_temp(struct gen *g, uint32_t size);
/* Offset in the slot of size bytes that live as long as the firing, the same for each use of a
 * key; the first 16 are zero when it begins. */
uint32_t gen_static(struct gen *g, const void *key, uint32_t size);
/* size bytes (a register with the value of size_arg) of the dynamic area, or a NOSCRATCH fault;
 * returns the offset in the slot. The area holds all constant sizes of the program, and -x
 * scratchsize for the others. */
int gen_alloca(struct gen *g, const struct node *size_arg, int size);
/* The same, for bytes that a NUL follows. */
int gen_alloca_text(struct gen *g, const struct node *size_arg, int size);
enum { DYN_GUARD = 8 };	   /* bytes in front of it that are not used */
#define DYN_MAX (1u << 20) /* most that constant sizes add to it */
/* A number of D's as a pointer into the dynamic area, to size bytes (register; -1: the constant
 * bytes, which may also be in a variable whose address is taken); other addresses fault. */
int gen_scratch_ptr(struct gen *g, int addr, int size, uint32_t bytes);
int gen_cpu(struct gen *g);
/* Offset in the literals' memory of these bytes, added when new; register with their address. */
uint32_t codegen_literal(struct codegen *cg, const void *bytes, uint32_t len, uint32_t align);
int gen_literal(struct gen *g, const void *bytes, uint32_t len);
/* A value that is the same during the whole firing: looked up under a key, or -1. */
int gen_memo_find(struct gen *g, const void *key, int64_t sub);
void gen_memo_add(struct gen *g, const void *key, int64_t sub, int reg);
void gen_memo_drop(struct gen *g, const void *key); /* whatever its sub */
int gen_monotonic(struct gen *g);
/* Whether the firing may have read the monotonic clock already. */
bool gen_clock_read(const struct gen *g);
int gen_timestamp(struct gen *g); /* D's: by -x clock */
/* From here on the next use fetches them again. */
void gen_clock_moves(struct gen *g);
/* Begins and ends a region that may be skipped. */
struct region {
	int floor;
	int self_state;
	bool conditional;
};
struct region gen_enter(struct gen *g);
void gen_leave(struct gen *g, struct region r);

/* Also for the compiler: */
/* Faults when size bytes (a register) at this number are in the dynamic area, but not all of them
 * allocated. */
void gen_check_read(struct gen *g, int addr, int size);

/* A stack frame until the end of the statement. */
int gen_frame(struct gen *g, int size);
/* The slot's address as a number. */
int gen_slot_address(struct gen *g);
/* In the prologue, when the slot is there. */
void gen_mem_begin(struct gen *g);

/* The slot becomes this invocation's own (g->slot, may be NULL), and is given back; jumps to
 * busy_out when all are taken. */
void gen_slot_claim(struct gen *g, int part, int busy_out);
void gen_slot_release(struct gen *g, int part);

int gen_ctl_addr(struct ir *ir, struct codegen *cg, uint32_t off);
/* What makes an address of a struct page (libdt/engine/direct_map.h); 0: it is not known. */
int gen_pages(struct gen *g);
/* Address of a CPU's part of the control memory; jumps to out on a CPU that we do not know. */
int gen_cpu_part(struct ir *ir, struct codegen *cg, int cpu, int out);
void gen_drop(struct gen *g, enum drop kind);
/* From here on the clause may be left: what is remembered later is not there for the next
 * clause. */
void gen_may_leave(struct gen *g);
void gen_want_routine(struct codegen *cg, const char *name);
bool gen_routine_wanted(const struct codegen *cg, const char *name);
/* Reserves a record in the ring (may be NULL), and the flags to submit it with. */
int gen_ring_reserve(struct ir *ir, struct codegen *cg, uint32_t size);
/* The same for a record that is a header only, of a REC_ kind and otherwise zero; jumps to full
 * where the ring is full. */
int gen_ring_header(struct ir *ir, struct codegen *cg, uint32_t kind, int full);
int gen_wake_flags(struct ir *ir, struct codegen *cg);

#endif
