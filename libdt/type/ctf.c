/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CTF of programs (gcc -gctf), read through libctf and handed on as BTF, so that there is one reader of types. CTF is a
 * tree of depth two: types that the whole program shares, and for each source file those that differ from another's.
 * So there is one BTF for the former and one, based on it, for each of the latter, as the kernel and its modules have.
 *
 * The file may be anybody's, and libctf trusts what it reads. So it runs in a process of its own, which leaves the BTF in a file
 * of memory; if it dies there, the CTF is broken, and nobody is hurt.
 */
#include "libdt/type/ctf.h"

#ifdef HAVE_CTF

#include <ctf-api.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/type/raw.h"

enum { CTF_LIMIT = 256 << 20, CPU_SECONDS = 20, VLEN_MAX = 0xffff, MEMBER_OFF_MAX = 0xffffff };
/* How the process that reads it ends. */
enum { READ_OK = 0, READ_REFUSED = 3 };

/* One dictionary as BTF that is being written. */
struct dict {
	ctf_dict_t *ctf;
	const struct dict *base;
	VEC(ctf_id_t) ids; /* in order; the first is record first */
	uint32_t first, next, strs_start;
	struct strbuf types, strs;
};

/* Writing records ------------------------------------------------------------------------------------------------- */

static uint32_t put_str(struct dict *d, const char *s)
{
	uint32_t at = d->strs_start + d->strs.len;

	if (!s || !*s)
		return 0;
	sb_add(&d->strs, s, strlen(s) + 1);
	return at;
}

static void put_words(struct dict *d, const uint32_t *words, int n)
{
	sb_add(&d->types, words, n * sizeof(*words));
}

/* last: size or type. */
static void put_head(struct dict *d, const char *name, uint32_t kind, bool flag, uint32_t vlen, uint32_t last)
{
	uint32_t head[3] = {put_str(d, name), (uint32_t)flag << 31 | kind << 24 | vlen, last};

	put_words(d, head, 3);
	d->next++;
}

