/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's data and functions: `name, mod`name.
 *
 * A symbol's address is from /proc/kallsyms; its type is from BTF, which has the functions and the
 * per-CPU variables, and usually no others (some kernels are built with more). To take an untyped
 * variable for an unsigned long, as other DTrace implementations do, gives garbage for what is
 * smaller; so it has no value, and its address is a void *: *(int *)&`name. For the variables
 * that scripts look at most there is a table below.
 *
 * A variable of each CPU's means the one of the CPU that the probe fires on.
 */
#include <stdlib.h>
#include <string.h>

#include "libdt/symbols/ksym.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/provider/uproc.h"

/* Variables whose types do not change, and which BTF rarely has. */
struct known {
	const char *name, *type;
};
static const struct known known[] = {
    {"avenrun", "unsigned long [3]"},
    {"crashing_cpu", "int"},
    {"init_mm", "struct mm_struct"},
    {"init_net", "struct net"},
    {"init_nsproxy", "struct nsproxy"},
    {"init_pid_ns", "struct pid_namespace"},
    {"init_task", "struct task_struct"},
    {"init_user_ns", "struct user_namespace"},
    {"init_uts_ns", "struct uts_namespace"},
    {"jiffies", "volatile unsigned long"},
    {"jiffies_64", "unsigned long long"},
    {"linux_banner", "const char []"},
    {"loops_per_jiffy", "unsigned long"},
    {"max_low_pfn", "unsigned long"},
    {"max_pfn", "unsigned long"},
    {"max_possible_pfn", "unsigned long long"},
    {"max_threads", "int"},
    {"min_low_pfn", "unsigned long"},
    {"modules", "struct list_head"},
    {"nr_cpu_ids", "unsigned int"},
    {"nr_node_ids", "unsigned int"},
    {"nr_threads", "int"},
    {"panic_on_oops", "int"},
    {"panic_timeout", "int"},
    {"root_task_group", "struct task_group"},
    {"saved_command_line", "char *"},
    {"super_blocks", "struct list_head"},
    {"system_state", "enum system_states"},
    {"tainted_mask", "unsigned long"},
    {"total_forks", "unsigned long"},
    {"vm_swappiness", "int"},
    {"__cpu_online_mask", "struct cpumask"},
    {"__cpu_possible_mask", "struct cpumask"},
    {"__cpu_present_mask", "struct cpumask"},
};
/* The same for what each CPU has; older pahole left them out. */
static const struct known known_percpu[] = {
    {"cpu_number", "int"},
    {"current_task", "struct task_struct *"},
    {"runqueues", "struct rq"},
    {"this_cpu_off", "unsigned long"},
};

static bool in_kernel_itself(const char *module)
{
	return !module || !strcmp(module, "vmlinux");
}

static const char *known_type(const struct known *table, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(table[i].name, name))
			return table[i].type;
	return NULL;
}

static const struct type *symbol_type(struct sema *s, const char *module, const char *name,
				      bool *percpu)
{
	const struct type *t = type_kernel_var(s->types, module, name, percpu);
	const char *text = NULL;

	if (!t && in_kernel_itself(module)) {
		text = known_type(known_percpu, ARRAY_SIZE(known_percpu), name);
		*percpu = text;
		if (!text)
			text = known_type(known, ARRAY_SIZE(known), name);
	}
	if (text)
		t = type_find(s->types, "vmlinux", text);
	return t ? t : type_kernel_func(s->types, module, name);
}

static _Noreturn void no_symbol(struct sema *s, const struct node *n, const struct type *type)
{
	const char *mod = n->module ? n->module : "";
	int want = !type ? 0 : type->kind == T_FUNC ? KSYM_TEXT : KSYM_DATA;

	if (s->trying)
		sema_die(s, D_IDENT_UNDEF, n, "failed to resolve %s`%s", mod, n->name);
	sema_die(s, D_IDENT_UNDEF, n, "failed to resolve %s`%s: %s", mod, n->name,
		 syms_lack(s->ksyms, s->arena, n->module, n->name, want, !type));
}

static _Noreturn void no_type(struct sema *s, const struct node *n)
{
	const char *why = types_kernel_error(s->types), *mod = n->module ? n->module : "";

	if (why)
		sema_die(s, D_SYM_NOTYPES, n, "%s`%s has no type data: %s", mod, n->name, why);
	sema_die(s, D_SYM_NOTYPES, n,
		 "%s`%s has no type data; its address is &%s`%s, and if it is an int, *(int "
		 "*)&%s`%s is its value",
		 mod, n->name, mod, n->name, mod, n->name);
}

/* `NAME may also be an enumerator, of a module's for example. */
static struct node *enumerator(struct sema *s, struct node *n)
{
	const struct type *type;
	int64_t value;

	return type_enumerator(s->types, n->module ? n->module : "vmlinux", n->name, &value, &type)
		   ? sema_int(s, n, value, type)
		   : NULL;
}

/*
 * pid`NAME, pid123`libfoo`NAME: a program's constant or variable. A variable is what its address
 * points to in the memory of the process that the probe fires in: the script must ensure that this
 * is the process it names.
 */
