/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of programs and their libraries, in one process ("pid123", what pid$target becomes)
 * or, of a file that is named, in every process that maps it, now and later ("pid*").
 *
 *	pid123:libc.so.6:malloc:entry	arg0 ... are its arguments
 *	pid123:libc.so.6:malloc:return	arg1 is what it returns; arg0, where in the function, is
 *					0 for a uretprobe (-x pidret)
 *	pid123:a.out:main:1c		the instruction at that offset; a breakpoint in the middle
 *					of one would end the program
 *	pid123:a.out:main:		entry, return and all instructions; * and 1? for those
 *					that fit. Of one function only
 *	pid123:a.out:-:401136		the instruction at that address of the object
 *	pid123:/lib/x.so:f:entry	also when the process maps the file only later
 *	pid*:libssl.so*:SSL_*:entry	files that are mapped somewhere now, or programs along
 *					PATH; with -Z, and later
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/machine/machine.h"
#include "libdt/base/nearest.h"
#include "libdt/emit/emit.h"
#include "libdt/provider/prov.h"
#include "libdt/provider/uargs.h"
#include "libdt/provider/uproc.h"
#include "libdt/process/code.h"

enum { PID_FIRST = 300000 };

struct pid_probe {
	struct uobj *obj;
	bool runs;     /* it is the program of the process */
	uint64_t addr; /* in it */
};

/* The process of "pid123", or of a pattern with its number, p*d123, where other providers have
 * probes, too; 0 where all are meant. */
static pid_t pid_number(const char *prov)
{
	size_t len = strlen(prov);

	while (len && prov[len - 1] >= '0' && prov[len - 1] <= '9')
		len--;
	return uproc_number(prov, len);
}

static bool pid_owns(const char *prov)
{
	pid_t pid = pid_number(prov);
	char name[32];

	if (!strcmp(prov, "pid*"))
		return true;
	snprintf(name, sizeof(name), "pid%d", pid);
	return pid && *prov == 'p' && glob_fits(prov, name);
}

/* Of one process the pattern must have the number; pid* means the probes of all processes. */
static bool pid_fits_provider(const struct probe *p, const char *pattern)
{
	pid_t pid = pid_number(pattern);

	return pid ? p->target.pid == pid && glob_fits(pattern, p->prov)
		   : !p->target.pid && glob_fits(pattern, p->prov);
}

/* What is looked for: a description, and where at the moment. */
struct search {
	struct probes *ps;
	const struct pdesc *pd;
	pid_t pid;		  /* 0: all that map the file */
	const struct uproc *proc; /* NULL likewise */
	const char *prov;	  /* what the probes' provider is called */
	struct uobj *obj;
	struct hash parts; /* of its functions (code_cold_parts()) */
	bool has_parts;
	bool catches; /* the program, or the file where all processes are meant, may */
};

/*
 * Instructions that kernels refuse, or used to, or misunderstand. One such among thousands of
 * functions makes attaching the whole set fail, so they are detected.
 */
static void look_at_code(struct object *o, uint64_t addr, struct target *t)
{
	const struct machine *m = machine_of(object_machine(o));
	uint8_t code[MACHINE_INSN_BYTES] = {0};
	size_t n = m ? object_read(o, addr, code, sizeof(code)) : 0;

	if (!n)
		return;
	t->mistaken = m->mistaken && m->mistaken(code, n);
	t->doubtful = t->mistaken || m->doubtful(code);
}

static struct probe *add(struct search *s, const char *func, const char *name, uint64_t addr,
			 enum hook_kind hook)
{
	struct uplace at = {s->pid, s->obj, 0, sizeof(struct pid_probe)};
	struct pid_probe *pp;
	struct probe *p;

	if (!object_offset(s->obj->object, addr, &at.off))
		return NULL;
	p = uproc_probe(s->ps, &provider_pid, PID_FIRST, &at, s->prov, func, name);
	if (!p)
		return NULL;
	pp = arena_alloc(probes_arena(s->ps), sizeof(*pp));
	pp->obj = s->obj;
	pp->runs = uproc_runs(s->proc, s->obj);
	pp->addr = addr;
	p->hook = hook;
	look_at_code(s->obj->object, addr, &p->target);
	p->is_entry = hook == HOOK_UPROBE && !strcmp(name, "entry");
	p->is_return = hook == HOOK_URETPROBE;
	p->data = pp;
	return p;
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
	uint64_t addr, size;

