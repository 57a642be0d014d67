/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types: names, text, declarations and their layout. Those of BTF and format files are in
 * test_btf.c. */
#include <check.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/node.h"
#include "libdt/type/type.h"

static struct types *types;
static struct diag diag;
static struct arena *arena;

static void setup(void)
{
	types = types_new(false, "none");
	arena = arena_new();
	memset(&diag, 0, sizeof(diag));
}

static void teardown(void)
{
	types_free(types);
	arena_free(arena);
	sb_free(&diag.msg);
	sb_free(&diag.warned);
	vec_free(&diag.warnings);
}

static bool is_type(void *arg, const char *name)
{
	return type_is_name(arg, name);
}

/* Literals, a minus and sums are all that these tests write. */
static bool fold(void *arg, struct node *n, int64_t *value)
{
	int64_t a, b;

	if (n->kind == N_INT) {
		*value = n->value;
		return true;
	}
	if (n->kind == N_UNARY && n->op == OP_NEG && fold(arg, n->a, &a)) {
		*value = -a;
		return true;
	}
	if (n->kind == N_BINARY && n->op == OP_ADD && fold(arg, n->a, &a) && fold(arg, n->b, &b)) {
		*value = a + b;
		return true;
	}
	return n->kind == N_IDENT && type_enumerator(types, NULL, n->name, value, NULL);
}

static struct parse parse_of(const char *text)
{
	return (struct parse){.arena = arena,
			      .diag = &diag,
			      .is_type = is_type,
			      .arg = types,
			      .src = source_new(arena, SOURCE_FILE, "t.d", text, strlen(text))};
}

static struct decl_env env(void)
{
	return (struct decl_env){.types = types, .diag = &diag, .fold = fold};
}

/* Declares what a program declares. The tag of its error, or -1. */
static int declare(const char *text)
{
	struct parse p = parse_of(text);
	struct decl_env e = env();

	if (setjmp(diag.recover))
		return diag.tag;
	for (struct node *n = parse_program(&p)->list; n; n = n->next) {
		ck_assert_int_eq(n->kind, N_DECL);
		type_declare(&e, n);
		for (struct node *d = n->list; d; d = d->next)
			type_of_decl(&e, d);
	}
	return -1;
}

static void must_declare(const char *text)
{
	int tag = declare(text);

	ck_assert_msg(tag == -1, "%s: %s", text, tag == -1 ? "" : sb_str(&diag.msg));
}

static const struct type *type_named(const char *text)
{
	struct parse p = parse_of(text);
	struct decl_env e = env();

	if (setjmp(diag.recover)) {
		ck_abort_msg("%s: %s", text, sb_str(&diag.msg));
		return NULL;
	}
	return type_of_decl(&e, parse_type(&p));
}

START_TEST(builtin)
{
	static const struct {
		const char *name;
		int size, size32;
		bool is_signed;
	} all[] = {
	    {"char", 1, 1, true},	 {"unsigned char", 1, 1, false},
	    {"signed char", 1, 1, true}, {"short", 2, 2, true},
	    {"int", 4, 4, true},	 {"unsigned", 4, 4, false},
	    {"long", 8, 4, true},	 {"unsigned long int", 8, 4, false},
	    {"long long", 8, 8, true},	 {"long unsigned long", 8, 8, false},
	    {"_Bool", 1, 1, false},	 {"bool", 1, 1, false},
	    {"int8_t", 1, 1, true},	 {"uint8_t", 1, 1, false},
	    {"int16_t", 2, 2, true},	 {"uint32_t", 4, 4, false},
	    {"int64_t", 8, 8, true},	 {"uint64_t", 8, 8, false},
	    {"size_t", 8, 4, false},	 {"uintptr_t", 8, 4, false},
	    {"ptrdiff_t", 8, 4, true},	 {"pid_t", 4, 4, true},
	    {"uid_t", 4, 4, false},	 {"hrtime_t", 8, 8, true},
	    {"dev_t", 4, 4, false},	 {"u_longlong_t", 8, 8, false},
	    {"boolean_t", 4, 4, false},	 {"processorid_t", 4, 4, true},
	    {"__u16", 2, 2, false},	 {"s64", 8, 8, true},
	    {"ipaddr_t", 4, 4, false},
	};
	struct types *t32 = types_new(true, "none");

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		const struct type *t = type_find(types, NULL, all[i].name);

		ck_assert_msg(t != NULL, "%s is unknown", all[i].name);
		ck_assert_msg(type_is_int(t), "%s is no integer", all[i].name);
		ck_assert_int_eq(type_size(types, t), all[i].size);
		ck_assert_int_eq(type_align(types, t), all[i].size);
		ck_assert_msg(type_is_signed(t) == all[i].is_signed, "sign of %s", all[i].name);
		t = type_find(t32, NULL, all[i].name);
		ck_assert_int_eq(type_size(t32, t), all[i].size32);
		ck_assert_int_eq(type_align(t32, t), MIN(all[i].size32, 4));
	}
	ck_assert_int_eq(type_size(t32, type_ptr(t32, type_void(t32))), 4);
	ck_assert_int_eq(type_size(types, type_find(types, NULL, "in6_addr_t")), 16);
	ck_assert_int_eq(type_align(types, type_find(types, NULL, "in6_addr_t")), 4);
	types_free(t32);
}
END_TEST

