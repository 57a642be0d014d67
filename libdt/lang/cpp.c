/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The preprocessor is a program of its own, started without a shell: the text waits for it in a
 * file without a name, the result comes through a pipe.
 */
#include "libdt/lang/cpp.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/fd.h"
#include "libdt/base/machine/machine.h"
#include "libdt/base/mem.h"
#include "libdt/base/program.h"
#include "libdt/opt.h"
#include "libdt/process/proc.h"

#define OUTPUT_MAX (64u << 20)

extern char **environ;

struct args {
	VEC(char *) v;
	struct arena *arena;
};

static void add(struct args *a, const char *flag, const char *value)
{
	vec_push(&a->v, arena_printf(a->arena, "%s%s", flag, value));
}

/* Adds the lines of a list option, each preceded by the flag. */
static void add_list(struct args *a, const char *flag, const char *list)
{
	while (list && *list) {
		size_t len = strcspn(list, "\n");

		vec_push(&a->v, arena_printf(a->arena, "%s%.*s", flag, (int)len, list));
		list += len + (list[len] != 0);
	}
}

static void add_words(struct args *a, const char *list)
{
	char *line = list ? arena_strdup(a->arena, list) : NULL, *save = NULL;

	for (line = line ? strtok_r(line, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		char **words = proc_split(line);

		for (int i = 0; words && words[i]; i++)
			add(a, "", words[i]);
		free(words);
	}
}

static void add_symbols(struct args *a, bool traditional)
{
	/* Words of GNU C in the system's headers, which D does without. It skips attributes
	 * itself. */
	static const char *const words[] = {
	    "__extension__=",
	    "__inline=",
	    "__inline__=",
	    "__restrict=",
	    "__restrict__=",
	    "__signed__=signed",
	    "__const=const",
	    "__volatile__=volatile",
	    "_Noreturn=",
	    "__builtin_va_list=void *",
	    "__builtin_offsetof=offsetof",
	    "_Float32=float",
	    "_Float32x=double",
	    "_Float64=double",
	    "_Float64x=long double",
	    "_Float128=long double",
	    "__asm__(...)=",
	    "_Static_assert(...)=",
	    "_ERRNO_H", /* its errno is a function; D has its own, and the constants */
	};
	static const char *const symbols[] = {
	    "__SUNW_D=1",  "__SUNW_D_VERSION=0x02000000",
	    "__SUNW_D_64", "__unix",
	    "__SVR4",	   "__linux",
	    "__Linux",
	};

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		add(a, "-D", symbols[i]);
	add(a, "-D", machine_here->defined);
	for (size_t i = 0; !traditional && i < ARRAY_SIZE(words); i++)
		add(a, "-D", words[i]);
}

static void make_args(struct args *a, const struct opts *o, const char *file)
{
	const char *stdc = opt_text(o, OPT_STDC), *slash = file ? strrchr(file, '/') : NULL;
	bool traditional = stdc && !strcmp(stdc, "s");

	add(a, "", opt_text(o, OPT_CPPPATH));
	add_symbols(a, traditional);
	add(a, "", traditional ? "-traditional-cpp" : "-std=gnu99");
	/* Words of GNU C that are names of probes and modules in D. */
	add_list(a, "-U", "linux\nunix\ni386");
	if (opt_on(o, OPT_CPPHDRS))
		add(a, "", "-H");
	if (slash)
		vec_push(&a->v, arena_printf(a->arena, "-iquote%.*s/", (int)(slash - file), file));
	add_list(a, "-I", opt_text(o, OPT_INCDIR));
	add_list(a, "-D", opt_text(o, OPT_DEFINE));
	add_list(a, "-U", opt_text(o, OPT_UNDEF));
	add_words(a, opt_text(o, OPT_CPPARGS));
	add(a, "", "-");
	vec_push(&a->v, NULL);
}

/* The lines of the text, empty where they name an interpreter. */
static void add_lines(struct strbuf *sb, const char *text, size_t len)
{
	for (const char *end = text + len; text < end;) {
		const char *newline = memchr(text, '\n', end - text);
		size_t n = newline ? newline + 1 - text : end - text;
		bool names = n > 1 && text[0] == '#' && text[1] == '!';

		if (names)
			sb_puts(sb, "\n");
		else
			sb_add(sb, text, n);
		text += n;
	}
}

/* The input: its name for messages, then the text. Its descriptor. */
static int make_input(const char *text, size_t len, const char *file)
{
	struct strbuf sb = {0};
	int fd = memfd_create("dt-cpp", MFD_CLOEXEC), err = fd < 0 ? -errno : 0;

	sb_puts(&sb, "# 1 \"");
	for (const char *s = file ? file : "<command line>"; *s; s++) {
		if (*s == '"' || *s == '\\')
			sb_putc(&sb, '\\');
		sb_putc(&sb, *s == '\n' ? '?' : *s);
	}
	sb_puts(&sb, "\"\n");
	add_lines(&sb, text, len);
	sb_putc(&sb, '\n');
	if (!err && !fd_write(fd, sb.s, sb.len))
		err = -errno;
	sb_free(&sb);
	if (!err && lseek(fd, 0, SEEK_SET) < 0)
		err = -errno;
	if (err && fd >= 0)
		close(fd);
	return err ? err : fd;
}

static int spawn(char **argv, int in, int out, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	char *path = argv[0], *program = program_find(path), *slash = strrchr(path, '/');
	posix_spawnattr_t attr;
	sigset_t set;
	int err;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, 0);
	posix_spawn_file_actions_adddup2(&files, out, 1);
	posix_spawnattr_init(&attr);
	sigemptyset(&set);
	posix_spawnattr_setsigmask(&attr, &set);
	sigaddset(&set, SIGPIPE);
	posix_spawnattr_setsigdefault(&attr, &set);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	argv[0] = slash ? slash + 1 : path; /* by which it calls itself in messages */
	err = program ? -posix_spawn(pid, program, &files, &attr, argv, program_environment())
		      : -ENOENT;
	argv[0] = path;
	free(program);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return err;
}

static int read_all(int fd, struct strbuf *out)
{
	char buf[16384];
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf)))) {
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			sb_add(out, buf, n);
		if (out->len > OUTPUT_MAX)
			return -EFBIG;
	}
	return 0;
}

static int run(char **argv, int in, struct strbuf *out, struct strbuf *why)
{
	int fds[2], status = 0, err;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	err = spawn(argv, in, fds[1], &pid);
	close(fds[1]);
	if (err) {
		sb_printf(why, "Preprocessor not found: %s: %s (-x cpppath names another)", argv[0],
			  strerror(-err));
		close(fds[0]);
		return err;
	}
	err = read_all(fds[0], out);
	close(fds[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!err && status) {
		sb_puts(why, "Preprocessor failed to process input program");
		err = -EINVAL;
	}
	return err;
}

int cpp_run(const struct opts *o, const char *text, size_t len, const char *file,
	    struct strbuf *out, struct strbuf *why)
{
	struct args a = {.arena = arena_new()};
	int in = make_input(text, len, file), err = in;

	if (in >= 0) {
		make_args(&a, o, file);
		err = run(a.v.v, in, out, why);
		close(in);
	}
	if (err && !why->len)
		sb_printf(why, "Preprocessor failed: %s", strerror(-err));
	vec_free(&a.v);
	arena_free(a.arena);
	return err;
}
