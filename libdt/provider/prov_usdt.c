/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Static probes of programs and libraries (USDT), as <sys/sdt.h> and dtrace -h leave them in
 * notes of the object:
 *
 *	postgresql123:postgres:exec_simple_query:query-start	in process 123
 *	python*:::function-entry				in whatever process has an object
 *								with such probes, also later ones
 *	python*3:::function-entry				the same in processes whose numbers
 *								end in 3
 *	python*:/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0::	the same for a file that
 *									no process has mapped yet
 *	python*:::function-entry with -Z			and in files that no process
 *								has mapped yet, whichever these are
 *	:::function-entry, *:::					in the processes of -p and -c,
 *								among the probes of other
 *								providers
 *
 * A probe that stands at several places (it was inlined) is as many probes of one name. "__" in a
 * probe's name is "-". A provider's name is as the program has it, as in dtrace(1) of other
 * systems; a description may have "-" for its "__".
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/base/escape.h"
#include "libdt/base/machine/sdtarg.h"
#include "libdt/emit/emit.h"
#include "libdt/provider/prov.h"
#include "libdt/provider/uproc.h"
#include "libdt/process/pidns.h"

enum { USDT_FIRST = 400000 };

struct usdt {
	struct uobj *obj;
	bool runs;			   /* it is the program of the process */
	const char *dashed;		   /* the probe's provider with "-"; NULL: it has no "__" */
	bool held;			   /* in a process of -p or -c */
	const struct provnote_probe *decl; /* in the object; NULL: none */
	int nargs;
	struct sdtarg args[]; /* as the program passes them */
};

/* How much of "python123" is the name. */
static size_t name_length(const char *prov)
{
	size_t len = strlen(prov);

	while (len && prov[len - 1] >= '0' && prov[len - 1] <= '9')
		len--;
	return len;
}

/* Is it the name of a provider, or a pattern of one, that ends in this PID? */
static bool ends_in(const char *prov, pid_t pid)
{
	char digits[16];
	int n = snprintf(digits, sizeof(digits), "%d", pid);
	size_t len = strlen(prov);

	return len > (size_t)n && !strcmp(prov + len - n, digits);
}

/* The n-th process of the session whose number the name may have. A provider's own name may end
 * in digits: us2123. */
static pid_t named_process(const struct probes *ps, const char *prov, int n)
{
	pid_t pid;

	for (int i = 0; (pid = probes_process(ps, i)); i++)
		if (ends_in(prov, pid) && !n--)
			return pid;
	return 0;
}

/* A pattern that ends in digits (app*3) means the processes whose numbers end so. */
static struct pid_set ending(const char *prov)
{
	size_t len = name_length(prov), digits = strlen(prov + len);
	struct pid_set set = {0, 0};

	if (!digits || digits > 9 || !len || prov[len - 1] != '*' || pidns_own())
		return set;
	set.rest = strtoul(prov + len, NULL, 10);
	for (set.modulus = 1; digits; digits--)
		set.modulus *= 10;
	return set;
}

/* A name with a process's number, or a pattern, of what no other provider is called. */
static bool usdt_owns(const char *prov)
{
	size_t len = name_length(prov);
	bool numbered = len && uproc_number(prov, len), pattern = len && prov[len - 1] == '*';

	if (!numbered && (!pattern || len < 2))
		return false;
	if (numbered && strcspn(prov, "*?[") < len) /* those of others, too */
		return true;
	for (const struct provider *const *p = providers; *p; p++)
		if (*p != &provider_usdt &&
		    ((*p)->owns ? (*p)->owns(prov) : glob_fits(prov, (*p)->name)))
			return false;
	return true;
}

/* "function__entry" -> "function-entry". Valid until the next call with that buffer: objects have
 * more names than a description matches. */
static const char *dashed(struct strbuf *to, const char *name)
{
	to->len = 0;
	for (const char *p = name; *p; p++) {
		bool two = p[0] == '_' && p[1] == '_';

		sb_putc(to, two ? '-' : *p);
		p += two;
	}
	return to->len ? to->s : "";
}

struct search {
	struct probes *ps;
	const struct pdesc *pd;
	pid_t pid;		  /* 0: all that map the file, */
	struct pid_set pids;	  /* or those of them */
	const struct uproc *proc; /* NULL where pid is 0 */
	struct uobj *obj;
	struct strbuf prov, dashed_prov, name, escaped; /* of the note at hand */
};

static void search_free(struct search *s)
{
	sb_free(&s->prov);
	sb_free(&s->dashed_prov);
	sb_free(&s->name);
	sb_free(&s->escaped);
}

