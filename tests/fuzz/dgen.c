/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statements, clauses, programs. */
#include "tests/fuzz/dgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned dgen_pick(struct dgen *g, unsigned n)
{
	uint64_t z = g->rng += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return n ? (uint32_t)(z ^ z >> 31) % n : 0;
}

bool dgen_chance(struct dgen *g, unsigned percent)
{
	return dgen_pick(g, 100) < percent;
}

void dgen_put(struct dgen *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	sb_vprintf(&g->d, fmt, ap);
	va_end(ap);
}

void dgen_wrap(struct dgen *g, size_t at, const char *before, const char *after)
{
	size_t n = strlen(before), len = g->d.len;

	sb_puts(&g->d, before); /* grows the buffer */
	memmove(g->d.s + at + n, g->d.s + at, len - at);
	memcpy(g->d.s + at, before, n);
	sb_puts(&g->d, after);
}

static void statement_begins(struct dgen *g)
{
	g->stmt++;
	g->budget = g->big ? 60 : 25;
}

/* What live code prints. */
static struct strbuf *out(struct dgen *g, struct strbuf *nowhere)
{
	return dgen_live(g) ? &g->out : nowhere;
}

/* printf ------------------------------------------------------------------ */

static void print_int(struct strbuf *sb, const char *flags, char letter, int type, int64_t v)
{
	char fmt[24];
	int bits = dgen_size(type) * 8;

	if (letter == 'd' && !dgen_signed(type))
		letter = 'u';
	if (letter != 'd' && bits < 64)
		v &= (1LL << bits) - 1;
	snprintf(fmt, sizeof(fmt), "%%%sll%c", flags, letter);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	sb_printf(sb, fmt, (long long)v);
#pragma GCC diagnostic pop
}

/* The format is not known before the arguments: it is put in front of them. */
static void stmt_printf(struct dgen *g)
{
	static const char *const flags[] = {"", "", "", "5", "-9", "08", "#", "+", "."};
	struct strbuf fmt = {0}, line = {0}, nowhere = {0};
	size_t at = g->d.len;
	int n = 1 + dgen_pick(g, dgen_chance(g, 15) ? 30 : 6);

	for (int i = 0; i < n; i++) {
		sb_puts(&fmt, i ? " " : "");
		sb_puts(&line, i ? " " : "");
		dgen_put(g, ", ");
		if (dgen_chance(g, 30)) {
			sb_puts(&fmt, "[%s]");
			sb_printf(&line, "[%s]", dgen_str(g, g->depth, false));
		} else {
			struct num v = dgen_operand(g, g->depth, 2);
			const char *flag = flags[dgen_pick(g, 9)];
			char letter = "ddduxXo"[dgen_pick(g, 7)];

			if (*flag == '.')
				flag = ".4";
			if (*flag == '+' && letter != 'd')
				flag = "";
			sb_printf(&fmt, "%%%s%c", flag, letter);
			print_int(&line, flag, letter, v.type, v.v);
		}
	}
	dgen_wrap(g, at, arena_printf(g->mem, "printf(\"%s\\n\"", fmt.s), ");\n");
	sb_printf(out(g, &nowhere), "%s\n", line.s);
	sb_free(&fmt);
	sb_free(&line);
	sb_free(&nowhere);
}

static void stmt_trace(struct dgen *g)
{
	struct strbuf nowhere = {0};

	dgen_put(g, "trace(");
	if (dgen_chance(g, 30)) {
		sb_puts(out(g, &nowhere), dgen_str(g, g->depth, false));
	} else {
		struct num v = dgen_operand(g, g->depth, 2);

		print_int(out(g, &nowhere), "", 'd', v.type, v.v);
	}
	dgen_put(g, ");\n");
	sb_free(&nowhere);
}

/* Other statements -------------------------------------------------------- */

static void stmt_number(struct dgen *g)
{
	dgen_assign(g, g->depth, true);
	dgen_put(g, ";\n");
}

