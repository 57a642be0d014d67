/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's types: BTF of vmlinux and of its modules.
 *
 * Modules' types are opened when a module is named, and all of them when a name is in none of the
 * open files: what follows then is an error otherwise, so that a script that is right pays only
 * when it needs them.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/type/btf.h"

struct kernel {
	struct types *types;
	char *error;		      /* why there is no vmlinux */
	VEC(struct btf_file *) files; /* [0] is vmlinux; a module without BTF has btf NULL */
	bool all_open;		      /* all modules were opened */
};

static struct btf_file *file_new(struct kernel *k, const char *module, struct btf_raw *raw,
				 struct btf_file *base)
{
	struct btf_file *f = btf_file_new(k->types, module, raw, base);

	vec_push(&k->files, f);
	return f;
}

static struct kernel *kernel_open(struct types *t)
{
	const char *path = t->btf_path ? t->btf_path : "/sys/kernel/btf/vmlinux";
	struct kernel *k = t->kernel;
	struct btf_raw *raw;

	if (k)
		return k;
	k = t->kernel = xcalloc(1, sizeof(*k));
	k->types = t;
	if (!strcmp(path, "none")) {
		k->error = xstrdup("kernel types are turned off (-x btfpath=none)");
		return k;
	}
	raw = raw_open(path, NULL, &k->error);
	if (!raw && !t->btf_path && access(path, F_OK)) {
		free(k->error);
		k->error =
		    xstrdup("this kernel has no types in /sys/kernel/btf/vmlinux: it is older "
			    "than Linux 5.4, or built without CONFIG_DEBUG_INFO_BTF; -x btfpath "
			    "names a file that has them");
	}
	if (raw)
		file_new(k, "vmlinux", raw, NULL);
	return k;
}

void kernel_free(struct kernel *k)
{
	if (!k)
		return;
	for (int i = k->files.n; i-- > 0;) /* a module's before what it is based on */
		btf_file_free(k->files.v[i]);
	vec_free(&k->files);
	free(k->error);
	free(k);
}

const char *types_kernel_error(struct types *t)
{
	return kernel_open(t)->error;
}

/* The BTF of a module; NULL when it has none. Modules belong to the running kernel only. */
static struct btf_file *module_open(struct kernel *k, const char *module)
{
	char path[PATH_MAX], *reason = NULL;
	struct btf_file *f;

	for (int i = 0; i < k->files.n; i++)
		if (!strcmp(k->files.v[i]->module, module))
			return k->files.v[i]->raw ? k->files.v[i] : NULL;
	if (!k->files.n || k->types->btf_path || !*module || strchr(module, '/') || *module == '.')
		return NULL;
	if (snprintf(path, sizeof(path), "/sys/kernel/btf/%s", module) >= (int)sizeof(path))
		return NULL;
	f = file_new(k, module, raw_open(path, k->files.v[0]->raw, &reason), k->files.v[0]);
	free(reason);
	return f->raw ? f : NULL;
}

/* Opens what is not open yet; false when there is nothing more to search. */
static bool modules_open(struct kernel *k)
{
	int before = k->files.n;
	struct dirent *e;
	DIR *dir;

	if (k->all_open || !k->files.n || k->types->btf_path)
		return false;
	k->all_open = true;
	dir = opendir("/sys/kernel/btf");
	while (dir && (e = readdir(dir)))
		module_open(k, e->d_name);
	if (dir)
		closedir(dir);
	return k->files.n > before;
}

/* Names */

/* In the files from the n-th on. */
static uint32_t find_from(struct kernel *k, int n, enum type_kind kind, const char *name,
			  struct btf_file **file)
{
	uint32_t id = 0;

	for (; n < k->files.n && !id; n++) {
		*file = k->files.v[n];
		if ((*file)->raw)
			id = btf_file_find(*file, kind, name);
	}
	return id;
}

/* NULL for anywhere: vmlinux, then the modules; of functions and variables, whose names the caller
 * may guess, those that are open. */
static uint32_t find_id(struct types *t, const char *module, enum type_kind kind, const char *name,
			struct btf_file **file)
{
	struct kernel *k = kernel_open(t);
	bool guess = kind == T_FUNC || kind == KIND_VAR;
	int n = k->files.n;
	uint32_t id;

	if (module) {
		*file = module_open(k, module);
		return *file ? btf_file_find(*file, kind, name) : 0;
	}
	id = find_from(k, 0, kind, name, file);
	return id || guess || !modules_open(k) ? id : find_from(k, n, kind, name, file);
}

const char *type_similar(struct types *t, enum type_kind kind, const char *tag)
{
	struct kernel *k = kernel_open(t);

	return k->files.n && k->files.v[0]->raw ? btf_file_similar(k->files.v[0], kind, tag) : NULL;
}

/* Queries of the other files of this directory */

const struct type *kernel_find(struct types *t, const char *module, enum type_kind kind,
			       const char *name)
{
	struct btf_file *f;
	uint32_t id;

	if (type_module_is_program(module))
		return user_find(t, module, kind, name);
	id = find_id(t, module, kind, name, &f);
	return id ? btf_file_type(f, id) : NULL;
}

