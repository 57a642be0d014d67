/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types written as CTF, by libctf, into an object file, where objdump --ctf and readelf --ctf
 * look for it.
 *
 * A struct gets its number at once and its members when all that was asked for has one, so that a
 * struct whose members lead back to it, or to thousands of others, needs no recursion.
 */
#include "libdt/type/ctf.h"

#ifdef HAVE_CTF

#include <ctf-api.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/machine/machine.h"
#include "libdt/type/types.h"

enum { COMPRESS_FROM = 4096 };

struct out {
	struct types *types;
	ctf_dict_t *ctf;
	struct hash ids;		 /* struct type * -> its number, plus one */
	struct hash names;		 /* those that were given away */
	VEC(const struct type *) bodies; /* structs and unions, whose members are still to come */
	int done;			 /* of these */
	int err;			 /* of libctf, the first */
};

static ctf_id_t id_of(struct out *o, const struct type *t, int depth);

static ctf_id_t check(struct out *o, ctf_id_t id)
{
	if (id == CTF_ERR && !o->err)
		o->err = ctf_errno(o->ctf);
	return id == CTF_ERR ? 0 : id;
}

/* Of several types of one name (the kernel's and D's, or two modules') lookups by name find the
 * first. */
static uint32_t visible(struct out *o, const char *space, const char *name)
{
	char *key = xasprintf("%s %s", space, name ? name : "");
	bool taken = name && hash_gets(&o->names, key);

	if (!taken)
		hash_puts(&o->names, key, o);
	free(key);
	return taken ? CTF_ADD_NONROOT : CTF_ADD_ROOT;
}

static ctf_id_t put_int(struct out *o, const char *name, unsigned format, unsigned bytes)
{
	ctf_encoding_t e = {.cte_format = format, .cte_bits = bytes * 8};

	return ctf_add_integer(o->ctf, visible(o, "", name), name, &e);
}

static unsigned int_format(const struct type *t)
{
	return (t->flags & TF_SIGNED ? CTF_INT_SIGNED : 0) |
	       (t->flags & TF_CHAR ? CTF_INT_CHAR : 0) | (t->flags & TF_BOOL ? CTF_INT_BOOL : 0);
}

static ctf_id_t put_float(struct out *o, const struct type *t)
{
	ctf_encoding_t e = {.cte_bits = t->size * 8,
			    .cte_format = t->size == 4	 ? CTF_FP_SINGLE
					  : t->size == 8 ? CTF_FP_DOUBLE
							 : CTF_FP_LDOUBLE};

	return ctf_add_float(o->ctf, visible(o, "", t->name), t->name, &e);
}

static ctf_id_t put_array(struct out *o, const struct type *of, uint64_t n, int depth)
{
	ctf_arinfo_t a = {.ctr_contents = id_of(o, of, depth),
			  .ctr_index = id_of(o, type_int(o->types, 4, true), depth),
			  .ctr_nelems = MIN(n, UINT32_MAX)};

	return ctf_add_array(o->ctf, CTF_ADD_ROOT, &a);
}

static ctf_id_t put_func(struct out *o, const struct type *t, int depth)
{
	ctf_id_t *args = xcalloc(t->nparams + 1, sizeof(*args)), id;
	ctf_funcinfo_t f = {.ctc_return = id_of(o, t->ref, depth),
			    .ctc_argc = t->nparams,
			    .ctc_flags = t->flags & TF_VARARGS ? CTF_FUNC_VARARG : 0};

	for (int i = 0; i < t->nparams; i++)
		args[i] = id_of(o, t->params[i], depth);
	id = ctf_add_function(o->ctf, CTF_ADD_ROOT, &f, args);
	free(args);
	return id;
}

static ctf_id_t put_sou(struct out *o, const struct type *t)
{
	bool is_struct = t->kind == T_STRUCT;
	uint32_t flag = visible(o, is_struct ? "struct" : "union", t->name);

	vec_push(&o->bodies, t);
	return (is_struct ? ctf_add_struct_sized : ctf_add_union_sized)(o->ctf, flag, t->name,
									type_size(o->types, t));
}

