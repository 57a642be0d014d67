/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/type/btfout.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/type/raw.h"

enum { MEMBER_OFF_MAX = 0xffffff };

void btfout_begin(struct btfout *b, const struct btfout *base)
{
	*b = (struct btfout){.first = 1};
	if (base) {
		b->first = base->next;
		b->strs_start = base->strs.len;
	} else {
		sb_putc(&b->strs, '\0');
	}
	b->next = b->first;
}

void btfout_free(struct btfout *b)
{
	sb_free(&b->types);
	sb_free(&b->strs);
}

uint32_t btfout_str(struct btfout *b, const char *s)
{
	uint32_t at = b->strs_start + b->strs.len;

	if (!s || !*s)
		return 0;
	sb_add(&b->strs, s, strlen(s) + 1);
	return at;
}

void btfout_words(struct btfout *b, const uint32_t *words, int n)
{
	sb_add(&b->types, words, n * sizeof(*words));
}

void btfout_head(struct btfout *b, const char *name, uint32_t kind, bool flag, uint32_t vlen,
		 uint32_t last)
{
	uint32_t head[3] = {btfout_str(b, name), (uint32_t)flag << 31 | kind << 24 | vlen, last};

	btfout_words(b, head, 3);
	b->next++;
}

void btfout_int(struct btfout *b, const char *name, uint32_t size, uint32_t encoding, uint32_t off,
		uint32_t bits)
{
	uint32_t how = (encoding & 7) << 24 | (off & 0xff) << 16 | (bits & 0xff);

	btfout_head(b, name, BTF_KIND_INT, false, 0, size);
	btfout_words(b, &how, 1);
}

void btfout_array(struct btfout *b, uint32_t elem, uint32_t index, uint32_t n)
{
	uint32_t words[3] = {elem, index, n};

	btfout_head(b, NULL, BTF_KIND_ARRAY, false, 0, 0);
	btfout_words(b, words, 3);
}

void btfout_void(struct btfout *b)
{
	btfout_head(b, NULL, BTF_KIND_CONST, false, 0, 0);
}

void btfout_sou(struct btfout *b, const char *name, uint32_t kind, uint32_t size,
		const struct btfout_member *members, int n)
{
	bool bits = false;
	int kept = 0;

	for (int i = 0; i < n; i++)
		bits |= members[i].bits != 0;
	for (int i = 0; i < n; i++) /* offsets share their word with the widths of bit-fields */
		kept += !bits || members[i].off <= MEMBER_OFF_MAX;
	btfout_head(b, name, kind, bits, kept, size);
	for (int i = 0; i < n; i++) {
		const struct btfout_member *m = &members[i];
		uint32_t words[3] = {m->name, m->type, m->off | m->bits << 24};

		if (!bits || m->off <= MEMBER_OFF_MAX)
			btfout_words(b, words, 3);
	}
}

void btfout_end(struct btfout *b, struct strbuf *out)
{
	struct raw_header h = {.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(h)};

	h.type_len = h.str_off = b->types.len;
	h.str_len = b->strs.len;
	sb_add(out, &h, sizeof(h));
	sb_add(out, b->types.s, b->types.len);
	sb_add(out, b->strs.s, b->strs.len);
}