/* dashed_name: a buffer for it. */
static bool is_called(const char *pattern, const char *name, struct strbuf *dashed_name)
{
	return glob_fits(pattern, name) ||
	       (strstr(name, "__") && glob_fits(pattern, dashed(dashed_name, name)));
}

static bool is_held(const struct probes *ps, pid_t pid)
{
	pid_t held = -1;

	for (int i = 0; pid && held && held != pid; i++)
		held = probes_process(ps, i);
	return pid && held;
}

/* What stands after the provider's own name in descriptions. */
static const char *suffix(const struct search *s, char text[24])
{
	if (s->pid)
		snprintf(text, 24, "%d", s->pid);
	else
		snprintf(text, 24, "*%s",
			 s->pids.modulus ? s->pd->prov + name_length(s->pd->prov) : "");
	return text;
}

/* Will the probe table's name, which is escaped, fit? */
static bool name_fits(struct search *s, const char *pattern, const char *name)
{
	size_t len = strlen(name);

	if (!*pattern || escape_clean(name, len, ESCAPE_NAME) == len)
		return glob_fits(pattern, name);
	s->escaped.len = 0;
	escape_add(&s->escaped, name, len, ESCAPE_NAME);
	return glob_fits(pattern, sb_str(&s->escaped));
}

/* So many bytes are kept of a note, at most. */
static size_t cost(const struct object_note *note)
{
	size_t words = 1;

	for (const char *p = note->args; *p && words < SDTARG_MAX; p++)
		words += *p == ' ';
	return sizeof(struct usdt) + words * sizeof(struct sdtarg) + strlen(note->provider);
}

static void add(struct search *s, const struct object_note *note, const char *func)
{
	struct object_site site = {s->obj->object, note->addr};
	struct sdtarg_env env = {object_machine(s->obj->object), object_distance, &site};
	struct uplace at = {s->pid, s->obj, 0, cost(note)};
	struct arena *a = probes_arena(s->ps);
	struct sdtarg args[SDTARG_MAX];
	uint64_t semaphore = 0;
	struct usdt *u;
	struct probe *p;
	int nargs;

	if (!object_offset(s->obj->object, note->addr, &at.off) ||
	    (note->semaphore && !object_offset(s->obj->object, note->semaphore, &semaphore)))
		return;
	p = uproc_probe(s->ps, &provider_usdt, USDT_FIRST, &at, s->prov.s, func, sb_str(&s->name));
	if (!p)
		return;
	p->hook = HOOK_UPROBE;
	p->pids = s->pids;
	p->target.semaphore = semaphore;
	nargs = sdtarg_parse(note->args, &env, args);
	u = arena_alloc(a, sizeof(*u) + nargs * sizeof(*args));
	u->obj = s->obj;
	u->runs = uproc_runs(s->proc, s->obj);
	if (strstr(s->prov.s, "__"))
		u->dashed = arena_strdup(a, dashed(&s->dashed_prov, s->prov.s));
	u->held = is_held(s->ps, s->pid);
	u->nargs = nargs;
	memcpy(u->args, args, nargs * sizeof(*args));
	u->decl = note->decl;
	p->data = u;
}

static void search_note(struct search *s, const struct object_note *note, const char *end)
{
	const struct object_sym *sym;
	const char *func;

	s->prov.len = 0;
	sb_puts(&s->prov, note->provider);
	sb_puts(&s->prov, end);
	if (!is_called(s->pd->prov, s->prov.s, &s->dashed_prov) ||
	    !name_fits(s, s->pd->name, dashed(&s->name, note->name)))
		return;
	sym = object_sym_at(s->obj->object, note->addr);
	func = sym ? sym->name : "";
	if (name_fits(s, s->pd->func, func))
		add(s, note, func);
}

static void search_object(struct search *s)
{
	const struct object_note *notes;
	char text[24];
	const char *end = suffix(s, text);
	int n;

	if (*s->pd->mod && !uproc_names(s->proc, s->obj, s->pd->mod))
		return;
	notes = object_notes(s->obj->object, &n);
	for (int i = 0; i < n && !s->obj->cut; i++)
		search_note(s, &notes[i], end);
}

static void search_mapped(void *arg, struct uobj *o)
{
	struct search *s = arg;

	s->obj = o;
	search_object(s);
}

static void search_process(struct search *s, pid_t pid)
{
	const char *why;
	const struct uproc *proc = uproc_get(s->ps, pid, &why);

	s->proc = proc;
	for (int i = 0; proc && i < proc->objs.n; i++)
		search_mapped(s, proc->objs.v[i]);
	s->proc = NULL;
}

