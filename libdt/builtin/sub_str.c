/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions on strings. What has to look at bytes is a routine (bpf/rt.h), whose strings lie in
 * the scratch slot; what only moves them is a helper of the kernel. NULL as an argument is a
 * fault, as it is not a string; strtok() takes it for "go on".
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "libdt/builtin/builtin.h"
#include "libdt/lang/gen.h"
#include "libdt/lang/gen_parts.h"

#define SMALL 64 /* buffers up to this size are on the stack */

/* A string argument, wherever it is. */
static struct str text_arg(struct gen *g, struct node *n, int i)
{
	struct str s = gen_str(g, call_arg(n, i));

	gen_str_check(g, &s);
	return s;
}

/* A string argument in the slot: its offset. */
static int slot_arg(struct gen *g, struct node *n, int i)
{
	struct node *a = call_arg(n, i);
	struct str s = gen_str_slot(g, a);

	if (a->kind != N_STR)
		gen_str_check(g, &s);
	return s.slot_off;
}

static int int_arg(struct gen *g, struct node *n, int i, int64_t missing)
{
	struct node *a = call_arg(n, i);

	return a ? gen_expr(g, a) : gen_imm(g, missing);
}

struct str_dest str_result_at(struct gen *g, const struct str_dest *d)
{
	return d->slot_off >= 0 && d->padded && d->bound >= g->cg->strsize ? *d : gen_temp_str(g);
}

void str_deliver(struct gen *g, const struct str_dest *t, const struct str_dest *d)
{
	struct str s = {.ptr = t->ptr, .off = t->off, .bound = t->bound, .slot_off = t->slot_off};

	if (t->slot_off != d->slot_off)
		gen_str_copy(g, &s, d);
}

static int address(struct gen *g, int ptr, int off)
{
	int r = gen_copy(g, ptr);

	if (off)
		ir_alui(g->ir, BPF_ADD, r, off);
	return r;
}

/* Copies text to size bytes of memory; a register with the length, NUL included. size: a
 * register. */
static int copy_text(struct gen *g, int to, int size, const struct str *s)
{
	return ir_callv(g->ir, BPF_FUNC_probe_read_kernel_str, to, size,
			address(g, s->ptr, s->off));
}

static uint32_t literal_len(const struct str *s, uint32_t bound)
{
	return strnlen(s->lit, MIN(s->lit_len, bound - 1));
}

static int reserve(struct gen *g, uint32_t bound)
{
	struct str_dest t;
	int r;

	if (bound <= SMALL && !g->spill) {
		r = ir_reg(g->ir);
		ir_frame_addr(g->ir, r, gen_frame(g, ALIGN_UP(bound, 8)), 0);
		return r;
	}
	t = gen_temp_str(g);
	return address(g, t.ptr, t.off);
}

/* The kernel measures what it copies. Text in the slot is copied onto itself; other text may change
 * meanwhile. */
static int gen_strlen(struct gen *g, struct node *n)
{
	struct str s = text_arg(g, n, 0);
	uint32_t bound = MIN(s.bound, g->cg->strsize);
	int to, len;

	if (s.lit)
		return gen_imm(g, literal_len(&s, g->cg->strsize));
	to = s.slot_off >= 0 ? address(g, s.ptr, s.off) : reserve(g, bound);
	len = gen_copy(g, copy_text(g, to, gen_imm(g, bound), &s));
	ir_alui(g->ir, BPF_SUB, len, 1);
	return len;
}

/* strjoin ----------------------------------------------------------------- */

/*
 * The second text goes to the length of the first. The verifier assumes the maximum both of that
 * length and of the copied size, so that together they exceed the destination. A string in the slot
 * is always followed by that much memory of the slot; other destinations must hold the maximum of
 * both texts.
 */
struct join {
	struct str a, b;
	struct str_dest to;
	uint32_t most_a; /* bytes of the first, NUL included */
	bool fits;
};

/* Copies the first text; a register with its length, which is below most_a. Jumps to fail when
 * that cannot be. */
