/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions as the kernel takes them, for programs that are written by hand. */
#ifndef DT_INSN_H
#define DT_INSN_H

#include <linux/bpf.h>

#define INSN(op, dst, src, o, i) \
	((struct bpf_insn){      \
	    .code = (op), .dst_reg = (dst), .src_reg = (src), .off = (o), .imm = (i)})
#define MOV(dst, imm) INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm)
#define MOVR(dst, src) INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define ADD(dst, imm) INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, imm)
#define CALL(func) INSN(BPF_JMP | BPF_CALL, 0, 0, 0, func)
#define EXIT() INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

#endif
