/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls of 32-bit programs on x86-64. Where the machine's own programs have the call, too,
 * its probe is theirs (prov_syscall.c); this file has the other calls, in a module of their own, so
 * that a listing distinguishes them. The provider has the name of the other one, and takes names as
 * they are written: syscall::stat64:entry is stat, which other systems call so, and stat64.
 *
 * An argument is what a 64-bit program would have in the register: 32 bits with zeroes above; with
 * the sign, where it is a long by its meaning; both words, where 64 bits come in two. Structures
 * that arguments point to differ, too; scripts must declare the 32-bit layout.
 */
#include <string.h>
#include <unistd.h>

#include "libdt/provider/prov.h"
#include "libdt/provider/syscall.h"

enum { ID_FIRST = 76000 };

static const struct call {
	const char *name;
	uint32_t nr;
	const char *args;
} calls[] = {
#if defined(__x86_64__)
#define SYSCALL32(name, nr, args) {#name, nr, args},
#include "libdt/provider/syscalls32.def"
#undef SYSCALL32
#endif
    {0},
};

/* Which word argument n is, or begins with; and what is special of it. */
enum { WORD = 7, WIDE = 8, SIGNED = 16 };

/* Calls whose arguments are other words than those of their own number. Those that are not named
 * are. */
static const struct shape {
	uint32_t nr;
	uint8_t arg[SYSCALL_ARGS];
} shapes[] = {
    {19, {0, 1 | SIGNED, 2, 3, 4, 5}},		 /* lseek */
    {26, {0 | SIGNED, 1 | SIGNED, 2, 3, 4, 5}},	 /* ptrace */
    {92, {0, 1 | SIGNED, 2, 3, 4, 5}},		 /* truncate */
    {93, {0, 1 | SIGNED, 2, 3, 4, 5}},		 /* ftruncate */
    {120, {0, 1, 2, 4, 3, 5}},			 /* clone */
    {180, {0, 1, 2, 3 | WIDE, 4, 5}},		 /* pread64 */
    {181, {0, 1, 2, 3 | WIDE, 4, 5}},		 /* pwrite64 */
    {193, {0, 1 | WIDE, 2, 3, 4, 5}},		 /* truncate64 */
    {194, {0, 1 | WIDE, 2, 3, 4, 5}},		 /* ftruncate64 */
    {225, {0, 1 | WIDE, 3, 3, 4, 5}},		 /* readahead */
    {247, {0, 1 | SIGNED, 2 | SIGNED, 3, 4, 5}}, /* io_getevents */
    {250, {0, 1 | WIDE, 3, 4, 4, 5}},		 /* fadvise64 */
    {253, {0 | WIDE, 2, 3, 3, 4, 5}},		 /* lookup_dcookie */
    {272, {0, 1 | WIDE, 3 | WIDE, 5, 4, 5}},	 /* fadvise64_64 */
    {314, {0, 1 | WIDE, 3 | WIDE, 5, 4, 5}},	 /* sync_file_range */
    {324, {0, 1, 2 | WIDE, 4 | WIDE, 4, 5}},	 /* fallocate */
    {333, {0, 1, 2, 3 | WIDE, 4, 5}},		 /* preadv */
    {334, {0, 1, 2, 3 | WIDE, 4, 5}},		 /* pwritev */
    {339, {0, 1, 2 | WIDE, 4, 5, 5}},		 /* fanotify_mark */
    {378, {0, 1, 2, 3 | WIDE, 4, 5}},		 /* preadv2 */
    {379, {0, 1, 2, 3 | WIDE, 4, 5}},		 /* pwritev2 */
    {385, {0, 1 | SIGNED, 2 | SIGNED, 3, 4, 5}}, /* io_pgetevents */
    {401, {0, 1, 2, 3 | SIGNED, 4, 5}},		 /* msgrcv */
};

struct state {
	bool known, runs; /* does the kernel run 32-bit programs? */
};

static struct state *state_of(struct probes *ps)
{
	return probes_state(ps, "prov_syscall32.c", sizeof(struct state), NULL);
}

void syscall32_tell(struct probes *ps, bool runs)
{
	*state_of(ps) = (struct state){true, runs};
}

/* It has this switch of theirs then. */
static bool has_calls(struct probes *ps)
{
	if (!state_of(ps)->known)
		syscall32_tell(ps, !access("/proc/sys/abi/vsyscall32", F_OK));
	return state_of(ps)->runs;
}

static const struct call *find_call(const char *name)
{
	for (const struct call *call = calls; call->name; call++)
		if (!strcmp(call->name, name))
			return call;
	return NULL;
}

