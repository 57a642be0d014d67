/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types read from a kernel: BTF that libbpf makes here, and format files of tracepoints. Needs
 * neither root nor a kernel with BTF.
 */
#include <check.h>
#include <bpf/btf.h>
#include <fcntl.h>
#include <stdio.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/process/foreign.h"
#include "libdt/type/btfcopy.h"
#include "libdt/type/convert.h"
#include "libdt/type/raw.h"
#include "libdt/type/type.h"

static char path[] = "/tmp/dt-btf-XXXXXX";
static struct types *types;

static void write_file(const void *data, size_t size)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(data, 1, size, f), size);
	ck_assert_int_eq(fclose(f), 0);
}

static void write_btf(struct btf *b)
{
	uint32_t size;
	const void *data = btf__raw_data(b, &size);

	write_file(data, size);
}

#define must(call) must_work(call, #call)

static int must_work(int id, const char *call)
{
	ck_assert_msg(id >= 0, "%s: %d", call, id);
	return id;
}

/* Tracepoint, functions, and what they need: task is the struct's id. */
static void add_functions(struct btf *b, int i32, int u64, int task)
{
	int ptask = must(btf__add_ptr(b, task)), pvoid = must(btf__add_ptr(b, 0)), proto;
	int user = must(btf__add_type_tag(b, "user", must(btf__add_const(b, i32))));
	int puser = must(btf__add_ptr(b, user));

	proto = must(btf__add_func_proto(b, 0));
	must(btf__add_func_param(b, "__data", pvoid));
	must(btf__add_func_param(b, "preempt", i32));
	must(btf__add_func_param(b, "prev", ptask));
	must(btf__add_typedef(b, "btf_trace_sched_switch", must(btf__add_ptr(b, proto))));
	proto = must(btf__add_func_proto(b, u64));
	must(btf__add_func_param(b, "task", ptask));
	must(btf__add_func_param(b, "buf", puser));
	must(btf__add_func_param(b, NULL, 0));
	must(btf__add_func(b, "vfs_thing", BTF_FUNC_STATIC, proto));
}

/* One variable of each CPU's, one that all share. */
static void add_variables(struct btf *b, int i32, int task)
{
	int each = must(btf__add_var(b, "current_thing", BTF_VAR_GLOBAL_ALLOCATED,
				     must(btf__add_ptr(b, task))));
	int shared = must(btf__add_var(b, "thing_count", BTF_VAR_STATIC, i32));

	must(btf__add_datasec(b, ".data..percpu", 8));
	must(btf__add_datasec_var_info(b, each, 0, 8));
	must(btf__add_datasec(b, ".bss", 4));
	must(btf__add_datasec_var_info(b, shared, 0, 4));
}

static void add_enums(struct btf *b)
{
	must(btf__add_enum(b, "state", 4));
	must(btf__add_enum_value(b, "RUNNING", 0));
	must(btf__add_enum_value(b, "DEAD", -5));
	must(btf__add_enum64(b, "wide", 8, false));
	must(btf__add_enum64_value(b, "WIDE", 0x123456789aull));
	must(btf__add_enum(b, NULL, 4));
	must(btf__add_enum_value(b, "NAMELESS", 7));
}

/* A little kernel. */
static struct btf *make_kernel(void)
{
	struct btf *b = btf__new_empty();
	int i32 = must(btf__add_int(b, "int", 4, BTF_INT_SIGNED));
	int chr = must(btf__add_int(b, "char", 1, 0));
	int u64 = must(btf__add_int(b, "long unsigned int", 8, 0));
	int u32 = must(btf__add_int(b, "unsigned int", 4, 0));
	int pid = must(btf__add_typedef(b, "pid_t", i32));
	int comm = must(btf__add_array(b, i32, chr, 16));
	int later = must(btf__add_fwd(b, "later", BTF_FWD_STRUCT));
	int never = must(btf__add_fwd(b, "never", BTF_FWD_UNION));
	int plater = must(btf__add_ptr(b, later)), pnever = must(btf__add_ptr(b, never));
	int inner, anon, task, parent;

	inner = must(btf__add_struct(b, NULL, 16));
	must(btf__add_field(b, "x", i32, 0, 0));
	must(btf__add_field(b, "y", u64, 64, 0));
	anon = must(btf__add_union(b, NULL, 16));
	must(btf__add_field(b, NULL, inner, 0, 0));
	must(btf__add_field(b, "all", comm, 0, 0));
	parent = must(btf__add_ptr(b, anon + 2)); /* of const, of the task that comes next */
	must(btf__add_const(b, anon + 3));
	task = must(btf__add_struct(b, "task", 64));
	must(btf__add_field(b, "pid", pid, 0, 0));
	must(btf__add_field(b, "on", u32, 32, 1));
	must(btf__add_field(b, "flags", u32, 33, 12));
	must(btf__add_field(b, NULL, anon, 64, 0));
	must(btf__add_field(b, "comm", comm, 192, 0));
	must(btf__add_field(b, "parent", parent, 320, 0));
	must(btf__add_field(b, "later", plater, 384, 0));
	must(btf__add_field(b, "never", pnever, 448, 0));
	must(btf__add_struct(b, "later", 0)); /* one without members is not what is meant */
	must(btf__add_struct(b, "later", 8));
	must(btf__add_field(b, "v", u64, 0, 0));
	must(btf__add_typedef(b, "task_t", task));
	must(btf__add_typedef(b, "code", i32));
	must(btf__add_struct(b, "packed", 5));
	must(btf__add_field(b, "a", chr, 0, 0));
	must(btf__add_field(b, "b", i32, 8, 0));
	add_functions(b, i32, u64, task);
	add_variables(b, i32, task);
	add_enums(b);
	return b;
}

