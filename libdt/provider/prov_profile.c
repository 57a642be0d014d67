/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile-N[unit] fires on every CPU, tick-N[unit] on one. The probes are made when a description
 * names them. Their ids must not depend on the order of that, though the kernel has no number for
 * them: small numbers are packed, with unit and kind, into an id; the rest gets the hash of its
 * name, and takes the next free id should two ever meet. The usual rates are put in first, so they
 * always have the same.
 *
 * The kernel silently skips the program of a perf event while its CPU is inside another program of
 * a perf event or perf-based tracepoint: a system call loop with such a tracepoint made half of all
 * ticks vanish, tick-1s { exit(0); } too. So a slow rate has an event that comes more often than
 * the probe fires, and the program looks at the clock: what is missed is made up for at the next
 * step. The lateness (arg2) of a firing is also relative to the time at which it was due. For fast
 * profiles that would cost too much, and samples may be missed.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libdt/base/unit.h"
#include "libdt/emit/emit.h"
#include "libdt/provider/prov.h"
#include "libdt/provider/rate.h"

enum { NUNITS = TIME_UNITS, NSMALL = 128 };
enum { ID_FIRST = 1200, ID_HASHED = ID_FIRST + NSMALL * NUNITS * 2, ID_LAST = 9999 };

static const uint64_t ns_per_s = 1000000000, min_period = 200000;

/* How a probe goes: every period, from an event every step. */
struct clock {
	uint64_t period, step;
};

static bool has_prefix(const char *name)
{
	return !strncmp(name, "tick-", 5) || !strncmp(name, "profile-", 8);
}

static bool parse_unit(const char *text, struct rate *r)
{
	for (unsigned i = 0; i < NUNITS; i++) {
		if (strcasecmp(text, time_units[i].name))
			continue;
		r->unit = i;
		return true;
	}
	return false;
}

enum rate_status rate_parse(const char *name, struct rate *r)
{
	const char *p = strchr(name, '-');
	bool overflow = false;

	*r = (struct rate){.tick = name[0] == 't'};
	if (!has_prefix(name) || *++p < '0' || *p > '9')
		return RATE_NAME;
	r->padded = *p == '0' && p[1] >= '0' && p[1] <= '9';
	for (; *p >= '0' && *p <= '9'; p++)
		overflow |= __builtin_mul_overflow(r->n, 10, &r->n) ||
			    __builtin_add_overflow(r->n, (uint64_t)(*p - '0'), &r->n);
	if (!parse_unit(p, r))
		return RATE_NAME;
	if (!time_units[r->unit].ns) {
		r->period_ns = overflow || !r->n ? 0 : ns_per_s / r->n;
		return r->period_ns < min_period ? RATE_SHORT : RATE_OK;
	}
	if (overflow || __builtin_mul_overflow(r->n, time_units[r->unit].ns, &r->period_ns) ||
	    r->period_ns > INT64_MAX)
		return RATE_LONG;
	return r->period_ns < min_period ? RATE_SHORT : RATE_OK;
}

/* 0 when all are taken. */
static uint32_t pick_id(struct probes *ps, const struct rate *r, const char *name)
{
	if (r->n < NSMALL && !r->padded)
		return ID_FIRST + ((uint32_t)r->n * NUNITS + r->unit) * 2 + r->tick;
	return probe_hashed_id(ps, name, ID_HASHED, ID_LAST);
}

static int tick_cpu(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 0;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			return cpu;
	return 0;
}

static uint64_t step_of(const struct rate *r)
{
	const uint64_t ms = 1000000;
	uint64_t p = r->period_ns, n = 1;

	if (p >= 100 * ms)
		n = (p + 10 * ms - 1) / (10 * ms);
	else if (r->tick && p >= 2 * ms)
		n = MIN(p / ms, 10);
	return p / n;
}

static void add_rate(struct probes *ps, const char *name)
{
	struct rate r;
	struct clock *clock;
	struct probe *p;
	uint32_t id;

	if (rate_parse(name, &r) != RATE_OK)
		return;
	id = pick_id(ps, &r, name);
	if (!id)
		return;
	p = probe_add(ps, &provider_profile, id, "", "", name);
	if (p->target.period_ns)
		return;
	p->hook = HOOK_PERF;
	p->data = clock = arena_alloc(probes_arena(ps), sizeof(*clock));
	clock->period = r.period_ns;
	clock->step = p->target.period_ns = step_of(&r);
	p->target.cpu = r.tick ? tick_cpu() : -1;
}

/* Decodes a packed id to the name, so that an id from a listing or a trace finds its probe
 * again. */
static void add_by_id(struct probes *ps, uint32_t id)
{
	uint32_t code = id - ID_FIRST;
	char name[64];

	if (id < ID_FIRST || id >= ID_HASHED)
		return;
	snprintf(name, sizeof(name), "%s-%u%s", code & 1 ? "tick" : "profile", code / 2 / NUNITS,
		 time_units[code / 2 % NUNITS].name);
	add_rate(ps, name);
}

