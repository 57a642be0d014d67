/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses as text, against libc and a reference; paths and JSON, against references that take
 * memory and recursion. */
#include <arpa/inet.h>

#include "tests/unit/rtfix.h"

/* A slot's strings are cut; most is the capacity. */
static void expect_cut(struct fix *f, const char *want, int64_t n)
{
	char cut[8192];

	snprintf(cut, f->strsize, "%s", want);
	ck_assert_int_eq(n, strlen(cut));
	expect(f, 0, cut);
}

static void try_inet4(struct fix *f, uint32_t addr)
{
	char want[64];

	inet_ntop(AF_INET, &addr, want, sizeof(want));
	noise(f, f->slot, RT_STRING(f->strsize));
	expect_cut(f, want, call(f, "rt_inet4", 1, at(f, 0), addr));
}

/* Of the longest runs of zero groups, "::" is the first; glibc does the same. musl takes the one
 * whose text is the longest: 0:0:100:0:0:1 is 0:0:100::1 there. */
static void inet6_text(const uint16_t *groups, char *want)
{
	int start = -1, most = 1, n = 0;

	for (int i = 0; i < 8; i++) {
		int run = 0;

		while (i + run < 8 && !groups[i + run])
			run++;
		if (run > most) {
			start = i;
			most = run;
		}
	}
	for (int i = 0; i < 8; i++) {
		if (i == start) {
			n += sprintf(want + n, "::");
			i += most - 1;
			continue;
		}
		n += sprintf(want + n, "%s", i && i != start + most ? ":" : "");
		if (i == 6 && !start && (most == 6 || (most == 5 && groups[5] == 0xffff))) {
			inet_ntop(AF_INET, groups + 6, want + n, INET_ADDRSTRLEN);
			return;
		}
		n += sprintf(want + n, "%x", ntohs(groups[i]));
	}
}

static void try_inet6(struct fix *f, const uint16_t *groups)
{
	uint64_t words[2];
	char want[64];

	memcpy(words, groups, sizeof(words));
#ifdef __GLIBC__
	inet_ntop(AF_INET6, groups, want, sizeof(want));
	noise(f, f->slot, RT_STRING(f->strsize));
	expect_cut(f, want, call(f, "rt_inet6", 1, at(f, 0), words[0], words[1]));
#endif
	inet6_text(groups, want);
	noise(f, f->slot, RT_STRING(f->strsize));
	expect_cut(f, want, call(f, "rt_inet6", 1, at(f, 0), words[0], words[1]));
}

START_TEST(text_inet)
{
	static const uint16_t values[] = {0,	1,     9,     10,     0xf,    0x10,  0x9a,
					  0xff, 0x100, 0xfff, 0x1000, 0xabcd, 0xffff};
	struct fix f;

	fix_start(&f, sizes[_i]);
	for (int i = 0; i < 256; i++) {
		try_inet4(&f, i);
		try_inet4(&f, (uint32_t)i << 24 | 100 << 16 | 99 << 8 | 9);
	}
	for (int i = 0; i < ROUNDS; i++)
		try_inet4(&f, rnd64(&f));
	for (int zeros = 0; zeros < 256; zeros++) /* every pattern of zero groups */
		for (int round = 0; round < 6; round++) {
			uint16_t groups[8];

			for (int k = 0; k < 8; k++)
				groups[k] =
				    zeros >> k & 1
					? 0
					: htons(values[1 + rnd(&f, ARRAY_SIZE(values) - 1)]);
			if (round == 5)
				groups[5] = 0xffff;
			try_inet6(&f, groups);
		}
	fix_end(&f);
}
END_TEST