/* Unless -x compat=off: names that a language's probes had once, by the names that they have. */
static const struct {
	const char *language, *old, *name;
} renamed[] = {
    {"ruby", "function-entry", "method-entry"},
    {"ruby", "function-return", "method-return"},
    {"ruby", "object-create-start", "object-create"},
    {"ruby", "gc-begin", "gc-mark-begin"},
    {"ruby", "gc-end", "gc-mark-end"},
};

static void usdt_rewrite(struct pdesc *pd)
{
	size_t len = strcspn(pd->prov, "0123456789*");

	for (size_t i = 0; pd->compat && i < ARRAY_SIZE(renamed); i++)
		if (strlen(renamed[i].language) == len &&
		    !strncmp(renamed[i].language, pd->prov, len) &&
		    !strcmp(renamed[i].old, pd->name))
			pd->name = renamed[i].name;
}

/* Does it mean processes whose numbers end in its digits? The number of a process of the session
 * means that one alone. */
static bool means_some(const struct probes *ps, const struct pdesc *pd)
{
	return ending(pd->prov).modulus &&
	       !is_held(ps, uproc_number(pd->prov, name_length(pd->prov)));
}

static void usdt_provide(struct probes *ps, const struct pdesc *pd)
{
	struct search s = {.ps = ps, .pd = pd};
	pid_t number = uproc_number(pd->prov, name_length(pd->prov));
	const char *why;

	if (pd->id)
		return;
	if (!usdt_owns(pd->prov)) { /* of all providers, or some */
		for (int i = 0; (s.pid = probes_process(ps, i)); i++)
			search_process(&s, s.pid);
	} else if (number && !means_some(ps, pd)) {
		for (int i = 0; (s.pid = named_process(ps, pd->prov, i)); i++)
			search_process(&s, s.pid);
		s.pid = number;
		search_process(&s, number);
	} else {
		s.pids = ending(pd->prov);
		if (*pd->mod == '/' && glob_is_literal(pd->mod))
			uproc_each_at(ps, pd->mod, search_mapped, &s, &why);
		else
			uproc_each(ps, search_mapped, &s); /* every process */
	}
	search_free(&s);
}

/* A file that is there, by its path, has its probes already: they are in whatever process maps
 * it. */
static void usdt_await(struct probes *ps, const struct pdesc *pd,
		       void (*fn)(void *arg, struct probe *p), void *arg)
{
	pid_t held = named_process(ps, pd->prov, 0),
	      pid = held ? held : uproc_number(pd->prov, name_length(pd->prov));
	struct probe *p;

	if (means_some(ps, pd))
		pid = 0;
	if (*pd->mod == '/' && glob_is_literal(pd->mod) && uproc_has_at(ps, pid, pd->mod))
		return;
	p = probe_await(ps, &provider_usdt, pd, pid, HOOK_UPROBE, false);
	if (!pid)
		p->pids = ending(pd->prov);
	fn(arg, p);
}

/*
 * A process's own probes match a description whose provider ends in its PID and, if it is one of
 * the session's processes, a description that matches many providers. A pattern of this provider's
 * (app*) means the probes of all processes: those of one (app123), which another description asked
 * for, are on the same places, and would fire once more.
 */
static bool usdt_fits_provider(const struct probe *p, const char *pattern)
{
	const struct usdt *u = p->data;
	struct pid_set set = ending(pattern);

	if (!glob_fits(pattern, p->prov) && !(u->dashed && glob_fits(pattern, u->dashed)))
		return false;
	if (!usdt_owns(pattern))
		return u->held;
	if (!p->target.pid) /* the same processes */
		return p->pids.modulus == set.modulus && p->pids.rest == set.rest;
	return uproc_number(pattern, name_length(pattern)) && ends_in(pattern, p->target.pid) &&
	       (!set.modulus || u->held);
}

static bool usdt_fits_module(const struct probe *p, const char *pattern)
{
	const struct usdt *u = p->data;

	return uobj_named(u->obj, u->runs, pattern);
}

/* The providers that a process has, for a message about another. */
static const char *others(struct arena *a, const struct uproc *proc)
{
	enum { SHOWN = 6 };
	const char *names[SHOWN], *text = "";
	int found = 0, n;

	for (int i = 0; i < proc->objs.n; i++) {
		const struct object_note *notes = object_notes(proc->objs.v[i]->object, &n);

		for (int j = 0; j < n && found < SHOWN; j++) {
			int k = 0;

			while (k < found && strcmp(names[k], notes[j].provider))
				k++;
			if (k < found)
				continue;
			names[found++] = notes[j].provider;
			text = arena_printf(a, "%s%s%s", text, k ? ", " : "; it has those of ",
					    names[k]);
		}
	}
	return found == SHOWN ? arena_printf(a, "%s ...", text) : text;
}

