/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats: what is accepted, what is refused and how, and what comes out, to the byte. */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libdt/consumer/fmt.h"
#include "libdt/symbols/ksym.h"

static struct types *types;
static struct arena *arena;
static struct fmt_ctx ctx;
static char *out;
static size_t out_len;

static const char symbols[] = "0000000000000000 A percpu\n"
			      "ffffffff81000000 T _text\n"
			      "ffffffff81000000 t also_text\n"
			      "ffffffff81000100 T __pfx_vfs_read\n"
			      "ffffffff81000110 T vfs_read\n"
			      "ffffffff81000110 t vfs_read_alias\n"
			      "ffffffff81000200 d some_data\n"
			      "ffffffff81000300 B _end\n"
			      "ffffffffc0000000 t ext4_open\t[ext4]\n"
			      "ffffffffc0000040 t ext4_close\t[ext4]\n"
			      "broken line\n";

static void setup(void)
{
	char path[] = "/tmp/dt_test_fmt.XXXXXX";
	int fd = mkstemp(path);
	const char *mod, *name;
	uint64_t off;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, symbols, strlen(symbols)), strlen(symbols));
	close(fd);
	setenv("TZ", "UTC", 1);
	tzset();
	types = types_new(false, "none");
	arena = arena_new();
	ctx = (struct fmt_ctx){
	    .syms = syms_new(path, NULL),
	    .types = types,
	    .stackindent = 14,
	};
	syms_find(ctx.syms, 1, &mod, &name, &off); /* reads it */
	unlink(path);
}

static void teardown(void)
{
	syms_free(ctx.syms);
	arena_free(arena);
	types_free(types);
}

static const char *finish(void)
{
	static char text[8192];

	fclose(ctx.out);
	ck_assert_uint_lt(out_len, sizeof(text));
	memcpy(text, out, out_len + 1);
	free(out);
	return text;
}

static void begin(void)
{
	ctx.out = open_memstream(&out, &out_len);
}

/* ---- values */

static int64_t numbers[16];
static int nnumbers;

static struct value number(int bytes, bool is_signed, int64_t n)
{
	int64_t *p = &numbers[nnumbers++ % 16];

	*p = n;
	return (struct value){.type = type_int(types, bytes, is_signed), .data = p, .size = bytes};
}

static struct value i32(int n)
{
	return number(4, true, n);
}

static struct value i64(int64_t n)
{
	return number(8, true, n);
}

static struct value str(const char *s)
{
	return (struct value){.type = type_string(types), .data = s, .size = strlen(s) + 1};
}

static struct value chars(const char *s, int size)
{
	return (struct value){.type = type_array(types, type_find(types, NULL, "char"), size),
			      .data = s,
			      .size = size};
}

/* Parses, checks and prints. */
static const char *print(const char *format, int n, const struct value *v)
{
	const struct type *args[8];
	struct diag d = {0};
	struct fmt *f;

	for (int i = 0; i < n; i++)
		args[i] = v[i].type;
	if (setjmp(d.recover))
		ck_abort_msg("%s: [%s] %s", format, tag_name(d.tag), d.msg.s);
	f = fmt_parse(arena, &d, (struct loc){0}, format, strlen(format));
	fmt_check(f, &d, types, (struct loc){0}, "printf", args, NULL, n, false);
	begin();
	ck_assert_int_eq(fmt_print(f, &ctx, v, n, NULL, NULL), 0);
	return finish();
}

#define PRINTS(want, format, ...)                                          \
	do {                                                               \
		struct value v_[] = {__VA_ARGS__};                         \
		ck_assert_str_eq(print(format, ARRAY_SIZE(v_), v_), want); \
	} while (0)

START_TEST(test_plain)
{
	ck_assert_str_eq(print("", 0, NULL), "");
	ck_assert_str_eq(print("hello\n", 0, NULL), "hello\n");
	ck_assert_str_eq(print("100%%", 0, NULL), "100%");
	ck_assert_str_eq(print("%%%%d", 0, NULL), "%%d");
	PRINTS("  7%|", "%3d%%|", i32(7));
}
END_TEST

