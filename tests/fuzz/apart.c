/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/apart.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "libdt/base/mem.h"

/* CONTAINED: a library crashed. SECONDS: dtrace has others, but reports a file that takes them. */
enum { CONTAINED = 77, SECONDS = 10 };

/* How often each edge was taken: libFuzzer's, of which clang declares the beginning and the end in
 * each file, so that C cannot. */
#ifdef REPLAY
static uint8_t *const counters[2];
#else
extern uint8_t *const counters[2];
__asm__(".pushsection .data\n"
	".weak __start___sancov_cntrs, __stop___sancov_cntrs\n"
	".hidden __start___sancov_cntrs, __stop___sancov_cntrs\n"
	".balign 8\n"
	"counters: .quad __start___sancov_cntrs, __stop___sancov_cntrs\n"
	".popsection");
#endif
static uint8_t *covered; /* the same, of the child */

void __asan_set_error_report_callback(void (*fn)(const char *text)) __attribute__((weak));

static size_t edges(void)
{
	return counters[1] - counters[0];
}

static _Noreturn void end_child(int status)
{
	if (edges())
		memcpy(covered, counters[0], edges());
	_exit(status);
}

static bool is_library(const char *text)
{
	return strstr(text, "libctf") || strstr(text, "libdw") || strstr(text, "libelf");
}

/* A stack's frames name their objects. The topmost ones are a sanitizer's own, such as memcpy(). */
static void on_report(const char *text)
{
	const char *frame = strstr(text, "#0 "), *end;

	for (int i = 0; frame && i < 3; i++, frame = end) {
		char *line;
		bool library;

		end = strchr(frame, '\n');
		line = xasprintf("%.*s", end ? (int)(end - frame) : 1000, frame);
		library = is_library(line);
		free(line);
		if (library)
			end_child(CONTAINED);
	}
}

static struct sigaction before[_NSIG]; /* the sanitizers' */

/* A library that crashes or does not come to an end; or it has overwritten the stack, and there is
 * no code or no stack where it returned. */
static void on_signal(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;
	Dl_info where;

	(void)info;
#ifdef __x86_64__
	if (!dladdr((void *)c->uc_mcontext.gregs[REG_RIP], &where) || is_library(where.dli_fname) ||
	    c->uc_mcontext.gregs[REG_RSP] % 8)
		end_child(CONTAINED);
#else
	(void)c;
	(void)where;
#endif
	if (sig == SIGALRM)
		abort();
	sigaction(sig, &before[sig], NULL); /* it happens again, and is reported with its stack */
}

/* The process that gets the inputs, until a library crashes in it or it had enough: 0: none runs.
 * It has the inputs in shared memory, and their sizes by a socket. */
enum { INPUTS = 300, SIZE_MAX_APART = 1 << 20 };
static pid_t child;
static int child_socket;
static uint8_t *shared;

static _Noreturn void in_child(void (*fn)(const uint8_t *data, size_t size), int sock)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGALRM};
	struct sigaction sa = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_NODEFER};
	uint64_t size;

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &sa, &before[signals[i]]);
	if (__asan_set_error_report_callback)
		__asan_set_error_report_callback(on_report);
	signal(SIGABRT, SIG_DFL);
	while (read(sock, &size, sizeof(size)) == sizeof(size)) {
		/* of this size, so that reads beyond its end are seen */
		uint8_t *data = xmalloc(size + !size);

		memcpy(data, shared, size);
		if (edges())
			memset(counters[0], 0, edges());
		alarm(SECONDS);
		fn(data, size);
		alarm(0);
		free(data);
		if (edges())
			memcpy(covered, counters[0], edges());
		if (write(sock, &size, sizeof(size)) != sizeof(size))
			break;
	}
	_exit(0);
}

static void share(void)
{
	const int how = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_ANONYMOUS;

	covered = mmap(NULL, edges() + 1, how, flags, -1, 0);
	shared = mmap(NULL, SIZE_MAX_APART, how, flags, -1, 0);
	if (covered == MAP_FAILED || shared == MAP_FAILED)
		abort();
}

static void start_child(void (*fn)(const uint8_t *data, size_t size))
{
	int socks[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, socks))
		abort();
	child = fork();
	if (child < 0)
		abort();
	if (!child) {
		close(socks[0]);
		in_child(fn, socks[1]);
	}
	close(socks[1]);
	child_socket = socks[0];
}

/* Did it end well? If not, it has reported why. */
static bool stop_child(void)
{
	int status;

	close(child_socket);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	child = 0;
	return WIFEXITED(status) && (!WEXITSTATUS(status) || WEXITSTATUS(status) == CONTAINED);
}

static bool apart_once(void (*fn)(const uint8_t *data, size_t size), uint64_t size)
{
	if (!child)
		start_child(fn);
	if (send(child_socket, &size, sizeof(size), MSG_NOSIGNAL) == sizeof(size) &&
	    read(child_socket, &size, sizeof(size)) == sizeof(size))
		return true;
	return stop_child();
}

/* A new process reads an input of which one died again: a library that had written where it must
 * not may have been the cause, with an earlier input. */
void apart(void (*fn)(const uint8_t *data, size_t size), const uint8_t *data, size_t size)
{
	static int inputs;

	if (size > SIZE_MAX_APART)
		return;
	if (!shared)
		share();
	if (child && ++inputs % INPUTS == 0)
		stop_child();
	memcpy(shared, data, size);
	memset(covered, 0, edges());
	if (!apart_once(fn, size) && !apart_once(fn, size))
		abort();
	if (edges())
		memcpy(counters[0], covered, edges());
}
