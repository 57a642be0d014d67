/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole scripts, compiled and run in the interpreter: what they print. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/mem.h"
#include "tests/unit/vmdt.h"

static const struct {
	const char *script, *out;
} scripts[] = {
    /* signed and unsigned arithmetic */
    {"int a, b; BEGIN { a = -7; b = -2; printf(\"%d %d %d %d\\n\", a / b, a % b, a / 2, a % 2); }",
     "3 -1 -3 -1\n"},
    {"int a; BEGIN { printf(\"a\"); a = 1 / a; } BEGIN { a = 1 % a; } BEGIN { printf(\"c\\n\"); }",
     "c\nfault 4 in clause 1\nfault 4 in clause 2\n"},
    {"int a; uint32_t u; BEGIN { a = -8; u = a; printf(\"%d %u %d\\n\", a >> 1, u >> 1, a << 1); }",
     "-4 2147483644 -16\n"},
    {"int64_t a; BEGIN { a = -8; printf(\"%d %d\\n\", a >> 1, (a >> 60) == -1); }", "-4 1\n"},
    {"int a; uint64_t u; BEGIN { a = u = -1; printf(\"%d%d%d%d\\n\", a < 1, a <= 1, a > 1, a >= "
     "1); printf(\"%d%d%d%d\\n\", u < 2, u <= 2, u > 2, u >= 2); }",
     "1100\n0011\n"},
    {"uint64_t u; BEGIN { u = -1; printf(\"%d%d%d%d\\n\", !(u < 2), !(u <= 2), !(u > 2), !(u >= "
     "2)); }",
     "1100\n"},
    {"int a; BEGIN { a = 2; printf(\"%d%d%d%d%d%d\\n\", !(a < 2), !(a <= 2), !(a > 2), !(a >= 2), "
     "!(a == 2), !(a != 2)); }",
     "101001\n"},
    {"int a; BEGIN { a = 5; printf(\"%d %d %d %d %d\\n\", a++, ++a, a--, --a, a); }",
     "5 7 7 5 5\n"},
    {"short s; BEGIN { s = 32767; printf(\"%d %d\\n\", s += 1, s); printf(\"%d %d\\n\", s -= 1, "
     "s); }",
     "-32768 -32768\n32767 32767\n"},
    /* the variable is read before a right side that changes it */
    {"BEGIN { i = 4; i += i++ * 3; printf(\"%d \", i); i -= --i; printf(\"%d \", i); i = 4; "
     "i *= ++i; printf(\"%d\\n\", i); }",
     "16 1 20\n"},
    {"BEGIN { this->i = 4; this->i -= this->i++ * 3; printf(\"%d \", this->i); self->i = 4; "
     "self->i += self->i--; printf(\"%d\\n\", self->i); }",
     "-8 8\n"},
    {"short s; BEGIN { s = 32767; printf(\"%d %d\\n\", (s += 1) < 0, (s += -1) * 2); }",
     "1 65534\n"},
    {"uint8_t c; BEGIN { c = 200; printf(\"%d %d %d\\n\", (int8_t)c, (char)c + 1, "
     "(uint16_t)(int8_t)c); }",
     "-56 -55 65480\n"},
    {"int8_t c; uint8_t u; BEGIN { c = -1; u = c; printf(\"%d %u %d\\n\", u, (uint8_t)c, "
     "(int8_t)u); }",
     "255 255 -1\n"},
    {"int8_t c; short h; int i; BEGIN { c = h = i = -5; printf(\"%d %d %d\\n\", c, h, i); }",
     "-5 -5 -5\n"},
    /* conditions */
    {"int a, b; BEGIN { a = 1; printf(\"%d%d%d%d%d\\n\", a && b, a || b, !a, a ^^ b, (a && !b) || "
     "b); }",
     "01011\n"},
    {"int a; BEGIN { printf(\"%d %d\\n\", a ? (a = 7) : 3, a); a = 2; printf(\"%d\\n\", a == 2 ? a "
     "+ 1 : a - 1); }",
     "3 0\n3\n"},
    {"int a, n; BEGIN { if (a || (n = 1)) printf(\"or \"); if (a && (n = 5)) printf(\"and\"); "
     "printf(\"%d\\n\", n); }",
     "or 1\n"},
    {"BEGIN { trace(1); } BEGIN /0/ { trace(2); } BEGIN { if (execname == \"vmdt\") "
     "printf(\"yes\\n\"); else printf(\"no\\n\"); }",
     "1yes\n"},
    {"int x; BEGIN { x ? printf(\"one\\n\") : printf(\"other\\n\"); x = 1; x ? printf(\"one\\n\") "
     ": printf(\"other\\n\"); }",
     "other\none\n"},
    /* what one arm of ?: has computed is not there in the other one */
    {"int x, y, z; self int s; BEGIN { x ? (y = self->s + 1) : (z = self->s + 1); "
     "printf(\"%d %d\\n\", y, z); }",
     "0 1\n"},
    {"int x, y, z; BEGIN { x ? (y = pid) : (z = pid); printf(\"%d %d\\n\", y, z && z == pid); }",
     "0 1\n"},
    {"int x, y, z; BEGIN { x ? (y = strlen(execname)) : (z = strlen(execname)); "
     "printf(\"%d %d\\n\", y, z); }",
     "0 4\n"},
    /* memory */
    {"int x[4], i; BEGIN { x[3] = 9; i = 3; printf(\"%d\\n\", x[i]); i = 4; printf(\"%d\\n\", "
     "x[i]); } BEGIN { i = -1; x[i] = 1; }",
     "fault 11 in clause 1\nfault 11 in clause 2\n"},
    {"struct b { int a:3; unsigned b:5; int c:4; }; struct b v; BEGIN { v.a = -1; v.b = 31; v.c = "
     "-3; v.b = 9; printf(\"%d %d %d\\n\", v.a, v.b, v.c); }",
     "-1 9 -3\n"},
    {"struct p { char c; short s; int i; long l; }; struct p v, w; BEGIN { v.c = -1; v.s = -2; v.i "
     "= -3; v.l = -4; w = v; v.s = 7; printf(\"%d %d %d %d\\n\", w.c, w.s, w.i, w.l); }",
     "-1 -2 -3 -4\n"},
    {"int n; BEGIN { n = 42; this->p = &n; printf(\"%d %d\\n\", *this->p, *(int *)1 ); } BEGIN { "
     "printf(\"%d\\n\", *&n); }",
     "42\nfault 1 in clause 1\n"},
    /* strings */
    {"string s; BEGIN { s = \"\"; printf(\"%d %d [%s]\\n\", s == NULL, s == \"\", s); s = NULL; "
     "printf(\"%d %d\\n\", s == NULL, s == \"\"); }",
     "0 1 []\n1 0\n"},
    {"string s; BEGIN { s = substr(\"abc\", 3); printf(\"%d %d %d\\n\", s == NULL, s == \"\", "
     "strlen(s)); }",
     "0 1 0\n"},
    {"string s; BEGIN { s = \"m\"; printf(\"%d%d%d%d %d%d%d%d\\n\", \"a\" < s, \"a\" <= s, \"a\" > "
     "s, \"a\" >= s, s < \"z\", s <= \"m\", s > \"m\", s >= \"z\"); }",
     "1100 1100\n"},
    {"string s; BEGIN { s = \"a long text that has some words\"; printf(\"%d%d%d\\n\", s == \"a "
     "long text that has some words\", s == \"a long text that has some worms\", s != \"a long "
     "text that has some wordsx\"); }",
     "101\n"},
    {"BEGIN { printf(\"%s %s %s|%s|%s\\n\", substr(\"hello\", 1, 3), substr(\"hello\", -3), "
     "substr(\"hello\", 1, -1), strjoin(\"a\", \"b\"), basename(\"/usr/lib/\")); }",
     "ell llo ell|ab|lib\n"},
    {"string s; BEGIN { s = NULL; printf(\"%s\\n\", s); } BEGIN { printf(\"%d %s\\n\", "
     "strlen(\"four\"), strjoin(s == NULL ? \"null\" : s, \"!\")); }",
     "4 null!\nfault 1 in clause 1\n"},
    /* a global string without a value is "" where text is wanted, and equal to both "" and NULL */
    {"BEGIN { printf(\"[%s] %s %d\\n\", last, strjoin(last, \"x\"), strlen(last)); last = \"a\"; }",
     "[] x 0\n"},
    {"string s; BEGIN { printf(\"%d%d%d%d%d%d\\n\", s == \"\", s == NULL, s != \"\", s != NULL, "
     "NULL == s, s < \"a\"); if (s != \"\") printf(\"wrong\"); if (s == NULL) printf(\"none\\n\"); "
     "}",
     "110011\nnone\n"},
    /* a text ends with its first NUL */
    {"string s; BEGIN { s = \"\\0\\2\"; printf(\"%d%d \", s == \"\", s == NULL); s = "
     "\"a\\0b\"; printf(\"%s %d\\n\", s, s == \"a\"); }",
     "10 a 1\n"},
    {"string s; BEGIN { t = s; printf(\"%d%d \", t == \"\", t == NULL); s = \"\"; "
     "printf(\"%d%d \", s == \"\", s == NULL); s = NULL; printf(\"%d%d\\n\", s == \"\", s == "
     "NULL); }",
     "10 10 01\n"},
    {"string s; BEGIN { a[s] = 1; a[\"\"]++; @[s] = count(); @[\"\"] = count(); "
     "printf(\"%d\\n\", a[s]); } END { printa(\"[%s] %@d\\n\", @); }",
     "2\n[] 2\n"},
    /* variables and keys */
    {"int a[int]; BEGIN { a[1] = 5; a[1] = 0; a[2] = 3; printf(\"%d %d %d\\n\", a[1], a[2], a[3]); "
     "}",
     "0 3 0\n"},
    {"self int x; BEGIN { self->x++; self->x += 4; printf(\"%d\\n\", self->x); self->x = 0; "
     "printf(\"%d\\n\", self->x); }",
     "5\n0\n"},
    {"int8_t c; uint16_t h; BEGIN { c = 1; h = 2; a[c, \"k\", h] = 6; printf(\"%d %d\\n\", a[1, "
     "\"k\", 2], a[1, \"k\", 3]); @[c, h, c] = count(); } END { printa(\"%d %d %d %@d\\n\", @); }",
     "6 0\n1 2 1 1\n"},
    {"this int t; self string s; BEGIN { this->t = 4; self->s = \"own\"; } BEGIN { printf(\"%d "
     "%s\\n\", this->t, self->s); }",
     "4 own\n"},
    /* aggregations */
    {"BEGIN { @[\"a\", 1] = sum(5); @[\"b\", 2] = sum(-3); @[\"a\", 1] = sum(2); } END { "
     "printa(\"%s %d %@d\\n\", @); }",
     "b 2 -3\na 1 7\n"},
    {"BEGIN { printf(\"%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d"
     "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d\\n\", 1, 1, 1, 1, 1, 1, "
     "1, 1, "
     "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
     "1, 1, "
     "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2); }",
     "1111111111111111111111111111111111111111111111111111111111111111111112\n"},
    {"BEGIN { @m = max(3); @m = max(9); @n = min(-4); @c = count(); @a = avg(1); @a = avg(4); } "
     "END { printa(\"%@d \", @m); printa(\"%@d \", @n); printa(\"%@d \", @c); printa(\"%@d\\n\", "
     "@a); }",
     "9 -4 1 2\n"},
    {"BEGIN { @[1] = count(); @[2] = count(); @[2] = count(); @[3] = count(); } END { trunc(@, 1); "
     "printa(\"%d %@d\\n\", @); }",
     "2 2\n"},
    {"BEGIN { @[1] = sum(4); } END { @[1] = sum(6); clear(@); printa(\"%d %@d\\n\", @); }",
     "1 0\n"},
};

