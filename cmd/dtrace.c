/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dtrace(8): arguments to options and programs, programs to libdt, and the loop that prints. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cmd/detached.h"
#include "cmd/message.h"
#include "cmd/tool.h"
#include "cmd/usage.h"
#include "libdt/base/escape.h"
#include "libdt/base/mem.h"
#include "libdt/dt.h"

#define OPTIONS "+:3:6:aAb:c:CD:eFf:Ghi:HI:lL:m:n:o:Op:P:qs:SU:vVwW:x:X:Z"
#define SCRIPT_MAX (64u << 20)
#define VERSION_LINE "dtrace: dt " DT_VERSION " (D " DT_LANGUAGE ")\n"

enum { STATUS_ERROR = 1, STATUS_USAGE = 2 };

/* One of -P -m -f -n -i -s. */
struct job {
	enum dt_program_kind kind;
	const char *arg;
	char *text; /* of a script, or what a word of -l stands for; owned */
	bool word;  /* of -l */
	bool tool;  /* of -x tool=: arg is its name, then its script */
	int matched;
};

struct cmd {
	struct dt *dt;
	FILE *out;
	const char *out_name;
	VEC(struct job) jobs;
	VEC(const char *) commands, pids, names;
	VEC(char *) args; /* $0 $1 ... */
	char mode;	  /* 0, or one of the options that say what to do: a A G h l V */
	bool compile_only, listing, verbose;
	const char *test; /* of -x test: the file of the table, "" for the script's own; or NULL */
	bool failed;	  /* the output */
};

/* Number of SIGINT, SIGTERM and SIGHUP received. */
static volatile sig_atomic_t interrupts;
static volatile sig_atomic_t reopen_wanted; /* SIGUSR1 */

static _Noreturn __attribute__((format(printf, 1, 2))) void fail(const char *fmt, ...)
{
	struct strbuf sb = {0};
	va_list ap;

	fflush(stdout);
	va_start(ap, fmt);
	escape_vprintf(&sb, fmt, ap);
	va_end(ap);
	fprintf(stderr, "dtrace: %s\n", sb_str(&sb));
	exit(STATUS_ERROR);
}

/* As fail(), with the status of a wrong command line. */
static _Noreturn __attribute__((format(printf, 1, 2))) void fail_usage(const char *fmt, ...)
{
	struct strbuf sb = {0};
	va_list ap;

	fflush(stdout);
	va_start(ap, fmt);
	escape_vprintf(&sb, fmt, ap);
	va_end(ap);
	fprintf(stderr, "dtrace: %s\n", sb_str(&sb));
	exit(STATUS_USAGE);
}

static _Noreturn void bad_usage(const char *fmt, int c)
{
	if (fmt) {
		fputs("dtrace: ", stderr);
		fprintf(stderr, fmt, c);
		fputc('\n', stderr);
	}
	usage(stderr);
	exit(STATUS_USAGE);
}

/* --help and --version; other tracers have more. */
static _Noreturn void long_option(const char *name)
{
	if (!strcmp(name, "--help")) {
		usage(stdout);
	} else if (!strcmp(name, "--version")) {
		fputs(VERSION_LINE, stdout);
	} else {
		fprintf(stderr, "dtrace: invalid option '%s'%s\n", name, usage_other(name));
		bad_usage(NULL, 0);
	}
	exit(fflush(stdout) ? STATUS_ERROR : 0);
}

static void print_warnings(struct cmd *cmd)
{
	fputs(dt_warning_lines(cmd->dt), stderr);
}

static _Noreturn void fail_dt(struct cmd *cmd)
{
	print_warnings(cmd);
	fflush(stdout);
	fputs(dt_error_lines(cmd->dt), stderr);
	exit(STATUS_ERROR);
}

/* While something is attached: what ends with us unclosed the kernel detaches one by one,
 * dt_close() all together. */
static _Noreturn void fail_attached(struct cmd *cmd)
{
	print_warnings(cmd);
	fflush(stdout);
	fputs(dt_error_lines(cmd->dt), stderr);
	dt_close(cmd->dt);
	exit(STATUS_ERROR);
}

static bool option_on(struct cmd *cmd, const char *name)
{
	const char *value = dt_getopt(cmd->dt, name);

	return value && !strcmp(value, "1");
}

static void set_option(struct cmd *cmd, const char *name, const char *value)
{
	int rc = dt_setopt(cmd->dt, name, value);

	if (rc >= 0)
		return;
	fputs(dt_error_lines(cmd->dt), stderr);
	exit(rc == -2 ? STATUS_USAGE : STATUS_ERROR);
}

/* After an error of the output: what is still printed is lost, but END runs, and commands. */
static void lose_output(struct cmd *cmd)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		dup2(fd, fileno(cmd->out));
		close(fd);
	}
	fflush(cmd->out);
	clearerr(cmd->out);
}

/* Flushes the output. False when that failed, which is reported, or when the reader closed the
 * pipe. */