START_TEST(test_integers)
{
	PRINTS("-1", "%d", i32(-1));
	PRINTS("-1", "%i", number(1, true, 0xff));
	PRINTS("255", "%d", number(1, false, 0xff));
	PRINTS("-2", "%d", number(2, true, 0xfffe));
	PRINTS("4294967295", "%d", number(4, false, 0xffffffff));
	PRINTS("-9223372036854775808", "%d", i64(INT64_MIN));
	PRINTS("18446744073709551615", "%d", number(8, false, -1));
	PRINTS("18446744073709551615", "%u", i64(-1));
	PRINTS("ffffffff", "%x", i32(-1));
	PRINTS("FFFF", "%X", number(2, true, -1));
	PRINTS("0xff", "%#x", number(1, true, -1));
	PRINTS("377", "%o", number(1, true, -1));
	PRINTS("4294967295", "%u", i32(-1));
	PRINTS("ffffffffffffffff", "%x", i64(-1));
	PRINTS("    -5|-5    |-0005|+5| 5", "%6d|%-6d|%05d|%+d|% d", i32(-5), i32(-5), i32(-5),
	       i32(5), i32(5));
	PRINTS("00042|   00042", "%.5d|%8.5d", i32(42), i32(42));
	PRINTS("   42|42   |", "%*d|%*d|", i32(5), i32(42), i32(-5), i32(42));
	PRINTS("00042|42", "%.*d|%.*d", i32(5), i32(42), i32(-1), i32(42));
	PRINTS("-3 -3 -3 -3", "%hhd %hd %ld %lld", number(1, true, -3), number(2, true, -3),
	       i64(-3), i64(-3));
	PRINTS("fffd 3", "%hx %lu", number(2, true, -3), i64(3));
	PRINTS("ffffffff81000110", "%p", number(8, false, 0xffffffff81000110));
	PRINTS("1", "%d", number(1, false, 1));
}
END_TEST

START_TEST(test_wide_fields)
{
	const char *text = print("%*d", 2, (struct value[]){i32(5000), i32(1)});

	ck_assert_uint_eq(strlen(text), 5000);
	begin();
	{
		const struct type *args[] = {type_int(types, 8, true), type_int(types, 4, true)};
		struct diag d = {0};
		struct fmt *f = fmt_parse(arena, &d, (struct loc){0}, "%*d", 3);
		struct value v[] = {i64(INT64_MAX), i32(1)};

		fmt_check(f, &d, types, (struct loc){0}, "printf", args, NULL, 2, false);
		ck_assert_int_eq(fmt_print(f, &ctx, v, 2, NULL, NULL), 0);
		ck_assert_int_eq(fmt_print(f, &ctx, v, 1, NULL, NULL), -EINVAL);
	}
	fclose(ctx.out);
	ck_assert_uint_eq(out_len, FMT_STAR_MAX);
	free(out);
}
END_TEST

START_TEST(test_strings)
{
	PRINTS("bash", "%s", str("bash"));
	PRINTS("[      bash|bash      |ba|    ba]", "[%10s|%-10s|%.2s|%6.2s]", str("bash"),
	       str("bash"), str("bash"), str("bash"));
	PRINTS("[   bash]", "[%*s]", i32(7), str("bash"));
	PRINTS("[bash   ]", "[%-7.7s]", str("bash"));
	PRINTS("", "%s", str(""));
	PRINTS("abcd|ab", "%s|%s", chars("abcd", 4), chars("ab\0d", 4));
	PRINTS("abc", "%s",
	       ((struct value){type_ptr(types, type_find(types, NULL, "char")), "abc", 4, false}));
	PRINTS("a\\tb\\n\\\\\\001\\377\\\"'", "%S", str("a\tb\n\\\001\xff\"'"));
	PRINTS("-bash\\0", "%S", chars("-bash\0\0\0", 8));
	PRINTS("abcd", "%S", chars("abcd", 4));
	PRINTS("\\a\\b\\f\\r\\v\\033", "%S", str("\a\b\f\r\v\033"));
	PRINTS("x|  x|x  |", "%c|%3c|%-3c|", number(1, true, 'x'), i32('x'), i32('x'));
	PRINTS("\\n|\\0|A", "%C|%C|%C", number(1, true, '\n'), i32(0), i32('A'));
	PRINTS("\\\"|'|\\\\", "%C|%C|%C", i32('"'), i32('\''), i32('\\'));
	PRINTS("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xef\xbf\xbd", "%lc %wc %lc %lc", i32(0xe9),
	       i32(0x20ac), i32(0x1f600), i32(0x110000));
}
END_TEST

