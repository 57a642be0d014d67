/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of programs and their libraries, in one process ("pid123", what pid$target becomes) or, for a file that is named
 * with its path, in every process that maps it, now and later ("pid*").
 *
 *	pid123:libc.so.6:malloc:entry	arg0 ... are its arguments
 *	pid123:libc.so.6:malloc:return	arg1 is what it returns; arg0, where in the function, is not known and 0
 *	pid123:a.out:main:1c		the instruction at that offset; the kernel refuses one that is none
 *	pid123:a.out:main:		entry, return and all instructions; * and 1? for those that fit. Of one function only
 *	pid123:a.out:-:401136		the instruction at that address of the object
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/lang/gen.h"
#include "libdt/provider/prov.h"
#include "libdt/provider/uargs.h"
#include "libdt/provider/uproc.h"
#include "libdt/user/x86len.h"

enum { PID_FIRST = 1 << 28, FUNCTION_MAX = 1 << 20 };

struct pid_probe {
	struct uobj *obj;
};

static bool pid_owns(const char *prov)
{
	return !strncmp(prov, "pid", 3) && (uproc_number(prov, 3) || !strcmp(prov, "pid*"));
}

/* What is looked for: a description, and where at the moment. */
struct search {
	struct probes *ps;
	const struct pdesc *pd;
	pid_t pid; /* 0: all that map the file */
	struct uobj *obj;
};

/*
 * Instructions that kernels refuse, or used to: with a lock prefix, and of the vector extensions. Among thousands of
 * functions one such spoils the whole set's attaching, so they are told apart.
 */
static bool is_doubtful(struct object *o, uint64_t addr)
{
	static const uint8_t first[] = {0xf0, 0xc4, 0xc5, 0x62, 0xf4, 0xcc};
	uint8_t byte;

	if (object_machine(o) != EM_X86_64 || object_read(o, addr, &byte, 1) != 1)
		return false;
	return memchr(first, byte, sizeof(first)) != NULL;
}

static void add(struct search *s, const char *func, const char *name, uint64_t addr, enum hook_kind hook)
{
	struct uplace at = {s->pid, s->obj, 0};
	struct pid_probe *pp;
	struct probe *p;

	if (!object_offset(s->obj->object, addr, &at.off))
		return;
	p = uproc_probe(s->ps, &provider_pid, PID_FIRST, &at, s->pd->prov, func, name);
	if (!p)
		return;
	pp = arena_alloc(probes_arena(s->ps), sizeof(*pp));
	pp->obj = s->obj;
	p->hook = hook;
	p->target.doubtful = is_doubtful(s->obj->object, addr);
	p->is_entry = hook == HOOK_UPROBE && !strcmp(name, "entry");
	p->is_return = hook == HOOK_URETPROBE;
	p->data = pp;
}

/* "1c" -> 0x1c; false for entry and return, and for what is no number. */
static bool is_offset(const char *name, uint64_t *off)
{
	char *end;

	if (!*name || strspn(name, "0123456789abcdefABCDEF") != strlen(name) || strlen(name) > 16)
		return false;
	*off = strtoull(name, &end, 16);
	return true;
}

/* A Go function's stack moves: a return address that was replaced would end the program. */
static bool is_go(struct object *o)
{
	size_t len;

	return object_section(o, ".go.buildinfo", &len, NULL) != NULL;
}

/* Length of the instruction at code; 0 when that is not known. */
static int insn_length(struct object *o, const uint8_t *code, size_t n)
{
	if (object_machine(o) == EM_X86_64)
		return x86_length(code, n);
	return object_machine(o) == EM_AARCH64 && n >= 4 ? 4 : 0;
}

/* All instructions whose offsets fit, up to the first that is none: data may stand behind the code. */
static void add_instructions(struct search *s, const struct object_sym *sym)
{
	size_t size = MIN(sym->size, FUNCTION_MAX);
	uint8_t *code = xmalloc(size + 1);
	char name[24];
	int len;

	size = object_read(s->obj->object, sym->addr, code, size);
	for (size_t at = 0; at < size; at += len) {
		len = insn_length(s->obj->object, code + at, size - at);
		if (!len)
			break;
		snprintf(name, sizeof(name), "%zx", at);
		if (glob_match(s->pd->name, name))
			add(s, sym->name, name, sym->addr + at, HOOK_UPROBE);
	}
	free(code);
}

