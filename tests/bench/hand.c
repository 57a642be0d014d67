/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BPF programs written by hand: each does what the D program of the same job of make bench does, in
 * the fewest instructions, as getppid is the only call that is traced. They have the checks that no
 * tracer can leave out (the number is a 64-bit call's; a key is made when it is not there), and
 * none of what D asks for beyond them: no drops are counted, no exit() is looked for.
 *
 * They are on the BTF-typed raw tracepoints, and use r6 for the context and r7 to r9 freely. A jump
 * to OUT leaves the program.
 */
#include "tests/bench/hand.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/insn.h"

enum {
	MAX_INSNS = 160,
	OUT = 0x7fff,
	CPUS = 512,
	FRAMES = 20,
	KEYS = 4096,
	STRING = 256,
	RECORDS = 4096, /* of 32 bytes, the last of a CPU's ones */
	LINE = 64,	/* bytes of a count on a CPU: nothing else is in its cache line */
	BUCKETS = 64,
};

/* struct pt_regs: the first argument, the number of the call, and the word whose bit 4 is the mode
 * of the caller. */
#if defined(__x86_64__)
enum { ARG0_OFFSET = 112, NR_OFFSET = 120, MODE_OFFSET = 136, MODE_64 = 16 };
#else
enum { ARG0_OFFSET = 0, NR_OFFSET = 280, MODE_OFFSET = 264, MODE_64 = 0 };
#endif

#define ADDR(dst, src) INSN(BPF_ALU64 | BPF_ADD | BPF_X, dst, src, 0, 0)
#define SUBR(dst, src) INSN(BPF_ALU64 | BPF_SUB | BPF_X, dst, src, 0, 0)
#define AND(dst, imm) INSN(BPF_ALU64 | BPF_AND | BPF_K, dst, 0, 0, imm)
#define LSH(dst, imm) INSN(BPF_ALU64 | BPF_LSH | BPF_K, dst, 0, 0, imm)
#define RSH(dst, imm) INSN(BPF_ALU64 | BPF_RSH | BPF_K, dst, 0, 0, imm)
#define LD(dst, src, off) INSN(BPF_LDX | BPF_MEM | BPF_DW, dst, src, off, 0)
#define LDW(dst, src, off) INSN(BPF_LDX | BPF_MEM | BPF_W, dst, src, off, 0)
#define ST(dst, off, imm) INSN(BPF_ST | BPF_MEM | BPF_DW, dst, 0, off, imm)
#define STR(dst, off, src) INSN(BPF_STX | BPF_MEM | BPF_DW, dst, src, off, 0)
#define LOCK_ADD(dst, src) INSN(BPF_STX | BPF_ATOMIC | BPF_DW, dst, src, 0, BPF_ADD)
#define JNE(dst, imm, off) INSN(BPF_JMP | BPF_JNE | BPF_K, dst, 0, off, imm)
#define JNER(dst, src, off) INSN(BPF_JMP | BPF_JNE | BPF_X, dst, src, off, 0)
#define JEQ(dst, imm, off) INSN(BPF_JMP | BPF_JEQ | BPF_K, dst, 0, off, imm)
#define JGE(dst, imm, off) INSN(BPF_JMP | BPF_JGE | BPF_K, dst, 0, off, imm)
#define MAP(dst, fd) \
	INSN(BPF_LD | BPF_IMM | BPF_DW, dst, BPF_PSEUDO_MAP_FD, 0, fd), INSN(0, 0, 0, 0, 0)
#define MEM(dst, fd) \
	INSN(BPF_LD | BPF_IMM | BPF_DW, dst, BPF_PSEUDO_MAP_VALUE, 0, fd), INSN(0, 0, 0, 0, 0)

struct code {
	struct bpf_insn insns[MAX_INSNS];
	int n;
};

static void put(struct code *c, const struct bpf_insn *insns, size_t n)
{
	if (c->n + n <= MAX_INSNS)
		memcpy(&c->insns[c->n], insns, n * sizeof(*insns));
	c->n += n;
}
#define PUT(c, ...)                              \
	put(c, (struct bpf_insn[]){__VA_ARGS__}, \
	    sizeof((struct bpf_insn[]){__VA_ARGS__}) / sizeof(struct bpf_insn))

static int map(enum bpf_map_type type, int key, int value, int n)
{
	return bpf_map_create(type, "bench", key, value, n, NULL);
}

/* Memory that programs address without a lookup. */
static int memory(int size)
{
	return map(BPF_MAP_TYPE_ARRAY, 4, size, 1);
}

/* Only 64-bit calls of getppid go on. */
static void enter(struct code *c)
{
	PUT(c, MOVR(6, 1), LD(3, 1, 8), JNE(3, SYS_getppid, OUT), LD(2, 1, 0),
	    LD(2, 2, MODE_OFFSET), AND(2, 16), JNE(2, MODE_64, OUT));
}

static void leave(struct code *c)
{
	PUT(c, MOVR(6, 1), LD(2, 1, 0), LDW(3, 2, NR_OFFSET), JNE(3, SYS_getppid, OUT),
	    LD(2, 2, MODE_OFFSET), AND(2, 16), JNE(2, MODE_64, OUT));
}

/* r8 is the offset of the bucket, a word, for the value in r7: of 0, of 1, of 2 and 3, ... */
static void put_bucket(struct code *c)
{
	PUT(c, MOV(8, 0), JEQ(7, 0, 6 * 5 + 1));
	for (int bits = 32; bits; bits /= 2)
		PUT(c, MOVR(1, 7), RSH(1, bits), JEQ(1, 0, 2), MOVR(7, 1), ADD(8, bits));
	PUT(c, ADD(8, 1), AND(8, BUCKETS - 1), LSH(8, 3));
}

/* Adds 1 to a word of this CPU: at r8 of its bytes, or the first. */
static void put_unkeyed(struct code *c, int shift, bool indexed)
{
	PUT(c, CALL(BPF_FUNC_get_smp_processor_id), JGE(0, CPUS, OUT), LSH(0, shift),
	    MEM(4, memory(CPUS << shift)), ADDR(4, 0));
	if (indexed)
		PUT(c, ADDR(4, 8));
	PUT(c, MOV(5, 1), LOCK_ADD(4, 5));
}

/* Adds 1 to a word of an element: at r8, or the first. The key is at two instructions' address; the
 * element begins as zeros, which cost a second lookup once. */
static void put_keyed(struct code *c, int fd, struct bpf_insn addr, struct bpf_insn add, int value,
		      bool indexed)
{
	int zeros = memory(value);

	PUT(c, MAP(1, fd), addr, add, CALL(BPF_FUNC_map_lookup_elem), JNE(0, 0, 14), MAP(1, fd),
	    addr, add, MEM(3, zeros), MOV(4, BPF_NOEXIST), CALL(BPF_FUNC_map_update_elem),
	    MAP(1, fd), addr, add, CALL(BPF_FUNC_map_lookup_elem), JEQ(0, 0, OUT));
	if (indexed)
		PUT(c, ADDR(0, 8));
	PUT(c, MOV(1, 1), LOCK_ADD(0, 1));
}

static int hash(int key, int value, bool percpu)
{
	return map(percpu ? BPF_MAP_TYPE_PERCPU_HASH : BPF_MAP_TYPE_HASH, key, value, KEYS);
}

/* The name of the process, at a distance of the frame. */
static void put_execname(struct code *c, int off)
{
	PUT(c, MOVR(1, 10), ADD(1, off), MOV(2, 16), CALL(BPF_FUNC_get_current_comm));
}

/* r7 is memory of this CPU. */
static void put_buffer(struct code *c, int size)
{
	PUT(c, ST(10, -8, 0), MAP(1, map(BPF_MAP_TYPE_PERCPU_ARRAY, 4, size, 1)), MOVR(2, 10),
	    ADD(2, -8), CALL(BPF_FUNC_map_lookup_elem), JEQ(0, 0, OUT), MOVR(7, 0));
}

static void put_stack(struct code *c, int frames, int flags)
{
	int size = frames * 8;

	enter(c);
	put_buffer(c, size);
	PUT(c, MOVR(1, 6), MOVR(2, 7), MOV(3, size), MOV(4, flags), CALL(BPF_FUNC_get_stack));
	put_keyed(c, hash(size, 8, true), MOVR(2, 7), ADD(2, 0), 8, false);
}

/* A thread's word is in task storage: r0 is its address, or the program ends. */
static void put_thread(struct code *c, int fd, int flags)
{
	PUT(c, CALL(BPF_FUNC_get_current_task_btf), MAP(1, fd), MOVR(2, 0), MOV(3, 0),
	    MOV(4, flags), CALL(BPF_FUNC_task_storage_get), JEQ(0, 0, OUT));
}

static int thread_words(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NO_PREALLOC);
	struct btf *btf = btf__new_empty();
	int fd;

	opts.btf_key_type_id = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	opts.btf_value_type_id = btf__add_int(btf, "long", 8, BTF_INT_SIGNED);
	btf__load_into_kernel(btf);
	opts.btf_fd = btf__fd(btf);
	fd = bpf_map_create(BPF_MAP_TYPE_TASK_STORAGE, "bench", 4, 8, 0, &opts);
	btf__free(btf);
	return fd;
}

