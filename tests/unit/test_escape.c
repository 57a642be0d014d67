/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Escaping: which bytes stay, in words and across their ends; formats as C has them. */
#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/escape.h"

static struct strbuf sb;

static const char *escaped(const char *s, size_t len, enum escape how)
{
	sb.len = 0;
	escape_add(&sb, s, len, how);
	return sb_str(&sb);
}

START_TEST(texts)
{
	static const struct {
		const char *s, *name, *text;
	} cases[] = {
	    {"", "", ""},
	    {"plain words, ~ and \\ too", "plain words, ~ and \\ too", "plain words, ~ and \\ too"},
	    {"a\nb\tc", "a\\012b\\011c", "a\nb\tc"},
	    {"\033[2J\a\b\r\f\v", "\\033[2J\\007\\010\\015\\014\\013",
	     "\\033[2J\\007\\010\\015\\014\\013"},
	    {"\177", "\\177", "\\177"},
	    {"\u00e9\u20ac\U0001f600", "\u00e9\u20ac\U0001f600", "\u00e9\u20ac\U0001f600"},
	    /* C1, as UTF-8 and as a byte; and the first after it */
	    {"\xc2\x9b"
	     "31m",
	     "\\302\\23331m", "\\302\\23331m"},
	    {"\x9b"
	     "31m",
	     "\\23331m", "\\23331m"},
	    {"\xc2\xa0", "\xc2\xa0", "\xc2\xa0"},
	    /* the order of what is displayed, and its neighbours */
	    {"a\u202egnp.exe", "a\\342\\200\\256gnp.exe", "a\\342\\200\\256gnp.exe"},
	    {"\u061c\u200e\u200f", "\\330\\234\\342\\200\\216\\342\\200\\217",
	     "\\330\\234\\342\\200\\216\\342\\200\\217"},
	    {"\u2028\u2029\u202a", "\\342\\200\\250\\342\\200\\251\\342\\200\\252",
	     "\\342\\200\\250\\342\\200\\251\\342\\200\\252"},
	    {"\u2066\u2069", "\\342\\201\\246\\342\\201\\251", "\\342\\201\\246\\342\\201\\251"},
	    {"\u061b\u061d\u200d\u2010\u2027\u202f\u2065\u206a",
	     "\u061b\u061d\u200d\u2010\u2027\u202f\u2065\u206a",
	     "\u061b\u061d\u200d\u2010\u2027\u202f\u2065\u206a"},
	    /* not UTF-8: cut off, overlong, a surrogate, too large */
	    {"a\xe2\x82", "a\\342\\202", "a\\342\\202"},
	    {"\xc0\xaf", "\\300\\257", "\\300\\257"},
	    {"\xed\xa0\x80", "\\355\\240\\200", "\\355\\240\\200"},
	    {"\xf4\x90\x80\x80", "\\364\\220\\200\\200", "\\364\\220\\200\\200"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *s = cases[i].s;

		ck_assert_str_eq(escaped(s, strlen(s), ESCAPE_NAME), cases[i].name);
		ck_assert_str_eq(escaped(s, strlen(s), ESCAPE_TEXT), cases[i].text);
		ck_assert_str_eq(escaped(s, strlen(s), ESCAPE_NONE), s);
		ck_assert((escape_clean(s, strlen(s), ESCAPE_NAME) == strlen(s)) ==
			  !strcmp(s, cases[i].name));
	}
	ck_assert_str_eq(escaped("a\0b", 3, ESCAPE_NAME), "a\\000b");
}
END_TEST

/* Each byte at each place of words of eight: one bad byte is found wherever it is, and good ones
 * never. */
START_TEST(words)
{
	char s[24], want[32];

	for (int at = 0; at < 20; at++)
		for (int c = 0; c < 256; c++) {
			bool good = c >= ' ' && c < 0x7f;

			memset(s, at % 2 ? ' ' : '~', sizeof(s));
			s[at] = c;
			ck_assert_uint_eq(escape_clean(s, 20, ESCAPE_NAME), good ? 20 : at);
			if (good)
				continue;
			snprintf(want, sizeof(want), "%.*s\\%03o%.*s", at, s, c, 19 - at,
				 s + at + 1);
			ck_assert_str_eq(escaped(s, 20, ESCAPE_NAME), want);
		}
}
END_TEST

static const char *formatted(const char *fmt, ...)
{
	va_list ap;

	sb.len = 0;
	va_start(ap, fmt);
	escape_vprintf(&sb, fmt, ap);
	va_end(ap);
	return sb_str(&sb);
}

/* As C prints it, where nothing is to be escaped. */
#define SAME(...)                                               \
	do {                                                    \
		snprintf(want, sizeof(want), __VA_ARGS__);      \
		ck_assert_str_eq(formatted(__VA_ARGS__), want); \
	} while (0)

START_TEST(formats)
{
	char want[200];

	SAME("nothing 100%% of it");
	SAME("%d|%5i|%-5u|%05d|%+d|%x|%#X|%o|%c", -1, 2, 3u, 4, 5, 0xabcu, 0xdefu, 8u, 'z');
	SAME("%ld %lu %lld %llx %zu %jd %td %hhd %hu", -1L, 2UL, -3LL, 4ULL, (size_t)5, (intmax_t)6,
	     (ptrdiff_t)7, (signed char)8, (unsigned short)9);
	SAME("%s|%8s|%-8s|%.2s|%*s|%-*s|%.*s|", "a", "bc", "de", "fgh", 6, "i", 6, "j", 3, "klmn");
	SAME("%*d|%.*f|%g|%Lg|%8.3f|%p", -6, 1, 2, 1.5, 2.5, 3.5L, 4.0625, (void *)want);
	ck_assert_str_eq(formatted("no %s:\n\tin '%s' %d", "\033]0;x\a", "a\nb", 1),
			 "no \\033]0;x\\007:\n\tin 'a\\012b' 1");
	ck_assert_str_eq(formatted("%s", "two\n\tlines\033"), "two\n\tlines\\033");
	ck_assert_str_eq(formatted("%c%c", 'a', '\033'), "a\\033");
	ck_assert_str_eq(formatted("%.1s|%6s|%-6s|", "\033x", "\033", "\n"),
			 "\\033|  \\033|\\012  |");
}
END_TEST

Suite *escape_suite(void)
{
	Suite *s = suite_create("escape");
	TCase *tc = tcase_create("escape");

	tcase_add_test(tc, texts);
	tcase_add_test(tc, words);
	tcase_add_test(tc, formats);
	suite_add_tcase(s, tc);
	return s;
}