static void setup(void)
{
	struct btf *b;
	int fd;

	strcpy(path, "/tmp/dt-btf-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	b = make_kernel();
	write_btf(b);
	btf__free(b);
	types = types_new(false, path);
}

static void teardown(void)
{
	types_free(types);
	unlink(path);
}

static void check_member(const struct type *t, const char *name, uint64_t bit_off, unsigned bits,
			 const char *text)
{
	uint64_t off;
	const struct member *m = type_member(types, t, name, &off);

	ck_assert_msg(m != NULL, "no member %s", name);
	ck_assert_uint_eq(off, bit_off);
	ck_assert_uint_eq(m->bits, bits);
	ck_assert_str_eq(type_text(types, m->type), text);
}

START_TEST(members)
{
	const struct type *t = type_find(types, NULL, "struct task");

	ck_assert_ptr_nonnull(t);
	ck_assert_str_eq(t->module, "vmlinux");
	ck_assert(t->flags & TF_INCOMPLETE);
	ck_assert_int_eq(t->nmembers, 0);
	ck_assert_uint_eq(type_size(types, t), 64);
	ck_assert_ptr_eq(type_complete(types, t), t);
	ck_assert_int_eq(t->nmembers, 8);
	ck_assert(!(t->flags & TF_INCOMPLETE));
	check_member(t, "pid", 0, 0, "pid_t");
	check_member(t, "on", 32, 1, "unsigned int");
	check_member(t, "flags", 33, 12, "unsigned int");
	check_member(t, "x", 64, 0, "int");
	check_member(t, "y", 128, 0, "unsigned long");
	check_member(t, "all", 64, 0, "char [16]");
	check_member(t, "comm", 192, 0, "char [16]");
	check_member(t, "parent", 320, 0, "const struct task *");
	check_member(t, "never", 448, 0, "union never *");
	ck_assert_ptr_null(type_member(types, t, "nosuch", NULL));
	ck_assert_ptr_null(type_member(types, t, "", NULL));
	ck_assert_uint_eq(type_align(types, t), 8);
	ck_assert_uint_eq(type_align(types, type_find(types, NULL, "struct packed")), 1);
	ck_assert_uint_ne(type_btf_id(t), 0);
}
END_TEST

START_TEST(lookup)
{
	const struct type *t = type_find(types, NULL, "struct task"), *later;

	ck_assert_ptr_eq(type_find(types, "vmlinux", "struct task"), t);
	ck_assert_ptr_null(type_find(types, "D", "struct task"));
	ck_assert_ptr_null(type_find(types, "nosuchmod", "struct task"));
	ck_assert_ptr_null(type_find(types, "../x", "struct task"));
	ck_assert_ptr_null(type_find(types, NULL, "union task"));
	ck_assert_ptr_null(type_find(types, NULL, "task"));
	ck_assert_ptr_eq(type_base(type_find(types, NULL, "task_t")), t);
	ck_assert_ptr_eq(type_find(types, NULL, "const struct task *"),
			 type_member(types, t, "parent", NULL)->type);
	ck_assert_ptr_null(types_kernel_error(types));
	/* from the search to the index */
	for (int i = 0; i < 20; i++) {
		ck_assert_ptr_eq(type_find(types, NULL, "struct task"), t);
		ck_assert_ptr_null(type_find(types, NULL, "struct nosuch"));
		ck_assert_ptr_nonnull(type_kernel_func(types, NULL, "vfs_thing"));
		ck_assert_ptr_null(type_kernel_func(types, NULL, "task"));
	}
	ck_assert(type_is_name(types, "task_t"));
	ck_assert(type_is_name(types, "`task_t"));
	ck_assert(type_is_name(types, "vmlinux`task_t"));
	ck_assert(!type_is_name(types, "task"));
	ck_assert(!type_is_name(types, "code")); /* more likely a variable */
	ck_assert(type_is_name(types, "`code"));
	ck_assert_str_eq(type_text(types, type_find(types, NULL, "code")), "code");

	later = type_base(type_member(types, t, "later", NULL)->type)->ref;
	ck_assert_int_eq(later->kind, T_FWD);
	ck_assert_uint_eq(type_size(types, later), 8);
	check_member(later, "v", 0, 0, "unsigned long");
	ck_assert_int_eq(type_base(later)->kind, T_STRUCT);
	later = type_base(type_member(types, t, "never", NULL)->type)->ref;
	ck_assert_int_eq(type_complete(types, later)->kind, T_FWD);
}
END_TEST

START_TEST(names_do_not_open)
{
	/* What the path leads to is only seen when something needs it. */
	unlink(path);
	ck_assert_ptr_nonnull(type_find(types, NULL, "uint64_t"));
	ck_assert(type_is_name(types, "u64"));
	ck_assert(!type_is_name(types, "task"));
	ck_assert_ptr_null(type_find(types, NULL, "struct task"));
	ck_assert_ptr_nonnull(types_kernel_error(types));
	ck_assert_ptr_nonnull(strstr(types_kernel_error(types), "No such file"));
}
END_TEST

START_TEST(functions)
{
	const struct type *t = type_tracepoint(types, "sched_switch");

	ck_assert_ptr_nonnull(t);
	ck_assert_str_eq(type_text(types, t), "void (int, struct task *)");
	ck_assert_ptr_null(type_tracepoint(types, "nosuch"));
	ck_assert_uint_ne(type_tracepoint_id(types, "sched_switch"), 0);
	ck_assert_uint_eq(type_tracepoint_id(types, "nosuch"), 0);

	t = type_kernel_func(types, NULL, "vfs_thing");
	ck_assert_ptr_nonnull(t);
	ck_assert_str_eq(type_text(types, t), "unsigned long (struct task *, const int *, ...)");
	ck_assert(type_base(t->params[1])->flags & TF_USERLAND);
	ck_assert(!(type_base(t->params[0])->flags & TF_USERLAND));
	ck_assert_uint_ne(type_kernel_func_id(types, "vmlinux", "vfs_thing"), 0);
	ck_assert_uint_eq(type_kernel_func_id(types, NULL, "nosuch"), 0);
}
END_TEST

START_TEST(variables)
{
	const struct type *t;
	bool percpu;

	for (int i = 0; i < 10; i++) { /* from the search to the index */
		t = type_kernel_var(types, NULL, "current_thing", &percpu);
		ck_assert_ptr_nonnull(t);
		ck_assert_str_eq(type_text(types, t), "struct task *");
		ck_assert(percpu);
		t = type_kernel_var(types, "vmlinux", "thing_count", &percpu);
		ck_assert_ptr_nonnull(t);
		ck_assert_str_eq(type_text(types, t), "int");
		ck_assert(!percpu);
		ck_assert_ptr_null(type_kernel_var(types, NULL, "vfs_thing", &percpu));
		ck_assert_ptr_null(type_kernel_var(types, NULL, "task", &percpu));
		ck_assert_ptr_null(type_kernel_var(types, "nosuch", "thing_count", &percpu));
	}
	ck_assert_ptr_null(type_find(types, NULL, "thing_count"));
}
END_TEST

START_TEST(enumerators)
{
	const struct type *t;
	int64_t value = 0;

	ck_assert(type_enumerator(types, NULL, "DEAD", &value, NULL)); /* opens what it needs */
	ck_assert(!type_enumerator(types, "D", "DEAD", &value, NULL));
	ck_assert(!type_enumerator(types, "nosuch", "DEAD", &value, NULL));
	value = 0;
	t = type_find(types, NULL, "enum state");
	ck_assert_ptr_nonnull(t);
	ck_assert(type_is_signed(t));
	ck_assert_int_eq(t->nenums, 2);
	ck_assert(type_enumerator(types, NULL, "DEAD", &value, &t));
	ck_assert_int_eq(value, -5);
	ck_assert_ptr_eq(t, type_find(types, NULL, "enum state"));
	ck_assert(type_enumerator(types, NULL, "WIDE", &value, &t));
	ck_assert_int_eq(value, 0x123456789all);
	ck_assert_uint_eq(t->size, 8);
	ck_assert(type_enumerator(types, NULL, "NAMELESS", &value, &t));
	ck_assert_int_eq(value, 7);
	ck_assert(!type_enumerator(types, NULL, "nosuch", &value, NULL));
}
END_TEST

START_TEST(described)
{
	struct strbuf sb = {0};

	type_describe(types, type_find(types, NULL, "struct task"), &sb);
	ck_assert_str_eq(sb.s, "struct task {\n"
			       "\tpid_t pid;\n"
			       "\tunsigned int on:1;\n"
			       "\tunsigned int flags:12;\n"
			       "\tunion {\n"
			       "\t\tstruct {\n"
			       "\t\t\tint x;\n"
			       "\t\t\tunsigned long y;\n"
			       "\t\t};\n"
			       "\t\tchar all[16];\n"
			       "\t};\n"
			       "\tchar comm[16];\n"
			       "\tconst struct task *parent;\n"
			       "\tstruct later *later;\n"
			       "\tunion never *never;\n"
			       "}");
	sb_free(&sb);
}
END_TEST

/* Looks at everything that a broken file could break. */
static void touch(void)
{
	static const char *const names[] = {"struct task", "struct later", "enum state",
					    "enum wide",   "task_t",	   "struct packed",
					    "loop_t",	   "struct self"};
	struct types *t = types_new(false, path);
	struct strbuf sb = {0};
	int64_t value;
	bool percpu;

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
			const struct type *type = type_find(t, NULL, names[i]);

			if (!type)
				continue;
			type_describe(t, type, &sb);
			sb.len = 0;
			type_text(t, type);
			type_size(t, type);
			type_align(t, type);
			type_member(t, type, "nosuch", NULL);
			type_argument_ok(type, type_ptr(t, type));
		}
	}
	type_tracepoint(t, "sched_switch");
	type_kernel_func(t, NULL, "vfs_thing");
	type_enumerator(t, NULL, "DEAD", &value, NULL);
	type_kernel_var(t, NULL, "current_thing", &percpu);
	types_kernel_error(t);
	sb_free(&sb);
	types_free(t);
}