static bool flush(struct cmd *cmd)
{
	errno = 0;
	/* an earlier write failed: its error is known by another */
	if (!fflush(cmd->out) && ferror(cmd->out)) {
		fputc('\n', cmd->out);
		fflush(cmd->out);
	}
	if (!ferror(cmd->out))
		return true;
	if (errno != EPIPE) {
		fprintf(stderr, "dtrace: failed to write output: %s\n",
			strerror(errno ? errno : EIO));
		cmd->failed = true;
	}
	lose_output(cmd);
	return false;
}

/* ---- arguments */

/* Of the processes of -p the first is that of "pid$target:". */
static void complete_target(struct cmd *cmd, char option, const char *text)
{
	static const char target[] = "$target";
	const char *at = strstr(text, target), *pid = cmd->pids.n ? cmd->pids.v[0] : "";
	int head = at ? at - text : 0, len = head + strlen(pid);
	char *named, *lines = NULL;
	size_t size;
	FILE *out;

	if (!at || !*pid || pid[strspn(pid, "0123456789")]) {
		dt_complete(cmd->dt, option, text, stdout);
		return;
	}
	named = xasprintf("%.*s%s%s", head, text, pid, at + strlen(target));
	out = open_memstream(&lines, &size);
	if (!out)
		return;
	dt_complete(cmd->dt, option, named, out);
	fclose(out);
	for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
		if (!strncmp(line, named, len) && line[len] == ':')
			printf("%.*s%s%s\n", head, text, target, line + len);
	free(lines);
	free(named);
}

/* Where tools are. */
static const char *tool_dir(struct cmd *cmd)
{
	const char *dir = dt_getopt(cmd->dt, "toolpath");

	return dir ? dir : TOOL_DIR;
}

/* Names of -x: those of options, of tools, and "tool" itself, which is no option of libdt. */
static void complete_named(struct cmd *cmd, const char *text)
{
	if (!strncmp(text, "tool=", strlen("tool="))) {
		tool_complete(tool_dir(cmd), text + strlen("tool="), stdout);
		return;
	}
	dt_complete(cmd->dt, 'x', text, stdout);
	if (!strncmp("test", text, strlen(text)))
		printf("test\ttest a script by the table in its comment\n");
	if (!strncmp("tool", text, strlen(text)))
		printf("tool=\trun a tool (list: all of them)\n");
}

/*
 * -x complete=: for shells. "-" lists the options, "-n" and text of a description how that may go
 * on. Errors are silent: the user is in the middle of a line. A kernel or a file system that does
 * not answer must not hold his shell.
 */
static _Noreturn void complete(struct cmd *cmd, const char *arg)
{
	alarm(2);
	if (!strcmp(arg, "-") || !strncmp(arg, "--", 2))
		usage_options(stdout);
	else if (arg[0] == '-' && arg[1] == 'x')
		complete_named(cmd, arg + 2);
	else if (*arg == '-')
		complete_target(cmd, arg[1], arg + 2);
	dt_close(cmd->dt);
	exit(fflush(stdout) ? STATUS_ERROR : 0);
}

static void add_job(struct cmd *cmd, enum dt_program_kind kind, const char *arg)
{
	struct job job = {.kind = kind, .arg = arg};

	vec_push(&cmd->jobs, job);
}

/* -x tool=name. Its directory is known when all options have been read. */
static void add_tool(struct cmd *cmd, const char *name)
{
	if (!name || !tool_is_name(name)) {
		fail_usage("invalid name of a tool: \"%s\" (letters, digits, - and _; -x tool=list "
			   "lists them)",
			   name ? name : "");
	}
	add_job(cmd, DT_SCRIPT, name);
	cmd->jobs.v[cmd->jobs.n - 1].tool = true;
}

/* -x name[=value] */
static void set_named(struct cmd *cmd, char *arg)
{
	char *eq = strchr(arg, '=');

	if (!strcmp(arg, "help")) {
		dt_options(stdout);
		puts("  test[=file]           test the script's clauses without a kernel, by a "
		     "table "
		     "of probes that fire\n"
		     "  tool=name             run a tool: a script that is installed with dtrace "
		     "(tool=list)");
		exit(fflush(stdout) ? STATUS_ERROR : 0);
	}
	if (!strncmp(arg, "complete=", strlen("complete=")))
		complete(cmd, eq + 1);
	if (eq)
		*eq++ = '\0';
	if (!strcmp(arg, "tool"))
		add_tool(cmd, eq);
	else if (!strcmp(arg, "test"))
		cmd->test = eq ? eq : "";
	else
		set_option(cmd, arg, eq);
}

static void set_mode(struct cmd *cmd, char c)
{
	if (cmd->mode && cmd->mode != c)
		bad_usage("only one of the [-AaGhlV] options can be specified at a time", 0);
	/* -V twice, or -V with -v, prints more. */
	cmd->verbose |= c == 'V' && cmd->mode == 'V';
	cmd->mode = c;
}