static int join_first(struct gen *g, struct join *j, int fail)
{
	struct str_dest plain = j->to;
	int len, size;

	if (j->a.lit) {
		plain.padded = false;
		gen_str_copy(g, &j->a, &plain);
		return gen_imm(g, literal_len(&j->a, j->most_a));
	}
	size = gen_imm(g, j->most_a); /* not as an argument: compilers order these differently */
	len = copy_text(g, address(g, j->to.ptr, j->to.off), size, &j->a);
	ir_jcci(g->ir, BPF_JSLE, len, 0, fail);
	len = gen_copy(g, len);
	ir_alui(g->ir, BPF_SUB, len, 1);
	return len;
}

static void join(struct gen *g, struct join *j)
{
	int done = ir_label(g->ir), len = join_first(g, j, done),
	    at = address(g, j->to.ptr, j->to.off), space, all;

	ir_alu(g->ir, BPF_ADD, at, len);
	if (j->fits) {
		space = gen_imm(g, MIN(j->b.bound, j->to.bound));
	} else {
		space = gen_imm(g, j->to.bound);
		ir_alu(g->ir, BPF_SUB, space, len);
	}
	all = gen_copy(g, copy_text(g, at, space, &j->b));
	if (j->to.padded) {
		ir_jcci(g->ir, BPF_JSLE, all, 0, done);
		ir_alu(g->ir, BPF_ADD, all, len);
		ir_jcci(g->ir, BPF_JGT, all, j->to.bound, done);
		gen_str_padded(g, &j->to, all);
	}
	ir_place(g->ir, done);
}

static void gen_strjoin(struct gen *g, struct node *n, const struct str_dest *d)
{
	struct join j = {.a = text_arg(g, n, 0), .b = text_arg(g, n, 1), .to = *d};
	struct str_dest out = *d;

	out.no_null = false; /* it never is; a temporary that is not padded lacks the mark */
	j.most_a = MIN(j.a.bound, d->bound);
	j.fits = j.most_a + j.b.bound - 1 <= d->bound;
	if (!j.fits && d->slot_off < 0) {
		j.to = gen_temp_str(g);
		j.to.padded = d->padded;
		j.most_a = MIN(j.a.bound, j.to.bound);
	}
	join(g, &j);
	str_deliver(g, &j.to, &out);
}

static uint32_t bound_strjoin(struct sema *s, struct node *n)
{
	return sema_bound(s, n->list) + sema_bound(s, n->list->next) - 1;
}

/* Searching --------------------------------------------------------------- */

static int gen_index(struct gen *g, struct node *n)
{
	int hay = slot_arg(g, n, 0), needle = slot_arg(g, n, 1), start = int_arg(g, n, 2, 0);

	return gen_routine(g, "rt_find", 4,
			   (int[]){gen_slot_no(g), gen_imm(g, hay), gen_imm(g, needle), start});
}

static int gen_rindex(struct gen *g, struct node *n)
{
	int hay = slot_arg(g, n, 0), needle = slot_arg(g, n, 1),
	    start = int_arg(g, n, 2, INT32_MAX);

	return gen_routine(g, "rt_rfind", 4,
			   (int[]){gen_slot_no(g), gen_imm(g, hay), gen_imm(g, needle), start});
}

/* What follows in the text at this offset of the slot from a position on; NULL when that is -1. */
static void rest_of(struct gen *g, int text, int pos, const struct str_dest *d)
{
	int none = ir_label(g->ir), done = ir_label(g->ir), len, size;
	struct str from = {.off = text, .slot_off = -1};

	ir_jcci(g->ir, BPF_JGE, pos, g->cg->strsize, none);
	from.ptr = gen_copy(g, gen_slot(g));
	ir_alu(g->ir, BPF_ADD, from.ptr, pos);
	size = gen_imm(g, d->bound);
	len = copy_text(g, address(g, d->ptr, d->off), size, &from);
	ir_jcci(g->ir, BPF_JSLE, len, 0, none);
	gen_str_padded(g, d, len);
	ir_jmp(g->ir, done);
	ir_place(g->ir, none);
	gen_str_null(g, d);
	ir_place(g->ir, done);
}

