/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/hook_int.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/sys.h"
#include "libdt/base/machine/machine.h"

/* The kernel's MAX_BPF_FUNC_ARGS: as many arguments a raw tracepoint's context can have. */
enum { RAW_ARGS = 12 };

static int raw_arg(struct ir *ir, int ctx, int n)
{
	int reg;

	if (n < 0 || n >= RAW_ARGS)
		return -1;
	reg = ir_reg(ir);
	ir_ld_const(ir, 8, reg, ctx, n * 8);
	return reg;
}

/* Kernel addresses have the top bit set, so that bit spread over the word is the mask. */
static int perf_arg(struct ir *ir, int ctx, int n)
{
	int reg, mask;

	if (n != 0 && n != 1)
		return -1;
	reg = ir_reg(ir);
	mask = ir_reg(ir);
	ir_ld_const(ir, 8, reg, ctx, machine_here->regs.pc * 8);
	ir_mov(ir, mask, reg);
	ir_alui(ir, BPF_ARSH, mask, 63);
	if (n == 1)
		ir_alui(ir, BPF_XOR, mask, -1);
	ir_alu(ir, BPF_AND, mask, reg);
	return mask;
}

static int attach_cookie(struct ir *ir, int ctx)
{
	return ir_call_const(ir, SYS_FUNC_GET_ATTACH_COOKIE, 1, &ctx);
}

int hook_add_fd(struct hook_links *links, int fd)
{
	if (fd < 0)
		return fd;
	vec_push(&links->fds, fd);
	return 0;
}

static int attach_raw(int prog_fd, const struct target *t, uint64_t cookie,
		      struct hook_links *links)
{
	struct sys_raw_tp attr = {
	    .name = sys_ptr(t->name),
	    .prog_fd = prog_fd,
	    .cookie = cookie,
	};

	return hook_add_fd(links, sys_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr)));
}

/* Which tracepoint or function it is the program knows. */
static int attach_typed(int prog_fd, const struct target *t, uint64_t cookie,
			struct hook_links *links)
{
	struct sys_raw_tp attr = {.prog_fd = prog_fd, .cookie = cookie};

	(void)t;
	return hook_add_fd(links, sys_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr)));
}

/*
 * Ties a program to a perf event, whose fd is the last of links. Only a link carries a cookie, and
 * can be pinned; it holds the event by itself, so that each target has one fd. Otherwise the older
 * ioctl does.
 */
int hook_attach_event(int prog_fd, int event_fd, uint64_t cookie, struct hook_links *links)
{
	struct sys_link link = {
	    .prog_fd = prog_fd,
	    .target_fd = event_fd,
	    .attach_type = SYS_ATTACH_PERF_EVENT,
	    .perf.cookie = cookie,
	};
	bool linked = cookie || links->pinnable;
	int rc;

	if (linked)
		rc = hook_add_fd(links, sys_link_create(&link));
	else
		rc = ioctl(event_fd, PERF_EVENT_IOC_SET_BPF, prog_fd) ? -errno : 0;
	if (!rc && ioctl(event_fd, PERF_EVENT_IOC_ENABLE, 0))
		rc = -errno;
	if (!rc && linked) {
		links->fds.v[links->fds.n - 2] = links->fds.v[links->fds.n - 1];
		links->fds.n--;
		close(event_fd);
	}
	return rc;
}

/* "0-3,5" of /sys/devices/system/cpu/online; CPU 0 when it cannot be read. */
struct cpu_list {
	char text[4096];
	const char *p;
	int next, last;
};

static void cpus_open(struct cpu_list *l)
{
	FILE *f = fopen("/sys/devices/system/cpu/online", "re");

	if (!f || !fgets(l->text, sizeof(l->text), f))
		strcpy(l->text, "0");
	if (f)
		fclose(f);
	l->p = l->text;
	l->next = 0;
	l->last = -1;
}

/* The next CPU, or -1. */
static int cpus_next(struct cpu_list *l)
{
	char *end;

	if (l->next <= l->last)
		return l->next++;
	l->next = strtol(l->p, &end, 10);
	if (end == l->p)
		return -1;
	l->last = l->next;
	if (*end == '-')
		l->last = strtol(end + 1, &end, 10);
	l->p = *end == ',' ? end + 1 : end;
	return l->next++;
}

/*
 * The event of a tracepoint or a kprobe needs a CPU to be opened on, but a program on it runs on
 * all of them: the kernel calls the programs before it looks for events of the current CPU. So
 * one fd is enough.
 */
