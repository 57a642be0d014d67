/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The section .BTF of a program is untrusted, as its CTF and DWARF are. Those are converted to BTF
 * by processes without rights; BTF is copied by one. So the bytes of the file end there, and what
 * dtrace gets has one form: a plain header, records of known kinds, references to records and
 * strings that exist.
 *
 * Strings are copied as a whole, not for each name: the copy is never larger than its original.
 */
#include "libdt/type/btfcopy.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/base/fd.h"
#include "libdt/type/raw.h"

/* The words of a record after name and info, and of each of the vlen things that follow it: n, a
 * name; t, a type; w, any. */
struct shape {
	const char *words, *each;
};
static const struct shape shapes[RAW_KINDS] = {
    [BTF_KIND_INT] = {"ww", ""},	 [BTF_KIND_PTR] = {"t", ""},
    [BTF_KIND_ARRAY] = {"wttw", ""},	 [BTF_KIND_STRUCT] = {"w", "ntw"},
    [BTF_KIND_UNION] = {"w", "ntw"},	 [BTF_KIND_ENUM] = {"w", "nw"},
    [BTF_KIND_FWD] = {"w", ""},		 [BTF_KIND_TYPEDEF] = {"t", ""},
    [BTF_KIND_VOLATILE] = {"t", ""},	 [BTF_KIND_CONST] = {"t", ""},
    [BTF_KIND_RESTRICT] = {"t", ""},	 [BTF_KIND_FUNC] = {"t", ""},
    [BTF_KIND_FUNC_PROTO] = {"t", "nt"}, [BTF_KIND_VAR] = {"tw", ""},
    [BTF_KIND_DATASEC] = {"w", "tww"},	 [RAW_FLOAT] = {"w", ""},
    [RAW_DECL_TAG] = {"tw", ""},	 [RAW_TYPE_TAG] = {"t", ""},
    [RAW_ENUM64] = {"w", "nww"},
};

static const uint32_t *copy_words(const struct btf_raw *raw, const char *what, const uint32_t *from,
				  struct strbuf *out)
{
	for (; *what; what++, from++) {
		uint32_t word = *from;

		if ((*what == 'n' && word >= raw->strs_len) || (*what == 't' && word >= raw->end))
			word = 0;
		sb_add(out, &word, sizeof(word));
	}
	return from;
}

/* One of an unknown kind is a qualifier of void, which has no meaning to D. */
static void copy_record(const struct btf_raw *raw, const struct btf_type *r, struct strbuf *out)
{
	static const uint32_t nothing[] = {0, (uint32_t)BTF_KIND_CONST << 24, 0};
	const struct shape *shape = &shapes[raw_kind(r)];
	const uint32_t *words = (const uint32_t *)r;

	if (!shape->words) {
		sb_add(out, nothing, sizeof(nothing));
		return;
	}
	words = copy_words(raw, "nw", words, out);
	words = copy_words(raw, shape->words, words, out);
	for (uint32_t i = 0; *shape->each && i < raw_vlen(r); i++)
		words = copy_words(raw, shape->each, words, out);
}

static bool copy_blob(const struct btf_raw *raw, int fd)
{
	struct raw_header h = {.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(h)};
	struct strbuf records = {0};
	bool ok;

	for (uint32_t id = raw->first; id < raw->end; id++)
		copy_record(raw, raw_own(raw, id), &records);
	h.type_len = h.str_off = records.len;
	h.str_len = raw->strs_len;
	ok = fd_write(fd, &h, sizeof(h)) && fd_write(fd, sb_str(&records), records.len) &&
	     fd_write(fd, raw->strs, raw->strs_len);
	sb_free(&records);
	return ok;
}

enum convert_end btf_copy_to(const struct type_sections *s, int fd)
{
	const uint8_t *data = s->btf;
	size_t len = s->btf_len;
	bool ok = true;

	while (len && ok) {
		size_t n = raw_length(data, len);
		char *why = n ? NULL : xstrdup("its BTF is broken");
		struct btf_raw *raw = n ? raw_memory(data, n, NULL, &why) : NULL;

		if (!raw)
			return convert_refuse(fd, why);
		ok = copy_blob(raw, fd);
		raw_free(raw);
		for (data += n, len -= n; len && !*data; data++, len--)
			; /* between two sections */
	}
	return ok ? CONVERT_DONE : CONVERT_FAILED;
}

char *btf_copy(const struct type_sections *s, struct strbuf *out)
{
	return convert_apart(s, "BTF", s->btf_len, btf_copy_to, out);
}
