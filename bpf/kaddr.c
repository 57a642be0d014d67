/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From 5.16 on a program that runs as a system call may look a symbol up. Loading it takes a
 * fraction of a millisecond, running it some microseconds (on kernels before 6.2 a few
 * milliseconds, for they search from end to end); writing out all of /proc/kallsyms takes the
 * kernel 50.
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

/* What the programs get and leave: the name that is asked for, or nothing where it is in the map,
 * and its address. */
struct kaddr_ask {
	uint64_t addr;
	char name[NAME_SIZE];
};

struct kaddr {
	int find;	       /* the program that looks up an address, -1 until first used */
	int io, format, range; /* the one that also finds the end, and its maps */
};

/* What the program returns, or -errno. */
static int run(int fd, struct kaddr_ask *ask)
{
	union bpf_attr attr;
	int rc;

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = fd;
	attr.test.ctx_in = sys_ptr(ask);
	attr.test.ctx_size_in = sizeof(*ask);
	rc = sys_bpf(BPF_PROG_TEST_RUN, &attr, sizeof(attr));
	if (rc < 0)
		return rc == -ENOENT ? -EINVAL : rc;
	return (int32_t)attr.test.retval;
}

/* The helper takes the name from where the program can be sure of it, which its context is not. */
static int load_find(void)
{
	struct bpf_insn insns[NAME_SIZE / 4 + 16];
	int n = 0;

#define INSN(op, dst, src, o, i)         \
	(insns[n++] = (struct bpf_insn){ \
	     .code = (op), .dst_reg = (dst), .src_reg = (src), .off = (o), .imm = (i)})
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0);
	INSN(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 0);
	for (int at = 0; at < NAME_SIZE; at += 8) {
		INSN(BPF_LDX | BPF_MEM | BPF_DW, 1, 6, offsetof(struct kaddr_ask, name) + at, 0);
		INSN(BPF_STX | BPF_MEM | BPF_DW, 10, 1, NAME_AT + at, 0);
	}
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 1, 10, 0, 0);
	INSN(BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 0, NAME_AT);
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, NAME_SIZE);
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, 0);
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, 4, 10, 0, 0);
	INSN(BPF_ALU64 | BPF_ADD | BPF_K, 4, 0, 0, -8);
	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, FUNC_KALLSYMS_LOOKUP_NAME);
	INSN(BPF_LDX | BPF_MEM | BPF_DW, 1, 10, -8, 0);
	INSN(BPF_STX | BPF_MEM | BPF_DW, 6, 1, offsetof(struct kaddr_ask, addr), 0);
	INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
#undef INSN
	return load_insns("dt_symbol", insns, n);
}

/* A program that could not be loaded is tried again: why it could not may have been a limit. */
static int loaded(int *fd, int (*load)(void))
{
	if (*fd < 0)
		*fd = load();
	return *fd >= 0 ? 0 : *fd == -ENOENT ? -EINVAL : *fd;
}

int kaddr_find(struct kaddr *k, const char *name, uint64_t *addr)
{
	struct kaddr_ask ask = {.name = ""};
	int rc;

	*addr = 0;
	if (strlen(name) >= sizeof(ask.name))
		return -EINVAL;
	memcpy(ask.name, name, strlen(name));
	rc = loaded(&k->find, load_find);
	rc = rc ? rc : run(k->find, &ask);
	*addr = ask.addr;
	return rc;
}

/* Many symbols with their ends -------------------------------------------- */

enum { FUNC_SNPRINTF = 165, TEXT_SIZE = 320, FORMAT_SIZE = 8 };

/* What the program and we share, one element of an array; the format must be in a map that is
 * frozen. */
struct kaddr_io {
	char name[NAME_SIZE];
	char text[TEXT_SIZE]; /* name+0x0/0xsize [module] */
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

/* The name is in the map, and so will be the text of its address. Returns what the look-up
 * returned. */
static int load_range(const struct kaddr *k)
{
	struct bpf_insn insns[40];
	int n = 0, skip;

#define INSN(op, dst, src, o, i)         \
	(insns[n++] = (struct bpf_insn){ \
	     .code = (op), .dst_reg = (dst), .src_reg = (src), .off = (o), .imm = (i)})
#define VALUE(dst, fd, at) \
	(INSN(BPF_LD | BPF_IMM | BPF_DW, dst, BPF_PSEUDO_MAP_VALUE, 0, fd), INSN(0, 0, 0, 0, at))
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
	INSN(BPF_STX | BPF_MEM | BPF_DW, 6, 1, offsetof(struct kaddr_ask, addr), 0);
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

static int open_range(struct kaddr *k)
{
	if (k->io < 0)
		k->io = make_map("dt_names", sizeof(struct kaddr_io), 0);
	if (k->format < 0)
		k->format = make_format();
	if (k->range < 0)
		k->range = k->io < 0 ? k->io : k->format < 0 ? k->format : load_range(k);
	return k->range >= 0 ? 0 : k->range == -ENOENT ? -EINVAL : k->range;
}

struct kaddr *kaddr_open(void)
{
	struct kaddr *k = xmalloc(sizeof(*k));

	*k = (struct kaddr){-1, -1, -1, -1};
	return k;
}

void kaddr_close(struct kaddr *k)
{
	int fds[] = {k ? k->find : -1, k ? k->io : -1, k ? k->format : -1, k ? k->range : -1};

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(k);
}

int kaddr_range(struct kaddr *k, const char *name, uint64_t *addr, uint64_t *end)
{
	struct kaddr_io io = {.name = ""};
	struct kaddr_ask ask = {0};
	const char *size;
	int rc;

	if (strlen(name) >= sizeof(io.name))
		return -EINVAL;
	memcpy(io.name, name, strlen(name));
	rc = open_range(k);
	rc = rc ? rc : map_value(BPF_MAP_UPDATE_ELEM, k->io, &io);
	rc = rc < 0 ? rc : run(k->range, &ask);
	*addr = ask.addr;
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