	return object_has_section(o, ".go.buildinfo", &addr, &size) && size;
}

/*
 * A return probe replaces what is on top of the stack when the function begins: a function that is
 * not called has no return address there, and a function that saves its caller's address, to resume
 * there later, would save that of a trampoline that is gone by then.
 */
static bool returns_to_caller(const char *func)
{
	static const char *const patterns[] = {
	    "_start",	     "_dl_start_user",	"_dl_runtime_*",
	    "__restore_rt",  "*setjmp",		"*getcontext",
	    "*swapcontext",  "__start_context", "__makecontext_ret",
	    "_dl_tlsdesc_*", "__longjmp*",	"____longjmp_chk",
	};

	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++)
		if (glob_fits(patterns[i], func))
			return false;
	return true;
}

static void add_instructions(struct search *s, const struct object_sym *sym)
{
	struct insns in = insns_of(s->obj->object, sym, UINT64_MAX);
	char name[24];

	while (insns_next(&in) && !s->obj->cut) {
		snprintf(name, sizeof(name), "%zx", in.at);
		if (glob_fits(s->pd->name, name))
			add(s, sym->name, name, sym->addr + in.at, HOOK_UPROBE);
	}
}

/* Is it in the middle of an instruction, of which at is the offset? Unknown where data precede it,
 * or for another architecture: then the kernel decides. */
static bool in_middle(struct object *o, const struct object_sym *sym, uint64_t off, uint64_t *at)
{
	struct insns in = insns_of(o, sym, off + MACHINE_INSN_BYTES);
	bool found = false;

	while (insns_next(&in))
		if (in.at < off && off < in.at + in.len) {
			*at = in.at;
			found = true;
		}
	return found;
}

/* May a probe be at an offset in a function, as far as is known? */
static bool may_be_at(struct object *o, const struct object_sym *sym, uint64_t off)
{
	uint64_t at;

	return (!sym->size || off < sym->size) && !in_middle(o, sym, off, &at);
}

/* What is wrong with an offset in a function; NULL when nothing is known against it. */
static const char *not_at(struct arena *a, struct object *o, const struct object_sym *sym,
			  uint64_t off)
{
	uint64_t at;

	if (sym->size && off >= sym->size)
		return arena_printf(a, "%s has 0x%llx bytes", sym->name,
				    (unsigned long long)sym->size);
	if (!in_middle(o, sym, off, &at))
		return NULL;
	return arena_printf(a, "0x%llx is in the middle of the instruction at 0x%llx of %s",
			    (unsigned long long)off, (unsigned long long)at, sym->name);
}

/* The same for an address; what has no size is not known to reach there. */
static const char *not_at_address(struct arena *a, struct object *o, uint64_t addr)
{
	const struct object_sym *sym = object_sym_at(o, addr);
	const struct segments *segs = object_segments(o);
	bool code = false;

	for (int i = 0; i < segs->v.n; i++)
		code |= segs->v.v[i].code && addr - segs->v.v[i].addr < segs->v.v[i].filesz;
	if (!code)
		return arena_printf(a, "0x%llx is not an address of code",
				    (unsigned long long)addr);
	return sym && sym->size ? not_at(a, o, sym, addr - sym->addr) : NULL;
}

enum pidret { PIDRET_AUTO, PIDRET_INSN, PIDRET_URETPROBE };

/* -x pidret */
static enum pidret pidret(const struct probes *ps)
{
	const char *word = opt_text(probes_opts(ps), OPT_PIDRET);

	return !strcmp(word, "insn")   ? PIDRET_INSN
	       : !strcmp(word, "auto") ? PIDRET_AUTO
				       : PIDRET_URETPROBE;
}

/* A function of C++ or Rust, by its name: an exception may pass it. */
static bool may_unwind(const char *func)
{
	return !strncmp(func, "_Z", 2) || !strncmp(func, "_R", 2);
}

/*
 * -x pidret=auto. The instructions that return, if they are all known. Where a function ends with a
 * jump to another one, what it returns is known only to a uretprobe; that is dangerous where an
 * exception may pass.
 */
static bool prefers_instructions(const struct search *s, const struct object_sym *sym,
				 const struct code_returns *r)
{
	if (is_go(s->obj->object))
		return true;
	return r->complete && (!r->jumps || may_unwind(sym->name) || !returns_to_caller(sym->name));
}

