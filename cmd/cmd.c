/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/escape.h"

static _Noreturn void fail(int status, const char *fmt, va_list ap)
{
	struct strbuf sb = {0};

	fflush(stdout);
	escape_vprintf(&sb, fmt, ap);
	fprintf(stderr, "dtrace: %s\n", sb_str(&sb));
	exit(status);
}

_Noreturn void cmd_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fail(STATUS_ERROR, fmt, ap);
}

_Noreturn void cmd_fail_usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fail(STATUS_USAGE, fmt, ap);
}

void cmd_print_warnings(struct cmd *cmd)
{
	fputs(dt_warning_lines(cmd->dt), stderr);
}

static void print_error(struct cmd *cmd)
{
	cmd_print_warnings(cmd);
	fflush(stdout);
	fputs(dt_error_lines(cmd->dt), stderr);
}

_Noreturn void cmd_fail_hint(struct cmd *cmd, char *hint)
{
	print_error(cmd);
	if (hint)
		fprintf(stderr, "dtrace: %s\n", hint);
	free(hint);
	exit(STATUS_ERROR);
}

_Noreturn void cmd_fail_dt(struct cmd *cmd)
{
	cmd_fail_hint(cmd, NULL);
}

_Noreturn void cmd_fail_attached(struct cmd *cmd)
{
	print_error(cmd);
	dt_close(cmd->dt);
	exit(STATUS_ERROR);
}

bool cmd_option_on(struct cmd *cmd, const char *name)
{
	const char *value = dt_getopt(cmd->dt, name);

	return value && !strcmp(value, "1");
}

void cmd_set_option(struct cmd *cmd, const char *name, const char *value)
{
	if (dt_setopt(cmd->dt, name, value) >= 0)
		return;
	fputs(dt_error_lines(cmd->dt), stderr);
	exit(STATUS_ERROR);
}

void cmd_lose_output(struct cmd *cmd)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		dup2(fd, fileno(cmd->out));
		close(fd);
	}
	fflush(cmd->out);
	clearerr(cmd->out);
}

bool cmd_flush(struct cmd *cmd)
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
	cmd_lose_output(cmd);
	return false;
}

void cmd_begin_document(struct cmd *cmd)
{
	const char *format = dt_getopt(cmd->dt, "oformat");
	struct stat st;

	if (cmd->out_name && (!strcmp(format, "html") || !strcmp(format, "svg")) &&
	    !fstat(fileno(cmd->out), &st) && S_ISREG(st.st_mode) &&
	    ftruncate(fileno(cmd->out), 0) < 0)
		cmd_fail("failed to empty output file '%s': %s", cmd->out_name, strerror(errno));
}

bool cmd_prints_text(struct cmd *cmd)
{
	return !strcmp(dt_getopt(cmd->dt, "oformat"), "text");
}

int cmd_finish(struct cmd *cmd, int rc)
{
	if (rc && ferror(cmd->out))
		cmd_lose_output(cmd); /* that is the error */
	else
		cmd_flush(cmd);
	if (rc)
		fputs(dt_error_lines(cmd->dt), stderr);
	return rc ? STATUS_ERROR : dt_status(cmd->dt);
}