int hook_open_event(struct perf_event_attr *attr)
{
	struct cpu_list cpus;
	int cpu, fd = -ENODEV;

	cpus_open(&cpus);
	while (fd == -ENODEV && (cpu = cpus_next(&cpus)) >= 0)
		fd = sys_perf_open(attr, -1, cpu);
	return fd;
}

static int attach_tp(int prog_fd, const struct target *t, uint64_t cookie, struct hook_links *links)
{
	/* No sample_period: it would make a sampling event, which some tracepoints refuse
	 * (irq_work_exit). */
	struct perf_event_attr attr = {
	    .type = PERF_TYPE_TRACEPOINT,
	    .size = sizeof(attr),
	    .config = t->event_id,
	    .disabled = 1,
	};
	int fd = hook_open_event(&attr);

	if (fd < 0)
		return fd;
	vec_push(&links->fds, fd);
	links->slow = true;
	return hook_attach_event(prog_fd, fd, cookie, links);
}

bool hook_has_event(const struct perf_event_attr *attr)
{
	struct perf_event_attr one = *attr;
	int fd = sys_perf_open(&one, 0, -1);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || fd == -EACCES || fd == -EPERM;
}

static int attach_on(int prog_fd, const struct target *t, int cpu, uint64_t cookie,
		     struct hook_links *links)
{
	struct perf_event_attr clock = {
	    .type = PERF_TYPE_SOFTWARE,
	    .size = sizeof(clock),
	    .config = PERF_COUNT_SW_CPU_CLOCK,
	    .sample_period = t->period_ns,
	    .disabled = 1,
	};
	int fd = sys_perf_open(t->perf ? t->perf : &clock, -1, cpu);

	if (fd < 0)
		return fd;
	vec_push(&links->fds, fd);
	return hook_attach_event(prog_fd, fd, cookie, links);
}

static int attach_trampoline(int prog_fd, const struct target *t, uint64_t cookie,
			     struct hook_links *links)
{
	links->slow = true;
	return attach_typed(prog_fd, t, cookie, links);
}

static int attach_perf(int prog_fd, const struct target *t, uint64_t cookie,
		       struct hook_links *links)
{
	struct cpu_list cpus;
	int cpu, rc, done = 0;

	if (t->cpu >= 0)
		return attach_on(prog_fd, t, t->cpu, cookie, links);
	cpus_open(&cpus);
	while ((cpu = cpus_next(&cpus)) >= 0) {
		rc = attach_on(prog_fd, t, cpu, cookie, links);
		if (rc == -ENODEV) /* it has gone offline since */
			continue;
		if (rc)
			return rc;
		done++;
	}
	return done ? 0 : -ENODEV;
}