START_TEST(prints)
{
	struct vmdt v;

	vmdt_run(&v, scripts[_i].script, NULL);
	ck_assert_msg(!v.refused, "%s\n%s", scripts[_i].script, v.refused);
	ck_assert_msg(!strcmp(v.out, scripts[_i].out), "%s\nwant %s\ngot  %s", scripts[_i].script,
		      scripts[_i].out, v.out);
	vmdt_done(&v);
}
END_TEST

/* One statement, with the numbers 0 to 999 for "%d". */
static char *thousand(const char *before, const char *statement, const char *behind)
{
	struct strbuf sb = {0};

	sb_puts(&sb, before);
	for (int i = 0; i < 1000; i++)
		sb_printf(&sb, statement, i);
	sb_puts(&sb, behind);
	return sb.s;
}

static const struct {
	const char *before, *statement, *behind, *opts[3], *out;
} losses[] = {
    {"BEGIN {",
     "a[%d] = 1;",
     "printf(\"%d %d\\n\", a[0], a[999]); }",
     {"dynvarsize", "16k"},
     "1 0\n"},
    {"BEGIN {", "a[%d] = \"text\";", "}", {"dynvarsize", "64k"}, ""},
    {"BEGIN {", "@[%d] = count();", "} END { clear(@); trunc(@); }", {"aggsize", "16k"}, ""},
    {"", "BEGIN { printf(\"%%d\\n\", %d); }", "", {"bufsize", "4k"}, NULL},
};

