/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes and providers. A probe table is filled on demand: probes_match() asks the providers for
 * what fits a description. Ids are the same in every run of one boot: each provider derives them
 * from what the kernel numbers already (system call numbers, event ids) inside a range of its
 * own.
 */
#ifndef DT_PROBE_H
#define DT_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "libdt/base/diag.h"
#include "libdt/base/hash.h"
#include "libdt/base/mem.h"
#include "libdt/image/probe.h"
#include "libdt/type/type.h"

struct compat;
struct opts;
struct gen;
struct probes;
struct foreign;
struct stable_probe;
struct syms;

/* A probe description, split at its colons; an empty field matches everything. */
struct pdesc {
	const char *prov, *mod, *func, *name; /* never NULL */
	/* not 0: by number, and the rest is empty; id_last is the end of a range (== id for
	 * one) */
	uint32_t id;
	uint32_t id_last;
	/* names mean what they mean on other systems (prov.h); NULL: they are exact */
	const struct compat *compat;
};

/* Stability attributes, as dtrace -v prints them. */
enum stability {
	STAB_INTERNAL,
	STAB_PRIVATE,
	STAB_OBSOLETE,
	STAB_EXTERNAL,
	STAB_UNSTABLE,
	STAB_EVOLVING,
	STAB_STABLE,
	STAB_STANDARD
};
enum depclass { CLASS_UNKNOWN, CLASS_CPU, CLASS_PLATFORM, CLASS_GROUP, CLASS_ISA, CLASS_COMMON };
struct attr {
	uint8_t name, data, class; /* enum stability, stability, depclass */
};