/* What is just another name of an -x option; false for all others. */
static bool short_option(struct cmd *cmd, int c, char *arg)
{
	static const struct {
		char c;
		const char *name;
	} names[] = {
	    {'b', "bufsize"}, {'C', "cpp"},	{'D', "define"},      {'F', "flowindent"},
	    {'H', "cpphdrs"}, {'I', "incdir"},	{'L', "libdir"},      {'q', "quiet"},
	    {'U', "undef"},   {'v', "verbose"}, {'w', "destructive"}, {'X', "stdc"},
	    {'Z', "zdefs"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (names[i].c != c)
			continue;
		set_option(cmd, names[i].name, arg);
		return true;
	}
	return false;
}

static bool program_option(struct cmd *cmd, int c, char *arg)
{
	static const struct {
		char c;
		enum dt_program_kind kind;
	} kinds[] = {
	    {'P', DT_PROBE_PROVIDER}, {'m', DT_PROBE_MODULE}, {'f', DT_PROBE_FUNCTION},
	    {'n', DT_PROBE_NAME},     {'i', DT_PROBE_ID},     {'s', DT_SCRIPT},
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (kinds[i].c != c)
			continue;
		add_job(cmd, kinds[i].kind, arg);
		return true;
	}
	return false;
}

/* -32 and -64 look like -3 2 and -6 4. */
static void data_model(int c, const char *arg)
{
	if (strcmp(arg, c == '3' ? "2" : "4"))
		bad_usage("invalid option -- '%c'", c);
	if ((c == '3') != (sizeof(long) == 4))
		fail("-%c%s: programs have the data model of this machine, %zu bits", c, arg,
		     sizeof(long) * 8);
}

static void one_option(struct cmd *cmd, int c, char *arg)
{
	if (program_option(cmd, c, arg) || short_option(cmd, c, arg))
		return;
	switch (c) {
	case '3':
	case '6':
		data_model(c, arg);
		break;
	case 'c':
		vec_push(&cmd->commands, arg);
		break;
	case 'e':
		cmd->compile_only = true;
		break;
	case 'a':
	case 'A':
	case 'G':
	case 'h':
	case 'l':
	case 'V':
		set_mode(cmd, c);
		break;
	case 'o':
		cmd->out_name = arg;
		break;
	case 'O': /* FreeBSD's: aggregations at exit have the form of oformat here in any case */
		break;
	case 'p':
		vec_push(&cmd->pids, arg);
		break;
	case 'S':
		cmd->listing = true;
		break;
	case 'W':
		vec_push(&cmd->names, arg);
		break;
	case 'x':
		set_named(cmd, arg);
		break;
	case ':':
		bad_usage("option requires an argument -- '%c'", optopt);
	default:
		fprintf(stderr, "dtrace: invalid option -- '%c'%s\n", optopt,
			usage_other((char[]){'-', (char)optopt, '\0'}));
		bad_usage(NULL, 0);
	}
}

static _Noreturn void list_tools(struct cmd *cmd)
{
	int rc = tool_list(tool_dir(cmd), stdout);

	if (rc < 0)
		fail("failed to list tools: %s: %s", tool_dir(cmd), strerror(-rc));
	exit(fflush(stdout) ? STATUS_ERROR : 0);
}

static _Noreturn void no_tool(struct cmd *cmd, const char *name)
{
	const char *dir = tool_dir(cmd);
	char *near = tool_nearest(dir, name);

	if (access(dir, X_OK) < 0)
		fail_usage("no tool %s: %s: %s; make install installs tools, -x toolpath names "
			   "another directory",
			   name, dir, strerror(errno));
	fail_usage("no tool %s in %s%s%s; -x tool=list lists them", name, dir,
		   near ? "; did you mean " : "", near ? near : "");
}

/* The names of tools become the paths of their scripts. With -h: prints what they are. */
static void find_tools(struct cmd *cmd)
{
	bool helped = false;

	for (int i = 0; i < cmd->jobs.n; i++) {
		struct job *job = &cmd->jobs.v[i];
		const char *path;
		int rc;

		if (!job->tool)
			continue;
		if (!strcmp(job->arg, "list") || !strcmp(job->arg, "help"))
			list_tools(cmd);
		path = tool_path(tool_dir(cmd), job->arg);
		if (!path)
			no_tool(cmd, job->arg);
		job->arg = path;
		if (cmd->mode != 'h')
			continue;
		rc = tool_help(path, stdout);
		if (rc < 0)
			fail("failed to read %s: %s", path, strerror(-rc));
		helped = true;
	}
	if (helped)
		exit(fflush(stdout) ? STATUS_ERROR : 0);
}

/* Options and macro arguments may be mixed; after "--" all are macro arguments. */
static void read_arguments(struct cmd *cmd, int argc, char **argv)
{
	int c;

	vec_push(&cmd->args, argv[0]);
	for (;;) {
		/* musl leaves optarg as it was when an option has no argument */
		while (optarg = NULL, (c = getopt(argc, argv, OPTIONS)) != -1) {
			if (c == '?' && optopt == '-' && optind < argc &&
			    !strncmp(argv[optind], "--", 2))
				long_option(argv[optind]);
			one_option(cmd, c, optarg);
		}
		if (optind >= argc)
			break;
		if (!strcmp(argv[optind - 1], "--")) {
			while (optind < argc)
				vec_push(&cmd->args, argv[optind++]);
			break;
		}
		vec_push(&cmd->args, argv[optind++]);
	}
	find_tools(cmd);
	for (int i = 0; i < cmd->jobs.n; i++)
		if (cmd->jobs.v[i].kind == DT_SCRIPT) {
			cmd->args.v[0] = (char *)cmd->jobs.v[i].arg;
			break;
		}
}

/* ---- programs */

/* The text of a file, owned. what: "compile script", for the message about one that is no text. */
static char *read_text(const char *path, const char *what)
{
	bool standard = !strcmp(path, "-");
	FILE *f = standard ? stdin : fopen(path, "re");
	struct strbuf sb = {0};
	char buf[16384];
	size_t n;

	if (!f)
		fail("failed to open %s: %s", path, strerror(errno));
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0) {
		sb_add(&sb, buf, n);
		if (sb.len > SCRIPT_MAX)
			fail("failed to read %s: %s", path, strerror(EFBIG));
	}
	if (ferror(f))
		fail("failed to read %s: %s", path, strerror(errno));
	if (sb.len && memchr(sb.s, '\0', sb.len))
		fail("failed to %s %s: it is not text", what, path);
	if (!standard)
		fclose(f);
	return sb.s ? sb.s : xstrdup("");
}