START_TEST(test_wide_strings)
{
	static const uint32_t wide[] = {'a', 0xe9, 0, 'x'};
	struct value v = {
	    .type = type_array(types, type_int(types, 4, true), 4),
	    .data = wide,
	    .size = sizeof(wide),
	};

	PRINTS("a\xc3\xa9|a\\303\\251|   a", "%ls|%wS|%4.1ls", v, v, v);
}
END_TEST

START_TEST(test_enum)
{
	static const struct enumerator enums[] = {{"RED", 0}, {"GREEN", 5}};
	struct type color = {
	    .kind = T_ENUM, .size = 4, .name = "color", .enums = enums, .nenums = 2};
	struct value v = i32(5);

	v.type = &color;
	PRINTS("GREEN 5", "%s %d", v, v);
	v = i32(7);
	v.type = &color;
	PRINTS("7|   7", "%s|%4s", v, v);
}
END_TEST

START_TEST(test_floats)
{
	static const float f = 1.5f;
	static const double d = -2.25;
	static const long double ld = 1e10L;
	struct value vf = {.type = type_find(types, NULL, "float"), .data = &f, .size = sizeof(f)};
	struct value vd = {.type = type_find(types, NULL, "double"), .data = &d, .size = sizeof(d)};
	struct value vl = {
	    .type = type_find(types, NULL, "long double"), .data = &ld, .size = sizeof(ld)};

	PRINTS("1.500000 -2.25 1.5e+00 -2.2", "%f %g %.1e %.1f", vf, vd, vf, vd);
	PRINTS("1.000000E+10 1E+10 10000000000.000000", "%E %G %Lf", vl, vl, vl);
}
END_TEST

START_TEST(test_times)
{
	PRINTS("2011 Jan  5 12:33:11", "%Y", i64(1294230791123456789));
	PRINTS("Wed, 05 Jan 2011 12:33:11 UTC", "%T", i64(1294230791000000000));
	PRINTS("[    2011 Jan  5 12:33:11]", "[%24Y]", i64(1294230791000000000));
	PRINTS("[2011 Jan  5 12:33:11    ]", "[%-24Y]", i64(1294230791000000000));
	PRINTS("1969 Dec 31 23:59:59", "%Y", i64(-1));
	PRINTS("Fri, 01 Jan 2021 00:00:00 UTC", "%T", i64(1609459200000000000));
	setenv("TZ", "EST5EDT", 1);
	tzset();
	PRINTS("Wed, 05 Jan 2011 07:33:11 EST", "%T", i64(1294230791000000000));
	setenv("TZ", "UTC", 1);
	tzset();
}
END_TEST

START_TEST(test_addresses)
{
	PRINTS("vmlinux`vfs_read", "%a", number(8, false, 0xffffffff81000110));
	PRINTS("vmlinux`vfs_read+0x1f", "%a", number(8, false, 0xffffffff8100012f));
	PRINTS("ext4`ext4_open+0x4", "%a", i64(0xffffffffc0000004));
	PRINTS("0xffffffff81000305", "%a", i64(0xffffffff81000305));
	PRINTS("0x10", "%a", i64(0x10));
	PRINTS("0xffffffffffffffff", "%A", i64(-1));
	PRINTS("[             vmlinux`_text]", "[%26a]", number(8, false, 0xffffffff81000000));
}
END_TEST

