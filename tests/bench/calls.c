/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a system call costs: calls getppid, which is traced, and getuid, which is not, and writes
 * the CPU time of one call of each, in nanoseconds, into a file.
 *
 *	calls FILE		with what others trace
 *	calls -H KIND FILE	with a program written by hand on it: the limit
 *	calls -u FILE		the same of traced_call(), which is traced, and other_call(),
 *				which is not
 *	calls -d DEPTH FILE	getppid and getuid under DEPTH functions that keep frame pointers
 *	calls -s FILE		of point_call(), which has the static probe bench:::point(int),
 *				and other_call()
 *	calls -n COUNT FILE	COUNT calls of getppid at full speed; writes the calls in a second
 *	calls -t RUNS FILE COMMAND...	writes a command's time, CPU time (ms) and peak memory
 *					(KB): medians of RUNS
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 20000, BATCHES = 41, MAX_INSNS = 64, FRAMES = 20 };

#define INSN(op, dst, src, o, i) \
	((struct bpf_insn){      \
	    .code = (op), .dst_reg = (dst), .src_reg = (src), .off = (o), .imm = (i)})
#define MOV(dst, imm) INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm)
#define MOVR(dst, src) INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define ADD(dst, imm) INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, imm)
#define ADDR(dst, src) INSN(BPF_ALU64 | BPF_ADD | BPF_X, dst, src, 0, 0)
#define AND(dst, imm) INSN(BPF_ALU64 | BPF_AND | BPF_K, dst, 0, 0, imm)
#define LSH(dst, imm) INSN(BPF_ALU64 | BPF_LSH | BPF_K, dst, 0, 0, imm)
#define LD(dst, src, off) INSN(BPF_LDX | BPF_MEM | BPF_DW, dst, src, off, 0)
#define ST(dst, off, imm) INSN(BPF_ST | BPF_MEM | BPF_DW, dst, 0, off, imm)
#define STR(dst, off, src) INSN(BPF_STX | BPF_MEM | BPF_DW, dst, src, off, 0)
#define LOCK_ADD(dst, src) INSN(BPF_STX | BPF_ATOMIC | BPF_DW, dst, src, 0, BPF_ADD)
#define JNE(dst, imm, off) INSN(BPF_JMP | BPF_JNE | BPF_K, dst, 0, off, imm)
#define JEQ(dst, imm, off) INSN(BPF_JMP | BPF_JEQ | BPF_K, dst, 0, off, imm)
#define JGE(dst, imm, off) INSN(BPF_JMP | BPF_JGE | BPF_K, dst, 0, off, imm)
#define CALL(func) INSN(BPF_JMP | BPF_CALL, 0, 0, 0, func)
#define MAP(dst, fd) \
	INSN(BPF_LD | BPF_IMM | BPF_DW, dst, BPF_PSEUDO_MAP_FD, 0, fd), INSN(0, 0, 0, 0, 0)
#define MEM(dst, fd) \
	INSN(BPF_LD | BPF_IMM | BPF_DW, dst, BPF_PSEUDO_MAP_VALUE, 0, fd), INSN(0, 0, 0, 0, 0)
#define EXIT() INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

#if defined(__x86_64__)
enum { NR_OFFSET = 120, MODE_OFFSET = 136 };
#else
enum { NR_OFFSET = 280, MODE_OFFSET = 264 };
#endif

static const char *const kinds[] = {"empty",	 "count",    "btf-empty", "btf-count",
				    "exit-read", "exit-btf", NULL};

static int put(struct bpf_insn *to, const struct bpf_insn *from, size_t size)
{
	memcpy(to, from, size);
	return size / sizeof(*to);
}
#define PUT(...)                                              \
	n += put(insns + n, (struct bpf_insn[]){__VA_ARGS__}, \
		 sizeof((struct bpf_insn[]){__VA_ARGS__}))

/* A count of getppid in this CPU's slot; the number of the call is in r3. */
static int put_count(struct bpf_insn *insns, int n, int fd)
{
	PUT(JNE(3, SYS_getppid, 10), CALL(BPF_FUNC_get_smp_processor_id), JGE(0, 512, 8), LSH(0, 6),
	    MEM(4, fd), ADDR(4, 0), MOV(5, 1), LOCK_ADD(4, 5), MOV(0, 0), EXIT());
	PUT(MOV(0, 0), EXIT());
	return n;
}

/* A count in a hash by the key at an address, which are two instructions; it is made when it is
 * not there. */
