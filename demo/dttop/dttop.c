/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dttop: the aggregations of a D program, live, on a terminal. It uses libdt as any other program
 * can: its own loop around dt_fd(), rows from dt_aggregations(), texts from dt_on_event().
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "demo/dttop/screen.h"

static const char usage[] =
    "usage: dttop [-w] [-i seconds] [-x option[=value]] [-p pid | -c command]\n"
    "             -n program | -s script [argument ...]\n"
    "Shows the aggregations of a D program as a table that is read anew every second (-i).\n"
    "  dttop -n 'syscall:::entry { @[execname, probefunc] = count(); }'\n";

static volatile sig_atomic_t interrupted;

static void on_signal(int sig)
{
	(void)sig;
	interrupted = 1;
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static _Noreturn void fail(const char *text)
{
	fprintf(stderr, "dttop: %s\n", text);
	exit(1);
}

static _Noreturn void fail_usage(void)
{
	fputs(usage, stderr);
	exit(2);
}

/* Status: the last line that the script printed, or message. */
static void set_status(struct view *v, const char *text)
{
	size_t n = strcspn(text, "\n");

	if (n)
		snprintf(v->status, sizeof(v->status), "%.*s", (int)n, text);
}

static void on_message(void *arg, const struct dt_message *m)
{
	if (m->severity != DT_MSG_DEBUG && m->severity != DT_MSG_PROGRESS && !m->result)
		set_status(arg, m->text);
}

static void on_event(void *arg, const struct dt_event *e)
{
	for (int i = 0; i < e->nactions; i++)
		if (!e->actions[i]->nrows)
			set_status(arg, e->actions[i]->text);
}

/* Arguments --------------------------------------------------------------- */

struct program {
	enum dt_program_kind kind;
	char *text, *name; /* the program; of the file, or of -n */
};

static char *read_file(const char *name)
{
	FILE *f = strcmp(name, "-") ? fopen(name, "re") : stdin;
	char *text = NULL;
	size_t size = 0;

	if (!f || getdelim(&text, &size, '\0', f) < 0) {
		fprintf(stderr, "dttop: failed to read %s: %s\n", name, strerror(errno));
		exit(1);
	}
	if (f != stdin)
		fclose(f);
	return text;
}

static void set_option(struct dt *dt, char *arg)
{
	char *value = strchr(arg, '=');

	if (value)
		*value++ = '\0';
	if (dt_setopt(dt, arg, value) < 0)
		fail(dt_error(dt));
}

/* A command of -c gets /dev/null for what is a terminal: its output would be between the rows, and
 * it would take keys. */
static int run_command(struct dt *dt, const char *command)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), saved[3], rc;

	for (int fd = 0; fd < 3; fd++) {
		saved[fd] = null >= 0 && isatty(fd) ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : -1;
		if (saved[fd] >= 0)
			dup2(null, fd);
	}
	rc = dt_run(dt, command);
	for (int fd = 0; fd < 3; fd++)
		if (saved[fd] >= 0) {
			dup2(saved[fd], fd);
			close(saved[fd]);
		}
	if (null >= 0)
		close(null);
	return rc;
}

static void take_process(struct dt *dt, int option, const char *arg)
{
	if ((option == 'c' ? run_command(dt, arg) : dt_grab(dt, atoi(arg))) < 0)
		fail(dt_error(dt));
}

static struct program read_arguments(struct dt *dt, int argc, char **argv, double *interval)
{
	struct program p = {0};
	int c;

	if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
		fputs(usage, stdout);
		exit(0);
	}
	while ((c = getopt(argc, argv, "+c:i:n:p:s:wx:")) != -1) {
		switch (c) {
		case 'c':
		case 'p':
			take_process(dt, c, optarg);
			break;
		case 'i':
			*interval = atof(optarg);
			break;
		case 'n':
		case 's':
			p.kind = c == 'n' ? DT_PROBE_NAME : DT_SCRIPT;
			p.name = optarg;
			break;
		case 'w':
			dt_setopt(dt, "destructive", NULL);
			break;
		case 'x':
			set_option(dt, optarg);
			break;
		default:
			fail_usage();
		}
	}
	if (!p.name || *interval < 0.1)
		fail_usage();
	p.text = p.kind == DT_SCRIPT ? read_file(p.name) : strdup(p.name);
	argv[optind - 1] = p.name; /* $0, which is followed by $1 ... */
	dt_macro_args(dt, argc - optind + 1, argv + optind - 1);
	return p;
}

/* The loop ---------------------------------------------------------------- */

static int wait_ms(double until)
{
	double left = until - seconds();

	return left > 0 ? (int)(left * 1000) + 1 : 0;
}

/* Reads and draws what is due. False: the aggregations cannot be read. */
static bool refresh_table(struct dt *dt, struct table *t, struct view *v)
{
	if (!v->frozen && table_read(t, dt, seconds()) < 0)
		return false;
	v->drops = dt_drops(dt);
	screen_draw(t, v);
	return true;
}

/* Until q. After the program has ended its results stay on the screen. False: an error. */
static bool run(struct dt *dt, struct table *t, struct view *v, double interval)
{
	struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
			       {.fd = dt_fd(dt), .events = POLLIN}};
	double next = 0;

	while (!interrupted) {
		enum command command = screen_keys(t, v);
		enum dt_work work = v->ended ? DT_WORK_GOING : dt_step(dt, NULL);

		if (command == COMMAND_QUIT)
			return true;
		if (work == DT_WORK_ERROR)
			return false;
		if (work == DT_WORK_DONE) {
			v->ended = true;
			fds[1].fd = -1;
			if (dt_stop(dt, NULL) < 0)
				return false;
			next = 0;
		}
		if (command == COMMAND_READ || seconds() >= next) {
			if (!refresh_table(dt, t, v))
				return false;
			next = seconds() + interval;
		} else if (command) {
			screen_draw(t, v);
		}
		poll(fds, 2, wait_ms(next));
	}
	return true;
}

int main(int argc, char **argv)
{
	struct dt *dt = dt_open();
	struct table table = {.order = ORDER_VALUE};
	struct view view = {0};
	double interval = 1;
	struct program program;
	bool good;

	setlocale(LC_ALL, "");
	dt_on_message(dt, on_message, &view);
	program = read_arguments(dt, argc, argv, &interval);
	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
		fail("standard input and output must be a terminal");
	view.title = program.name;
	dt_on_event(dt, on_event, &view);
	if (dt_program(dt, program.kind, program.text,
		       program.kind == DT_SCRIPT ? program.name : NULL) < 0 ||
	    dt_go(dt, NULL) < 0)
		fail(dt_error(dt));
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	screen_open();
	good = run(dt, &table, &view, interval);
	screen_close();
	if (!good)
		fprintf(stderr, "dttop: %s\n", dt_error(dt));
	table_free(&table);
	free(program.text);
	dt_close(dt);
	return !good;
}
