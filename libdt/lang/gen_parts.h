/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files gen_*.c offer to each other and to the builtins, beside gen.h. */
#ifndef DT_GEN_PARTS_H
#define DT_GEN_PARTS_H

#include "libdt/lang/gen.h"

bool gen_is_variable(const struct node *n);
/* Where a store of size bytes through a pointer of D goes: only into memory that is the firing's
 * own; other addresses fault. */
struct place gen_scratch_place(struct gen *g, const struct place *p, uint32_t size);
/* gen_var.c: where variables are; a thread's are made when they are not there. */
struct place gen_var_place(struct gen *g, struct sym *sym);
int gen_var_load(struct gen *g, struct sym *sym);
int gen_self_store(struct gen *g, struct sym *sym, struct node *value);
/* A string variable for reading: NULL's text where it does not exist. */
struct str gen_var_str(struct gen *g, struct node *n);
void gen_str_assign(struct gen *g, struct node *n);
/* Register with the address of a byte of the globals' memory. */
int gen_global_addr(struct gen *g, uint32_t off);
/* Memory that is never read: for stores to what could not be made. */
int gen_sink(struct gen *g);
bool gen_is_zero(const struct node *n);

/* gen_key.c */
struct key {
	int ptr, off; /* where it was built */
};
/* Space for a key, until the end of the statement. */
struct key gen_key_buffer(struct gen *g, uint32_t size);
/* Builds the tuple after start bytes that the caller fills; all of it is written, gaps too. */
void gen_key_tuple(struct gen *g, const struct key *k, uint32_t start, const struct tuple *tu,
		   struct node *list);
int gen_key_addr(struct gen *g, const struct key *k);
/* Verifier pointer to the value, or NULL. */
int gen_key_lookup(struct gen *g, struct map *map, const struct key *k);
/* Registers with 0 or -errno; value: a verifier pointer. */
int gen_key_update(struct gen *g, struct map *map, const struct key *k, int value, int flags);
void gen_key_delete(struct gen *g, struct map *map, const struct key *k);

/* gen_assoc.c: an element is made when it is not there. When it cannot be made a drop is counted,
 * and the place is the sink. */
struct place gen_assoc_place(struct gen *g, struct node *n);
/* Deletes what became zero: an element that only its thread writes. Others may be written by
 * another CPU just now. */
void gen_assoc_tidy(struct gen *g, const struct place *p);
int gen_assoc_load(struct gen *g, struct node *n);
int gen_assoc_store(struct gen *g, struct node *lv, struct node *value);
/* Verifier pointer to an array's element, or NULL; and the end of one. */
int gen_assoc_lookup(struct gen *g, struct node *n);
void gen_assoc_delete(struct gen *g, struct node *n);

/* gen_aggr.c */
void gen_aggregate(struct gen *g, struct node *n);

/* gen_block.c */
void gen_block_assign(struct gen *g, struct node *n);
void gen_block_branch(struct gen *g, struct node *n, bool sense, int label);

/* gen_str.c */
/* Does the kernel forbid to read its memory? The helpers that do, which are the fastest to copy
 * with, are refused then. */
bool gen_lacks_reading(const struct gen *g);
int gen_str_address(struct gen *g, struct node *n); /* 0 for NULL */
void gen_str_compare(struct gen *g, enum op op, struct node *a, struct node *b, int label);
void gen_str_branch(struct gen *g, struct node *n, bool sense, int label);
/* Register with the address of strsize + 16 zero bytes. */
int gen_zeroes(struct gen *g);

/* gen_args.c */
/* Argument n of the probe, or (below) of the one that it is another view of; 0 if it has none. */
int gen_arg(struct gen *g, bool below, int n);
/* Fetches those that the last pass found to be dear. */
void gen_early_args(struct gen *g);
/* Finds out which are to be fetched before the first clause; whether there are more than this pass
 * had. */
bool gen_plan_early_args(struct gen *g);

/* gen_clause.c */
/* The n-th of the program. */
void gen_clause(struct gen *g, struct clause *c, int n);
/* The clause is left, and its record (register) not sent. */
void gen_record_drop(struct gen *g, int rec);

/* gen_firing.c: each jumps to out when the firing is not for the program. */
/* Sets g->probe_index and g->late_row; part_no: a register for the number of the part of the
 * program that has the probe's clauses, or -1. */
void gen_find_probe(struct gen *g, struct map *table, int part_no, int out);
/* -x cpu, by g->cpu */
void gen_only_cpus(struct gen *g, int out);
/* -x cgroup: does the firing come from a process of the group or of one below? */
void gen_only_cgroup(struct gen *g, int out);

/* gen_thread.c */
/* Address of the current thread's sum of time on CPU, made when it is not there; may be NULL. */
int gen_vtime_sum(struct gen *g, int cpu);
/* vtimestamp */
int gen_vtimestamp(struct gen *g);
/* Are self-> variables in the task's storage, or else in a hash by thread? */
bool gen_self_in_tasks(const struct codegen *cg);
/* The thread's variables: looked up again, made when create is set; may be NULL. */
int gen_self_lookup(struct gen *g, bool create);
/* The same in g->self, looked up now if it has not been; NULL is possible while g->self_state is
 * not 2. */
int gen_self(struct gen *g);
/* A word of them by functions, size bytes at off: 0 when there are none. A value that is not 0
 * makes them. */
int gen_self_get(struct gen *g, uint32_t off, uint32_t size);
void gen_self_set(struct gen *g, uint32_t off, uint32_t size, int value);
/* A number that identifies a thread: its id; for idle threads one for each CPU. */
int gen_thread_key(struct gen *g);
/* A struct rec_thread, in one word. number: the thread's, a register; -1: its id. */
int gen_thread_recorded(struct gen *g, int number);

#endif
