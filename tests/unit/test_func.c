/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the kernel: lists of tracefs, of modules and of symbols that are made here, broken
 * ones among them, and types from a little BTF.
 */
#include <bpf/btf.h>
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/provider/func.h"
#include "libdt/provider/prov.h"

static char root[64];
static struct arena *arena;
static struct types *types;
static struct probes *ps;

static const char *put(const char *file, const char *text, size_t len)
{
	const char *path = arena_printf(arena, "%s/%s", root, file);
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(text, 1, len, f), len);
	fclose(f);
	return path;
}

static const char *puts_file(const char *file, const char *text)
{
	return put(file, text, strlen(text));
}

static const char modules[] = "young 4096 0 - Live 0xffffffffc0002000\n"
			      "old 4096 1 young, Live 0xffffffffc0000000\n";

static const char kallsyms[] = "ffffffff81000000 T _text\n"
			       "ffffffff81000100 T do_thing\n"
			       "ffffffff81000140 t helper.isra.0\n"
			       "ffffffff81000180 t untraced\n"
			       "ffffffff81000200 D data_thing\n"
			       "ffffffffc0000010 t old_open\t[old]\n"
			       "ffffffffc0000050 t old_open.cold\t[old]\n";

/* One struct, and functions of it. */
static void write_btf(const char *path)
{
	struct btf *b = btf__new_empty();
	int i32 = btf__add_int(b, "int", 4, BTF_INT_SIGNED),
	    u64 = btf__add_int(b, "long unsigned int", 8, 0);
	int thing, pair, ptr, proto, size;
	const void *data;

	thing = btf__add_struct(b, "thing", 8);
	btf__add_field(b, "count", i32, 0, 0);
	ptr = btf__add_ptr(b, thing);
	pair = btf__add_struct(b, "pair", 16);
	btf__add_field(b, "a", u64, 0, 0);
	btf__add_field(b, "b", u64, 64, 0);
	proto = btf__add_func_proto(b, i32);
	btf__add_func_param(b, "thing", ptr);
	btf__add_func_param(b, "pair", pair);
	btf__add_func_param(b, "size", u64);
	btf__add_func(b, "do_thing", BTF_FUNC_STATIC, proto);
	proto = btf__add_func_proto(b, 0);
	btf__add_func(b, "forget", BTF_FUNC_STATIC, proto);
	btf__add_func(b, "no_symbol", BTF_FUNC_STATIC, proto);
	data = btf__raw_data(b, (uint32_t *)&size);
	put(path, data, (size_t)size);
	btf__free(b);
}

static void open_table(bool with_types)
{
	arena = arena ? arena : arena_new();
	types = types_new(false, with_types ? arena_printf(arena, "%s/btf", root) : "none");
	ps = probes_new(arena, types, NULL);
	probes_set_tracefs(ps, root);
	funcs_set_files(ps, puts_file("modules", modules), puts_file("kallsyms", kallsyms));
}