static void add_return_instructions(struct search *s, const struct object_sym *sym,
				    const struct code_returns *r)
{
	for (int i = 0; i < r->v.n; i++) {
		struct probe *p = add(s, sym->name, "return", r->v.v[i].addr, HOOK_UPROBE);

		if (p) {
			p->is_return = true;
			p->where = r->v.v[i].addr - sym->addr;
		}
	}
}

static void add_uretprobe(struct search *s, const struct object_sym *sym)
{
	struct probe *p = add(s, sym->name, "return", sym->addr, HOOK_URETPROBE);

	if (p)
		p->blocks_exceptions = s->catches;
}

static void add_returns(struct search *s, const struct object_sym *sym)
{
	enum pidret how = pidret(s->ps);
	struct code_returns r = {0};

	if (how != PIDRET_URETPROBE) {
		if (!s->has_parts)
			code_cold_parts(s->obj->object, &s->parts);
		s->has_parts = true;
		code_returns(s->obj->object, sym, &s->parts, &r);
	}
	if (how == PIDRET_INSN || (how == PIDRET_AUTO && prefers_instructions(s, sym, &r)))
		add_return_instructions(s, sym, &r);
	else if (!is_go(s->obj->object) && returns_to_caller(sym->name))
		add_uretprobe(s, sym);
	vec_free(&r.v);
}

static void add_function(struct search *s, const struct object_sym *sym)
{
	uint64_t off;

	if (is_offset(s->pd->name, &off)) {
		if (may_be_at(s->obj->object, sym, off))
			add(s, sym->name, s->pd->name, sym->addr + off, HOOK_UPROBE);
		return;
	}
	if (glob_fits(s->pd->name, "entry"))
		add(s, sym->name, "entry", sym->addr, HOOK_UPROBE);
	if (glob_fits(s->pd->name, "return"))
		add_returns(s, sym);
	if (glob_is_literal(s->pd->func) && *s->pd->func &&
	    (!*s->pd->name || !glob_is_literal(s->pd->name)))
		add_instructions(s, sym);
}

/* Has the file landing pads, where exceptions are caught? */
static bool catches(const struct uobj *o)
{
	uint64_t addr, size;

	return object_has_section(o->object, ".gcc_except_table", &addr, &size) && size;
}

static bool program_catches(struct probes *ps, pid_t pid)
{
	const char *why;
	const struct uproc *proc = uproc_get(ps, pid, &why);

	return proc && proc->program && catches(proc->program);
}

static void search_object(struct search *s)
{
	bool literal = *s->pd->func && glob_is_literal(s->pd->func);
	const struct object_sym *syms;
	uint64_t off, last = UINT64_MAX;
	int n;

	if (!strcmp(s->pd->func, "-")) {
		/* an address of which nothing says whose it is, is the program's */
		if (!*s->pd->mod && !uproc_runs(s->proc, s->obj))
			return;
		if (is_offset(s->pd->name, &off) &&
		    !not_at_address(probes_arena(s->ps), s->obj->object, off))
			add(s, "-", s->pd->name, off, HOOK_UPROBE);
		return;
	}
	syms = object_syms(s->obj->object, &n);
	for (int i = 0; i < n && !s->obj->cut; i++) {
		if (syms[i].indirect || !glob_fits(s->pd->func, syms[i].name))
			continue;
		/* the C runtime's, as _init and frame_dummy, and an alias of the one before */
		if (!literal && (!syms[i].size || syms[i].addr == last))
			continue;
		last = syms[i].addr;
		add_function(s, &syms[i]);
	}
}

/* The files that a description means. */
struct files {
	struct probes *ps;
	const struct uproc *proc; /* NULL: of all processes */
	const char *pattern;
	VEC(struct uobj *) v;
};

static void add_named(void *arg, struct uobj *o)
{
	struct files *files = arg;

	if (uproc_names(files->proc, o, files->pattern))
		vec_push(&files->v, o);
}

static void add_by_path(struct files *files, pid_t pid, const char *path, const char **why)
{
	struct uobj *o = uobj_get(files->ps, pid, path, why);

	if (o)
		vec_push(&files->v, o);
}

/* Is enough said of the file for probes in all processes? Whatever any program has mapped would
 * be too much. */
static bool names_file(const char *module)
{
	return *module && strcmp(module, "*") && strcmp(module, "a.out");
}

