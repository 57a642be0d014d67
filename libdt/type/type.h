/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The type graph. Types are interned: equal types are the same pointer (structs by identity of
 * where they come from). Structs and unions are filled on demand by the reader they come from:
 * call type_complete() (type_size and type_member do) before looking at members.
 *
 * Readers: D declarations (decl.c), BTF of the kernel and its modules (kernel.c, btf.c), BTF and
 * CTF of programs (user.c, ctf.c), tracepoint formats (format.c).
 */
#ifndef DT_TYPE_H
#define DT_TYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "libdt/base/mem.h"

struct diag;
struct node;
struct parse;
struct types;

enum type_kind {
	T_VOID,
	T_INT, /* also char, _Bool: flags */
	T_FLOAT,
	T_STRING, /* D's string: a value of its own */
	T_PTR,
	T_ARRAY,
	T_ASSOC, /* associative array: ref = element, params = key types */
	T_STRUCT,
	T_UNION,
	T_ENUM,
	T_FUNC, /* ref = result, params */
	T_TYPEDEF,
	T_FWD,	    /* declared, no body known anywhere */
	T_DYN,	    /* "@" of prototypes: any value */
	T_STACK,    /* value of stack(), ustack() */
	T_SYMADDR,  /* func(), sym(), mod() */
	T_USYMADDR, /* uaddr(), ufunc(), usym(), umod() */
	T_AGG,	    /* an aggregation as an argument */
};

enum type_flag {
	TF_SIGNED = 1,
	TF_CHAR = 2,
	TF_BOOL = 4,
	TF_CONST = 8,
	TF_VOLATILE = 16,
	TF_USERLAND = 32,    /* T_PTR, T_STRING: what it points to is in the user's address space */
	TF_OPTIONAL = 64,    /* parameter of a prototype that may be left out */
	TF_VARARGS = 128,    /* T_FUNC with "..." */
	TF_INCOMPLETE = 256, /* struct or union whose members were not read yet */
	TF_PROGRAM = 512,    /* struct or union of a program's */
	TF_ANYWHERE = 1024,  /* T_PTR: to the user's memory or our own, as the address says */
	TF_WIDE = 2048,	     /* T_INT, T_ENUM: see type_wide() */
	TF_LIBRARY = 4096,   /* T_FWD: in the scope of the D library */
};

struct member {
	const char *name; /* NULL or "" when anonymous */
	const struct type *type;
	uint32_t bit_off; /* from the start of the struct */
	uint32_t bits;	  /* width of a bit-field; 0 when it is none */
};

struct enumerator {
	const char *name;
	int64_t value;
};

struct type {
	enum type_kind kind;
	unsigned flags;
	uint64_t size;	  /* bytes; 0 for void, functions, incomplete arrays */
	const char *name; /* tag or name; NULL when anonymous */
	const char
	    *module; /* of structs, unions, enums: "vmlinux", a module, or NULL for D's own */
	const struct type *ref; /* pointee, element, aliased, result */
	const struct type *via; /* T_PTR, "seen as": what the value really is; see type_view() */
	uint64_t nelem;		/* T_ARRAY; T_STACK: its words; T_SYMADDR: enum sym_how */
	const struct member *members;
	int nmembers;
	const struct enumerator *enums;
	int nenums;
	const struct type *const *params;
	int nparams;
	/* the same without TF_CONST, TF_VOLATILE, TF_OPTIONAL; NULL when it has none */
	const struct type *plain;
	enum type_kind
	    /* T_FWD: T_STRUCT, T_UNION, T_ENUM, or T_TYPEDEF; ref is what it turned out to be */
	    fwd;
	/* of a struct or union once type_align() knew it; of a typedef that has its own; else 0 */
	uint32_t align;
	/* the reader's */
	void (*fill)(struct types *types, struct type *t);
	void *reader;
	uint32_t reader_id;
};

/* struct types: the types of one session. */

/* ilp32: -32 was given. btf_path: -x btfpath, NULL for the running kernel's, "none" for none. */
struct types *types_new(bool ilp32, const char *btf_path);
void types_free(struct types *types);
struct arena *types_arena(struct types *types);
/*
 * How many bytes a string takes in a variable, a struct, an array: of -x strsize. What has no
 * string in it does not depend on it; false when a struct that has one was already laid out with
 * another size.
 */
bool types_set_string(struct types *types, uint32_t size);

