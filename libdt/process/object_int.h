/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of object.h share: object.c and object_notes.c. */
#ifndef DT_OBJECT_INT_H
#define DT_OBJECT_INT_H

#include "libdt/base/hash.h"
#include "libdt/base/mem.h"
#include "libdt/process/elfread.h"
#include "libdt/process/object.h"
#include "libdt/process/object_file.h"

/* An answer of elfread(), and where it is from. */
struct object_block {
	void *mem;
	size_t len;
	struct foreign *foreign; /* owner of the data; NULL: malloc() */
	uint32_t payer;
	bool refused; /* it is none, but may be asked for later (object_is_refused()) */
};

/* Symbols of one kind, asked for when they are first wanted. */
struct object_symbols {
	struct object_sym *v;
	int n;
	bool known, own; /* own: the table is not part of a block */
};

/* So many are remembered; one user has one, with its subordinate users. */
enum { OBJECT_PAYERS = 8 };

struct object {
	struct object_file file;
	int data;	/* what other programs read of a foreign file; -1: they do not */
	bool refused;	/* an answer was, since object_retry() */
	bool exhausted; /* and would be again: the share of memory of its user is used up */
	/* other users whose processes have mapped the file */
	uint32_t others[OBJECT_PAYERS];
	int nothers;
	VEC(struct object_block) blocks;
	struct elfread_head head;
	struct segments segments;
	const struct elfread_section *sections; /* of which the first is that with index 1 */
	const char *names;			/* and theirs */
	const void **contents;			/* those that were asked for; NULL: none was */
	size_t *lengths;
	struct object_symbols funcs, vars;
	const struct object_sym *
	    *by_name; /* variables, but those of threads; NULL: not asked for */
	int nby_name;
	VEC(struct object_note) notes;
	struct hash decls;   /* "provider:probe" -> struct provnote_probe */
	int ndecls;	     /* with those that are declared twice */
	struct arena *arena; /* of what they declare */
	uint64_t charged;    /* to the budget, for what is made of the answers */
	bool has_notes;
	struct object_block code; /* bytes of the file that were read last, */
	uint64_t code_off;	  /* and where */
};

/* The answer, which lives as long as the object; len 0 when the file does not have it. */
struct object_block object_ask(struct object *o, struct elfread_ask a);
/* The rows, of so many bytes, of an answer that is a table, whose texts begin at *texts; NULL when
 * it is none. */
void *object_table(const struct object_block *b, size_t row, struct elfread_table *t, char **texts);
/* Makes a row's offset in the texts a pointer. False when it is beyond len. */
bool object_set_text(const char **p, const char *texts, uint64_t len);
/* The index of a section; 0: there is none, or it has no bytes in the file. */
uint32_t object_section_find(const struct object *o, const char *name);

#endif
