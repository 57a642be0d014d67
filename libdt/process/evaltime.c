/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * By breakpoints: at the program's entry, which the dynamic linker jumps to at the end; at main;
 * or at the function that the dynamic linker calls for debuggers when it has changed its list of
 * libraries, at the end of which it has relocated them all and run none.
 */
#include "libdt/process/evaltime.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/machine/machine.h"
#include "libdt/base/mem.h"
#include "libdt/base/mount.h"
#include "libdt/process/foreign.h"
#include "libdt/process/proc_maps.h"
#include "libdt/process/object.h"

/* Words of user_regs_struct. */
struct registers {
	uint64_t words[64];
};

static uint64_t *pc_of(struct registers *regs)
{
	return &regs->words[machine_here->regs.pc];
}

static uint64_t sp_of(const struct registers *regs)
{
	return regs->words[machine_here->regs.sp];
}

struct breakpoint {
	uint64_t addr;
	long word; /* what was there */
};

/* r_debug's function is called when libraries are about to be added, and when they have been. */
enum { LINKER_CALLS = 2 };

/* An instruction in place of what is there. */
static int put(pid_t pid, struct breakpoint *b, uint32_t instruction, uint32_t bits)
{
	long mask = bits;

	errno = 0;
	b->word = ptrace(PTRACE_PEEKTEXT, pid, b->addr, 0);
	if (errno)
		return -errno;
	return ptrace(PTRACE_POKETEXT, pid, b->addr,
		      (b->word & ~mask) | (long)(instruction & bits)) < 0
		   ? -errno
		   : 0;
}

static int set(pid_t pid, struct breakpoint *b)
{
	return put(pid, b, machine_here->debug.trap, machine_here->debug.trap_mask);
}

static void unset(pid_t pid, const struct breakpoint *b)
{
	if (b->addr)
		ptrace(PTRACE_POKETEXT, pid, b->addr, b->word);
}

/* How often to look at a process that may never stop; and how long it may take to stop it. */
enum { LOOK_NS = 100000, STOP_NS = 200000000 };

int evaltime_wait(pid_t pid, int *status, int64_t until)
{
	const struct timespec pause = {0, LOOK_NS};

	for (;;) {
		pid_t got =
		    waitpid(pid, status, __WALL | (until == EVALTIME_NO_LIMIT ? 0 : WNOHANG));

		if (got > 0)
			return 0;
		if (got < 0 && errno != EINTR)
			return -errno;
		if (until == EVALTIME_NO_LIMIT)
			continue;
		if ((int64_t)clock_ns(CLOCK_MONOTONIC) > until)
			return -ETIMEDOUT;
		nanosleep(&pause, NULL);
	}
}

/* Waits for a stop that is not a signal's. 0, 1 when it ended, -errno. */
static int wait_stop(pid_t pid, int *status, int64_t until)
{
	for (;;) {
		int err = evaltime_wait(pid, status, until);

		if (err)
			return err;
		if (!WIFSTOPPED(*status))
			return 1;
		if (WSTOPSIG(*status) == SIGTRAP)
			return 0;
		ptrace(PTRACE_CONT, pid, 0, WSTOPSIG(*status));
	}
}

/* Where it happens to be; the signal that does it is taken back. -ETIMEDOUT: it waits for something
 * in the kernel. */
static int stop_now(pid_t pid, int *status)
{
	int err;

	if (kill(pid, SIGSTOP) < 0)
		return -errno;
	err = evaltime_wait(pid, status, clock_ns(CLOCK_MONOTONIC) + STOP_NS);
	kill(pid, SIGCONT);
	return err ? err : WIFSTOPPED(*status) ? 0 : 1;
}

/* Which breakpoint it stands at: its index, or -1. The program counter is put back to it. */
static int which(pid_t pid, const struct breakpoint *b, int n)
{
	struct registers regs;
	struct iovec iov = {&regs, sizeof(regs)};

	if (ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &iov) < 0)
		return -1;
	for (int i = 0; i < n; i++) {
		if (!b[i].addr || *pc_of(&regs) != b[i].addr + machine_here->debug.pc_behind)
			continue;
		*pc_of(&regs) = b[i].addr;
		return ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &iov) < 0 ? -1 : i;
	}
	return -1;
}

/* Over the instruction below a breakpoint, which stays. */
static int step_over(pid_t pid, struct breakpoint *b, int *status, int64_t until)
{
	int err;

	unset(pid, b);
	if (ptrace(PTRACE_SINGLESTEP, pid, 0, 0) < 0)
		return -errno;
	err = wait_stop(pid, status, until);
	return err ? err : set(pid, b);
}