/* The built-in ones, by C's names without the typedefs: always there, no reader is opened. */
const struct type *type_void(struct types *t);
const struct type *type_string(struct types *t);
/* int8_t ... uint64_t in C's own names: char/short/int/long */
const struct type *type_int(struct types *t, int bytes, bool is_signed);
const struct type *
type_special(struct types *t,
	     enum type_kind kind); /* T_DYN, T_STACK, T_SYMADDR, T_USYMADDR, T_AGG */

/* Of as many frames; userland: with the process in front. _symaddr of sym() (how 0), func(),
 * mod(): enum sym_how. */
const struct type *type_stack(struct types *t, uint32_t nframes, bool userland);
const struct type *type_symaddr(struct types *t, int how);
const struct type *type_usymaddr(struct types *t, int how); /* enum usym_how */

const struct type *type_ptr(struct types *t, const struct type *to);
/* the same pointer or string, with TF_USERLAND */
const struct type *type_userland(struct types *t, const struct type *ptr);
/*
 * Where what a pointer or string points to lies: TF_USERLAND, TF_ANYWHERE, or 0 for the kernel's
 * memory and our own. And the same pointer with another such place; other types stay as they are.
 */
unsigned type_space(const struct type *t);
const struct type *type_in_space(struct types *t, const struct type *ptr, unsigned space);
/*
 * A view: a pointer to a struct that is made by a translator. Its value is what the translator
 * starts from ("struct task_struct *", an integer), via says which; looking at a member of what
 * it points to is the translator's expression for that member. "psinfo_t *" of curpsinfo and of
 * args[] is such a type.
 */
const struct type *type_view(struct types *t, const struct type *ptr, const struct type *via);
/* What a value of that type really is: via of a view, the type itself of others. */
const struct type *type_native(const struct type *t);
bool type_is_view(const struct type *t);
/*
 * An integer type in 64 bits: of variables without a declaration, and of arithmetic on ints,
 * which does not overflow. Values that fit in the narrow type are printed as of that; sizeof, C's
 * conversions and messages know only that one. Others stay as they are.
 */
const struct type *type_wide(struct types *t, const struct type *of);
/* The narrow type of a wide one; of others the type itself. */
const struct type *type_narrow(const struct type *t);
bool type_is_wide(const struct type *t);
const struct type *type_array(struct types *t, const struct type *of, uint64_t nelem);
const struct type *type_assoc(struct types *t, const struct type *of,
			      const struct type *const *keys, int nkeys);
const struct type *type_func(struct types *t, const struct type *result,
			     const struct type *const *params, int nparams, bool varargs);
/* TF_CONST, TF_VOLATILE, TF_OPTIONAL */
const struct type *type_qualified(struct types *t, const struct type *of, unsigned flags);
const struct type *type_typedef(struct types *t, const char *name, const struct type *of);
/* One with an alignment of its own, in bytes, which may be less than that of the type; 0: it has
 * none. */
const struct type *type_typedef_aligned(struct types *t, const char *name, const struct type *of,
					uint32_t align);

/*
 * By name: "int", "unsigned long", "uint64_t", "struct task_struct", "pid_t", "string"..., also
 * with qualifiers and stars ("const struct file *"). Searches D's own (declared and built-in)
 * first, then the kernel's BTF, which is opened only then. module: NULL for anywhere, "vmlinux",
 * "D" (D's own only), a module, or a program ("pid", "pid123", "pid123`lib.so"). NULL when there
 * is none.
 */
const struct type *type_find(struct types *t, const char *module, const char *name);
/*
 * Is a name (without struct, union, enum), "mod`name" or "`name" a type? For the lexer, where the
 * text does not suffice. Of the kernel's plain names only those that end in "_t" count, whether or
 * not its types are open: scripts have variables called "code" and "config", and so has the
 * kernel types.
 */
bool type_is_name(struct types *t, const char *name);
/*
 * The resolver that precedes the kernel: declare(arg, "psinfo_t") or "struct foo", "enum bar"
 * declares that name, if it knows it, and returns whether it did. For the D library, whose files
 * are read on demand.
 */
void types_set_library(struct types *t, bool (*declare)(void *arg, const char *name), void *arg);
/*
 * The library and the script have a scope each: of two types with one name the script has its own,
 * and what the library declares and uses stays the library's. Enters one of them, and returns
 * whether it was the library's before.
 */
bool types_enter(struct types *t, bool library);
bool types_in_library(const struct types *t);
/* Of D's own only, without asking the library or the kernel. */
bool type_declared_enumerator(struct types *t, const char *name, int64_t *value);
/* An enumeration constant of D or the kernel, with its enum's type; module as above. */
bool type_enumerator(struct types *t, const char *module, const char *name, int64_t *value,
		     const struct type **type);
