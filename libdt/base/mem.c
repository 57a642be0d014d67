/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/fatal.h"

static void *checked(void *p)
{
	if (!p)
		fatal("out of memory");
	return p;
}

void *xmalloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t n, size_t size)
{
	return checked(calloc(n ? n : 1, size ? size : 1));
}

void *xrealloc(void *p, size_t size)
{
	return checked(realloc(p, size ? size : 1));
}

char *xstrdup(const char *s)
{
	return checked(strdup(s));
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	return checked(s);
}

enum { CHUNK_MIN = 2048, CHUNK_MAX = 16384 };

struct chunk {
	struct chunk *next, **link; /* link: what refers to it */
	size_t used, size;
	char data[]; /* starts at a multiple of 16 */
};

struct arena {
	struct chunk *chunks;
	struct arena *parts;	    /* to be freed with it */
	struct arena *next, **link; /* of the parts that it is among; link: what refers to it */
};

struct arena *arena_new(void)
{
	return xcalloc(1, sizeof(struct arena));
}

struct arena *arena_part(struct arena *whole)
{
	struct arena *a = arena_new();

	a->next = whole->parts;
	a->link = &whole->parts;
	if (a->next)
		a->next->link = &a->next;
	whole->parts = a;
	return a;
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	while (a->parts)
		arena_free(a->parts);
	if (a->link)
		*a->link = a->next;
	if (a->next)
		a->next->link = a->link;
	for (struct chunk *c = a->chunks, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(a);
}

void arena_reset(struct arena *a)
{
	struct chunk *c = a->chunks;

	if (!c)
		return;
	for (struct chunk *old = c->next, *next; old; old = next) {
		next = old->next;
		free(old);
	}
	c->next = NULL;
	memset(c->data, 0, c->used);
	c->used = 0;
}

static void link_chunk(struct chunk **link, struct chunk *next, struct chunk *c)
{
	*link = c;
	c->link = link;
	c->next = next;
	if (next)
		next->link = &c->next;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct chunk *c = a->chunks;
	void *p;

	size = ALIGN_UP(size ? size : 1, 16);
	if (!c || size > CHUNK_MAX || c->size - c->used < size) {
		size_t next = c ? MIN(2 * (c->size + sizeof(*c)), (size_t)CHUNK_MAX) : CHUNK_MIN;
		size_t want = MAX(size, next - sizeof(*c));

		c = xcalloc(1, sizeof(*c) + want);
		c->size = want;
		link_chunk(&a->chunks, a->chunks, c);
	}
	p = c->data + c->used;
	c->used += size;
	return p;
}

void *arena_grow(struct arena *a, void *p, size_t old, size_t size)
{
	struct chunk *c, *next, **link;
	void *bigger;

	if (old > CHUNK_MAX) { /* it has a chunk of its own */
		c = (struct chunk *)((char *)p - offsetof(struct chunk, data));
		link = c->link;
		next = c->next;
		size = ALIGN_UP(size, 16);
		c = xrealloc(c, sizeof(*c) + size);
		c->used = c->size = size;
		link_chunk(link, next, c);
		return c->data;
	}
	bigger = arena_alloc(a, size);
	return old ? memcpy(bigger, p, old) : bigger;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	memcpy(p, s, n);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	struct strbuf sb = {0};
	va_list ap;
	char *p;

	va_start(ap, fmt);
	sb_vprintf(&sb, fmt, ap);
	va_end(ap);
	p = arena_strdup(a, sb_str(&sb));
	sb_free(&sb);
	return p;
}

void *vec_grow(void *v, int *cap, int want, size_t size)
{
	if (want <= *cap)
		return v;
	*cap = MAX(want, *cap ? *cap * 2 : 8);
	return xrealloc(v, (size_t)*cap * size);
}

static void sb_reserve(struct strbuf *sb, size_t more)
{
	if (sb->len + more + 1 <= sb->cap)
		return;
	sb->cap = MAX(sb->len + more + 1, sb->cap ? sb->cap * 2 : 64);
	sb->s = xrealloc(sb->s, sb->cap);
}

void sb_add(struct strbuf *sb, const void *p, size_t n)
{
	sb_reserve(sb, n);
	if (n)
		memcpy(sb->s + sb->len, p, n);
	sb->len += n;
	sb->s[sb->len] = '\0';
}

void sb_puts(struct strbuf *sb, const char *s)
{
	sb_add(sb, s, strlen(s));
}

void sb_putc(struct strbuf *sb, char c)
{
	sb_add(sb, &c, 1);
}

void sb_vprintf(struct strbuf *sb, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		return;
	sb_reserve(sb, n);
	vsnprintf(sb->s + sb->len, n + 1, fmt, ap);
	sb->len += n;
}

void sb_printf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	sb_vprintf(sb, fmt, ap);
	va_end(ap);
}

void sb_free(struct strbuf *sb)
{
	free(sb->s);
	memset(sb, 0, sizeof(*sb));
}

const char *sb_str(const struct strbuf *sb)
{
	return sb->s ? sb->s : "";
}