static void setup(void)
{
	snprintf(root, sizeof(root), "/tmp/test_func.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	arena = arena_new();
	write_btf("btf");
}

static void teardown(void)
{
	char cmd[128];

	probes_free(ps);
	ps = NULL;
	types_free(types);
	types = NULL;
	arena_free(arena);
	arena = NULL;
	snprintf(cmd, sizeof(cmd), "rm -r %s", root);
	ck_assert_int_eq(system(cmd), 0);
}

static void collect(void *arg, struct probe *p)
{
	struct strbuf *sb = arg;

	sb_printf(sb, "%s%u %s:%s:%s:%s", sb->len ? " " : "", p->id, p->prov, p->mod, p->func,
		  p->name);
}

static const char *matches_desc(const struct pdesc *pd)
{
	struct strbuf sb = {0};
	const char *result;

	probes_match(ps, pd, collect, &sb);
	result = arena_strdup(arena, sb_str(&sb));
	sb_free(&sb);
	return result;
}

static const char *matches(const char *text)
{
	struct pdesc pd;

	ck_assert(pdesc_parse(arena, text, 3, &pd));
	return matches_desc(&pd);
}

static struct probe *probe(const char *text)
{
	struct probe *p;
	struct pdesc pd;

	ck_assert(pdesc_parse(arena, text, 3, &pd));
	p = probes_first(ps, &pd);
	ck_assert_msg(p != NULL, "%s", text);
	probe_args(ps, p);
	return p;
}

/* Ids: 550000 + 2 * number; without types 500000 + the place in the list, and modules from 750000
 * on, each 130000 further, 100000 after. */
START_TEST(list)
{
	puts_file("available_filter_functions", "do_thing\nforget\nhelper.isra.0\n__pfx_do_thing\n"
						"split.cold\nold_open [old]\nnew_open [young]\n");
	open_table(false);
	ck_assert_str_eq(matches("fbt:::entry"),
			 "1550000 fbt:vmlinux:do_thing:entry 1550002 fbt:vmlinux:forget:entry "
			 "2250000 fbt:old:old_open:entry 2510000 fbt:young:new_open:entry");
	ck_assert_str_eq(
	    matches("rawfbt:vmlinux::return"),
	    "133050001 rawfbt:vmlinux:do_thing:return 133050003 rawfbt:vmlinux:forget:return "
	    "133050005 rawfbt:vmlinux:helper.isra.0:return");
	ck_assert_str_eq(matches("fbt:o*d:*open:"),
			 "2250000 fbt:old:old_open:entry 2250001 fbt:old:old_open:return");
	ck_assert_str_eq(matches("fbt:old:do_thing:"), "");
	ck_assert_str_eq(matches("fbt:none::"), "");
	ck_assert_str_eq(matches("fbt::split.cold:"), "");
	ck_assert_str_eq(matches("fbt::helper.isra.0:"), "");
	ck_assert_str_eq(matches("fbt:::begin"), "");
	ck_assert_str_eq(probe("fbt::do_thing:entry")->no_args,
			 "kernel types are turned off (-x btfpath=none)");
}
END_TEST

/* Addresses are those of the symbols: of functions, in the same module. */
START_TEST(with_addresses)
{
	puts_file("available_filter_functions",
		  "do_thing\nold_open [old]\ndata_thing\nold_open [young]\n");
	open_table(false);
	ck_assert_uint_eq(probe("fbt::do_thing:return")->target.addr, 0xffffffff81000100);
	ck_assert_uint_eq(probe("fbt:old:old_open:entry")->target.addr, 0xffffffffc0000010);
	ck_assert_uint_eq(probe("fbt:young:old_open:entry")->target.addr, 0);
	ck_assert_uint_eq(probe("fbt::data_thing:entry")->target.addr, 0);
}
END_TEST

/* Several functions of one name in a module are one probe; another module's is another. */
START_TEST(same_name)
{
	puts_file("available_filter_functions",
		  "show\nshow\nshow [old]\nother\nshow [young]\nshow [old]\n");
	open_table(false);
	ck_assert_str_eq(matches("fbt::show:entry"),
			 "1550000 fbt:vmlinux:show:entry 2250000 fbt:old:show:entry "
			 "2510000 fbt:young:show:entry");
	ck_assert_str_eq(matches("fbt:vmlinux:other:entry"), "1550004 fbt:vmlinux:other:entry");
}
END_TEST

/* Functions that the compiler left clones of only are found by their names; all others mean what
 * they say. */
START_TEST(clones)
{
	puts_file("available_filter_functions",
		  "one.isra.0\ntwo.constprop.0.isra.12\ntwo.part.3\ntwo.cold\nother.llvm.7\n"
		  "do_thing\ndo_thing.part.0\nold_one.isra.0 [old]\n");
	open_table(false);
	ck_assert_str_eq(matches("fbt::one:entry"), "1550000 fbt:vmlinux:one:entry");
	ck_assert_str_eq(probe("fbt::one:return")->target.name, "one.isra.0");
	ck_assert_str_eq(matches("fbt::two:entry"),
			 "1550002 fbt:vmlinux:two:entry 1550004 fbt:vmlinux:two:entry");
	ck_assert_str_eq(matches("fbt::do_thing:entry"), "1550010 fbt:vmlinux:do_thing:entry");
	ck_assert_str_eq(matches("fbt:old:old_one:return"), "2250001 fbt:old:old_one:return");
	ck_assert_str_eq(matches("fbt::other:entry"), "");
	ck_assert_str_eq(matches("fbt::on:entry"), "");
	ck_assert_str_eq(matches("rawfbt::one:entry"), "");
}
END_TEST

START_TEST(no_return)
{
	puts_file("available_filter_functions", "do_exit\ndo_thing\n");
	open_table(false);
	ck_assert_str_eq(matches("fbt::do_exit:"), "1550000 fbt:vmlinux:do_exit:entry");
}
END_TEST

/* The same number whether the function is looked up or listed. */
START_TEST(inner)
{
	static const char *const are[] = {"__bpf_get_stack", "__rcu_read_lock", "htab_map_hash",
					  "migrate_enable", "unwind_next_frame"};
	static const char *const are_not[] = {"", "__rcu_read", "a", "vfs_read", "zap"};

	for (size_t i = 0; i < ARRAY_SIZE(are); i++)
		ck_assert_msg(func_is_recursive(are[i]), "%s", are[i]);
	for (size_t i = 0; i < ARRAY_SIZE(are_not); i++)
		ck_assert_msg(!func_is_recursive(are_not[i]), "%s", are_not[i]);
}
END_TEST

START_TEST(numbers)
{
	const char *looked_up;
	struct pdesc pd = {.prov = "", .mod = "", .func = "", .name = ""};

	puts_file("available_filter_functions", "first\nforget\ndo_thing\n");
	open_table(true);
	looked_up = matches("fbt::do_thing:");
	ck_assert_str_eq(matches("fbt::do*:"), looked_up);
	ck_assert_str_eq(looked_up,
			 "550014 fbt:vmlinux:do_thing:entry 550015 fbt:vmlinux:do_thing:return");
	ck_assert_str_eq(matches("fbt::first:entry"), "1550000 fbt:vmlinux:first:entry");
	pd.id = pd.id_last = 132050015;
	ck_assert_str_eq(matches_desc(&pd), "132050015 rawfbt:vmlinux:do_thing:return");
	pd.id = 550015;
	pd.id_last = 1550000;
	ck_assert_str_eq(matches_desc(&pd),
			 "550015 fbt:vmlinux:do_thing:return 550018 fbt:vmlinux:forget:entry "
			 "550019 fbt:vmlinux:forget:return 1550000 fbt:vmlinux:first:entry");
}
END_TEST

/* Without a list of tracefs: what types and symbols both have. */
START_TEST(symbols)
{
	open_table(true);
	ck_assert_str_eq(matches("fbt::*:entry"), "550014 fbt:vmlinux:do_thing:entry");
	ck_assert_uint_eq(probe("fbt::do_t*:entry")->target.addr, 0xffffffff81000100);
	ck_assert(func_is_traceable(ps, "vmlinux", "nobody knows"));
}
END_TEST

static const char *args_text(struct probe *p)
{
	struct strbuf sb = {0};
	const char *result;

	for (int i = 0; i < p->nargs; i++)
		sb_printf(&sb, "%s%s %s", i ? ", " : "", type_text(types, p->args[i].type),
			  p->args[i].name ? p->args[i].name : "-");
	result = arena_strdup(arena, sb_str(&sb));
	sb_free(&sb);
	return result;
}

START_TEST(arguments)
{
	struct probe *p;

	puts_file("available_filter_functions", "do_thing\nforget\nbare\n");
	open_table(true);
	p = probe("fbt::do_thing:entry");
	ck_assert_str_eq(
	    args_text(p),
	    "struct thing * thing, unsigned long pair, unsigned long -, unsigned long size");
	ck_assert(p->is_entry && !p->is_return && p->hook == HOOK_KPROBE);
	ck_assert_uint_eq(p->target.btf_id, 0); /* it is a file's, not this kernel's */
	p = probe("fbt::do_thing:return");
	ck_assert_str_eq(args_text(p), "long -, int -");
	ck_assert(!p->is_entry && p->is_return && p->hook == HOOK_KRETPROBE);
	ck_assert_str_eq(args_text(probe("fbt::forget:return")), "long -");
	ck_assert_str_eq(args_text(probe("fbt::forget:entry")), "");
	ck_assert_ptr_null(probe("fbt::forget:entry")->no_args);
	ck_assert_str_eq(probe("fbt::bare:entry")->no_args,
			 "the kernel has no type data (BTF) of this function; its arguments are in "
			 "arg0, arg1 ...");
	ck_assert_str_eq(args_text(probe("rawfbt::do_thing:return")), "long -, int -");
}
END_TEST

/* Of another kernel all may that return a number; why others may not. */
START_TEST(returning)
{
	static const struct {
		const char *probe, *why;
	} refused[] = {
	    {"fbt::do_thing:return", "the function returns at once from its entry only"},
	    {"fbt::forget:entry", "it returns nothing"},
	    {"fbt::bare:entry", "the kernel has no type data (BTF) of what it returns"},
	};
	const struct type *t;
	const char *why;
	struct probe *p;

	puts_file("available_filter_functions", "do_thing\nforget\nbare\n");
	open_table(true);
	p = probe("rawfbt::do_thing:entry");
	t = p->provider->can_return(ps, p, true, &why);
	ck_assert_str_eq(type_text(types, t), "int");
	ck_assert_ptr_null(why);
	ck_assert(p->can_override);
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		p = probe(refused[i].probe);
		ck_assert_ptr_null(p->provider->can_return(ps, p, false, &why));
		ck_assert_str_eq(why, refused[i].why);
	}
	ck_assert_ptr_null(probe("fbt::do_thing:1c")
			       ->provider->can_return(ps, probe("fbt::do_thing:1c"), false, &why));
	ck_assert_ptr_null(probe("kinst::do_thing:16")->provider->can_return);
}
END_TEST

