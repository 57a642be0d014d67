/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/provnote.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

struct reader {
	const uint8_t *data;
	size_t size, at;
	bool bad;
};

static const char *read_text(struct reader *r)
{
	const char *s = (const char *)r->data + r->at;
	const void *nul = r->at < r->size ? memchr(s, 0, r->size - r->at) : NULL;

	if (!nul) {
		r->bad = true;
		return "";
	}
	r->at += strlen(s) + 1;
	return s;
}

static int read_count(struct reader *r)
{
	if (r->at >= r->size) {
		r->bad = true;
		return 0;
	}
	return r->data[r->at++];
}

static void align(struct reader *r)
{
	r->at = ALIGN_UP(r->at, 4);
}

/* p has arrays of PROVNOTE_ARGS. */
static void read_probe(struct reader *r, struct provnote_probe *p)
{
	p->name = read_text(r);
	p->npassed = read_count(r);
	r->bad |= p->npassed > PROVNOTE_ARGS;
	for (int i = 0; i < p->npassed && !r->bad; i++)
		p->passed[i] = read_text(r);
	p->nargs = read_count(r);
	r->bad |= p->nargs > PROVNOTE_ARGS;
	for (int i = 0; i < p->nargs && !r->bad; i++) {
		p->args[i].type = read_text(r);
		p->args[i].native = read_count(r);
		r->bad |= p->args[i].native >= p->npassed;
	}
	align(r);
}

void provnote_read(const uint8_t *desc, uint32_t size,
		   bool (*fn)(void *arg, const struct provnote_probe *p), void *arg)
{
	struct reader r = {.data = desc, .size = size};
	const char *passed[PROVNOTE_ARGS];
	struct provnote_arg args[PROVNOTE_ARGS];
	struct provnote_probe p = {.provider = read_text(&r), .passed = passed, .args = args};
	uint32_t n = 0;

	align(&r);
	r.at += PROVNOTE_ATTRS;
	if (r.bad || r.at + sizeof(n) > size)
		return;
	memcpy(&n, desc + r.at, sizeof(n));
	r.at += sizeof(n);
	for (uint32_t i = 0; i < n; i++) {
		read_probe(&r, &p);
		if (r.bad || !*p.name || !fn(arg, &p))
			return;
	}
}

size_t provnote_size(const struct provnote_probe *p)
{
	return sizeof(*p) + p->npassed * sizeof(*p->passed) + p->nargs * sizeof(*p->args);
}

struct provnote_probe *provnote_copy(struct arena *a, const struct provnote_probe *p)
{
	struct provnote_probe *copy = arena_alloc(a, provnote_size(p));

	*copy = *p;
	copy->args = (struct provnote_arg *)(copy + 1);
	copy->passed = (const char **)(copy->args + p->nargs);
	for (int i = 0; i < p->nargs; i++)
		copy->args[i] = p->args[i];
	for (int i = 0; i < p->npassed; i++)
		copy->passed[i] = p->passed[i];
	return copy;
}

static void put_text(struct strbuf *out, const char *s)
{
	sb_add(out, s, strlen(s) + 1);
}

static void pad(struct strbuf *out, size_t begun)
{
	while ((out->len - begun) % 4)
		sb_putc(out, 0);
}

size_t provnote_begin(struct strbuf *out, const char *provider, const uint8_t attrs[PROVNOTE_ATTRS],
		      int nprobes)
{
	Elf64_Nhdr head = {.n_namesz = sizeof(PROVNOTE_OWNER), .n_type = PROVNOTE_TYPE};
	uint32_t n = nprobes;
	size_t begun;

	sb_add(out, &head, sizeof(head));
	sb_add(out, PROVNOTE_OWNER "\0\0\0", 8);
	begun = out->len;
	put_text(out, provider);
	pad(out, begun);
	sb_add(out, attrs, PROVNOTE_ATTRS);
	sb_add(out, &n, sizeof(n));
	return begun;
}

void provnote_probe(struct strbuf *out, size_t begun, const struct provnote_probe *p)
{
	put_text(out, p->name);
	sb_putc(out, p->npassed);
	for (int i = 0; i < p->npassed; i++)
		put_text(out, p->passed[i]);
	sb_putc(out, p->nargs);
	for (int i = 0; i < p->nargs; i++) {
		put_text(out, p->args[i].type);
		sb_putc(out, p->args[i].native);
	}
	pad(out, begun);
}

void provnote_end(struct strbuf *out, size_t begun)
{
	uint32_t size = out->len - begun;

	memcpy(out->s + begun - 8 - sizeof(Elf64_Nhdr) + offsetof(Elf64_Nhdr, n_descsz), &size,
	       sizeof(size));
}
