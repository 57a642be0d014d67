/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the texts of programs to a plan. */
#ifndef DT_COMPILE_H
#define DT_COMPILE_H

#include <stdbool.h>

#include "libdt/process/evaltime.h"
#include "libdt/base/hash.h"
#include "libdt/base/mem.h"

struct dt;
struct failure;
struct node;
struct parse;
struct source;

/* The programs of a session while they are compiled. */
struct input {
	int argc; /* of dt_macro_args() */
	char **argv;
	char *arg_used;			    /* which of them a program has */
	VEC(const struct source *) sources; /* what dt_program() was given, as it is compiled */
	struct strbuf texts;		    /* of all programs, without their comments */
	/* programs that stable providers have put in front of clauses, by their texts */
	struct hash before;
	bool uses_target;		/* a program has $target */
	bool prepared;			/* they have become a plan */
	bool broken;			/* one did not compile */
	bool advised_cgroup;		/* what -x cgroup does not limit was said */
	const char *unavailable_reason; /* why a description could match nothing, for listings */
	const char *widened; /* calls that -x compat=auto widens, for the notice; NULL: none */
	/* Of the program at hand: */
	struct parse *program;
	bool parsing;	       /* an error is one of its syntax */
	struct compat *compat; /* NULL: its names are exact */
	int errors;
	struct node *item; /* that is analysed; NULL: none is */
	/* of the clause that is added: the description that is matched, NULL when all are */
	struct node *matching;
	/* its clauses that wait for the analysis of others */
	VEC(struct clause *) deferred;
};

/* compile_open.c: makes what compiling and listing need (types, probes); 0 or -1. */
int compile_open(struct dt *dt);
/* What names of addresses need: dt->foreign, syms, usyms, cgroups; dt->aggrs uses them. */
void compile_open_symbols(struct dt *dt);
/* Checks that the plan covers all CPUs of this machine, which -x ncpus may prevent. 0 or -1. */
int compile_check_cpus(struct dt *dt);
/* -x evaltime */
enum stage compile_stage(const struct dt *dt);
/* Programs have been made and nothing is compiled any more: frees the trees. */
void compile_release(struct dt *dt);
void compile_free(struct dt *dt);

/* compile.c. The border of diagnostics, after setjmp(): what died inside comes out as a message.
 * -1. */
int compile_caught(struct dt *dt);
/* A parser of a source, which becomes that of the program at hand. */
struct parse *compile_parser(struct dt *dt, struct source *src);
/* Matches and analyses an item of a program. Returns the number of probes that a clause has now; 0
 * for declarations. default_field: as match_descriptions(). */
int compile_item(struct dt *dt, struct node *item, int default_field);
/* Before the items of a program are compiled: chooses -x compat for them, and notes what their
 * clauses assign. */
void compile_survey(struct dt *dt, struct node *list, int default_field, const char *text);
/* The first clause of a list that is no more than descriptions; NULL: there is none. */
const struct node *compile_bodiless(const struct node *list);

/* compile_errors.c. Reports the errors of a program after the first, which has ended its
 * compilation and is reported. */
void compile_report_rest(struct dt *dt, struct source *src, const struct failure *first,
			 int default_field);

/* Reports the errors of inlines and translators that nothing uses. 0, or -1 if there are any. */
int compile_check_unused(struct dt *dt);

/* compile_prepare.c: the programs as they stand become a plan; once. 0 or -1. */
int compile_prepare(struct dt *dt);

#endif