START_TEST(text_hex)
{
	uint8_t bytes[20];
	struct fix f;

	fix_start(&f, sizes[_i]);
	for (int n = 1; n <= 20; n++) {
		char want[64];

		if (n > f.strsize)
			break;
		for (int i = 0; i < n; i++) {
			bytes[i] = rnd(&f, 256);
			sprintf(want + 3 * i, "%02x%s", bytes[i], i + 1 < n ? ":" : "");
		}
		memcpy(f.slot + at(&f, 1), bytes, n);
		expect_cut(&f, want, call(&f, "rt_hex", 1, at(&f, 0), at(&f, 1), n));
	}
	ck_assert_int_eq(call(&f, "rt_hex", 1, at(&f, 0), at(&f, 1), 21), -1);
	ck_assert_int_eq(call(&f, "rt_hex", 1, at(&f, 0), at(&f, 1), 0), -1);
	fix_end(&f);
}
END_TEST

/* Paths ------------------------------------------------------------------- */

static void want_cleanpath(char *want, const char *path)
{
	size_t len = strcspn(path, "/");
	char *to = want + len;

	memcpy(want, path, len);
	for (path += len; *path; path += len) {
		len = strcspn(++path, "/");
		if (path[len] && (!len || (len == 1 && *path == '.')))
			continue;
		if (len != 2 || memcmp(path, "..", 2)) {
			*to++ = '/';
			memcpy(to, path, len);
			to += len;
			continue;
		}
		while (to > want && *--to != '/')
			;
		if (!path[len])
			*to++ = '/';
	}
	*to = '\0';
}

static void try_cleanpath(struct fix *f, const char *path)
{
	char want[8192];

	if ((int)strlen(path) >= f->strsize)
		return;
	want_cleanpath(want, path);
	put(f, 1, path);
	noise(f, f->slot, RT_STRING(f->strsize));
	ck_assert_msg(call(f, "rt_cleanpath", 1, at(f, 0), at(f, 1)) == (int64_t)strlen(want) &&
			  !strcmp(get(f, 0), want),
		      "'%s': '%s', not '%s'", path, get(f, 0), want);
}

START_TEST(text_cleanpath)
{
	static const char *const fixed[][2] = {
	    {"/a/b///c/", "/a/b/c/"},
	    {"a/b/./././c/", "a/b/c/"},
	    {"./", "./"},
	    {"./a", "./a"},
	    {"/..", "/"},
	    {"/../a", "/a"},
	    {"a/..", "/"},
	    {"a/../b", "/b"},
	    {"..", ".."},
	    {"../a", "../a"},
	    {"/.", "/."},
	    {"/a/.", "/a/."},
	    {"/a/..", "/"},
	    {"//", "/"},
	    {"", ""},
	    {"/a/../../b", "/b"},
	    {"/a/b/../c/", "/a/c/"},
	    {"/a/b/..", "/a/"},
	};
	static const char *const corners[] = {
	    "",
	    "/",
	    ".",
	    "..",
	    "//",
	    "/.",
	    "/..",
	    "./",
	    "../",
	    "a",
	    "a/",
	    "/a",
	    "/a/",
	    "a/..",
	    "/a/..",
	    "a/../..",
	    "/a/../..",
	    "../a",
	    "/../a",
	    "a/b/../c",
	    "a//b",
	    "a/./b",
	    "...",
	    "/...",
	    "a/.../b",
	    ".a",
	    "/.a/..b/c..",
	    "a/b/../../../c",
	    "../../a/../b",
	    "a/b/c/../../d/./e//f/..",
	};
	struct fix f;
	char s[16600];

	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++) {
		want_cleanpath(s, fixed[i][0]);
		ck_assert_str_eq(s, fixed[i][1]);
	}
	fix_start(&f, sizes[_i]);
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		try_cleanpath(&f, fixed[i][0]);
	for (size_t i = 0; i < ARRAY_SIZE(corners); i++)
		try_cleanpath(&f, corners[i]);
	for (int i = 0; i < ROUNDS; i++) {
		try_cleanpath(&f, text(&f, s, "/./.a"));
		try_cleanpath(&f, text(&f, s, "/ab."));
	}
	fix_end(&f);
}
END_TEST