START_TEST(names)
{
	int64_t value;

	ck_assert(type_is_name(types, "uint64_t"));
	ck_assert(type_is_name(types, "in6_addr_t"));
	ck_assert(type_is_name(types, "u64"));
	ck_assert(type_is_name(types, "D`u64"));
	ck_assert(!type_is_name(types, "vmlinux`u64"));
	ck_assert(!type_is_name(types, "nosuch_t"));
	ck_assert(!type_is_name(types, "struct"));
	ck_assert_ptr_null(type_find(types, NULL, "struct nosuch"));
	ck_assert_ptr_null(type_find(types, NULL, "int int_t"));
	ck_assert_ptr_null(type_find(types, NULL, ""));
	ck_assert_ptr_null(type_find(types, "vmlinux", "uint64_t"));
	ck_assert_ptr_eq(type_find(types, "D", "pid_t"), type_find(types, NULL, "pid_t"));
	ck_assert_str_eq(type_text(types, type_find(types, NULL, "const char *const *")),
			 "const char *const *");
	ck_assert(type_enumerator(types, NULL, "B_TRUE", &value, NULL));
	ck_assert_int_eq(value, 1);
	ck_assert(!type_enumerator(types, NULL, "B_MAYBE", &value, NULL));
	ck_assert_str_eq(types_kernel_error(types),
			 "kernel types are turned off (-x btfpath=none)");
}
END_TEST

START_TEST(interned)
{
	const struct type *i = type_int(types, 4, true), *p = type_ptr(types, i), *c;

	ck_assert_str_eq(i->name, "int");
	ck_assert_ptr_eq(p, type_named("int *"));
	ck_assert_ptr_eq(type_named("int (*)(char, long)"),
			 type_named("int (*)(char c, long int l)"));
	ck_assert_ptr_ne(type_named("int (*)(char)"), type_named("int (*)(char, ...)"));
	ck_assert_ptr_eq(type_array(types, p, 4), type_named("int *[4]"));
	ck_assert_ptr_ne(type_array(types, p, 4), type_array(types, p, 5));
	ck_assert_ptr_eq(type_typedef(types, "foo", i), type_typedef(types, "foo", i));
	ck_assert_ptr_ne(type_typedef(types, "foo", i), type_typedef(types, "foo", p));
	ck_assert_ptr_ne(type_named("long"), type_named("long long"));
	ck_assert(!type_same(type_named("long"), type_named("long long")));

	c = type_qualified(types, i, TF_CONST);
	ck_assert_ptr_ne(c, i);
	ck_assert_int_eq(c->kind, T_INT);
	ck_assert_ptr_eq(type_base(c), i);
	ck_assert_ptr_eq(c, type_qualified(types, c, TF_CONST));
	ck_assert_ptr_eq(type_qualified(types, c, TF_VOLATILE), type_named("const volatile int"));
	ck_assert_ptr_ne(type_userland(types, p), p);
	ck_assert_ptr_eq(type_userland(types, p), type_named("userland int *"));
	ck_assert(type_same(type_userland(types, p), p));
}
END_TEST

