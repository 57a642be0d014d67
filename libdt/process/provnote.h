/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declarations of providers in objects, as dtrace -G leaves them in notes named "prov" of the
 * section .note.usdt (the form is that of Oracle's DTrace 2): what types a probe's arguments
 * have, and which of those that the program passes each argN is. Numbers are in the machine's
 * byte order; each probe begins at a multiple of four bytes.
 *
 *	"provider\0", five times four bytes of stability, the number of probes; for each:
 *	"probe\0", a byte: how many arguments are passed, "type\0" of each; a byte: how many there
 *	are for D, of each "type\0" and
 *	a byte: which of the passed ones it is made from
 */
#ifndef DT_PROVNOTE_H
#define DT_PROVNOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/mem.h"

struct provnote_arg {
	const char *type;
	int native;
};

struct provnote_probe {
	const char *provider, *name; /* with "__" */
	const char **passed;	     /* types */
	int npassed;
	struct provnote_arg *args;
	int nargs;
};

#define PROVNOTE_SECTION ".note.usdt"
#define PROVNOTE_OWNER "prov"
enum { PROVNOTE_TYPE = 1, PROVNOTE_ARGS = 32, PROVNOTE_ATTRS = 20 };

/* Calls fn for each probe of a note until it returns false; the texts are in the note's own bytes,
 * the rest is valid only during the call. Stops where it does not make sense. */
void provnote_read(const uint8_t *desc, uint32_t size,
		   bool (*fn)(void *arg, const struct provnote_probe *p), void *arg);
/* How many bytes a copy of one takes, without its texts; the copy. */
size_t provnote_size(const struct provnote_probe *p);
struct provnote_probe *provnote_copy(struct arena *a, const struct provnote_probe *p);
/* Adds a note's first part; then a probe each. provnote_end() completes the note that begins at
 * begun, what provnote_begin() returned. */
size_t provnote_begin(struct strbuf *out, const char *provider, const uint8_t attrs[PROVNOTE_ATTRS],
		      int nprobes);
void provnote_probe(struct strbuf *out, size_t begun, const struct provnote_probe *p);
void provnote_end(struct strbuf *out, size_t begun);

#endif