static void find_char(struct gen *g, struct node *n, bool last, const struct str_dest *d)
{
	int text = slot_arg(g, n, 0), c = gen_expr(g, call_arg(n, 1));

	rest_of(g, text,
		gen_routine(g, "rt_findchr", 4,
			    (int[]){gen_slot_no(g), gen_imm(g, text), c, gen_imm(g, last)}),
		d);
}

static void gen_strchr(struct gen *g, struct node *n, const struct str_dest *d)
{
	find_char(g, n, false, d);
}

static void gen_strrchr(struct gen *g, struct node *n, const struct str_dest *d)
{
	find_char(g, n, true, d);
}

static void gen_strstr(struct gen *g, struct node *n, const struct str_dest *d)
{
	int hay = slot_arg(g, n, 0), needle = slot_arg(g, n, 1);
	int args[] = {gen_slot_no(g), gen_imm(g, hay), gen_imm(g, needle), gen_imm(g, 0)};

	rest_of(g, hay, gen_routine(g, "rt_find", 4, args), d);
}

static int gen_strcontains(struct gen *g, struct node *n)
{
	int at = gen_index(g, n), r = gen_imm(g, 0), none = ir_label(g->ir);

	ir_jcci(g->ir, BPF_JSLT, at, 0, none);
	ir_movi(g->ir, r, 1);
	ir_place(g->ir, none);
	return r;
}

/* The first bytes of a text in the slot, as many as the constant n or the register len says:
 * their offset. */
static int first_bytes(struct gen *g, struct node *text, struct node *n, int len)
{
	struct str_dest t;
	struct str s;
	int from;

	if (n->kind == N_INT) {
		s = gen_str(g, text);
		gen_str_check(g, &s);
		t = gen_temp_str(g);
		if ((uint64_t)n->value < t.bound)
			t.bound = n->value + 1;
		gen_str_copy(g, &s, &t);
		return t.slot_off;
	}
	s = gen_str_slot(g, text);
	if (text->kind != N_STR)
		gen_str_check(g, &s);
	from = s.slot_off;
	t = gen_temp_str(g);
	gen_routine(
	    g, "rt_substr", 5,
	    (int[]){gen_slot_no(g), gen_imm(g, t.slot_off), gen_imm(g, from), gen_imm(g, 0), len});
	return t.slot_off;
}

/* As strcmp() of both, each cut to that many bytes. */
static int gen_strncmp(struct gen *g, struct node *n)
{
	struct node *size = call_arg(n, 2);
	int len = -1, a, b;

	if (size->kind == N_INT && !size->value)
		return gen_imm(g, 0);
	if (size->kind != N_INT) {
		len = gen_copy(g, gen_expr(g, size));
		gen_at_most(g, len, INT32_MAX);
	}
	a = first_bytes(g, call_arg(n, 0), size, len);
	b = first_bytes(g, call_arg(n, 1), size, len);
	return gen_routine(g, "rt_strcmp", 3,
			   (int[]){gen_slot_no(g), gen_imm(g, a), gen_imm(g, b)});
}

/*
 * The text that is being cut and the position in it live as long as the firing, for strtok(NULL,
 * ...) in later clauses: first the position, then the string. Both start as zeroes; a NULL text,
 * which no call has given or which a call has found to have no tokens left, cannot be continued.
 */
static void gen_strtok(struct gen *g, struct node *n, const struct str_dest *d)
{
	static const char key[] = "strtok";
	struct node *arg = call_arg(n, 0);
	uint32_t state = gen_static(g, key, 8 + RT_STRING(g->cg->strsize)), text = state + 8;
	struct str_dest saved = {gen_slot(g), text, g->cg->strsize, true, .slot_off = text}, t;
	int go_on = ir_label(g->ir), some = ir_label(g->ir), done = ir_label(g->ir), delims, pos, r;
	struct str s;

	if (arg->kind != N_INT) {
		s = gen_str(g, arg);
		gen_str_is_null(g, &s, go_on);
		gen_str_copy(g, &s, &saved);
		ir_sti(g->ir, 8, gen_slot(g), state, 0);
	}
	ir_place(g->ir, go_on);
	delims = slot_arg(g, n, 1);
	s = (struct str){
	    .ptr = gen_slot(g), .off = text, .bound = g->cg->strsize, .slot_off = text};
	gen_str_check(g, &s);
	pos = ir_reg(g->ir);
	ir_ld(g->ir, 8, pos, gen_slot(g), state);
	t = str_result_at(g, d);
	r = gen_routine(g, "rt_strtok", 5,
			(int[]){gen_slot_no(g), gen_imm(g, t.slot_off), gen_imm(g, text),
				gen_imm(g, delims), pos});
	ir_jcci(g->ir, BPF_JSGE, r, 0, some);
	/* nothing is left, whatever the delimiters are next time */
	ir_sti(g->ir, 8, gen_slot(g), text, 0);
	gen_str_null(g, d);
	ir_jmp(g->ir, done);
	ir_place(g->ir, some);
	ir_st(g->ir, 8, gen_slot(g), state, r);
	str_deliver(g, &t, d);
	ir_place(g->ir, done);
}

