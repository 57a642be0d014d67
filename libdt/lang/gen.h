/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code generation: typed trees to IR. One struct gen makes one program: a list of clauses for one
 * hook.
 *
 * Values. An integer or a pointer of D is a number in a register, extended to 64 bits as its type
 * says. What the verifier calls a pointer (context, map memory, record, scratch) is never a D
 * value: it is an address inside struct place or struct str, and gen_address() turns it into a
 * number where D asks for one.
 *
 * Strings are text in memory, laid out as bpf/rt.h says. An expression of type string is either
 * somewhere already (variable, literal) or is produced into a destination (struct str_dest), so
 * that copyinstr() as a printf argument is one helper call straight into the record.
 *
 * Faults. A check that fails jumps to a stub which loads the fault and its value and goes to the
 * end of the clause, where the record is discarded and an error record written; then the next
 * clause runs.
 */
#ifndef DT_GEN_H
#define DT_GEN_H

#include "bpf/ir.h"
#include "bpf/rt.h"
#include "bpf/rt_unwind.h"
#include "libdt/abi/control.h"
#include "libdt/lang/clause.h"
#include "libdt/lang/sema.h"
#include "libdt/opt.h"

#define SCRATCH_MEMORY \
	(32 << 20) /* bytes that the default of scratchsize may take for all of them */

/* What programs that serve many probes know of each: where the texts of its names are, in words
 * of 8 bytes, and struct probe's id and where. */
struct name_row {
	uint32_t at[4], id, where;
};

/* What a selector's number means, in either mode of its target: index of the probe + 1; 0: none. */
struct selected {
	uint32_t probe[2];
};

/* What all programs of a session share: maps, layouts, routines wanted. Owned by the plan. */
struct shared {
	struct arena *arena;
	struct diag *diag;
	struct types *types;
	struct feats *feats;
	struct opts *opts;
	struct sema *sema;
	struct syms_of_script *syms;
	struct syms *ksyms; /* the kernel's */
	/* builtin/stack.c: bits of the hooks whose stacks may have machinery; the table */
	unsigned tracer_frame_hooks;
	uint32_t machinery_off; /* of it, in the literals' memory; and its size as a power of two */
	int machinery_bits;
	int ncpus;
	struct cpu_range cpus[CPU_RANGES]; /* -x cpu */
	int ncpu_ranges;		   /* 0: all */
	bool has_cgroup;		   /* -x cgroup */
	int cgroup;			   /* its directory, open; -1 */
	struct map cgroups;		   /* it alone */
	uint32_t strsize;
	struct map ctl, ring, globals, lits, scratch, self, aggmem, probetab, vtime;
	struct map clocks; /* for the profile provider: a u64 for each probe on the clock and CPU */
	struct map sockets;   /* socket -> process that used it: see builtin/sub_net.c */
	struct map processes; /* those that user addresses were recorded of: see builtin/ustack.c */
	struct map specs, spec_tags; /* of speculations: see builtin/act_spec.c */
	struct strbuf lit_bytes;     /* contents of the literals' memory */
	struct hash lit_index;	     /* text -> offset + 1 */
	uint32_t slot_size;	     /* the largest that any program needs */
	VEC(const char *) routines;  /* names wanted, each once */
	struct rt *rt;
	struct name_row *name_rows; /* probetab: these, and from name_pool_start() on the texts */
	struct strbuf name_pool;
	struct hash name_seen; /* text -> where in the pool, plus one */
	/* bytes of the longest text; where the pool's space for texts ends, in words of 8 bytes */
	uint32_t name_width[4], name_last;
	int nclocks;
	bool preempted_known, preempted; /* raw tracepoints: see choose.c */
	bool where_tried, where_known;
	struct hook_where where; /* kernel addresses for programs that identify probes by address */
	uint32_t sink_off;	 /* in the globals' memory: takes stores that cannot be made */
	bool uses_vtime, uses_self, uses_ring, uses_pages, uses_direct, uses_topology, uses_unwind;
	/* a clause of ERROR has exit() without a condition: a fault ends tracing */
	bool error_ends;
	bool ordered;  /* records are sorted by time: each has one */
	bool early;    /* some read the clock before they are reserved */
	bool locks;    /* a probe may fire while a map of ours is locked: see provider/locks.c */
	bool sleepers; /* programs that may sleep have aggregations */
	bool unwinds;  /* stacks of processes by tables: see run/unwind.c */
	struct rt_unwind unwind;
	struct map unwind_rows, unwind_spaces, unwind_files, unwind_cache;
	bool follows; /* -x follow, and there are probes that it is for */
	/* of these: process -> the process that the probes are of; see run/follow.c */
	struct map followed;
	VEC(struct probe *) probes; /* enabled ones, by index */
	/* Probes of files that are mapped later (run/late.c): their maximum number, the first index
	 * and the size of a row. */
	uint32_t late_max, late_first, late_row_size;
	struct map late;
};

/*
 * A row of the map of late probes: which of the program's clauses are theirs (a bit each, in
 * words of 64), followed by a struct late_arg for each argument.
 */