static const struct hook hooks[HOOK_COUNT] = {
    [HOOK_RUN] =
	{
	    .name = "run",
	    .prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
	    .interrupts = true,
	    .cookie_feat = -1,
	    .arg = raw_arg,
	},
    [HOOK_RAWTP] =
	{
	    .name = "rawtp",
	    .prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
	    .cookie_feat = FEAT_RAWTP_COOKIE,
	    .arg = raw_arg,
	    .cookie = attach_cookie,
	    .attach = attach_raw,
	},
    [HOOK_TPBTF] =
	{
	    .name = "tp_btf",
	    .prog_type = BPF_PROG_TYPE_TRACING,
	    .attach_type = BPF_TRACE_RAW_TP,
	    .cookie_feat = FEAT_RAWTP_COOKIE,
	    .arg = raw_arg,
	    .cookie = attach_cookie,
	    .attach = attach_typed,
	},
    [HOOK_TP] =
	{
	    .name = "tp",
	    .prog_type = BPF_PROG_TYPE_TRACEPOINT,
	    .cookie_feat = FEAT_PERF_COOKIE,
	    .cookie = attach_cookie,
	    .attach = attach_tp,
	},
    [HOOK_PERF] =
	{
	    .name = "perf",
	    .prog_type = BPF_PROG_TYPE_PERF_EVENT,
	    .cookie_feat = FEAT_PERF_COOKIE,
	    .arg = perf_arg,
	    .cookie = attach_cookie,
	    .attach = attach_perf,
	},
    [HOOK_KPROBE] =
	{
	    .name = "kprobe",
	    .prog_type = BPF_PROG_TYPE_KPROBE,
	    .cookie_feat = FEAT_PERF_COOKIE,
	    .newest_first = true,
	    .arg = func_regs_arg,
	    .override = func_override,
	    .cookie = attach_cookie,
	    .address = func_hit,
	    .attach = func_attach_kprobe,
	},
    [HOOK_KRETPROBE] =
	{
	    .name = "kretprobe",
	    .prog_type = BPF_PROG_TYPE_KPROBE,
	    .cookie_feat = FEAT_PERF_COOKIE,
	    .ret = func_regs_ret,
	    .cookie = attach_cookie,
	    .address = func_returned,
	    .attach = func_attach_kretprobe,
	},
    [HOOK_KMULTI] =
	{
	    .name = "kprobe.multi",
	    .prog_type = BPF_PROG_TYPE_KPROBE,
	    .attach_type = (enum bpf_attach_type)SYS_ATTACH_KPROBE_MULTI,
	    .cookie_feat = FEAT_KPROBE_MULTI,
	    .newest_first = true,
	    .arg = func_regs_arg,
	    .cookie = attach_cookie,
	    .attach_set = func_attach_multi,
	},
    [HOOK_KRMULTI] =
	{
	    .name = "kretprobe.multi",
	    .prog_type = BPF_PROG_TYPE_KPROBE,
	    .attach_type = (enum bpf_attach_type)SYS_ATTACH_KPROBE_MULTI,
	    .cookie_feat = FEAT_KPROBE_MULTI,
	    .ret = func_regs_ret,
	    .cookie = attach_cookie,
	    .attach_set = func_attach_rmulti,
	},
    [HOOK_FENTRY] =
	{
	    .name = "fentry",
	    .prog_type = BPF_PROG_TYPE_TRACING,
	    .attach_type = BPF_TRACE_FENTRY,
	    .cookie_feat = -1,
	    .newest_first = true,
	    .arg = func_typed_arg,
	    .attach = attach_trampoline,
	},
    [HOOK_FEXIT] =
	{
	    .name = "fexit",
	    .prog_type = BPF_PROG_TYPE_TRACING,
	    .attach_type = BPF_TRACE_FEXIT,
	    .cookie_feat = -1,
	    .newest_first = true,
	    .arg = func_typed_arg,
	    .ret = func_typed_ret,
	    .attach = attach_trampoline,
	},
    [HOOK_FMODRET] =
	{
	    .name = "fmod_ret",
	    .prog_type = BPF_PROG_TYPE_TRACING,
	    .attach_type = BPF_MODIFY_RETURN,
	    .cookie_feat = -1,
	    .arg = func_typed_arg,
	    .attach = attach_trampoline,
	},
    [HOOK_UPROBE] =
	{
	    .name = "uprobe",
	    .prog_type = BPF_PROG_TYPE_KPROBE,
	    .interrupts = true,
	    .cookie_feat = FEAT_PERF_COOKIE,
	    .newest_first = true,
	    .arg = user_arg,
	    .ret = func_regs_ret, /* where the probe is on an instruction that returns */
	    .cookie = attach_cookie,
	    .attach = user_attach,
	},
    [HOOK_URETPROBE] =
	{
	    .name = "uretprobe",
	    .prog_type = BPF_PROG_TYPE_KPROBE,
	    .interrupts = true,
	    .cookie_feat = FEAT_PERF_COOKIE,
	    .newest_first = true,
	    .ret = func_regs_ret,
	    .cookie = attach_cookie,
	    .attach = user_attach_return,
	},
    [HOOK_UMULTI] =
	{
	    .name = "uprobe.multi",
	    .prog_type = BPF_PROG_TYPE_KPROBE,
	    .attach_type = (enum bpf_attach_type)SYS_ATTACH_UPROBE_MULTI,
	    .interrupts = true,
	    .cookie_feat = FEAT_UPROBE_MULTI,
	    .newest_first = true,
	    .arg = user_arg,
	    .ret = func_regs_ret,
	    .cookie = attach_cookie,
	    .attach_set = user_attach_multi,
	},
    [HOOK_URMULTI] =
	{
	    .name = "uretprobe.multi",
	    .prog_type = BPF_PROG_TYPE_KPROBE,
	    .attach_type = (enum bpf_attach_type)SYS_ATTACH_UPROBE_MULTI,
	    .interrupts = true,
	    .cookie_feat = FEAT_UPROBE_MULTI,
	    .newest_first = true,
	    .ret = func_regs_ret,
	    .cookie = attach_cookie,
	    .attach_set = user_attach_rmulti,
	},
};

const struct hook *hook_get(enum hook_kind kind)
{
	return &hooks[kind];
}

bool hook_is_trampoline(enum hook_kind kind)
{
	return kind == HOOK_FENTRY || kind == HOOK_FEXIT || kind == HOOK_FMODRET;
}

bool hook_is_user(enum hook_kind kind)
{
	return kind >= HOOK_UPROBE && kind <= HOOK_URMULTI;
}

