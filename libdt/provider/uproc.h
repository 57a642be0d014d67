/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes as the providers of user space see them: the objects that one has mapped, each once. */
#ifndef DT_UPROC_H
#define DT_UPROC_H

#include <string.h>

#include "libdt/base/hash.h"
#include "libdt/provider/probe.h"
#include "libdt/process/proc_maps.h"
#include "libdt/process/object.h"

struct file_key {
	uint64_t dev, inode;
};

struct uobj {
	const char *name;      /* "libc.so.6" */
	const char *path;      /* as the process sees it */
	const char *open;      /* by which we and the kernel can open it */
	struct object *object; /* NULL: it could not be opened, */
	const char *why;       /* and why; */
	bool refused;	       /* not yet: it may be opened for another process */
	bool foreign;	       /* another user can change it: as struct target's */
	uint64_t dev, inode;   /* of its mapping; 0: found by its path */
	struct file_key file;  /* what was opened; the mapping's device may have another number */
	const char *identity;  /* one text for each file, by whatever path; NULL: not asked yet */
	bool is_program;       /* of any process that was looked at */
	bool cut;	       /* no more probes of it are taken: uproc_probe() */
	uint32_t uid;	       /* its owner, foreign_owner_of() */
	struct user_types *types; /* NULL: not asked for yet */
	bool types_refused;	  /* something of the file was, when they were made */
};

struct uproc {
	pid_t pid;
	VEC(struct uobj *) objs;
	struct hash known;    /* them, by their addresses */
	struct uobj *program; /* NULL: it is none of them */
};

/* A process's objects, looked at once; NULL, and why: a sentence in the arena. Objects that are
 * no ELF files are left out. */
const struct uproc *uproc_get(struct probes *ps, pid_t pid, const char **why);
/* All objects that any process has mapped, each once; with -x cgroup, any of the group. */
void uproc_each(struct probes *ps, void (*fn)(void *arg, struct uobj *o), void *arg);
/*
 * What process by has mapped just now: until uproc_widen(), this is all that the functions here
 * find, in process pid and for all processes. False, and nothing is narrowed, when it is no ELF
 * file. A file that was met for the first time so is not kept open, nor are probes that were added
 * meanwhile, unless keep: something needs them.
 */
bool uproc_narrow(struct probes *ps, pid_t pid, pid_t by, const struct mapping *m);
void uproc_widen(struct probes *ps, bool keep);
/* The object that all is narrowed to; NULL. */
const struct uobj *uproc_only(struct probes *ps);
/* The processes that have an object mapped, among those that were looked at. How many. */
int uproc_each_holder(struct probes *ps, const struct uobj *o, void (*fn)(void *arg, pid_t pid),
		      void *arg);
/* An object by its path, for probes in whatever process maps it; or by its path below the root of
 * a process, for probes in that. */
struct uobj *uobj_get(struct probes *ps, pid_t pid, const char *path, const char **why);
/* The objects of a path, each once, for probes in whatever process maps them: with -x cgroup, what
 * the processes of the group have there. How many; with 0, why: a sentence. fn may be NULL. */
int uproc_each_at(struct probes *ps, const char *path, void (*fn)(void *arg, struct uobj *o),
		  void *arg, const char **why);
/* Is there such a file: for a process, or (pid 0) for any? */
bool uproc_has_at(struct probes *ps, pid_t pid, const char *path);
/* Whose processes messages mean: "no process", or "no process of control group web". */
const char *uproc_none(struct probes *ps);
/* Where an object's file has its types; valid as long as the object. */
void uobj_sections(struct object *o, struct type_sections *s);
/* The types that an object's file describes; without any, it has the reason. */
struct user_types *uobj_types(struct probes *ps, struct uobj *o);
/* No process reads types any more: what was opened for them is closed. */
void uproc_end_types(struct probes *ps);
/* Those of the i-th object of a process that has a name ("", "a.out", "libc", a glob), or (pid 0)
 * of all processes seen; NULL after the last. */
struct user_types *uproc_types(struct probes *ps, pid_t pid, const char *object, int i);
/* How far the addresses of the process lie above those of an object that it has mapped, now.
 * False when it has not. */
bool uproc_base(struct probes *ps, pid_t pid, const struct uobj *o, uint64_t *base);
/* How messages name a process: "process 7 (cat)". */
const char *uproc_text(struct probes *ps, const struct uproc *p);
/* Why a process has nothing of an object: a sentence. */
const char *uproc_no_object(struct probes *ps, const struct uproc *p, const char *object);
/* Why it has no such variable in these objects: a sentence. *files: it has such an object. */
const char *uproc_no_variable(struct probes *ps, const struct uproc *p, const char *object,
			      const char *name, bool *files);
/* A variable of a process: its address there, and its type, NULL when that is not known. object:
 * as in uproc_types(). NULL, or why there is none. */
const char *uproc_variable(struct probes *ps, pid_t pid, const char *object, const char *name,
			   uint64_t *addr, const struct type **type);
/* Does a description's module field mean the object: by its name or path (also globs), "a.out" for
 * the program (runs), its name without what follows a dot ("libc", "libc.so"), and "libc.so.1" for
 * the C library of any version? */
bool uobj_named(const struct uobj *o, bool runs, const char *pattern);
/* Is it the program of a process; NULL: of any? And uobj_named() for that process. */
bool uproc_runs(const struct uproc *p, const struct uobj *o);
bool uproc_names(const struct uproc *p, const struct uobj *o, const char *pattern);
/*
 * A probe in code: at an offset of an object's file, in one process or (pid 0) in all that map
 * it. NULL when it was met before, or the object was cut: it is foreign and the budget of such
 * files has no memory for another probe, which is reported, or there are more than can be enabled
 * late. Ids are given out as probes are met, from first on, of six digits where they can be:
 * processes come and go.
 */
struct uplace {
	pid_t pid;
	struct uobj *obj;
	uint64_t off;
	size_t data; /* about so many bytes the provider keeps for it */
};
struct probe *uproc_probe(struct probes *ps, const struct provider *provider, uint32_t first,
			  const struct uplace *at, const char *prov, const char *func,
			  const char *name);
/* The place of a probe in whatever process: one text for all probes of one provider and name at one
 * instruction of a file. The caller's to free. */
char *uproc_place(struct probes *ps, const struct probe *p);
/* Its instruction: one text for all probes at it, of whatever provider. The caller's to free. */
char *uproc_site(struct probes *ps, const struct probe *p);
/* The PID at the end of a provider's name: "pid123" -> 123. 0 when there is none or other text
 * follows. */
pid_t uproc_number(const char *prov, size_t name_len);

#endif
