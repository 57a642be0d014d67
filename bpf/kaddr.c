/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From 5.16 on a program that runs as a system call may look a symbol up. Loading and running one takes a
 * fraction of a millisecond (on kernels before 6.2 a few, for they search from end to end); writing out all of
 * /proc/kallsyms takes the kernel 50.
 */
#include "bpf/kaddr.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "bpf/sys.h"
#include "libdt/base/mem.h"

/* By value: the enumerators came with 5.14 and 5.16. */
enum { PROG_TYPE_SYSCALL = 31, FUNC_KALLSYMS_LOOKUP_NAME = 179 };

enum { NAME_SIZE = 256, NAME_AT = -8 - NAME_SIZE };

static int load(const char *name)
{
	struct bpf_insn insns[NAME_SIZE / 4 + 16];
	char text[NAME_SIZE] = "";
	uint32_t size = strlen(name) + 1, word;
	union bpf_attr attr;
	int n = 0;

	if (size > NAME_SIZE)
		return -EINVAL;
	memcpy(text, name, size);
#define INSN(op, dst, src, o, i)                                                                                          \
	(insns[n++] = (struct bpf_insn){.code = (op), .dst_reg = (dst), .src_reg = (src), .off = (o), .imm = (i)})
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0);
	INSN(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 0);
	for (uint32_t at = 0; at < size; at += 4) {
		memcpy(&word, text + at, 4);
		INSN(BPF_ST | BPF_MEM | BPF_W, 10, 0, NAME_AT + at, word);
	}
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 10, 0, 0);
	INSN(BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 0, NAME_AT);
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, size);
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, 0);
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 4, 10, 0, 0);
	INSN(BPF_ALU64 | BPF_ADD | BPF_K, 4, 0, 0, -8);
	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, FUNC_KALLSYMS_LOOKUP_NAME);
	INSN(BPF_LDX | BPF_MEM | BPF_DW, 1, 10, -8, 0);
	INSN(BPF_STX | BPF_MEM | BPF_DW, 6, 1, 0, 0);
	INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
#undef INSN
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = PROG_TYPE_SYSCALL;
	attr.prog_flags = BPF_F_SLEEPABLE;
	attr.insns = sys_ptr(insns);
	attr.insn_cnt = n;
	attr.license = sys_ptr("GPL");
	memcpy(attr.prog_name, "dt_symbol", sizeof("dt_symbol"));
	return sys_bpf_make(BPF_PROG_LOAD, &attr, sizeof(attr));
}

int kaddr_find(const char *name, uint64_t *addr)
{
	uint64_t ctx = 0;
	union bpf_attr attr;
	int fd = load(name), rc;

	if (fd < 0)
		return fd == -ENOENT ? -EINVAL : fd;
	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = fd;
	attr.test.ctx_in = sys_ptr(&ctx);
	attr.test.ctx_size_in = sizeof(ctx);
	rc = sys_bpf(BPF_PROG_TEST_RUN, &attr, sizeof(attr));
	close(fd);
	if (rc < 0)
		return rc == -ENOENT ? -EINVAL : rc;
	*addr = ctx;
	return (int32_t)attr.test.retval;
}
