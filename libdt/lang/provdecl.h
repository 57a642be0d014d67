/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Providers that a program or a library declares: "provider n { probe p(native) : (translated);
 * };". What -h and -G read, and what args[] of such probes are where they are traced.
 */
#ifndef DT_PROVDECL_H
#define DT_PROVDECL_H

#include "libdt/lang/sema.h"

/* An argument of a declared probe. */
struct probedecl_arg {
	const char *name;	 /* NULL when it has none */
	const struct type *type; /* what the program being traced passes, or what args[n] is */
	int native; /* of a translated one: which of the native arguments it is made from */
};

struct probedecl {
	const char *name; /* as probes are called: "query-start" of query__start */
	const char *word; /* as it was written */
	struct loc loc;
	struct probedecl_arg *args; /* native */
	int nargs;
	/* as args[] shows them; the native ones again where no ':' was written */
	struct probedecl_arg *xargs;
	int nxargs;
	bool translated; /* a ':' was written */
};

/* In the order of "#pragma D attributes ... provider n WORD". */
enum {
	PROVDECL_PROVIDER,
	PROVDECL_MODULE,
	PROVDECL_FUNCTION,
	PROVDECL_NAME,
	PROVDECL_ARGS,
	PROVDECL_ATTRS
};

struct provdecl {
	const char *name;
	struct loc loc;
	bool library;
	struct attr attrs[PROVDECL_ATTRS];
	VEC(struct probedecl *) probes;
};

/* A declaration of the program or of a library. */
void provdecl_declare(struct sema *s, struct node *item);
/* By name, from the program or the library; NULL when it is undeclared. */
struct provdecl *provdecl_find(struct sema *s, const char *name);
/* Sets one of the attributes; false when word is none of "provider", "module", "function",
 * "name", "args". */
bool provdecl_set_attr(struct provdecl *p, const char *word, struct attr attr);
/* args[] of a program's static probe, as its provider's declaration has them; without one they
 * stay what they are. */
void provdecl_args(void *sema, struct probe *p);
void provdecls_free(struct syms_of_script *syms);

#endif
