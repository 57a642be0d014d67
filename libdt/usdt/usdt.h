/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Static probes of user programs, when these are built: dtrace -h and dtrace -G. */
#ifndef DT_USDT_H
#define DT_USDT_H

#include <stdio.h>

#include "libdt/lang/provdecl.h"

/* The size of an argument as notes have it, negative if it is signed; 0: it cannot be passed. */
int usdt_operand_size(struct sema *s, const struct type *t);
/* The C header of declared providers. 0, or -1 with a sentence in why. */
int usdt_header(struct sema *s, struct provdecl *const *provs, int n, FILE *out,
		struct strbuf *why);
/*
 * The object that completes the link: the semaphores of all probes of the providers, which it
 * checks against the probes that the objects (or archives) have, and what was declared of their
 * arguments. 0, or -1 with a sentence in why.
 */
int usdt_object(struct sema *s, struct provdecl *const *provs, int n, char *const *objects,
		int nobjects, const char *path, struct strbuf *why);

#endif
