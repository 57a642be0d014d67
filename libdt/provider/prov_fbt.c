/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the kernel: fbt has those that have a name of their own, rawfbt also what compilers
 * made of them (foo.isra.0); kinst, and fbt by a hexadecimal number for a name, the instructions in
 * them. The plan chooses among the kernel's ways to get there.
 *
 * Ids. The two probes of a function in fbt are FBT_FIRST + 2 * its number and the next id, and
 * those in rawfbt likewise from RAWFBT_FIRST on: functions that the kernel's types have, whose
 * numbers are the lowest, are in the six digits of the column of ids. Instructions are numbered as
 * they are asked for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/modbtf.h"
#include "libdt/symbols/ksym.h"
#include "libdt/emit/emit.h"
#include "libdt/provider/func.h"
#include "libdt/provider/prov.h"

#define INSN_FIRST 500000u
#define FBT_FIRST 550000u
#define RAWFBT_FIRST (FBT_FIRST + IDS)
#define IDS (2u * FUNC_NUMBERS)
_Static_assert(RAWFBT_FIRST + IDS <= 1u << 28, "ids of rawfbt reach into those of pid");
enum { NARGS_MAX = 12, OFFSET_MAX = 1 << 24 };

struct fbt {
	struct hash insns; /* "provider:module`function:name" -> probe */
	uint32_t ninsns;
	struct modbtf modules;
};

static void fbt_free(void *state)
{
	struct fbt *fbt = state;

	hash_free(&fbt->insns);
	modbtf_free(&fbt->modules);
}

static struct fbt *fbt_get(struct probes *ps)
{
	return probes_state(ps, "prov_fbt.c", sizeof(struct fbt), fbt_free);
}

/* Can this kernel's functions be traced, or only those with types? Types from a file are another
 * kernel's, and what can be compiled for that one is no matter of this one's. */
enum power { CANNOT, TYPED_ONLY, CAN };

static enum power power(struct probes *ps)
{
	struct feats *f = probes_feats(ps);

	if (types_kernel_is_file(probes_types(ps)) || !f || feat(f, FEAT_KPROBE) ||
	    feat(f, FEAT_KPROBE_MULTI))
		return CAN;
	return feat(f, FEAT_FENTRY) ? TYPED_ONLY : CANNOT;
}