START_TEST(test_symbol_values)
{
	static const uint64_t addr = 0xffffffff81000114, user[] = {1234, 0x400123};
	struct value v = {.type = type_special(types, T_SYMADDR), .data = &addr, .size = 8};
	struct value u = {.type = type_special(types, T_USYMADDR), .data = user, .size = 16};

	PRINTS("vmlinux`vfs_read+0x4", "%a", v);
	v.type = type_symaddr(types, SYM_FUNC);
	PRINTS("vmlinux`vfs_read", "%a", v);
	v.type = type_symaddr(types, SYM_MOD);
	PRINTS("vmlinux", "%a", v);
	PRINTS("0x400123", "%A", u);
	ck_assert_uint_eq(syms_canon(ctx.syms, addr, SYM_NAME), addr);
	ck_assert_uint_eq(syms_canon(ctx.syms, addr, SYM_FUNC), 0xffffffff81000110);
	ck_assert_uint_eq(syms_canon(ctx.syms, addr, SYM_MOD), 0xffffffff81000000);
	ck_assert_uint_eq(syms_canon(ctx.syms, 0xffffffffc0000050, SYM_MOD), 0xffffffffc0000000);
	ck_assert_uint_eq(syms_canon(ctx.syms, 0x50, SYM_MOD), 0x50);
}
END_TEST

START_TEST(test_stacks)
{
	static const uint64_t pcs[] = {0xffffffff81000114, 0xffffffffc0000040, 0, 99};
	struct value v = {.type = type_special(types, T_STACK), .data = pcs, .size = sizeof(pcs)};
	struct type user = *v.type;

	PRINTS("x\nvmlinux`vfs_read+0x4\next4`ext4_close\ny", "x%ky", v);
	PRINTS("\n  vmlinux`vfs_read+0x4\n  ext4`ext4_close\n", "%2k", v);
	user.flags |= TF_USERLAND;
	v.type = &user;
	PRINTS("\n0xffffffffc0000040\n", "%k", v);
}
END_TEST

/* All symbols in order, each up to the next one: noise and what has no address left out. */
static void add_symbol(void *arg, const struct ksymbol *sym)
{
	sb_printf(arg, "%s`%s %c %llx-%llx\n", sym->mod, sym->name, sym->type,
		  (unsigned long long)sym->addr, (unsigned long long)sym->end);
}

START_TEST(test_symbols_in_order)
{
	struct strbuf sb = {0};

	syms_each(ctx.syms, add_symbol, &sb);
	ck_assert_str_eq(sb_str(&sb), "vmlinux`_text T ffffffff81000000-ffffffff81000110\n"
				      "vmlinux`vfs_read T ffffffff81000110-ffffffff81000200\n"
				      "vmlinux`some_data d ffffffff81000200-ffffffff81000300\n"
				      "vmlinux`_end B ffffffff81000300-ffffffffc0000000\n"
				      "ext4`ext4_open t ffffffffc0000000-ffffffffc0000040\n"
				      "ext4`ext4_close t ffffffffc0000040-ffffffffc0000041\n");
	sb_free(&sb);
	syms_each(NULL, add_symbol, NULL);
}
END_TEST

/* A hundred thousand addresses: a search each, whether they have names or not. */
START_TEST(test_many_addresses)
{
	const char *mod, *name;
	uint64_t off;
	int found = 0;

	for (uint64_t i = 0; i < 100000; i++)
		found += syms_find(ctx.syms, 0xffffffff80ffff00 + i % 0x500, &mod, &name, &off);
	ck_assert_int_eq(found, 100000 / 0x500 * 0x300);
	ck_assert(!syms_find(ctx.syms, 0x400000, &mod, &name, &off));
}
END_TEST

START_TEST(test_net)
{
	PRINTS("[  no address]", "[%12I]", str("no address"));
	PRINTS("65531", "%P", number(2, false, 65531));
	PRINTS("de ad 00", "%r", chars("\xde\xad\0", 3));
	PRINTS("-5|18446744073709551615|   x|hi", "%v|%v|%4v|%v", i32(-5), number(8, false, -1),
	       str("x"), chars("hi\0", 3));
	ctx.timefmt = "%H-%M";
	PRINTS("01-00|   00-00", "%Y|%8Y", i64(3600000000000), i64(0));
	ctx.timefmt = NULL;
}
END_TEST