/* -x test: the table is a file, or in a comment of the first script. */
static void read_test(struct cmd *cmd)
{
	char *table = NULL;
	const char *name = cmd->test;
	int rc;

	if (*name)
		table = read_text(name, "read the table");
	for (int i = 0; i < cmd->jobs.n && !*name; i++)
		if (cmd->jobs.v[i].kind == DT_SCRIPT)
			name = cmd->jobs.v[i].arg;
	if (!*name)
		fail_usage("-x test needs a script with a table in a comment, or a file with one: "
			   "-x test=FILE");
	for (int i = 0; i < cmd->jobs.n && !table; i++)
		if (cmd->jobs.v[i].arg == name)
			table = xstrdup(cmd->jobs.v[i].text);
	rc = dt_test(cmd->dt, table, name);
	free(table);
	if (rc < 0)
		fail_dt(cmd);
}

static void compile(struct cmd *cmd)
{
	dt_macro_args(cmd->dt, cmd->args.n, cmd->args.v);
	/* Listings are of what names mean by themselves. */
	if (cmd->mode == 'l' && !strcmp(dt_getopt(cmd->dt, "compat"), "auto"))
		set_option(cmd, "compat", "off");
	for (int i = 0; i < cmd->jobs.n; i++) {
		struct job *job = &cmd->jobs.v[i];

		if (job->kind == DT_SCRIPT)
			job->text = read_text(job->arg, "compile script");
		if (cmd->jobs.n > 1)
			dt_announce(cmd->dt, job->text ? job->text : job->arg);
	}
	if (cmd->test)
		read_test(cmd);
	for (int i = 0; i < cmd->jobs.n; i++) {
		struct job *job = &cmd->jobs.v[i];

		job->matched = dt_program(cmd->dt, job->kind, job->text ? job->text : job->arg,
					  job->kind == DT_SCRIPT ? job->arg : NULL);
		free(job->text);
		if (job->matched < 0)
			fail_dt(cmd);
	}
	if ((!cmd->mode || cmd->mode == 'A') && dt_check(cmd->dt) < 0)
		fail_dt(cmd);
	print_warnings(cmd);
}

/* Where a description ends and a predicate or a body begins. Its module may be a file's path. */
static int description_length(const char *text)
{
	int len = strcspn(text, ":{/;"), path;

	if (text[len] == ':' && text[len + 1] == '/') {
		path = strcspn(text + len + 1, ":{; \t\n");
		if (text[len + 1 + path] == ':')
			len += 1 + path;
	}
	return len + strcspn(text + len, "{/;");
}

static void report_matches(struct cmd *cmd)
{
	if (option_on(cmd, "quiet"))
		return;
	for (int i = 0; i < cmd->jobs.n; i++) {
		const struct job *job = &cmd->jobs.v[i];
		bool script = job->kind == DT_SCRIPT;
		/* As in other DTrace implementations, the description is all text before the
		 * predicate, with its blank. */
		int len = script ? (int)strlen(job->arg) : description_length(job->arg);

		fprintf(stderr, "dtrace: %s '%.*s' matched %d probe%s\n",
			script ? "script" : "description", len, job->arg, job->matched,
			job->matched == 1 ? "" : "s");
	}
}

