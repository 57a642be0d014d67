/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hooks on the kernel's functions: fentry and fexit, kprobes one by one, and kprobe.multi. */
#include "bpf/hook_int.h"

/* struct pt_regs: where the arguments are, then what is returned, and the stack pointer; and how far above that the
   first argument lies which had no register. */
#if defined(__x86_64__)
static const short arg_regs[] = {112, 104, 96, 88, 72, 64};
enum { RET_OFFSET = 80, SP_OFFSET = 152, STACK_ARGS = 8 };
#elif defined(__aarch64__)
static const short arg_regs[] = {0, 8, 16, 24, 32, 40, 48, 56};
enum { RET_OFFSET = 0, SP_OFFSET = 248, STACK_ARGS = 0 };
#endif

/* A word of the kernel's memory; 0 where there is none. */
static int read_word(struct ir *ir, int base, int off)
{
	int frame = ir_frame(ir, 8), at = ir_reg(ir), addr = ir_reg(ir), size = ir_reg(ir), value = ir_reg(ir);

	ir_frame_sti(ir, 8, frame, 0, 0);
	ir_frame_addr(ir, at, frame, 0);
	ir_mov(ir, addr, base);
	ir_alui(ir, BPF_ADD, addr, off);
	ir_movi(ir, size, 8);
	ir_callv(ir, BPF_FUNC_probe_read_kernel, at, size, addr);
	ir_frame_ld(ir, 8, value, frame, 0);
	ir_frame_free(ir, frame);
	return value;
}

static int load_word(struct ir *ir, int ctx, int off)
{
	int reg = ir_reg(ir);

	ir_ld_const(ir, 8, reg, ctx, off);
	return reg;
}

int func_regs_arg(struct ir *ir, int ctx, int n)
{
	int in_regs = ARRAY_SIZE(arg_regs);

	if (n < 0)
		return -1;
	if (n < in_regs)
		return load_word(ir, ctx, arg_regs[n]);
	return read_word(ir, load_word(ir, ctx, SP_OFFSET), STACK_ARGS + (n - in_regs) * 8);
}

int func_regs_ret(struct ir *ir, int ctx, int nargs)
{
	(void)nargs;
	return load_word(ir, ctx, RET_OFFSET);
}

/*
 * The verifier gives these words types: what is loaded from them directly may be a pointer that D cannot calculate
 * with, and 5.10 refuses whole programs for pointers to what is no struct. So they are read as memory.
 */
int func_typed_arg(struct ir *ir, int ctx, int n)
{
	return n < 0 ? -1 : read_word(ir, ctx, n * 8);
}

int func_typed_ret(struct ir *ir, int ctx, int nargs)
{
	return read_word(ir, ctx, nargs * 8);
}