/* The type of a variable of the kernel's, and whether each CPU has its own. NULL where its BTF
 * has none. */
const struct type *type_kernel_var(struct types *t, const char *module, const char *name,
				   bool *percpu);
/* Where in a structure of the kernel's a member is, or one within another ("d_name.len"), in
 * bytes. False when the kernel's types do not have it. */
bool type_kernel_offset(struct types *t, const char *type, const char *path, uint64_t *off);
/* Bytes of a page for each byte of its struct page; 0: not a whole number, or no types. */
uint32_t type_page_scale(struct types *t);
/* The function prototype of a kernel function or of tracepoint "name" (btf_trace_NAME without its
 * first argument): T_FUNC or NULL. */
const struct type *type_kernel_func(struct types *t, const char *module, const char *name);
const struct type *type_tracepoint(struct types *t, const char *name);
/* Calls fn for the kernel's tracepoints that tracefs does not show: by their names, which end in
 * _tp. */
void types_each_bare_tracepoint(struct types *t, void (*fn)(void *arg, const char *name),
				void *arg);
/*
 * The same two as ids in the kernel's BTF, for attaching: of the FUNC, and of the typedef
 * btf_trace_NAME. 0 when there is none. type_btf_id: of a struct, union or enum that came from
 * BTF.
 */
uint32_t type_kernel_func_id(struct types *t, const char *module, const char *name);
uint32_t type_tracepoint_id(struct types *t, const char *name);
uint32_t type_btf_id(const struct type *t);
/*
 * The functions of one file of types, vmlinux's or a module's, by their numbers there: from 1 on,
 * the same during one boot. What they are is converted when it is asked for.
 */
struct kernel_func {
	const char *name;
	uint32_t id;		  /* type_kernel_func_id() */
	const struct type *type;  /* T_FUNC */
	const char *const *names; /* of the parameters in type, "" for one without a name */
};
/* 0 when there is none. */
uint32_t type_kernel_func_number(struct types *t, const char *module, const char *name);
bool type_kernel_func_get(struct types *t, const char *module, uint32_t number,
			  struct kernel_func *out);
/* Calls fn for all of them. */
void type_kernel_funcs(struct types *t, const char *module,
		       void (*fn)(void *arg, const char *name, uint32_t number), void *arg);
/* Do the kernel's types come from a file that was named (-x btfpath), perhaps of another kernel? */
bool types_kernel_is_file(struct types *t);
/* Is kernel BTF there at all? NULL or a one-line reason. */
const char *types_kernel_error(struct types *t);

/*
 * Types of programs (user.c). A file of theirs is opened once, by its path, from its sections
 * (NULL and 0 for absent ones); error is the reason why it has no types, a sentence, or NULL.
 */
struct user_types;
struct foreign;
/* What reading types of a file may take. */
struct type_limits {
	uint64_t size, ns; /* memory for DWARF, time for an answer; 0: it is our own file */
	/* asked whether tracing is to end; it has the account of the payer, from which the time for
	 * a file that is not our own comes; NULL: there is none */
	struct foreign *foreign;
	uint32_t payer;
	uint64_t left; /* of ns, in that account: for the next answer */
};
struct type_sections {
	const void *btf, *ctf, *symtab, *strtab, *dynsym, *dynstr;
	size_t btf_len, ctf_len, symtab_len, strtab_len, dynsym_len, dynstr_len;
	bool is_64, has_dwarf;
	int dwarf; /* has_dwarf: a descriptor of the file that has it */
	struct type_limits limits;
};
struct user_types *type_user_open(struct types *t, const char *path, const struct type_sections *s);
const char *type_user_error(const struct user_types *u);
/* Is that error that nothing is left in the account? Later there may be. */
bool type_user_is_refused(const struct user_types *u);
/* No more types of programs are needed: ends the helper processes. */
void types_programs_end(struct types *t);
/* name: of its symbol, and where that is in the object: DWARF distinguishes functions of one name
 * by it. */
bool type_user_func(struct types *t, struct user_types *u, const char *name, uint64_t addr,
		    struct kernel_func *out);
/* The same of a variable; NULL: its type is not known. */
const struct type *type_user_var(struct types *t, struct user_types *u, const char *name,
				 uint64_t addr);
/* The resolver of "pid", "pid123" or "pid123`lib.so" in front of a backquote: its i-th file, NULL
 * after the last. */
void types_set_programs(struct types *t,
			struct user_types *(*find)(void *arg, const char *module, int i),
			void *arg);