/* Runs to the last breakpoint, or to the first of them the n-th time. */
static int run_to(pid_t pid, struct breakpoint *b, int n, int times, int *status, int64_t until)
{
	int err = 0, at;

	for (int i = 0; i < n && !err; i++)
		if (b[i].addr)
			err = set(pid, &b[i]);
	while (!err) {
		if (ptrace(PTRACE_CONT, pid, 0, 0) < 0)
			return -errno;
		err = wait_stop(pid, status, until);
		if (err)
			break;
		at = which(pid, b, n);
		if (at == n - 1 || (at == 0 && --times == 0))
			break;
		if (at == 0)
			err = step_over(pid, &b[0], status, until);
	}
	if (err == -ETIMEDOUT) {
		err = stop_now(pid, status);
		if (!err) {
			which(pid, b, n);
			err = -ETIMEDOUT;
		}
	}
	for (int i = 0; i < n && err <= 0; i++)
		unset(pid, &b[i]);
	return err;
}

/* Where things are -------------------------------------------------------- */

/* Of a process's auxiliary vector; 0: it has none. */
struct aux {
	uint64_t entry, linker, path;
};

/* 0 or -errno. */
static int aux_read(pid_t pid, struct aux *aux)
{
	char path[64];
	uint64_t pair[2];
	ssize_t n = 0;
	int fd, err;

	*aux = (struct aux){0};
	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && (n = read(fd, pair, sizeof(pair))) == sizeof(pair) && pair[0]) {
		if (pair[0] == AT_ENTRY)
			aux->entry = pair[1];
		else if (pair[0] == AT_BASE)
			aux->linker = pair[1];
		else if (pair[0] == AT_EXECFN)
			aux->path = pair[1];
	}
	err = fd < 0 || n < 0 ? -errno : 0;
	if (fd >= 0)
		close(fd);
	return err;
}

/* The address of a function in the object that is mapped at inside; 0 when it has no such
 * symbol. */
static uint64_t function_at(struct foreign *f, pid_t pid, uint64_t inside, const char *name)
{
	struct proc_maps *maps = foreign_maps(f, pid);
	const struct mapping *m = maps ? proc_maps_at(maps, inside) : NULL;
	struct object *o = NULL;
	struct foreign_file file;
	char *why = NULL;
	const struct object_sym *s;
	uint64_t bias, addr = 0;
	int n;

	if (m && *m->path == '/' && !foreign_find_mapped(f, pid, m, &file))
		o = object_open_file(f, &file, &why);
	if (o && segments_bias(object_segments(o), maps, m, &bias)) {
		s = object_syms(o, &n);
		for (int i = 0; i < n && !addr; i++)
			if (!strcmp(s[i].name, name))
				addr = s[i].addr + bias;
	}
	object_close(o);
	proc_maps_free(maps);
	free(why);
	return addr;
}

/* May a user decide when this address of the process can be read and written? ptrace would wait for
 * it. */
static bool may_wait(struct foreign *f, pid_t pid, uint64_t addr)
{
	struct proc_maps *maps = foreign_maps(f, pid);
	const struct mapping *m = maps ? proc_maps_at(maps, addr) : NULL;
	struct foreign_file file;
	bool may = !m;

	if (m && m->inode) {
		may = foreign_find_mapped(f, pid, m, &file) != 0;
		if (!may) {
			may = file.own < 0 && mount_may_wait(file.fd, pid);
			foreign_release(&file);
		}
	}
	proc_maps_free(maps);
	return may;
}

enum { R_STATE = 24 }; /* of struct r_debug, 64 bits */

bool evaltime_linker(struct foreign *f, pid_t pid, struct linker *l)
{
	struct aux aux;
	struct proc_maps *maps = !aux_read(pid, &aux) && aux.linker ? foreign_maps(f, pid) : NULL;
	const struct mapping *m = maps ? proc_maps_at(maps, aux.linker) : NULL;
	uint64_t bias, list;
	char *why = NULL;
	struct object *o = NULL;
	struct foreign_file file;
	const struct object_sym *s;
	bool found = false;
	int n;

	*l = (struct linker){0};
	if (m && *m->path == '/' && !foreign_find_mapped(f, pid, m, &file)) {
		*l = (struct linker){.path = xstrdup(file.path),
				     .dev = file.dev,
				     .inode = file.inode,
				     .foreign = file.own < 0};
		o = object_open_file(f, &file, &why);
	}
	if (o && object_is_64(o) && segments_bias(object_segments(o), maps, m, &bias) &&
	    object_variable(o, "_r_debug", &list)) {
		l->state = list + bias + R_STATE;
		s = object_syms(o, &n);
		for (int i = 0; i < n && !found; i++)
			found = !strcmp(s[i].name, "_dl_debug_state") &&
				object_offset(o, s[i].addr, &l->off);
	}
	object_close(o);
	proc_maps_free(maps);
	free(why);
	if (!found)
		free(l->path);
	return found;
}