/* The description of a job as four fields, for messages: -f read is ::read: */
static void print_fields(FILE *out, const struct job *job)
{
	static const int fields[] = {
	    [DT_PROBE_PROVIDER] = 0,
	    [DT_PROBE_MODULE] = 1,
	    [DT_PROBE_FUNCTION] = 2,
	    [DT_PROBE_NAME] = 3,
	};
	int len = description_length(job->arg), colons = fields[job->kind];

	for (int i = 0; i < len; i++)
		colons -= job->arg[i] == ':';
	while (colons-- > 0)
		fputc(':', out);
	fprintf(out, "%.*s%.*s", len, job->arg, 3 - fields[job->kind], ":::");
}

/*
 * dtrace -l 'tcp*': without a program a word that has * or : is a description; without a colon
 * each of a probe's four names may be what it matches. Other words are names of types, of which
 * only -v lists something.
 */
static void list_words(struct cmd *cmd)
{
	for (int i = 1; i < cmd->args.n; i++) {
		const char *word = cmd->args.v[i];
		struct job job = {.kind = DT_PROBE_NAME, .arg = word, .word = true};

		if (!strpbrk(word, "*:")) {
			if (i == 1 && (cmd->verbose || option_on(cmd, "verbose")))
				return;
			fail("extraneous argument '%s': write '*%s*' for probes with this text in "
			     "a name, -f %s for those of a function",
			     word, word, word);
		}
		if (!strchr(word, ':'))
			job.text = xasprintf("%s:::, :%s::, ::%s:, :::%s", word, word, word, word);
		vec_push(&cmd->jobs, job);
	}
}

/* Lists the probes that the programs match, and reports the programs that match none. */
static int list(struct cmd *cmd)
{
	int status = 0;

	/* Words that are no descriptions are types. */
	if (!cmd->jobs.n && cmd->args.n > 1) {
		for (int i = 1; i < cmd->args.n; i++)
			if (dt_list_type(cmd->dt, cmd->args.v[i], cmd->out) < 0)
				fail_dt(cmd);
		flush(cmd);
		return 0;
	}
	if (dt_list(cmd->dt, cmd->out, cmd->verbose) < 0)
		fail_dt(cmd);
	flush(cmd);
	/* a word need not be a provider, and why there is none says nothing */
	if (!cmd->jobs.n || !cmd->jobs.v[0].word || strchr(cmd->jobs.v[0].arg, ':'))
		print_warnings(cmd);
	for (int i = 0; i < cmd->jobs.n; i++) {
		const struct job *job = &cmd->jobs.v[i];

		if (job->matched)
			continue;
		fputs("dtrace: failed to match ", stderr);
		if (job->kind == DT_SCRIPT || job->kind == DT_PROBE_ID || job->word)
			fputs(job->arg, stderr);
		else
			print_fields(stderr, job);
		fputs(": No probe matches description\n", stderr);
		status = STATUS_ERROR;
	}
	return status;
}

/* ---- signals */

/* When the first came, in seconds of the monotonic clock. */
static volatile sig_atomic_t interrupted_at;

/*
 * The first signal ends tracing in order, the second at once; but not one right after the first:
 * timeout(1) signals us and then our group. A signal that arrives just before the loop sleeps would
 * not wake it, so a timer interrupts the sleep repeatedly.
 */
static void on_interrupt(int sig)
{
	struct itimerval knock = {{0, 20000}, {0, 20000}};
	struct timespec now;

	if (sig == SIGALRM)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!interrupts++) {
		interrupted_at = now.tv_sec;
		setitimer(ITIMER_REAL, &knock, NULL);
	} else if (now.tv_sec > interrupted_at + 1) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
}

static void on_reopen(int sig)
{
	(void)sig;
	reopen_wanted = 1;
}

static const int sigs[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};

/*
 * Signals that are ignored at the start (nohup, a background job) stay ignored. SA_RESTART lets
 * writes to a slow reader complete; the calls in which we sleep are interrupted nevertheless.
 */
static void catch_signals(const struct cmd *cmd)
{
	struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART}, old;

	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(sigs); i++)
		if (!sigaction(sigs[i], NULL, &old) &&
		    (old.sa_handler != SIG_IGN || sigs[i] == SIGALRM))
			sigaction(sigs[i], &act, NULL);
	act.sa_handler = on_reopen;
	if (cmd->out_name)
		sigaction(SIGUSR1, &act, NULL);
}

static void stop_knocking(void)
{
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}

/* A signal ends us at once again. */
static void release_signals(void)
{
	struct sigaction act;

	for (size_t i = 0; i < ARRAY_SIZE(sigs); i++)
		if (!sigaction(sigs[i], NULL, &act) && act.sa_handler == on_interrupt)
			signal(sigs[i], SIG_DFL);
}

/* ---- processes */

/* A signal while dtrace waits ends it; nothing was traced. */
static void wait_exec_processes(struct cmd *cmd)
{
	pid_t pid = 1;

	catch_signals(cmd);
	for (int i = 0; i < cmd->names.n && pid > 0; i++)
		pid = dt_await(cmd->dt, cmd->names.v[i]);
	stop_knocking();
	if (pid < 0)
		fail_dt(cmd);
	if (!pid) {
		dt_close(cmd->dt);
		exit(0);
	}
	release_signals();
}