/* Has an object of the process static probes of this provider? */
static bool has_provider(const struct uproc *proc, const char *name)
{
	struct strbuf buf = {0};
	bool found = false;
	int n;

	for (int i = 0; i < proc->objs.n; i++) {
		const struct object_note *notes = object_notes(proc->objs.v[i]->object, &n);

		for (int j = 0; j < n && !found; j++)
			found = is_called(name, notes[j].provider, &buf);
	}
	sb_free(&buf);
	return found;
}

static const char *usdt_unavailable(struct probes *ps, const struct pdesc *pd)
{
	size_t len = name_length(pd->prov);
	pid_t pid = uproc_number(pd->prov, len);
	struct arena *a = probes_arena(ps);
	const char *name = arena_strndup(a, pd->prov, len), *why;
	const struct uproc *proc;

	if (!pid || means_some(ps, pd))
		return arena_printf(a,
				    "%s has an object with static probes of a provider %.*s mapped",
				    uproc_none(ps), (int)(len - 1), pd->prov);
	for (size_t i = 0; !pd->compat && i < ARRAY_SIZE(renamed); i++)
		if (!strcmp(renamed[i].language, name) && !strcmp(renamed[i].old, pd->name))
			return arena_printf(a,
					    "%s is called %s now; with -x compat=on it is matched",
					    pd->name, renamed[i].name);
	proc = uproc_get(ps, pid, &why);
	if (!proc && provider_missing(pd->prov))
		return NULL;
	if (!proc) /* it may have been meant as the name of a provider */
		return arena_printf(a, "there is no provider %s, and %s", pd->prov, why);
	if (has_provider(proc, name))
		return NULL; /* only the probe's name is wrong */
	return arena_printf(
	    a, "there is no provider %s, and %s has no static probes of a provider %.*s%s",
	    pd->prov, uproc_text(ps, proc), (int)len, pd->prov, others(a, proc));
}

/* Arguments --------------------------------------------------------------- */

/* Nothing is known of arguments before there is a file but that they are numbers. */
static void unknown_args(struct probes *ps, struct probe *p)
{
	struct probe_arg *args = arena_alloc(probes_arena(ps), LATE_ARGS * sizeof(*args));

	for (int i = 0; i < LATE_ARGS; i++)
		args[i].type = type_int(probes_types(ps), 8, true);
	p->args = args;
	p->nargs = LATE_ARGS;
}

static void usdt_args(struct probes *ps, struct probe *p)
{
	const struct usdt *u = p->data;
	struct probe_arg *args;

	if (p->awaits) {
		unknown_args(ps, p);
		return;
	}
	args = arena_alloc(probes_arena(ps), MAX(u->nargs, 1) * sizeof(*args));
	for (int i = 0; i < u->nargs; i++) {
		const struct sdtarg *a = &u->args[i];

		args[i].type = type_int(probes_types(ps), a->kind == SDTARG_UNKNOWN ? 8 : a->size,
					a->is_signed);
	}
	p->args = args;
	p->nargs = u->nargs;
}

const struct provnote_probe *usdt_declaration(const struct probe *p)
{
	return p->awaits ? NULL : ((const struct usdt *)p->data)->decl;
}

bool usdt_is_of_all(const struct probe *p)
{
	return p->provider == &provider_usdt && !p->target.pid;
}

struct holders {
	const struct probe *probe;
	void (*fn)(void *arg, struct probe *p);
	void *arg;
	bool found;
};

static void of_one(void *arg, pid_t pid)
{
	struct holders *h = arg;
	struct probe own = *h->probe;
	char *name;

	if (!pid_set_has(own.pids, pid))
		return;
	name = xasprintf("%.*s%d", (int)name_length(own.prov) - 1, own.prov, pid);
	own.prov = name;
	h->found = true;
	h->fn(h->arg, &own);
	free(name);
}

void usdt_each_process(struct probes *ps, struct probe *p, void (*fn)(void *arg, struct probe *p),
		       void *arg)
{
	struct holders h = {p, fn, arg, false};

	uproc_each_holder(ps, ((const struct usdt *)p->data)->obj, of_one, &h);
	if (!h.found)
		fn(arg, p);
}

const char *usdt_types(struct probes *ps, const struct probe *p)
{
	if (p->awaits)
		return NULL;
	return p->target.pid ? arena_printf(probes_arena(ps), "pid%d`%s", p->target.pid, p->mod)
			     : "pid";
}

