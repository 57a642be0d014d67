/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions on memory. What D calls scratch is the dynamic area of the firing's slot: allocations
 * follow one another and last until the end of the firing, so that later clauses can use what an
 * earlier one copied in.
 */
#include "libdt/builtin/builtin.h"
#include "libdt/lang/gen.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"

/* An offset in the slot as D's number. */
static int slot_number(struct gen *g, int off)
{
	int r = gen_copy(g, gen_slot_address(g));

	ir_alu(g->ir, BPF_ADD, r, off);
	return r;
}

static void check_size(struct sema *s, struct node *n, int i)
{
	const struct node *size = call_arg(n, i);

	if (size->kind != N_INT)
		return;
	if (size->value > DYN_MAX)
		sema_die(s, D_ALLOCA_SIZE, size, "%s( ) of %lld bytes: at most %u can be allocated",
			 n->name, (long long)size->value, DYN_MAX);
	if (opt_changed(s->opts, OPT_SCRATCHSIZE) &&
	    size->value > (uint64_t)opt_num(s->opts, OPT_SCRATCHSIZE))
		sema_die(s, D_ALLOCA_SIZE, size,
			 "%s( ) of %lld bytes: scratchsize is set to %lld; try -x scratchsize=%lld",
			 n->name, (long long)size->value,
			 (long long)opt_num(s->opts, OPT_SCRATCHSIZE), (long long)size->value);
}

static void check_alloca(struct sema *s, struct node *n)
{
	check_size(s, n, 0);
}

static void check_copyin(struct sema *s, struct node *n)
{
	check_size(s, n, 1);
}

static int gen_alloca_call(struct gen *g, struct node *n)
{
	struct node *size = call_arg(n, 0);

	return slot_number(g, gen_alloca(g, size, gen_expr(g, size)));
}

static int gen_copyin(struct gen *g, struct node *n)
{
	int addr = gen_expr(g, call_arg(n, 0)), size = gen_expr(g, call_arg(n, 1)), off, to;

	off = gen_alloca_text(g, call_arg(n, 1), size);
	to = gen_copy(g, gen_slot(g));
	ir_alu(g->ir, BPF_ADD, to, off);
	gen_fetch(g, TF_USERLAND, to, size, addr);
	return slot_number(g, off);
}

/* A string is an array of char to copy from, but no memory to copy to. */
static void check_destination(struct sema *s, struct node *n, int i)
{
	const struct node *to = call_arg(n, i);

	if (to->kind == N_CAST && type_is_string(to->a->type))
		sema_die(s, D_PROTO_ARG, to,
			 "%s( ) argument #%d is incompatible with prototype:\n\tprototype: alloca "
			 "pointer\n\t argument: %s",
			 n->name, i + 1, sema_type_text(s, to->a->type));
}

static void check_bcopy(struct sema *s, struct node *n)
{
	check_destination(s, n, 1);
}

static void check_copyinto(struct sema *s, struct node *n)
{
	check_destination(s, n, 2);
}

static int scratch_at(struct gen *g, int to, const struct node *size_arg, int size)
{
	if (size_arg->kind == N_INT && size_arg->value <= g->dyn_size)
		return gen_scratch_ptr(g, to, -1, size_arg->value);
	return gen_scratch_ptr(g, to, size, 0);
}

static int gen_copyinto(struct gen *g, struct node *n)
{
	int addr = gen_expr(g, call_arg(n, 0)), size = gen_expr(g, call_arg(n, 1)),
	    to = gen_expr(g, call_arg(n, 2));

	gen_fetch(g, TF_USERLAND, scratch_at(g, to, call_arg(n, 1), size), size, addr);
	return -1;
}

static int gen_bcopy(struct gen *g, struct node *n)
{
	int addr = gen_expr(g, call_arg(n, 0)), to = gen_expr(g, call_arg(n, 1)),
	    size = gen_expr(g, call_arg(n, 2));

	gen_fetch(g, type_space(call_arg(n, 0)->type), scratch_at(g, to, call_arg(n, 2), size),
		  size, addr);
	return -1;
}

/* The length that the script allows does not count the NUL. */
static void gen_copyinstr(struct gen *g, struct node *n, const struct str_dest *d)
{
	int addr = gen_expr(g, call_arg(n, 0)), size = -1, fits;
	struct node *len = call_arg(n, 1);

	if (len && len->kind == N_INT) {
		if (len->value < d->bound - 1)
			size = gen_imm(g, len->value + 1);
	} else if (len) {
		size = gen_copy(g, gen_expr(g, len));
		fits = ir_label(g->ir);
		ir_jcci(g->ir, BPF_JLT, size, d->bound, fits);
		ir_movi(g->ir, size, d->bound - 1);
		ir_place(g->ir, fits);
		ir_alui(g->ir, BPF_ADD, size, 1);
	}
	gen_str_fetch(g, addr, TF_USERLAND, size, d);
}

