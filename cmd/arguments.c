/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/arguments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/tool.h"
#include "cmd/usage.h"

#define OPTIONS "+:3:6:aAb:c:CD:eFf:Ghi:HI:lL:m:n:o:Op:P:qs:SU:vVwW:x:X:Z"
#define VERSION_LINE "dtrace: dt " DT_VERSION " (D " DT_LANGUAGE ")\n"

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
		cmd_fail_usage(
		    "invalid name of a tool: \"%s\" (letters, digits, - and _; -x tool=list "
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
		cmd_set_option(cmd, arg, eq);
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
		cmd_set_option(cmd, names[i].name, arg);
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
		cmd_fail("-%c%s: programs have the data model of this machine, %zu bits", c, arg,
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

static const char elsewhere[] = "make install installs tools, -x toolpath names another directory";

static _Noreturn void list_tools(struct cmd *cmd)
{
	int rc = tool_list(tool_dir(cmd), stdout);

	if (rc < 0)
		cmd_fail("failed to list tools: %s: %s; %s", tool_dir(cmd), strerror(-rc),
			 elsewhere);
	exit(fflush(stdout) ? STATUS_ERROR : 0);
}

static _Noreturn void no_tool(struct cmd *cmd, const char *name)
{
	const char *dir = tool_dir(cmd);
	char *near = tool_nearest(dir, name);

	if (access(dir, X_OK) < 0)
		cmd_fail_usage("no tool %s: %s: %s; %s", name, dir, strerror(errno), elsewhere);
	cmd_fail_usage("no tool %s in %s%s%s; -x tool=list lists them", name, dir,
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
			cmd_fail("failed to read %s: %s", path, strerror(-rc));
		helped = true;
	}
	if (helped)
		exit(fflush(stdout) ? STATUS_ERROR : 0);
}

/*
 * Of a script's first line "#!/usr/sbin/dtrace -C -s" Linux makes one argument, "-C -s", and the
 * script's name follows it. Other systems make one of each word, as this does, in memory that stays
 * until the end. The arguments themselves where they are not those of such a line.
 */
static char **split_first_line(int *argc, char **argv)
{
	static const char blanks[] = " \t";
	static char **split;
	const char *last;
	char *words;
	int n = 0;

	if (*argc < 3 || argv[1][0] != '-' || argv[1][1] == '-' || !strpbrk(argv[1], blanks))
		return argv;
	last = argv[1] + strlen(argv[1]) - 1;
	if (*last != 's' || access(argv[2], F_OK))
		return argv;
	while (last > argv[1] && !strchr(blanks, *last))
		last--;
	if (last[1] != '-')
		return argv;
	words = xstrdup(argv[1]);
	split = xcalloc(*argc + strlen(words), sizeof(*split));
	split[n++] = argv[0];
	for (char *word = strtok(words, blanks); word; word = strtok(NULL, blanks))
		split[n++] = word;
	for (int i = 2; i < *argc; i++)
		split[n++] = argv[i];
	*argc = n;
	return split;
}

/* Options and macro arguments may be mixed; after "--" all are macro arguments. */
void arguments_read(struct cmd *cmd, int argc, char **argv)
{
	int c;

	argv = split_first_line(&argc, argv);
	opterr = 0;
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
