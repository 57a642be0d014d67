/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings: each has less than strsize bytes, or is NULL. */
#include <ctype.h>
#include <string.h>

#include "tests/fuzz/dgen.h"

static const char *cut(struct dgen *g, const char *s)
{
	return arena_strndup(g->mem, s, strnlen(s, g->strsize - 1));
}

static const char *literal(struct dgen *g)
{
	static const char letters[] = "abcdefgABCxyz0123456789 /./,;:-_aab";
	static const char *const some[] = {"",	 "a",  "/",	"/usr/lib",	"a/b/", "//",
					   "12", "-7", "a,b;c", "Hello, World", ".."};
	char buf[80];
	unsigned n = dgen_pick(g, dgen_chance(g, 80) ? 12 : sizeof(buf));
	const char *s;

	for (unsigned i = 0; i < n; i++)
		buf[i] = letters[dgen_pick(g, sizeof(letters) - 1)];
	s = cut(g, dgen_chance(g, 40) ? some[dgen_pick(g, sizeof(some) / sizeof(*some))]
				      : arena_strndup(g->mem, buf, n));
	dgen_put(g, "\"%s\"", s);
	return s;
}

static const char *join(struct dgen *g, int depth)
{
	const char *a, *b;

	dgen_put(g, "strjoin(");
	a = dgen_str(g, depth, false);
	dgen_put(g, ", ");
	b = dgen_str(g, depth, false);
	dgen_put(g, ")");
	return cut(g, arena_printf(g->mem, "%s%s", a, b));
}

/* What a negative index leaves before the beginning takes from the length; a negative length has
 * nothing to give there. */
static const char *substr_of(struct dgen *g, const char *s, int64_t index, int64_t n)
{
	int64_t len = strlen(s), end;

	if (index < 0) {
		index += len;
		if (index < 0) {
			n += index;
			if (n <= 0)
				return "";
			index = 0;
		}
	}
	if (index > len)
		return "";
	end = n < 0 ? len + n : n > len - index ? len : index + n;
	return end > index ? arena_strndup(g->mem, s + index, end - index) : "";
}

static const char *substring(struct dgen *g, int depth)
{
	int64_t index, n = INT32_MAX;
	const char *s;

	dgen_put(g, "substr(");
	s = dgen_str(g, depth, false);
	index = (int)dgen_pick(g, strlen(s) + 3) - (dgen_chance(g, 20) ? (int)strlen(s) + 1 : 0);
	dgen_put(g, ", ");
	dgen_exact(g, I32, index, depth);
	if (dgen_chance(g, 60)) {
		n = (int)dgen_pick(g, strlen(s) + 3) - (dgen_chance(g, 15) ? 4 : 0);
		dgen_put(g, ", ");
		dgen_exact(g, I32, n, depth);
	}
	dgen_put(g, ")");
	return substr_of(g, s, index, n);
}

static const char *change_case(struct dgen *g, int depth)
{
	bool up = dgen_chance(g, 50);
	const char *s;
	char *t;

	dgen_put(g, up ? "toupper(" : "tolower(");
	s = dgen_str(g, depth, false);
	dgen_put(g, ")");
	t = arena_strdup(g->mem, s);
	for (char *p = t; *p; p++)
		*p = up ? toupper(*p) : tolower(*p);
	return t;
}

static const char *base_of(struct dgen *g, const char *s)
{
	size_t end = strlen(s), begin;

	if (!end)
		return ".";
	while (end > 1 && s[end - 1] == '/')
		end--;
	for (begin = end; begin > 0 && s[begin - 1] != '/'; begin--)
		;
	return begin == end ? "/" : arena_strndup(g->mem, s + begin, end - begin);
}

static const char *dir_of(struct dgen *g, const char *s)
{
	size_t end = strlen(s);

	while (end > 1 && s[end - 1] == '/')
		end--;
	while (end > 0 && s[end - 1] != '/')
		end--;
	if (!end)
		return ".";
	while (end > 1 && s[end - 1] == '/')
		end--;
	return arena_strndup(g->mem, s, end);
}

static const char *path(struct dgen *g, int depth)
{
	bool base = dgen_chance(g, 50);
	const char *s;

	dgen_put(g, base ? "basename(" : "dirname(");
	s = dgen_str(g, depth, false);
	dgen_put(g, ")");
	return base ? base_of(g, s) : dir_of(g, s);
}