static inline uint32_t late_words(int nclauses)
{
	return (nclauses + 63) / 64;
}

/* Rows of names, including those of late probes; and the offset of the texts after them. */
uint32_t name_rows(const struct shared *sh);
uint32_t name_pool_start(const struct shared *sh);

struct str {
	int ptr; /* register with a verifier pointer */
	int off;
	uint32_t bound;	 /* bytes that may be read from it; its size as a string with NUL */
	const char *lit; /* literal text, when it is one */
	uint32_t lit_len;
	bool is_null; /* the constant NULL */
	int slot_off; /* >= 0: it lies in the scratch slot at this offset */
};

struct str_dest {
	int ptr, off;	/* verifier pointer and offset */
	uint32_t bound; /* maximum size of the text with its NUL */
	/*
	 * Must follow the layout of bpf/rt.h (there are 8 bytes more after bound, rounded up to
	 * 8); otherwise only the text and its NUL are wanted (records, zeroed keys).
	 */
	bool padded;
	int slot_off; /* >= 0: lies in the scratch slot at this offset */
	bool
	    /* all of it is zero before text is put there, so nothing needs to be cleared after
	     * that */
	    zeroed;
	bool
	    /* NULL is a fault: it is recorded or a key, where nothing distinguishes it from "" */
	    no_null;
};

enum place_kind {
	PLACE_REG,  /* a this-> scalar: reg is it */
	PLACE_MEM,  /* verifier pointer reg + off */
	PLACE_ADDR, /* number reg + off: kernel or user memory; written only where it is scratch */
	PLACE_NONE, /* nowhere: reads as zero */
};

struct place {
	enum place_kind kind;
	int reg;
	int64_t off;
	const struct type *type;
	unsigned space; /* of a number: as type_space() has it */
	/* bit-field when bits != 0; in packed structs it may end past its type's size */
	uint32_t bit_off, bits;
	struct sym *element; /* of this array, one of the thread's own; its key: */
	int key, key_off;
};

/* Where a struct, a stack, an array is. */
enum block_kind {
	BLOCK_MEM,    /* verifier pointer ptr + off */
	BLOCK_NUMBER, /* number ptr + off: kernel or user memory; reading it may fault */
	BLOCK_ZERO,
};

struct block {
	enum block_kind kind;
	int ptr;
	int64_t off;
	uint32_t size;
	unsigned space; /* of a number */
};

/* A fault whose code is at the end of the clause. */
struct fault_stub {
	int label;
	enum fault fault;
	int value; /* register, or -1: imm */
	int64_t imm;
	int site;
	bool has_rec; /* a record was reserved */
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

struct gen {
	struct shared *sh;
	struct ir *ir;
	struct sema *sema;
	struct arena *arena;
	const struct hook *hook;
	enum hook_kind hook_kind;
	struct probe *probe; /* the one probe of the program, or the first of many */
	struct probe *const *probes;
	int nprobes;
	struct clause *clause; /* at hand */
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

