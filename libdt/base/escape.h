/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of others made printable. Names of processes, files, symbols and types, and the memory
 * that a script prints, are controlled by the users of the traced programs; on a terminal their
 * control characters would be commands, and a newline in a name forges a line. All text that
 * dtrace prints, except the script's own, goes through here.
 *
 * A control character (0 to 31, DEL, and C1: U+0080 to U+009F) and a byte that is not UTF-8
 * become \ooo, each byte three octal digits. So do the characters that change the order or the
 * lines in which text is displayed: controls of bidirectional text (U+061C, U+200E, U+200F, U+202A
 * to U+202E, U+2066 to U+2069) and separators (U+2028, U+2029). Any other character of UTF-8 stays
 * as it is. A backslash stays one: the result is not meant to be decoded.
 */
#ifndef DT_ESCAPE_H
#define DT_ESCAPE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "libdt/base/mem.h"

enum escape {
	ESCAPE_NONE,
	ESCAPE_TEXT, /* newline and tab stay: memory on a terminal, text of several lines */
	ESCAPE_NAME, /* they do not */
};

/* Whose text a value is. */
enum text_origin {
	TEXT_MEMORY, /* of memory, or computed: the program's business, but on a terminal */
	TEXT_SCRIPT, /* stands in the script: printed as it is, as formats are */
	TEXT_NAME,   /* of a process, file or probe: ESCAPE_NAME everywhere */
};

/* How many bytes at s are one character of UTF-8; 0 when they are none: overlong, a surrogate,
 * above U+10FFFF, cut off. len is not 0. */
size_t utf8_length(const char *s, size_t len);
/* The same; *character is its code point, or the byte when there is no character. */
size_t utf8_decode(const char *s, size_t len, uint32_t *character);
/* Is it of those beyond ASCII that are escaped: C1, or one that changes how text is displayed? */
bool utf8_is_control(uint32_t character);
/* How many of the len bytes at s, from the first on, stay as they are. */
size_t escape_clean(const char *s, size_t len, enum escape how);
/* Adds s to out. */
void escape_add(struct strbuf *out, const char *s, size_t len, enum escape how);
/* Writes s, which ends with a NUL, as a name. */
void escape_put(FILE *out, const char *s);
/*
 * As sb_vprintf(), but the text of %s and %c is escaped as a name: the format's own newlines
 * stay. A format that is "%s" and nothing else hands on a text that is made already: its newlines
 * and tabs stay. Conversions: d i u o x X c s p e f g, with flags, width, precision (stars too),
 * h, l, ll, z, j, t and L.
 */
void escape_vprintf(struct strbuf *out, const char *fmt, va_list ap);
void escape_printf(struct strbuf *out, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