START_TEST(instructions)
{
	struct probe *p;

	puts_file("available_filter_functions", "do_thing\n");
	open_table(true);
	p = probe("fbt::do_thing:1c");
	ck_assert_uint_eq(p->target.offset, 0x1c);
	ck_assert_uint_eq(p->target.addr, 0);
	ck_assert(!p->is_entry && !p->is_return && p->hook == HOOK_KPROBE);
	ck_assert_str_eq(p->no_args, "an instruction has no arguments");
	ck_assert_str_eq(matches("fbt::do_thing:1c"), "500000 fbt:vmlinux:do_thing:1c");
	ck_assert_str_eq(matches("kinst::do_thing:16"), "500001 kinst:vmlinux:do_thing:16");
	ck_assert_uint_eq(probe("kinst::do_thing:16")->target.offset, 16);
	ck_assert_uint_eq(probe("kinst::do_thing:0x16")->target.offset, 0x16);
	ck_assert_str_eq(matches("fbt::do_thing:3f"), "500003 fbt:vmlinux:do_thing:3f");
	ck_assert_str_eq(matches("fbt::do_thing:40"), ""); /* the next symbol */
	ck_assert_str_eq(matches("fbt::do_thing:-1"), "");
	ck_assert_str_eq(matches("fbt::do_thing:ffffffffffffffffff"), "");
	/* made already */
	ck_assert_str_eq(matches("fbt::do_*:1c"), "500000 fbt:vmlinux:do_thing:1c");
	ck_assert_str_eq(matches("fbt:::1d"), "");
	ck_assert_str_eq(matches("kinst::do_thing:entry"), "");
	ck_assert_uint_eq(func_size(ps, "vmlinux", "do_thing"), 0x40);
	ck_assert_uint_eq(func_size(ps, "old", "old_open"), 0x40);
	ck_assert_uint_eq(func_size(ps, "old", "do_thing"), 0);
	ck_assert_uint_eq(func_size(ps, "old", "old_open.cold"), 0); /* the last one */
}
END_TEST

