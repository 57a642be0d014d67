/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The D library: declarations in D that a program finds when it uses their names. */
#ifndef DT_LIB_H
#define DT_LIB_H

#include <stdbool.h>

struct arena;
struct node;
struct sema;

/* Which files there are (built in, of -x libdir, none with -x nolibs) is looked at when the first
 * name is asked for. */
void lib_init(struct sema *s);
void lib_free(struct sema *s);
/*
 * Reads the library file that declares the name, if one does and was not read yet, and says
 * whether that was so. Names are "EPERM", "psinfo_t", "struct psinfo", "enum x", "translator
 * psinfo_t" (of all translators to that type), "provider io".
 */
bool lib_declare(struct sema *s, const char *name);
/* The file of that name, for "#pragma D depends_on library"; false when there is none. */
bool lib_read(struct sema *s, const char *file);
/* Reads all files of -L, also those whose names the program does not use. */
void lib_read_own(struct sema *s);
/* The nearest name that the library declares, for "did you mean", or NULL. */
const char *lib_similar(struct sema *s, const char *name);
/* The text of system.d: constants of the system at hand. */
const char *system_text(struct arena *a);
/* Why a library directory cannot be used: NULL or the text of errno. For setting the option. */
const char *lib_dir_error(const char *dir);

#endif