static void add_executable(void *arg, struct uobj *o)
{
	struct files *files = arg;

	if (!access(o->open, X_OK))
		vec_push(&files->v, o);
}

/* A program that no process runs now, by its name. */
static void add_along_path(struct files *files)
{
	const char *dirs = getenv("PATH"), *why;
	struct arena *a = probes_arena(files->ps);

	for (size_t len; dirs && *dirs && !files->v.n; dirs += len + (dirs[len] == ':')) {
		const char *path = arena_printf(a, "%.*s/%s", (int)(len = strcspn(dirs, ":")), dirs,
						files->pattern);

		if (*path == '/')
			uproc_each_at(files->ps, path, add_executable, files, &why);
	}
}

static const char *find_for_all(struct files *files)
{
	bool literal = glob_is_literal(files->pattern);
	const char *why = NULL;

	if (!names_file(files->pattern))
		return "probes in all processes need the name of a file: pid*:bash:readline:entry";
	if (literal && *files->pattern == '/') {
		uproc_each_at(files->ps, files->pattern, add_named, files, &why);
		return why;
	}
	uproc_each(files->ps, add_named, files);
	if (!files->v.n && literal && !strchr(files->pattern, '/'))
		add_along_path(files);
	return files->v.n ? NULL
			  : arena_printf(probes_arena(files->ps),
					 "%s has a file %s mapped, and PATH has no such program",
					 uproc_none(files->ps), files->pattern);
}

/* A file by its path need not be mapped yet. */
static const char *find_in_process(struct files *files, const struct uproc *proc)
{
	const char *why = NULL;

	files->proc = proc;
	for (int i = 0; i < proc->objs.n; i++)
		add_named(files, proc->objs.v[i]);
	if (!files->v.n && *files->pattern == '/' && glob_is_literal(files->pattern))
		add_by_path(files, proc->pid, files->pattern, &why);
	if (!files->v.n && !why)
		why = arena_printf(probes_arena(files->ps), "%s; -Z waits until it is loaded",
				   uproc_no_object(files->ps, proc, files->pattern));
	return why;
}

/* NULL, or why there are none. */
static const char *find_files(struct files *files, pid_t pid)
{
	const struct uproc *proc;
	const char *why;

	if (!pid)
		return find_for_all(files);
	proc = uproc_get(files->ps, pid, &why);
	return proc ? find_in_process(files, proc) : why;
}

static void pid_provide(struct probes *ps, const struct pdesc *pd)
{
	struct search s = {.ps = ps, .pd = pd, .pid = pid_number(pd->prov)};
	struct files files = {.ps = ps, .pattern = pd->mod};

	if (pd->id)
		return;
	s.prov = s.pid ? arena_printf(probes_arena(ps), "pid%d", s.pid) : "pid*";
	find_files(&files, s.pid);
	s.proc = files.proc;
	for (int i = 0; i < files.v.n; i++) {
		s.obj = files.v.v[i];
		s.catches = s.pid ? program_catches(ps, s.pid) : catches(s.obj);
		search_object(&s);
		hash_free(&s.parts);
		s.parts = (struct hash){0};
		s.has_parts = false;
	}
	vec_free(&files.v);
}

static struct probe *wait_exec_on(struct probes *ps, const struct pdesc *pd, enum hook_kind hook,
				  bool is_entry, bool is_return)
{
	struct probe *p = probe_await(ps, &provider_pid, pd, pid_number(pd->prov), hook, is_entry);

	p->is_return = is_return;
	p->no_args = "its file is not there yet";
	return p;
}

/* A file by its path is looked for in the file system, be it mapped or not. Without a name only
 * one process's files are meant. */
static void pid_await(struct probes *ps, const struct pdesc *pd,
		      void (*fn)(void *arg, struct probe *p), void *arg)
{
	pid_t pid = pid_number(pd->prov);
	uint64_t off;

	if ((*pd->mod == '/' && glob_is_literal(pd->mod) && uproc_has_at(ps, pid, pd->mod)) ||
	    (!pid && !names_file(pd->mod)))
		return;
	if (glob_fits(pd->name, "entry"))
		fn(arg, wait_exec_on(ps, pd, HOOK_UPROBE, true, false));
	if (!*pd->name || !glob_is_literal(pd->name) || is_offset(pd->name, &off))
		fn(arg, wait_exec_on(ps, pd, HOOK_UPROBE, false, false));
	if (!glob_fits(pd->name, "return"))
		return;
	if (pidret(ps) != PIDRET_URETPROBE)
		fn(arg, wait_exec_on(ps, pd, HOOK_UPROBE, false, true));
	if (pidret(ps) != PIDRET_INSN)
		fn(arg, wait_exec_on(ps, pd, HOOK_URETPROBE, false, true));
}