static int by_id(const void *pa, const void *pb)
{
	const ctf_id_t *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

/* The record of a type, 0 (void) when there is none. */
static uint32_t record_of(const struct dict *d, ctf_id_t id)
{
	for (; d; d = d->base) {
		ctf_id_t *at = d->ids.n ? bsearch(&id, d->ids.v, d->ids.n, sizeof(id), by_id) : NULL;

		if (at)
			return d->first + (at - d->ids.v);
	}
	return 0;
}

/* Types ----------------------------------------------------------------------------------------------------------- */

static void put_ref(struct dict *d, ctf_id_t id, uint32_t kind)
{
	put_head(d, kind == BTF_KIND_TYPEDEF ? ctf_type_name_raw(d->ctf, id) : NULL, kind, false, 0,
		 record_of(d, ctf_type_reference(d->ctf, id)));
}

static void put_int(struct dict *d, ctf_id_t id)
{
	ctf_encoding_t e = {0};
	ssize_t size = ctf_type_size(d->ctf, id);
	uint32_t how;

	ctf_type_encoding(d->ctf, id, &e);
	how = (e.cte_format & 7) << 24 | (e.cte_offset & 0xff) << 16 | (e.cte_bits & 0xff);
	put_head(d, ctf_type_name_raw(d->ctf, id), BTF_KIND_INT, false, 0, size > 0 && size <= 16 ? size : 4);
	put_words(d, &how, 1);
}

static void put_array(struct dict *d, ctf_id_t id)
{
	ctf_arinfo_t a = {0};
	uint32_t words[3] = {0};

	if (!ctf_array_info(d->ctf, id, &a)) {
		words[0] = record_of(d, a.ctr_contents);
		words[1] = record_of(d, a.ctr_index);
		words[2] = a.ctr_nelems;
	}
	put_head(d, NULL, BTF_KIND_ARRAY, false, 0, 0);
	put_words(d, words, 3);
}

static void put_function(struct dict *d, ctf_id_t id)
{
	ctf_funcinfo_t f = {0};
	uint32_t n, varargs;
	ctf_id_t *args;

	ctf_func_type_info(d->ctf, id, &f);
	n = MIN(f.ctc_argc, (uint32_t)VLEN_MAX - 1);
	varargs = f.ctc_flags & CTF_FUNC_VARARG;
	args = xcalloc(n + 1, sizeof(*args));
	if (ctf_func_type_args(d->ctf, id, n, args))
		n = 0;
	put_head(d, NULL, BTF_KIND_FUNC_PROTO, false, n + varargs, record_of(d, f.ctc_return));
	for (uint32_t i = 0; i < n + varargs; i++) {
		uint32_t words[2] = {0, i < n ? record_of(d, args[i]) : 0};

		put_words(d, words, 2);
	}
	free(args);
}

/* A bit-field is a slice of its type: a type of its own, which refers to that, as no other integer does. */
static bool is_slice(struct dict *d, ctf_id_t id)
{
	int kind = ctf_type_kind(d->ctf, id);

	return (kind == CTF_K_INTEGER || kind == CTF_K_ENUM || kind == CTF_K_FLOAT) &&
	       ctf_type_reference(d->ctf, id) != CTF_ERR;
}

struct piece {
	uint32_t name, type, off, bits;
};

static struct piece member_of(struct dict *d, const char *name, ctf_id_t type, ssize_t off)
{
	struct piece f = {.name = put_str(d, name), .type = record_of(d, type), .off = off};
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
	VEC(struct piece) pieces = {0};
	ctf_next_t *it = NULL;
	bool bits = false;
	const char *name;
	ctf_id_t type;
	ssize_t off, size = ctf_type_size(d->ctf, id);
	int n = 0;

	while ((off = ctf_member_next(d->ctf, id, &it, &name, &type, 0)) >= 0 && pieces.n < VLEN_MAX) {
		struct piece f = member_of(d, name, type, off);

		vec_push(&pieces, f);
		bits |= f.bits != 0;
	}
	if (off >= 0)
		ctf_next_destroy(it);
	for (int i = 0; i < pieces.n; i++) /* offsets share their word with the widths of bit-pieces */
		if (!bits || pieces.v[i].off <= MEMBER_OFF_MAX)
			pieces.v[n++] = pieces.v[i];
	put_head(d, ctf_type_name_raw(d->ctf, id), kind, bits, n, size > 0 ? size : 0);
	for (int i = 0; i < n; i++) {
		struct piece *f = &pieces.v[i];
		uint32_t words[3] = {f->name, f->type, f->off | f->bits << 24};

		put_words(d, words, 3);
	}
	vec_free(&pieces);
}

static void put_enum(struct dict *d, ctf_id_t id)
{
	struct strbuf values = {0};
	ctf_next_t *it = NULL;
	const char *name;
	int value, n = 0;
	ssize_t size = ctf_type_size(d->ctf, id);

	while (n < VLEN_MAX && (name = ctf_enum_next(d->ctf, id, &it, &value))) {
		uint32_t words[2] = {put_str(d, name), value};

		sb_add(&values, words, sizeof(words));
		n++;
	}
	if (n == VLEN_MAX)
		ctf_next_destroy(it);
	put_head(d, ctf_type_name_raw(d->ctf, id), BTF_KIND_ENUM, false, n, size > 0 && size <= 8 ? size : 4);
	if (n)
		sb_add(&d->types, values.s, values.len);
	sb_free(&values);
}

static void put_forward(struct dict *d, ctf_id_t id)
{
	int kind = ctf_type_kind_forwarded(d->ctf, id);
	const char *name = ctf_type_name_raw(d->ctf, id);

	if (kind == CTF_K_ENUM)
		put_head(d, name, BTF_KIND_ENUM, false, 0, 4);
	else
		put_head(d, name, BTF_KIND_FWD, kind == CTF_K_UNION, 0, 0);
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
		put_head(d, ctf_type_name_raw(d->ctf, id), RAW_FLOAT, false, 0, MAX(ctf_type_size(d->ctf, id), 0));
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
		put_head(d, NULL, BTF_KIND_CONST, false, 0, 0);
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
		put_head(d, name, BTF_KIND_FUNC, false, 0, record_of(d, type));
}

/* The linker keeps the functions that others can see by their symbols, and all of them, with --ctf-variables, as variables. */
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

static bool write_all(int fd, const void *data, size_t len)
{
	for (const char *p = data; len;) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= n;
	}
	return true;
}

