/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What dtrace does with a file of a program, for the fuzzers of such files. */
#ifndef DT_FUZZ_LOOK_H
#define DT_FUZZ_LOOK_H

#include <stddef.h>
#include <stdint.h>

#include "libdt/process/object.h"

/* Reads all that dtrace reads of an object: symbols, static probes and their arguments, types,
 * where functions have their arguments, rules for unwinding, where functions return. Aborts when a
 * file is refused without a reason. */
void look_at_file(const char *path);
/* Parts of that. */
void look_at_notes(struct object *o);
void look_at_rules(struct object *o);
/* The instructions of functions; without any, of .text as one. */
void look_at_code(struct object *o);
/* text: bytes, some of which may be names of types and functions. */
void look_at_types(struct object *o, const uint8_t *text, size_t len);
/* Reads a map of a compiler at run time in two parts; fd is an empty file. */
void look_at_map(int fd, const uint8_t *data, size_t len);

#endif