static void stmt_string(struct dgen *g)
{
	struct table *t = dgen_chance(g, 30) ? dgen_array(g, true, true) : NULL;
	struct var *v = t ? NULL : dgen_var_write(g, true, false);
	struct key k = {0};
	const char *s;

	if (!t && !v)
		return;
	dgen_put(g, "%s", t ? t->name : v->name);
	if (t)
		k = dgen_key(g, t, g->depth);
	dgen_put(g, " = ");
	s = dgen_str(g, g->depth, true);
	dgen_put(g, ";\n");
	if (!dgen_live(g))
		return;
	if (t) {
		dgen_elem(g, t, &k, true)->val.text = s;
	} else {
		v->val.text = s;
		v->set = true;
	}
}

/* The first assignment makes the variable. */
static void stmt_implicit(struct dgen *g)
{
	static const char *const scopes[] = {"w", "self->w", "this->w"};
	const char *name = dgen_name(g, scopes[dgen_pick(g, 3)]);
	struct val val = {0, NULL};
	struct var *v;
	int type = STR;

	dgen_put(g, "%s = ", name);
	if (dgen_chance(g, 30)) {
		val.text = dgen_str(g, g->depth, false);
	} else {
		size_t at = g->d.len;
		struct num n = dgen_operand(g, g->depth, 2);

		/* of a narrower type it would have 64 bits all the same */
		type = dgen_signed(n.type) ? I64 : U64;
		if (n.type < I64)
			dgen_wrap(g, at, type == I64 ? "(long)(" : "(unsigned long)(", ")");
		val.num = n.v;
	}
	dgen_put(g, ";\n");
	v = dgen_var_new(g, name, type);
	v->set = !v->global || dgen_live(g);
	v->val = dgen_live(g) ? val : (struct val){0, NULL};
}

enum { COUNT, SUM, MIN, MAX, AVG, STDDEV, QUANTIZE, LQUANTIZE, LLQUANTIZE, NFUNCS };

static struct table *some_agg(struct dgen *g)
{
	struct table *t;

	if (g->aggs.n > (g->big ? 20 : 3) || (g->aggs.n && dgen_chance(g, 60)))
		return g->aggs.v[dgen_pick(g, g->aggs.n)];
	t = dgen_table_new(g, dgen_name(g, "@g"), I64, dgen_pick(g, MAX_COLS + 1));
	t->func = dgen_pick(g, NFUNCS);
	vec_push(&g->aggs, t);
	return t;
}

static void update(struct elem *e, int64_t v)
{
	e->sum = (uint64_t)e->sum + (uint64_t)v;
	e->min = !e->count || v < e->min ? v : e->min;
	e->max = !e->count || v > e->max ? v : e->max;
	e->count++;
}

static void stmt_agg(struct dgen *g)
{
	static const char *const funcs[] = {"count()",	 "sum(",       "min(",
					    "max(",	 "avg(",       "stddev(",
					    "quantize(", "lquantize(", "llquantize("};
	static const char *const ends[] = {
	    "", ")", ")", ")", ")", ")", ")", ", -10, 100, 5)", ", 10, 0, 6, 20)"};
	struct table *t = some_agg(g);
	struct key k = {0};
	int64_t v = 0;

	dgen_put(g, "%s", t->name);
	if (t->ncols)
		k = dgen_key(g, t, g->depth);
	dgen_put(g, " = %s", funcs[t->func]);
	if (t->func != COUNT) {
		dgen_put(g, "(int)");
		v = dgen_fit(I32, dgen_operand(g, g->depth, 15).v);
	}
	dgen_put(g, "%s;\n", ends[t->func]);
	if (dgen_live(g))
		update(dgen_elem(g, t, &k, true), v);
}

/* Ends the clause: nothing of it is printed, what it stored before stays. */
static void stmt_fault(struct dgen *g)
{
	struct var *v = dgen_var_read(g, dgen_chance(g, 40));

	if (dgen_chance(g, 30))
		dgen_put(g, "trace(*(int *)%u);\n", 8 + dgen_pick(g, 100));
	else if (v && v->type == STR && !v->val.text && !dgen_unset(v))
		dgen_put(g, "trace(strlen(%s));\n", v->name);
	else if (v && v->type != STR && !v->val.num)
		dgen_put(g, "trace(7 %c %s);\n", "/%"[dgen_pick(g, 2)], v -> name);
	else
		return;
	if (dgen_live(g)) {
		g->faulted = true;
		g->dead++;
	}
}

