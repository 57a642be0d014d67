/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From 5.16 on a program that runs as a system call may look a symbol up. Loading and running one takes a
 * fraction of a millisecond (on kernels before 6.2 a few, for they search from end to end); writing out all of
 * /proc/kallsyms takes the kernel 50.
 */
#include "bpf/kaddr.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/sys.h"
#include "libdt/base/mem.h"

/* By value: the enumerators came with 5.14 and 5.16. */
enum { PROG_TYPE_SYSCALL = 31, FUNC_KALLSYMS_LOOKUP_NAME = 179 };

enum { NAME_SIZE = 256, NAME_AT = -8 - NAME_SIZE };

static int load_insns(const char *name, const struct bpf_insn *insns, int n)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = PROG_TYPE_SYSCALL;
	attr.prog_flags = BPF_F_SLEEPABLE;
	attr.insns = sys_ptr(insns);
	attr.insn_cnt = n;
	attr.license = sys_ptr("GPL");
	sys_name(attr.prog_name, name);
	return sys_bpf_make(BPF_PROG_LOAD, &attr, sizeof(attr));
}

/* Runs a program whose context is one word, which becomes the address. What it returns, or -errno. */
static int run(int fd, uint64_t *addr)
{
	union bpf_attr attr;
	int rc;

	*addr = 0;
	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = fd;
	attr.test.ctx_in = sys_ptr(addr);
	attr.test.ctx_size_in = sizeof(*addr);
	rc = sys_bpf(BPF_PROG_TEST_RUN, &attr, sizeof(attr));
	if (rc < 0)
		return rc == -ENOENT ? -EINVAL : rc;
	return (int32_t)attr.test.retval;
}

static int load(const char *name)
{
	struct bpf_insn insns[NAME_SIZE / 4 + 16];
	char text[NAME_SIZE] = "";
	uint32_t size = strlen(name) + 1, word;
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
	return load_insns("dt_symbol", insns, n);
}

int kaddr_find(const char *name, uint64_t *addr)
{
	int fd = load(name), rc;

	if (fd < 0)
		return fd == -ENOENT ? -EINVAL : fd;
	rc = run(fd, addr);
	close(fd);
	return rc;
}

/* Many symbols with their ends --------------------------------------------------------------------------------------- */

enum { FUNC_SNPRINTF = 165, TEXT_SIZE = 320, FORMAT_SIZE = 8 };

/* What the program and we share, one element of an array; the format must be in a map that is frozen. */
struct kaddr_io {
	char name[NAME_SIZE];
	char text[TEXT_SIZE]; /* name+0x0/0xsize [module] */
};

struct kaddr {
	int io, format, prog;
};

static int make_map(const char *name, uint32_t value_size, uint32_t flags)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = 4;
	attr.value_size = value_size;
	attr.max_entries = 1;
	attr.map_flags = flags;
	sys_name(attr.map_name, name);
	return sys_bpf_make(BPF_MAP_CREATE, &attr, sizeof(attr));
}

static int map_value(int cmd, int fd, void *value)
{
	union bpf_attr attr;
	uint32_t key = 0;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = fd;
	attr.key = sys_ptr(&key);
	attr.value = sys_ptr(value);
	return sys_bpf(cmd, &attr, sizeof(attr));
}

static int make_format(void)
{
	char text[FORMAT_SIZE] = "%pS";
	union bpf_attr attr;
	int fd = make_map("dt_format", sizeof(text), BPF_F_RDONLY_PROG), rc;

	if (fd < 0)
		return fd;
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = fd;
	rc = map_value(BPF_MAP_UPDATE_ELEM, fd, text);
	rc = rc < 0 ? rc : sys_bpf(BPF_MAP_FREEZE, &attr, sizeof(attr));
	if (rc < 0) {
		close(fd);
		return rc;
	}
	return fd;
}

/* The context is the address found; the text of it goes into the map. Returns what the look-up returned. */
static int load_range(const struct kaddr *k)
{
	struct bpf_insn insns[40];
	int n = 0, skip;

#define INSN(op, dst, src, o, i)                                                                                          \
	(insns[n++] = (struct bpf_insn){.code = (op), .dst_reg = (dst), .src_reg = (src), .off = (o), .imm = (i)})
#define VALUE(dst, fd, at) (INSN(BPF_LD | BPF_IMM | BPF_DW, dst, BPF_PSEUDO_MAP_VALUE, 0, fd), INSN(0, 0, 0, 0, at))
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0);
	INSN(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 0);
	VALUE(1, k->io, 0);
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, NAME_SIZE);
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, 0);
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 4, 10, 0, 0);
	INSN(BPF_ALU64 | BPF_ADD | BPF_K, 4, 0, 0, -8);
	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, FUNC_KALLSYMS_LOOKUP_NAME);
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 7, 0, 0, 0);
	INSN(BPF_LDX | BPF_MEM | BPF_DW, 1, 10, -8, 0);
	INSN(BPF_STX | BPF_MEM | BPF_DW, 6, 1, 0, 0);
	skip = n;
	INSN(BPF_JMP | BPF_JNE | BPF_K, 7, 0, 0, 0);
	VALUE(1, k->io, offsetof(struct kaddr_io, text));
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, TEXT_SIZE);
	VALUE(3, k->format, 0);
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 4, 10, 0, 0);
	INSN(BPF_ALU64 | BPF_ADD | BPF_K, 4, 0, 0, -8);
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, 5, 0, 0, 8);
	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, FUNC_SNPRINTF);
	insns[skip].off = n - skip - 1;
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 0, 7, 0, 0);
	INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
#undef VALUE
#undef INSN
	return load_insns("dt_symbols", insns, n);
}

struct kaddr *kaddr_open(void)
{
	struct kaddr *k = xcalloc(1, sizeof(*k));

	k->io = make_map("dt_names", sizeof(struct kaddr_io), 0);
	k->format = make_format();
	k->prog = k->io < 0 || k->format < 0 ? -1 : load_range(k);
	if (k->prog >= 0)
		return k;
	kaddr_close(k);
	return NULL;
}

void kaddr_close(struct kaddr *k)
{
	if (!k)
		return;
	if (k->io >= 0)
		close(k->io);
	if (k->format >= 0)
		close(k->format);
	if (k->prog >= 0)
		close(k->prog);
	free(k);
}

int kaddr_range(struct kaddr *k, const char *name, uint64_t *addr, uint64_t *end)
{
	struct kaddr_io io = {.name = ""};
	const char *size;
	int rc;

	if (strlen(name) >= sizeof(io.name))
		return -EINVAL;
	memcpy(io.name, name, strlen(name));
	rc = map_value(BPF_MAP_UPDATE_ELEM, k->io, &io);
	if (rc < 0)
		return rc;
	rc = run(k->prog, addr);
	if (rc)
		return rc;
	rc = map_value(BPF_MAP_LOOKUP_ELEM, k->io, &io);
	if (rc < 0)
		return rc == -ENOENT ? -EINVAL : rc;
	size = memchr(io.text, '\0', sizeof(io.text)) ? strstr(io.text, "+0x0/0x") : NULL;
	if (!size)
		return -EINVAL;
	*end = *addr + strtoull(size + 7, NULL, 16);
	return 0;
}