int evaltime_reach(pid_t pid, enum stage stage, struct foreign *f, int64_t limit_ns, int *status)
{
	struct breakpoint b[2] = {0};
	struct aux aux;
	uint64_t begin;
	int err;

	if (stage == STAGE_EXEC)
		return 0;
	err = aux_read(pid, &aux);
	if (err || !aux.entry)
		return err;
	if (stage == STAGE_PREINIT) {
		if (!aux.linker) /* static: nothing to wait for */
			return 0;
		b[0].addr = function_at(f, pid, aux.linker, "_dl_debug_state");
	}
	begin = stage == STAGE_MAIN ? function_at(f, pid, aux.entry, "main") : 0;
	b[1].addr = begin ? begin : aux.entry;
	for (int i = 0; i < 2; i++)
		if (limit_ns >= 0 && b[i].addr && may_wait(f, pid, b[i].addr))
			return -EREMOTE;
	return run_to(pid, b, 2, LINKER_CALLS, status,
		      limit_ns < 0 ? EVALTIME_NO_LIMIT
				   : (int64_t)clock_ns(CLOCK_MONOTONIC) + limit_ns);
}

/* Executing it again ------------------------------------------------------ */

/* below the stack pointer, of the 128 KB that a new stack has at the least */
enum { ROOM = 65536 };

/* A 32-bit program has fewer registers, or a bit of them shows it. */
static bool registers_of_64(const struct registers *regs, size_t len)
{
	const struct machine_calls *calls = &machine_here->calls;
	unsigned mode = calls->mode / 8;

	return len == machine_here->regs.ptrace_words * sizeof(*regs->words) &&
	       (mode >= machine_here->regs.ptrace_words ||
		(regs->words[mode] >> calls->mode_bit & 1) == calls->native);
}

static void call_execve(struct registers *regs, uint64_t path, uint64_t argv, uint64_t envp)
{
	const struct machine *m = machine_here;

	if (m->calls.restart >= 0) /* the exec that it comes from is not restarted */
		regs->words[m->calls.restart] = -1;
	regs->words[m->calls.call] = SYS_execve;
	regs->words[m->regs.args[0]] = path;
	regs->words[m->regs.args[1]] = argv;
	regs->words[m->regs.args[2]] = envp;
}

/* Pointers and texts of words as execve() takes them, for memory at an address; how many bytes,
 * 0: they do not fit. */
static size_t lay_out(char *const *words, uint64_t at, uint8_t space[ROOM])
{
	uint64_t *pointers = (uint64_t *)space;
	size_t n = 0, end;

	while (words[n])
		n++;
	end = (n + 1) * sizeof(*pointers);
	if (end > ROOM)
		return 0;
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(words[i]) + 1;

		if (len > ROOM - end)
			return 0;
		memcpy(space + end, words[i], len);
		pointers[i] = at + end;
		end += len;
	}
	pointers[n] = 0;
	return end;
}

static int write_words(pid_t pid, char *const *words, uint64_t at)
{
	uint8_t *space = xmalloc(ROOM);
	struct iovec from = {space, lay_out(words, at, space)},
		     to = {(void *)(uintptr_t)at, from.iov_len};
	int err = !from.iov_len								 ? -E2BIG
		  : process_vm_writev(pid, &from, 1, &to, 1, 0) != (ssize_t)from.iov_len ? -EFAULT
											 : 0;

	free(space);
	return err;
}

/* The file is the one that was found along PATH; the environment is still in its place on the
 * stack, after the arguments. */
int evaltime_exec(pid_t pid, char *const *words)
{
	struct aux aux;
	uint64_t argv;
	struct registers regs;
	struct iovec iov = {&regs, sizeof(regs)};
	struct breakpoint call = {0};
	long argc;
	int err;

	if (aux_read(pid, &aux) || !aux.path ||
	    ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &iov) < 0 ||
	    !registers_of_64(&regs, iov.iov_len))
		return -EINVAL;
	errno = 0;
	argc = ptrace(PTRACE_PEEKDATA, pid, sp_of(&regs), 0);
	if (errno)
		return -errno;
	argv = (sp_of(&regs) - ROOM - 256) & ~15ull;
	err = write_words(pid, words, argv);
	if (err)
		return err;
	call.addr = *pc_of(&regs);
	err = put(pid, &call, machine_here->debug.call, machine_here->debug.call_mask);
	if (err)
		return err;
	call_execve(&regs, aux.path, argv, sp_of(&regs) + 8 * (argc + 2));
	if (!ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &iov))
		return 0;
	err = -errno;
	unset(pid, &call);
	return err;
}

int evaltime_exec_held(pid_t pid, char *const *words, int *status)
{
	int err = evaltime_exec(pid, words);

	if (err)
		return err;
	/* the kernel stops it after an exec */
	return ptrace(PTRACE_CONT, pid, 0, 0) < 0 ? -errno
						  : wait_stop(pid, status, EVALTIME_NO_LIMIT);
}