/* What does not fit is counted, and each loss once. */
START_TEST(reports_losses)
{
	static const int kinds[] = {2, 2, 1, 0};
	char *text = thousand(losses[_i].before, losses[_i].statement, losses[_i].behind), *at;
	struct vmdt v;
	int n, kind;

	vmdt_run(&v, text, losses[_i].opts);
	ck_assert_msg(!v.refused, "%s", v.refused);
	at = strstr(v.out, " drops of kind ");
	ck_assert_ptr_nonnull(at);
	while (at > v.out && at[-1] != '\n')
		at--;
	ck_assert_int_eq(sscanf(at, "%d drops of kind %d", &n, &kind), 2);
	ck_assert_int_eq(kind, kinds[_i]);
	ck_assert_int_gt(n, 100);
	ck_assert_int_lt(n, 1000);
	if (losses[_i].out) {
		*at = '\0';
		ck_assert_str_eq(v.out, losses[_i].out);
	}
	vmdt_done(&v);
	free(text);
}
END_TEST

/* Clauses of one probe beyond what a program can have are refused by their number. */
START_TEST(refuses_too_much)
{
	char *text = thousand("", "BEGIN { @[execname, %d] = count(); }", ""), *all;
	struct strbuf sb = {0};
	struct vmdt v;

	for (int i = 0; i < 10; i++)
		sb_puts(&sb, text);
	all = sb.s;
	vmdt_run(&v, all, NULL);
	ck_assert_ptr_nonnull(v.refused);
	ck_assert_msg(strstr(v.refused,
			     "the 10000 clauses of dtrace:::BEGIN are too much for one "
			     "BPF program (more than 200000 virtual registers): ") != NULL,
		      "%s", v.refused);
	vmdt_done(&v);
	free(text);
	free(all);
}
END_TEST

Suite *vmdt_suite(void)
{
	Suite *s = suite_create("vmdt");
	TCase *tc = tcase_create("vmdt");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, prints, 0, ARRAY_SIZE(scripts));
	tcase_add_loop_test(tc, reports_losses, 0, ARRAY_SIZE(losses));
	tcase_add_test(tc, refuses_too_much);
	suite_add_tcase(s, tc);
	return s;
}