static void profile_provide(struct probes *ps, const struct pdesc *pd)
{
	static const char *const usual[] = {
	    "profile-97",   "profile-199",  "profile-499", "profile-997", "profile-1999",
	    "profile-4001", "profile-4999", "tick-1",	   "tick-10",	  "tick-100",
	    "tick-500",	    "tick-1000",    "tick-5000",
	};

	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		add_rate(ps, usual[i]);
	if (pd->id && pd->id == pd->id_last)
		add_by_id(ps, pd->id);
	else if (!pd->id && glob_fits(pd->mod, "") && glob_fits(pd->func, ""))
		add_rate(ps, pd->name);
}

static const char *profile_unavailable(struct probes *ps, const struct pdesc *pd)
{
	struct rate r;

	switch (rate_parse(pd->name, &r)) {
	case RATE_SHORT:
		return arena_printf(probes_arena(ps), "%s %s the shortest period is 200us (5000hz)",
				    pd->name, r.n ? "is too fast:" : "never fires:");
	case RATE_LONG:
		return arena_printf(probes_arena(ps),
				    "%s is too slow: the period is beyond 292 years", pd->name);
	case RATE_OK:
		return "probes of the profile provider have no module and no function";
	case RATE_NAME:
		break;
	}
	if (glob_is_literal(pd->name) && (glob_is_literal(pd->prov) || has_prefix(pd->name)))
		return "probes of the profile provider are profile-N and tick-N, with N in hz or "
		       "followed by ns, us, ms, s, m, h, d or hz";
	return NULL;
}

/* This CPU's word of the enabled probe, which may be seen through ours: when it is due; 0 before
 * its first event. */
static int due_word(struct gen *g, int out)
{
	struct ir *ir = gen_ir(g);
	int cpu = ir_call_const(ir, BPF_FUNC_get_smp_processor_id, 0, NULL), row = ir_reg(ir), off;

	ir_jcci(ir, BPF_JGE, cpu, g->set->ncpus, out);
	off = ir_reg(ir);
	ir_mov(ir, off, cpu);
	ir_alui(ir, BPF_MUL, off, 8);
	ir_map_mem(ir, row, &g->set->maps.clocks, g->probe->clock * g->set->ncpus * 8);
	ir_alu(ir, BPF_ADD, row, off);
	return row;
}

static const char late_memo[] = "late";

/* Moves due beyond now. What comes in steps makes up for a few that were missed, one at each
 * step. */
static void next_due(struct ir *ir, const struct clock *c, int due, int late)
{
	int n = ir_reg(ir), period = ir_reg(ir), few = ir_label(ir);

	ir_movi(ir, period, c->period);
	ir_mov(ir, n, late);
	ir_alu(ir, BPF_DIV, n, period);
	if (c->step < c->period) {
		ir_jcci(ir, BPF_JGT, n, 16, few);
		ir_movi(ir, n, 0);
		ir_place(ir, few);
	}
	ir_alui(ir, BPF_ADD, n, 1);
	ir_alu(ir, BPF_MUL, n, period);
	ir_alu(ir, BPF_ADD, due, n);
}

/* Is the probe due? */
static int profile_guard(struct gen *g, const struct probe *p)
{
	const struct clock *c = p->data;
	struct ir *ir = gen_ir(g);
	int fire = ir_reg(ir), late = ir_reg(ir), due = ir_reg(ir), soon = ir_reg(ir), word;
	int known = ir_label(ir), early = ir_label(ir), out = ir_label(ir), store = ir_label(ir);
	int now = gen_monotonic(g);

	ir_movi(ir, fire, 0);
	ir_movi(ir, late, 0);
	word = due_word(g, out);
	ir_ld(ir, 8, due, word, 0);
	ir_jcci(ir, BPF_JNE, due, 0, known);
	/* this is the first event, a step after it was made */
	ir_movi(ir, due, c->period - c->step);
	ir_alu(ir, BPF_ADD, due, now);
	ir_place(ir, known);
	ir_movi(ir, soon, c->step / 4); /* steps are rounded down */
	ir_alu(ir, BPF_ADD, soon, now);
	ir_jcc(ir, BPF_JGT, due, soon, early);
	ir_movi(ir, fire, 1);
	ir_jcc(ir, BPF_JGT, due, now, store);
	ir_mov(ir, late, now);
	ir_alu(ir, BPF_SUB, late, due);
	ir_place(ir, store);
	next_due(ir, c, due, late);
	ir_st(ir, 8, word, 0, due);
	ir_jmp(ir, out);
	ir_place(ir, early);
	if (c->step == c->period) { /* the event's beat has changed: so does ours */
		ir_movi(ir, fire, 1);
		ir_movi(ir, due, c->period);
		ir_alu(ir, BPF_ADD, due, now);
	}
	ir_st(ir, 8, word, 0, due);
	ir_place(ir, out);
	gen_memo_add(g, late_memo, 0, late);
	return fire;
}

/* arg2 is how many ns late; the program counters are the hook's. */
static int profile_arg(struct gen *g, const struct probe *p, int n)
{
	(void)p;
	return n == 2 ? gen_memo_find(g, late_memo, 0) : g->hook->arg(gen_ir(g), gen_ctx(g), n);
}

const struct provider provider_profile = {
    .name = "profile",
    .attr_provider = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON},
    .attr_module = {STAB_UNSTABLE, STAB_UNSTABLE, CLASS_UNKNOWN},
    .attr_function = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON},
    .attr_args = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON},
    .provide = profile_provide,
    .arg = profile_arg,
    .guard = profile_guard,
    .unavailable_reason = profile_unavailable,
};