static uint32_t bound_copyinstr(struct sema *s, struct node *n)
{
	struct node *len = call_arg(n, 1);

	return len && len->kind == N_INT && len->value < s->strsize ? len->value + 1 : 0;
}

/* Reserves size bytes of scratch memory that are copied out at once. */
static int reserve(struct gen *g, struct node *size_arg, int size)
{
	int to = gen_copy(g, gen_slot(g));

	if (size_arg->kind == N_INT && size_arg->value <= DYN_MAX)
		ir_alui(g->ir, BPF_ADD, to, gen_temp(g, size_arg->value));
	else
		ir_alu(g->ir, BPF_ADD, to, gen_alloca(g, size_arg, size));
	return to;
}

/* The kernel takes no size of 0 here. */
static void write_user(struct gen *g, int addr, int from, int size)
{
	int none = ir_label(g->ir), r;

	ir_jcci(g->ir, BPF_JLT, size, 1, none);
	r = ir_callv(g->ir, BPF_FUNC_probe_write_user, addr, from, size);
	gen_fault_if(g, BPF_JNE, r, 0, FAULT_BADADDR, addr, 0);
	ir_place(g->ir, none);
}

/* What is copied out may be anywhere in the kernel's memory, the helper wants it in ours. */
static int gen_copyout(struct gen *g, struct node *n)
{
	int from = gen_expr(g, call_arg(n, 0)), addr = gen_expr(g, call_arg(n, 1));
	int size = gen_expr(g, call_arg(n, 2)), to = reserve(g, call_arg(n, 2), size);

	gen_fetch(g, type_space(call_arg(n, 0)->type), to, size, from);
	write_user(g, addr, to, size);
	return -1;
}

/* Copies the NUL too, if it fits within the length that the script allows. */
static int gen_copyoutstr(struct gen *g, struct node *n)
{
	struct str s = gen_str_slot(g, call_arg(n, 0));
	int addr = gen_expr(g, call_arg(n, 1)), size = gen_copy(g, gen_expr(g, call_arg(n, 2)));
	int from = gen_copy(g, s.ptr), fits = ir_label(g->ir), len;

	if (!s.lit)
		gen_str_check(g, &s);
	ir_alui(g->ir, BPF_ADD, from, s.off);
	len = gen_copy(g, ir_callv(g->ir, BPF_FUNC_probe_read_kernel_str, from, gen_imm(g, s.bound),
				   gen_copy(g, from)));
	ir_jcc(g->ir, BPF_JLE, len, size, fits);
	ir_mov(g->ir, len, size);
	ir_place(g->ir, fits);
	gen_fault_if(g, BPF_JGT, len, s.bound, FAULT_BADSIZE, len, 0);
	write_user(g, addr, from, len);
	return -1;
}

const struct def defs_mem[] = {
    {.name = "alloca",
     .kind = DEF_SUB,
     .proto = "void *(size_t)",
     .check = check_alloca,
     .gen = gen_alloca_call,
     .help = "scratch memory, until the probe's last clause ends"},
    {.name = "bcopy",
     .kind = DEF_SUB,
     .proto = "void(void *, void *, size_t)",
     .flags = DEF_WRITES,
     .check = check_bcopy,
     .gen = gen_bcopy,
     .help = "copies bytes from an address to scratch memory"},
    {.name = "copyin",
     .kind = DEF_SUB,
     .proto = "void *(uintptr_t, size_t)",
     .check = check_copyin,
     .gen = gen_copyin,
     .help = "a copy, in scratch memory, of bytes at an address of the process"},
    {.name = "copyinstr",
     .kind = DEF_SUB,
     .proto = "string(uintptr_t, [size_t])",
     .gen_str = gen_copyinstr,
     .bound = bound_copyinstr,
     .help = "the string at an address of the process, of at most length bytes"},
    {.name = "copyinto",
     .kind = DEF_SUB,
     .proto = "void(uintptr_t, size_t, void *)",
     .flags = DEF_WRITES,
     .check = check_copyinto,
     .gen = gen_copyinto,
     .help = "copies bytes at an address of the process to scratch memory"},
    {.name = "copyout",
     .kind = DEF_SUB,
     .proto = "void(void *, uintptr_t, size_t)",
     .flags = DEF_DESTRUCTIVE,
     .gen = gen_copyout,
     .help = "copies bytes to an address of the process"},
    {.name = "copyoutstr",
     .kind = DEF_SUB,
     .proto = "void(const char *, uintptr_t, size_t)",
     .flags = DEF_DESTRUCTIVE,
     .gen = gen_copyoutstr,
     .help = "copies a string to an address of the process, of at most length bytes"},
    {0},
};