static bool pid_fits_module(const struct probe *p, const char *pattern)
{
	const struct pid_probe *pp = p->data;

	return uobj_named(pp->obj, pp->runs, pattern);
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

/* The function is there, the offset is none of an instruction; NULL when there is no such
 * function. */
static const char *lacks_offset(struct arena *a, struct object *o, const struct pdesc *pd)
{
	const struct object_sym *syms;
	const char *why = NULL;
	uint64_t off;
	int n;

	if (!is_offset(pd->name, &off))
		return NULL;
	if (!strcmp(pd->func, "-"))
		return not_at_address(a, o, off);
	syms = object_syms(o, &n);
	for (int i = 0; !why && i < n; i++)
		if (!strcmp(syms[i].name, pd->func))
			why = not_at(a, o, &syms[i], off);
	return why;
}

static bool has_function(const struct files *files, const char *pattern)
{
	int n = 0;

	for (int i = 0; i < files->v.n; i++) {
		const struct object_sym *syms = object_syms(files->v.v[i]->object, &n);

		for (int j = 0; j < n; j++)
			if (glob_fits(pattern, syms[j].name))
				return true;
	}
	return false;
}

static bool has_refused(const struct files *files)
{
	for (int i = 0; i < files->v.n; i++)
		if (object_is_refused(files->v.v[i]->object))
			return true;
	return false;
}

/* The function that is spelt most like the name; "": none is, or it is a pattern. */
static const char *nearest_function(const struct files *files, const char *name)
{
	struct nearest near = nearest_to(name);
	int n = 0;

	if (!glob_is_literal(name))
		return "";
	for (int i = 0; i < files->v.n; i++) {
		const struct object_sym *syms = object_syms(files->v.v[i]->object, &n);

		for (int j = 0; j < n; j++)
			nearest_try(&near, syms[j].name);
	}
	return near.best ? near.best : "";
}

/* Why a function has no return probe; NULL when its instructions are to be looked at. */
static const char *lack_of_return(struct probes *ps, const struct uobj *o, const char *func)
{
	struct arena *a = probes_arena(ps);

	if (pidret(ps) == PIDRET_URETPROBE && is_go(o->object))
		return arena_printf(a,
				    "%s is a Go program, which return probes would crash; use "
				    "-x pidret=insn",
				    o->name);
	if (pidret(ps) != PIDRET_INSN && !is_go(o->object) && glob_is_literal(func) &&
	    !returns_to_caller(func))
		return arena_printf(a,
				    "%s does not return to its caller as functions do: a probe "
				    "there would break the program",
				    func);
	return NULL;
}

/* What is wrong with a function of files that are there. */
static const char *lack_in(const struct files *files, const struct pdesc *pd, pid_t pid)
{
	struct arena *a = probes_arena(files->ps);
	const char *why, *near, *process = "";
	const struct uproc *proc = pid ? uproc_get(files->ps, pid, &why) : NULL;
	enum tag tag;
	uint64_t off;

	if (proc)
		process = arena_printf(a, " of %s", uproc_text(files->ps, proc));
	for (int i = 0; i < files->v.n; i++) {
		const struct uobj *o = files->v.v[i];

		tag = is_offset(pd->name, &off) ? D_PROC_OFF : D_PROC_FUNC;
		if (!strcmp(pd->func, "-") &&
		    !uproc_runs(proc, o)) /* other DTraces take no library */
			tag = D_PROC_LIB;
		probes_set_lack_tag(files->ps, tag);
		if (is_indirect(o->object, pd->func))
			return arena_printf(
			    a,
			    "%s of %s is chosen at run time among variants for different CPUs; "
			    "the variants have symbols of their own, if any",
			    pd->func, o->name);
		why = lacks_offset(a, o->object, pd);
		if (why)
			return why;
		if (!strcmp(pd->name, "return"))
			why = lack_of_return(files->ps, o, pd->func);
		if (why)
			return why;
	}
	probes_set_lack_tag(files->ps, D_PROC_FUNC);
	if (!has_function(files, "*") && strcmp(pd->func, "-")) {
		const char *name = *pd->mod ? pd->mod : "the program";

		if (has_refused(files))
			return arena_printf(a,
					    "functions of %s%s are omitted: files of its user take "
					    "too much time or memory (-x foreigntime, foreignsize)",
					    name, process);
		return arena_printf(a, "%s%s has no function symbols (it is stripped)", name,
				    process);
	}
	if (strcmp(pd->func, "-") && !has_function(files, pd->func)) {
		near = nearest_function(files, pd->func);
		return arena_printf(a,
				    "no function %s in %s%s; only exported functions of a stripped "
				    "file are visible%s%s%s",
				    pd->func, *pd->mod ? pd->mod : "any object", process,
				    *near ? "; did you mean " : "", near, *near ? "?" : "");
	}
	if (!strcmp(pd->name, "return") && pidret(files->ps) != PIDRET_URETPROBE)
		return arena_printf(a,
				    "%s has no instruction that is known to return (the end of "
				    "a function without size is not known)",
				    *pd->func ? pd->func : "no function");
	probes_set_lack_tag(files->ps, D_PROC_NAME);
	if (glob_is_literal(pd->name) && !is_offset(pd->name, &off) && strcmp(pd->name, "entry") &&
	    strcmp(pd->name, "return"))
		return arena_printf(a, "%s is not entry, return or a hexadecimal offset", pd->name);
	return NULL;
}

static const char *pid_unavailable(struct probes *ps, const struct pdesc *pd)
{
	struct files files = {.ps = ps, .pattern = pd->mod};
	pid_t pid = pid_number(pd->prov);
	const char *why;
	uint64_t off;

	probes_set_lack_tag(ps, pid ? D_PROC_GRAB : D_PROC_BADPID);
	if (pid && !uproc_get(ps, pid, &why))
		return why;
	if (!strcmp(pd->func, "-") && !is_offset(pd->name, &off)) {
		probes_set_lack_tag(ps, D_PROC_NAME);
		return "the function - needs an address, in hexadecimal, as the probe's name";
	}
	if (pid) /* the objects of a process are names like others */
		probes_set_lack_tag(ps, D_PDESC_ZERO);
	else if (names_file(pd->mod))
		probes_set_lack_tag(ps, D_PROC_LIB);
	why = find_files(&files, pid);
	if (files.v.n)
		why = lack_in(&files, pd, pid);
	vec_free(&files.v);
	return why;
}

static void pid_args(struct probes *ps, struct probe *p)
{
	const struct pid_probe *pp = p->data;
	const struct object_sym *sym;
	struct kernel_func kf;
	struct user_types *ut;

	if (p->awaits)
		return;
	if (!p->is_entry && !p->is_return) {
		p->no_args = "an instruction has no arguments";
		return;
	}
	ut = uobj_types(ps, pp->obj);
	sym = object_sym_at(pp->obj->object, pp->addr);
	if (!type_user_func(probes_types(ps), ut, p->func, sym ? sym->addr : pp->addr, &kf)) {
		p->no_args = type_user_error(ut);
		if (!p->no_args)
			p->no_args = "the type data of its file lack this function (CTF has "
				     "exported functions, or all with the linker's "
				     "--ctf-variables; DWARF has functions of C and C++ that are "
				     "called as declared); its arguments are in arg0, arg1 ...";
		return;
	}
	if (p->is_return)
		p->nargs = uargs_return(probes_types(ps), probes_arena(ps), &kf, &p->args);
	else
		p->nargs = uargs_entry(probes_types(ps), probes_arena(ps),
				       object_machine(pp->obj->object), &kf, &p->args);
}

static int pid_arg(struct gen *g, const struct probe *p, int n)
{
	const struct hook *hook = hook_get(g->hook_kind);

	if (p->is_return)
		return n == 1	? hook->ret(gen_ir(g), gen_ctx(g), 0)
		       : n == 0 ? gen_probe_where(g)
				: gen_imm(g, 0);
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
    .fits_provider = pid_fits_provider,
    .provide = pid_provide,
    .await = pid_await,
    .fits_module = pid_fits_module,
    .args = pid_args,
    .arg = pid_arg,
    .uniform_args = true,
    .unavailable_reason = pid_unavailable,
};