	bool locks; /* a probe of the program may fire while a map of ours is locked */
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
	uint32_t temp_base;
	VEC(int) frames;	 /* stack frames to free at the end of the statement */
	bool may_sleep;		 /* pages of the process may be brought in */
	bool sleeps, aggregates; /* found out in the first pass */
	/* found out in the first pass */
	bool want_slot, want_self, want_alloc, want_slack, want_cpu;
	VEC(struct memo) memos; /* values fetched once: builtins by name */
	int memo_floor;		/* memos from here on die at the end of the conditional region */
	bool conditional;
};

/*
 * One program for these clauses; nprobes probes share it. Returns the main function's IR; sleeps:
 * it is one that may sleep. spill: for what is too large otherwise. It is slower, but its stack
 * does not grow with the program, and as the verifier does not follow values through the slot,
 * paths that differ in nothing but a variable's value are one path to it.
 */
struct ir *gen_program(struct shared *sh, enum hook_kind hook, struct clause *const *clauses,
		       int nclauses, struct probe *const *probes, int nprobes,
		       struct map *select_table, bool spill, bool *sleeps);

/* The routines that every program may call: dt_drop(kind) and dt_error(clause, probe, site,
 * fault, value). */
struct ir *gen_drop_routine(struct shared *sh);
struct ir *gen_error_routine(struct shared *sh);
/* dt_machinery(address): is it in a function that is there only because we trace?
 * (builtin/stack.c). The table that it looks into is made when all programs are generated. */
void gen_machinery_table(struct shared *sh);
struct ir *gen_process_routine(struct shared *sh);
struct ir *gen_machinery_routine(struct shared *sh);

/* Speculations that ended when the ring was full (builtin/act_spec.c): of this identifier (1
 * there is one, 0 not, -1 no such identifier); it is free again when dtrace says so. */
int spec_left_end(struct shared *sh, int id, uint32_t *tag, bool *commit);
void spec_free_id(struct shared *sh, int id);

/* Expressions. */
int gen_expr(struct gen *g, struct node *n);	/* scalar value */
void gen_effect(struct gen *g, struct node *n); /* for its effects only */
/* jump when truth of n == sense */
void gen_branch(struct gen *g, struct node *n, bool sense, int label);
struct place gen_place(struct gen *g, struct node *n); /* where an lvalue is */
int gen_load(struct gen *g, const struct place *p);
void gen_store(struct gen *g, const struct place *p, int value);
/* Address of an lvalue, array or struct as a number. */
int gen_addr_of(struct gen *g, struct node *n);

/* Of an N_CHOICE the tree for the probe at hand; other nodes as they are. */
struct node *gen_chosen(struct gen *g, struct node *n);
void gen_fit(struct gen *g, int r, const struct type *t);
int gen_copy(struct gen *g, int r);
/* For a number that was just compared and is at most so much. Where the verifier knows its low
 * bits, too (a multiple of 32 that is below 20), the path is one that is never taken; 5.10, and
 * kernels from 6.8 on, lose track of the number there and refuse what is done with it. */
void gen_bounded(struct gen *g, int r, uint64_t most);
/* Makes a number, taken as unsigned, that much at most; of an int. */
void gen_at_most(struct gen *g, int r, uint32_t most);

/* Strings. */
struct str gen_str(struct gen *g, struct node *n); /* somewhere in memory */
struct str gen_str_slot(struct gen *g,
			struct node *n); /* in the scratch slot (slot_off >= 0): for routines */
void gen_str_into(struct gen *g, struct node *n, const struct str_dest *d);
void gen_str_copy(struct gen *g, const struct str *s, const struct str_dest *d);
/* Reserves space for a string in the slot, until the end of the statement. */
struct str_dest gen_temp_str(struct gen *g);
/* Copies size bytes (a register) at a number in such a place to a verifier pointer; faults where
 * that cannot be read. */
void gen_fetch(struct gen *g, unsigned space, int to, int size, int addr);
/* Has the pages brought in that bytes at this number are in; only where the program may sleep. */
void gen_bring_in(struct gen *g, int addr, uint32_t bytes);
/* Text at a number, in such a place, at most size bytes of it, NUL included (register of
 * 1..d->bound; -1: d->bound); a bad address faults. */
void gen_str_fetch(struct gen *g, int addr, unsigned space, int size, const struct str_dest *d);
/* After a helper that put n bytes (NUL included, in register len, 1 <= len <= bound) at d: pads
 * as d wants. */
void gen_str_padded(struct gen *g, const struct str_dest *d, int len);
void gen_str_null(struct gen *g, const struct str_dest *d); /* a fault where d may not be NULL */
/* Jumps to label when the string is NULL (a fault for most functions: see gen_str_check). */
void gen_str_is_null(struct gen *g, const struct str *s, int label);
/* Faults with FAULT_BADADDR 0 when the string is NULL. */
void gen_str_check(struct gen *g, const struct str *s);

/* Blocks: values in memory (gen_block.c). */
struct block gen_block(struct gen *g, struct node *n);
void gen_block_into(struct gen *g, struct node *n, int ptr, int64_t off, uint32_t size);
void gen_zero(struct gen *g, int ptr, int64_t off, uint32_t size);

/* Faults: the clause ends when the condition holds. value may be -1 for the constant imm. */
void gen_fault_if(struct gen *g, int cond, int a, int64_t imm, enum fault f, int value,
		  int64_t value_imm);
void gen_fault_always(struct gen *g, enum fault f, int value, int64_t value_imm);
/* only a label may follow it */
void gen_fault_here(struct gen *g, enum fault f, int value);

/* What providers and defs use. */
struct ir *gen_ir(struct gen *g);
int gen_ctx(struct gen *g);
int gen_imm(struct gen *g, int64_t v); /* register with a constant */
const struct opts *gen_opts(struct gen *g);
int gen_probe_where(struct gen *g);	 /* of the probe that fires, struct probe's where */
int gen_address(struct gen *g, int ptr); /* verifier pointer to number */
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
uint32_t shared_literal(struct shared *sh, const void *bytes, uint32_t len, uint32_t align);
int gen_literal(struct gen *g, const void *bytes, uint32_t len);
/* A value that is the same during the whole firing: looked up under a key, or -1. */
int gen_memo_find(struct gen *g, const void *key, int64_t sub);
void gen_memo_add(struct gen *g, const void *key, int64_t sub, int reg);
int gen_monotonic(struct gen *g);
/* Whether the firing may have read the monotonic clock already. */
bool gen_clock_read(const struct gen *g);
int gen_timestamp(struct gen *g); /* D's: by -x clock */
/* Begins and ends a region that may be skipped. */
struct region {
	int floor;
	int self_state;
	bool conditional;
};
struct region gen_enter(struct gen *g);
void gen_leave(struct gen *g, struct region r);

/* Record fields (of the act in n->aux... set by act_new). */
struct act *gen_act(struct gen *g, struct node *call);
/* Evaluates an expression into recorded value i of the action. */
void gen_record(struct gen *g, const struct act *act, int i, struct node *n);
/* Marks an action as carried out, when it needs that. */
void gen_act_done(struct gen *g, const struct act *act);

#endif