/* These do not return. BTF does not have that; these are the functions that a caller may meet. */
static bool never_returns(const char *name)
{
	static const char *const names[] = {
	    "__module_put_and_kthread_exit",
	    "__noreturn_panic",
	    "do_exit",
	    "do_group_exit",
	    "kthread_complete_and_exit",
	    "kthread_exit",
	    "make_task_dead",
	    "panic",
	    "rewind_stack_and_make_dead",
	    "do_task_dead",
	    "cpu_startup_entry",
	    "__stack_chk_fail",
	    "machine_real_restart",
	    "stop_this_cpu",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* What add() needs to know of the description. */
struct request {
	struct probes *ps;
	const struct provider *provider;
	const struct pdesc *pd;
	bool entry, ret, typed_only;
	struct func *typed; /* the one of that name which is in the types only */
	int found;
};

static void set_target(struct probe *p, struct func *f, enum hook_kind hook)
{
	p->hook = hook;
	p->target.group = f->mod;
	p->target.name = f->name;
	p->target.addr = f->addr;
	p->data = f;
}

static uint32_t first_id(const struct provider *prov)
{
	return prov == &provider_rawfbt ? RAWFBT_FIRST : FBT_FIRST;
}

static void add_one(const struct request *r, struct func *f, const char *name, bool is_return)
{
	uint32_t id = first_id(r->provider) + 2 * f->number + is_return;
	struct probe *p;

	if (!pdesc_wants_id(r->pd, id, id))
		return;
	p = probe_add_kept(r->ps, r->provider, id, f->mod, name, is_return ? "return" : "entry");
	set_target(p, f, is_return ? HOOK_KRETPROBE : HOOK_KPROBE);
	p->is_return = is_return;
	p->is_entry = !is_return;
	p->recursive = func_is_recursive(f->name);
}

static void add_both(struct request *r, struct func *f, const char *name)
{
	r->found++;
	if (r->entry)
		add_one(r, f, name, false);
	if (r->ret && !never_returns(name))
		add_one(r, f, name, true);
}

/* The types have functions of which the compiler left clones only. */
static bool has_symbol(struct probes *ps, const struct func *f)
{
	struct feats *feats = probes_feats(ps);
	struct syms *syms = probes_syms(ps);
	struct ksym out;

	return types_kernel_is_file(probes_types(ps)) || !syms || !feats ||
	       !feat(feats, FEAT_SYM_LOOKUP) ||
	       syms_named(syms, f->mod, f->name, KSYM_TEXT, false, &out);
}

static void add(void *arg, struct func *f)
{
	struct request *r = arg;

	if ((r->provider == &provider_fbt && strchr(f->name, '.')) ||
	    (r->typed_only && (!f->btf || func_locks(f->name))))
		return;
	if (r->provider == &provider_fbt && f->btf && glob_is_literal(r->pd->func) &&
	    !r->typed_only && !has_symbol(r->ps, f))
		r->typed = f;
	else
		add_both(r, f, f->name);
}

/* Is it what gcc calls a clone of a function: its name, and ".isra.0", ".constprop.0.isra.0"
 * ...? */
static bool is_clone(const char *name, const char *of)
{
	static const char *const marks[] = {"isra", "constprop", "part"};
	size_t len = strlen(of);

	if (strncmp(name, of, len) || name[len] != '.')
		return false;
	for (name += len; *name; name += len) {
		bool known = false;

		len = strcspn(++name, ".");
		for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
			known |= len == strlen(marks[i]) && !strncmp(name, marks[i], len);
		if (!known && (!len || strspn(name, "0123456789") < len))
			return false;
	}
	return true;
}

static void add_clone(void *arg, struct func *f)
{
	struct request *r = arg;

	if (is_clone(f->name, r->pd->func))
		add_both(r, f, r->pd->func);
}

/* A function by its name: of one that the kernel has as clones only, its clones have the name. */
static void add_clones(struct request *r)
{
	if (r->provider != &provider_fbt || r->found || r->typed_only ||
	    !glob_is_literal(r->pd->func) || strchr(r->pd->func, '.'))
		return;
	funcs_each(r->ps, r->pd->mod, arena_printf(probes_arena(r->ps), "%s.*", r->pd->func),
		   add_clone, r);
	if (!r->found && r->typed) /* enabling it says what is wrong */
		add_both(r, r->typed, r->typed->name);
}

/* Instructions ------------------------------------------------------------ */

/* fbt's are hexadecimal, with or without 0x; kinst's as in C. */
static bool parse_offset(const char *name, int base, uint64_t *off)
{
	char *end;

	if (!strchr("0123456789abcdefABCDEF", *name))
		return false;
	errno = 0;
	*off = strtoull(name, &end, base);
	return *name && !*end && !errno && *off < OFFSET_MAX;
}

struct insn {
	struct request r;
	uint64_t off;
};

static void add_insn(void *arg, struct func *f)
{
	const struct insn *insn = arg;
	const struct request *r = &insn->r;
	struct fbt *fbt = fbt_get(r->ps);
	struct strbuf key = {0};
	uint64_t size;
	void **was;

	sb_printf(&key, "%s:%s`%s:%s", r->provider->name, f->mod, f->name, r->pd->name);
	was = hash_ref(&fbt->insns, key.s, key.len);
	sb_free(&key);
	if (*was || INSN_FIRST + fbt->ninsns >= FBT_FIRST)
		return;
	size = func_size(r->ps, f->mod, f->name);
	if (size && insn->off >= size)
		return;
	*was =
	    probe_add(r->ps, r->provider, INSN_FIRST + fbt->ninsns++, f->mod, f->name, r->pd->name);
	set_target(*was, f, HOOK_KPROBE);
	((struct probe *)*was)->target.offset = insn->off;
}

static bool has_kprobes(struct probes *ps)
{
	struct feats *f = probes_feats(ps);

	return types_kernel_is_file(probes_types(ps)) || !f || feat(f, FEAT_KPROBE);
}

static void provide_insn(struct probes *ps, const struct provider *prov, const struct pdesc *pd,
			 int base)
{
	struct insn insn = {.r = {.ps = ps, .provider = prov, .pd = pd}};

	if (glob_is_literal(pd->func) && parse_offset(pd->name, base, &insn.off) && has_kprobes(ps))
		funcs_each(ps, pd->mod, pd->func, add_insn, &insn);
}

/* Functions ------------------------------------------------------------------------------------ */

static void provide(struct probes *ps, const struct provider *prov, const struct pdesc *pd)
{
	struct request r = {
	    .ps = ps,
	    .provider = prov,
	    .pd = pd,
	    .entry = glob_fits(pd->name, "entry"),
	    .ret = glob_fits(pd->name, "return"),
	};
	enum power can;

	if (pd->id && !pdesc_wants_id(pd, first_id(prov), first_id(prov) + IDS - 1))
		return;
	if (!r.entry && !r.ret) {
		provide_insn(ps, prov, pd, 16);
		return;
	}
	can = power(ps);
	r.typed_only = can == TYPED_ONLY;
	if (can != CANNOT)
		funcs_each(ps, pd->mod, pd->func, add, &r);
	if (can != CANNOT)
		add_clones(&r);
}

static void fbt_provide(struct probes *ps, const struct pdesc *pd)
{
	provide(ps, &provider_fbt, pd);
}

static void rawfbt_provide(struct probes *ps, const struct pdesc *pd)
{
	provide(ps, &provider_rawfbt, pd);
}

static void kinst_provide(struct probes *ps, const struct pdesc *pd)
{
	provide_insn(ps, &provider_kinst, pd, 0);
}

/* Arguments ------------------------------------------------------------------------------------ */

/* What is passed by value and is no number comes in one or two registers; args[] has those then. */
static int add_arg(struct types *types, struct probe_arg *args, int n, const struct type *t,
		   const char *name)
{
	uint64_t size = type_size(types, t);
	bool whole = size <= 8 && type_is_scalar(type_base(t));
	int regs = size <= 8 ? 1 : size <= 16 ? 2 : 0;

	for (int i = 0; i < regs && n < NARGS_MAX; i++)
		args[n++] = (struct probe_arg){.name = i || !*name ? NULL : name,
					       .type = whole ? t : type_int(types, 8, false)};
	return n;
}

/* The arguments at entry; whole is whether all of them are available. */
static int entry_args(struct types *types, const struct kernel_func *kf, struct probe_arg *args,
		      bool *whole)
{
	int n = 0;

	*whole = true;
	for (int i = 0; i < kf->type->nparams; i++) {
		*whole &= n < NARGS_MAX && type_size(types, kf->type->params[i]) <= 16;
		n = add_arg(types, args, n, kf->type->params[i], kf->names[i]);
	}
	return n;
}

/* args[0] would be the offset of the return instruction, which is unknown. */
static int return_args(struct types *types, const struct kernel_func *kf, struct probe_arg *args)
{
	args[0] = (struct probe_arg){.type = type_int(types, 8, true)};
	if (type_is_void(type_base(kf->type->ref)))
		return 1;
	return add_arg(types, args, 1, kf->type->ref, "") > 1 ? 2 : 1;
}

static void fbt_args(struct probes *ps, struct probe *p)
{
	struct types *types = probes_types(ps);
	struct func *f = p->data;
	struct probe_arg *args;
	struct kernel_func kf;
	bool whole;

	if (!p->is_entry && !p->is_return) {
		p->no_args = "an instruction has no arguments";
		return;
	}
	if (!f->btf || !type_kernel_func_get(types, f->mod, f->btf, &kf)) {
		p->no_args = types_kernel_error(types);
		if (!p->no_args)
			p->no_args = "the kernel has no type data (BTF) of this function; its "
				     "arguments are in arg0, arg1 ...";
		return;
	}
	args = arena_alloc(probes_arena(ps), NARGS_MAX * sizeof(*args));
	p->args = args;
	p->nargs = entry_args(types, &kf, args, &whole);
	if (whole)
		p->target.nargs = (uint32_t)p->nargs;
	if (whole && !types_kernel_is_file(types))
		p->target.btf_id = kf.id;
	if (p->is_return)
		p->nargs = return_args(types, &kf, args);
}

/* Old kernels' trampolines (before 6.6) pass on as many bytes of a register as the argument has,
 * and in front of them what was on the stack. */
static int whole_register(struct gen *g, const struct probe *p, int n, int value)
{
	if (hook_is_trampoline(g->hook_kind) && value >= 0 && n < p->nargs &&
	    type_is_int(p->args[n].type))
		gen_fit(g, value, p->args[n].type);
	return value;
}

static int fbt_arg(struct gen *g, const struct probe *p, int n)
{
	const struct hook *hook = hook_get(g->hook_kind);
	int value = -1;

	if (p->is_return && n == 0)
		return gen_imm(g, -1);
	if (p->is_return && n == 1)
		value = hook->ret(gen_ir(g), gen_ctx(g), (int)p->target.nargs);
	if (!p->is_return && (!hook_is_trampoline(g->hook_kind) || n < (int)p->target.nargs))
		value = whole_register(g, p, n, hook->arg(gen_ir(g), gen_ctx(g), n));
	return value >= 0 ? value : gen_imm(g, 0);
}

/* When nothing works ------------------------------------------------------ */

static const char *insn_unavailable(struct probes *ps, const struct pdesc *pd, uint64_t off)
{
	const char *mod = glob_is_literal(pd->mod) ? pd->mod : "vmlinux";
	uint64_t size;

	if (!has_kprobes(ps))
		return "this kernel cannot trace instructions: it has no kprobes";
	size = func_size(ps, mod, pd->func);
	if (size && off >= size)
		return arena_printf(probes_arena(ps), "%s has 0x%llx bytes", pd->func,
				    (unsigned long long)size);
	return NULL;
}

static void count_func(void *arg, struct func *f)
{
	(void)f;
	++*(int *)arg;
}

/* Does a description without the provider's name mean a function, as vfs_read:entry does? */
static bool means_function(struct probes *ps, const struct pdesc *pd)
{
	int found = 0;

	if (glob_is_literal(pd->func) && *pd->name &&
	    (glob_fits(pd->name, "entry") || glob_fits(pd->name, "return")))
		funcs_each(ps, pd->mod, pd->func, count_func, &found);
	return found > 0;
}

static const char *fbt_unavailable(struct probes *ps, const struct pdesc *pd)
{
	struct strbuf why = {0};
	const char *result;
	uint64_t off;

	if (!glob_is_literal(pd->prov) && !means_function(ps, pd))
		return NULL;
	if (power(ps) == CANNOT) {
		if (!feat_why_no_bpf(&why))
			sb_puts(&why, "this kernel does not let its functions be traced: it has "
				      "neither fentry nor "
				      "kprobe nor kprobe_multi (dtrace -Vv); syscall, sdt, rawtp "
				      "and profile probes work");
		result = arena_strdup(probes_arena(ps), sb_str(&why));
		sb_free(&why);
		return result;
	}
	if (glob_is_literal(pd->func) &&
	    parse_offset(pd->name, strcmp(pd->prov, "kinst") ? 16 : 0, &off))
		return insn_unavailable(ps, pd, off);
	if (power(ps) == TYPED_ONLY && func_locks(pd->func))
		return "functions that take locks can be traced only with kprobes, which this "
		       "kernel does not have";
	return NULL;
}

static bool fbt_locks(const struct probe *p)
{
	return func_locks(p->func);
}

/* Returning instead of running -------------------------------------------- */

/* No security hook is on the kernel's list of functions for error injection, which kprobes obey. */
static bool is_security(const char *name)
{
	return !strncmp(name, "security_", strlen("security_"));
}

/* Why the kernel does not let this function return instead of running, or NULL. */
static const char *return_refusal(struct probes *ps, struct probe *p, bool zero)
{
	bool by_program = feat(probes_feats(ps), FEAT_FMOD_RET) && p->target.btf_id;
	bool by_kprobe = feat(probes_feats(ps), FEAT_OVERRIDE_RETURN) && p->can_override;
	int module = by_program ? modbtf_fd(&fbt_get(ps)->modules, p->target.group) : 0;

	if (!feat(probes_feats(ps), FEAT_FMOD_RET) && !feat(probes_feats(ps), FEAT_OVERRIDE_RETURN))
		return "this kernel cannot make functions return: it has neither "
		       "fmod_ret (dtrace -Vv) nor "
		       "CONFIG_BPF_KPROBE_OVERRIDE";
	if (by_program && (module < 0 || hook_try_return(p->target.btf_id, module)))
		return type_kernel_func_id(probes_types(ps), "vmlinux",
					   "within_error_injection_list")
			   ? "it is neither one of the kernel's functions for error injection "
			     "(/sys/kernel/debug/error_injection/list) "
			     "nor a security_ function"
			   : "this kernel can make only security_ functions return: it is built "
			     "without "
			     "CONFIG_FUNCTION_ERROR_INJECTION";
	if (zero && !by_kprobe)
		return !p->can_override
			   ? "security_ functions can be made to return errors only: 0 has them run"
			   : "this kernel has functions return errors only, 0 has them run: it is "
			     "built without CONFIG_BPF_KPROBE_OVERRIDE";
	return by_program || by_kprobe ? NULL
				       : "the kernel cannot pass its arguments to BPF programs";
}

static const struct type *fbt_can_return(struct probes *ps, struct probe *p, bool zero,
					 const char **why)
{
	struct types *types = probes_types(ps);
	struct func *f = p->data;
	struct kernel_func kf;

	*why = NULL;
	p->can_override = !is_security(p->func);
	probe_args(ps, p);
	if (!p->is_entry)
		*why = "the function returns at once from its entry only";
	else if (!f->btf || !type_kernel_func_get(types, f->mod, f->btf, &kf))
		*why = "the kernel has no type data (BTF) of what it returns";
	else if (!type_is_int(type_base(kf.type->ref)))
		*why = type_is_void(type_base(kf.type->ref)) ? "it returns nothing"
							     : "what it returns is not a number";
	else if (!types_kernel_is_file(types) && probes_feats(ps) &&
		 feat(probes_feats(ps), FEAT_BPF))
		*why = return_refusal(ps, p, zero);
	return *why ? NULL : type_base(kf.type->ref);
}

static const char *fbt_refused(struct probes *ps, const struct probe *p, int error)
{
	if (!func_is_traceable(ps, p->mod, p->func) && (p->is_entry || p->is_return))
		return "the kernel has excluded it from tracing";
	if (!p->is_entry && !p->is_return && (error == EILSEQ || error == EINVAL))
		return "no instruction that can be traced begins there";
	if (error == EINVAL && p->can_override)
		return "return( ) by a kprobe is for the kernel's functions for error injection "
		       "only";
	if (error == EADDRNOTAVAIL)
		return "several functions have this name, and the kernel cannot distinguish them";
	return NULL;
}

#define FBT_ATTRS                                                     \
	.attr_provider = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},   \
	.attr_module = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},   \
	.attr_function = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN}, \
	.attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},       \
	.attr_args = {STAB_PRIVATE, STAB_PRIVATE, CLASS_ISA}

const struct provider provider_fbt = {
    .name = "fbt",
    FBT_ATTRS,
    .provide = fbt_provide,
    .args = fbt_args,
    .arg = fbt_arg,
    .uniform_args = true,
    .unavailable_reason = fbt_unavailable,
    .refused = fbt_refused,
    .can_return = fbt_can_return,
    .locks = fbt_locks,
};

const struct provider provider_rawfbt = {
    .name = "rawfbt",
    FBT_ATTRS,
    .provide = rawfbt_provide,
    .args = fbt_args,
    .arg = fbt_arg,
    .uniform_args = true,
    .unavailable_reason = fbt_unavailable,
    .refused = fbt_refused,
    .can_return = fbt_can_return,
    .locks = fbt_locks,
};

const struct provider provider_kinst = {
    .name = "kinst",
    FBT_ATTRS,
    .provide = kinst_provide,
    .args = fbt_args,
    .arg = fbt_arg,
    .uniform_args = true,
    .unavailable_reason = fbt_unavailable,
    .refused = fbt_refused,
    .locks = fbt_locks,
};