static void start_processes(struct cmd *cmd)
{
	for (int i = 0; i < cmd->commands.n; i++)
		if (dt_run(cmd->dt, cmd->commands.v[i]) < 0)
			fail_dt(cmd);
	for (int i = 0; i < cmd->pids.n; i++) {
		const char *arg = cmd->pids.v[i];
		char *end;
		long pid = strtol(arg, &end, 10);

		if (end == arg || *end || pid <= 0 || pid > INT_MAX)
			fail("invalid pid: %s", arg);
		if (dt_grab(cmd->dt, pid) < 0)
			fail_dt(cmd);
	}
	if (cmd->names.n)
		wait_exec_processes(cmd);
}

/* ---- the loop */

/*
 * Attaching to many functions takes long where the kernel attaches them one by one. After two
 * seconds progress is reported: on a terminal in one line that is rewritten, otherwise in a new
 * line now and then.
 */
struct progress {
	const char *what; /* at hand */
	time_t began, reported;
	bool shown, terminal, quiet;
};

static time_t seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec;
}

static void erase_progress(struct progress *p)
{
	if (p->shown && p->terminal)
		fputs("\r\033[K", stderr);
	p->shown = false;
}

static int on_progress(void *arg, const char *what, int done, int of)
{
	struct progress *p = arg;
	time_t now = seconds();

	if (!what) {
		erase_progress(p);
		return 0;
	}
	if (p->what != what) {
		p->what = what;
		p->began = p->reported = now;
		p->shown = false;
	}
	if (done >= of) {
		erase_progress(p);
	} else if (p->terminal ? now > p->began + 1 : !p->quiet && now > p->reported + 4) {
		fprintf(stderr, "%sdtrace: %s: %d of %d%s", p->terminal ? "\r" : "", what, done, of,
			p->terminal ? "" : "\n");
		p->reported = now;
		p->shown = true;
	}
	if (interrupts && !strcmp(what, "attaching")) {
		erase_progress(p);
		return 1;
	}
	return 0;
}

/* Nothing but what -x oformat says goes to the output otherwise. */
static bool prints_text(struct cmd *cmd)
{
	return !strcmp(dt_getopt(cmd->dt, "oformat"), "text");
}

/* Is what is traced recorded and not printed? */
static bool only_records(struct cmd *cmd)
{
	return dt_getopt(cmd->dt, "record") && !option_on(cmd, "recordprint");
}

/* The file of -o has been renamed (logrotate): output goes on in a new one of its name. */
static void reopen_output(struct cmd *cmd)
{
	int fd;

	reopen_wanted = 0;
	fd = open(cmd->out_name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || dup3(fd, fileno(cmd->out), O_CLOEXEC) < 0)
		fprintf(stderr, "dtrace: failed to open output file '%s': %s\n", cmd->out_name,
			strerror(errno));
	if (fd >= 0)
		close(fd);
}

static enum dt_work trace(struct cmd *cmd)
{
	enum dt_work work = DT_WORK_GOING;

	while (work == DT_WORK_GOING && !interrupts) {
		work = dt_work(cmd->dt, cmd->out);
		print_warnings(cmd);
		if (work != DT_WORK_ERROR && !flush(cmd))
			return DT_WORK_DONE;
		if (reopen_wanted)
			reopen_output(cmd);
	}
	return work;
}

static int run(struct cmd *cmd)
{
	struct progress progress = {.terminal = isatty(STDERR_FILENO),
				    .quiet = option_on(cmd, "quiet")};
	enum dt_work work;

	if (option_on(cmd, "linebuf"))
		setvbuf(cmd->out, NULL, _IOLBF, 0);
	catch_signals(cmd);
	dt_on_progress(cmd->dt, on_progress, &progress);
	if (dt_go(cmd->dt, cmd->out) < 0) {
		erase_progress(&progress);
		fail_attached(cmd);
	}
	work = trace(cmd);
	stop_knocking();
	if (work == DT_WORK_ERROR && !ferror(cmd->out))
		fail_attached(cmd);
	if (work == DT_WORK_ERROR) {
		fputs(dt_error_lines(cmd->dt), stderr);
		cmd->failed = true;
		lose_output(cmd);
	}
	if (interrupts)
		dt_interrupted(cmd->dt);
	/* after the ^C that the terminal shows */
	if (interrupts && prints_text(cmd) && !only_records(cmd) &&
	    (!option_on(cmd, "quiet") || isatty(STDOUT_FILENO)))
		fputc('\n', cmd->out);
	if (dt_stop(cmd->dt, cmd->out) < 0) {
		erase_progress(&progress);
		fail_attached(cmd);
	}
	print_warnings(cmd);
	flush(cmd);
	dt_on_progress(cmd->dt, NULL, NULL);
	return dt_status(cmd->dt);
}

/* ---- */