START_TEST(cycles)
{
	struct btf *b = btf__new_empty();
	const struct type *t;

	must(btf__add_typedef(b, "loop_t", 2)); /* 1 -> 2 -> 3 -> 1 */
	must(btf__add_ptr(b, 3));
	must(btf__add_const(b, 1));
	must(btf__add_struct(b, "self", 8)); /* 4: holds itself, twice, and without a name */
	must(btf__add_field(b, NULL, 4, 0, 0));
	must(btf__add_field(b, NULL, 4, 0, 0));
	must(btf__add_field(b, "far", 4, 1u << 20, 0));
	must(btf__add_typedef(b, "far_t", 99999));
	write_btf(b);
	btf__free(b);
	touch();
	t = type_find(types, NULL, "loop_t");
	ck_assert_ptr_nonnull(t);
	ck_assert_int_eq(type_base(t)->kind, T_PTR);
	ck_assert(type_is_void(type_find(types, NULL, "far_t")));
	ck_assert_int_eq(type_complete(types, type_find(types, NULL, "struct self"))->nmembers, 2);
	ck_assert_ptr_null(type_member(types, type_find(types, NULL, "struct self"), "far", NULL));
}
END_TEST

START_TEST(long_chain)
{
	struct btf *b = btf__new_empty();

	for (int i = 0; i < 100000; i++)
		must(btf__add_ptr(b, i + 2));
	must(btf__add_typedef(b, "loop_t", 1));
	write_btf(b);
	btf__free(b);
	touch();
	ck_assert_int_eq(type_base(type_find(types, NULL, "loop_t"))->kind, T_PTR);
}
END_TEST