static const struct {
	const char *text;
	const char *matches;
} hostile[] = {
    {"", ""},
    {"\n\n\n", ""},
    {"one", "one"}, /* no newline at the end */
    {" one\n\tone\n", ""},
    {"one \none [\none []\none ]\n", "one"},
    {"one [bpf]\ntwo [__builtin__ftrace]\nthree [old\n", "three"},
    {"one two three\nfour\n", "four"},
    {"__ftrace_invalid_address___1234\nreal\n", "real"},
    {"a/b\na*\n\x80\xff\n../x\n%s%n\nok\n", "ok"},
    {"[old]\n [old]\n", ""},
};

START_TEST(hostile_lists)
{
	const char *got = "";
	struct pdesc pd = {.prov = "fbt", .mod = "", .func = "", .name = "entry"};
	struct strbuf sb = {0};

	puts_file("available_filter_functions", hostile[_i].text);
	open_table(false);
	probes_match(ps, &pd, collect, &sb);
	if (sb.len) {
		char *colon = strrchr(sb.s, ':');

		*colon = '\0';
		got = strrchr(sb.s, ':') + 1;
	}
	ck_assert_str_eq(got, hostile[_i].matches);
	sb_free(&sb);
}
END_TEST

/* Long lines, zero bytes, and a list larger than what is read at once. */
START_TEST(large)
{
	size_t n = 30000, at = 0;
	char *text = xmalloc(n * 24 + 10000);
	struct pdesc pd = {.prov = "fbt", .mod = "", .func = "", .name = "entry"};

	memset(text, 'x', 5000);
	at = 5000;
	text[at++] = '\n';
	for (size_t i = 0; i < n; i++)
		at += (size_t)sprintf(text + at, "function_%zu\n", i);
	memcpy(text + at, "seen\nnul\0seen_not\n", 18);
	put("available_filter_functions", text, at + 18);
	free(text);
	open_table(false);
	ck_assert_int_eq(probes_match(ps, &pd, NULL, NULL), (int)n + 2);
	ck_assert_str_eq(matches("fbt::function_29999:entry"),
			 "1609998 fbt:vmlinux:function_29999:entry");
}
END_TEST