static ctf_id_t put_enum(struct out *o, const struct type *t)
{
	ctf_encoding_t e = {.cte_format = CTF_INT_SIGNED, .cte_bits = t->size * 8};
	uint32_t flag = visible(o, "enum", t->name);
	ctf_id_t id = ctf_add_enum(o->ctf, flag, t->name);

	for (int i = 0; i < t->nenums && id != CTF_ERR; i++)
		if (ctf_add_enumerator(o->ctf, id, t->enums[i].name, t->enums[i].value) < 0)
			return CTF_ERR;
	return id == CTF_ERR || t->size == 4 ? id : ctf_add_slice(o->ctf, CTF_ADD_NONROOT, id, &e);
}

/* Declared only: no definition is known. */
static ctf_id_t put_forward(struct out *o, const struct type *t)
{
	static const struct {
		const char *space;
		uint32_t kind;
	} kinds[] = {
	    [T_STRUCT] = {"struct", CTF_K_STRUCT},
	    [T_UNION] = {"union", CTF_K_UNION},
	    [T_ENUM] = {"enum", CTF_K_ENUM},
	};

	if (t->fwd >= ARRAY_SIZE(kinds) || !kinds[t->fwd].space || !t->name)
		return id_of(o, type_void(o->types), 0);
	return ctf_add_forward(o->ctf, visible(o, kinds[t->fwd].space, t->name), t->name,
			       kinds[t->fwd].kind);
}

static ctf_id_t put_typedef(struct out *o, const char *name, ctf_id_t of)
{
	return ctf_add_typedef(o->ctf, visible(o, "", name), name, of);
}

static ctf_id_t put_qualified(struct out *o, const struct type *t, int depth)
{
	ctf_id_t id = id_of(o, t->plain, depth);

	if (t->flags & TF_CONST)
		id = check(o, ctf_add_const(o->ctf, CTF_ADD_ROOT, id));
	if (t->flags & TF_VOLATILE)
		id = ctf_add_volatile(o->ctf, CTF_ADD_ROOT, id);
	return id;
}

static ctf_id_t put_type(struct out *o, const struct type *t, int depth)
{
	const struct type *word = type_int(o->types, 8, false);

	if (t->plain)
		return put_qualified(o, t, depth);
	switch (t->kind) {
	case T_INT:
		return put_int(o, t->name, int_format(t), t->size);
	case T_FLOAT:
		return put_float(o, t);
	case T_PTR:
		return ctf_add_pointer(o->ctf, CTF_ADD_ROOT, id_of(o, t->ref, depth));
	case T_ARRAY:
		return put_array(o, t->ref, t->nelem, depth);
	case T_FUNC:
		return put_func(o, t, depth);
	case T_STRUCT:
	case T_UNION:
		return put_sou(o, t);
	case T_ENUM:
		return put_enum(o, t);
	case T_FWD:
		return put_forward(o, t);
	case T_TYPEDEF:
		return put_typedef(o, t->name, id_of(o, t->ref, depth));
	/* D's own, as they lie in memory. */
	case T_STRING:
		return put_typedef(o, "string",
				   check(o, put_array(o, type_find(o->types, "D", "char"),
						      type_size(o->types, t), depth)));
	case T_STACK:
		return put_typedef(o, "stack", check(o, put_array(o, word, t->nelem, depth)));
	case T_SYMADDR:
		return put_typedef(o, "_symaddr", id_of(o, word, depth));
	case T_USYMADDR:
		return put_typedef(o, "_usymaddr", check(o, put_array(o, word, 2, depth)));
	default:
		return put_int(o, "void", CTF_INT_SIGNED, 0);
	}
}

/* What is nested too deeply is void. */
static ctf_id_t id_of(struct out *o, const struct type *t, int depth)
{
	void *known;
	ctf_id_t id;

	t = t->kind == T_FWD ? type_complete(o->types, t) : t;
	known = hash_get(&o->ids, &t, sizeof(t));
	if (known)
		return (ctf_id_t)(uintptr_t)known - 1;
	id = check(o, depth > TYPE_DEPTH ? 0 : put_type(o, t, depth + 1));
	hash_put(&o->ids, &t, sizeof(t), (void *)(uintptr_t)(id + 1));
	return id;
}