/* Records that a hostile file gives the same name take no time that grows with their square. */
START_TEST(one_name)
{
	struct btf *b = btf__new_empty();
	int64_t value;

	must(btf__add_int(b, "int", 4, BTF_INT_SIGNED));
	for (int i = 0; i < 300000; i++)
		must(btf__add_typedef(b, "thing_t", 1));
	for (int i = 0; i < 5; i++) {
		must(btf__add_enum(b, NULL, 4));
		for (int j = 0; j < 60000; j++)
			must(btf__add_enum_value(b, "SAME", i));
	}
	write_btf(b);
	btf__free(b);
	for (int i = 0; i < 4; i++) {
		ck_assert(type_enumerator(types, NULL, "SAME", &value, NULL));
		ck_assert_int_eq(value, 0);
		ck_assert(!type_enumerator(types, NULL, "OTHER", &value, NULL));
	}
	ck_assert_ptr_nonnull(type_find(types, NULL, "thing_t"));
	ck_assert_ptr_null(type_find(types, NULL, "other_t"));
}
END_TEST

/* One flipped byte, or a file cut short: refused or read, but not fallen over. */
START_TEST(broken)
{
	struct btf *b = make_kernel();
	uint32_t size, seed = _i + 1;
	const uint8_t *data = btf__raw_data(b, &size);
	uint8_t *copy = xmalloc(size);

	for (int i = 0; i < 200; i++) {
		memcpy(copy, data, size);
		for (int flips = 0; flips <= i % 3; flips++) {
			seed = seed * 1103515245 + 12345;
			copy[(seed >> 8) % size] = seed >> 24;
		}
		write_file(copy, size);
		touch();
		write_file(data, (seed >> 4) % size);
		touch();
	}
	free(copy);
	btf__free(b);
}
END_TEST

START_TEST(refused)
{
	static const char *const texts[] = {"", "x", "not a BTF file at all, but long enough",
					    "\177ELF"};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct types *t;

		write_file(texts[i], strlen(texts[i]));
		t = types_new(false, path);
		ck_assert_ptr_nonnull(types_kernel_error(t));
		ck_assert_ptr_nonnull(strstr(types_kernel_error(t), path));
		types_free(t);
	}
}
END_TEST

/*
 * The BTF of make_kernel() with a header of hdr_len bytes, followed by rows of a layout section
 * (none: NULL) and then the sections. Its members stop at hdr_len, too.
 */
static void write_headed(uint32_t hdr_len, const uint8_t (*layout)[4], uint32_t rows)
{
	struct btf *b = make_kernel();
	uint32_t size, words[16] = {0}, old;
	const uint8_t *data = btf__raw_data(b, &size);
	struct strbuf out = {0};
	struct raw_header h;

	memcpy(&h, data, sizeof(h));
	old = h.hdr_len;
	h.hdr_len = hdr_len;
	h.type_off += rows * 4;
	h.str_off += rows * 4;
	memcpy(words, &h, sizeof(h));
	words[sizeof(h) / 4 + 1] = rows * 4; /* offset 0 */
	sb_add(&out, words, hdr_len);
	if (rows)
		sb_add(&out, layout, rows * 4);
	sb_add(&out, data + old, size - old);
	write_file(out.s, out.len);
	sb_free(&out);
	btf__free(b);
}

static const char *read_file(void)
{
	types_free(types);
	types = types_new(false, path);
	return types_kernel_error(types);
}

static bool is_refused(const char *why)
{
	const char *error = read_file();

	return error && strstr(error, why);
}

/* A header is as long as it says, whatever the length of the one that dtrace was compiled with. */
START_TEST(header_sizes)
{
	static const uint32_t longer[] = {24, 28, 32, 40, 64}, shorter[] = {8, 20, 23};

	for (size_t i = 0; i < ARRAY_SIZE(longer); i++) {
		write_headed(longer[i], NULL, 0);
		ck_assert_ptr_null(read_file());
		ck_assert_ptr_nonnull(type_find(types, NULL, "struct task"));
	}
	for (size_t i = 0; i < ARRAY_SIZE(shorter); i++) {
		write_headed(shorter[i], NULL, 0);
		ck_assert(is_refused("its header is broken"));
	}
}
END_TEST

/* One after the other, as in a program's file: the first ends where its last section does. */
START_TEST(header_blobs)
{
	static const uint8_t layout[1][4] = {{0}};
	struct type_sections s = {0};
	uint8_t two[16384];
	struct user_types *u;
	size_t len;
	FILE *f;

	write_headed(32, layout, 1);
	f = fopen(path, "r");
	ck_assert_ptr_nonnull(f);
	len = fread(two, 1, sizeof(two) / 2, f);
	fclose(f);
	ck_assert_uint_eq(raw_length(two, len), len);
	ck_assert_uint_eq(raw_length(two, len - 1), 0);
	memcpy(two + len, two, len);
	s.btf = two;
	s.btf_len = 2 * len;
	u = type_user_open(types, "file", &s);
	ck_assert_ptr_null(type_user_error(u));
}
END_TEST

/* A program's: an int, a pointer to it, a structure with a pointer, a function. */
static struct btf *make_program(void)
{
	struct btf *b = btf__new_empty();
	int i32 = must(btf__add_int(b, "int", 4, BTF_INT_SIGNED)), ptr = must(btf__add_ptr(b, i32));
	int proto;

