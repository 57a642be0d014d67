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
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/hand.h"

enum { BATCH = 20000, BATCHES = 41 };

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
	syscall(SYS_getppid, "/usr/share/zoneinfo/Europe/Zurich"); /* which it does not look at */
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
	for (int i = 0; hand_kind(i); i++)
		fprintf(stderr, " %s", hand_kind(i));
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
		else if (hand_attach(optarg)) {
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
