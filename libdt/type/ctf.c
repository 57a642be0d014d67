/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CTF of programs (gcc -gctf), read through libctf and handed on as BTF, so that there is one
 * reader of types. CTF is a tree of depth two: types that the whole program shares, and for each
 * source file those that differ from another's. So there is one BTF for the former and one, based
 * on it, for each of the latter, as the kernel and its modules have.
 *
 * The file is untrusted, and libctf does not validate its input. So it runs in a separate process
 * (convert.h).
 */
#include "libdt/type/ctf.h"

#ifdef HAVE_CTF

#include <ctf-api.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/fd.h"
#include "libdt/type/btfout.h"
#include "libdt/type/convert.h"
#include "libdt/type/raw.h"

/* One dictionary as BTF that is being written. */
struct dict {
	ctf_dict_t *ctf;
	const struct dict *base;
	VEC(ctf_id_t) ids; /* in order; the first is record out.first */
	struct btfout out;
};

static int by_id(const void *pa, const void *pb)
{
	const ctf_id_t *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

/* The record of a type, 0 (void) when there is none. */
static uint32_t record_of(const struct dict *d, ctf_id_t id)
{
	for (; d; d = d->base) {
		ctf_id_t *at =
		    d->ids.n ? bsearch(&id, d->ids.v, d->ids.n, sizeof(id), by_id) : NULL;

		if (at)
			return d->out.first + (at - d->ids.v);
	}
	return 0;
}

/* Types ------------------------------------------------------------------- */

static void put_ref(struct dict *d, ctf_id_t id, uint32_t kind)
{
	btfout_head(&d->out, kind == BTF_KIND_TYPEDEF ? ctf_type_name_raw(d->ctf, id) : NULL, kind,
		    false, 0, record_of(d, ctf_type_reference(d->ctf, id)));
}

static void put_int(struct dict *d, ctf_id_t id)
{
	ctf_encoding_t e = {0};
	ssize_t size = ctf_type_size(d->ctf, id);

	ctf_type_encoding(d->ctf, id, &e);
	btfout_int(&d->out, ctf_type_name_raw(d->ctf, id), size > 0 && size <= 16 ? size : 4,
		   e.cte_format, e.cte_offset, e.cte_bits);
}

static void put_array(struct dict *d, ctf_id_t id)
{
	ctf_arinfo_t a = {0};

	if (ctf_array_info(d->ctf, id, &a))
		btfout_array(&d->out, 0, 0, 0);
	else
		btfout_array(&d->out, record_of(d, a.ctr_contents), record_of(d, a.ctr_index),
			     a.ctr_nelems);
}

static void put_function(struct dict *d, ctf_id_t id)
{
	ctf_funcinfo_t f = {0};
	uint32_t n, varargs;
	ctf_id_t *args;

	ctf_func_type_info(d->ctf, id, &f);
	n = MIN(f.ctc_argc, (uint32_t)BTFOUT_VLEN_MAX - 1);
	varargs = f.ctc_flags & CTF_FUNC_VARARG;
	args = xcalloc(n + 1, sizeof(*args));
	if (ctf_func_type_args(d->ctf, id, n, args))
		n = 0;
	btfout_head(&d->out, NULL, BTF_KIND_FUNC_PROTO, false, n + varargs,
		    record_of(d, f.ctc_return));
	for (uint32_t i = 0; i < n + varargs; i++) {
		uint32_t words[2] = {0, i < n ? record_of(d, args[i]) : 0};

		btfout_words(&d->out, words, 2);
	}
	free(args);
}

/* A bit-field is a slice of its type: a type of its own, which refers to that, as no other
 * integer does. */
static bool is_slice(struct dict *d, ctf_id_t id)
{
	int kind = ctf_type_kind(d->ctf, id);

	return (kind == CTF_K_INTEGER || kind == CTF_K_ENUM || kind == CTF_K_FLOAT) &&
	       ctf_type_reference(d->ctf, id) != CTF_ERR;
}

static struct btfout_member member_of(struct dict *d, const char *name, ctf_id_t type, ssize_t off)
{
	struct btfout_member f = {
	    .name = btfout_str(&d->out, name), .type = record_of(d, type), .off = off};
	ctf_encoding_t e;

	if (!is_slice(d, type) || ctf_type_encoding(d->ctf, type, &e))
		return f;
	f.type = record_of(d, ctf_type_reference(d->ctf, type));
	f.off += e.cte_offset;
	f.bits = MIN(e.cte_bits, 64u);
	return f;
}

static void put_sou(struct dict *d, ctf_id_t id, uint32_t kind)
{
	VEC(struct btfout_member) members = {0};
	ctf_next_t *it = NULL;
	const char *name;
	ctf_id_t type;
	ssize_t off, size = ctf_type_size(d->ctf, id);

	while ((off = ctf_member_next(d->ctf, id, &it, &name, &type, 0)) >= 0 &&
	       members.n < BTFOUT_VLEN_MAX)
		vec_push(&members, member_of(d, name, type, off));
	if (off >= 0)
		ctf_next_destroy(it);
	btfout_sou(&d->out, ctf_type_name_raw(d->ctf, id), kind, size > 0 ? size : 0, members.v,
		   members.n);
	vec_free(&members);
}

static void put_enum(struct dict *d, ctf_id_t id)
{
	struct strbuf values = {0};
	ctf_next_t *it = NULL;
	const char *name;
	int value, n = 0;
	ssize_t size = ctf_type_size(d->ctf, id);

	while (n < BTFOUT_VLEN_MAX && (name = ctf_enum_next(d->ctf, id, &it, &value))) {
		uint32_t words[2] = {btfout_str(&d->out, name), value};

		sb_add(&values, words, sizeof(words));
		n++;
	}
	if (n == BTFOUT_VLEN_MAX)
		ctf_next_destroy(it);
	btfout_head(&d->out, ctf_type_name_raw(d->ctf, id), BTF_KIND_ENUM, false, n,
		    size > 0 && size <= 8 ? size : 4);
	if (n)
		sb_add(&d->out.types, values.s, values.len);
	sb_free(&values);
}

static void put_forward(struct dict *d, ctf_id_t id)
{
	int kind = ctf_type_kind_forwarded(d->ctf, id);
	const char *name = ctf_type_name_raw(d->ctf, id);

	if (kind == CTF_K_ENUM)
		btfout_head(&d->out, name, BTF_KIND_ENUM, false, 0, 4);
	else
		btfout_head(&d->out, name, BTF_KIND_FWD, kind == CTF_K_UNION, 0, 0);
}

/* One record for each type, whatever it is: the records' numbers follow from the types'. */
static void put_type(struct dict *d, ctf_id_t id)
{
	if (is_slice(d, id)) {
		put_ref(d, id, BTF_KIND_RESTRICT);
		return;
	}
	switch (ctf_type_kind(d->ctf, id)) {
	case CTF_K_INTEGER:
		put_int(d, id);
		break;
	case CTF_K_FLOAT:
		btfout_head(&d->out, ctf_type_name_raw(d->ctf, id), RAW_FLOAT, false, 0,
			    MAX(ctf_type_size(d->ctf, id), 0));
		break;
	case CTF_K_POINTER:
		put_ref(d, id, BTF_KIND_PTR);
		break;
	case CTF_K_ARRAY:
		put_array(d, id);
		break;
	case CTF_K_FUNCTION:
		put_function(d, id);
		break;
	case CTF_K_STRUCT:
		put_sou(d, id, BTF_KIND_STRUCT);
		break;
	case CTF_K_UNION:
		put_sou(d, id, BTF_KIND_UNION);
		break;
	case CTF_K_ENUM:
		put_enum(d, id);
		break;
	case CTF_K_FORWARD:
		put_forward(d, id);
		break;
	case CTF_K_TYPEDEF:
		put_ref(d, id, BTF_KIND_TYPEDEF);
		break;
	case CTF_K_VOLATILE:
		put_ref(d, id, BTF_KIND_VOLATILE);
		break;
	case CTF_K_CONST:
		put_ref(d, id, BTF_KIND_CONST);
		break;
	case CTF_K_RESTRICT:
		put_ref(d, id, BTF_KIND_RESTRICT);
		break;
	default: /* of what CTF cannot say, and of kinds that are newer than we: void */
		btfout_void(&d->out);
	}
}

static void put_types(struct dict *d)
{
	ctf_next_t *it = NULL;
	ctf_id_t id;
	int hidden;

	while ((id = ctf_type_next(d->ctf, &it, &hidden, 1)) != CTF_ERR)
		vec_push(&d->ids, id);
	if (d->ids.n)
		qsort(d->ids.v, d->ids.n, sizeof(id), by_id);
	for (int i = 0; i < d->ids.n; i++)
		put_type(d, d->ids.v[i]);
}

static void put_func(struct dict *d, const char *name, ctf_id_t type)
{
	if (name && *name && ctf_type_kind(d->ctf, type) == CTF_K_FUNCTION)
		btfout_head(&d->out, name, BTF_KIND_FUNC, false, 0, record_of(d, type));
}

/* The linker keeps the functions that others can see by their symbols, and all of them, with
 * --ctf-variables, as variables. */
static void put_functions(struct dict *d)
{
	ctf_next_t *it = NULL;
	const char *name;
	ctf_id_t type;

	while ((type = ctf_symbol_next(d->ctf, &it, &name, 1)) != CTF_ERR)
		put_func(d, name, type);
	it = NULL;
	while ((type = ctf_variable_next(d->ctf, &it, &name)) != CTF_ERR)
		put_func(d, name, type);
}

static bool write_dict(struct dict *d, ctf_dict_t *ctf, const struct dict *base, int fd)
{
	struct strbuf blob = {0};
	bool ok;

	*d = (struct dict){.ctf = ctf, .base = base};
	btfout_begin(&d->out, base ? &base->out : NULL);
	put_types(d);
	put_functions(d);
	btfout_end(&d->out, &blob);
	ok = fd_write(fd, blob.s, blob.len);
	sb_free(&blob);
	return ok;
}

/* Reading ------------------------------------------------------------------ */

/* Whether the names are among those of the dynamic symbols: the first dictionary's head says so. */
static bool uses_dynamic(const struct type_sections *s)
{
	const uint8_t *at = s->ctf, *end = at + s->ctf_len;
	struct ctf_archive ar;
	uint16_t magic;

	if (s->ctf_len > sizeof(ar)) {
		memcpy(&ar, at, sizeof(ar));
		if (ar.ctfa_magic == CTFA_MAGIC && ar.ctfa_ctfs < s->ctf_len - 8)
			at += ar.ctfa_ctfs + 8; /* after its length */
	}
	if (end - at < (ptrdiff_t)sizeof(ctf_preamble_t))
		return false;
	memcpy(&magic, at, sizeof(magic));
	return magic == CTF_MAGIC && at[3] & CTF_F_DYNSTR;
}

static ctf_archive_t *open_archive(const struct type_sections *s, int *err)
{
	bool dynamic = uses_dynamic(s);
	ctf_sect_t ctf = {".ctf", s->ctf, s->ctf_len, 1};
	ctf_sect_t syms = {dynamic ? ".dynsym" : ".symtab", dynamic ? s->dynsym : s->symtab,
			   dynamic ? s->dynsym_len : s->symtab_len, s->is_64 ? 24 : 16};
	ctf_sect_t strs = {dynamic ? ".dynstr" : ".strtab", dynamic ? s->dynstr : s->strtab,
			   dynamic ? s->dynstr_len : s->strtab_len, 1};

	return ctf_arc_bufopen(&ctf, syms.cts_data && strs.cts_data ? &syms : NULL,
			       syms.cts_data && strs.cts_data ? &strs : NULL, err);
}

static enum convert_end read_ctf(const struct type_sections *s, int fd)
{
	struct dict shared, own;
	ctf_next_t *it = NULL;
	ctf_archive_t *ar;
	ctf_dict_t *ctf;
	const char *name;
	int err = 0;

	ar = open_archive(s, &err);
	ctf = ar ? ctf_dict_open(ar, NULL, &err) : NULL;
	if (!ctf) {
		char *why = xasprintf("its CTF cannot be read: %s", ctf_errmsg(err));

		return convert_refuse(fd, why);
	}
	if (!write_dict(&shared, ctf, NULL, fd))
		return CONVERT_FAILED;
	while ((ctf = ctf_archive_next(ar, &it, &name, 1, &err))) {
		if (!write_dict(&own, ctf, &shared, fd))
			return CONVERT_FAILED;
		vec_free(&own.ids);
		btfout_free(&own.out);
		ctf_dict_close(ctf);
	}
	return CONVERT_DONE;
}

char *ctf_as_btf(const struct type_sections *s, struct strbuf *out)
{
	return convert_apart(s, "CTF", s->ctf_len, read_ctf, out);
}

#else

char *ctf_as_btf(const struct type_sections *s, struct strbuf *out)
{
	(void)s;
	(void)out;
	return xstrdup("it has CTF, which this dtrace was built without");
}

#endif