	must(btf__add_struct(b, "item", 16));
	must(btf__add_field(b, "next", ptr, 64, 0));
	proto = must(btf__add_func_proto(b, i32));
	must(btf__add_func_param(b, "n", ptr));
	must(btf__add_func(b, "work", BTF_FUNC_STATIC, proto));
	return b;
}

/* Ids of make_program(). */
enum { PROGRAM_INT = 1, PROGRAM_PTR, PROGRAM_ITEM, PROGRAM_PROTO, PROGRAM_WORK };

/* The BTF of a program as dtrace gets it; NULL and why. */
static struct btf_raw *copied(const void *data, size_t len, char **why)
{
	struct type_sections s = {.btf = data, .btf_len = len};
	struct strbuf out = {0};
	struct btf_raw *raw = NULL;

	*why = btf_copy(&s, &out);
	if (!*why) {
		ck_assert_uint_le(out.len, len);
		raw = raw_memory(out.s, out.len, NULL, why);
		ck_assert_ptr_nonnull(raw);
	}
	sb_free(&out);
	return raw;
}

static enum convert_end forever(const struct type_sections *s, int fd)
{
	(void)s;
	(void)fd;
	while (poll(NULL, 0, 1000) <= 0)
		;
	return CONVERT_DONE;
}

static volatile sig_atomic_t signals;

static void count_signal(int sig)
{
	(void)sig;
	signals++;
}

static bool after_signals(void *arg)
{
	(void)arg;
	return signals >= 6;
}

static void ignore_report(void *arg, const char *text)
{
	(void)arg;
	(void)text;
}

/* foreigntime, what is left in the account, and that tracing is to end, end the wait for a process
 * that does not. Signals do not. */
START_TEST(convert_ends)
{
	enum { PAYER = 1 };
	static const struct {
		uint64_t ns, left;
		const char *why;
		int signals;
	} cases[] = {
	    {300000000, UINT64_MAX,
	     "reading its CTF takes longer than foreigntime (300ms); try -x foreigntime=3000ms", 2},
	    {60000000000ull, 50000000,
	     "files of its user take too much time (foreigntime, 60000ms, for each); try -x "
	     "foreigntime=600000ms",
	     0},
	    {60000000000ull, UINT64_MAX, "reading its CTF was interrupted", 6},
	    {0, 0, "reading its CTF was interrupted", 6}};
	const struct itimerval soon = {.it_value = {.tv_usec = 100000},
				       .it_interval = {.tv_usec = 100000}},
			       never = {0};
	struct sigaction act = {.sa_handler = count_signal, .sa_flags = SA_RESTART}, before;
	struct foreign *f = foreign_new(1 << 20, cases[_i].ns, ignore_report, NULL);
	struct type_sections s = {.limits = {.ns = cases[_i].ns, .foreign = f, .payer = PAYER}};
	struct strbuf out = {0};
	uint64_t left;
	char *why;

	foreign_on_ended(f, after_signals, NULL);
	signals = 0;
	left = cases[_i].ns ? foreign_time_for(f, PAYER) : 0;
	if (left > cases[_i].left)
		foreign_spend(f, PAYER, left - cases[_i].left);
	ck_assert(convert_may(&s.limits));
	sigaction(SIGALRM, &act, &before);
	setitimer(ITIMER_REAL, &soon, NULL);
	why = convert_apart(&s, "CTF", 1, forever, &out);
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &before, NULL);
	ck_assert_str_eq(why, cases[_i].why);
	ck_assert_int_ge(signals, cases[_i].signals);
	ck_assert_uint_eq(out.len, 0);
	free(why);
	foreign_free(f);
}
END_TEST

static void delay(int ms)
{
	poll(NULL, 0, ms);
}

/* What was taken is in the account; when nothing is left, no types are read until there is. */
START_TEST(user_pays)
{
	enum { PAYER = 1, TOOK_MS = 20 };
	struct foreign *f = foreign_new(1 << 20, 1000000000, ignore_report, NULL);
	struct btf *b = make_program();
	struct user_types *u;
	struct type_sections s = {.limits = {.ns = 1000000000, .foreign = f, .payer = PAYER}};
	struct type_limits own = {.foreign = f, .payer = PAYER};
	uint32_t size;
	uint64_t left = foreign_time_for(f, PAYER), begun = clock_ns(CLOCK_MONOTONIC);

	s.btf = btf__raw_data(b, &size);
	s.btf_len = size;
	ck_assert(convert_may(&s.limits));
	ck_assert_uint_eq(s.limits.left, 1000000000);
	delay(TOOK_MS);
	convert_pay(&own, begun);
	ck_assert_uint_eq(foreign_time_for(f, PAYER), left);
	convert_pay(&s.limits, begun);
	ck_assert_uint_le(foreign_time_for(f, PAYER), left - TOOK_MS * 1000000 / 2);
	left = foreign_time_for(f, PAYER);
	u = type_user_open(types, "file", &s);
	ck_assert_ptr_null(type_user_error(u));
	ck_assert_uint_lt(foreign_time_for(f, PAYER), left);
	foreign_spend(f, PAYER, 60000000000);
	u = type_user_open(types, "file", &s);
	ck_assert(type_user_is_refused(u));
	ck_assert_str_eq(type_user_error(u), "files of its user take too much time (foreigntime, "
					     "1000ms, for each); try -x foreigntime=10000ms");
	s.limits.payer++;
	ck_assert(!type_user_is_refused(type_user_open(types, "file", &s)));
	btf__free(b);
	foreign_free(f);
}
END_TEST