static const char *number(struct dgen *g, int depth)
{
	static const char *const formats[] = {"%lld", "0x%llx", "0%llo"};
	static const int bases[] = {10, 16, 8};
	int which = dgen_pick(g, 3);
	struct num n;

	dgen_put(g, "lltostr(");
	n = dgen_operand(g, depth, 2);
	if (which || dgen_chance(g, 30)) {
		dgen_put(g, ", ");
		dgen_exact(g, I32, bases[which], depth > 1);
	}
	dgen_put(g, ")");
	if (which == 2 && !n.v)
		return "0";
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	return cut(g, arena_printf(g->mem, formats[which], (long long)n.v));
#pragma GCC diagnostic pop
}

static const char *choice(struct dgen *g, int depth, bool null_too)
{
	struct num c;
	const char *a, *b;
	bool yes;

	dgen_put(g, "(");
	c = dgen_operand(g, depth, 4);
	yes = c.v != 0;
	dgen_put(g, " ? ");
	g->dead += !yes;
	a = dgen_str(g, depth, null_too || !yes);
	g->dead += yes - !yes;
	dgen_put(g, " : ");
	b = dgen_str(g, depth, null_too || yes);
	g->dead -= yes;
	dgen_put(g, ")");
	return yes ? a : b;
}

static const char *find(struct dgen *g, int depth)
{
	bool last = dgen_chance(g, 50);
	const char *s, *r, *what;

	if (dgen_chance(g, 40)) {
		dgen_put(g, "strstr(");
		s = dgen_str(g, depth, false);
		dgen_put(g, ", ");
		what = dgen_str(g, depth, false);
		r = strstr(s, what);
	} else {
		char c;

		dgen_put(g, last ? "strrchr(" : "strchr(");
		s = dgen_str(g, depth, false);
		c = *s && dgen_chance(g, 70) ? s[dgen_pick(g, strlen(s))] : 'a';
		dgen_put(g, ", ");
		if (dgen_chance(g, 70) || c == '\'' || c == '\\')
			dgen_exact(g, I8, c, depth);
		else
			dgen_put(g, "'%c'", c);
		r = last ? strrchr(s, c) : strchr(s, c);
	}
	dgen_put(g, ")");
	return r;
}

/* Once in a statement: which of two comes first is not defined everywhere, as in a[k] += v. */
static const char *token(struct dgen *g, int depth)
{
	const char *s = NULL, *delims;
	size_t begin, n;
	const char *rest = g->tok;

	g->tok_stmt = g->stmt;
	dgen_put(g, "strtok(");
	/* without a text to go on with it faults */
	if (dgen_chance(g, 50) && (rest || !dgen_live(g)))
		dgen_put(g, "NULL");
	else
		s = literal(g);
	dgen_put(g, ", ");
	delims = literal(g);
	dgen_put(g, ")");
	(void)depth;
	if (s)
		rest = s;
	if (!rest)
		return NULL;
	begin = strspn(rest, delims);
	n = strcspn(rest + begin, delims);
	if (dgen_live(g))
		g->tok = rest[begin] ? rest + begin + n : NULL;
	return rest[begin] ? arena_strndup(g->mem, rest + begin, n) : NULL;
}

static const char *read_var(struct dgen *g, bool null_too)
{
	struct var *v = dgen_var_read(g, true);

	if (v && dgen_unset(v)) {
		g->nunset++;
		g->unset_begin = g->d.len;
		dgen_put(g, "%s", v->name);
		g->unset_end = g->d.len;
		return "";
	}
	if (!v || (!v->val.text && !null_too && dgen_live(g)))
		return literal(g);
	dgen_put(g, "%s", v->name);
	return v->val.text ? v->val.text : null_too ? NULL : "";
}

static const char *read_array(struct dgen *g, int depth)
{
	struct table *t = dgen_array(g, true, false);
	struct elem *e;
	struct key k;

	if (!t)
		return literal(g);
	dgen_put(g, "%s", t->name);
	k = dgen_key(g, t, depth);
	e = dgen_elem(g, t, &k, false);
	return e ? e->val.text : NULL;
}

static const char *assign(struct dgen *g, int depth, bool null_too)
{
	struct var *v = dgen_var_write(g, true, false);
	const char *s;

	if (!v)
		return literal(g);
	dgen_put(g, "(%s = ", v->name);
	s = dgen_str(g, depth, null_too);
	dgen_put(g, ")");
	if (dgen_live(g)) {
		v->val.text = s;
		v->set = true;
	}
	return s;
}