static bool write_dict(struct dict *d, ctf_dict_t *ctf, const struct dict *base, int fd)
{
	struct btf_header h = {.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(h)};

	*d = (struct dict){.ctf = ctf, .base = base};
	d->first = d->next = base ? base->next : 1;
	d->strs_start = base ? base->strs.len : 0;
	if (!base)
		sb_putc(&d->strs, '\0');
	put_types(d);
	put_functions(d);
	h.type_len = h.str_off = d->types.len;
	h.str_len = d->strs.len;
	return write_all(fd, &h, sizeof(h)) && write_all(fd, d->types.s, d->types.len) && write_all(fd, d->strs.s, d->strs.len);
}

/* Reading, in a process of its own -------------------------------------------------------------------------------------- */

/* Whether the names are among those of the dynamic symbols: the first dictionary's head says so. */
static bool uses_dynamic(const struct type_sections *s)
{
	const uint8_t *at = s->ctf, *end = at + s->ctf_len;
	struct ctf_archive ar;
	uint16_t magic;

	if (s->ctf_len > sizeof(ar)) {
		memcpy(&ar, at, sizeof(ar));
		if (ar.ctfa_magic == CTFA_MAGIC && ar.ctfa_ctfs < s->ctf_len - 8)
			at += ar.ctfa_ctfs + 8; /* behind its length */
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

static int read_ctf(const struct type_sections *s, int fd)
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
		const char *why = ctf_errmsg(err);

		return write_all(fd, why, strlen(why)) ? READ_REFUSED : -1;
	}
	if (!write_dict(&shared, ctf, NULL, fd))
		return -1;
	while ((ctf = ctf_archive_next(ar, &it, &name, 1, &err))) {
		if (!write_dict(&own, ctf, &shared, fd))
			return -1;
		vec_free(&own.ids);
		sb_free(&own.types);
		sb_free(&own.strs);
		ctf_dict_close(ctf);
	}
	return READ_OK;
}

/* Alone, without a voice, and not for ever. */
static _Noreturn void reader(const struct type_sections *s, int fd)
{
	struct rlimit cpu = {CPU_SECONDS, CPU_SECONDS}, core = {0, 0}, file = {4ll * CTF_LIMIT, 4ll * CTF_LIMIT};
	int null = open("/dev/null", O_RDWR);

	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_CORE, &core);
	setrlimit(RLIMIT_FSIZE, &file);
	for (int i = 0; null >= 0 && i < 3; i++)
		dup2(null, i);
	_exit(read_ctf(s, fd));
}

static void take(int fd, struct strbuf *out)
{
	char buf[1 << 16];
	ssize_t n;

	if (lseek(fd, 0, SEEK_SET))
		return;
	while ((n = read(fd, buf, sizeof(buf))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			sb_add(out, buf, n);
}

char *ctf_as_btf(const struct type_sections *s, struct strbuf *out)
{
	int fd = memfd_create("dt-ctf", MFD_CLOEXEC), status = -1;
	char *why = NULL;
	pid_t pid;

	if (fd < 0 || s->ctf_len > CTF_LIMIT || (pid = fork()) < 0) {
		why = xstrdup(s->ctf_len > CTF_LIMIT ? "its CTF is too large" : strerror(errno));
		if (fd >= 0)
			close(fd);
		return why;
	}
	if (!pid)
		reader(s, fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	take(fd, out);
	close(fd);
	if (!WIFEXITED(status) || (WEXITSTATUS(status) != READ_OK && WEXITSTATUS(status) != READ_REFUSED))
		return xstrdup("its CTF is broken");
	if (WEXITSTATUS(status) == READ_REFUSED)
		why = xasprintf("its CTF cannot be read: %s", sb_str(out));
	return why;
}

#else

char *ctf_as_btf(const struct type_sections *s, struct strbuf *out)
{
	(void)s;
	(void)out;
	return xstrdup("it has CTF, which this dtrace was built without");
}

#endif