static void latency(struct code *at_entry, struct code *at_return, bool keyed)
{
	int threads = thread_words();

	enter(at_entry);
	put_thread(at_entry, threads, BPF_LOCAL_STORAGE_GET_F_CREATE);
	PUT(at_entry, MOVR(7, 0), CALL(BPF_FUNC_ktime_get_ns), STR(7, 0, 0));
	leave(at_return);
	put_thread(at_return, threads, 0);
	PUT(at_return, LD(7, 0, 0), JEQ(7, 0, OUT), ST(0, 0, 0), CALL(BPF_FUNC_ktime_get_ns),
	    SUBR(0, 7), MOVR(7, 0));
	put_bucket(at_return);
	if (!keyed) {
		put_unkeyed(at_return, 9, true);
		return;
	}
	put_execname(at_return, -16);
	put_keyed(at_return, hash(16, BUCKETS * 8, true), MOVR(2, 10), ADD(2, -16), BUCKETS * 8,
		  true);
}

static void put_empty(struct code *c, struct code *at_return)
{
	(void)at_return;
	PUT(c, MOV(0, 0));
}

static void count(struct code *c, struct code *at_return)
{
	(void)at_return;
	enter(c);
	put_unkeyed(c, 6, false);
}

static void count_by_execname(struct code *c, struct code *at_return)
{
	(void)at_return;
	enter(c);
	put_execname(c, -16);
	put_keyed(c, hash(16, 8, true), MOVR(2, 10), ADD(2, -16), 8, false);
}

