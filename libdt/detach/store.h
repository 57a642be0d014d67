/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where detached sessions are. A session has a name and two directories, which are root's (or the
 * user's whose rights dtrace has) and closed to others:
 *
 *	/run/dtrace/NAME	 its files: session, description, position, totals, lock
 *	/sys/fs/bpf/dtrace/NAME	 its maps, programs and links
 *
 * Both are gone after a reboot. The file session is written last and removed first: without it the
 * session is incomplete, as one is whose dtrace -A was killed. The process that
 * holds the lock may change anything.
 */
#ifndef DT_STORE_H
#define DT_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/mem.h"

enum store_state {
	STORE_READY,
	STORE_INCOMPLETE, /* dtrace -A or a stop was killed */
	STORE_STALE,	  /* of another boot */
	STORE_UNPINNED,	  /* there is nothing in the BPF file system */
};

struct store {
	const char *name; /* owned, as pins */
	const char *pins; /* the directory of maps, programs and links */
	int base, dir;	  /* directories of all sessions, and of its files */
	int lock;
	enum store_state state;
	char version[32]; /* of the dtrace that began it; "" of incomplete ones */
	uint64_t started; /* time of day, ns */
	int probes;
};

/* Letters, digits, '-', '_' and '.', beginning with a letter or digit, at most 64. */
bool store_is_name(const char *name);
/*
 * Creates an empty place of that name, locked; what an incomplete or stale session left there is
 * removed. 0, or -1 and the reason.
 */
int store_create(struct store *p, const char *name, struct strbuf *why);
/* The session is complete: writes the file session. 0 or -errno. */
int store_complete(struct store *p, int probes);
/* Opens the place of a session in whatever state, locked. Waits for other readers; when that takes
 * long, waits is called once. */
int store_open(struct store *p, const char *name, void (*waits)(void *arg), void *arg,
	       struct strbuf *why);
void store_close(struct store *p);
/* Removes it with all that it has, and closes it. 0, or -errno of what could not be removed. */
int store_remove(struct store *p);
/* The path of a pin; owned by the caller. */
char *store_pin(const struct store *p, const char *pin);
/* Replaces a file as a whole. 0 or -errno. */
int store_write(const struct store *p, const char *file, const struct strbuf *data);
/* Reads a file. 0 or -errno. */
int store_read(const struct store *p, const char *file, struct strbuf *data);
/* Calls fn for each session, by name, without their locks; p is valid during the call. busy: one
 * that another process has locked. 0, or -1 and the reason. */
int store_each(void (*fn)(void *arg, const struct store *p, bool busy), void *arg,
	       struct strbuf *why);

#endif
