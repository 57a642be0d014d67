/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/record/pack.h"

#include <string.h>

#include "libdt/base/escape.h"

static const uint32_t none = UINT32_MAX; /* the length of no text */

void pack_bytes(struct pack *p, void *v, size_t n)
{
	if (p->out) {
		sb_add(p->out, v, n);
	} else if (p->bad || (size_t)(p->end - p->at) < n) {
		p->bad = true;
		memset(v, 0, n);
	} else {
		memcpy(v, p->at, n);
		p->at += n;
	}
}

void pack_bool(struct pack *p, bool *v)
{
	uint8_t byte = p->out ? *v : 0;

	PACK(p, &byte);
	pack_require(p, byte <= 1);
	*v = byte == 1;
}

void pack_require(struct pack *p, bool holds)
{
	p->bad |= !holds && !p->out;
}

void pack_block(struct pack *p, const void **data, uint32_t *n)
{
	PACK(p, n);
	if (p->out) {
		if (*n)
			sb_add(p->out, *data, *n);
		return;
	}
	pack_require(p, *n <= p->end - p->at);
	*n = p->bad ? 0 : *n;
	*data = p->at;
	p->at += *n;
}

static const char *read_text(struct pack *p, uint32_t len, enum escape how)
{
	struct strbuf sb = {0};
	const char *text, *at = (const char *)p->at;

	pack_require(p, len <= p->end - p->at && !memchr(p->at, '\0', len));
	if (p->bad)
		return NULL;
	p->at += len;
	if (escape_clean(at, len, how) == len)
		return arena_strndup(p->arena, at, len);
	escape_add(&sb, at, len, how);
	text = arena_strdup(p->arena, sb_str(&sb));
	sb_free(&sb);
	return text;
}

static void pack_escaped(struct pack *p, const char **text, enum escape how)
{
	uint32_t len = p->out ? *text ? strlen(*text) : none : 0;

	PACK(p, &len);
	if (p->out && len != none)
		sb_add(p->out, *text, len);
	else if (!p->out)
		*text = p->bad || len == none ? NULL : read_text(p, len, how);
}

void pack_text(struct pack *p, const char **s)
{
	pack_escaped(p, s, ESCAPE_NAME);
}

void pack_lines(struct pack *p, const char **s)
{
	pack_escaped(p, s, ESCAPE_TEXT);
}

void pack_count(struct pack *p, int *n, size_t least)
{
	PACK(p, n);
	pack_require(p, *n >= 0 && (size_t)*n <= (size_t)(p->end - p->at) / MAX(least, 1u));
	if (!p->out && p->bad)
		*n = 0;
}

struct pack pack_reader(const void *data, size_t size, struct arena *arena)
{
	const uint8_t *at = data;

	return (struct pack){.at = at, .end = at + size, .arena = arena};
}