START_TEST(typos)
{
	struct pdesc pd;

	puts_file("available_filter_functions", "do_thing\nforget\nold_open [old]\n");
	open_table(true);
	ck_assert(pdesc_parse(arena, "fbt::do_thign:entry", 3, &pd));
	ck_assert_str_eq(probes_suggest(ps, &pd), "fbt::do_thing:entry");
	ck_assert(pdesc_parse(arena, "fbt:olde:old_open:entry", 3, &pd));
	ck_assert_str_eq(probes_suggest(ps, &pd), "fbt:old:old_open:entry");
	ck_assert(pdesc_parse(arena, "fbt::do_thing:return1", 3, &pd));
	ck_assert_str_eq(probes_suggest(ps, &pd), "fbt::do_thing:return");
}
END_TEST

Suite *func_suite(void)
{
	Suite *s = suite_create("func");
	TCase *tc = tcase_create("lists");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, list);
	tcase_add_test(tc, with_addresses);
	tcase_add_test(tc, same_name);
	tcase_add_test(tc, no_return);
	tcase_add_test(tc, clones);
	tcase_add_test(tc, inner);
	tcase_add_test(tc, numbers);
	tcase_add_test(tc, symbols);
	tcase_add_test(tc, arguments);
	tcase_add_test(tc, returning);
	tcase_add_test(tc, instructions);
	tcase_add_loop_test(tc, hostile_lists, 0, sizeof(hostile) / sizeof(hostile[0]));
	tcase_add_test(tc, large);
	tcase_add_test(tc, typos);
	suite_add_tcase(s, tc);
	return s;
}
