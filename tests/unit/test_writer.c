/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is written for programs to read, as JSON, in a page and as XML; and values so, and as
 * print() shows them. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/writer.h"
#include "libdt/consumer/print_value.h"

static struct types *types;
static struct fmt_ctx ctx;
static struct writer w;

static void setup(void)
{
	types = types_new(false, "none");
	ctx = (struct fmt_ctx){.types = types, .stackindent = 14};
}

static void teardown(void)
{
	types_free(types);
	writer_free(&w);
	w = (struct writer){0};
}

static void begin(const struct writer_form *form)
{
	w.form = form;
	w.sb.len = 0;
	w.comma = false;
}

static const char *quoted(const struct writer_form *form, const char *s, size_t len)
{
	begin(form);
	writer_text(&w, NULL, s, len);
	return w.sb.s;
}

START_TEST(test_text)
{
	static const struct {
		const char *s, *json, *xml;
	} cases[] = {
	    {"", "\"\"", "<item/>"},
	    {"a\"b\\c/", "\"a\\\"b\\\\c/\"", "<item>a&quot;b\\c/</item>"},
	    {"<a>&amp;]]>'", "\"<a>&amp;]]>'\"", "<item>&lt;a&gt;&amp;amp;]]&gt;'</item>"},
	    {"\b\f\n\r\t\001\037\177", "\"\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"",
	     "<item>\ufffd\ufffd&#10;&#13;&#9;\ufffd\ufffd&#127;</item>"},
	    {"\u00e9\u20ac\U0001f600", "\"\u00e9\u20ac\U0001f600\"",
	     "<item>\u00e9\u20ac\U0001f600</item>"},
	    /* C1 would be commands to a terminal */
	    {"\xc2\x9b\xc2\x80\xc2\x9f\u00a0", "\"\\u009b\\u0080\\u009f\u00a0\"",
	     "<item>&#155;&#128;&#159;\u00a0</item>"},
	    /* characters that are no characters, and the one before them */
	    {"a\u202eb\u2066\u2028\u2027", "\"a\\u202eb\\u2066\\u2028\u2027\"",
	     "<item>a&#8238;b&#8294;&#8232;\u2027</item>"},
	    {"\xef\xbf\xbe\xef\xbf\xbf\ufffd", "\"\xef\xbf\xbe\xef\xbf\xbf\ufffd\"",
	     "<item>\ufffd\ufffd\ufffd</item>"},
	    /* not UTF-8: a lone byte, one cut off, overlong, a surrogate, too large */
	    {"a\xffz", "\"a\ufffdz\"", "<item>a\ufffdz</item>"},
	    {"a\xe2\x82", "\"a\ufffd\ufffd\"", "<item>a\ufffd\ufffd</item>"},
	    {"\xc0\xaf", "\"\ufffd\ufffd\"", "<item>\ufffd\ufffd</item>"},
	    {"\xe0\x80\x80", "\"\ufffd\ufffd\ufffd\"", "<item>\ufffd\ufffd\ufffd</item>"},
	    {"\xed\xa0\x80", "\"\ufffd\ufffd\ufffd\"", "<item>\ufffd\ufffd\ufffd</item>"},
	    {"\xf4\x90\x80\x80", "\"\ufffd\ufffd\ufffd\ufffd\"",
	     "<item>\ufffd\ufffd\ufffd\ufffd</item>"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_str_eq(quoted(&writer_json, cases[i].s, strlen(cases[i].s)),
				 cases[i].json);
		ck_assert_str_eq(quoted(&writer_xml, cases[i].s, strlen(cases[i].s)), cases[i].xml);
	}
	ck_assert_str_eq(quoted(&writer_json, "a\0b", 3), "\"a\\u0000b\"");
	ck_assert_str_eq(quoted(&writer_xml, "a\0b", 3), "<item>a\ufffdb</item>");
}
END_TEST

/* One of everything. */
static const char *shape(const struct writer_form *form)
{
	w.form = form;
	writer_line(&w, "record");
	writer_array(&w, "a");
	writer_end(&w);
	writer_int(&w, "b", INT64_MIN);
	writer_uint(&w, "c", UINT64_MAX);
	writer_array(&w, "d");
	writer_bool(&w, NULL, true);
	writer_bool(&w, NULL, false);
	writer_null(&w, NULL);
	writer_hex(&w, NULL, 0xfffULL << 52);
	writer_object(&w, NULL);
	writer_end(&w);
	writer_float(&w, NULL, 0.5);
	writer_float(&w, NULL, NAN);
	writer_float(&w, NULL, -INFINITY);
	writer_end(&w);
	writer_group(&w, "g");
	writer_string(&w, "h", "i");
	writer_group_end(&w);
	writer_string(&w, "e\n", "x");
	writer_object(&w, "_vptr.A-1");
	writer_end(&w);
	writer_object(&w, "1<\"");
	writer_end(&w);
	writer_end(&w);
	return w.sb.s;
}

START_TEST(test_shape)
{
	static const char json[] =
	    "{\"type\":\"record\",\"a\":[],\"b\":-9223372036854775808,\"c\":18446744073709551615,"
	    "\"d\":[true,false,null,\"0xfff0000000000000\",{},0.5,null,null],\"g\":{\"h\":\"i\"},"
	    "\"e\\n\":\"x\","
	    "\"_vptr.A-1\":{},\"1<\\\"\":{}}";
	static const char xml[] =
	    "<probe><a></a><b>-9223372036854775808</b><c>18446744073709551615</c>"
	    "<d><item>true</item><item>false</item><item/><item>0xfff0000000000000</item><item></"
	    "item>"
	    "<item>0.5</item><item/><item/></d><h>i</h><member name=\"e&#10;\">x</member>"
	    "<_vptr.A-1></_vptr.A-1><member name=\"1&lt;&quot;\"></member></probe>";

	ck_assert_str_eq(shape(&writer_json), json);
	ck_assert_str_eq(shape(&writer_xml), xml);
	ck_assert_str_eq(shape(&writer_events), json);
	ck_assert_str_eq(shape(&writer_json), json); /* nothing is left of the line before */
	w.form = &writer_xml;
	writer_line(&w, "drop");
	writer_end(&w);
	ck_assert_str_eq(w.sb.s, "<drop></drop>");
	w.form = &writer_events; /* an event has no type */
	writer_line(&w, NULL);
	writer_text(&w, "ph", "B", 1);
	writer_float(&w, "ts", 9007199254740993 / 1000.0L);
	writer_float(&w, "ts", 1000 / 1000.0L);
	writer_end(&w);
	ck_assert_str_eq(w.sb.s, "{\"ph\":\"B\",\"ts\":9007199254740.993,\"ts\":1}");
}
END_TEST

/* In a page, nothing of a line is markup, and numbers of more than 53 bits are text. */
START_TEST(test_page)
{
	static const char hostile[] = "</script><!--<SCRIPT>]]>&\"\xff\001";
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	w.form = &writer_html;
	writer_line(&w, "record");
	writer_int(&w, "a", INT64_MIN);
	writer_uint(&w, "b", 999999999999999);
	writer_int(&w, "c", -99999999999999);
	writer_uint(&w, "d", 1000000000000000);
	writer_float(&w, "e", 0.5);
	writer_text(&w, "<", hostile, strlen(hostile));
	writer_end(&w);
	writer_html.put(out, w.sb.s, w.sb.len);
	writer_html.put(out, "<", 1);
	writer_html.put(out, "", 0);
	fclose(out);
	ck_assert_str_eq(text, "{\"type\":\"record\",\"a\":\"-9223372036854775808\","
			       "\"b\":999999999999999,\"c\":-99999999999999,"
			       "\"d\":\"1000000000000000\",\"e\":0.5,"
			       "\"\\u003c\":\"\\u003c/script>\\u003c!--\\u003cSCRIPT>]]>&\\\"\ufffd"
			       "\\u0001\"}\\u003c");
	free(text);
}
END_TEST

/* A frame that the line has already is its number there; another line begins anew. */
START_TEST(test_page_frames)
{
	static const uint64_t frames[] = {0x10, 0x20, 0x10, 0};
	struct value v = {.type = type_special(types, T_STACK), .data = frames, .size = 32};

	w.form = &writer_html;
	for (int i = 0; i < 2; i++) {
		writer_line(&w, "x");
		writer_array(&w, "keys");
		writer_value(&w, NULL, &ctx, &v);
		writer_value(&w, NULL, &ctx, &v);
		writer_int(&w, NULL, 7);
		writer_end(&w);
		ck_assert_str_eq(
		    w.sb.s,
		    "{\"type\":\"x\",\"keys\":["
		    "{\"stack()\":[{\"address\":\"0x10\",\"function\":\"0x10\"},"
		    "{\"address\":\"0x20\",\"function\":\"0x20\"},0]},{\"stack()\":[0,1,0]},7]");
	}
}
END_TEST

/* ---- values */

static const char *as_json(struct value v)
{
	begin(&writer_json);
	writer_value(&w, NULL, &ctx, &v);
	return w.sb.s;
}

static const char *as_tree(struct value v, bool pointee)
{
	static char copy[4096];
	char *text;
	size_t len;

	ctx.out = open_memstream(&text, &len);
	if (pointee)
		value_pointee(&ctx, 0x1000, &v);
	else
		value_tree(&ctx, &v);
	fclose(ctx.out);
	ck_assert_uint_lt(len, sizeof(copy));
	memcpy(copy, text, len + 1);
	free(text);
	return copy;
}

/* struct s { int n; unsigned f:3; int g:5; :24; char t[8]; union { int x; unsigned char y; };
 * struct p { long a, b; } two[2]; void *q; unsigned char raw[4]; enum e { A, B } e; } */
struct sample {
	int32_t n;
	uint32_t bits;
	char t[8];
	int32_t x, pad;
	int64_t two[2][2];
	uint64_t q;
	uint8_t raw[4];
	uint32_t e;
};

static const struct type *sample_type(void)
{
	static struct member in_union[2], in_pair[2], m[11];
	static struct type u = {.kind = T_UNION, .size = 4, .members = in_union, .nmembers = 2};
	static struct type pair = {
	    .kind = T_STRUCT, .name = "p", .size = 16, .members = in_pair, .nmembers = 2};
	static struct type s = {.kind = T_STRUCT,
				.name = "s",
				.size = sizeof(struct sample),
				.members = m,
				.nmembers = 10};
	static const struct enumerator names[] = {{"A", 0}, {"B", 1}};
	static struct type e = {
	    .kind = T_ENUM, .name = "e", .size = 4, .enums = names, .nenums = 2};
	const struct type *i32 = type_int(types, 4, true), *u32 = type_int(types, 4, false),
			  *u8 = type_int(types, 1, false);

	in_union[0] = (struct member){"x", i32, 0, 0};
	in_union[1] = (struct member){"y", u8, 0, 0};
	in_pair[0] = (struct member){"a", type_int(types, 8, true), 0, 0};
	in_pair[1] = (struct member){"b", type_int(types, 8, true), 64, 0};
	m[0] = (struct member){"n", i32, 0, 0};
	m[1] = (struct member){"f", u32, 32, 3};
	m[2] = (struct member){"g", i32, 35, 5};
	m[3] = (struct member){NULL, i32, 40, 24};
	m[4] = (struct member){"t", type_array(types, type_find(types, NULL, "char"), 8), 64, 0};
	m[5] = (struct member){NULL, &u, 128, 0};
	m[6] = (struct member){"two", type_array(types, &pair, 2), 192, 0};
	m[7] = (struct member){"q", type_ptr(types, type_void(types)), 448, 0};
	m[8] = (struct member){"raw", type_array(types, u8, 4), 512, 0};
	m[9] = (struct member){"e", &e, 544, 0};
	return &s;
}

static const struct sample sample = {
    .n = -7,
    .bits = 5 | 0x1e << 3 | 0xffff00,
    .t = "hi\n",
    .x = 65,
    .two = {{0, 0}, {0, 3}},
    .q = 0xffff000000001234,
    .raw = {1, 2, 2, 2},
    .e = 1,
};

START_TEST(test_struct_json)
{
	struct value v = {.type = sample_type(), .data = &sample, .size = sizeof(sample)};

	ck_assert_str_eq(
	    as_json(v),
	    "{\"n\":-7,\"f\":5,\"g\":-2,\"t\":\"hi\\n\",\"x\":65,\"y\":65,"
	    "\"two\":[{\"a\":0,\"b\":0},{\"a\":0,\"b\":3}],\"q\":\"0xffff000000001234\","
	    "\"raw\":[1,2,2,2],\"e\":\"B\"}");
	v.size = 34; /* in the middle of two[0] */
	ck_assert_str_eq(
	    as_json(v), "{\"n\":-7,\"f\":5,\"g\":-2,\"t\":\"hi\\n\",\"x\":65,\"y\":65,\"two\":[]}");
}
END_TEST

/* in front of each line of an initialiser */
#define MARGIN "                                            "

START_TEST(test_struct_tree)
{
	struct value v = {.type = sample_type(), .data = &sample, .size = sizeof(sample)};

	ck_assert_str_eq(as_tree(v, false),
			 "struct s {\n"
			 "    int n = -7\n"
			 "    unsigned int f:3 = 0x5\n"
			 "    int g:5 = -2\n"
			 "    char [8] t = \"hi\\n\"\n"
			 "    union {\n"
			 "        int x = 65\n"
			 "        unsigned char y = 'A'\n"
			 "    }\n"
			 "    struct p [2] two = [\n"
			 "        {\n"
			 "            long a = 0\n"
			 "            long b = 0\n"
			 "        },\n"
			 "        {\n"
			 "            long a = 0\n"
			 "            long b = 3\n"
			 "        },\n"
			 "    ]\n"
			 "    void * q = 0xffff000000001234\n"
			 "    unsigned char [4] raw = [ 0x1, 0x2, (2 more of the same) ]\n"
			 "    enum e e = B\n"
			 "}\n");
	ck_assert_str_eq(
	    as_tree(v, true),
	    "0x1000 = *\n" MARGIN "(struct s) {\n" MARGIN " .n = (int)-7,\n" MARGIN
	    " .f = (unsigned int)5,\n" MARGIN " .g = (int)-2,\n" MARGIN
	    " .t = (char [8]) [\n" MARGIN "  (char)'h',\n" MARGIN "  (char)'i',\n" MARGIN
	    "  (char)10,\n" MARGIN " ],\n" MARGIN " (union) {\n" MARGIN "  .x = (int)65,\n" MARGIN
	    "  .y = (unsigned char)65,\n" MARGIN " },\n" MARGIN " .two = (struct p [2]) [\n" MARGIN
	    "  (struct p) {\n" MARGIN "  },\n" MARGIN "  (struct p) {\n" MARGIN
	    "   .b = (long)3,\n" MARGIN "  },\n" MARGIN " ],\n" MARGIN
	    " .q = (void *)0xffff000000001234,\n" MARGIN " .raw = (unsigned char [4]) [\n" MARGIN
	    "  (unsigned char)1,\n" MARGIN "  (unsigned char)2,\n" MARGIN
	    "  (2 more of the same)\n" MARGIN " ],\n" MARGIN " .e = (enum e)B,\n" MARGIN "}\n");
	v.size = 12; /* in the middle of t */
	ck_assert_str_eq(
	    as_tree(v, false),
	    "struct s {\n    int n = -7\n    unsigned int f:3 = 0x5\n    int g:5 = -2\n"
	    "    char [8] t = \"hi\\n\"\n    ...\n}\n");
	v.size = 3;
	ck_assert_str_eq(as_tree(v, true),
			 "0x1000 = *\n" MARGIN "(struct s) {\n" MARGIN " ...\n" MARGIN "}\n");
}
END_TEST

START_TEST(test_values)
{
	static const uint64_t frames[] = {0x10, 0x20, 0};
	static const double half = 0.5;
	struct value v = {.type = type_string(types), .data = "a\"b\0junk", .size = 8};

	ck_assert_str_eq(as_json(v), "\"a\\\"b\"");
	ck_assert_str_eq(as_tree(v, false), "string \"a\\\"b\"\n");
	v = (struct value){.type = type_int(types, 1, false), .data = "\xff", .size = 1};
	ck_assert_str_eq(as_json(v), "255");
	ck_assert_str_eq(as_tree(v, false), "unsigned char 0xff\n");
	v = (struct value){.type = type_find(types, NULL, "double"), .data = &half, .size = 8};
	ck_assert_str_eq(as_json(v), "0.5");
	v = (struct value){.type = type_special(types, T_STACK), .data = frames, .size = 24};
	ck_assert_str_eq(as_json(v), "[{\"address\":\"0x10\"},{\"address\":\"0x20\"}]");
	v = (struct value){
	    .type = type_array(types, type_int(types, 4, true), 0), .data = frames, .size = 0};
	ck_assert_str_eq(as_json(v), "[]");
	ck_assert_str_eq(as_tree(v, false), "int [] [ ]\n");
	/* bytes after a NUL are not text, and neither are bytes */
	v = (struct value){.type = type_array(types, type_find(types, NULL, "char"), 3),
			   .data = "\0ab",
			   .size = 3};
	ck_assert_str_eq(as_json(v), "[0,97,98]");
}
END_TEST

Suite *writer_suite(void)
{
	Suite *s = suite_create("writer");
	TCase *tc = tcase_create("writer");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_text);
	tcase_add_test(tc, test_shape);
	tcase_add_test(tc, test_page);
	tcase_add_test(tc, test_page_frames);
	tcase_add_test(tc, test_struct_json);
	tcase_add_test(tc, test_struct_tree);
	tcase_add_test(tc, test_values);
	suite_add_tcase(s, tc);
	return s;
}
