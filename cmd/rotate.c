/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rotation of the file of -o: by another program, which renames it and sends SIGUSR1, or by dtrace
 * itself (-x rotatesize, rotatetime). Then out becomes out.1, out.1 becomes out.2, and so on; the
 * file beyond rotatekeep is replaced. This is done between two batches of records, so a record is
 * never in two files, and each file is a document of its own. While freopen() sends the output to
 * another file, nothing is renamed.
 */
#include "cmd/rotate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/clock.h"
#include "libdt/base/unit.h"

/* Formats whose file does not grow while tracing. */
static const struct {
	const char *format, *reason;
} unfit[] = {
    {"svg", "writes its picture when tracing ends"},
    {"openmetrics", "replaces its file at each aggrate"},
    {"prometheus", "replaces its file at each aggrate"},
};

static void check_format(struct cmd *cmd, const char *name)
{
	const char *format = dt_getopt(cmd->dt, "oformat");

	for (size_t i = 0; i < ARRAY_SIZE(unfit); i++)
		if (!strcmp(format, unfit[i].format))
			cmd_fail("failed to set -x %s: -x oformat=%s %s", name, format,
				 unfit[i].reason);
}

void rotate_begin(struct cmd *cmd)
{
	struct rotation *r = &cmd->rotation;
	const char *name;
	struct stat st;

	/* libdt has checked their form */
	unit_size(dt_getopt(cmd->dt, "rotatesize"), &r->size);
	unit_rate(dt_getopt(cmd->dt, "rotatetime"), false, &r->every_ns);
	unit_size(dt_getopt(cmd->dt, "rotatekeep"), &r->keep);
	name = r->size ? "rotatesize" : "rotatetime";
	r->began_ns = (int64_t)clock_ns(CLOCK_BOOTTIME);
	if (!r->size && !r->every_ns)
		return;
	if (!cmd->out_name)
		cmd_fail("failed to set -x %s: it requires an output file (-o)", name);
	check_format(cmd, name);
	if (fstat(fileno(cmd->out), &st) || !S_ISREG(st.st_mode))
		cmd_fail("failed to set -x %s: output file '%s' is not a regular file", name,
			 cmd->out_name);
}

static bool reopen(struct cmd *cmd, mode_t mode, int flags)
{
	int fd = open(cmd->out_name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | flags, mode);
	bool ok = fd >= 0 && dup3(fd, fileno(cmd->out), O_CLOEXEC) >= 0;

	if (!ok)
		fprintf(stderr, "dtrace: failed to open output file '%s': %s\n", cmd->out_name,
			strerror(errno));
	if (fd >= 0)
		close(fd);
	return ok;
}

void rotate_reopen(struct cmd *cmd)
{
	dt_end_document(cmd->dt, cmd->out);
	reopen(cmd, 0666, 0);
	cmd->rotation.began_ns = (int64_t)clock_ns(CLOCK_BOOTTIME);
}

/* Renames out.N-1 to out.N and so on, at last out to out.1. */
static bool rename_files(struct cmd *cmd)
{
	bool ok = true;

	for (int i = (int)cmd->rotation.keep; i > 0 && ok; i--) {
		char *from =
			 i > 1 ? xasprintf("%s.%d", cmd->out_name, i - 1) : xstrdup(cmd->out_name),
		     *to = xasprintf("%s.%d", cmd->out_name, i);

		ok = !rename(from, to) || (errno == ENOENT && i > 1);
		if (!ok)
			fprintf(stderr,
				"dtrace: failed to rename '%s' to '%s': %s; output files are not "
				"rotated any more\n",
				from, to, strerror(errno));
		free(from);
		free(to);
	}
	return ok;
}

void rotate_work(struct cmd *cmd)
{
	struct rotation *r = &cmd->rotation;
	struct stat st, named;

	if (!r->size && !r->every_ns)
		return;
	if (fstat(fileno(cmd->out), &st) || stat(cmd->out_name, &named) ||
	    st.st_dev != named.st_dev || st.st_ino != named.st_ino || !st.st_size)
		return;
	if ((!r->size || st.st_size < r->size) &&
	    (!r->every_ns || (int64_t)clock_ns(CLOCK_BOOTTIME) - r->began_ns < r->every_ns))
		return;
	r->began_ns = (int64_t)clock_ns(CLOCK_BOOTTIME);
	dt_end_document(cmd->dt, cmd->out);
	/* the name is free: what another user puts there meanwhile is not written to */
	if (!rename_files(cmd) || !reopen(cmd, st.st_mode & 0777, O_EXCL))
		r->size = r->every_ns = 0;
}