static void syscall32_provide(struct probes *ps, const struct pdesc *pd)
{
	bool entry = glob_fits(pd->name, "entry"), ret = glob_fits(pd->name, "return");

	if (!pdesc_wants_id(pd, ID_FIRST, ID_FIRST + 2 * SYSCALL_NUMBERS - 1) ||
	    !glob_fits(pd->mod, "syscall32") || (!entry && !ret) || !has_calls(ps))
		return;
	for (const struct call *call = calls; call->name; call++) {
		uint32_t id = ID_FIRST + 2 * call->nr, select[2] = {SELECT_NONE, call->nr};

		if (!glob_fits(pd->func, call->name) || !pdesc_wants_id(pd, id, id + 1))
			continue;
		if (entry)
			syscall_add(ps, &provider_syscall32, id, "syscall32", call->name, select,
				    false)
			    ->data = (void *)call;
		if (ret)
			syscall_add(ps, &provider_syscall32, id + 1, "syscall32", call->name,
				    select, true);
	}
}

/* "const char *filename": the name is its last word. */
static struct probe_arg one_arg(struct probes *ps, const char *text, size_t n)
{
	struct types *types = probes_types(ps);
	size_t len = n;
	const struct type *type;

	while (len && text[len - 1] != ' ' && text[len - 1] != '*')
		len--;
	type = type_find(types, NULL, arena_strndup(probes_arena(ps), text, len));
	if (!type)
		type = text[len - 1] == '*' ? type_find(types, NULL, "void *")
					    : type_int(types, 4, false);
	return (struct probe_arg){.name = arena_strndup(probes_arena(ps), text + len, n - len),
				  .type = syscall_user_type(types, type)};
}

static void syscall32_args(struct probes *ps, struct probe *p)
{
	const struct call *call = p->data;
	struct probe_arg *args;

	if (p->is_return) {
		syscall_return_args(ps, p);
		return;
	}
	args = arena_alloc(probes_arena(ps), SYSCALL_ARGS * sizeof(*args));
	for (const char *s = call->args; *s && p->nargs < SYSCALL_ARGS; s += strspn(s, ", ")) {
		size_t n = strcspn(s, ",");

		args[p->nargs++] = one_arg(ps, s, n);
		s += n;
	}
	p->args = args;
}

/* Is one of the program's probes on this call? */
static bool serves(const struct gen *g, uint32_t nr)
{
	for (int i = 0; i < g->nprobes; i++)
		if (probe_base(g->probes[i])->select[1] == nr)
			return true;
	return false;
}

static int shaped(struct gen *g, int how)
{
	int value = syscall_word(g, how & WORD), high;

	if (how & SIGNED)
		ir_sext(gen_ir(g), value, 32);
	if (how & WIDE) {
		high = syscall_word(g, (how & WORD) + 1);
		ir_alui(gen_ir(g), BPF_LSH, high, 32);
		ir_alu(gen_ir(g), BPF_OR, value, high);
	}
	return value;
}

int syscall_arg32(struct gen *g, int n)
{
	struct ir *ir = gen_ir(g);
	int value = ir_reg(ir), done = ir_label(ir), number = -1;

	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		int next = ir_label(ir);

		if (shapes[i].arg[n] == n || !serves(g, shapes[i].nr))
			continue;
		if (g->nprobes == 1)
			return shaped(g, shapes[i].arg[n]);
		if (number < 0)
			number = syscall_number(g);
		ir_jcci(ir, BPF_JNE, number, shapes[i].nr, next);
		ir_mov(ir, value, shaped(g, shapes[i].arg[n]));
		ir_jmp(ir, done);
		ir_place(ir, next);
	}
	ir_mov(ir, value, syscall_word(g, n));
	ir_place(ir, done);
	return value;
}

static const char *syscall32_unavailable(struct probes *ps, const struct pdesc *pd)
{
	if (!glob_is_literal(pd->prov) || !glob_is_literal(pd->func) || !find_call(pd->func) ||
	    has_calls(ps))
		return NULL;
	return arena_printf(
	    probes_arena(ps),
	    "only 32-bit programs have the system call %s, and this kernel runs none", pd->func);
}

const struct provider provider_syscall32 = {
    .name = "syscall",
    SYSCALL_ATTRS,
    .provide = syscall32_provide,
    .interrupts = true,
    .unpreempted = syscall_unpreempted,
    .args = syscall32_args,
    .arg = syscall_arg,
    .uniform_args = true,
    .selector = syscall_selector,
    .nselect = SYSCALL_NUMBERS,
    .mode = syscall_mode,
    .mode_bit = SYSCALL_MODE_BIT,
    .loads_typed = true,
    .unavailable_reason = syscall32_unavailable,
};