static int register_value(struct gen *g, int offset)
{
	int r = ir_reg(gen_ir(g));

	ir_ld_const(gen_ir(g), 8, r, gen_ctx(g), offset);
	return r;
}

static int memory_value(struct gen *g, const struct sdtarg *a)
{
	struct ir *ir = gen_ir(g);
	int addr = gen_imm(g, a->value), index;

	if (a->reg >= 0)
		ir_alu(ir, BPF_ADD, addr, register_value(g, a->reg));
	if (a->index >= 0) {
		index = register_value(g, a->index);
		ir_alui(ir, BPF_MUL, index, a->scale);
		ir_alu(ir, BPF_ADD, addr, index);
	}
	return gen_read_user(g, addr, 0, a->size);
}

/* An argument that there is not is 0; what cannot be fetched is a fault of the clause that uses
 * it. */
static void usdt_late_args(const struct probe *standin, const struct probe *p,
			   struct late_arg args[LATE_ARGS])
{
	const struct usdt *u = p->data;
	/* the script's own counts */
	const struct provnote_probe *decl = standin->arg_map ? NULL : u->decl;
	int n = decl ? MIN(decl->nargs, LATE_ARGS) : u->nargs;

	for (int i = 0; i < n; i++) {
		int native = decl ? decl->args[i].native : i;
		const struct sdtarg *a = &u->args[native];

		if (native >= u->nargs)
			continue;
		if (a->kind == SDTARG_UNKNOWN) {
			args[i].lacks = true;
			continue;
		}
		args[i] = (struct late_arg){.value = a->value,
					    .shift = a->shift,
					    .cut = 64 - 8 * a->size,
					    .is_signed = a->is_signed};
		if (a->kind == SDTARG_CONST) {
			args[i].cut = 0;
			continue;
		}
		if (a->kind == SDTARG_REG)
			args[i].value = 0;
		else
			args[i].memory = a->size;
		args[i].reg = a->reg + 1;
		args[i].index = a->index + 1;
		args[i].scale = a->scale;
	}
}

/* The program's argument that is argN; NULL: it has none, which is 0. */
static const struct sdtarg *passed_as(const struct probe *p, int n)
{
	const struct usdt *u = p->data;

	if (p->arg_map)
		n = n >= 0 && n < p->nargs ? p->arg_map[n] : -1;
	return n >= 0 && n < u->nargs ? &u->args[n] : NULL;
}

static bool usdt_has_arg(const struct probe *p, int n)
{
	const struct sdtarg *a = p->awaits ? NULL : passed_as(p, n);

	return !a || a->kind != SDTARG_UNKNOWN;
}

static int usdt_arg(struct gen *g, const struct probe *p, int n)
{
	const struct sdtarg *a;
	int r;

	if (p->awaits && p->arg_map)
		n = n >= 0 && n < p->nargs ? p->arg_map[n] : -1;
	if (p->awaits)
		return n >= 0 && n < LATE_ARGS ? gen_late_arg(g, n) : gen_imm(g, 0);
	a = passed_as(p, n);
	if (!a)
		return gen_imm(g, 0);
	if (a->kind == SDTARG_UNKNOWN)
		diag_die(g->cg->diag, D_ARGS_IDX, g->loc,
			 "argument %d of %s:%s:%s:%s cannot be fetched: it is in \"%.*s\"", n,
			 p->prov, p->mod, p->func, p->name, a->len, a->text);
	if (a->kind == SDTARG_CONST)
		return gen_imm(g, a->value);
	if (a->kind == SDTARG_MEM)
		r = memory_value(g, a);
	else
		r = register_value(g, a->reg);
	if (a->shift)
		ir_alui(gen_ir(g), BPF_RSH, r, a->shift);
	if (a->size < 8 && a->is_signed)
		ir_sext(gen_ir(g), r, a->size * 8);
	else if (a->size < 8)
		ir_zext(gen_ir(g), r, a->size * 8);
	return r;
}

const struct provider provider_usdt = {
    .name = "usdt",
    .attr_provider = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},
    .attr_module = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_function = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},
    .attr_args = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .owns = usdt_owns,
    .fits_provider = usdt_fits_provider,
    .of_processes = true,
    .rewrite = usdt_rewrite,
    .provide = usdt_provide,
    .await = usdt_await,
    .late_args = usdt_late_args,
    .proc_maps_args = true,
    .fits_module = usdt_fits_module,
    .args = usdt_args,
    .arg = usdt_arg,
    .has_arg = usdt_has_arg,
    .unavailable_reason = usdt_unavailable,
};