static int put_member(struct out *o, ctf_id_t sou, const struct member *m)
{
	const char *name = m->name && *m->name ? m->name : NULL;
	ctf_encoding_t e = {.cte_format = int_format(type_base(m->type)), .cte_bits = m->bits};
	ctf_id_t type = id_of(o, m->type, 0);

	if (m->bits)
		type = check(o, ctf_add_slice(o->ctf, CTF_ADD_NONROOT, type, &e));
	return ctf_add_member_offset(o->ctf, sou, name, type, m->bit_off);
}

static void put_members(struct out *o, const struct type *t)
{
	ctf_id_t id = id_of(o, t, 0);

	t = type_complete(o->types, t);
	for (int i = 0; i < t->nmembers && !o->err; i++)
		if (put_member(o, id, &t->members[i]) < 0)
			o->err = ctf_errno(o->ctf);
}

/* An object --------------------------------------------------------------- */

enum { SEC_CTF = 1, SEC_NAMES };

static bool put_section(Elf *elf, int name, int type, void *bytes, size_t size)
{
	Elf_Scn *scn = elf_newscn(elf);
	Elf_Data *data = scn ? elf_newdata(scn) : NULL;
	GElf_Shdr sh;

	if (!data || !gelf_getshdr(scn, &sh))
		return false;
	data->d_buf = bytes;
	data->d_size = size;
	data->d_align = 1;
	sh.sh_name = name;
	sh.sh_type = type;
	return gelf_update_shdr(scn, &sh);
}

static bool put_object(int fd, void *ctf, size_t size)
{
	static char names[] = "\0.ctf\0.shstrtab";
	Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
	GElf_Ehdr eh;
	bool ok = elf && gelf_newehdr(elf, ELFCLASS64) && gelf_getehdr(elf, &eh);

	if (ok) {
		eh.e_ident[EI_DATA] = ELFDATA2LSB;
		eh.e_type = ET_REL;
		eh.e_machine = machine_here->elf;
		eh.e_version = EV_CURRENT;
		eh.e_shstrndx = SEC_NAMES;
		ok = gelf_update_ehdr(elf, &eh) && put_section(elf, 1, SHT_PROGBITS, ctf, size) &&
		     put_section(elf, 6, SHT_STRTAB, names, sizeof(names)) &&
		     elf_update(elf, ELF_C_WRITE) >= 0;
	}
	if (elf)
		elf_end(elf);
	return ok;
}

static char *put_file(const char *path, void *ctf, size_t size)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	char *why = fd < 0 ? xstrdup(strerror(errno)) : NULL;

	elf_version(EV_CURRENT);
	if (!why && !put_object(fd, ctf, size))
		why = xstrdup(elf_errmsg(-1));
	if (fd >= 0)
		close(fd);
	return why;
}

char *ctf_write_types(struct types *t, const struct type *const *used, int n, const char *path)
{
	struct out o = {.types = t};
	unsigned char *bytes = NULL;
	char *why = NULL;
	size_t size = 0;

	o.ctf = ctf_create(&o.err);
	if (o.ctf)
		id_of(&o, type_void(t), 0);
	for (int i = 0; i < n && !o.err; i++)
		id_of(&o, used[i], 0);
	while (o.done < o.bodies.n && !o.err)
		put_members(&o, o.bodies.v[o.done++]);
	if (!o.err && !(bytes = ctf_write_mem(o.ctf, &size, COMPRESS_FROM)))
		o.err = ctf_errno(o.ctf);
	why = o.err ? xstrdup(ctf_errmsg(o.err)) : put_file(path, bytes, size);
	free(bytes);
	ctf_dict_close(o.ctf);
	hash_free(&o.ids);
	hash_free(&o.names);
	vec_free(&o.bodies);
	return why;
}

#else

char *ctf_write_types(struct types *t, const struct type *const *used, int n, const char *path)
{
	(void)t;
	(void)used;
	(void)n;
	(void)path;
	return xstrdup("this dtrace was built without libctf");
}

#endif
