/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A script from its text to what it prints, without a kernel: BEGIN and END run in the interpreter
 * of bpfvm.h, with maps and a ring of our own, and the consumer prints their records.
 */
#ifndef DT_TEST_VMDT_H
#define DT_TEST_VMDT_H

#include <stdint.h>

struct vmdt {
	char *out; /* what the script printed, then a line for each fault and kind of drop */
	const char *refused; /* why it was not run: text is in message; or NULL */
	char message[400];
};

/*
 * Compiles and runs a script. opts are pairs of an option's name and its value (NULL for none),
 * ended by NULL; ncpus=4, nofeat=all and quiet are set before. $1 is this process. Frees nothing:
 * vmdt_done() frees the result.
 */
void vmdt_run(struct vmdt *v, const char *text, const char *const *opts);
void vmdt_done(struct vmdt *v);

#endif