static const char *probe_name(struct dgen *g)
{
	static const char *const names[] = {"probeprov", "probemod", "probefunc", "probename"};
	int i = dgen_pick(g, 4);

	dgen_put(g, "%s", names[i]);
	return cut(g, g->probe[i]);
}

static const char *any(struct dgen *g, int depth, bool null_too)
{
	unsigned which = dgen_pick(g, 100);

	depth--;
	if (depth <= 0 || --g->budget <= 0)
		return which < 50 ? literal(g) : read_var(g, null_too);
	if (null_too && which < 30)
		return which < 10   ? (g->tok_stmt == g->stmt ? literal(g) : token(g, depth))
		       : which < 22 ? find(g, depth)
				    : read_array(g, depth);
	if (which < 45)
		return join(g, depth);
	if (which < 55)
		return substring(g, depth);
	if (which < 62)
		return change_case(g, depth);
	if (which < 69)
		return path(g, depth);
	if (which < 76)
		return number(g, depth);
	if (which < 82)
		return choice(g, depth, null_too);
	if (which < 86)
		return assign(g, depth, null_too);
	if (which < 89)
		return probe_name(g);
	return which < 93 ? literal(g) : read_var(g, null_too);
}

const char *dgen_str(struct dgen *g, int depth, bool null_too)
{
	const char *s = any(g, depth, null_too);

	return s || null_too ? s : "";
}

/* Numbers of strings ------------------------------------------------------ */

static int sign(const char *a, const char *b)
{
	int c = !a || !b ? (a != NULL) - (b != NULL) : strcmp(a, b);

	return c < 0 ? -1 : c > 0;
}

static struct num compare(struct dgen *g, int depth)
{
	static const char *const ops[] = {"==", "!=", "<", "<=", ">", ">="};
	int op = dgen_pick(g, 6), c, nunset = g->nunset;
	const char *a, *b = NULL;
	size_t begin;
	bool unset;

	dgen_put(g, "(");
	begin = g->d.len;
	a = dgen_str(g, depth, true);
	unset = g->nunset > nunset && g->unset_begin == begin && g->unset_end == g->d.len;
	dgen_put(g, " %s ", ops[op]);
	/* of one in an expression it depends on what was folded */
	if (dgen_chance(g, 15) && (unset || g->nunset == nunset)) {
		dgen_put(g, "NULL");
		a = unset ? NULL : a;
	} else {
		b = dgen_str(g, depth, true);
	}
	dgen_put(g, ")");
	c = sign(a, b);
	return (struct num){I32,
			    op == 0   ? c == 0
			    : op == 1 ? c != 0
			    : op == 2 ? c < 0
			    : op == 3 ? c <= 0
			    : op == 4 ? c > 0
				      : c >= 0,
			    17, true, false};
}

static struct num position(struct dgen *g, int depth)
{
	bool last = dgen_chance(g, 40);
	const char *a, *b, *at, *p = NULL;
	int start;

	dgen_put(g, last ? "rindex(" : "index(");
	a = dgen_str(g, depth, false);
	dgen_put(g, ", ");
	b = dgen_str(g, depth, false);
	start = last ? (int)strlen(a) : 0;
	if (dgen_chance(g, 40)) {
		start = dgen_pick(g, strlen(a) + 1);
		dgen_put(g, ", ");
		dgen_exact(g, I32, start, depth);
	}
	dgen_put(g, ")");
	if (!last)
		p = strstr(a + start, b);
	for (at = a; last && at <= a + start && (at = strstr(at, b)); at++) {
		if (at > a + start)
			break;
		p = at;
		if (!*at)
			break;
	}
	return (struct num){I32, p ? p - a : -1, 16, false, false};
}

struct num dgen_str_number(struct dgen *g, int depth)
{
	unsigned which = dgen_pick(g, 10);
	struct num n;

	if (which < 5)
		return compare(g, depth);
	if (which < 7)
		return position(g, depth);
	if (which < 9) {
		dgen_put(g, "strlen(");
		n = (struct num){U64, strlen(dgen_str(g, depth, false)), 16, false, false};
		dgen_put(g, ")");
		return n;
	}
	dgen_put(g, "strtoll(lltostr(");
	n = dgen_operand(g, depth, 2);
	dgen_put(g, "))");
	if (g->strsize < 24)
		dgen_put(g, " * 0");
	return (struct num){I64, g->strsize < 24 ? 0 : n.v, g->strsize < 24 ? 13 : 16, false,
			    false};
}