static void statements(struct dgen *g, int n, int nesting);

static void stmt_if(struct dgen *g, int nesting)
{
	bool yes;

	dgen_put(g, "if (");
	yes = dgen_num(g, g->depth).v != 0;
	dgen_put(g, ") {\n");
	g->dead += !yes;
	statements(g, 1 + dgen_pick(g, 3), nesting + 1);
	g->dead -= !yes;
	dgen_put(g, "}");
	if (dgen_chance(g, 50)) {
		g->dead += yes;
		dgen_put(g, " else ");
		if (dgen_chance(g, 30)) {
			g->stmt++;
			stmt_if(g, nesting + 1);
		} else {
			dgen_put(g, "{\n");
			statements(g, 1 + dgen_pick(g, 2), nesting + 1);
			dgen_put(g, "}");
		}
		g->dead -= yes;
	}
	dgen_put(g, "\n");
}

static void statement(struct dgen *g, int nesting)
{
	unsigned which = dgen_pick(g, 100);

	statement_begins(g);
	if (which < 30)
		stmt_number(g);
	else if (which < 45)
		stmt_string(g);
	else if (which < 60)
		stmt_printf(g);
	else if (which < 65)
		stmt_trace(g);
	else if (which < 80)
		stmt_agg(g);
	else if (which < 90 && nesting < 3)
		stmt_if(g, nesting);
	else if (which < 92 && !nesting)
		stmt_fault(g);
	else if (which < 96 && !nesting)
		stmt_implicit(g);
	else
		stmt_number(g);
}

static void statements(struct dgen *g, int n, int nesting)
{
	for (int i = 0; i < n; i++)
		statement(g, nesting);
}

/* Clauses ----------------------------------------------------------------- */

static void firing_begins(struct dgen *g, const char *prov, const char *mod, const char *func,
			  const char *name)
{
	const char *names[] = {prov, mod, func, name};

	memcpy(g->probe, names, sizeof(names));
	g->tok = NULL;
	for (int i = 0; i < g->vars.n; i++)
		if (g->vars.v[i]->clause_local)
			g->vars.v[i]->set = false;
}

/* before: a condition of the probe's, which holds, or NULL; never: the clause is not to run. */
static void clause(struct dgen *g, const char *desc, const char *before, bool never, int nstmts)
{
	int dead = g->dead;

	statement_begins(g);
	dgen_put(g, "%s\n", desc);
	g->dead += never;
	if (never || dgen_chance(g, 30)) {
		dgen_put(g, "/%s (", before ? before : never ? "never && " : "");
		g->dead += dgen_num(g, g->depth).v == 0;
		dgen_put(g, ")/\n");
	} else if (before) {
		dgen_put(g, "/%s 1/\n", before);
	}
	dgen_put(g, "{\n");
	g->faulted = false;
	statements(g, nstmts, 0);
	dgen_put(g, "}\n");
	if (!g->faulted)
		sb_add(&g->want, sb_str(&g->out), g->out.len);
	g->out.len = 0;
	g->dead = dead;
}

/* 60 kB are more than any script has; the verifier's million instructions are enough for that. */
static void clauses(struct dgen *g, const char *desc, const char *before, bool never, int n,
		    int nstmts)
{
	for (int i = 0; i < n && g->d.len < 60000; i++)
		clause(g, desc, before, never, 1 + dgen_pick(g, nstmts));
}

static void print_aggs(struct dgen *g)
{
	for (int i = 0; i < g->aggs.n; i++) {
		struct table *t = g->aggs.v[i];

		if (t->elems.n && t->func > AVG)
			dgen_put(g, "trunc(%s);\n", t->name);
		if (!t->elems.n || t->func > AVG)
			continue;
		dgen_put(g, "printa(\"%s", t->name);
		for (int c = 0; c < t->ncols; c++)
			dgen_put(g, t->cols[c] == STR ? "|%%s" : "|%%d");
		dgen_put(g, "|%%@d\\n\", %s);\n", t->name);
		for (int j = 0; j < t->elems.n; j++) {
			struct elem *e = &t->elems.v[j];
			int64_t v[] = {e->count, e->sum, e->min, e->max, e->sum / e->count};

			sb_puts(&g->want, t->name);
			for (int c = 0; c < t->ncols; c++) {
				sb_puts(&g->want, "|");
				if (t->cols[c] == STR)
					sb_puts(&g->want, e->key.v[c].text);
				else
					print_int(&g->want, "", 'd', t->cols[c], e->key.v[c].num);
			}
			sb_printf(&g->want, "|%lld\n", (long long)v[t->func]);
		}
	}
}