/* ---- what is refused */

struct refused {
	const char *format;
	enum tag tag;
	const char *message;
};

static void expect_error(const struct refused *r, const struct type *const *args, int nargs,
			 bool has_agg)
{
	struct diag d = {0};
	struct fmt *f;

	if (setjmp(d.recover)) {
		ck_assert_str_eq(tag_name(d.tag), tag_name(r->tag));
		if (r->message)
			ck_assert_str_eq(d.msg.s, r->message);
		sb_free(&d.msg);
		return;
	}
	f = fmt_parse(arena, &d, (struct loc){0}, r->format, strlen(r->format));
	fmt_check(f, &d, types, (struct loc){0}, has_agg ? "printa" : "printf", args, NULL, nargs,
		  has_agg);
	ck_abort_msg("%s was accepted", r->format);
}

START_TEST(test_bad_syntax)
{
	static const struct refused bad[] = {
	    {"%", D_SYNTAX, "format conversion #1 name expected before end of format string"},
	    {"a %d %-5", D_SYNTAX,
	     "format conversion #2 name expected before end of format string"},
	    {"%z", D_SYNTAX, "format conversion #1 is undefined: %z"},
	    {"%d %5lY", D_SYNTAX, "format conversion #2 is undefined: %5lY"},
	    {"%1$d", D_SYNTAX,
	     "format conversion #1: positional arguments (%n$) are not supported"},
	    {"%16777216d", D_SYNTAX, "format conversion #1 is wider than 16777215"},
	    {"%.99999999999999d", D_SYNTAX, "format conversion #1 is wider than 16777215"},
	    {"%n", D_SYNTAX, "format conversion #1 is undefined: %n"},
	    {"%@s", D_PRINTF_AGG_CONV, "format conversion #1 is not for an aggregation: %@s"},
	    {"%5%", D_SYNTAX, "format conversion #1 is undefined: %5%; a percent sign is %%"},
	    {"%lf", D_SYNTAX, "format conversion #1 is undefined: %lf"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		expect_error(&bad[i], NULL, 0, false);
}
END_TEST

START_TEST(test_bad_arguments)
{
	const struct type *i = type_int(types, 4, true), *l = type_int(types, 8, true),
			  *s = type_string(types);
	const struct type *args[] = {i, s, l};
	static const struct refused few = {"%d", D_PRINTF_ARG_PROTO,
					   "printf( ) prototype mismatch: conversion #1 (%d) is "
					   "missing a corresponding value argument"};
	static const struct refused second = {"%d%% %lld", D_PRINTF_ARG_PROTO,
					      "printf( ) prototype mismatch: conversion #2 (%lld) "
					      "is missing a corresponding value argument"};
	static const struct refused many = {
	    "%d", D_PRINTF_ARG_EXTRA,
	    "printf( ) prototype mismatch: only 1 arguments required by this format string"};
	static const struct refused not_text = {
	    "%s", D_PRINTF_ARG_TYPE,
	    "printf( ) argument #2 is incompatible with conversion #1 prototype:\n\tconversion: "
	    "%s\n"
	    "\t prototype: char [] or string (or use stringof)\n\t  argument: int; %d prints an "
	    "integer"};
	static const struct refused not_int = {"%d %lx", D_PRINTF_ARG_TYPE,
					       "printf( ) argument #3 is incompatible with "
					       "conversion #2 prototype:\n\tconversion: %lx\n"
					       "\t prototype: unsigned long\n\t  argument: string; "
					       "%s prints a string"};
	static const struct refused too_short = {"%lld", D_PRINTF_ARG_TYPE,
						 "printf( ) argument #2 is incompatible with "
						 "conversion #1 prototype:\n\tconversion: %lld\n"
						 "\t prototype: long long\n\t  argument: int"};
	static const struct refused no_width = {"%*d", D_PRINTF_DYN_PROTO,
						"printf( ) prototype mismatch: conversion #1 (%*d) "
						"is missing a corresponding \"*\" argument"};
	static const struct refused bad_prec = {"%d %.*d", D_PRINTF_DYN_TYPE,
						"printf( ) argument #3 is incompatible with "
						"conversion #2 prototype:\n\tconversion: %.*d\n"
						"\t prototype: int\n\t  argument: string"};
	static const struct refused agg = {
	    "%@d", D_PRINTF_AGG_CONV,
	    "%@ conversion requires an aggregation and is not for use with printf( )"};
	static const struct refused few_keys = {"%d %s %@d %d %d", D_PRINTF_ARG_PROTO,
						"printa( ) prototype mismatch: conversion #5 (%d) "
						"is missing a corresponding value argument"};
	static const struct refused time = {"%Y", D_PRINTF_ARG_TYPE, NULL},
				    stack = {"%k", D_PRINTF_ARG_TYPE, NULL},
				    real = {"%f", D_PRINTF_ARG_TYPE, NULL},
				    wide = {"%ls", D_PRINTF_ARG_TYPE, NULL};

	expect_error(&few, NULL, 0, false);
	expect_error(&second, args, 1, false);
	expect_error(&many, args, 2, false);
	expect_error(&not_text, args, 1, false);
	expect_error(&not_int, args, 2, false);
	expect_error(&too_short, args, 1, false);
	expect_error(&no_width, NULL, 0, false);
	expect_error(&bad_prec, args, 3, false);
	expect_error(&agg, NULL, 0, false);
	expect_error(&few_keys, args, 3, true);
	expect_error(&time, args, 1, false);
	expect_error(&stack, args, 1, false);
	expect_error(&real, args, 1, false);
	expect_error(&wide, args, 1, false);
}
END_TEST

START_TEST(test_parsed)
{
	static const char text[] = "%-5d %*.*s %@d %6@d\n";
	struct diag d = {0};
	struct fmt *f = fmt_parse(arena, &d, (struct loc){0}, text, strlen(text));

	ck_assert_int_eq(f->nargs, 4);
	ck_assert_int_eq(f->naggs, 2);
	ck_assert_int_eq(f->npieces, 8);
	ck_assert_int_eq(f->pieces[2].width_arg, 1);
	ck_assert_int_eq(f->pieces[2].prec_arg, 2);
	ck_assert_int_eq(f->pieces[2].arg, 3);
	ck_assert_int_eq(f->pieces[6].arg, 1);
	ck_assert_int_eq(f->pieces[6].width, 6);
}
END_TEST

/* ---- trace() and keys */

static const char *trace(struct value v, bool quiet, uint32_t raw_size)
{
	begin();
	value_trace(&ctx, &v, quiet, raw_size);
	return finish();
}

static const char *key(struct value v)
{
	begin();
	value_key(&ctx, &v, KEY_TEXT_WIDTH);
	return finish();
}

START_TEST(test_trace)
{
	ck_assert_str_eq(trace(i64(-1), false, 0), "                  -1");
	ck_assert_str_eq(trace(i32(42), false, 0), "         42");
	ck_assert_str_eq(trace(number(2, true, -42), false, 0), "   -42");
	ck_assert_str_eq(trace(number(1, true, 42), false, 0), "  42");
	ck_assert_str_eq(trace(number(8, false, 42), false, 0), "                   42");
	ck_assert_str_eq(trace(number(4, false, UINT32_MAX), false, 0), " 4294967295");
	ck_assert_str_eq(trace(number(2, false, UINT16_MAX), false, 0), " 65535");
	ck_assert_str_eq(trace(number(1, false, UINT8_MAX), false, 0), " 255");
	ck_assert_str_eq(trace(i64(-1), true, 0), "-1");
	ck_assert_str_eq(trace(number(8, false, -1), true, 0), "18446744073709551615");
	ck_assert_str_eq(trace(str("bash"), false, 0), "  bash                             ");
	ck_assert_str_eq(trace(str(""), false, 0), "                                   ");
	ck_assert_str_eq(trace(str("bash"), true, 0), "bash");
	ck_assert_str_eq(trace(chars("ab\0\0", 4), true, 0), "ab");
	ck_assert_str_eq(trace(chars("\0\0\0\0", 4), true, 0), "");
}
END_TEST

#define DUMP_HEAD \
	"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"

START_TEST(test_bytes)
{
	static const char dump[] =
	    DUMP_HEAD "         0: 61 62 00 7f                                      ab..\n";
	char bytes[] = "0123456789abcdef\n~";

	ck_assert_str_eq(trace(chars("ab\0\x7f", 4), false, 0), dump);
	ck_assert_str_eq(trace(chars("ab\0\x7f", 4), true, 0), dump);
	ck_assert_str_eq(trace(chars("\001b\0", 3), true, 0), DUMP_HEAD
			 "         0: 01 62 00                                         .b.\n");
	ck_assert_str_eq(trace(chars("abc", 3), true, 0), "abc");
	ck_assert_str_eq(trace(chars("ab\x01", 3), true, 0), DUMP_HEAD
			 "         0: 61 62 01                                         ab.\n");
	ck_assert_str_eq(trace(str("abc"), true, 4), DUMP_HEAD
			 "         0: 61 62 63 00                                      abc.\n");
	ck_assert_str_eq(trace(str("abc"), true, 6), DUMP_HEAD
			 "         0: 61 62 63 00 00 00                                abc...\n");
	ck_assert_str_eq(trace(chars("ab\0", 3), true, 6), DUMP_HEAD
			 "         0: 61 62 00                                         ab.\n");
	begin();
	value_dump(&ctx, bytes, 18);
	ck_assert_str_eq(
	    finish(), DUMP_HEAD
	    "         0: 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  0123456789abcdef\n"
	    "        10: 0a 7e                                            .~\n");
}
END_TEST

START_TEST(test_keys)
{
	static const uint64_t addr = 0xffffffffc0000041;
	struct value v = {.type = type_special(types, T_SYMADDR), .data = &addr, .size = 8};

	ck_assert_str_eq(key(i64(42)), "               42");
	ck_assert_str_eq(key(i64(INT64_MIN)), " -9223372036854775808");
	ck_assert_str_eq(key(i32(-42)), "      -42");
	ck_assert_str_eq(key(number(4, false, UINT32_MAX)), " 4294967295");
	ck_assert_str_eq(key(number(2, true, 42)), "    42");
	ck_assert_str_eq(key(number(1, true, -4)), "  -4");
	ck_assert_str_eq(key(str("bash")), "  bash                                              ");
	ck_assert_str_eq(key(chars("sh\0\0", 4)),
			 "  sh                                                ");
	ck_assert_str_eq(key(v), "  ext4`ext4_close+0x1                               ");
	v.type = type_special(types, T_STACK);
	ck_assert_str_eq(key(v), "\n              ext4`ext4_close+0x1\n");
}
END_TEST

Suite *fmt_suite(void)
{
	Suite *s = suite_create("fmt");
	TCase *tc = tcase_create("fmt");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_plain);
	tcase_add_test(tc, test_integers);
	tcase_add_test(tc, test_wide_fields);
	tcase_add_test(tc, test_strings);
	tcase_add_test(tc, test_wide_strings);
	tcase_add_test(tc, test_enum);
	tcase_add_test(tc, test_floats);
	tcase_add_test(tc, test_times);
	tcase_add_test(tc, test_addresses);
	tcase_add_test(tc, test_symbol_values);
	tcase_add_test(tc, test_stacks);
	tcase_add_test(tc, test_net);
	tcase_add_test(tc, test_bad_syntax);
	tcase_add_test(tc, test_bad_arguments);
	tcase_add_test(tc, test_parsed);
	tcase_add_test(tc, test_trace);
	tcase_add_test(tc, test_bytes);
	tcase_add_test(tc, test_keys);
	tcase_add_test(tc, test_symbols_in_order);
	tcase_add_test(tc, test_many_addresses);
	suite_add_tcase(s, tc);
	return s;
}