static int run_test(struct cmd *cmd)
{
	int rc = dt_test_run(cmd->dt, cmd->out);

	flush(cmd);
	if (rc)
		fputs(dt_error_lines(cmd->dt), stderr);
	else if (!option_on(cmd, "quiet"))
		fprintf(stderr, "dtrace: the test passed\n");
	return rc ? STATUS_ERROR : dt_status(cmd->dt);
}

/* -x replay: no kernel and no rights. */
static int replay(struct cmd *cmd)
{
	int rc;

	if (cmd->mode || cmd->jobs.n || cmd->args.n > 1 || cmd->commands.n || cmd->pids.n ||
	    cmd->names.n || cmd->test || dt_getopt(cmd->dt, "record"))
		fail_usage("-x replay prints a recording: it takes no program, process or other "
			   "mode");
	if (option_on(cmd, "linebuf"))
		setvbuf(cmd->out, NULL, _IOLBF, 0);
	rc = dt_replay(cmd->dt, cmd->out);
	flush(cmd);
	if (rc)
		fputs(dt_error_lines(cmd->dt), stderr);
	return rc ? STATUS_ERROR : dt_status(cmd->dt);
}

/* -A, instead of the loop. */
static int detach(struct cmd *cmd)
{
	struct progress progress = {.terminal = isatty(STDERR_FILENO),
				    .quiet = option_on(cmd, "quiet")};

	catch_signals(cmd);
	dt_on_progress(cmd->dt, on_progress, &progress);
	if (dt_go(cmd->dt, cmd->out) < 0) {
		erase_progress(&progress);
		fail_attached(cmd);
	}
	stop_knocking();
	print_warnings(cmd);
	dt_on_progress(cmd->dt, NULL, NULL);
	if (!option_on(cmd, "quiet"))
		detached_announce(cmd->dt);
	return 0;
}

/* -a and -x detach: no program. */
static int read_detached(struct cmd *cmd)
{
	bool grab = cmd->mode == 'a' || option_on(cmd, "grabanon");
	const char *why;
	int rc;

	if ((cmd->mode && cmd->mode != 'a') || cmd->jobs.n || cmd->commands.n || cmd->pids.n ||
	    cmd->names.n || cmd->test || dt_getopt(cmd->dt, "replay"))
		fail_usage("-a and -x detach take no program, process or other mode");
	if (option_on(cmd, "linebuf"))
		setvbuf(cmd->out, NULL, _IOLBF, 0);
	rc = detached_run(cmd->dt, grab, cmd->args.v + 1, cmd->args.n - 1, cmd->out, &why);
	if (rc == -2)
		fail_usage("%s", why);
	print_warnings(cmd);
	flush(cmd);
	if (rc)
		fputs(dt_error_lines(cmd->dt), stderr);
	return rc ? STATUS_ERROR : dt_status(cmd->dt);
}

/* The file that -G or -h writes: that of -o, or the first script's name with another suffix, in the
 * current directory. */
static char *built_name(struct cmd *cmd)
{
	const char *script = NULL, *base;
	int len;

	for (int i = 0; i < cmd->jobs.n && !script; i++)
		if (cmd->jobs.v[i].kind == DT_SCRIPT)
			script = cmd->jobs.v[i].arg;
	if (!script && !cmd->jobs.n) {
		fprintf(stderr, "dtrace: -%c requires a script with -s (usage: dtrace --help)\n",
			cmd->mode);
		exit(STATUS_USAGE);
	}
	if (!script)
		fail("-%c requires a script with -s", cmd->mode);
	if (cmd->out_name)
		return xstrdup(cmd->out_name);
	base = strrchr(script, '/') ? strrchr(script, '/') + 1 : script;
	len = strlen(base);
	if (len > 2 && !strcmp(base + len - 2, ".d"))
		len -= 2;
	return xasprintf("%.*s.%s", len, base, cmd->mode == 'h' ? "h" : "o");
}

/* The name "-" is the standard output. */
static void write_header(struct cmd *cmd, const char *name)
{
	bool standard = !strcmp(name, "-");
	FILE *f = standard ? stdout : fopen(name, "we");

	if (!f)
		fail("failed to open header file '%s': %s", name, strerror(errno));
	if (dt_header(cmd->dt, f) < 0 || fflush(f) || ferror(f)) {
		if (!standard)
			remove(name);
		fail("failed to create header file '%s': %s", name,
		     *dt_error(cmd->dt) ? dt_error(cmd->dt) : strerror(errno));
	}
	if (!standard)
		fclose(f);
}

/* -G and -h: no kernel, no rights, nothing is traced. */
static int build(struct cmd *cmd)
{
	char *name = built_name(cmd);

	set_option(cmd, "zdefs", NULL);
	compile(cmd);
	if (cmd->mode == 'G') {
		if (dt_link(cmd->dt, cmd->args.v + 1, cmd->args.n - 1, name) < 0)
			fail("failed to link script %s: %s", cmd->args.v[0], dt_error(cmd->dt));
	} else {
		write_header(cmd, name);
	}
	free(name);
	return 0;
}