static struct node *program_symbol(struct sema *s, struct node *n, bool address)
{
	const char *object = strchr(n->module, '`'), *why;
	pid_t pid = strtol(n->module + 3, NULL, 10);
	const struct type *t = NULL;
	struct node *e, *value;
	uint64_t addr;

	pid = pid ? pid : probes_process(s->probes, 0);
	why = pid ? uproc_variable(s->probes, pid, object ? object + 1 : "", n->name, &addr, &t)
		  : "no known program has a constant of this name, and a variable needs a process: "
		    "-p, -c or its number (pid123`)";
	e = why ? enumerator(s, n) : NULL; /* which is asked of all files */
	if (e)
		return e;
	if (why)
		sema_die(s, D_IDENT_UNDEF, n, "failed to resolve %s`%s: %s", n->module, n->name,
			 why);
	if (!t && !address)
		sema_die(s, D_SYM_NOTYPES, n,
			 "%s`%s has no type data (gcc -g records it); its address is &%s`%s, and "
			 "if it is an int, *(int *)&%s`%s is its value",
			 n->module, n->name, n->module, n->name, n->module, n->name);
	value = node_new(s->parse, N_UNARY, n->loc);
	value->op = OP_DEREF;
	value->a = sema_int(
	    s, n, addr,
	    type_in_space(s->types, type_ptr(s->types, t ? t : type_void(s->types)), TF_USERLAND));
	value->type = t ? NULL : (struct type *)type_void(s->types);
	return sema_expr(s, value);
}

/* What a kernel's variables and functions are called, and what they mean, is its own business. */
static void symbol_used(struct sema *s, const struct node *n)
{
	attr_use(s, n, (struct attr){STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN}, "symbol",
		 arena_printf(s->arena, "%s`%s", n->module ? n->module : "", n->name));
}

/* A variable of other systems' kernels (kernel.d), unless Linux has one of that name. */
struct sym *kernel_foreign(struct sema *s, const struct node *n)
{
	const struct type *t;
	struct sym *sym;
	bool percpu;

	if (!in_kernel_itself(n->module) && strcmp(n->module, "unix") &&
	    strcmp(n->module, "genunix"))
		return NULL;
	t = symbol_type(s, "vmlinux", n->name, &percpu);
	if (t && t->kind != T_FUNC)
		return NULL;
	sym = sym_lookup(s, SCOPE_GLOBAL, arena_printf(s->arena, "dt_unix_%s", n->name));
	if (!sym || sym->kind != SYM_INLINE)
		return NULL;
	symbol_used(s, n);
	return sym;
}

void sema_note_hidden(struct sema *s, const char *module, const char *name, const struct ksym *k)
{
	if (k->hidden && !s->hidden)
		s->hidden = arena_printf(s->arena, "%s`%s", module ? module : "", name);
}

static struct node *kernel_own_symbol(struct sema *s, struct node *n, bool address)
{
	struct sym *theirs = address ? NULL : kernel_foreign(s, n);
	bool percpu = false;
	const struct type *t = symbol_type(s, n->module, n->name, &percpu);
	int want = !t ? 0 : t->kind == T_FUNC ? KSYM_TEXT : KSYM_DATA;
	struct node *e;
	struct ksym k;

	if (theirs)
		return inline_expand(s, theirs, n);
	symbol_used(s, n);
	if (!syms_named(s->ksyms, n->module, n->name, want, t != NULL, &k)) {
		e = t ? NULL : enumerator(s, n);
		if (e)
			return e;
		no_symbol(s, n, t);
	}
	sema_note_hidden(s, n->module, n->name, &k);
	if (!t && !n->module && !in_kernel_itself(k.mod))
		t = symbol_type(s, k.mod, n->name, &percpu);
	if (!t && !address && !k.text)
		no_type(s, n);
	n->aux = k.addr;
	n->type = (struct type *)(t ? t : type_void(s->types));
	if (percpu || (!t && !k.text && in_kernel_itself(k.mod) && syms_percpu(s->ksyms, k.addr))) {
		n->flags |= NF_PERCPU;
		n->aux2 = syms_cpu_offsets(s->ksyms);
	}
	sema_site(s, n);
	if (address || (!k.text && type_base(n->type)->kind != T_FUNC))
		return n;
	e = node_new(s->parse, N_UNARY, n->loc); /* a function is its address */
	e->op = OP_ADDR;
	e->a = n;
	e->type = (struct type *)type_ptr(s->types, n->type);
	return e;
}

struct node *kernel_symbol(struct sema *s, struct node *n, bool address)
{
	if (n->module && type_module_is_program(n->module))
		return program_symbol(s, n, address);
	return kernel_own_symbol(s, n, address);
}

bool sema_is_kernel(const struct node *n)
{
	while ((n->kind == N_MEMBER && n->op == OP_DOT) ||
	       (n->kind == N_INDEX && !n->sym && !n->ref && type_base(n->a->type)->kind == T_ARRAY))
		n = n->a;
	return n->kind == N_IDENT && n->scope == SCOPE_KERNEL;
}
