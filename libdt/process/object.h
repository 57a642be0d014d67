/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects of user space: executables, libraries and their debug files, in ELF. Files are untrusted:
 * malformed parts are skipped, and a file that is no object at all is rejected with one line.
 *
 * Addresses here are the object's own (as its symbols say); offsets are in the file. A uprobe
 * wants offsets.
 */
#ifndef DT_OBJECT_H
#define DT_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libdt/process/provnote.h"
#include "libdt/process/segments.h"

struct object;
struct cfi_row;
struct foreign;
struct foreign_file;

/* A function or a variable. One address may have several names; the best one comes first. */
struct object_sym {
	const char *name;
	uint64_t addr, size; /* size 0: not known */
	uint8_t
	    /* the lower the better a name, after its leading underscores: global, weak, local */
	    rank;
	bool
	    /* not the function, but what chooses among its variants when the program starts */
	    indirect;
	bool of_threads; /* a variable of which each thread has its own: addr is none */
};

/* A static probe point (.note.stapsdt, which <sys/sdt.h> writes and dtrace -h too; .note.usdt, of
 * Oracle's dtrace -G). */
struct object_note {
	const char *provider, *name, *args; /* args: "-4@%edi 8@-24(%rbp)", "" for none */
	uint64_t addr;			    /* of the instruction, where this file is linked to */
	uint64_t semaphore;		    /* address of its 16-bit counter; 0: it has none */
	/* what the object has of its declaration; NULL: nothing */
	const struct provnote_probe *decl;
};

/* path: as this process sees it, of a file that belongs to its user. NULL, and *why (to be freed)
 * is the reason, without the path. */
struct object *object_open(const char *path, char **why);
/* A smaller file has no ELF header, and is none: */
enum { OBJECT_MIN = 52 };
/* A file that was found (process/foreign.h), which is the object's from then on, in either case:
 * then only its err is left, -EBUSY as in object_is_refused(). */
struct object *object_open_file(struct foreign *f, struct foreign_file *file, char **why);
/* The code that the kernel maps into each process ([vdso]), of this one. It has no file:
 * object_fd() is -1. */
struct object *object_open_vdso(char **why);
void object_close(struct object *o);
/* The descriptor of its file, which the next call for any object may close, or of a copy of what is
 * in it, until object_fd_end() or the object's end; negative: there is none. */
int object_fd(struct object *o);
/* Opens its file again if it was closed because too many are open: while it is open no other file
 * gets its inode. False when the same file, unchanged, is not found. */
bool object_keep(struct object *o);
/* No program reads from it any more: a copy would take memory. */
void object_fd_end(struct object *o);
/* Is it a file that others may change? */
bool object_is_foreign(const struct object *o);
/* Is something of it missing because files of one user's processes take too much time or memory?
 * Another user's process that has mapped the file may still get all (process/foreign_time.h). */
bool object_is_refused(const struct object *o);
/* And may it be there later for the same user, whose time comes back? */
bool object_may_ask(const struct object *o);
/* This process has mapped the file, too: its user pays for what is asked from here on if something
 * was refused, which is asked again when it is wanted; else once the other user has nothing left.
 */
void object_retry(struct object *o, pid_t pid);
/* What is made of a foreign one's answers counts like them, until it is closed or released. False:
 * there is no memory for it. */
bool object_charge(struct object *o, uint64_t bytes);
void object_release(struct object *o, uint64_t bytes);
/* What this process does with a foreign one for long is in its account, too: is some of the file's
 * own time (foreigntime) left, and so much (ns) was taken. Of others: yes, and nothing. */
bool object_has_time(const struct object *o);
void object_work(struct object *o, uint64_t ns);
/* Of a foreign one: in whose account it is (process/foreign_time.h). */
uint32_t object_payer(const struct object *o);
/* Of a foreign one, for what others do with it: the time (ns) that is left in the account of its
 * user, 0, which is reported, when there is none; and what was taken. */
uint64_t object_time(struct object *o);
void object_spend(struct object *o, uint64_t ns);

bool object_is_64(const struct object *o);
int object_machine(const struct object *o); /* EM_* */

/*
 * The functions of .symtab, .dynsym and .gnu_debugdata, each name and address once, in the order
 * of their addresses; read at the first call. Of a stripped object those of its debug file (by
 * build id below /usr/lib/debug) too. They live as long as the object.
 */
const struct object_sym *object_syms(struct object *o, int *n);
/* The function that an address is in; NULL when none is. */
const struct object_sym *object_sym_at(struct object *o, uint64_t addr);
/* The function or the variable. */
const struct object_sym *object_name_at(struct object *o, uint64_t addr);
/* All variables; those that threads have of their own come last. */
const struct object_sym *object_vars(struct object *o, int *n);
/* The address of a variable by its name; false when no symbol table has it. */
bool object_variable(struct object *o, const char *name, uint64_t *addr);
/* How far a variable is from a site, an address of the object: struct sdtarg_env's distance(), with
 * a struct object_site as its argument. False when there is no such variable. */
struct object_site {
	struct object *object;
	uint64_t addr;
};
bool object_distance(void *site, const char *name, int64_t *distance);
/* Where a section of debugging information is: "" is its own file, else the path of its debug
 * file; NULL: nowhere. To be freed. */
char *object_debug(const struct object *o, const char *section);
/* A descriptor of the file that has it, to be closed; -1: there is none. */
int object_debug_data(struct object *o, const char *section);
/* The static probes, in the order of the file. */
const struct object_note *object_notes(struct object *o, int *n);

/* The offset in the file of an address, by what is loaded of it. False for what is not. */
bool object_offset(const struct object *o, uint64_t addr, uint64_t *off);
/* Its segments, by which addresses of processes become its own. */
const struct segments *object_segments(const struct object *o);
/* The bytes of an instruction stream: up to len at an address; how many were there. */
size_t object_read(struct object *o, uint64_t addr, void *buf, size_t len);
/* A section's bytes, as they are in the file (decompressed when it is compressed); NULL when it
 * is not there. */
const void *object_section(struct object *o, const char *name, size_t *len, uint64_t *addr);
/* The unwind table of .eh_frame, which lives as long as the object; *n 0: there is none, or it is
 * not for x86-64. Of a foreign file the order of the rows is the file's word. */
const struct cfi_row *object_unwind(struct object *o, int *n);

/* Where a section that has bytes in the file is said to be. */
bool object_has_section(const struct object *o, const char *name, uint64_t *addr, uint64_t *size);

#endif