static int put_hash_count(struct bpf_insn *insns, int n, int fd, struct bpf_insn addr,
			  struct bpf_insn add)
{
	PUT(MAP(1, fd), addr, add, CALL(BPF_FUNC_map_lookup_elem), JEQ(0, 0, 4), MOV(1, 1),
	    LOCK_ADD(0, 1), MOV(0, 0), EXIT());
	PUT(ST(10, -8, 1), MAP(1, fd), addr, add, MOVR(3, 10), ADD(3, -8), MOV(4, 0),
	    CALL(BPF_FUNC_map_update_elem), MOV(0, 0), EXIT());
	return n;
}

/* The stack as the key of a count; the context is in r6. */
static int put_stack_count(struct bpf_insn *insns, int n, bool frames)
{
	int stacks, counts, buf;

	PUT(MOVR(6, 1), LD(3, 1, 8), JEQ(3, SYS_getppid, 2), MOV(0, 0), EXIT());
	if (!frames) {
		/* The kernel keeps the stack and gives its number: nothing is copied. */
		stacks =
		    bpf_map_create(BPF_MAP_TYPE_STACK_TRACE, "bench", 4, FRAMES * 8, 4096, NULL);
		counts = bpf_map_create(BPF_MAP_TYPE_HASH, "bench", 8, 8, 4096, NULL);
		PUT(MAP(2, stacks), MOV(3, 0), CALL(BPF_FUNC_get_stackid), STR(10, -16, 0));
		return put_hash_count(insns, n, counts, MOVR(2, 10), ADD(2, -16));
	}
	buf = bpf_map_create(BPF_MAP_TYPE_PERCPU_ARRAY, "bench", 4, FRAMES * 8, 1, NULL);
	counts = bpf_map_create(BPF_MAP_TYPE_HASH, "bench", FRAMES * 8, 8, 4096, NULL);
	PUT(ST(10, -16, 0), MAP(1, buf), MOVR(2, 10), ADD(2, -16), CALL(BPF_FUNC_map_lookup_elem),
	    JNE(0, 0, 1), EXIT(), MOVR(7, 0));
	PUT(MOVR(1, 6), MOVR(2, 7), MOV(3, FRAMES * 8), MOV(4, 0), CALL(BPF_FUNC_get_stack));
	return put_hash_count(insns, n, counts, MOVR(2, 7), ADD(2, 0));
}

static int attach(const char *kind)
{
	LIBBPF_OPTS(bpf_map_create_opts, map_opts, .map_flags = BPF_F_MMAPABLE);
	LIBBPF_OPTS(bpf_prog_load_opts, opts);
	bool is_exit = !strncmp(kind, "exit", 4), typed = strstr(kind, "btf");
	const char *point = is_exit ? "sys_exit" : "sys_enter";
	struct bpf_insn insns[MAX_INSNS];
	int map, prog, link, n = 0;

	map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "bench", 4, 512 * 64, 1, &map_opts);
	if (strstr(kind, "empty"))
		PUT(MOV(0, 0), EXIT());
	else if (!strcmp(kind, "count"))
		PUT(LD(3, 1, 8));
	else if (!strcmp(kind, "btf-count"))
		PUT(LD(3, 1, 8), JNE(3, SYS_getppid, 5), LD(2, 1, 0), LD(2, 2, MODE_OFFSET),
		    AND(2, 16), JNE(2, 0, 1), MOV(3, -1));
	else if (strstr(kind, "stack"))
		n = put_stack_count(insns, n, !strcmp(kind, "btf-stack-frames"));
	else if (!strcmp(kind, "exit-read"))
		PUT(LD(3, 1, 0), ADD(3, NR_OFFSET), MOV(2, 8), MOVR(1, 10), ADD(1, -8),
		    CALL(BPF_FUNC_probe_read_kernel), LD(3, 10, -8));
	else
		PUT(LD(3, 1, 0), LD(3, 3, NR_OFFSET));
	if (!strstr(kind, "empty") && !strstr(kind, "stack"))
		n = put_count(insns, n, map);
	if (typed) {
		opts.expected_attach_type = BPF_TRACE_RAW_TP;
		opts.attach_btf_id = libbpf_find_vmlinux_btf_id(point, BPF_TRACE_RAW_TP);
	}
	prog = bpf_prog_load(typed ? BPF_PROG_TYPE_TRACING : BPF_PROG_TYPE_RAW_TRACEPOINT, "bench",
			     "GPL", insns, n, &opts);
	if (prog < 0)
		return prog;
	link = bpf_raw_tracepoint_open(typed ? NULL : point, prog);
	return link < 0 ? link : 0; /* stays until the process ends */
}

static double now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

/* It begins as most functions do, with a push, which the kernel need not single-step. */
__attribute__((noinline)) void traced_call(long n)
{
	__asm__ volatile("" : : "r"(n) : "rbx");
}

__attribute__((noinline)) static void other_call(long n)
{
	__asm__ volatile("" : : "r"(n));
}