bool type_module_is_program(const char *module);
/* Why nothing is found in a module that is a program: a sentence; NULL when there is no reason
 * but the name. */
const char *type_module_error(struct types *t, const char *module);

/* Without typedefs and qualifiers. */
const struct type *type_base(const struct type *t);
/* Makes sure that members are there; the type itself, or what a T_FWD turned out to be. */
const struct type *type_complete(struct types *types, const struct type *t);
uint64_t type_size(struct types *types, const struct type *t);
uint32_t type_align(struct types *types, const struct type *t);
/* Finds a member, also in anonymous ones; bit_off is from the start of t. NULL when there is
 * none. */
const struct member *type_member(struct types *types, const struct type *t, const char *name,
				 uint64_t *bit_off);

/* The nearest tag of a struct (T_STRUCT) or union (T_UNION) of the kernel, or name of a type
 * (T_TYPEDEF); or NULL. */
const char *type_similar(struct types *t, enum type_kind kind, const char *tag);
/* The nearest name of a member, for "did you mean", or NULL. */
const char *type_member_similar(struct types *types, const struct type *t, const char *name);

bool type_is_int(const struct type *t); /* integers of at most 64 bits, enums, _Bool */
bool type_is_signed(const struct type *t);
bool type_is_scalar(const struct type *t); /* integers and pointers */
/* scalars and addresses of symbols: fit into a register */
bool type_is_word(const struct type *t);
bool type_is_block(
    const struct type
	*t); /* structs, unions, stacks, numbers of more than 64 bits: values in memory */
bool type_in_memory(const struct type *t);  /* blocks and arrays: copied byte by byte */
bool type_is_stack(const struct type *t);   /* also T_USYMADDR: a process and one address */
bool type_is_ptr(const struct type *t);	    /* pointers and arrays */
bool type_is_string(const struct type *t);  /* T_STRING only */
bool type_is_charptr(const struct type *t); /* pointer to or array of char */
bool type_is_sou(const struct type *t);
bool type_is_void(const struct type *t);
bool type_is_dyn(const struct type *t);
/* Declared by a script or the D library, or a type that only D has? What is made of another type
 * is whose that is. */
bool type_is_of_d(struct types *t, const struct type *type);
bool type_same(const struct type *a, const struct type *b); /* ignoring typedefs and qualifiers */
/* Can a value of this type be passed where the other is wanted (parameter of a prototype,
 * assignment)? */
bool type_argument_ok(const struct type *param, const struct type *arg);

/* C text of a type: "struct task_struct *", "int [4]", "char"; into the arena. */
const char *type_text(struct types *t, const struct type *type);
/* A declaration body for -lv and print(): "struct foo {\n ...}". */
void type_describe(struct types *t, const struct type *type, struct strbuf *out);

/*
 * Trees to types (decl.c). Errors are diagnosed (D_DECL_*). type_of_decl handles N_DECLTOR with
 * its N_SPEC; a struct, union or enum body in it is declared on the way (and its enumerators
 * become known). fold evaluates a constant expression (array sizes, bit widths, enumerators).
 */
struct decl_env {
	struct types *types;
	struct diag *diag;
	/* false: expr is no integer constant */
	bool (*fold)(void *arg, struct node *expr, int64_t *value);
	void *arg;
};
const struct type *type_of_decl(struct decl_env *env, struct node *decltor);
/* Declares "typedef"s of an N_DECL; D_DECL_IDRED when one exists with another meaning. */
void type_declare(struct decl_env *env, struct node *decl);
/*
 * The T_FUNC of a prototype text such as "string(const char *, [int])"; cached. Dies only on a
 * broken table. Besides C's and D's types it knows "@" (T_DYN), stack, _symaddr, _usymaddr and
 * _agg.
 */
const struct type *type_prototype(struct types *t, const char *text);

/*
 * A tracepoint's format file (format.c): fields after the common ones, with their D types.
 * Dynamic arrays (__data_loc char[]) have type string and FIELD_DATA_LOC set: the 4 bytes at off
 * hold offset and length.
 */
enum { FIELD_DATA_LOC = 1, FIELD_REL_LOC = 2 };
struct field {
	const char *name;
	const struct type *type;
	uint32_t off, size;
	unsigned flags;
};
struct format {
	uint32_t id;
	struct field *fields;
	int nfields;
};
/* text of the file; into the types' arena. NULL when it is malformed. "common_" fields are left
 * out. */
struct format *format_parse(struct types *t, const char *text);

#endif