static void add_function(struct search *s, const struct object_sym *sym)
{
	uint64_t off;

	if (is_offset(s->pd->name, &off)) {
		if (!sym->size || off < sym->size)
			add(s, sym->name, s->pd->name, sym->addr + off, HOOK_UPROBE);
		return;
	}
	if (glob_match(s->pd->name, "entry"))
		add(s, sym->name, "entry", sym->addr, HOOK_UPROBE);
	if (glob_match(s->pd->name, "return") && !is_go(s->obj->object))
		add(s, sym->name, "return", sym->addr, HOOK_URETPROBE);
	if (glob_is_literal(s->pd->func) && *s->pd->func && (!*s->pd->name || !glob_is_literal(s->pd->name)))
		add_instructions(s, sym);
}

static void search_object(struct search *s)
{
	bool literal = glob_is_literal(s->pd->func);
	const struct object_sym *syms;
	uint64_t off, last = UINT64_MAX;
	int n;

	if (!strcmp(s->pd->func, "-")) {
		if (is_offset(s->pd->name, &off))
			add(s, "-", s->pd->name, off, HOOK_UPROBE);
		return;
	}
	syms = object_syms(s->obj->object, &n);
	for (int i = 0; i < n; i++) {
		if (syms[i].indirect || !glob_match(s->pd->func, syms[i].name))
			continue;
		if (!literal && syms[i].addr == last) /* an alias of the one before */
			continue;
		last = syms[i].addr;
		add_function(s, &syms[i]);
	}
}

static void pid_provide(struct probes *ps, const struct pdesc *pd)
{
	struct search s = {.ps = ps, .pd = pd, .pid = uproc_number(pd->prov, 3)};
	const struct uproc *proc;
	const char *why;

	if (pd->id)
		return;
	if (!s.pid) {
		s.obj = *pd->mod == '/' ? uobj_get(ps, pd->mod, &why) : NULL;
		if (s.obj)
			search_object(&s);
		return;
	}
	proc = uproc_get(ps, s.pid, &why);
	for (int i = 0; proc && i < proc->objs.n; i++) {
		s.obj = proc->objs.v[i];
		if (uobj_named(s.obj, pd->mod))
			search_object(&s);
	}
}

static bool pid_fits_module(const struct probe *p, const char *pattern)
{
	const struct pid_probe *pp = p->data;

	return uobj_named(pp->obj, pattern);
}

static bool is_indirect(struct object *o, const char *func)
{
	const struct object_sym *syms;
	int n;

	syms = object_syms(o, &n);
	for (int i = 0; i < n; i++)
		if (syms[i].indirect && !strcmp(syms[i].name, func))
			return true;
	return false;
}

/* The function is there, the offset is not; NULL when neither is. */
static const char *beyond(struct arena *a, struct object *o, const struct pdesc *pd)
{
	const struct object_sym *syms;
	uint64_t off;
	int n;

	syms = object_syms(o, &n);
	for (int i = 0; is_offset(pd->name, &off) && i < n; i++)
		if (syms[i].size && off >= syms[i].size && !strcmp(syms[i].name, pd->func))
			return arena_printf(a, "%s has 0x%llx bytes", pd->func, (unsigned long long)syms[i].size);
	return NULL;
}

static bool has_function(const struct uproc *proc, const struct pdesc *pd)
{
	for (int i = 0; i < proc->objs.n; i++) {
		const struct uobj *o = proc->objs.v[i];
		const struct object_sym *syms;
		int n = 0;

		if (!uobj_named(o, pd->mod))
			continue;
		syms = object_syms(o->object, &n);
		for (int j = 0; j < n; j++)
			if (!strcmp(syms[j].name, pd->func))
				return true;
	}
	return false;
}

