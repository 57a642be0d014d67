/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Destructive actions, which need -w, and ftruncate(). system(), freopen() and ftruncate() are
 * recorded, and dtrace does them when it comes to the record; raise(), stop(), chill() and
 * return() happen at the probe.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdt/base/fd.h"
#include "libdt/builtin/builtin.h"
#include "libdt/consumer/consume.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"

/* In the consumer --------------------------------------------------------- */

/* The text that the action's format makes; the caller frees it. NULL when there is no memory for
 * it. */
static char *format(struct consume *c, const struct act *act, const uint8_t *data)
{
	struct fmt_ctx ctx = c->fmt;
	char *text = NULL;
	size_t size;
	int err;

	ctx.out = open_memstream(&text, &size);
	ctx.escape = ESCAPE_NONE;
	if (!ctx.out)
		return NULL;
	err = act_format_print(&ctx, act, data);
	if (fclose(ctx.out) || err) {
		free(text);
		return NULL;
	}
	return text;
}

/*
 * out: its standard output, -1 for ours. The words of its execve() are on the stack: what is in a
 * file, as constants are, a child has to fault in first, and a probe at the call cannot read it.
 */
static _Noreturn void be_shell(const char *command, int out)
{
	char path[] = "/bin/sh", name[] = "sh", option[] = "-c";
	sigset_t none;

	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	signal(SIGPIPE, SIG_DFL); /* dtrace ignores these */
	signal(SIGXFSZ, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execl(path, name, option, command, (char *)NULL);
	_exit(127);
}

static void run(struct consume *c, const char *command, int out)
{
	pid_t pid = fork();

	if (!pid)
		be_shell(command, out);
	if (pid < 0)
		consume_warn(c, "failed to run '%s': %s", command, strerror(errno));
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* What the command prints becomes part of a line that programs read. */
static void run_aside(struct consume *c, const char *command)
{
	int fd = memfd_create("dtrace", MFD_CLOEXEC);
	char buf[4096];
	ssize_t n;

	run(c, command, fd);
	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		fwrite(buf, 1, n, c->out);
	close(fd);
}

/* system(format, ...): as system(3), after earlier output was flushed. Its status is ignored. */
static int print_system(struct consume *c, const struct act *act, const uint8_t *data)
{
	char *command = format(c, act, data);

	if (!command)
		return -ENOMEM;
	consume_flush(c);
	if (consume_keeps_aside(c))
		run_aside(c, command);
	else
		run(c, command, c->oformat == OFORMAT_TEXT ? -1 : fileno(c->out));
	free(command);
	return 0;
}

/* What is written to out from here on goes to the file's end. */
static int redirect(struct consume *c, const char *name)
{
	int out = fileno(c->sink), fd, err = 0;

	if (c->first_out >= 0 && out == STDOUT_FILENO && !strcmp(name, "/dev/stdout")) {
		consume_restore(c);
		return 0;
	}
	fd = fd_append(name);
	if (fd < 0)
		return -errno;
	if (c->first_out < 0)
		c->first_out = fcntl(out, F_DUPFD_CLOEXEC, 3);
	else
		consume_write_pause(c);
	if (c->first_out < 0 || dup2(fd, out) < 0)
		err = -errno;
	close(fd);
	consume_file_changed(c);
	return err;
}

static void check_freopen(struct sema *s, struct node *n)
{
	act_format_check(s, n);
	if (!strcmp(n->list->str, "."))
		sema_die(s, D_FREOPEN_INVALID, n->list, "freopen( ) argument #1 cannot be \".\"");
}

/* freopen(format, ...); "" is where it went at first. */
static int print_freopen(struct consume *c, const struct act *act, const uint8_t *data)
{
	char *name = format(c, act, data);
	int err = 0;

	if (!name)
		return -ENOMEM;
	consume_flush(c);
	if (*name)
		err = redirect(c, name);
	else
		consume_restore(c);
	if (err)
		consume_warn(c, "couldn't freopen() \"%s\": %s", name, strerror(-err));
	c->ended_line = true;
	free(name);
	return 0;
}

static void check_ftruncate(struct sema *s, struct node *n)
{
	act_new(s, n, n->ref);
}

static int gen_ftruncate(struct gen *g, struct node *n)
{
	gen_act_done(g, gen_act(g, n));
	return -1;
}

/* Terminals and pipes have nothing to cut. */
static int print_ftruncate(struct consume *c, const struct act *act, const uint8_t *data)
{
	int out = fileno(c->sink);

	(void)act;
	(void)data;
	consume_flush(c);
	c->ended_line = true;
	if (ftruncate(out, 0) && errno != EINVAL && errno != EBADF)
		consume_warn(c, "failed to ftruncate(): %s", strerror(errno));
	consume_file_emptied(c);
	lseek(out, 0, SEEK_SET);
	return 0;
}

/* At the probe ------------------------------------------------------------ */

/* The kernel refuses signals to its own threads, and bad ones. */
static int send_signal(struct gen *g, int sig)
{
	gen_fault_if(g, BPF_JNE, ir_callv(g->ir, BPF_FUNC_send_signal, sig), 0, FAULT_ILLOP, sig,
		     0);
	return -1;
}

static int gen_raise(struct gen *g, struct node *n)
{
	return send_signal(g, gen_expr(g, n->list));
}

static int gen_stop(struct gen *g, struct node *n)
{
	(void)n;
	return send_signal(g, gen_imm(g, SIGSTOP));
}

enum { CHILL_INTERVAL = 1000000000, CHILL_MAX = 500000000 };

/* Adds ns to what this CPU has been kept waiting in this second; too much faults. */
static void chill_account(struct gen *g, int part, int now, int ns)
{
	int since = ir_reg(g->ir), sum = ir_reg(g->ir), same = ir_label(g->ir);

	ir_ld(g->ir, 8, since, part, offsetof(struct ctl_cpu, chill_since));
	ir_ld(g->ir, 8, sum, part, offsetof(struct ctl_cpu, chilled));
	ir_alui(g->ir, BPF_ADD, since, CHILL_INTERVAL);
	ir_jcc(g->ir, BPF_JLT, now, since, same);
	ir_st(g->ir, 8, part, offsetof(struct ctl_cpu, chill_since), now);
	ir_movi(g->ir, sum, 0);
	ir_place(g->ir, same);
	ir_alu(g->ir, BPF_ADD, sum, ns);
	gen_fault_if(g, BPF_JGT, sum, CHILL_MAX, FAULT_ILLOP, ns, 0);
	ir_st(g->ir, 8, part, offsetof(struct ctl_cpu, chilled), sum);
}

static int gen_chill(struct gen *g, struct node *n)
{
	int ns = gen_expr(g, n->list), out = ir_label(g->ir), now, until, part, waited;

	gen_fault_if(g, BPF_JGT, ns, CHILL_MAX, FAULT_ILLOP, ns, 0);
	part = gen_cpu_part(g->ir, g->cg, gen_cpu(g), out);
	now = gen_copy(g, ir_call(g->ir, BPF_FUNC_ktime_get_ns, 0, NULL));
	chill_account(g, part, now, ns);
	until = gen_copy(g, now);
	ir_alu(g->ir, BPF_ADD, until, ns);
	waited = gen_routine(g, "rt_chill", 1, &until);
	gen_fault_if(g, BPF_JEQ, waited, 0, FAULT_ILLOP, ns, 0);
	gen_clock_moves(g); /* the one action that takes time */
	ir_place(g->ir, out);
	return -1;
}

/* The kernel knows no greater number of an error. */
enum { MAX_ERRNO = 4095 };

/* A caller that gets what the function never returns may take it for a pointer, or worse. */
static bool may_return(const struct type *t, int64_t v)
{
	return t->flags & TF_BOOL ? v == 0 || v == 1 : v >= -MAX_ERRNO && v <= 0;
}

static void check_returning(struct sema *s, struct node *n)
{
	struct clause *c = s->clause;
	bool constant = sema_is_const(n->list);
	const struct type *first = NULL;

	for (int i = 0; i < c->probes.n; i++) {
		struct probe *p = c->probes.v[i];
		const char *why = "only entry probes of kernel functions (fbt, rawfbt) can make a "
				  "function return";
		const struct type *t = NULL;

		if (p->provider->can_return)
			t = p->provider->can_return(s->probes, p, constant && !n->list->value,
						    &why);
		if (!t)
			sema_die(s, D_ACT_RETURN, n,
				 "return( ) may not be called in %s:%s:%s:%s: %s", p->prov, p->mod,
				 p->func, p->name, why);
		if (constant && !may_return(t, n->list->value))
			sema_die(s, D_ACT_RETURN, n,
				 "return( ) may not have %s return %lld, only %s", p->func,
				 (long long)n->list->value,
				 t->flags & TF_BOOL ? "1 (true)"
						    : "a negative error number: -1 to -4095");
		if (first && (first->flags ^ t->flags) & TF_BOOL)
			sema_die(s, D_ACT_RETURN, n,
				 "return( ) may not be called: some of the clause's functions "
				 "return bool, others a number");
		first = t;
	}
	n->aux = first && first->flags & TF_BOOL;
}

/* What is wrong with an expression is reported before what is wrong with the probe. */
static void check_return(struct sema *s, struct node *n)
{
	struct clause *c = s->clause;
	bool constant = sema_is_const(n->list);

	sema_check_late(s, check_returning, n);
	c->returns = true;
	c->returns_any |= !constant || !n->list->value;
}

/* The value, once it is one that the function's callers know. */
static int gen_return(struct gen *g, struct node *n)
{
	int value = gen_copy(g, gen_expr(g, n->list));

	if (n->aux) {
		gen_fault_if(g, BPF_JGT, value, 1, FAULT_ILLOP, value, 0);
	} else {
		gen_fault_if(g, BPF_JSGT, value, 0, FAULT_ILLOP, value, 0);
		gen_fault_if(g, BPF_JSLT, value, -MAX_ERRNO, FAULT_ILLOP, value, 0);
	}
	if (g->hook->override) {
		g->hook->override(g->ir, g->ctx, value);
		return -1;
	}
	/* it would have the function run */
	gen_fault_if(g, BPF_JEQ, value, 0, FAULT_ILLOP, value, 0);
	ir_mov(g->ir, g->result, value);
	return -1;
}

const struct def defs_act_proc[] = {
    {"system", DEF_ACT, "void(string, ...)", DEF_DESTRUCTIVE | DEF_CARRIED,
     .check = act_format_check, .gen = act_format_gen, .print = print_system,
     .help = "runs a shell command, formatted as by printf"},
    {"freopen", DEF_ACT, "void(string, ...)", DEF_DESTRUCTIVE, .check = check_freopen,
     .gen = act_format_gen, .print = print_freopen,
     .help = "appends output to a file, named as by printf; \"\" is the original destination"},
    {"ftruncate", DEF_ACT, "void()", .check = check_ftruncate, .gen = gen_ftruncate,
     .print = print_ftruncate, .help = "empties the file that output goes to"},
    {"raise", DEF_ACT, "void(int)", DEF_DESTRUCTIVE, .gen = gen_raise,
     .help = "sends a signal to the process"},
    {"stop", DEF_ACT, "void()", DEF_DESTRUCTIVE, .gen = gen_stop,
     .help = "stops the process, as SIGSTOP does"},
    {"chill", DEF_ACT, "void(int64_t)", DEF_DESTRUCTIVE, .gen = gen_chill,
     .help = "delays the CPU by ns, at most 500 ms in a second"},
    {"return", DEF_ACT, "void(int)", DEF_DESTRUCTIVE, .check = check_return, .gen = gen_return,
     .help = "the traced kernel function returns this value without running"},
    {0},
};
