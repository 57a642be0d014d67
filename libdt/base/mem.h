/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory: allocation that ends the process when there is none, arenas, growing arrays and
 * strings. */
#ifndef DT_MEM_H
#define DT_MEM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define ALIGN_UP(n, to) (((n) + (to)-1) / (to) * (to))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

/* These never return NULL; xcalloc zeroes. */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * An arena gives memory that is freed all at once. What a compilation makes lives in one,
 * so nothing there is freed by hand. Memory from an arena is zeroed and aligned to 16.
 */
struct arena;
struct arena *arena_new(void);
void arena_free(struct arena *a);
/* One that is freed with another, unless it was freed before that. */
struct arena *arena_part(struct arena *whole);
/* Frees what came from it; for one that is filled again and again. */
void arena_reset(struct arena *a);
void *arena_alloc(struct arena *a, size_t size);
/* Moves what came from it, of old bytes (0: none yet), to where it has size bytes, which are more;
 * those that it did not have are not zeroed. */
void *arena_grow(struct arena *a, void *p, size_t old, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * A growing array: struct { T *v; int n, cap; }. Elements move when it grows.
 *	VEC(int) nums = {0};
 *	vec_push(&nums, 3);
 *	vec_free(&nums);
 */
#define VEC(T)              \
	struct {            \
		T *v;       \
		int n, cap; \
	}
void *vec_grow(void *v, int *cap, int want, size_t size);
#define vec_reserve(vec, want) \
	((vec)->v = vec_grow((vec)->v, &(vec)->cap, (want), sizeof((vec)->v[0])))
#define vec_push(vec, elem) (vec_reserve((vec), (vec)->n + 1), (vec)->v[(vec)->n++] = (elem))
#define vec_free(vec) (free((vec)->v), (vec)->v = NULL, (vec)->n = (vec)->cap = 0)

/* A growing string; s is always terminated once something was added, and NULL before. */
struct strbuf {
	char *s;
	size_t len, cap;
};
void sb_add(struct strbuf *sb, const void *p, size_t n);
void sb_puts(struct strbuf *sb, const char *s);
void sb_putc(struct strbuf *sb, char c);
void sb_printf(struct strbuf *sb, const char *fmt, ...) PRINTF_LIKE(2, 3);
void sb_vprintf(struct strbuf *sb, const char *fmt, va_list ap);
void sb_free(struct strbuf *sb);
/* The text, "" when nothing was added. */
const char *sb_str(const struct strbuf *sb);

#endif