struct provider {
	/* "syscall"; also what a description's provider field is matched against */
	const char *name;
	struct attr attr_provider, attr_module, attr_function, attr_name, attr_args;
	/* For names that are made as they are met ("pid123"): is this provider field one of its
	 * own? NULL: only name is. */
	bool (*owns)(const char *prov);
	/* The same for a description's provider field and a probe of its; NULL: as a pattern of
	 * the probe's provider. */
	bool (*fits_provider)(const struct probe *p, const char *pattern);
	/* Descriptions that are not of one provider (":::entry", "*:::") mean its probes in the
	 * processes of -p and -c, too. */
	bool of_processes;
	/* Does a description's module field mean the probe? NULL: as a pattern of its module's
	 * name. */
	bool (*fits_module)(const struct probe *p, const char *pattern);
	/* A probe whose names fit, and which the description does not mean all the same. NULL:
	 * none. */
	bool (*leaves_out)(const struct pdesc *pd, const struct probe *p);
	/* Puts a description into the provider's own words before it is used: names of other
	 * systems for what this one calls differently ("exece"), fields that do not count here.
	 * NULL: it is taken as it is. */
	void (*rewrite)(struct pdesc *pd);
	/* Adds to the table every probe that fits the description (probe_add), and may add more. */
	void (*provide)(struct probes *ps, const struct pdesc *pd);
	/* It is asked only for what no other provider has. */
	bool last;
	/* Fills p->args and p->nargs; called once, before they are looked at. NULL: the probes
	 * have no typed args. */
	void (*args)(struct probes *ps, struct probe *p);
	/* Emits code for argN as a 64-bit value (0 beyond the last) and returns its register.
	 * NULL: the hook's row does it. */
	int (*arg)(struct gen *g, const struct probe *p, int n);
	/* Can argN be fetched, if the probe has it? After args(). NULL: it can. */
	bool (*has_arg)(const struct probe *p, int n);
	/* What args() finds, or a declaration in the script, may say which argument argN is
	 * (arg_map). */
	bool proc_maps_args;
	/* argN is fetched alike for all probes of the provider, so that they may share a
	 * program. */
	bool uniform_args;
	/* For targets that many probes share (sys_enter): emits code for a number below nselect
	 * that identifies the one that fired (p->select), or nselect or more for none; NULL: one
	 * probe for each target. */
	int (*selector)(struct gen *g, const struct probe *p);
	uint32_t nselect;
	/* With a selector: emits code whose register has this bit (a mask) where the number is
	 * one of select[1], not of select[0]: a 32-bit program's call. Costs only firings whose
	 * number some probe has. */
	int (*mode)(struct gen *g, const struct probe *p);
	int mode_bit;
	/* After p was found: emits code whose register is 0 when this firing is not p's after
	 * all. NULL: it always is. */
	int (*guard)(struct gen *g, const struct probe *p);
	/* Its probes fire where interrupts are enabled, whatever the hook. */
	bool interrupts;
	/* Puts the probe on a hook whose programs are not preempted, for kernels where raw
	 * tracepoints' are; NULL: it has none. */
	void (*unpreempted)(struct probes *ps, struct probe *p);
	/* Probes of files that are mapped later: calls fn with a stand-in (probe_await()) for
	 * each hook on which the description may have some. NULL: it never has. */
	void (*await)(struct probes *ps, const struct pdesc *pd,
		      void (*fn)(void *arg, struct probe *p), void *arg);
	/* How the arguments of such a probe are fetched, by programs that its stand-in made.
	 * NULL: as the hook does. */
	void (*late_args)(const struct probe *standin, const struct probe *p,
			  struct late_arg args[LATE_ARGS]);
	/*
	 * Can a clause have the function return instead of running, by return() (zero: with the
	 * value 0, too)? What type it returns; else NULL, and why not: a sentence. NULL: the
	 * probes are not at the entry of a function of the kernel's.
	 */
	const struct type *(*can_return)(struct probes *ps, struct probe *p, bool zero,
					 const char **why);
	/* May the probe fire while a map of ours is locked? See locks.c. NULL: it may not. */
	bool (*locks)(const struct probe *p);
	/* Its generators load from the arguments' pointers where the hook is HOOK_TPBTF, which
	 * the plan takes instead of HOOK_RAWTP where the kernel has it: no helper call for each
	 * firing. */
	bool loads_typed;
	/* Of stable.h: the rows of its probes. */
	const struct stable_probe *table;
	/* They are counters, which scripts read many of: those that this kernel lacks are there
	 * and never fire. */
	bool counters;
	/* Of stable.h: every probe has the function in which it is. */
	bool functions;
	/* A sentence on why a description of this provider can match nothing on this kernel, or
	 * NULL. */
	const char *(*unavailable_reason)(struct probes *ps, const struct pdesc *pd);
	/* A sentence on why the kernel did not let this probe be enabled, for the error
	 * (positive) that it gave, or NULL when the error says it all. NULL: it does. */
	const char *(*refused)(struct probes *ps, const struct probe *p, int error);
};

struct probes *probes_new(struct arena *a, struct types *types, struct feats *feats);
/* Sets the reader of programs' files (process/foreign.h); NULL: no files are read. */
void probes_set_foreign(struct probes *ps, struct foreign *f);
struct foreign *probes_foreign(struct probes *ps);
void probes_free(struct probes *ps);
/* What is added, and allocated in probes_arena(), from the first call on is gone after the second
 * one, unless keep or other providers than those with await() added something: then true is
 * returned. */
void probes_mark(struct probes *ps);
bool probes_release(struct probes *ps, bool keep);
/* Other providers than those of prov.c: a list that ends with NULL. Before anything was matched. */
void probes_set_providers(struct probes *ps, const struct provider *const *list);
struct types *probes_types(struct probes *ps);
struct arena *probes_arena(struct probes *ps);
/* The same, for what stays in any case. */
struct arena *probes_kept_arena(struct probes *ps);
struct feats *probes_feats(struct probes *ps);
/* tracefs's directory, found once; NULL when there is none (why: errno text in
 * probes_tracefs_error). */
const char *probes_tracefs(struct probes *ps);
const char *probes_tracefs_error(struct probes *ps);
/* Another directory instead, before anything was matched; "" for none. For tests. */
void probes_set_tracefs(struct probes *ps, const char *path);
/*
 * A provider's own state: size bytes, zeroed when they are first asked for. The key is the name
 * of the file that owns it; free (NULL: nothing) gives back what it has outside the arena, when
 * the table is freed.
 */