bool hook_has_cookie(struct feats *f, enum hook_kind kind)
{
	return hooks[kind].cookie_feat >= 0 && feat(f, hooks[kind].cookie_feat);
}

void hook_close_from(struct hook_links *links, int first)
{
	while (links->fds.n > first)
		close(links->fds.v[--links->fds.n]);
}

enum hook_dispatch hook_dispatch(struct feats *f, enum hook_kind kind)
{
	if (hook_has_cookie(f, kind))
		return DISPATCH_COOKIE;
	return hooks[kind].address ? DISPATCH_ADDRESS : DISPATCH_NONE;
}

/* All or nothing. */
static int attach_some(enum hook_kind kind, int prog_fd, const struct target *const *t,
		       const uint64_t *cookies, int n, struct hook_links *links)
{
	const struct hook *h = &hooks[kind];
	int first = links->fds.n, rc = h->attach || h->attach_set ? 0 : -EOPNOTSUPP;

	if (n && t[0]->mistaken) /* doubtful ones come one by one */
		return -SYS_ENOTSUPP;
	if (h->attach_set)
		rc = h->attach_set(prog_fd, t, cookies, n, links);
	for (int i = 0; h->attach && i < n && !rc; i++)
		rc = h->attach(prog_fd, t[i], cookies ? cookies[i] : 0, links);
	if (rc)
		hook_close_from(links, first);
	return rc;
}

int hook_attach(enum hook_kind kind, int prog_fd, const struct target *t, uint64_t cookie,
		struct hook_links *links)
{
	return attach_some(kind, prog_fd, &t, cookie ? &cookie : NULL, 1, links);
}

/* Does an error say something about the targets? Others would be the same for each of them. */
static bool is_targets(int rc)
{
	return rc != -EPERM && rc != -EACCES && rc != -ENOMEM && rc != -EMFILE && rc != -ENFILE &&
	       rc != -EBADF && rc != -EINTR;
}

/*
 * A set is refused as a whole for one bad target, and quickly, before anything is changed. So
 * halves are tried: each bad one costs as many tries and links as the set can be halved.
 */
static int attach_halves(enum hook_kind kind, struct hook_job *job, int from, int n,
			 struct hook_links *links)
{
	const uint64_t *cookies = job->cookies ? job->cookies + from : NULL;
	int rc = attach_some(kind, job->prog_fd, job->targets + from, cookies, n, links);

	if (rc == -EMFILE && sys_raise_files())
		rc = attach_some(kind, job->prog_fd, job->targets + from, cookies, n, links);
	if (rc && n > 1 && is_targets(rc)) {
		rc = attach_halves(kind, job, from, n / 2, links);
		return rc ? rc : attach_halves(kind, job, from + n / 2, n - n / 2, links);
	}
	for (int i = from; i < from + n; i++)
		job->errors[i] = rc;
	return job->watch && !job->watch(job->arg, from + n) ? -EINTR : 0;
}

/* A part of a job: a set of its targets. */
struct part {
	struct hook_job job;
	const struct target **targets;
	uint64_t *cookies;
	int *which; /* their numbers in the whole */
};

static void part_begin(struct part *p, const struct hook_job *whole)
{
	*p = (struct part){
	    .job = *whole,
	    .targets = xcalloc(whole->n, sizeof(*p->targets)),
	    .cookies = xcalloc(whole->n, sizeof(*p->cookies)),
	    .which = xcalloc(whole->n, sizeof(*p->which)),
	};
	p->job.n = 0;
	p->job.targets = p->targets;
	p->job.cookies = whole->cookies ? p->cookies : NULL;
	p->job.errors = xcalloc(whole->n, sizeof(*p->job.errors));
}

static void part_add(struct part *p, const struct hook_job *whole, int i)
{
	int n = p->job.n++;

	p->which[n] = i;
	p->targets[n] = whole->targets[i];
	p->cookies[n] = whole->cookies ? whole->cookies[i] : 0;
}

static void part_end(struct part *p, struct hook_job *whole)
{
	for (int i = 0; i < p->job.n; i++)
		whole->errors[p->which[i]] = p->job.errors[i];
	free(p->targets);
	free(p->cookies);
	free(p->which);
	free(p->job.errors);
}

/* Those targets of which doubtful is as wanted: all at once, or one by one. */
static int attach_part(enum hook_kind kind, struct hook_job *job, bool doubtful,
		       struct hook_links *links)
{
	struct part part;
	int rc = 0, n;