/* A copy has what its original has, and nothing that refers to what is not there. */
START_TEST(program_copied)
{
	struct btf *b = make_program();
	struct btf_type *ptr, *item;
	struct btf_raw *raw;
	uint32_t size;
	char *why;
	void *data = (void *)btf__raw_data(b, &size);
	struct btf_raw *own = raw_memory(data, size, NULL, &why);

	raw = copied(own->data, own->size, &why);
	ck_assert_uint_eq(raw->end, PROGRAM_WORK + 1);
	for (uint32_t id = 1; id < raw->end; id++)
		ck_assert(!memcmp(raw_type(raw, id), raw_type(own, id), sizeof(struct btf_type)));
	ck_assert_str_eq(raw_str(raw, raw_type(raw, PROGRAM_WORK)->name_off), "work");
	ck_assert_uint_eq(btf_members(raw_type(raw, PROGRAM_ITEM))->offset, 64);
	raw_free(raw);

	ptr = (struct btf_type *)raw_type(own, PROGRAM_PTR);
	item = (struct btf_type *)raw_type(own, PROGRAM_ITEM);
	ptr->type = PROGRAM_WORK + 1;
	item->name_off = own->strs_len;
	btf_members(item)->type = UINT32_MAX;
	btf_members(item)->name_off = UINT32_MAX;
	raw = copied(own->data, own->size, &why);
	ck_assert_uint_eq(raw_type(raw, PROGRAM_PTR)->type, 0);
	ck_assert_uint_eq(raw_type(raw, PROGRAM_ITEM)->name_off, 0);
	ck_assert_uint_eq(btf_members(raw_type(raw, PROGRAM_ITEM))->type, 0);
	ck_assert_uint_eq(btf_members(raw_type(raw, PROGRAM_ITEM))->name_off, 0);
	ck_assert_uint_eq(btf_members(raw_type(raw, PROGRAM_ITEM))->offset, 64);
	ck_assert_uint_eq(raw_type(raw, PROGRAM_PROTO)->type, PROGRAM_INT);
	raw_free(raw);
	raw_free(own);
	btf__free(b);
}
END_TEST

static long faults_of_children(void)
{
	struct rusage use;

	ck_assert_int_eq(getrusage(RUSAGE_CHILDREN, &use), 0);
	return use.ru_minflt;
}

/* It is read in another process, also when it is broken. */
START_TEST(program_apart)
{
	static const uint8_t junk[64] = {0x9f, 0xeb, 1};
	struct btf *b = make_program();
	struct type_sections s = {0};
	uint32_t size;
	const void *data = btf__raw_data(b, &size);
	long before = faults_of_children();
	char *why;

	s.btf = data;
	s.btf_len = size;
	ck_assert_ptr_null(type_user_error(type_user_open(types, "file", &s)));
	ck_assert_int_gt(faults_of_children(), before);

	before = faults_of_children();
	s.btf_len = size - 1;
	ck_assert_str_eq(type_user_error(type_user_open(types, "file", &s)), "its BTF is broken");
	s.btf = junk;
	s.btf_len = sizeof(junk);
	ck_assert_str_eq(type_user_error(type_user_open(types, "file", &s)), "its BTF is broken");
	ck_assert_int_gt(faults_of_children(), before);

	ck_assert_ptr_null(copied(data, 512u << 20, &why));
	ck_assert_str_eq(why, "its BTF is too large");
	free(why);
	btf__free(b);
}
END_TEST

/* A record of kind, and words following it, after those of make_kernel(). */
static void write_kind(uint32_t kind, uint32_t vlen, uint32_t words, const uint8_t (*layout)[4],
		       uint32_t rows)
{
	struct btf *b = make_kernel();
	uint32_t size, head[3] = {0, kind << 24 | vlen, 4}, layout_at[2] = {0, rows * 4};
	const uint8_t *data = btf__raw_data(b, &size);
	struct strbuf out = {0};
	struct raw_header h, n;

	memcpy(&h, data, sizeof(h));
	n = h;
	n.hdr_len = 32;
	n.type_off = rows * 4;
	n.type_len += sizeof(head) + words * 4;
	n.str_off = n.type_off + n.type_len;
	sb_add(&out, &n, sizeof(n));
	sb_add(&out, layout_at, sizeof(layout_at));
	if (rows)
		sb_add(&out, layout, rows * 4);
	sb_add(&out, data + h.hdr_len + h.type_off, h.type_len);
	sb_add(&out, head, sizeof(head));
	for (uint32_t i = 0; i < words; i++)
		sb_add(&out, head, 4);
	sb_add(&out, data + h.hdr_len + h.str_off, h.str_len);
	write_file(out.s, out.len);
	sb_free(&out);
	btf__free(b);
}

/* A layout section, with some kinds that are unknown. */
static const uint8_t sizes[128][4] = {
    [BTF_KIND_INT] = {4},
    [BTF_KIND_ARRAY] = {12},
    [BTF_KIND_STRUCT] = {0, 12},
    [BTF_KIND_UNION] = {0, 12},
    [BTF_KIND_ENUM] = {0, 8},
    [BTF_KIND_FUNC_PROTO] = {0, 8},
    [BTF_KIND_VAR] = {4},
    [BTF_KIND_DATASEC] = {0, 12},
    [RAW_DECL_TAG] = {4},
    [RAW_ENUM64] = {0, 12},
    [40] = {4, 8},
    [100] = {12},
    [127] = {0, 255},
};

