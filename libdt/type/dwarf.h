/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of a program by its DWARF (gcc -g), converted to BTF one unit at a time, because few of
 * hundreds are needed. The file is untrusted and libdw does not validate its input, so it runs in
 * a separate process (base/sandbox.h), which stays until it is ended.
 */
#ifndef DT_DWARF_H
#define DT_DWARF_H

#include "libdt/base/mem.h"

struct udwarf;

struct type_limits;
/* file: that has the section .debug_info. Never NULL. */
struct udwarf *udwarf_start(int file, const struct type_limits *l);
/* A sentence on what is wrong, or NULL. It lives as long as d. */
const char *udwarf_error(const struct udwarf *d);
/*
 * Adds the first unit that defines what has this name, unless that was added before or there is
 * none. what: 'f' a function and 'v' a variable by udwarf_place_name(), 's' a struct, 'u' a
 * union, 'e' an enum, 't' a typedef or base type, 'c' an enumerator. NULL, or what is wrong, with
 * this and all that is asked after it. l->left: for this answer.
 */
const char *udwarf_ask(struct udwarf *d, char what, const char *name, const struct type_limits *l,
		       struct strbuf *out);
/* Functions and variables are named by their addresses there, for a symbol may have another name
 * than its source, and statics may share one. */
enum { UDWARF_PLACE_NAME = 24 };
const char *udwarf_place_name(uint64_t addr, char *buf);
/* It answers no more: nothing is added. */
void udwarf_end(struct udwarf *d);
void udwarf_free(struct udwarf *d);

#endif