	part_begin(&part, job);
	for (int i = 0; i < job->n; i++)
		if (job->targets[i]->doubtful == doubtful)
			part_add(&part, job, i);
	n = part.job.n;
	if (n && hooks[kind].attach_set && !doubtful)
		rc = attach_halves(kind, &part.job, 0, n, links);
	else
		for (int i = 0; i < n && !rc; i++)
			rc = attach_halves(kind, &part.job, i, 1, links);
	part_end(&part, job);
	return rc;
}

int hook_attach_here(enum hook_kind kind, struct hook_job *job, struct hook_links *links)
{
	int rc = attach_part(kind, job, false, links);

	return rc ? rc : attach_part(kind, job, true, links);
}

/* Is a target in the file of another user's one; NULL: in none? */
static bool is_in(const struct target *t, const struct target *one)
{
	return one ? t->foreign && !strcmp(t->name, one->name) && t->dev == one->dev &&
			 t->inode == one->inode
		   : !t->foreign;
}

/* The targets in the file of one. */
static int attach_file(enum hook_kind kind, struct hook_job *job, const struct target *one,
		       bool *done, struct hook_links *links)
{
	struct part part;
	int rc = 0;

	part_begin(&part, job);
	for (int i = 0; i < job->n; i++)
		if (!done[i] && is_in(job->targets[i], one)) {
			part_add(&part, job, i);
			done[i] = true;
		}
	if (part.job.n)
		rc = one ? hook_attach_apart(kind, &part.job, links)
			 : hook_attach_here(kind, &part.job, links);
	part_end(&part, job);
	return rc;
}

int hook_attach_many(enum hook_kind kind, struct hook_job *job, struct hook_links *links)
{
	bool *done, apart = false;
	int rc;

	for (int i = 0; i < job->n; i++)
		apart |= job->targets[i]->foreign;
	if (!apart)
		return hook_attach_here(kind, job, links);
	done = xcalloc(job->n, sizeof(*done));
	rc = attach_file(kind, job, NULL, done, links);
	for (int i = 0; i < job->n && !rc; i++)
		if (!done[i])
			rc = attach_file(kind, job, job->targets[i], done, links);
	free(done);
	return rc;
}

/*
 * Closing a raw tracepoint costs nothing. Closing a perf-based tracepoint waits for two grace
 * periods with a lock of the kernel's held, and for others without it: 75 ms each, measured. The
 * latter overlap when threads close: 40 tracepoints took 3.0 s from one thread, 2.1 s from 16,
 * 1.4 s from 40.
 */
enum { MAX_CLOSERS = 64, FEW = 3, CLOSER_STACK = 65536 };

struct closing {
	struct hook_links *links;
	int left; /* may fall below 0 */
	void (*watch)(void *arg, int done);
	void *arg;
};

static bool close_one(struct closing *c)
{
	int i = __atomic_sub_fetch(&c->left, 1, __ATOMIC_RELAXED);

	if (i >= 0)
		close(c->links->fds.v[i]);
	return i >= 0;
}

static void *closer(void *arg)
{
	while (close_one(arg))
		;
	return NULL;
}

static void close_watched(struct closing *c)
{
	while (close_one(c))
		if (c->watch)
			c->watch(c->arg, c->links->fds.n -
					     MAX(__atomic_load_n(&c->left, __ATOMIC_RELAXED), 0));
}

static void close_together(struct closing *c)
{
	pthread_t threads[MAX_CLOSERS];
	int want = MIN(c->left, MAX_CLOSERS) - 1, n = 0;
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, CLOSER_STACK);
	while (n < want && !pthread_create(&threads[n], &attr, closer, c))
		n++;
	pthread_attr_destroy(&attr);
	close_watched(c);
	while (n > 0)
		pthread_join(threads[--n], NULL);
}

void hook_detach_watched(struct hook_links *links, void (*watch)(void *arg, int done), void *arg)
{
	struct closing c = {links, links->fds.n, watch, arg};

	if (links->slow && links->fds.n > FEW)
		close_together(&c);
	else
		close_watched(&c);
	vec_free(&links->fds);
	links->slow = false;
}

void hook_detach(struct hook_links *links)
{
	hook_detach_watched(links, NULL, NULL);
}

/* access(2) checks the real user, which may lack what our capabilities allow, so this searches the
 * directory instead. */
static bool is_tracefs(const char *dir)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "%s/events/.", dir);
	return !stat(path, &st);
}

const char *tracefs_path(void)
{
	static const char own[] = "/sys/kernel/tracing", old[] = "/sys/kernel/debug/tracing";

	if (is_tracefs(own))
		return own;
	if (is_tracefs(old))
		return old;
	if (mount("tracefs", own, "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		return NULL;
	return is_tracefs(own) ? own : NULL;
}