/* Records of unknown kinds are passed over by the sizes that a layout section states. */
START_TEST(header_layout)
{
	uint8_t layout[128][4];

	memcpy(layout, sizes, sizeof(layout));
	write_kind(40, 2, 5, layout, 128);
	ck_assert_ptr_null(read_file());
	ck_assert_ptr_nonnull(type_find(types, NULL, "struct task"));
	write_kind(100, 7, 3, layout, 128);
	ck_assert_ptr_null(read_file());
	write_kind(40, 2, 4, layout, 128);
	ck_assert(is_refused("in the middle of a record"));
	write_kind(41, 0, 0, layout, 41);
	ck_assert(is_refused("unknown kind"));
	write_kind(40, 2, 5, layout, 40);
	ck_assert(is_refused("unknown kind"));
	write_kind(127, 0xffffff, 0, layout, 128);
	ck_assert(is_refused("in the middle of a record"));
	layout[BTF_KIND_STRUCT][1] = 16; /* members that we cannot read */
	write_kind(40, 2, 5, layout, 128);
	ck_assert(is_refused("unknown kind"));
}
END_TEST

/* What was written to the file, to be freed. */
static void *read_back(uint32_t *size)
{
	uint8_t *data = xmalloc(1 << 16);
	FILE *f = fopen(path, "r");

	ck_assert_ptr_nonnull(f);
	*size = fread(data, 1, 1 << 16, f);
	fclose(f);
	return data;
}

static enum convert_end try_rights(const struct type_sections *s, int fd)
{
	bool opens = open("/dev/null", O_RDONLY) >= 0,
	     connects = socket(AF_UNIX, SOCK_STREAM, 0) >= 0, writes = !ftruncate(fd, 2ll << 30);

	(void)s;
	return convert_refuse(fd, xasprintf("%s%s%s", opens ? "opens files " : "",
					    connects ? "has sockets " : "",
					    writes ? "writes files of any size" : ""));
}

/* Whatever makes such a copy can do no harm. */
START_TEST(program_without_rights)
{
	struct type_sections s = {0};
	struct strbuf out = {0};
	char *why = convert_apart(&s, "BTF", 0, try_rights, &out);

	ck_assert_str_eq(why, "");
	free(why);
}
END_TEST

/* Records of kinds that dtrace does not know become void; without their sizes there is no copy. */
START_TEST(program_unknown_kind)
{
	struct btf *b = make_program();
	struct btf_raw *own, *raw;
	uint32_t size;
	char *why;
	const void *data = btf__raw_data(b, &size);

	own = raw_memory(data, size, NULL, &why);
	((struct btf_type *)raw_type(own, PROGRAM_PTR))->info = 127u << 24;
	ck_assert_ptr_null(copied(own->data, own->size, &why));
	ck_assert_str_eq(why, "its BTF cannot be read: it has records of an unknown kind");
	free(why);
	raw_free(own);
	btf__free(b);

	write_kind(40, 2, 5, sizes, ARRAY_SIZE(sizes));
	data = read_back(&size);
	raw = copied(data, size, &why);
	ck_assert_ptr_nonnull(raw);
	ck_assert_uint_eq(raw_kind(raw_type(raw, raw->end - 1)), BTF_KIND_CONST);
	ck_assert_uint_eq(raw_type(raw, raw->end - 1)->type, 0);
	ck_assert_uint_gt(raw->of[BTF_KIND_STRUCT].n, 0);
	raw_free(raw);
	free((void *)data);
}
END_TEST

/* Format files */

#define COMMON                                                                 \
	"name: some_event\nID: 365\nformat:\n"                                 \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

/* clang-format off */
static const struct {
	const char *line, *name, *text;
	uint32_t off, size;
	unsigned flags;
	uint64_t type_size;
} fields[] = {
	{"field:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;",
	 "filename", "string", 8, 4, FIELD_DATA_LOC, 0},
	{"field:__rel_loc char[] rel;\toffset:12;\tsize:4;\tsigned:0;",
	 "rel", "string", 12, 4, FIELD_REL_LOC, 0},
	{"field:__data_loc u64[] args;\toffset:16;\tsize:4;\tsigned:0;",
	 "args", "u64 []", 16, 4, FIELD_DATA_LOC, 0},
	{"field:__data_loc cpumask_t mask;\toffset:16;\tsize:4;\tsigned:0;",
	 "mask", "cpumask_t []", 16, 4, FIELD_DATA_LOC, 0},
	{"field:pid_t pid;\toffset:20;\tsize:4;\tsigned:1;", "pid", "pid_t", 20, 4, 0, 4},
	{"field:pid_t pid;\toffset:24;\tsize:8;\tsigned:0;", "pid", "pid_t", 24, 8, 0, 4},
	{"field:xfs_ino_t ino;\toffset:32;\tsize:8;\tsigned:0;", "ino", "xfs_ino_t", 32, 8, 0, 8},
	{"field:umode_t mode;\toffset:40;\tsize:2;\tsigned:0;", "mode", "umode_t", 40, 2, 0, 2},
	{"field:char comm[16];\toffset:42;\tsize:16;\tsigned:0;",
	 "comm", "char [16]", 42, 16, 0, 16},
	{"field:char comm[TASK_COMM_LEN];\toffset:42;\tsize:16;\tsigned:0;",
	 "comm", "char [16]", 42, 16, 0, 16},
	{"field:unsigned long args[6];\toffset:64;\tsize:48;\tsigned:0;",
	 "args", "unsigned long [6]", 64, 48, 0, 48},
	{"field:other_t args[6];\toffset:64;\tsize:24;\tsigned:0;",
	 "args", "other_t [6]", 64, 24, 0, 24},
	{"field:const char * name;\toffset:8;\tsize:8;\tsigned:0;",
	 "name", "const char *", 8, 8, 0, 8},
	{"field:struct foo * foo;\toffset:8;\tsize:8;\tsigned:0;",
	 "foo", "struct foo *", 8, 8, 0, 8},
	{"field:struct foo ** foo;\toffset:8;\tsize:8;\tsigned:0;",
	 "foo", "struct foo **", 8, 8, 0, 8},
	{"field:sigset_t __user * set;\toffset:8;\tsize:8;\tsigned:0;",
	 "set", "sigset_t *", 8, 8, 0, 8},
	{"field:const char *const * argv;\toffset:8;\tsize:8;\tsigned:0;",
	 "argv", "const char *const *", 8, 8, 0, 8},
	{"field:void __seg_gs * p;\toffset:8;\tsize:8;\tsigned:0;", "p", "void *", 8, 8, 0, 8},
	{"field:void (*fn)(struct x *);\toffset:8;\tsize:8;\tsigned:0;",
	 "fn", "void *", 8, 8, 0, 8},
	{"field:enum zone_type zone;\toffset:8;\tsize:1;\tsigned:0;",
	 "zone", "enum zone_type", 8, 1, 0, 1},
	{"field:bool on;\toffset:8;\tsize:1;\tsigned:0;", "on", "bool", 8, 1, 0, 1},
	{"field:strange_t big;\toffset:8;\tsize:24;\tsigned:0;",
	 "big", "strange_t", 8, 24, 0, 24},
};
/* clang-format on */