/* Names of numbers: a table in the literals' memory ----------------------- */

#define ROW 64 /* bytes of one, a power of two */

struct names {
	unsigned n;
	const char *(*name)(struct gen *g, unsigned i); /* NULL: it has none */
	const char *prefix;				/* of those: in front of the number */
};

static const char *signal_name(struct gen *g, unsigned i)
{
	static const char *const names[] = {
	    [SIGHUP] = "SIGHUP",       [SIGINT] = "SIGINT",   [SIGQUIT] = "SIGQUIT",
	    [SIGILL] = "SIGILL",       [SIGTRAP] = "SIGTRAP", [SIGABRT] = "SIGABRT",
	    [SIGBUS] = "SIGBUS",       [SIGFPE] = "SIGFPE",   [SIGKILL] = "SIGKILL",
	    [SIGUSR1] = "SIGUSR1",     [SIGSEGV] = "SIGSEGV", [SIGUSR2] = "SIGUSR2",
	    [SIGPIPE] = "SIGPIPE",     [SIGALRM] = "SIGALRM", [SIGTERM] = "SIGTERM",
	    [SIGCHLD] = "SIGCHLD",     [SIGCONT] = "SIGCONT", [SIGSTOP] = "SIGSTOP",
	    [SIGTSTP] = "SIGTSTP",     [SIGTTIN] = "SIGTTIN", [SIGTTOU] = "SIGTTOU",
	    [SIGURG] = "SIGURG",       [SIGXCPU] = "SIGXCPU", [SIGXFSZ] = "SIGXFSZ",
	    [SIGVTALRM] = "SIGVTALRM", [SIGPROF] = "SIGPROF", [SIGWINCH] = "SIGWINCH",
	    [SIGIO] = "SIGIO",	       [SIGPWR] = "SIGPWR",   [SIGSYS] = "SIGSYS",
	    [SIGSTKFLT] = "SIGSTKFLT",
	};

	(void)g;
	return i < ARRAY_SIZE(names) ? names[i] : NULL;
}

/* The C library's words; those that it does not have it makes of the number. */
static const char *error_text(struct gen *g, unsigned i)
{
	const char *text = strerror(i);

	(void)g;
	return strncmp(text, "Unknown", 7) ? text : NULL;
}

/* The kernel's own names, without what is in front of all of them. */
static const char *drop_name(struct gen *g, unsigned i)
{
	static const char prefix[] = "SKB_DROP_REASON_";
	const struct type *t = type_find(g->cg->types, NULL, "enum skb_drop_reason");

	if (t)
		type_complete(g->cg->types, t);
	for (int k = 0; t && k < t->nenums; k++) {
		const char *name = t->enums[k].name;

		if (t->enums[k].value != i)
			continue;
		return !strncmp(name, prefix, sizeof(prefix) - 1) ? name + sizeof(prefix) - 1
		       : !strncmp(name, "SKB_", 4)		  ? name + 4
								  : name;
	}
	return NULL;
}

static const struct names drops = {256, drop_name, ""};
static const struct names signals = {65, signal_name, "signal "},
			  errors = {134, error_text, "error "};

