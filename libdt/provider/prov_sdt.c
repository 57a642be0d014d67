/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two providers over the kernel's tracepoints. sdt hands out the fields of the event's format
 * file (stable names, strings copied in by the kernel); rawtp hands out the tracepoint's own
 * arguments, mostly pointers to kernel structs, and is cheaper. Both take ids from the event's
 * number. rawtp also has the bare tracepoints (sched_exit_tp), which are no events of tracefs:
 * the kernel's types have their names.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/emit/emit.h"
#include "libdt/provider/event.h"
#include "libdt/provider/prov.h"

enum {
	SDT_FIRST = 10000,
	RAWTP_FIRST = 80000,
	EVENT_MAX = 65535,
	BARE_FIRST = 146000,
	BARE_LAST = 149999
};
/* Of the context of a tracepoint program: the first 8 bytes are the kernel's, the rest is bounded.
 */
enum { CTX_FIRST = 8, CTX_SIZE = 8192, RAWTP_NARGS = 12 };

/* Is it a tracepoint that fires with locks held? See locks.c. */
static bool fires_with_locks(const char *group)
{
	return !strcmp(group, "lock") || !strcmp(group, "preemptirq");
}

static void add_sdt(void *arg, struct event *e)
{
	const struct pdesc *pd = arg;
	uint32_t id = SDT_FIRST + e->id;
	struct probe *p;

	if (!pdesc_wants_id(pd, id, id))
		return;
	p = probe_add(e->ps, &provider_sdt, id, e->group, "", e->name);
	p->hook = HOOK_TP;
	p->target.group = e->group;
	p->target.name = e->name;
	p->target.event_id = e->id;
	p->data = e;
}

static void add_rawtp(void *arg, struct event *e)
{
	const struct pdesc *pd = arg;
	uint32_t id = RAWTP_FIRST + e->id;
	struct probe *p;

	if (fires_with_locks(e->group) || !strcmp(e->group, "user_events") ||
	    !pdesc_wants_id(pd, id, id))
		return;
	p = probe_add(e->ps, &provider_rawtp, id, e->group, "", e->name);
	p->hook = HOOK_RAWTP;
	p->target.name = e->name;
	p->data = e;
}

/* Bare ones; e->group is the first word of the name. Found once. */
struct bare {
	struct probes *ps;
	VEC(struct event *) list;
	bool known;
};

static void bare_free(void *state)
{
	struct bare *b = state;

	vec_free(&b->list);
}

static void note_bare(void *arg, const char *name)
{
	struct bare *b = arg;
	struct arena *a = probes_arena(b->ps);
	struct event *e = arena_alloc(a, sizeof(*e));

	*e = (struct event){
	    .ps = b->ps, .name = name, .group = arena_strndup(a, name, strcspn(name, "_"))};
	vec_push(&b->list, e);
}

static void found(void *arg, struct event *e)
{
	(void)e;
	*(bool *)arg = true;
}

/* An event may have such a name, too. */
static bool is_event(struct probes *ps, const char *name)
{
	bool is = false;

	events_each(ps, "", name, found, &is);
	return is;
}

static void provide_bare(struct probes *ps, const struct pdesc *pd)
{
	struct bare *b = probes_state(ps, "prov_sdt.c", sizeof(*b), bare_free);
	size_t len = strlen(pd->name);

	if (glob_is_literal(pd->name) && len && (len < 3 || strcmp(pd->name + len - 3, "_tp")))
		return;
	b->ps = ps;
	if (!b->known)
		types_each_bare_tracepoint(probes_types(ps), note_bare, b);
	b->known = true;
	for (int i = 0; i < b->list.n && i <= BARE_LAST - BARE_FIRST; i++) {
		struct event *e = b->list.v[i];
		struct probe *p;

		if (!glob_fits(pd->mod, e->group) || !glob_fits(pd->name, e->name) ||
		    !pdesc_wants_id(pd, BARE_FIRST + i, BARE_FIRST + i) || is_event(ps, e->name))
			continue;
		p = probe_add(ps, &provider_rawtp, BARE_FIRST + i, e->group, "", e->name);
		p->hook = HOOK_RAWTP;
		p->target.name = e->name;
		p->data = e;
	}
}

static void sdt_provide(struct probes *ps, const struct pdesc *pd)
{
	if (glob_fits(pd->func, "") && pdesc_wants_id(pd, SDT_FIRST, SDT_FIRST + EVENT_MAX))
		events_each(ps, pd->mod, pd->name, add_sdt, (void *)pd);
}

static void rawtp_provide(struct probes *ps, const struct pdesc *pd)
{
	if (glob_fits(pd->func, "") && pdesc_wants_id(pd, RAWTP_FIRST, RAWTP_FIRST + EVENT_MAX))
		events_each(ps, pd->mod, pd->name, add_rawtp, (void *)pd);
	if (glob_fits(pd->func, "") && pdesc_wants_id(pd, BARE_FIRST, BARE_LAST))
		provide_bare(ps, pd);
}

static void sdt_args(struct probes *ps, struct probe *p)
{
	struct format *format = event_format(p->data);
	struct probe_arg *args;

	if (!format || format->nfields <= 0)
		return;
	args = arena_alloc(probes_arena(ps), (size_t)format->nfields * sizeof(*args));
	for (int i = 0; i < format->nfields; i++)
		args[i] = (struct probe_arg){.name = format->fields[i].name,
					     .type = format->fields[i].type};
	p->args = args;
	p->nargs = format->nfields;
}

/* Address of byte off of the context, as a plain number. */
static int ctx_address(struct gen *g, uint32_t off)
{
	struct ir *ir = gen_ir(g);
	int reg = ir_reg(ir);

	ir_mov(ir, reg, gen_ctx(g));
	ir_alui(ir, BPF_ADD, reg, off);
	return gen_address(g, reg);
}