START_TEST(text)
{
	static const char *const same[] = {
	    "int",
	    "unsigned long long",
	    "char [16]",
	    "char *[4]",
	    "char (*)[4]",
	    "int [2][3]",
	    "int (*)(int)",
	    "int (*)(void)",
	    "void (*(*)(int, void (*)(int)))(int)",
	    "const char *",
	    "char *const",
	    "const char *const *",
	    "volatile int",
	    "uint64_t",
	    "const uint64_t *(*)[3]",
	    "struct nosuch *",
	    "union nosuch *[2]",
	    "string",
	    "int (*)(const char *, ...)",
	    "long double",
	};
	static const char *const other[][2] = {
	    {"int[]", "int []"},
	    {"long unsigned int*", "unsigned long *"},
	    {"const char [4]", "const char [4]"},
	    {"int[string,int]", "int [string, int]"},
	    {"int (*[3])(char[4])", "int (*[3])(char *)"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		ck_assert_str_eq(type_text(types, type_named(same[i])), same[i]);
	for (size_t i = 0; i < ARRAY_SIZE(other); i++)
		ck_assert_str_eq(type_text(types, type_named(other[i][0])), other[i][1]);
}
END_TEST

START_TEST(predicates)
{
	ck_assert(type_is_charptr(type_named("char *")));
	ck_assert(type_is_charptr(type_named("const unsigned char *")));
	ck_assert(type_is_charptr(type_named("char [8]")));
	ck_assert(!type_is_charptr(type_named("uint8_t *")));
	ck_assert(!type_is_charptr(type_named("const u8 [6]")));
	ck_assert(!type_is_charptr(type_named("int *")));
	ck_assert(!type_is_charptr(type_named("char")));
	ck_assert(type_is_charptr(type_named("caddr_t")));
	ck_assert(type_is_ptr(type_named("int [4]")));
	ck_assert(type_is_scalar(type_named("boolean_t")));
	ck_assert(!type_is_scalar(type_named("string")));
	ck_assert(!type_is_scalar(type_named("double")));
	ck_assert(type_is_sou(type_named("struct nosuch")));
	ck_assert(type_is_void(type_named("const void")));
}
END_TEST

START_TEST(arguments)
{
	static const struct {
		const char *param, *arg;
		bool ok;
	} all[] = {
	    {"int", "uint64_t", true},
	    {"int", "boolean_t", true},
	    {"int", "string", false},
	    {"string", "char *", true},
	    {"string", "const char [4]", true},
	    {"char *", "string", true},
	    {"string", "int *", false},
	    {"string", "uint8_t *", false},
	    {"void *", "struct nosuch *", true},
	    {"struct nosuch *", "void *", true},
	    {"int *", "unsigned int *", true},
	    {"int *", "long *", false},
	    {"struct a *", "struct a *", true},
	    {"struct a *", "struct b *", false},
	    {"int *", "int [4]", true},
	    {"int *", "int", false},
	    {"int", "int *", false},
	    {"uintptr_t", "char *", true},
	    {"struct a", "struct a", true},
	    {"int", "struct a", false},
	    {"double", "float", true},
	    {"int", "double", false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		ck_assert_msg(type_argument_ok(type_named(all[i].param), type_named(all[i].arg)) ==
				  all[i].ok,
			      "%s for %s", all[i].arg, all[i].param);
	ck_assert(type_argument_ok(type_special(types, T_DYN), type_named("struct a")));
}
END_TEST

START_TEST(prototypes)
{
	const struct type *t = type_prototype(types, "string(const char *, int, [size_t])");

	ck_assert_int_eq(t->kind, T_FUNC);
	ck_assert_ptr_eq(t->ref, type_string(types));
	ck_assert_int_eq(t->nparams, 3);
	ck_assert(!(t->params[1]->flags & TF_OPTIONAL));
	ck_assert(t->params[2]->flags & TF_OPTIONAL);
	ck_assert_ptr_eq(type_base(t->params[2]), type_base(type_named("size_t")));
	ck_assert_str_eq(type_text(types, t), "string (const char *, int, [size_t])");
	ck_assert_ptr_eq(t, type_prototype(types, "string(const char *, int, [size_t])"));

	t = type_prototype(types, "void(@, ...)");
	ck_assert_int_eq(t->params[0]->kind, T_DYN);
	ck_assert(t->flags & TF_VARARGS);
	ck_assert_int_eq(type_prototype(types, "void()")->nparams, 0);
	ck_assert_int_eq(type_prototype(types, "int(void)")->nparams, 0);
	t = type_prototype(types, "stack([int, int])");
	ck_assert_int_eq(t->ref->kind, T_STACK);
	ck_assert(t->params[0]->flags & t->params[1]->flags & TF_OPTIONAL);
	ck_assert_int_eq(type_prototype(types, "_usymaddr(uintptr_t)")->ref->kind, T_USYMADDR);
	ck_assert_int_eq(type_prototype(types, "void(_agg, int)")->params[0]->kind, T_AGG);
}
END_TEST

/* Layout: the C compiler and we read the same text. */

/* Attributes, whose types the compiler and we read, too. */
#define ALIGNED_TYPEDEFS                                                             \
	typedef unsigned long __attribute__((aligned(4))) quad_less_t;               \
	typedef unsigned long quad_more_t __attribute__((aligned(16)));              \
	struct __attribute__((packed, aligned(8))) aligned_tag {                     \
		char a;                                                              \
		short b;                                                             \
	};                                                                           \
	enum packed_enum { PACKED_A, PACKED_B = 200 } __attribute__((packed));       \
	enum __attribute__((packed)) packed_enum2 { PACKED_C = -1, PACKED_D = 200 }; \
	union aligned_union {                                                        \
		char a;                                                              \
		int b __attribute__((aligned(64)));                                  \
	};
ALIGNED_TYPEDEFS
#define TEXT(...) #__VA_ARGS__
#define TEXT_OF(x) TEXT(x)

/* clang-format off: the second half of each line is a text of the first */
#define BOTH(name, ...)          \
	struct name __VA_ARGS__; \
	static const char name##_text[] = "struct " #name " " #__VA_ARGS__ ";"
BOTH(plain, {
	char a;
	int b;
	char c;
	short d;
	long e;
	char f[3];
	void *g;
	double h;
	long double i;
	char j;
});
BOTH(inner, {
	char a;
	union {
		struct {
			int x;
			char y;
		};
		long z;
	};
	struct {
		short s;
	} named;
	char end;
});
BOTH(bits, {
	unsigned a : 3;
	unsigned b : 5;
	unsigned c : 24;
	unsigned d : 1;
	unsigned char e : 4;
	unsigned char f : 7;
	unsigned long long g : 33;
	unsigned long long h : 31;
	unsigned short i : 9;
	unsigned : 0;
	unsigned j : 1;
	char k;
});
BOTH(bits2, {
	char a;
	unsigned b : 7;
	unsigned c : 20;
	unsigned : 5;
	unsigned short d : 3;
	unsigned long e : 40;
	_Bool f : 1;
});
BOTH(bits3, {
	char a;
	unsigned short : 9;
	char b;
});
BOTH(bits4, {
	char a;
	int : 0;
	char b;
});
BOTH(nested, {
	char a;
	struct plain b;
	char c;
	struct bits3 d[3];
	unsigned e : 2;
});
BOTH(flex, {
	int n;
	char a;
	long data[];
});
BOTH(packed_tail, {
	long a;
	char b;
});
BOTH(aligned_members, {
	char a;
	int b __attribute__((aligned(16)));
	char c;
	__attribute__((aligned(4 + 4))) int d, e;
	char f[3] __attribute__((aligned));
	int *g __attribute__((__aligned__(32)));
	char h;
	int (*i)(int) __attribute__((aligned(2)));
	char j : 3 __attribute__((aligned(8)));
	char k : 5;
	long double l __attribute__((aligned(__alignof__(long double))));
});
BOTH(aligned_less, {
	char a;
	long b __attribute__((packed));
	int c;
	char d;
	long e __attribute__((packed, aligned(2)));
	char f;
	quad_less_t g;
	char h;
	quad_more_t i;
	struct {
		char x;
	} __attribute__((aligned(4))) j, k;
	enum packed_enum l;
	enum packed_enum2 m;
});
BOTH(aligned_texts, {
	char a;
	int b __attribute__((deprecated("not aligned, packed")));
	char c;
	int d __attribute__((deprecated, aligned(8), deprecated("http://x aligned (32) /*")));
	char e;
	__attribute__((aligned(4), aligned(16))) int f __attribute__((aligned(8)));
	int g, h __attribute__((aligned(8))), *const i __attribute__((deprecated));
	char j;
	__attribute__((packed)) struct {
		char x;
		int y;
	} k;
	struct __attribute__((aligned(64))) nowhere *l;
	struct plain __attribute__((packed)) m;
	char : 6 __attribute__((aligned(128)));
	char n;
} __attribute__((aligned(32))));
BOTH(aligned_packed, {
	char a;
	quad_more_t b;
	short c;
} __attribute__((packed)) __attribute__((aligned(4))));
/* clang-format on */

union mixed {
	unsigned a : 9;
	char b[5];
	short c;
};

/* Sets one member's bits to one, and compares with what we say of it. */
static void check_place(const char *type, const char *name, const void *image, size_t size)
{
	const struct type *t = type_find(types, NULL, type);
	const unsigned char *bytes = image;
	uint64_t off, n = 0, first = 0;
	const struct member *m;

	ck_assert_ptr_nonnull(t);
	m = type_member(types, t, name, &off);
	ck_assert_msg(m != NULL, "no %s in %s", name, type);
	for (size_t i = size * 8; i-- > 0;) {
		if (bytes[i / 8] >> i % 8 & 1) {
			first = i;
			n++;
		}
	}
	ck_assert_msg(off == first, "%s %s: at bit %lu, not %lu", type, name, (long)off,
		      (long)first);
	if (m->bits)
		ck_assert_int_eq(m->bits, n);
	else
		ck_assert_int_eq(type_size(types, m->type) * 8, n);
}

#define CHECK_BITS(kind, name, field)                                        \
	do {                                                                 \
		kind name image;                                             \
		memset(&image, 0, sizeof(image));                            \
		image.field = ~image.field;                                  \
		check_place(#kind " " #name, #field, &image, sizeof(image)); \
	} while (0)

#define CHECK_BYTES(name, field)                                             \
	do {                                                                 \
		struct name image;                                           \
		memset(&image, 0, sizeof(image));                            \
		memset(&image.field, 0xff, sizeof(image.field));             \
		check_place("struct " #name, #field, &image, sizeof(image)); \
	} while (0)

#define CHECK_SIZE(name)                                                        \
	do {                                                                    \
		const struct type *t = type_find(types, NULL, "struct " #name); \
		ck_assert_int_eq(type_size(types, t), sizeof(struct name));     \
		ck_assert_int_eq(type_align(types, t), _Alignof(struct name));  \
	} while (0)

START_TEST(layout)
{
	must_declare(plain_text);
	CHECK_SIZE(plain);
	CHECK_BYTES(plain, a);
	CHECK_BYTES(plain, b);
	CHECK_BYTES(plain, c);
	CHECK_BYTES(plain, d);
	CHECK_BYTES(plain, e);
	CHECK_BYTES(plain, f);
	CHECK_BYTES(plain, g);
	CHECK_BYTES(plain, h);
	CHECK_BYTES(plain, i);
	CHECK_BYTES(plain, j);
	must_declare(inner_text);
	CHECK_SIZE(inner);
	CHECK_BYTES(inner, a);
	CHECK_BYTES(inner, x);
	CHECK_BYTES(inner, y);
	CHECK_BYTES(inner, z);
	CHECK_BYTES(inner, named);
	CHECK_BYTES(inner, end);
	must_declare(flex_text);
	CHECK_SIZE(flex);
	must_declare(packed_tail_text);
	CHECK_SIZE(packed_tail);
	must_declare("union mixed { unsigned a : 9; char b[5]; short c; };");
	ck_assert_int_eq(type_size(types, type_find(types, NULL, "union mixed")),
			 sizeof(union mixed));
	CHECK_BITS(union, mixed, a);
	CHECK_BITS(union, mixed, c);
}
END_TEST

START_TEST(attributes)
{
	must_declare(TEXT_OF(ALIGNED_TYPEDEFS));
	CHECK_SIZE(aligned_tag);
	CHECK_BYTES(aligned_tag, b);
	ck_assert_int_eq(type_align(types, type_find(types, NULL, "union aligned_union")), 64);
	must_declare(aligned_members_text);
	CHECK_SIZE(aligned_members);
	CHECK_BYTES(aligned_members, b);
	CHECK_BYTES(aligned_members, c);
	CHECK_BYTES(aligned_members, d);
	CHECK_BYTES(aligned_members, e);
	CHECK_BYTES(aligned_members, f);
	CHECK_BYTES(aligned_members, g);
	CHECK_BYTES(aligned_members, h);
	CHECK_BYTES(aligned_members, i);
	CHECK_BITS(struct, aligned_members, j);
	CHECK_BITS(struct, aligned_members, k);
	CHECK_BYTES(aligned_members, l);
	must_declare(aligned_less_text);
	CHECK_SIZE(aligned_less);
	CHECK_BYTES(aligned_less, b);
	CHECK_BYTES(aligned_less, c);
	CHECK_BYTES(aligned_less, d);
	CHECK_BYTES(aligned_less, e);
	CHECK_BYTES(aligned_less, f);
	CHECK_BYTES(aligned_less, g);
	CHECK_BYTES(aligned_less, h);
	CHECK_BYTES(aligned_less, i);
	CHECK_BYTES(aligned_less, j);
	CHECK_BYTES(aligned_less, k);
	CHECK_BYTES(aligned_less, l);
	CHECK_BYTES(aligned_less, m);
	must_declare(plain_text);
	must_declare(aligned_texts_text);
	CHECK_SIZE(aligned_texts);
	CHECK_BYTES(aligned_texts, c);
	CHECK_BYTES(aligned_texts, e);
	CHECK_BYTES(aligned_texts, f);
	CHECK_BYTES(aligned_texts, g);
	CHECK_BYTES(aligned_texts, h);
	CHECK_BYTES(aligned_texts, j);
	CHECK_BYTES(aligned_texts, k);
	CHECK_BYTES(aligned_texts, m);
	CHECK_BYTES(aligned_texts, n);
	must_declare(aligned_packed_text);
	CHECK_SIZE(aligned_packed);
	CHECK_BYTES(aligned_packed, b);
	CHECK_BYTES(aligned_packed, c);
}
END_TEST

START_TEST(bit_fields)
{
	must_declare(bits_text);
	CHECK_SIZE(bits);
	CHECK_BITS(struct, bits, a);
	CHECK_BITS(struct, bits, b);
	CHECK_BITS(struct, bits, c);
	CHECK_BITS(struct, bits, d);
	CHECK_BITS(struct, bits, e);
	CHECK_BITS(struct, bits, f);
	CHECK_BITS(struct, bits, g);
	CHECK_BITS(struct, bits, h);
	CHECK_BITS(struct, bits, i);
	CHECK_BITS(struct, bits, j);
	CHECK_BITS(struct, bits, k);
	must_declare(bits2_text);
	CHECK_SIZE(bits2);
	CHECK_BITS(struct, bits2, b);
	CHECK_BITS(struct, bits2, c);
	CHECK_BITS(struct, bits2, d);
	CHECK_BITS(struct, bits2, e);
	must_declare(bits3_text);
	CHECK_SIZE(bits3);
	CHECK_BITS(struct, bits3, b);
	must_declare(bits4_text);
	CHECK_SIZE(bits4);
	CHECK_BITS(struct, bits4, b);
	must_declare(plain_text);
	must_declare(nested_text);
	CHECK_SIZE(nested);
	CHECK_BYTES(nested, b);
	CHECK_BYTES(nested, d);
	CHECK_BITS(struct, nested, e);
}
END_TEST

START_TEST(layout32)
{
	const struct type *t;

	types_free(types);
	types = types_new(true, "none");
	must_declare("struct s { char a; long long b; char c; long d; void *e; double f; };");
	t = type_find(types, NULL, "struct s");
	ck_assert_int_eq(type_size(types, t), 32);
	ck_assert_int_eq(type_align(types, t), 4);
	ck_assert_int_eq(type_member(types, t, "b", NULL)->bit_off, 4 * 8);
	ck_assert_int_eq(type_member(types, t, "d", NULL)->bit_off, 16 * 8);
	ck_assert_int_eq(type_member(types, t, "f", NULL)->bit_off, 24 * 8);
}
END_TEST

START_TEST(forward)
{
	const struct type *p, *t;

	must_declare("struct list { struct list *next; int value; };");
	t = type_find(types, NULL, "struct list");
	ck_assert_ptr_eq(type_base(type_base(type_member(types, t, "next", NULL)->type)->ref), t);

	p = type_named("struct late *");
	ck_assert_int_eq(type_complete(types, p->ref)->kind, T_FWD);
	ck_assert_int_eq(type_size(types, p->ref), 0);
	must_declare("typedef struct late late_t; struct late { int a; long b; };");
	ck_assert_int_eq(type_complete(types, p->ref)->kind, T_STRUCT);
	ck_assert_ptr_eq(type_base(p->ref), type_find(types, NULL, "struct late"));
	ck_assert_int_eq(type_size(types, type_find(types, NULL, "late_t")), 16);
	ck_assert_int_eq(type_size(types, type_named("late_t [3]")), 48);
	ck_assert_ptr_eq(p, type_named("struct late *"));
	must_declare("const struct late x; struct late y[4];");
	ck_assert_int_eq(type_member(types, type_named("const late_t"), "b", NULL)->bit_off, 64);
}
END_TEST

START_TEST(enums)
{
	const struct type *t, *of;
	int64_t value;

	must_declare("enum e { A, B = 5, C, D = -1, E, F = B + 2, };");
	t = type_find(types, NULL, "enum e");
	ck_assert_int_eq(t->nenums, 6);
	ck_assert_str_eq(t->enums[5].name, "F");
	ck_assert(type_is_signed(t));
	ck_assert_int_eq(t->size, 4);
	ck_assert(type_enumerator(types, NULL, "C", &value, &of));
	ck_assert_int_eq(value, 6);
	ck_assert_ptr_eq(of, t);
	ck_assert(type_enumerator(types, NULL, "E", &value, NULL));
	ck_assert_int_eq(value, 0);
	ck_assert(type_enumerator(types, NULL, "F", &value, NULL));
	ck_assert_int_eq(value, 7);
	must_declare("enum big { BIG = 0x80000000 } x;");
	ck_assert_int_eq(type_size(types, type_find(types, NULL, "enum big")), 4);
	ck_assert(!type_is_signed(type_find(types, NULL, "enum big")));
	ck_assert_int_eq(declare("enum huge { HUGE = 0x100000000 };"), D_DECL_ENOFLOW);
}
END_TEST

START_TEST(typedef_chain)
{
	struct strbuf sb = {0};

	sb_puts(&sb, "typedef short t0;");
	for (int i = 1; i < 1000; i++)
		sb_printf(&sb, "typedef t%d t%d;", i - 1, i);
	must_declare(sb_str(&sb));
	ck_assert(type_is_int(type_named("t999")));
	ck_assert_int_eq(type_size(types, type_named("t999")), 2);
	sb_free(&sb);
}
END_TEST

START_TEST(describe)
{
	struct strbuf sb = {0};

	must_declare(
	    "typedef struct { int a : 3; struct { char *p; union { int x; long y; } u[2]; }; "
	    "int (*f)(int); enum { ONE = 1, TWO } e; const char name[4]; } all_t;");
	type_describe(types, type_find(types, NULL, "all_t"), &sb);
	ck_assert_str_eq(sb.s, "typedef struct {\n"
			       "\tint a:3;\n"
			       "\tstruct {\n"
			       "\t\tchar *p;\n"
			       "\t\tunion {\n"
			       "\t\t\tint x;\n"
			       "\t\t\tlong y;\n"
			       "\t\t} u[2];\n"
			       "\t};\n"
			       "\tint (*f)(int);\n"
			       "\tenum {\n"
			       "\t\tONE = 1,\n"
			       "\t\tTWO = 2\n"
			       "\t} e;\n"
			       "\tconst char name[4];\n"
			       "} all_t");
	sb_free(&sb);
	must_declare("struct named { int x; }; typedef struct named named_t;");
	type_describe(types, type_find(types, NULL, "named_t"), &sb);
	ck_assert_str_eq(sb.s, "typedef struct named named_t");
	sb_free(&sb);
}
END_TEST

START_TEST(errors)
{
	static const struct {
		const char *text;
		enum tag tag;
	} all[] = {
	    {"unsigned string s;", D_DECL_SIGNINT},
	    {"signed unsigned int x;", D_DECL_SIGN},
	    {"short long x;", D_UNKNOWN},
	    {"int char x;", D_DECL_COMBO},
	    {"long long long x;", D_DECL_LONG2},
	    {"unsigned float x;", D_DECL_SIGNINT},
	    {"long char x;", D_DECL_CHARATTR},
	    {"unsigned void *x;", D_DECL_VOIDATTR},
	    {"long float x;", D_DECL_LONGINT},
	    {"long struct s *x;", D_DECL_LONGINT},
	    {"enum { A = \"a\" };", D_DECL_ENCONST},
	    {"enum { A = 2147483647, B };", D_DECL_ENOFLOW},
	    {"enum { A, A };", D_DECL_IDRED},
	    {"enum { A }; enum { B, A };", D_DECL_IDRED},
	    {"enum nosuch x;", D_DECL_BADTYPE},
	    {"struct s { struct nosuch x; };", D_DECL_INCOMPLETE},
	    {"struct s { struct s x; };", D_DECL_INCOMPLETE},
	    {"struct s { void x; };", D_DECL_INCOMPLETE},
	    {"struct nosuch x[3];", D_DECL_INCOMPLETE},
	    {"void x[3];", D_DECL_INCOMPLETE},
	    {"struct s { int a; }; struct s { int a; };", D_DECL_TYPERED},
	    {"struct s { int a; }; union s *x;", D_DECL_TYPERED},
	    {"struct s { int a; char a; };", D_UNKNOWN},
	    {"struct s { int a __attribute__((aligned(3))); };", D_UNKNOWN},
	    {"struct s { int a; } __attribute__((aligned(0)));", D_UNKNOWN},
	    {"struct s { int a; union { char b; long a; }; };", D_UNKNOWN},
	    {"struct s { int a; } x, y; struct t { static int x; };", D_DECL_CLASS},
	    {"typedef int t; typedef long t;", D_DECL_IDRED},
	    {"struct s { int a : 33; };", D_DECL_BFSIZE},
	    {"struct s { int a : 0; };", D_DECL_BFCONST},
	    {"struct s { int a : -1; };", D_DECL_BFCONST},
	    {"struct s { int a : \"x\"; };", D_DECL_BFCONST},
	    {"struct s { char *a : 3; };", D_DECL_BFTYPE},
	    {"struct s { float a : 3; };", D_DECL_BFTYPE},
	    {"int x[-1];", D_DECL_ARRSUB},
	    {"int x[\"a\"];", D_DECL_ARRSUB},
	    {"int x[0];", D_DECL_ARRNULL},
	    {"int x[2][];", D_DECL_ARRNULL},
	    {"struct s { int a[]; int b; };", D_DECL_ARRNULL},
	    {"int x[0x7fffffff];", D_DECL_ARRBIG},
	    {"char x[65536][65536];", D_DECL_ARRBIG},
	    {"struct s { char x[0x7fffffff]; char y[0x7fffffff]; };", D_DECL_ARRBIG},
	    {"int f(int)(int);", D_DECL_FUNCRET},
	    {"int f(int)[4];", D_DECL_FUNCRET},
	    {"int f[4](int);", D_DECL_ARRFUNC},
	    {"struct s { int f(int); };", D_DECL_FUNCTYPE},
	    {"int f(int, void);", D_DECL_PROTO_VOID},
	    {"int f(void x);", D_DECL_PROTO_NAME},
	    {"int f(int x, int x);", D_DECL_PROTO_NAME},
	    {"int f(static int x);", D_DECL_PARMCLASS},
	    {"int (*x)[int];", D_DECL_ASSOC},
	    {"int x[void];", D_DECL_PROTO_TYPE},
	    {"struct s { int x[int]; };", D_DECL_ASSOC},
	    {"D`nosuch_t x;", D_DECL_BADTYPE},
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		int tag;

		teardown();
		setup();
		tag = declare(all[i].text);
		ck_assert_msg(tag == (int)all[i].tag, "%s: %s (%s)", all[i].text,
			      tag == -1 ? "no error" : tag_name(tag), sb_str(&diag.msg));
	}
}
END_TEST

static bool give(void *arg, const char *name)
{
	int *asked = arg;

	++*asked;
	if (strcmp(name, "struct lib") && strcmp(name, "lib_t"))
		return false;
	if (*asked == 1)
		must_declare("typedef struct lib { int x; } lib_t;");
	return *asked == 1;
}

/* A pointer as seen through a translator; and types that are declared on demand. */
START_TEST(views)
{
	const struct type *plain, *view, *other;
	int asked = 0;

	must_declare("struct out { int a; }; struct in { int b; };");
	plain = type_find(types, NULL, "struct out *");
	view = type_view(types, plain, type_find(types, NULL, "struct in *"));
	other = type_view(types, plain, type_int(types, 4, true));
	ck_assert_ptr_eq(view, type_view(types, plain, type_find(types, NULL, "struct in *")));
	ck_assert(type_is_view(view) && !type_is_view(plain) && type_is_ptr(view));
	ck_assert(!type_same(view, plain) && !type_same(view, other) && type_same(view, view));
	ck_assert(type_is_view(type_qualified(types, view, TF_CONST)));
	ck_assert_ptr_eq(type_native(other), type_int(types, 4, true));
	ck_assert_ptr_eq(type_native(plain), plain);
	ck_assert_str_eq(type_text(types, view), "struct out *");

	types_set_library(types, give, &asked);
	ck_assert(type_is_name(types, "lib_t"));
	ck_assert_int_eq(asked, 1);
	ck_assert_int_eq(type_size(types, type_find(types, NULL, "struct lib")), 4);
	ck_assert_int_eq(asked, 1);
	ck_assert(!type_is_name(types, "nolib"));
	ck_assert_int_eq(asked, 2);
}
END_TEST

START_TEST(allowed)
{
	static const char *const all[] = {
	    "typedef int t; typedef int t; typedef unsigned int uint32_t;",
	    "struct s; typedef struct s s_t; struct s { s_t *next; };",
	    "enum { A }; enum f { B = 0 }; int x[A + 2];",
	    "struct s { int a : 3, b : 4; int : 0; unsigned : 2; };",
	    "struct s { struct { int a; } x; struct t { int a; } y; }; struct t z;",
	    "int x[int, string]; self int y[char *]; this char z[4][2];",
	    "int f(); int g(void); int h(int a[4], int b(int));",
	    "struct s { int n; char data[0]; char rest[]; };",
	    "typedef int (*fn)(struct nosuch *, ...); fn f[4];",
	    "extern int x[];",
	    "userland struct nosuch *p; userland char *q;",
	    "struct { int a; } x, *y;",
	    "int x[string][4];",
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		teardown();
		setup();
		must_declare(all[i]);
	}
}
END_TEST

Suite *type_suite(void)
{
	Suite *s = suite_create("type");
	TCase *tc = tcase_create("type");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, builtin);
	tcase_add_test(tc, names);
	tcase_add_test(tc, interned);
	tcase_add_test(tc, text);
	tcase_add_test(tc, predicates);
	tcase_add_test(tc, arguments);
	tcase_add_test(tc, prototypes);
	tcase_add_test(tc, layout);
	tcase_add_test(tc, attributes);
	tcase_add_test(tc, bit_fields);
	tcase_add_test(tc, layout32);
	tcase_add_test(tc, forward);
	tcase_add_test(tc, enums);
	tcase_add_test(tc, typedef_chain);
	tcase_add_test(tc, describe);
	tcase_add_test(tc, errors);
	tcase_add_test(tc, views);
	tcase_add_test(tc, allowed);
	suite_add_tcase(s, tc);
	return s;
}
