/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes whose arguments do not fit those of the clause's other probes. Users choose the arguments
 * of the probes in their files, also of those that have a name which root's script traces
 * (app*:::query): such a probe must not make the script fail. Probes of files of users other than
 * root and the one that traces are left out of the clause instead, with a warning for each file,
 * when another probe fits.
 */
#ifndef DT_MISFIT_H
#define DT_MISFIT_H

#include <stdint.h>

struct node;
struct sema;

/* Before argN, args[i] or args->name of a clause's probes is analysed at n: leaves out those that
 * do not have it, or another one than the most trusted probe. */
void misfit_argn(struct sema *s, const struct node *n, int i);
void misfit_args(struct sema *s, const struct node *n, int64_t i);
void misfit_name(struct sema *s, const struct node *n, const char *name);

#endif