void *probes_state(struct probes *ps, const char *key, size_t size, void (*free)(void *state));
/* Sets the session's options, for providers; NULL: none. Options of scripts are set before
 * descriptions are matched. */
void probes_set_opts(struct probes *ps, const struct opts *opts);
const struct opts *probes_opts(const struct probes *ps);
/* fn is called before a process is inspected: the owner of stopped processes lets them run to the
 * place where they are to be inspected (-x evaltime). */
void probes_on_process(struct probes *ps, void (*fn)(void *arg), void *arg);
void probes_meet_process(struct probes *ps);
/* The processes that the session is about (-p, -c), by number: fn returns the n-th one's, 0 after
 * the last. */
void probes_set_processes(struct probes *ps, pid_t (*fn)(void *arg, int n), void *arg);
pid_t probes_process(const struct probes *ps, int n);
/*
 * The processes that fire at all (-x cgroup), where they are limited: the second function calls fn
 * for each that runs now. False: all processes fire, and nothing is called. In the first, which
 * sets what the second does, NULL stands for that.
 */
typedef void probes_member_fn(void *arg, pid_t pid);
void probes_set_members(struct probes *ps, bool (*each)(void *arg, probes_member_fn *fn, void *to),
			void *arg);
bool probes_each_member(const struct probes *ps, probes_member_fn *fn, void *to);
/* A process's number as the kernel has it, which is another one in a container; until fn is set
 * they are the same. */
void probes_on_number(struct probes *ps, pid_t (*fn)(void *arg, pid_t pid), void *arg);
pid_t probes_kernel_number(const struct probes *ps, pid_t pid);
/* The kernel's symbols; NULL: there are none. */
void probes_set_syms(struct probes *ps, struct syms *syms);
struct syms *probes_syms(const struct probes *ps);
/* fn is called after a provider has set a probe's arguments: it may add to p->args what it
 * knows. */
void probes_on_args(struct probes *ps, void (*fn)(void *arg, struct probe *p), void *arg);

/* "prov:mod:func:name" with fewer fields filled from the right; true when well-formed (at most 4
 * fields). default_field is what a text without colons names: 3 name, 2 function, 1 module, 0
 * provider (-n -f -m -P). */
bool pdesc_parse(struct arena *a, const char *text, int default_field, struct pdesc *out);
/* Calls fn for every probe that fits, each once, in order of their ids; returns how many. */
int probes_match(struct probes *ps, const struct pdesc *pd, void (*fn)(void *arg, struct probe *p),
		 void *arg);
/* Calls fn for each stand-in of what the description may match in files that are mapped later. */
void probes_await(struct probes *ps, const struct pdesc *pd, void (*fn)(void *arg, struct probe *p),
		  void *arg);
/* For providers: the stand-in of a description on a hook; it is in no listing, and no description
 * matches it. is_entry: of probes that are. */
struct probe *probe_await(struct probes *ps, const struct provider *prov, const struct pdesc *pd,
			  pid_t pid, enum hook_kind hook, bool is_entry);
/* Why nothing matched: a provider's sentence or NULL. */
const char *probes_unavailable(struct probes *ps, const struct pdesc *pd);
/* The tag of what probes_unavailable() said last: D_PDESC_ZERO where the provider's .lacks set
 * none. */
enum tag probes_unavailable_tag(const struct probes *ps);
void probes_set_lack_tag(struct probes *ps, enum tag tag);
/* For "did you mean": the description that matched nothing with its one wrong field put right,
 * without the empty fields in front ("syscall::read:entry", "tick-1s"); NULL when nothing is
 * near. */
const char *probes_suggest(struct probes *ps, const struct pdesc *pd);
/* For a description whose first field is a provider where a module or function belongs: the one
 * with empty fields between, if it matches (syscall::read:entry for "syscall:read:entry"); or
 * NULL. */
const char *probes_suggest_fields(struct probes *ps, const struct pdesc *pd);