/* JSON -------------------------------------------------------------------- */

static const char *blanks(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

/* What follows a value; NULL when it does not end. */
static const char *value_end(const char *p)
{
	int depth = 0;

	do {
		if (*p == '"') {
			for (p++; *p != '"'; p++)
				if (!*p || (*p == '\\' && !*++p))
					return NULL;
			p++;
		} else if (*p == '{' || *p == '[') {
			depth++, p++;
		} else if (*p == '}' || *p == ']') {
			depth--, p++;
		} else if (depth) {
			p++;
		} else {
			return p + strcspn(p, ",]} \t\r\n");
		}
	} while (*p && depth);
	return depth ? NULL : p;
}

static bool want_json(char *want, const char *p, const char *path)
{
	const char *end;
	int n;

	p = blanks(p);
	path += strspn(path, ".[]");
	if (!*path) {
		end = *p ? value_end(p) : NULL;
		if (!end || end == p)
			return false;
		if (*p == '"')
			p++, end--;
		sprintf(want, "%.*s", (int)(end - p), p);
		return true;
	}
	n = strcspn(path, ".[]");
	if (*p == '[') {
		int index = atoi(path);

		for (p = blanks(p + 1); index; index--) {
			end = *p != ']' ? value_end(p) : NULL;
			p = end ? blanks(end) : "";
			if (*p != ',')
				return false;
			p = blanks(p + 1);
		}
		return *p != ']' && want_json(want, p, path + n);
	}
	if (*p != '{')
		return false;
	for (p = blanks(p + 1); *p == '"'; p = blanks(p + 1)) {
		end = value_end(p);
		if (!end)
			return false;
		if (end - p - 2 == n && !memcmp(p + 1, path, n))
			return want_json(want, blanks(end) + 1, path + n);
		p = value_end(blanks(blanks(end) + 1));
		p = p ? blanks(p) : "";
		if (*p != ',')
			return false;
	}
	return false;
}

static void try_json(struct fix *f, const char *json, const char *path)
{
	char want[8192];
	int64_t n;
	bool found;

	if ((int)strlen(json) >= f->strsize || (int)strlen(path) >= f->strsize)
		return;
	found = want_json(want, json, path);
	put(f, 1, json);
	put(f, 2, path);
	put(f, 0, "old");
	n = call(f, "rt_json", 1, at(f, 0), at(f, 1), at(f, 2));
	ck_assert_msg(found ? n == (int64_t)strlen(want) && !strcmp(get(f, 0), want)
			    : n == -1 && !get(f, 0),
		      "'%s' of '%s': %d '%s', not '%s'", path, json, (int)n,
		      get(f, 0) ? get(f, 0) : "NULL", found ? want : "NULL");
}

/* A random value; path gets the way to something in it, or to what is not there. */
static void random_json(struct fix *f, char *s, char *path, int depth)
{
	static const char *const words[] = {"true", "false",	     "null",	  "0",	"-12.5e3",
					    "\"\"", "\"a,]}\\\"b\"", "\"x\\\\\"", "[]", "{}"};
	int n = rnd(f, 4), pick = rnd(f, n + 1);
	bool array = rnd(f, 2);

	if (!depth || !rnd(f, 4)) {
		strcat(s, words[rnd(f, ARRAY_SIZE(words))]);
		if (!rnd(f, 6))
			strcat(path, rnd(f, 2) ? ".k" : "[0]");
		return;
	}
	strcat(s, array ? "[" : "{");
	for (int i = 0; i < n; i++) {
		char other[1024] = "";

		strcat(s, rnd(f, 4) ? "" : " ");
		if (!array)
			sprintf(s + strlen(s), "\"k%.*s\"%s:", i, "abc", rnd(f, 4) ? "" : " ");
		if (i == pick && array)
			sprintf(path + strlen(path), "[%d]", i);
		else if (i == pick)
			sprintf(path + strlen(path), "%sk%.*s", *path ? "." : "", i, "abc");
		random_json(f, s, i == pick ? path : other, depth - 1);
		strcat(s, i + 1 < n ? "," : "");
		strcat(s, rnd(f, 4) ? "" : "\n");
	}
	if (pick == n)
		sprintf(path + strlen(path), array ? "[%d]" : ".kabc%d", n);
	strcat(s, array ? "]" : "}");
}

START_TEST(text_json)
{
	static const char *const corners[][2] = {
	    {"", ""},
	    {"", "a"},
	    {"1", ""},
	    {"\"s\"", ""},
	    {"{\"a\":1}", "a"},
	    {"{\"a\":1}", "b"},
	    {"{\"a\":1}", ""},
	    {"{\"a\":1", "a"},
	    {"{\"a\":{\"b\":[1,2,{\"c\":\"x\"}]}}", "a.b[2].c"},
	    {"[10,20,30]", "[1]"},
	    {"[10,20,30]", "1"},
	    {"[10]", "[1]"},
	    {"[[1,2],[3,[4]]]", "[1][1][0]"},
	    {"{\"a\":\"", "a"},
	    {"{\"a\":\"x\\\"y\"}", "a"},
	    {"{\"ab\":1,\"a\":2}", "a"},
	    {"{\"a\":[]}", "a[0]"},
	    {"{\"a\":{}}", "a.b"},
	    {"{\"a\":1}", "a.b"},
	    {"{ \"a\" : \"\" }", "a"},
	    {"{\"a\":{\"a\":1},\"b\":2}", "b"},
	    {"{\"x\":[1,{\"b\":1}],\"b\":[2]}", "b[0]"},
	    {"{\"a\":{\"b\":{\"c\":1}},\"d\":2}", "a"},
	    {"[[[1],[2]],[3]]", "[0]"},
	    {"[\"]\",\"}\"]", "[1]"},
	    {"{\"\\\"\":1,\"b\":2}", "b"},
	    {"{\"\\\"\":1}", "\\\""},
	};
	static const char *const bad[][2] = {
	    {"bogus", ""},	   {"[truf]", "[0]"},  {"{a:1}", "a"},	      {"[1]", "[x]"},
	    {"[1]", "[99999999]"}, {"{\"a\" 1}", "a"}, {"{\"a.b\":1}", "a.b"}};
	struct fix f;

	fix_start(&f, sizes[_i]);
	for (size_t i = 0; i < ARRAY_SIZE(corners); i++)
		try_json(&f, corners[i][0], corners[i][1]);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		if (f.strsize < 24)
			break;
		put(&f, 1, bad[i][0]);
		put(&f, 2, bad[i][1]);
		ck_assert_int_eq(call(&f, "rt_json", 1, at(&f, 0), at(&f, 1), at(&f, 2)), -1);
	}
	for (int i = 0; i < ROUNDS; i++) {
		char s[16600] = "", path[1024] = "";

		random_json(&f, s, path, 3);
		try_json(&f, s, path);
		if (strlen(s) > 2) /* cut short */
			s[rnd(&f, strlen(s))] = '\0';
		put(&f, 1, strlen(s) < (size_t)f.strsize ? s : "");
		put(&f, 2, strlen(path) < (size_t)f.strsize ? path : "");
		call(&f, "rt_json", 1, at(&f, 0), at(&f, 1), at(&f, 2));
	}
	fix_end(&f);
}
END_TEST

Suite *rttext_suite(void)
{
	Suite *s = suite_create("rttext");
	TCase *each = tcase_create("sizes");

	tcase_set_timeout(each, 60);
	tcase_add_loop_test(each, text_inet, 0, NSIZES);
	tcase_add_loop_test(each, text_hex, 0, NSIZES);
	tcase_add_loop_test(each, text_cleanpath, 0, NSIZES);
	tcase_add_loop_test(each, text_json, 0, NSIZES);
	suite_add_tcase(s, each);
	return s;
}