static const char *table_of(struct gen *g, const struct names *names)
{
	char *table = arena_alloc(g->arena, names->n * ROW);

	for (unsigned i = 0; i < names->n; i++) {
		const char *name = names->name(g, i);

		if (name)
			snprintf(table + i * ROW, ROW, "%s", name);
		else
			snprintf(table + i * ROW, ROW, "%s%u", names->prefix, i);
	}
	return table;
}

static void name_of(struct gen *g, struct node *n, const struct names *names,
		    const struct str_dest *d)
{
	int at = gen_copy(g, gen_expr(g, n->list)), none = ir_label(g->ir), done = ir_label(g->ir);
	struct str s = {.bound = ROW, .slot_off = -1};

	ir_zext(g->ir, at, 32);
	ir_jcci(g->ir, BPF_JGE, at, names->n, none);
	s.ptr = gen_literal(g, table_of(g, names), names->n * ROW);
	ir_alui(g->ir, BPF_MUL, at, ROW);
	ir_alu(g->ir, BPF_ADD, s.ptr, at);
	gen_str_copy(g, &s, d);
	ir_jmp(g->ir, done);
	ir_place(g->ir, none);
	gen_str_null(g, d);
	ir_place(g->ir, done);
}

static void gen_strerror(struct gen *g, struct node *n, const struct str_dest *d)
{
	name_of(g, n, &errors, d);
}

static void gen_signame(struct gen *g, struct node *n, const struct str_dest *d)
{
	name_of(g, n, &signals, d);
}

static void gen_drop_reason(struct gen *g, struct node *n, const struct str_dest *d)
{
	name_of(g, n, &drops, d);
}

static uint32_t bound_name(struct sema *s, struct node *n)
{
	(void)s;
	(void)n;
	return ROW;
}

/* Text to text ------------------------------------------------------------ */

static uint32_t bound_arg(struct sema *s, struct node *n)
{
	return sema_bound(s, n->list);
}

/* "." of nothing. */
static uint32_t bound_path(struct sema *s, struct node *n)
{
	uint32_t bound = sema_bound(s, n->list);

	return MAX(bound, 2);
}

static void gen_substr(struct gen *g, struct node *n, const struct str_dest *d)
{
	int text = slot_arg(g, n, 0), index = gen_expr(g, call_arg(n, 1)),
	    len = int_arg(g, n, 2, INT32_MAX);
	struct str_dest t = str_result_at(g, d);

	gen_routine(g, "rt_substr", 5,
		    (int[]){gen_slot_no(g), gen_imm(g, t.slot_off), gen_imm(g, text), index, len});
	str_deliver(g, &t, d);
}

static uint32_t bound_substr(struct sema *s, struct node *n)
{
	struct node *len = call_arg(n, 2);
	uint32_t bound = sema_bound(s, n->list);

	return len && len->kind == N_INT && (int64_t)len->value >= 0 ? MIN(bound, len->value + 1)
								     : bound;
}

static void change_case(struct gen *g, struct node *n, bool upper, const struct str_dest *d)
{
	int text = slot_arg(g, n, 0);
	struct str_dest t = str_result_at(g, d);

	gen_routine(
	    g, "rt_case", 4,
	    (int[]){gen_slot_no(g), gen_imm(g, t.slot_off), gen_imm(g, text), gen_imm(g, upper)});
	str_deliver(g, &t, d);
}

static void gen_toupper(struct gen *g, struct node *n, const struct str_dest *d)
{
	change_case(g, n, true, d);
}

static void gen_tolower(struct gen *g, struct node *n, const struct str_dest *d)
{
	change_case(g, n, false, d);
}

static void part_of_path(struct gen *g, struct node *n, const char *routine,
			 const struct str_dest *d)
{
	int text = slot_arg(g, n, 0);
	struct str_dest t = str_result_at(g, d);

	gen_routine(g, routine, 3,
		    (int[]){gen_slot_no(g), gen_imm(g, t.slot_off), gen_imm(g, text)});
	str_deliver(g, &t, d);
}

static void gen_basename(struct gen *g, struct node *n, const struct str_dest *d)
{
	part_of_path(g, n, "rt_basename", d);
}

static void gen_dirname(struct gen *g, struct node *n, const struct str_dest *d)
{
	part_of_path(g, n, "rt_dirname", d);
}