/* A copy in the table's arena. Names of probes come from files of untrusted users: they are escaped
 * here once, not at each use. */
const char *probes_keep_name(struct probes *ps, const char *name);
/* For providers: adds a probe (strings are copied, and escaped) unless its id is there already;
 * returns it either way. */
struct probe *probe_add(struct probes *ps, const struct provider *prov, uint32_t id,
			const char *mod, const char *func, const char *name);
/* The same for strings that live as long as the table: they are not copied. */
struct probe *probe_add_kept(struct probes *ps, const struct provider *prov, uint32_t id,
			     const char *mod, const char *func, const char *name);
/* Does it fire once for the whole system, whichever process runs (BEGIN, END, ERROR, tick-N)? */
bool probe_is_systemwide(const struct probe *p);
/* Does it fire where interrupts are enabled, surely? */
bool probe_interrupts(const struct probe *p);
/* May its programs change maps that take memory as elements come? See locks.c. */
bool probe_spares_maps(const struct probe *p);
/* The first probe that a description matches; NULL. */
struct probe *probes_first(struct probes *ps, const struct pdesc *pd);
/* The probe of this number, if it is in the table. */
struct probe *probe_find(struct probes *ps, uint32_t id);
/* An id between first and last for a name that the kernel has no number for: the hash of it, or
 * the next that is free or has that name; 0 when all are taken. */
uint32_t probe_hashed_id(struct probes *ps, const char *name, uint32_t first, uint32_t last);
bool pdesc_matches(const struct pdesc *pd, const struct probe *p);
/* Does the description ask for a number between these (or for none)? */
bool pdesc_wants_id(const struct pdesc *pd, uint32_t first, uint32_t last);
/* Shell-style glob: * ? [a-z] [!x] and backslash; NULL or "" pattern matches all. A [ that is not
 * closed stands for itself. */
bool glob_fits(const char *pattern, const char *text);
bool glob_is_literal(const char *pattern);
/* Makes sure that args are known. */
void probe_args(struct probes *ps, struct probe *p);

/*
 * The listings of -l and -lv (without and with types), in dtrace's columns. A line of the
 * argument types is "args[0]: unsigned int", and "args[0]: unsigned int  (fd)" when the argument
 * has a name (args->fd).
 */
void probe_list_header(FILE *out);
void probe_list(FILE *out, const struct probe *p);
void probe_list_verbose(struct probes *ps, FILE *out, struct probe *p);
/* The least stable of the provider's attributes for the fields the probe has. */
struct attr probe_attr(const struct probe *p);
struct attr attr_min(struct attr a, struct attr b);
const char *stability_name(int s);
const char *depclass_name(int c);

/* Return value of the system call that p, a syscall return probe, is about: -errno when it
 * failed. */
int syscall_raw_return(struct gen *g);

/*
 *Ranges of ids. A provider that is added takes one that is free.
 *	1..3		dtrace
 *	100..1123	syscall: 100 + 2 * number, and the next one for return
 *	1200..9999	profile
 *	10000..75535	sdt: 10000 + event id
 *	76000..77023	syscall, what only 32-bit programs have: 76000 + 2 * number, and the next
 *			one for return
 *	77500..79999	syscall, what this kernel lacks: see prov_othersys.c
 *	80000..145535	rawtp: 80000 + event id
 *	146000..149999	rawtp: bare tracepoints, in the order of the kernel's types
 *	150000..199999	cpc
 *	200000..	stable providers: see stable.c
 *	270000..279999	watch, in the order in which they are met
 *	280000..299999	plockstat, a few hundred for each process
 *	300000..399999	pid, in the order in which they are met; then 2^28..
 *	400000..499999	static probes of programs, likewise; then 2^29..
 *	500000..549999	instructions in functions (fbt, kinst): as they are asked for
 *	550000..2^28-1	fbt, then rawfbt: see prov_fbt.c
 *	2^30..		stand-ins for probes of files that are mapped later
 */

/* The list of providers (prov.c), NULL-terminated. */
extern const struct provider *const providers[];

#endif