/* END prints all there is. */
static void ending(struct dgen *g)
{
	dgen_put(g, "END\n{\n");
	for (int i = 0; i < g->vars.n; i++) {
		struct var *v = g->vars.v[i];

		if (v->clause_local || v->type == STR)
			continue;
		dgen_put(g, "printf(\"%s %%d\\n\", (long long)%s);\n", v->name, v->name);
		sb_printf(&g->want, "%s %lld\n", v->name, (long long)v->val.num);
	}
	dgen_put(g, "printf(\"=aggs\\n\");\n");
	sb_puts(&g->want, "=aggs\n");
	print_aggs(g);
	dgen_put(g, "}\n");
}

static void options(struct dgen *g)
{
	static const int sizes[] = {16, 32, 64, 256, 256, 256, 512, 2000};

	g->strsize = sizes[dgen_pick(g, 8)];
	dgen_put(g, "#pragma D option quiet\n");
	if (g->strsize != 256)
		dgen_put(g, "#pragma D option strsize=%u\n", g->strsize);
	if (g->strsize > 256 || g->big)
		dgen_put(g, "#pragma D option dynvarsize=32m\n#pragma D option aggsize=16m\n");
}

static void program(struct dgen *g)
{
	static const char *const others[] = {"profile:::tick-100s",  "sdt:::sched_switch",
					     "profile:::profile-1",  "syscall::read:entry",
					     "rawtp:::sched_wakeup", "syscall::write:return"};
	static const char own[] = "pid == $1 && ";
	int n = g->big ? 5 + dgen_pick(g, 45) : 1 + dgen_pick(g, 4), nstmts = g->big ? 12 : 6,
	    rest = n;
	bool syscalls = dgen_chance(g, 50);

	options(g);
	dgen_put(g, "int never;\ninline int own = $1;\n");
	dgen_declare(g);
	firing_begins(g, "dtrace", "", "", "BEGIN");
	rest -= syscalls ? (n + 1) / 2 : 0;
	clauses(g, "BEGIN", NULL, false, rest ? rest : 1, nstmts);
	if (syscalls) {
		firing_begins(g, "syscall", "vmlinux", "getppid", "entry");
		clauses(g, "syscall::getppid:entry", own, false, 1 + n / 4, nstmts);
		firing_begins(g, "syscall", "vmlinux", "getppid", "return");
		clauses(g, "syscall::getppid:return", own, false, 1 + n / 4, nstmts);
	}
	if (dgen_chance(g, 30))
		clauses(g, others[dgen_pick(g, 6)], NULL, true, 1 + dgen_pick(g, 3), nstmts);
	dgen_put(g, syscalls ? "syscall::getppid:return\n/pid == $1/\n{ exit(0); }\n"
			     : "BEGIN { exit(0); }\n");
	firing_begins(g, "dtrace", "", "", "END");
	ending(g);
}

void dgen(uint64_t seed, char **text, char **want)
{
	struct dgen g = {.mem = arena_new(), .rng = seed * 1000003};

	g.big = dgen_chance(&g, 20);
	g.depth = 2 + dgen_pick(&g, g.big ? 5 : 4);
	program(&g);
	*text = xstrdup(sb_str(&g.d));
	*want = xstrdup(sb_str(&g.want));
	for (int i = 0; i < g.arrays.n; i++)
		vec_free(&g.arrays.v[i]->elems);
	for (int i = 0; i < g.aggs.n; i++)
		vec_free(&g.aggs.v[i]->elems);
	vec_free(&g.arrays);
	vec_free(&g.aggs);
	vec_free(&g.vars);
	sb_free(&g.d);
	sb_free(&g.out);
	sb_free(&g.want);
	arena_free(g.mem);
}