static void gen_cleanpath(struct gen *g, struct node *n, const struct str_dest *d)
{
	part_of_path(g, n, "rt_cleanpath", d);
}

/* Walked at each character, the routine for one would be too much for the verifier. (Kernels
 * before 5.6.) */
static void check_json(struct sema *s, struct node *n)
{
	if (feat(s->feats, FEAT_BPF) && !feat(s->feats, FEAT_GLOBAL_FUNC))
		sema_die(s, D_UNSUPPORTED, n,
			 "%s( ) needs a kernel with global functions (Linux 5.6)", n->name);
}

/* NULL when the text has no such element. */
static void gen_json(struct gen *g, struct node *n, const struct str_dest *d)
{
	int text = slot_arg(g, n, 0), path = slot_arg(g, n, 1), none = ir_label(g->ir),
	    done = ir_label(g->ir), r;
	struct str_dest t = str_result_at(g, d);

	r = gen_routine(
	    g, "rt_json", 4,
	    (int[]){gen_slot_no(g), gen_imm(g, t.slot_off), gen_imm(g, text), gen_imm(g, path)});
	ir_jcci(g->ir, BPF_JSLT, r, 0, none);
	str_deliver(g, &t, d);
	ir_jmp(g->ir, done);
	ir_place(g->ir, none);
	gen_str_null(g, d);
	ir_place(g->ir, done);
}

/* Numbers as text --------------------------------------------------------- */

/* A base that is none is an illegal operation. */
static int base_arg(struct gen *g, struct node *n)
{
	int base = int_arg(g, n, 1, 10), ok = ir_label(g->ir);

	if (!call_arg(n, 1))
		return base;
	ir_jcci(g->ir, BPF_JEQ, base, 10, ok);
	gen_fault_if(g, BPF_JLT, base, 2, FAULT_ILLOP, base, 0);
	gen_fault_if(g, BPF_JGT, base, 36, FAULT_ILLOP, base, 0);
	ir_place(g->ir, ok);
	return base;
}

static int gen_strtoll(struct gen *g, struct node *n)
{
	int text = slot_arg(g, n, 0), base = base_arg(g, n);

	return gen_routine(g, "rt_strtoll", 3, (int[]){gen_slot_no(g), gen_imm(g, text), base});
}

static void gen_lltostr(struct gen *g, struct node *n, const struct str_dest *d)
{
	int value = gen_expr(g, call_arg(n, 0)), base = base_arg(g, n);
	struct str_dest t = str_result_at(g, d);

	gen_routine(g, "rt_lltostr", 4,
		    (int[]){gen_slot_no(g), gen_imm(g, t.slot_off), value, base});
	str_deliver(g, &t, d);
}

/* A sign and 19 digits; 64 binary ones; of the bases from 8 on, the octal ones are the longest: 0
 * and 22. */
static uint32_t bound_lltostr(struct sema *s, struct node *n)
{
	struct node *base = call_arg(n, 1);

	(void)s;
	if (!base || (base->kind == N_INT && base->value == 10))
		return 21;
	return base->kind == N_INT && base->value >= 8 ? 24 : 65;
}