static void count_by_pid_execname(struct code *c, struct code *at_return)
{
	(void)at_return;
	enter(c);
	PUT(c, CALL(BPF_FUNC_get_current_pid_tgid), RSH(0, 32), STR(10, -24, 0));
	put_execname(c, -16);
	put_keyed(c, hash(24, 8, true), MOVR(2, 10), ADD(2, -24), 8, false);
}

static void quantize_return(struct code *at_entry, struct code *at_return)
{
	(void)at_entry;
	leave(at_return);
	PUT(at_return, LD(7, 6, 8));
	put_bucket(at_return);
	put_unkeyed(at_return, 9, true);
}

static void latency_unkeyed(struct code *at_entry, struct code *at_return)
{
	latency(at_entry, at_return, false);
}

static void latency_by_execname(struct code *at_entry, struct code *at_return)
{
	latency(at_entry, at_return, true);
}

static void predicate(struct code *c, struct code *at_return)
{
	uint64_t name = 0;

	(void)at_return;
	memcpy(&name, "calls", 6);
	enter(c);
	put_execname(c, -16);
	PUT(c, LD(1, 10, -16), INSN(BPF_LD | BPF_IMM | BPF_DW, 2, 0, 0, (int)(uint32_t)name),
	    INSN(0, 0, 0, 0, (int)(name >> 32)), JNER(1, 2, OUT));
	put_unkeyed(c, 6, false);
}

static void associative(struct code *c, struct code *at_return)
{
	(void)at_return;
	enter(c);
	PUT(c, CALL(BPF_FUNC_get_current_pid_tgid), RSH(0, 32), STR(10, -8, 0));
	put_keyed(c, hash(8, 8, false), MOVR(2, 10), ADD(2, -8), 8, false);
}

