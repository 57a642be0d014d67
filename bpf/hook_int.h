/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of hooks. */
#ifndef DT_HOOK_INT_H
#define DT_HOOK_INT_H

#include "bpf/hook.h"

/* Where the registers that a program is called with have the program counter. */
#if defined(__x86_64__)
enum { HOOK_PC_OFFSET = 128 };
#elif defined(__aarch64__)
enum { HOOK_PC_OFFSET = 256 };
#else
#error "where struct pt_regs has its registers is not known for this machine"
#endif

/* hook_func.c: the kernel's functions. */
int func_regs_arg(struct ir *ir, int ctx, int n);
int func_regs_ret(struct ir *ir, int ctx, int nargs);
int func_typed_arg(struct ir *ir, int ctx, int n);
int func_typed_ret(struct ir *ir, int ctx, int nargs);

#endif
