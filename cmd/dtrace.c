/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dtrace(8): arguments (arguments.c), programs (program.c), and what the mode asks for. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cmd/arguments.h"
#include "cmd/detached.h"
#include "cmd/message.h"
#include "cmd/program.h"
#include "cmd/rotate.h"
#include "cmd/trace.h"
#include "cmd/usage.h"
#include "libdt/base/fd.h"
#include "libdt/base/sandbox.h"

static int run_test(struct cmd *cmd)
{
	int rc = dt_test_run(cmd->dt, cmd->out), status = cmd_finish(cmd, rc);

	if (!rc && !cmd_option_on(cmd, "quiet"))
		fprintf(stderr, "dtrace: the test passed\n");
	return status;
}

/* Metrics replace the file of -o at each scrape, documents once (cmd_begin_document()); other
 * formats append to it. */
static bool prints_metrics(struct cmd *cmd)
{
	const char *format = dt_getopt(cmd->dt, "oformat");

	return !strcmp(format, "openmetrics") || !strcmp(format, "prometheus");
}

/* When the arguments are checked and the program is compiled: errors in these make no file. */
static void open_output(struct cmd *cmd)
{
	static char buffer[1 << 16];
	int fd;

	if (!cmd->out_name || prints_metrics(cmd))
		return;
	fd = fd_append(cmd->out_name);
	cmd->out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!cmd->out)
		cmd_fail("failed to open output file '%s': %s", cmd->out_name, strerror(errno));
	setvbuf(cmd->out, buffer, _IOFBF, sizeof(buffer));
}

/* -x replay: no kernel and no rights. */
static int replay(struct cmd *cmd)
{
	if (cmd->mode || cmd->jobs.n || cmd->args.n > 1 || cmd->commands.n || cmd->pids.n ||
	    cmd->names.n || cmd->test || dt_getopt(cmd->dt, "record"))
		cmd_fail_usage(
		    "-x replay prints a recording: it takes no program, process or other "
		    "mode");
	open_output(cmd);
	if (cmd_option_on(cmd, "linebuf"))
		setvbuf(cmd->out, NULL, _IOLBF, 0);
	cmd_begin_document(cmd);
	return cmd_finish(cmd, dt_replay(cmd->dt, cmd->out));
}

/* A script that is compiled only need not be trusted: it may take 2 GB, or half of the memory. */
static void limit_memory(void)
{
	uint64_t most = 2ull << 30,
		 half = (uint64_t)sysconf(_SC_PHYS_PAGES) / 2 * sysconf(_SC_PAGESIZE);

	sandbox_memory(RLIMIT_DATA, MIN(most, half));
}

/* What the mode asks for. The exit status. */
static int execute(struct cmd *cmd)
{
	bool listing = cmd->mode == 'l';

	if (cmd->mode == 'V') {
		open_output(cmd);
		dt_version(cmd->dt, cmd->out, cmd->verbose);
		return 0;
	}
	if (detached_wanted(cmd)) {
		detached_check(cmd);
		open_output(cmd);
		return detached_read(cmd);
	}
	if (dt_getopt(cmd->dt, "replay"))
		return replay(cmd);
	if (cmd->mode == 'G' || cmd->mode == 'h')
		return program_build(cmd);
	if (cmd->mode == 'A')
		detached_begin(cmd);
	if (listing)
		cmd_set_option(cmd, "zdefs", NULL);
	else if (!cmd->jobs.n && (!cmd->compile_only || cmd->args.n > 1))
		cmd_fail("no probes specified%s",
			 usage_hint(cmd->args.n > 1 ? cmd->args.v[1] : NULL));
	if (listing && !cmd->jobs.n)
		program_list_words(cmd);
	trace_start_processes(cmd);
	if (listing || cmd->compile_only)
		limit_memory();
	program_compile(cmd);
	open_output(cmd);
	cmd->verbose |= cmd_option_on(cmd, "verbose");
	if (listing)
		return program_list(cmd);
	if (cmd->verbose && dt_stability(cmd->dt, cmd_prints_text(cmd) ? cmd->out : stderr) < 0)
		cmd_fail_dt(cmd);
	if (cmd->listing && dt_listing(cmd->dt, stderr) < 0)
		cmd_fail_dt(cmd);
	cmd_flush(cmd);
	if (cmd->compile_only)
		return 0;
	if (cmd->test)
		return run_test(cmd);
	program_report_matches(cmd);
	if (cmd->mode == 'A') {
		trace_detach(cmd);
		return 0;
	}
	rotate_begin(cmd);
	cmd_begin_document(cmd);
	if (cmd->out_name && prints_metrics(cmd))
		dt_metrics_file(cmd->dt, cmd->out_name);
	return trace_run(cmd);
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
	static char buffer[1 << 16];
	struct cmd cmd = {.dt = dt_open(), .out = stdout};
	struct messages messages = {.cmd = &cmd, .hints = isatty(STDERR_FILENO)};
	int status;

	hold_standard_files();
	signal(SIGPIPE, SIG_IGN);     /* a closed pipe is no error: writes return EPIPE */
	signal(SIGXFSZ, SIG_IGN);     /* a limit of a file's size is an error as any other: EFBIG */
	prctl(PR_SET_NAME, "dtrace"); /* a script that #! starts has its own name */
	if (argc <= 1) {
		usage(stderr);
		return STATUS_USAGE;
	}
	dt_on_message(cmd.dt, message_print, &messages);
	dt_set_stream(cmd.dt, DT_STREAM_DUMP, stdout);
	dt_set_stream(cmd.dt, DT_STREAM_ASIDE, stderr);
	dt_carets(cmd.dt, isatty(STDERR_FILENO), has_colour());
	if (dt_environment(cmd.dt) < 0)
		cmd_fail_dt(&cmd);
	arguments_read(&cmd, argc, argv);
	cmd.verbose |= cmd.mode == 'V' && cmd_option_on(&cmd, "verbose");
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	status = execute(&cmd);
	if (cmd_flush(&cmd) && cmd.out != stdout && fclose(cmd.out)) {
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
