/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to the files of this directory. */
#ifndef DT_TYPES_H
#define DT_TYPES_H

#include "libdt/base/hash.h"
#include "libdt/type/type.h"

struct kernel;

/* What a text declared. */
struct type_scope {
	struct hash names;    /* "uint64_t", "struct foo", "enum bar" -> type */
	struct hash typedefs; /* those that are none of D's own */
	struct hash consts;   /* enumerators -> struct type_const */
	struct hash fwds;     /* "vmlinux`struct foo" or "struct foo" -> T_FWD */
};

struct types {
	struct arena *arena;
	bool ilp32;
	uint32_t string_size; /* bytes that a string takes where it lies among others */
	int bodies;	      /* of structures that are being declared, one within another */
	bool string_placed;   /* a struct was laid out with that */
	struct hash interned; /* struct type_key, parameters and name -> derived type */
	struct type_scope script, library; /* library: and D's own */
	bool in_library;		   /* names are the library's */
	struct hash protos;		   /* text -> T_FUNC, of type_prototype() */
	struct strbuf key, tag;		   /* keys being built */
	const struct type *special[T_AGG + 1];
	struct kernel *kernel;			      /* NULL: not opened yet */
	bool (*declare)(void *arg, const char *name); /* reads the library's file with it */
	void *declare_arg;
	char *btf_path;
	VEC(struct user_types *) users;
	struct user_types *(*programs)(void *arg, const char *module, int i);
	void *programs_arg;
};

struct type_const {
	const struct type *type;
	int64_t value;
};

/* The words of a type's name in any order: "unsigned long int". */
struct type_words {
	bool has_signed, has_unsigned, has_short, has_int, has_int128, has_char, has_bool,
	    has_float, has_double, has_void;
	int longs;
};

/* Maximum depth of nested types from any source. */
#define TYPE_DEPTH 64

/* type.c */
const struct type *type_intern_int(struct types *t, const char *name, uint64_t size,
				   unsigned flags);
const struct type *type_intern_float(struct types *t, const char *name, uint64_t size);
const struct type *type_ptr_sized(struct types *t, const struct type *to, unsigned size);
struct type *type_alloc(struct types *t, enum type_kind kind, const char *name);
struct type *type_fwd(struct types *t, enum type_kind kind, const char *module, const char *name);

/* name.c */
void types_builtin(struct types *t);
/* Where declarations belong now. */
struct type_scope *types_scope(struct types *t);
/* By its key (type_tag_key()): the script's, then the library's; within the library only that. */
const struct type *types_named(struct types *t, const char *key);
bool type_word(struct type_words *w, const char *s, size_t len);
/* Whether the D library declares the type of that key; it has then. */
bool type_from_library(struct types *t, const char *key);
const struct type *type_by_words(struct types *t, const struct type_words *w);
/* "struct foo", "enum bar", or the name itself for T_TYPEDEF; valid until the next call. */
const char *type_tag_key(struct types *t, enum type_kind kind, const char *name);
/*
 * A type from its text: words, stars, dimensions. lookup() finds what the words do not say by
 * themselves; kind is T_STRUCT, T_UNION, T_ENUM or T_TYPEDEF. NULL when it is no type.
 */
struct type_reader {
	const struct type *(*lookup)(struct types *t, const struct type_reader *r,
				     enum type_kind kind, const char *name);
	const char *module; /* the rest is for lookup() */
	uint32_t size;
	bool is_signed;
};
const struct type *type_from_text(struct types *t, const struct type_reader *r, const char *text);

/* decl.c, layout.c: declarations. */
struct decl_env;
struct node;
/* There is no type of that name in the module that was named; because: what to say when there is
 * no better reason. */
_Noreturn void type_missing(struct decl_env *env, struct node *spec, const char *name,
			    const char *because);
const struct type *type_of_spec(struct decl_env *env, struct node *spec);
/* last: of a struct's last member, whose array may have no size. */
const struct type *type_of_member(struct decl_env *env, struct node *decltor, bool last);
/* What the argument of an attribute asks for; 0 for NULL. */
uint32_t type_asked_align(struct decl_env *env, struct node *expression);
/* The most of what those in the specifier and after the declarator ask for; 0: none. Of a typedef
 * or a member; nothing else in D lies where it matters. */
uint32_t type_declared_align(struct decl_env *env, struct node *decltor);
/* The type of a struct, union or enum with or without a body. */
const struct type *type_of_tagged(struct decl_env *env, struct node *spec);

/* kernel.c: the kernel's types. kind as above. */
const struct type *kernel_find(struct types *t, const char *module, enum type_kind kind,
			       const char *name);
bool kernel_enumerator(struct types *t, const char *module, const char *name, int64_t *value,
		       const struct type **type);
void kernel_free(struct kernel *k);

/* user.c: programs' types. */
const struct type *user_find(struct types *t, const char *module, enum type_kind kind,
			     const char *name);
bool user_enumerator(struct types *t, const char *module, const char *name, int64_t *value,
		     const struct type **type);
void users_free(struct types *t);

#endif