/* Metrics replace the file of -o; other formats append to it. */
static bool prints_metrics(struct cmd *cmd)
{
	const char *format = dt_getopt(cmd->dt, "oformat");

	return !strcmp(format, "openmetrics") || !strcmp(format, "prometheus");
}

static void open_output(struct cmd *cmd)
{
	static char buffer[1 << 16];

	cmd->out = stdout;
	if (cmd->out_name && !prints_metrics(cmd) && cmd->mode != 'G' && cmd->mode != 'h') {
		cmd->out = fopen(cmd->out_name, "ae");
		if (!cmd->out)
			fail("failed to open output file '%s': %s", cmd->out_name, strerror(errno));
	}
	setvbuf(cmd->out, buffer, _IOFBF, sizeof(buffer));
}

/* What the mode asks for. The exit status. */
static int execute(struct cmd *cmd)
{
	bool listing = cmd->mode == 'l';

	if (cmd->mode == 'V') {
		dt_version(cmd->dt, cmd->out, cmd->verbose);
		return 0;
	}
	if (detached_wanted(cmd->dt, cmd->mode == 'a' || option_on(cmd, "grabanon")))
		return read_detached(cmd);
	if (dt_getopt(cmd->dt, "replay"))
		return replay(cmd);
	if (cmd->mode == 'G' || cmd->mode == 'h')
		return build(cmd);
	if (listing)
		set_option(cmd, "zdefs", NULL);
	else if (!cmd->jobs.n && (!cmd->compile_only || cmd->args.n > 1))
		fail("no probes specified%s", usage_hint(cmd->args.n > 1 ? cmd->args.v[1] : NULL));
	if (listing && !cmd->jobs.n)
		list_words(cmd);
	if (cmd->mode == 'A' && cmd->test)
		fail_usage("-x test needs no kernel: it does not go with -A");
	if (cmd->mode == 'A' && dt_detach(cmd->dt, dt_getopt(cmd->dt, "name")) < 0)
		fail_dt(cmd);
	start_processes(cmd);
	compile(cmd);
	cmd->verbose |= option_on(cmd, "verbose");
	if (listing)
		return list(cmd);
	if (cmd->verbose && dt_stability(cmd->dt, prints_text(cmd) ? cmd->out : stderr) < 0)
		fail_dt(cmd);
	if (cmd->listing && dt_listing(cmd->dt, stderr) < 0)
		fail_dt(cmd);
	flush(cmd);
	if (cmd->compile_only)
		return 0;
	if (cmd->test)
		return run_test(cmd);
	report_matches(cmd);
	if (cmd->mode == 'A')
		return detach(cmd);
	if (cmd->out_name && prints_metrics(cmd))
		dt_metrics_file(cmd->dt, cmd->out_name);
	return run(cmd);
}

/* When the standard files are closed, nothing else must get their numbers; writing to them fails
 * then. */
static void hold_standard_files(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
			exit(STATUS_ERROR);
}

/* As https://no-color.org says; a terminal that is "dumb" has none. */
static bool has_colour(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return (!no || !*no) && term && strcmp(term, "dumb");
}

int main(int argc, char **argv)
{
	struct cmd cmd = {.dt = dt_open()};
	struct messages messages = {.dt = cmd.dt, .hints = isatty(STDERR_FILENO)};
	int status;

	hold_standard_files();
	signal(SIGPIPE, SIG_IGN);     /* a closed pipe is no error: writes return EPIPE */
	signal(SIGXFSZ, SIG_IGN);     /* a limit of a file's size is an error as any other: EFBIG */
	prctl(PR_SET_NAME, "dtrace"); /* a script that #! starts has its own name */
	if (argc <= 1)
		bad_usage(NULL, 0);
	opterr = 0;
	dt_on_message(cmd.dt, message_print, &messages);
	dt_set_stream(cmd.dt, DT_STREAM_DUMP, stdout);
	dt_set_stream(cmd.dt, DT_STREAM_ASIDE, stderr);
	dt_carets(cmd.dt, isatty(STDERR_FILENO), has_colour());
	if (dt_environment(cmd.dt) < 0)
		fail_dt(&cmd);
	read_arguments(&cmd, argc, argv);
	cmd.verbose |= cmd.mode == 'V' && option_on(&cmd, "verbose");
	open_output(&cmd);
	status = execute(&cmd);
	if (flush(&cmd) && cmd.out != stdout && fclose(cmd.out)) {
		fprintf(stderr, "dtrace: failed to write output: %s\n", strerror(errno));
		cmd.failed = true;
	}
	if (cmd.failed)
		status = STATUS_ERROR;
	for (int i = 0; i < cmd.jobs.n; i++)
		if (cmd.jobs.v[i].tool)
			free((char *)cmd.jobs.v[i].arg);
	vec_free(&cmd.jobs);
	vec_free(&cmd.commands);
	vec_free(&cmd.pids);
	vec_free(&cmd.names);
	vec_free(&cmd.args);
	dt_close(cmd.dt);
	return status;
}
