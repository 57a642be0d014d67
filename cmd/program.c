/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/usage.h"

#define SCRIPT_MAX (64u << 20)

/* The text of a file, owned. what: "compile script", for the message about one that is no text. */
static char *read_text(const char *path, const char *what)
{
	bool standard = !strcmp(path, "-");
	FILE *f = standard ? stdin : fopen(path, "re");
	struct strbuf sb = {0};
	char buf[16384];
	size_t n;

	if (!f)
		cmd_fail("failed to open %s: %s", path, strerror(errno));
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0) {
		sb_add(&sb, buf, n);
		if (sb.len > SCRIPT_MAX)
			cmd_fail("failed to read %s: %s", path, strerror(EFBIG));
	}
	if (ferror(f))
		cmd_fail("failed to read %s: %s", path, strerror(errno));
	if (sb.len && memchr(sb.s, '\0', sb.len))
		cmd_fail("failed to %s %s: it is not text", what, path);
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
		cmd_fail_usage(
		    "-x test needs a script with a table in a comment, or a file with one: "
		    "-x test=FILE");
	for (int i = 0; i < cmd->jobs.n && !table; i++)
		if (cmd->jobs.v[i].arg == name)
			table = xstrdup(cmd->jobs.v[i].text);
	rc = dt_test(cmd->dt, table, name);
	free(table);
	if (rc < 0)
		cmd_fail_dt(cmd);
}

void program_compile(struct cmd *cmd)
{
	dt_macro_args(cmd->dt, cmd->args.n, cmd->args.v);
	/* Listings are of what names mean by themselves. */
	if (cmd->mode == 'l' && !strcmp(dt_getopt(cmd->dt, "compat"), "auto"))
		cmd_set_option(cmd, "compat", "off");
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
			cmd_fail_hint(cmd, job->kind == DT_SCRIPT ? NULL : usage_file(job->arg));
	}
	if ((!cmd->mode || cmd->mode == 'A') && dt_check(cmd->dt) < 0)
		cmd_fail_dt(cmd);
	cmd_print_warnings(cmd);
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

void program_report_matches(struct cmd *cmd)
{
	if (cmd_option_on(cmd, "quiet"))
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
	if (cmd_option_on(cmd, "destructive"))
		fputs("dtrace: allowing destructive actions\n", stderr);
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

void program_list_words(struct cmd *cmd)
{
	for (int i = 1; i < cmd->args.n; i++) {
		const char *word = cmd->args.v[i];
		struct job job = {.kind = DT_PROBE_NAME, .arg = word, .word = true};

		if (!strpbrk(word, "*:")) {
			if (i == 1 && (cmd->verbose || cmd_option_on(cmd, "verbose")))
				return;
			cmd_fail(
			    "extraneous argument '%s': write '*%s*' for probes with this text in "
			    "a name, -f %s for those of a function",
			    word, word, word);
		}
		if (!strchr(word, ':'))
			job.text = xasprintf("%s:::, :%s::, ::%s:, :::%s", word, word, word, word);
		vec_push(&cmd->jobs, job);
	}
}

int program_list(struct cmd *cmd)
{
	int status = 0;

	/* Words that are no descriptions are types. */
	if (!cmd->jobs.n && cmd->args.n > 1) {
		for (int i = 1; i < cmd->args.n; i++)
			if (dt_list_type(cmd->dt, cmd->args.v[i], cmd->out) < 0)
				cmd_fail_dt(cmd);
		cmd_flush(cmd);
		return 0;
	}
	if (dt_list(cmd->dt, cmd->out, cmd->verbose) < 0)
		cmd_fail_dt(cmd);
	cmd_flush(cmd);
	/* a word need not be a provider, and why there is none says nothing */
	if (!cmd->jobs.n || !cmd->jobs.v[0].word || strchr(cmd->jobs.v[0].arg, ':'))
		cmd_print_warnings(cmd);
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

/* The file that -G or -h writes: that of -o, or the first script's name with another suffix, in the
 * current directory; -G without a name that ends in .d writes d.out. */
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
	if (!script && cmd->mode == 'h')
		cmd_fail("-h requires a script with -s");
	if (cmd->out_name)
		return xstrdup(cmd->out_name);
	if (!script)
		return xstrdup("d.out");
	base = strrchr(script, '/') ? strrchr(script, '/') + 1 : script;
	len = strlen(base);
	if (len > 2 && !strcmp(base + len - 2, ".d"))
		len -= 2;
	else if (cmd->mode == 'G')
		return xstrdup("d.out");
	return xasprintf("%.*s.%s", len, base, cmd->mode == 'h' ? "h" : "o");
}

/* The name "-" is the standard output. */
static void write_header(struct cmd *cmd, const char *name)
{
	bool standard = !strcmp(name, "-");
	struct stat st;
	FILE *f = standard ? stdout : fopen(name, "we");

	if (!f)
		cmd_fail("failed to open header file '%s': %s", name, strerror(errno));
	if (dt_header(cmd->dt, f) < 0 || fflush(f) || ferror(f)) {
		if (!standard && !stat(name, &st) && S_ISREG(st.st_mode))
			remove(name);
		cmd_fail("failed to create header file '%s': %s", name,
			 *dt_error(cmd->dt) ? dt_error(cmd->dt) : strerror(errno));
	}
	if (!standard)
		fclose(f);
}

int program_build(struct cmd *cmd)
{
	char *name = built_name(cmd);

	cmd_set_option(cmd, "zdefs", NULL);
	program_compile(cmd);
	if (cmd->mode == 'G') {
		if (dt_link(cmd->dt, cmd->args.v + 1, cmd->args.n - 1, name) < 0)
			cmd_fail("failed to link script %s: %s", cmd->args.v[0], dt_error(cmd->dt));
	} else {
		write_header(cmd, name);
	}
	free(name);
	return 0;
}