const struct def defs_str[] = {
    {.name = "strlen",
     .kind = DEF_SUB,
     .proto = "size_t(const char *)",
     .gen = gen_strlen,
     .help = "bytes of a string"},
    {.name = "strjoin",
     .kind = DEF_SUB,
     .proto = "string(const char *, const char *)",
     .gen_str = gen_strjoin,
     .bound = bound_strjoin,
     .help = "the concatenation of two strings"},
    {.name = "index",
     .kind = DEF_SUB,
     .proto = "int(const char *, const char *, [int])",
     .gen = gen_index,
     .help = "where the second string is first found in the first, from a start on; or -1"},
    {.name = "rindex",
     .kind = DEF_SUB,
     .proto = "int(const char *, const char *, [int])",
     .gen = gen_rindex,
     .help = "where the second string is last found in the first, up to a start; or -1"},
    {.name = "strchr",
     .kind = DEF_SUB,
     .proto = "string(const char *, char)",
     .gen_str = gen_strchr,
     .bound = bound_arg,
     .help = "the string from a character's first place on, or NULL"},
    {.name = "strrchr",
     .kind = DEF_SUB,
     .proto = "string(const char *, char)",
     .gen_str = gen_strrchr,
     .bound = bound_arg,
     .help = "the string from a character's last place on, or NULL"},
    {.name = "strstr",
     .kind = DEF_SUB,
     .proto = "string(const char *, const char *)",
     .gen_str = gen_strstr,
     .bound = bound_arg,
     .help = "the first string from the second's first place in it on, or NULL"},
    {.name = "strcontains",
     .kind = DEF_SUB,
     .proto = "int(const char *, const char *)",
     .flags = DEF_YIELDS,
     .gen = gen_strcontains,
     .help = "1 when the second string is somewhere in the first"},
    {.name = "strncmp",
     .kind = DEF_SUB,
     .proto = "int(const char *, const char *, size_t)",
     .flags = DEF_YIELDS,
     .gen = gen_strncmp,
     .help = "-1, 0 or 1, by comparing at most length bytes of the strings"},
    {.name = "strerror",
     .kind = DEF_SUB,
     .proto = "string(int)",
     .flags = DEF_YIELDS,
     .gen_str = gen_strerror,
     .bound = bound_name,
     .help = "the text of an error (errno), or NULL if there is none"},
    {.name = "dt_drop_reason",
     .kind = DEF_SUB,
     .proto = "string(int)",
     .gen_str = gen_drop_reason,
     .bound = bound_name,
     .help = "for the D library: why a packet was dropped, by the name that the kernel has for the "
	     "number"},
    {.name = "signame",
     .kind = DEF_SUB,
     .proto = "string(int)",
     .flags = DEF_YIELDS,
     .gen_str = gen_signame,
     .bound = bound_name,
     .help = "the name of a signal, or NULL if there is none"},
    {.name = "strtok",
     .kind = DEF_SUB,
     .proto = "string(const char *, const char *)",
     .flags = DEF_KEEPS,
     .gen_str = gen_strtok,
     .help = "the next part of a string between any of these delimiters; NULL goes on with the "
	     "last string"},
    {.name = "substr",
     .kind = DEF_SUB,
     .proto = "string(const char *, int, [int])",
     .gen_str = gen_substr,
     .bound = bound_substr,
     .help = "part of a string from an index on, of some length; negative ones count from the end"},
    {.name = "basename",
     .kind = DEF_SUB,
     .proto = "string(const char *)",
     .gen_str = gen_basename,
     .bound = bound_path,
     .help = "the last part of a path"},
    {.name = "dirname",
     .kind = DEF_SUB,
     .proto = "string(const char *)",
     .gen_str = gen_dirname,
     .bound = bound_path,
     .help = "a path without its last part"},
    {.name = "cleanpath",
     .kind = DEF_SUB,
     .proto = "string(const char *)",
     .gen_str = gen_cleanpath,
     .bound = bound_path,
     .help = "a path without //, /./ and /../, by its text only"},
    {.name = "json",
     .kind = DEF_SUB,
     .proto = "string(const char *, const char *)",
     .check = check_json,
     .gen_str = gen_json,
     .bound = bound_arg,
     .help = "the element a.b[2].c of a text of JSON, or NULL"},
    {.name = "toupper",
     .kind = DEF_SUB,
     .proto = "string(const char *)",
     .gen_str = gen_toupper,
     .bound = bound_arg,
     .help = "the string in upper case"},
    {.name = "tolower",
     .kind = DEF_SUB,
     .proto = "string(const char *)",
     .gen_str = gen_tolower,
     .bound = bound_arg,
     .help = "the string in lower case"},
    {.name = "lltostr",
     .kind = DEF_SUB,
     .proto = "string(int64_t, [int])",
     .gen_str = gen_lltostr,
     .bound = bound_lltostr,
     .help = "a number as text, in a base from 2 to 36 (10)"},
    {.name = "strtoll",
     .kind = DEF_SUB,
     .proto = "int64_t(const char *, [int])",
     .gen = gen_strtoll,
     .help = "the number that a text begins with, in a base from 2 to 36 (10)"},
    {0},
};