static const char *lack_in(struct probes *ps, const struct uproc *proc, const struct pdesc *pd)
{
	struct arena *a = probes_arena(ps);
	const char *why;
	uint64_t off;
	bool any = false;

	for (int i = 0; i < proc->objs.n; i++) {
		const struct uobj *o = proc->objs.v[i];

		if (!uobj_named(o, pd->mod))
			continue;
		any = true;
		probes_set_lack_tag(ps, is_offset(pd->name, &off) ? D_PROC_OFF : D_PROC_FUNC);
		if (is_indirect(o->object, pd->func))
			return arena_printf(a, "%s of %s is chosen at run time among variants for different CPUs; "
					       "the variants have symbols of their own, if any", pd->func, o->name);
		why = beyond(a, o->object, pd);
		if (why)
			return why;
		if (!strcmp(pd->name, "return") && is_go(o->object))
			return arena_printf(a, "%s is a Go program: probes on returns would break it", o->name);
	}
	probes_set_lack_tag(ps, any ? D_PROC_FUNC : D_PROC_LIB);
	if (!any)
		return arena_printf(a, "process %d has no object %s mapped", proc->pid, pd->mod);
	if (glob_is_literal(pd->func) && strcmp(pd->func, "-") && !has_function(proc, pd))
		return arena_printf(a, "no function %s is known in %s of process %d (a stripped program tells only what it exports)",
				    pd->func, *pd->mod ? pd->mod : "any object", proc->pid);
	probes_set_lack_tag(ps, D_PROC_NAME);
	if (glob_is_literal(pd->name) && !is_offset(pd->name, &off))
		return arena_printf(a, "%s is none of entry, return and a hexadecimal offset", pd->name);
	return NULL;
}

static const char *pid_lacks(struct probes *ps, const struct pdesc *pd)
{
	pid_t pid = uproc_number(pd->prov, 3);
	const struct uproc *proc;
	const char *why = NULL;

	probes_set_lack_tag(ps, pid ? D_PROC_GRAB : D_PROC_BADPID);
	if (!pid && *pd->mod != '/')
		return "probes in all processes need the path of a file: pid*:/bin/bash:readline:entry";
	if (!pid) {
		probes_set_lack_tag(ps, D_PROC_LIB);
		return uobj_get(ps, pd->mod, &why) ? NULL : why;
	}
	proc = uproc_get(ps, pid, &why);
	return proc ? lack_in(ps, proc, pd) : why;
}

static void pid_args(struct probes *ps, struct probe *p)
{
	const struct pid_probe *pp = p->data;
	struct kernel_func kf;
	struct user_types *ut;

	if (!p->is_entry && !p->is_return) {
		p->no_args = "an instruction has no arguments";
		return;
	}
	ut = uobj_types(ps, pp->obj);
	if (!type_user_func(ut, p->func, &kf)) {
		p->no_args = type_user_error(ut);
		if (!p->no_args)
			p->no_args = "the type data of its file do not have this function (of those that it does not export, CTF has the types "
				     "when it is linked with --ctf-variables); its arguments are in arg0, arg1 ...";
		return;
	}
	if (p->is_return)
		p->nargs = uargs_return(probes_types(ps), probes_arena(ps), &kf, &p->args);
	else
		p->nargs = uargs_entry(probes_types(ps), probes_arena(ps), object_machine(pp->obj->object), &kf, &p->args);
}

static int pid_arg(struct gen *g, const struct probe *p, int n)
{
	const struct hook *hook = hook_get(g->hook_kind);

	if (p->is_return)
		return n == 1 ? hook->ret(gen_ir(g), gen_ctx(g), 0) : gen_imm(g, 0);
	return hook->arg(gen_ir(g), gen_ctx(g), n);
}

const struct provider provider_pid = {
    .name = "pid",
    .attr_provider = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},
    .attr_module = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_function = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},
    .attr_args = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .owns = pid_owns,
    .provide = pid_provide,
    .fits_module = pid_fits_module,
    .args = pid_args,
    .arg = pid_arg,
    .uniform_args = true,
    .lacks = pid_lacks,
};