START_TEST(format_fields)
{
	char *text = xasprintf(COMMON "\t%s\n\nprint fmt: \"%%s\", REC->x\n", fields[_i].line);
	struct format *f = format_parse(types, text);
	const struct field *field;

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(f->id, 365);
	ck_assert_int_eq(f->nfields, 1);
	field = &f->fields[0];
	ck_assert_str_eq(field->name, fields[_i].name);
	ck_assert_str_eq(type_text(types, field->type), fields[_i].text);
	ck_assert_uint_eq(field->off, fields[_i].off);
	ck_assert_uint_eq(field->size, fields[_i].size);
	ck_assert_uint_eq(field->flags, fields[_i].flags);
	ck_assert_uint_eq(field->type->size, fields[_i].type_size);
	free(text);
}
END_TEST

START_TEST(format_lazily)
{
	char *away = xasprintf("%s.away", path);
	const struct type *task, *state;
	struct format *f;

	ck_assert_int_eq(rename(path, away), 0); /* nothing may be opened yet */
	f = format_parse(types,
			 COMMON "\tfield:struct task * task;\toffset:8;\tsize:8;\tsigned:0;\n"
				"\tfield:task_t * t;\toffset:16;\tsize:8;\tsigned:0;\n"
				"\tfield:enum state s;\toffset:24;\tsize:1;\tsigned:1;\n");
	ck_assert_int_eq(rename(away, path), 0);
	free(away);
	ck_assert_int_eq(f->nfields, 3);
	for (int i = 0; i < 2; i++) {
		task = f->fields[i].type->ref;
		ck_assert_int_eq(task->kind, T_FWD);
		ck_assert_int_eq(type_is_sou(task), !i);
		check_member(task, "comm", 192, 0, "char [16]");
		ck_assert(type_is_sou(task));
	}
	ck_assert_ptr_eq(type_base(task), type_find(types, NULL, "struct task"));
	state = type_complete(types, f->fields[2].type);
	ck_assert_int_eq(state->size, 1);
	ck_assert_int_eq(state->nenums, 2);
	ck_assert_str_eq(state->enums[1].name, "DEAD");
}
END_TEST

START_TEST(format_refused)
{
	static const char *const bad[] = {
	    "",
	    "name: x\nformat:\n",
	    COMMON "\tfield:;\toffset:8;\tsize:8;\tsigned:0;\n",
	    COMMON "\tfield:int;\toffset:8;\tsize:8;\tsigned:0;\n",
	    COMMON "\tfield:int x\toffset:8\n",
	    COMMON "\tfield:int x;\toffset:8;\n",
	    COMMON "\tfield:int x;\toffset:a;\tsize:8;\n",
	    COMMON "\tfield:int x[;\toffset:8;\tsize:8;\n",
	    COMMON "\tfield:void (*)(int);\toffset:8;\tsize:8;\n",
	    COMMON "\tfield:int x;\toffset:99999999999;\tsize:8;\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_msg(!format_parse(types, bad[i]), "accepted: %s", bad[i]);
	ck_assert_int_eq(format_parse(types, COMMON)->nfields, 0);
}
END_TEST

Suite *btf_suite(void)
{
	Suite *s = suite_create("btf");
	TCase *tc = tcase_create("btf");

	tcase_set_timeout(tc, 30);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, members);
	tcase_add_test(tc, lookup);
	tcase_add_test(tc, names_do_not_open);
	tcase_add_test(tc, functions);
	tcase_add_test(tc, enumerators);
	tcase_add_test(tc, variables);
	tcase_add_test(tc, described);
	tcase_add_test(tc, cycles);
	tcase_add_test(tc, long_chain);
	tcase_add_test(tc, one_name);
	tcase_add_loop_test(tc, broken, 0, 4);
	tcase_add_test(tc, refused);
	tcase_add_test(tc, header_sizes);
	tcase_add_test(tc, header_blobs);
	tcase_add_test(tc, header_layout);
	tcase_add_test(tc, program_copied);
	tcase_add_loop_test(tc, convert_ends, 0, 4);
	tcase_add_test(tc, user_pays);
	tcase_add_test(tc, program_apart);
	tcase_add_test(tc, program_without_rights);
	tcase_add_test(tc, program_unknown_kind);
	tcase_add_loop_test(tc, format_fields, 0, (int)ARRAY_SIZE(fields));
	tcase_add_test(tc, format_lazily);
	tcase_add_test(tc, format_refused);
	suite_add_tcase(s, tc);
	return s;
}
