/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The static probes of objects: notes of SystemTap's and of Oracle's form, and declarations. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/radix.h"
#include "libdt/process/foreign.h"
#include "libdt/process/object_int.h"

/* Static probes; declarations of them, the characters of each of their names, and how large the
 * section of them may be in a foreign file. */
enum { MAX_NOTES = 1 << 20, MAX_DECLS = 1 << 16, DECL_NAME = 255, DECLS_SIZE = 16 << 20 };

/* A probe may be written with "-" or "__" in one place and not the other. The length; 0: the names
 * are longer than any that -G writes. */
static size_t decl_key(char key[2 * DECL_NAME + 2], const char *provider, const char *name)
{
	size_t len = strnlen(provider, DECL_NAME + 1);
	char *to = key + len + 1;

	if (len > DECL_NAME || strnlen(name, DECL_NAME + 1) > DECL_NAME)
		return 0;
	memcpy(key, provider, len);
	key[len] = ':';
	for (; *name; name++) {
		bool two = name[0] == '_' && name[1] == '_';

		*to++ = two ? '-' : *name;
		name += two;
	}
	return to - key;
}

static bool take_decl(void *arg, const struct provnote_probe *p)
{
	struct object *o = arg;
	char key[2 * DECL_NAME + 2];
	size_t len = decl_key(key, p->provider, p->name);

	if (!len)
		return true;
	if (o->ndecls++ >= MAX_DECLS ||
	    !object_charge(o, provnote_size(p) + len + 2 * sizeof(struct hash_entry)))
		return false;
	hash_put(&o->decls, key, len, provnote_copy(o->arena, p));
	return true;
}

/* Names are repeated in messages; those of programs have a few dozen bytes. */
enum { NAME_MOST = 1023 };

static bool has_names(const struct object_note *note)
{
	return strlen(note->provider) <= NAME_MOST && strlen(note->name) <= NAME_MOST;
}

/* A note of an answer's texts. False: there are no more. */
static bool add_note(struct object *o, const struct object_note *note)
{
	if (!has_names(note))
		return true;
	if (o->notes.n >= MAX_NOTES || !object_charge(o, sizeof(*note)))
		return false;
	vec_push(&o->notes, *note);
	return true;
}

/*
 * Oracle's: two words, the instruction and where its function's name is; the provider, the name;
 * a byte, how many arguments; the arguments. Type 2 is a test whether the probe is enabled, which
 * is no place of it.
 */
static bool take_usdt(void *arg, uint32_t type, const char *name, const uint8_t *desc,
		      uint32_t size)
{
	struct object *o = arg;
	uint32_t words = 2 * sizeof(uint64_t);
	const char *p = (const char *)desc + words, *end = (const char *)desc + size;
	struct object_note note = {0};

	if (type == PROVNOTE_TYPE && !strcmp(name, PROVNOTE_OWNER))
		provnote_read(desc, size, take_decl, o);
	if (type != 1 || strcmp(name, "usdt") || !object_is_64(o) || size < words + 4)
		return false;
	memcpy(&note.addr, desc, sizeof(note.addr));
	note.provider = elfread_note_string(&p, end);
	note.name = note.provider ? elfread_note_string(&p, end) : NULL;
	p++;
	note.args = note.name ? elfread_note_string(&p, end) : NULL;
	return note.args && *note.provider && *note.name && !add_note(o, &note);
}

/* A note declares a few hundred bytes for each probe: a foreign file that has more than fits is up
 * to something else. */
static struct object_block ask_declarations(struct object *o)
{
	uint32_t section = object_section_find(o, PROVNOTE_SECTION);
	struct object_block b = {0};

	if (section)
		b = object_ask(o, (struct elfread_ask){.what = ELFREAD_SECTION,
						       .section = section,
						       .most = DECLS_SIZE});
	if (section && o->file.foreign && o->file.found.err == -EFBIG)
		foreign_omit(o->file.foreign, "declarations of static probes", o->file.found.path,
			     "its section " PROVNOTE_SECTION " is larger than 16 MB");
	return b;
}

static void take_declarations(struct object *o, const struct object_block *b)
{
	if (b->len)
		elfread_each_note(b->mem, b->len, take_usdt, o);
	for (int i = 0; o->decls.live && i < o->notes.n; i++) {
		struct object_note *note = &o->notes.v[i];
		char key[2 * DECL_NAME + 2];
		size_t len = decl_key(key, note->provider, note->name);

		note->decl = len ? hash_get(&o->decls, key, len) : NULL;
	}
}

/* Of the probes at one instruction the kernel raises one semaphore: they share the first. */
static void share_semaphores(struct object *o)
{
	uint64_t *addrs = xcalloc(o->notes.n + 1, sizeof(*addrs));
	uint32_t *order = NULL;
	int end;

	for (int i = 0; i < o->notes.n; i++)
		addrs[i] = o->notes.v[i].addr;
	if (o->notes.n)
		order = radix_order(addrs, o->notes.n);
	for (int i = 0; i < o->notes.n; i = end) {
		uint64_t addr = addrs[order[i]], first = 0;

		for (end = i; end < o->notes.n && addrs[order[end]] == addr; end++)
			if (!first)
				first = o->notes.v[order[end]].semaphore;
		while (i < end)
			o->notes.v[order[i++]].semaphore = first;
	}
	free(order);
	free(addrs);
}

/* False: a part of them is refused, and nothing is taken. */
static bool take_notes(struct object *o)
{
	struct object_block b = object_ask(o, (struct elfread_ask){.what = ELFREAD_NOTES}),
			    decls = ask_declarations(o);
	struct elfread_table t;
	char *texts;
	struct object_note *v = object_table(&b, sizeof(*v), &t, &texts);
	bool ok = v;

	if (b.refused || decls.refused)
		return false;
	for (uint64_t i = 0; ok && i < MIN(t.n, (uint64_t)MAX_NOTES); i++) {
		v[i].decl = NULL;
		ok = object_set_text(&v[i].provider, texts, t.texts_len) &&
		     object_set_text(&v[i].name, texts, t.texts_len) &&
		     object_set_text(&v[i].args, texts, t.texts_len) && add_note(o, &v[i]);
	}
	take_declarations(o, &decls);
	share_semaphores(o);
	return true;
}

const struct object_note *object_notes(struct object *o, int *n)
{
	o->has_notes = o->has_notes || take_notes(o);
	*n = o->notes.n;
	return o->notes.v;
}