static void copied_path(struct code *c, struct code *at_return)
{
	(void)at_return;
	enter(c);
	put_buffer(c, STRING);
	/* What followed a longer path would be part of the key. */
	PUT(c, LD(8, 6, 0), LD(8, 8, ARG0_OFFSET), MOVR(1, 7), MOV(2, STRING), MOV(3, 0),
	    CALL(BPF_FUNC_probe_read_kernel), MOVR(1, 7), MOV(2, STRING), MOVR(3, 8),
	    CALL(BPF_FUNC_probe_read_user_str));
	put_keyed(c, hash(STRING, 8, true), MOVR(2, 7), ADD(2, 0), 8, false);
}

static void stack_key(struct code *c, struct code *at_return)
{
	(void)at_return;
	put_stack(c, FRAMES, 0);
}

static void stack_id(struct code *c, struct code *at_return)
{
	(void)at_return;
	enter(c);
	PUT(c, MOVR(1, 6), MAP(2, map(BPF_MAP_TYPE_STACK_TRACE, 4, FRAMES * 8, KEYS)), MOV(3, 0),
	    CALL(BPF_FUNC_get_stackid), STR(10, -8, 0));
	put_keyed(c, hash(8, 8, true), MOVR(2, 10), ADD(2, -8), 8, false);
}

/* By frame pointers. */
static void ustack_key(struct code *c, struct code *at_return)
{
	(void)at_return;
	put_stack(c, 100, BPF_F_USER_STACK);
}

/* A reader that is never late would have nothing to do with this program. */
static void record(struct code *c, struct code *at_return)
{
	(void)at_return;
	enter(c);
	PUT(c, CALL(BPF_FUNC_get_smp_processor_id), JGE(0, CPUS, OUT), LSH(0, 6),
	    MEM(7, memory(CPUS * LINE)), ADDR(7, 0), MOVR(9, 0), LD(8, 7, 0), ADD(8, 1),
	    STR(7, 0, 8), AND(8, RECORDS - 1), LSH(8, 5), MEM(7, memory(RECORDS * 32)), ADDR(7, 8),
	    STR(7, 8, 9), CALL(BPF_FUNC_ktime_get_ns), STR(7, 0, 0), LD(1, 6, 0),
	    LD(1, 1, ARG0_OFFSET), STR(7, 16, 1), ST(7, 24, 1));
}

static const struct kind {
	const char *name;
	void (*make)(struct code *at_entry, struct code *at_return);
} kinds[] = {
    {"empty", put_empty},
    {"count", count},
    {"count-by-execname", count_by_execname},
    {"count-by-pid-execname", count_by_pid_execname},
    {"quantize-return", quantize_return},
    {"latency", latency_unkeyed},
    {"latency-by-execname", latency_by_execname},
    {"predicate", predicate},
    {"associative", associative},
    {"copied-path", copied_path},
    {"stack-key", stack_key},
    {"stack-id", stack_id},
    {"ustack-key", ustack_key},
    {"ustack-deep-key", ustack_key},
    {"ustack-deep-key-fp", ustack_key},
    {"record", record},
};

const char *hand_kind(int i)
{
	return i < (int)(sizeof(kinds) / sizeof(kinds[0])) ? kinds[i].name : NULL;
}

static int attach_code(struct code *c, const char *point)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_RAW_TP,
		    .attach_btf_id = libbpf_find_vmlinux_btf_id(point, BPF_TRACE_RAW_TP));
	int prog, link;

	PUT(c, MOV(0, 0), EXIT());
	if (c->n > MAX_INSNS)
		return -E2BIG;
	for (int i = 0; i < c->n; i++)
		if (BPF_CLASS(c->insns[i].code) == BPF_JMP && c->insns[i].off == OUT)
			c->insns[i].off = c->n - 2 - (i + 1);
	prog = bpf_prog_load(BPF_PROG_TYPE_TRACING, "bench", "GPL", c->insns, c->n, &opts);
	if (prog < 0)
		return prog;
	link = bpf_raw_tracepoint_open(NULL, prog);
	return link < 0 ? link : 0; /* stays until the process ends */
}

int hand_attach(const char *name)
{
	struct code at_entry = {.n = 0}, at_return = {.n = 0};
	int i = 0, e = 0;

	while (hand_kind(i) && strcmp(hand_kind(i), name))
		i++;
	if (!hand_kind(i))
		return -EINVAL;
	kinds[i].make(&at_entry, &at_return);
	if (at_entry.n)
		e = attach_code(&at_entry, "sys_enter");
	if (!e && at_return.n)
		e = attach_code(&at_return, "sys_exit");
	return e;
}