/* The low half of the word at off says where the data is: from the record's start, or from the end
 * of that word. */
static int dynamic_address(struct gen *g, const struct field *f)
{
	struct ir *ir = gen_ir(g);
	int where = ir_reg(ir);

	ir_ld_const(ir, 4, where, gen_ctx(g), (int)f->off);
	ir_alui(ir, BPF_AND, where, 0xffff);
	if (f->flags & FIELD_REL_LOC)
		ir_alui(ir, BPF_ADD, where, f->off + 4);
	ir_alu(ir, BPF_ADD, where, ctx_address(g, 0));
	return where;
}

/* The verifier wants aligned loads; a packed record's field is put together from its bytes. */
static int load_bytes(struct gen *g, const struct field *f)
{
	struct ir *ir = gen_ir(g);
	int value = gen_imm(g, 0), byte;

	for (uint32_t i = 0; i < f->size; i++) {
		uint32_t shift = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : f->size - 1 - i;

		byte = ir_reg(ir);
		ir_ld_const(ir, 1, byte, gen_ctx(g), (int)(f->off + i));
		ir_alui(ir, BPF_LSH, byte, 8 * shift);
		ir_alu(ir, BPF_OR, value, byte);
	}
	return value;
}

static int load_scalar(struct gen *g, const struct field *f)
{
	struct ir *ir = gen_ir(g);
	int value;

	if (f->off % f->size) {
		value = load_bytes(g, f);
	} else {
		value = ir_reg(ir);
		ir_ld_const(ir, (int)f->size, value, gen_ctx(g), (int)f->off);
	}
	if (f->size < 8 && type_is_signed(f->type))
		ir_sext(ir, value, (int)f->size * 8);
	return value;
}

static bool is_loadable(const struct field *f)
{
	const struct type *t = type_base(f->type);

	return (type_is_int(t) || t->kind == T_PTR) &&
	       (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8);
}

static int sdt_arg(struct gen *g, const struct probe *p, int n)
{
	const struct format *format = event_format(p->data);
	const struct field *f;

	if (!format || n < 0 || n >= format->nfields)
		return gen_imm(g, 0);
	f = &format->fields[n];
	if (f->off < CTX_FIRST || f->off >= CTX_SIZE || f->size > CTX_SIZE - f->off)
		return gen_imm(g, 0);
	if (f->flags & (FIELD_DATA_LOC | FIELD_REL_LOC))
		return dynamic_address(g, f);
	return is_loadable(f) ? load_scalar(g, f) : ctx_address(g, f->off);
}

/* For a description that named what is not there. */
static const char *events_lack(struct probes *ps, const struct pdesc *pd)
{
	if (!glob_is_literal(pd->prov))
		return NULL;
	if (events_unreadable(ps))
		return events_unreadable(ps);
	if (*pd->func && !glob_fits(pd->func, ""))
		return arena_printf(probes_arena(ps),
				    "probes of the %s provider have no function: %s:%s::%s",
				    pd->prov, pd->prov, pd->mod, pd->name);
	if (glob_is_literal(pd->mod) && !event_names(ps, pd->mod))
		return arena_printf(probes_arena(ps),
				    "this kernel has no tracepoints of a subsystem %s", pd->mod);
	return NULL;
}

static bool sdt_locks(const struct probe *p)
{
	return fires_with_locks(p->mod);
}

static void found_lock(void *arg, struct event *e)
{
	*(bool *)arg |= fires_with_locks(e->group);
}

static const char *rawtp_unavailable(struct probes *ps, const struct pdesc *pd)
{
	const char *why = events_lack(ps, pd);
	bool locks = false;

	if (why || !glob_is_literal(pd->prov) || !glob_is_literal(pd->name))
		return why;
	events_each(ps, pd->mod, pd->name, found_lock, &locks);
	return locks ? "a program on this raw tracepoint could deadlock on a lock of its maps: use "
		       "sdt"
		     : NULL;
}

static void rawtp_args(struct probes *ps, struct probe *p)
{
	const struct type *func = type_tracepoint(probes_types(ps), p->name);
	struct probe_arg *args;

	if (!func && types_kernel_error(probes_types(ps)))
		p->no_args = types_kernel_error(probes_types(ps));
	if (!func || func->nparams <= 0)
		return;
	p->nargs = MIN(func->nparams, RAWTP_NARGS);
	args = arena_alloc(probes_arena(ps), (size_t)p->nargs * sizeof(*args));
	for (int i = 0; i < p->nargs; i++)
		args[i].type = func->params[i];
	p->args = args;
}

/* The context holds as many words as the tracepoint has arguments; words after them are not
 * valid. */
static int rawtp_arg(struct gen *g, const struct probe *p, int n)
{
	struct event *e = p->data;
	const struct type *func = type_tracepoint(probes_types(e->ps), p->name);
	int nargs = func ? MIN(func->nparams, RAWTP_NARGS) : RAWTP_NARGS, value;

	if (n < 0 || n >= nargs)
		return gen_imm(g, 0);
	value = ir_reg(gen_ir(g));
	ir_ld_const(gen_ir(g), 8, value, gen_ctx(g), n * 8);
	return value;
}

const struct provider provider_sdt = {
    .name = "sdt",
    SDT_ATTRS,
    .provide = sdt_provide,
    .args = sdt_args,
    .arg = sdt_arg,
    .unavailable_reason = events_lack,
    .locks = sdt_locks,
};

const struct provider provider_rawtp = {
    .name = "rawtp",
    SDT_ATTRS,
    .provide = rawtp_provide,
    .args = rawtp_args,
    .arg = rawtp_arg,
    .unavailable_reason = rawtp_unavailable,
};