/* What <sys/sdt.h> makes of DTRACE_PROBE1(bench, point, (int)n). */
__attribute__((noinline)) static void point_call(long n)
{
	__asm__ volatile(
	    "990: nop\n.pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte "
	    "992f-991f,994f-993f,3\n"
	    "991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte 0\n.8byte 0\n"
	    ".asciz \"bench\"\n.asciz \"point\"\n.asciz \"-4@%0\"\n994: .balign 4\n.popsection\n"
	    :
	    : "r"((int)n));
}

static void call_getppid(long n)
{
	(void)n;
	syscall(SYS_getppid);
}

static void call_getuid(long n)
{
	(void)n;
	syscall(SYS_getuid);
}

/* A call at the end of a recursion: the frames of a deep stack. */
__attribute__((noinline)) static void descend(long depth, long rounds, void (*call)(long))
{
	if (depth > 0)
		descend(depth - 1, rounds, call);
	else
		for (long i = 0; i < rounds; i++)
			call(i);
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)) : "memory");
}

static long depth; /* of the stack that calls are made on */

static double batch(void (*call)(long), int n)
{
	double began = now(CLOCK_THREAD_CPUTIME_ID);

	descend(depth, n, call);
	return (now(CLOCK_THREAD_CPUTIME_ID) - began) / n;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *v, int n)
{
	qsort(v, n, sizeof(*v), compare);
	return v[n / 2];
}

static void cost(FILE *out, void (*call)(long), void (*other_one)(long), int n)
{
	static double traced[BATCHES], other[BATCHES];

	batch(call, n);
	for (int i = 0; i < BATCHES; i++) {
		traced[i] = batch(call, n);
		other[i] = batch(other_one, n);
	}
	fprintf(out, "%.1f %.1f\n", median(traced, BATCHES), median(other, BATCHES));
}

static void full_speed(FILE *out, long count)
{
	double began = now(CLOCK_MONOTONIC);

	for (long i = 0; i < count; i++)
		syscall(SYS_getppid);
	fprintf(out, "%.0f\n", count / ((now(CLOCK_MONOTONIC) - began) / 1e9));
}

static int run_once(char **command, double *wall, double *cpu, double *rss)
{
	double began = now(CLOCK_MONOTONIC);
	struct rusage u;
	int status;
	pid_t pid = fork();

	if (!pid) {
		dup2(open("/dev/null", O_WRONLY), 1);
		execvp(command[0], command);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &u) < 0)
		return -1;
	*wall = (now(CLOCK_MONOTONIC) - began) / 1e6;
	*cpu = (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3;
	*rss = u.ru_maxrss;
	return WIFEXITED(status) && WEXITSTATUS(status) < 126 ? 0 : -1;
}

static int time_command(FILE *out, int runs, char **command)
{
	static double wall[BATCHES], cpu[BATCHES], rss[BATCHES];

	for (int i = 0; i < runs; i++)
		if (run_once(command, &wall[i], &cpu[i], &rss[i]))
			return 1;
	fprintf(out, "%.2f %.2f %.0f\n", median(wall, runs), median(cpu, runs), median(rss, runs));
	return fclose(out) ? 1 : 0;
}

static int usage(void)
{
	fputs("usage: calls [-d DEPTH | -u | -s | -n COUNT | -H KIND | -t RUNS] FILE "
	      "[COMMAND...]\nkinds:",
	      stderr);
	for (int i = 0; kinds[i]; i++)
		fprintf(stderr, " %s", kinds[i]);
	fputc('\n', stderr);
	return 2;
}

int main(int argc, char **argv)
{
	cpu_set_t cpus;
	void (*call)(long) = call_getppid, (*other)(long) = call_getuid;
	long count = 0, runs = 0;
	FILE *out;
	int opt;

	while ((opt = getopt(argc, argv, "+d:usn:H:t:")) != -1) {
		if (opt == 'n')
			count = atol(optarg);
		else if (opt == 'd')
			depth = atol(optarg);
		else if (opt == 'u' || opt == 's')
			call = opt == 'u' ? traced_call : point_call, other = other_call;
		else if (opt == 't')
			runs = atol(optarg) < BATCHES ? atol(optarg) : BATCHES;
		else if (opt != 'H')
			return usage();
		else if (attach(optarg)) {
			fprintf(stderr, "calls: %s cannot be attached\n", optarg);
			return 1;
		}
	}
	if ((runs > 0 ? optind + 2 > argc : optind + 1 != argc) ||
	    !(out = fopen(argv[optind], "w")))
		return usage();
	if (runs > 0)
		return time_command(out, runs, argv + optind + 1);
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	if (count)
		full_speed(out, count);
	else
		cost(out, call, other, call == call_getppid ? BATCH : BATCH / 10);
	return fclose(out) ? 1 : 0;
}