bool kernel_enumerator(struct types *t, const char *module, const char *name, int64_t *value,
		       const struct type **type)
{
	struct kernel *k;
	struct btf_file *f;

	if (type_module_is_program(module))
		return user_enumerator(t, module, name, value, type);
	k = kernel_open(t);
	if (module) {
		f = module_open(k, module);
		return f && btf_file_enumerator(f, name, value, type);
	}
	for (int i = 0; i < k->files.n; i++)
		if (k->files.v[i]->raw && btf_file_enumerator(k->files.v[i], name, value, type))
			return true;
	return false;
}

static bool is_percpu(const struct btf_file *f, uint32_t var)
{
	for (uint32_t id = f->raw->first; id < f->raw->end; id++) {
		const struct btf_type *r = raw_type(f->raw, id);
		const struct btf_var_secinfo *v = (const struct btf_var_secinfo *)(r + 1);

		if (raw_kind(r) != BTF_KIND_DATASEC ||
		    strcmp(raw_str(f->raw, r->name_off), ".data..percpu"))
			continue;
		for (uint32_t i = 0; i < raw_vlen(r); i++)
			if (v[i].type == var)
				return true;
	}
	return false;
}

const struct type *type_kernel_var(struct types *t, const char *module, const char *name,
				   bool *percpu)
{
	struct btf_file *f;
	uint32_t id = find_id(t, module, KIND_VAR, name, &f);

	if (!id)
		return NULL;
	*percpu = is_percpu(f, id);
	return btf_file_type(f, raw_type(f->raw, id)->type);
}

bool type_kernel_offset(struct types *types, const char *type, const char *path, uint64_t *off)
{
	const struct type *t = type_find(types, "vmlinux", type);
	uint64_t bits;

	*off = 0;
	for (size_t len; t && *path; path += len + (path[len] == '.')) {
		const struct member *m;

		len = strcspn(path, ".");
		t = type_base(type_complete(types, type_base(t)));
		m = type_is_sou(t)
			? type_member(types, t, arena_strndup(types->arena, path, len), &bits)
			: NULL;
		t = m ? m->type : NULL;
		*off += m ? bits / 8 : 0;
	}
	return t != NULL;
}

const struct type *type_kernel_func(struct types *t, const char *module, const char *name)
{
	const struct type *func = kernel_find(t, module, T_FUNC, name);

	return func && func->kind == T_FUNC ? func : NULL;
}

uint32_t type_kernel_func_id(struct types *t, const char *module, const char *name)
{
	struct btf_file *f;

	return find_id(t, module, T_FUNC, name, &f);
}

uint32_t type_kernel_func_number(struct types *t, const char *module, const char *name)
{
	struct btf_file *f;
	uint32_t id = find_id(t, module, T_FUNC, name, &f);

	return id ? id - f->raw->first + 1 : 0;
}

bool type_kernel_func_get(struct types *t, const char *module, uint32_t number,
			  struct kernel_func *out)
{
	struct btf_file *f = module_open(kernel_open(t), module);

	return f && number && btf_file_func(f, f->raw->first + number - 1, out);
}

void type_kernel_funcs(struct types *t, const char *module,
		       void (*fn)(void *arg, const char *name, uint32_t number), void *arg)
{
	struct btf_file *f = module_open(kernel_open(t), module);

	for (uint32_t id = f ? f->raw->first : 0; f && id < f->raw->end; id++) {
		const struct btf_type *r = raw_type(f->raw, id);

		if (raw_kind(r) == BTF_KIND_FUNC)
			fn(arg, raw_str(f->raw, r->name_off), id - f->raw->first + 1);
	}
}

bool types_kernel_is_file(struct types *t)
{
	return t->btf_path && strcmp(t->btf_path, "none") != 0;
}

static const char traced[] = "btf_trace_";

static uint32_t tracepoint_find(struct types *t, const char *name, struct btf_file **f)
{
	char type[128];

	if (snprintf(type, sizeof(type), "%s%s", traced, name) >= (int)sizeof(type))
		return 0;
	return find_from(kernel_open(t), 0, KIND_TRACEPOINT, type, f);
}

void types_each_bare_tracepoint(struct types *t, void (*fn)(void *arg, const char *name), void *arg)
{
	const struct kernel *k = kernel_open(t);
	const struct btf_raw *raw = k->files.n ? k->files.v[0]->raw : NULL;

	for (uint32_t id = raw ? raw->first : 0; raw && id < raw->end; id++) {
		const struct btf_type *r = raw_type(raw, id);
		const char *s = raw_kind(r) == BTF_KIND_TYPEDEF ? raw_str(raw, r->name_off) : "";

		if (!strncmp(s, traced, sizeof(traced) - 1) && !strcmp(s + strlen(s) - 3, "_tp"))
			fn(arg, s + sizeof(traced) - 1);
	}
}

uint32_t type_tracepoint_id(struct types *t, const char *name)
{
	struct btf_file *f;

	return tracepoint_find(t, name, &f);
}

const struct type *type_tracepoint(struct types *t, const char *name)
{
	struct btf_file *f;
	uint32_t id = tracepoint_find(t, name, &f);

	return id ? btf_file_tracepoint(f, id) : NULL;
}

uint32_t type_btf_id(const struct type *t)
{
	t = type_base(t);
	return t->reader_id;
}

uint32_t type_page_scale(struct types *types)
{
	const struct type *page = type_find(types, "vmlinux", "struct page");
	uint64_t size = page ? type_size(types, page) : 0, bytes = sysconf(_SC_PAGESIZE);

	return size && bytes % size == 0 ? bytes / size : 0;
}
