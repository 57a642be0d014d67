/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes under the names that they have on other systems. Two providers, which share their names
 * with syscall and sdt and are asked like these; what they offer is another probe, seen otherwise
 * (stable.h).
 *
 * -x compat widens system calls that Linux has, and that programs hardly make any more: open then
 * means openat, too, with its arguments in open's places. A glob that matches both (open*) has
 * the call by its old name only. What the script names itself (syscall::openat:entry) is not
 * widened into: its author knows the call.
 *
 * The default, auto, widens call by call: what the script asks for by the older name, while it
 * has none of the newer names, neither in a description nor in its text. A glob that matches both
 * is exact then, as scripts for Linux are. A script that takes arguments in syscall:::entry for
 * the results in syscall::open*:return needs them in open's places: there syscall:::entry means
 * the widened call, in both modes.
 *
 * With off nothing is widened; names that Linux lacks altogether are aliases always, in
 * prov_syscall.c.
 */
#include <string.h>

#include "libdt/provider/prov.h"
#include "libdt/provider/stable.h"
#include "libdt/provider/syscall.h"

#define ENTRY(old, call, ...)                                                              \
	{                                                                                  \
		.name = "entry", .func = old, .base = "syscall::" call ":entry", .args = { \
			__VA_ARGS__                                                        \
		}                                                                          \
	}
/* clang-format off: texts are laid out as D */
#define ENTRY_IF(old, call, which, ...)                                          \
	{                                                                        \
		.name = "entry", .func = old, .base = "syscall::" call ":entry", \
		.predicate = which, .args = {                                    \
			__VA_ARGS__                                              \
		}                                                                \
	}
/* clang-format on */
#define RESULT                    \
	{"int64_t", "arg0"},      \
	{                         \
		"int64_t", "arg1" \
	}
#define RETURN(old, call)                                                                    \
	{                                                                                    \
		.name = "return", .func = old, .base = "syscall::" call ":return", .args = { \
			RESULT                                                               \
		}                                                                            \
	}
/* clang-format off: texts are laid out as D */
#define RETURN_IF(old, call, which)                                                \
	{                                                                          \
		.name = "return", .func = old, .base = "syscall::" call ":return", \
		.predicate = which, .args = {                                      \
			RESULT                                                     \
		}                                                                  \
	}
/* clang-format on */

/* The argument n of the other call, with its type. */
#define AS(n)                    \
	{                        \
		"=" #n, "arg" #n \
	}
/* A word that an argument points to. */
#define BEHIND(n, off)                                                     \
	{                                                                  \
		"uint64_t", "*(uint64_t *)copyin(arg" #n " + " #off ", 8)" \
	}

/* The same arguments at a call's return: from where they were saved. */
#define SAVED(n) "dt_call_arg[" #n "]"
#define UNSET(arg, bits) "!(" arg " & " #bits ")"
#define SET(arg, bits) "(" arg " & " #bits ")"

/* From a call that takes the directory first. */
#define AT(old, call, ...) ENTRY(old, call, __VA_ARGS__), RETURN(old, call)
/* clang-format off: texts are laid out as D */
#define AT_IF(old, call, test, n, bits, ...)                    \
	ENTRY_IF(old, call, test("arg" #n, bits), __VA_ARGS__), \
	    RETURN_IF(old, call, test(SAVED(n), bits))
/* clang-format on */

/* From a call of 32-bit programs only (syscalls32.def), which C libraries make there. */
#define ONLY_32 "syscall:syscall32:"
/* clang-format off: texts are laid out as D */
#define AT_32_IF(old, call, test, n, bits, ...)                                \
	{.name = "entry",                                                      \
	 .func = old,                                                          \
	 .base = ONLY_32 call ":entry",                                        \
	 .predicate = test("arg" #n, bits),                                    \
	 .args = {__VA_ARGS__}},                                               \
	{                                                                      \
		.name = "return", .func = old, .base = ONLY_32 call ":return", \
		.predicate = test(SAVED(n), bits), .args = {                   \
			RESULT                                                 \
		}                                                              \
	}
#define AT_32(old, call, ...)                                                                     \
	{.name = "entry", .func = old, .base = ONLY_32 call ":entry", .args = {__VA_ARGS__}},     \
	{                                                                                         \
		.name = "return", .func = old, .base = ONLY_32 call ":return", .args = { RESULT } \
	}
/* clang-format on */

/* A timespec's, whose words are half as long in a 32-bit program's ppoll. */
/* clang-format off: texts are laid out as D */
#define MILLISECONDS                                                                               \
	{                                                                                          \
		"int", "!arg2 ? -1 : dt_task_compat[curthread] ? *(int *)copyin(arg2, 4) * 1000 +" \
		       " *(int *)copyin(arg2 + 4, 4) / 1000000 : "                                 \
		       "*(int64_t *)copyin(arg2, 8) * 1000 + *(int64_t *)copyin(arg2 + 8, 8) / "   \
		       "1000000"                                                                   \
	}
/* clang-format on */

/* New processes: what makes a thread is no fork. The child, whose parent may have gone on, is
 * asked what it is. */
/* clang-format off: texts are laid out as D */
#define FORK(call, flags, saved)                       \
	ENTRY_IF("fork", call, UNSET(flags, 0x10000)), \
	    RETURN_IF("fork", call,                    \
		      "arg0 ? " UNSET(saved, 0x10000) " : curthread->pid == curthread->tgid")
/* clang-format on */

static const struct stable_probe calls[] = {
    AT("access", "faccessat", AS(1), AS(2)),
    AT("access", "faccessat2", AS(1), AS(2)),
    AT("accept", "accept4", AS(0), AS(1), AS(2)),
    AT("chmod", "fchmodat", AS(1), AS(2)),
    AT("chmod", "fchmodat2", AS(1), AS(2)),
    AT_IF("chown", "fchownat", UNSET, 4, 0x1100, AS(1), AS(2), AS(3)),
    AT_IF("lchown", "fchownat", SET, 4, 0x100, AS(1), AS(2), AS(3)),
    AT("dup2", "dup3", AS(0), AS(1)),
    AT("execve", "execveat", AS(1), AS(2), AS(3)),
    FORK("clone", "arg0", SAVED(0)),
    FORK("clone3", "*(uint64_t *)copyin(arg0, 8)", "*(uint64_t *)copyin(dt_call_arg[0], 8)"),
    AT_IF("fstat", "newfstatat", SET, 3, 0x1000, AS(0), AS(2)),
    AT_IF("fstat", "statx", SET, 2, 0x1000, AS(0), AS(4)),
    AT("getdents", "getdents64", AS(0), AS(1), AS(2)),
    ENTRY_IF("getrlimit", "prlimit64", "!arg0 && !arg2", AS(1), AS(3)),
    RETURN_IF("getrlimit", "prlimit64", "!dt_call_arg[0] && !dt_call_arg[2]"),
    ENTRY_IF("setrlimit", "prlimit64", "!arg0 && arg2", AS(1), AS(2)),
    RETURN_IF("setrlimit", "prlimit64", "!dt_call_arg[0] && dt_call_arg[2]"),
    AT("link", "linkat", AS(1), AS(3)),
    AT_IF("lstat", "newfstatat", SET, 3, 0x100, AS(1), AS(2)),
    AT_IF("lstat", "statx", SET, 2, 0x100, AS(1), AS(4)),
    AT("mkdir", "mkdirat", AS(1), AS(2)),
    AT("mknod", "mknodat", AS(1), AS(2), AS(3)),
    AT("nanosleep", "clock_nanosleep", AS(2), AS(3)),
    AT("open", "openat", AS(1), AS(2), AS(3)),
    AT("open", "openat2", AS(1), BEHIND(2, 0), BEHIND(2, 8)),
    AT("pipe", "pipe2", AS(0)),
    AT("poll", "ppoll", AS(0), AS(1), MILLISECONDS),
    AT("readlink", "readlinkat", AS(1), AS(2), AS(3)),
    AT("rename", "renameat", AS(1), AS(3)),
    AT("rename", "renameat2", AS(1), AS(3)),
    AT_IF("rmdir", "unlinkat", SET, 2, 0x200, AS(1)),
    AT_IF("unlink", "unlinkat", UNSET, 2, 0x200, AS(1)),
    AT("select", "pselect6", AS(0), AS(1), AS(2), AS(3), AS(4)),
    AT_IF("stat", "newfstatat", UNSET, 3, 0x1100, AS(1), AS(2)),
    AT_IF("stat", "statx", UNSET, 2, 0x1100, AS(1), AS(4)),
    AT("symlink", "symlinkat", AS(0), AS(2)),
    AT_32("stat", "stat64", AS(0), AS(1)),
    AT_32("lstat", "lstat64", AS(0), AS(1)),
    AT_32("fstat", "fstat64", AS(0), AS(1)),
    AT_32_IF("stat", "fstatat64", UNSET, 3, 0x1100, AS(1), AS(2)),
    AT_32_IF("lstat", "fstatat64", SET, 3, 0x100, AS(1), AS(2)),
    AT_32_IF("fstat", "fstatat64", SET, 3, 0x1000, AS(0), AS(2)),
    AT_32("chown", "chown32", AS(0), AS(1), AS(2)),
    AT_32("lchown", "lchown32", AS(0), AS(1), AS(2)),
    AT_32("fchown", "fchown32", AS(0), AS(1), AS(2)),
    AT_32("fcntl", "fcntl64", AS(0), AS(1), AS(2)),
    AT_32("getrlimit", "ugetrlimit", AS(0), AS(1)),
    AT_32("lseek", "_llseek", AS(0), {"off_t", "arg1 << 32 | arg2"}, AS(4)),
    AT_32("mmap", "mmap2", AS(0), AS(1), AS(2), AS(3), AS(4), {"unsigned long", "arg5 * 4096"}),
    AT_32("truncate", "truncate64", AS(0), AS(1)),
    AT_32("ftruncate", "ftruncate64", AS(0), AS(1)),
    {0},
};

/* Calls that C libraries do not make any more: to trace them alone is to see nothing. */
static const char *const gone[] = {
    "fork", "getdents", "getrlimit", "lstat", "nanosleep", "open", "select", "setrlimit", "stat",
};

static const struct stable_probe interrupts[] = {
    {.name = "interrupt-start", .base = "sdt:irq::irq_handler_entry", .args = {{"int", "arg0"}}},
    {.name = "interrupt-complete",
     .base = "sdt:irq::irq_handler_exit",
     .args = {{"int", "arg0"}, {"int", "arg1"}}},
    {.name = "callout-start",
     .base = "sdt:timer::timer_expire_entry",
     .args = {{"uint64_t", "arg0"}}},
    {.name = "callout-end", .base = "sdt:timer::timer_expire_exit", .args = {{"uint64_t", "arg0"}}},
    {0},
};

/* A name that no probe has. */
static const char nothing[] = "-";

static bool is_fork(const char *func)
{
	return !strcmp(func, "fork") || !strcmp(func, "fork1") || !strcmp(func, "forkall") ||
	       !strcmp(func, "forksys");
}

static bool is_all(const char *func)
{
	return strspn(func, "*") == strlen(func);
}

/* A description of all calls means each by its own name, but for paired ones. */
static void calls_rewrite(struct pdesc *pd)
{
	if (!pd->compat || (is_all(pd->func) && !pd->compat->paired))
		pd->name = nothing;
	else if (is_fork(pd->func))
		pd->func = "fork";
	else
		syscall_rewrite(pd);
}

bool compat_lists(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *s = list; s && (s = strstr(s, name)); s += len)
		if (s > list && s[-1] == ' ' && s[len] == ' ')
			return true;
	return false;
}

bool compat_takes(const struct pdesc *pd, const struct probe *p)
{
	const struct compat *c = pd->compat;

	if (is_all(pd->func))
		return p->is_entry && compat_lists(c->paired, p->func);
	return (c->all || compat_lists(c->widened, p->func)) &&
	       !compat_lists(c->named, p->base->func);
}

/* Probes of the calls in the list that fit. */
static void offer_listed(struct probes *ps, const struct pdesc *pd, const char *list)
{
	for (const char *s = list; s && s[1]; s += 1 + strcspn(s + 1, " ")) {
		struct pdesc one = *pd;

		one.func = arena_strndup(probes_arena(ps), s + 1, strcspn(s + 1, " "));
		if (glob_fits(pd->func, one.func))
			stable_offer(ps, &provider_compat, &one);
	}
}

static void calls_provide(struct probes *ps, const struct pdesc *pd)
{
	if (pd->id || !pd->compat)
		return;
	if (pd->compat->all && !is_all(pd->func))
		stable_offer(ps, &provider_compat, pd);
	else
		offer_listed(ps, pd, is_all(pd->func) ? pd->compat->paired : pd->compat->widened);
}

static bool only_32(const struct stable_probe *row)
{
	return !strncmp(row->base, ONLY_32, strlen(ONLY_32));
}

/* The call that a row's probe is: "openat" of "syscall::openat:entry". */
static const char *call_of(struct arena *a, const struct stable_probe *row)
{
	return arena_strndup(a, row->base + 9, strcspn(row->base + 9, ":"));
}

/* What the descriptions say of one call of the table, or of what it is widened by. */
struct asked {
	bool entry, ret, newer; /* newer: a glob has the newer call */
	bool all_entries;
};

/* By the names of the table. */
static struct compat_desc spelled(const struct compat_desc *desc)
{
	struct pdesc pd = {.prov = "syscall", .mod = "", .func = desc->func, .name = desc->name};

	if (is_fork(desc->func))
		pd.func = "fork";
	else
		syscall_rewrite(&pd);
	return (struct compat_desc){pd.func, desc->name};
}

static void ask(struct asked *asked, const struct compat_desc *desc, const char *old,
		const char *newer)
{
	bool entry = glob_fits(desc->name, "entry"), ret = glob_fits(desc->name, "return");

	if (is_all(desc->func)) {
		asked->all_entries |= entry;
		return;
	}
	asked->entry |= entry && glob_fits(desc->func, old);
	asked->ret |= ret && glob_fits(desc->func, old);
	asked->newer |= glob_fits(desc->func, newer);
}

static const char *with(struct arena *a, const char *list, const char *name)
{
	return arena_printf(a, "%s%s ", list ? list : " ", name);
}

/* The rows of one call, from first on: its name's rows need not be together. */
static void choose(struct arena *a, struct compat *c, const struct stable_probe *first,
		   const struct compat_desc *descs, int n, const char *text)
{
	struct asked asked = {0};
	bool wider = false, known = false, paired;

	for (const struct stable_probe *row = first; row->name; row++) {
		const char *newer;

		if (strcmp(row->func, first->func) || only_32(row))
			continue;
		newer = call_of(a, row);
		wider = true;
		known |= text_has_word(text, newer);
		for (int i = 0; i < n; i++)
			ask(&asked, &descs[i], first->func, newer);
	}
	paired = asked.all_entries && asked.ret && !asked.entry;
	if (!wider || known || !(asked.entry || asked.ret))
		return;
	if (paired)
		c->paired = with(a, c->paired, first->func);
	if (paired || !asked.newer)
		c->widened = with(a, c->widened, first->func);
}

void compat_choose(struct arena *a, struct compat *c, const struct compat_desc *descs, int n,
		   const char *text, bool all)
{
	struct compat_desc *own = arena_alloc(a, (n + 1) * sizeof(*own));
	const char *seen = NULL;

	*c = (struct compat){.all = all};
	for (int i = 0; i < n; i++) {
		if (glob_is_literal(descs[i].func) && !compat_lists(c->named, descs[i].func))
			c->named = with(a, c->named, descs[i].func);
		own[i] = spelled(&descs[i]);
	}
	for (const struct stable_probe *row = calls; n && row->name; row++) {
		if (compat_lists(seen, row->func))
			continue;
		seen = with(a, seen, row->func);
		choose(a, c, row, own, n, text);
	}
}

static void names_rewrite(struct pdesc *pd)
{
	if (glob_is_literal(pd->prov) && glob_is_literal(pd->name))
		stable_rewrite(pd);
	else
		pd->name = nothing;
}

static void names_provide(struct probes *ps, const struct pdesc *pd)
{
	if (!pd->id)
		stable_offer(ps, &provider_names, pd);
}

const char *compat_calls(struct arena *a, const char *call)
{
	for (size_t i = 0; i < ARRAY_SIZE(gone); i++)
		if (!strcmp(gone[i], call))
			return compat_others(a, call);
	return NULL;
}

const char *compat_path(const char *call)
{
	size_t len = strlen(call);

	for (const struct stable_probe *row = calls; row->name; row++)
		if (row->args[0].expr && !strcmp(row->args[0].expr, "arg1") &&
		    !strncmp(row->base + 9, call, len) && row->base[9 + len] == ':')
			return row->args[0].expr;
	return NULL;
}

const char *compat_others(struct arena *a, const char *call)
{
	struct strbuf sb = {0};
	const char *text;

	for (const struct stable_probe *row = calls; row->name; row++)
		if (!strcmp(row->func, call) && !strcmp(row->name, "entry") && !only_32(row))
			sb_printf(&sb, "%s%s", sb.len ? " " : "", call_of(a, row));
	text = sb.len ? arena_strdup(a, sb_str(&sb)) : NULL;
	sb_free(&sb);
	return text;
}

/* Arguments of a widened call have the names of the older call's, which is at the same places. */
static void compat_args(struct probes *ps, struct probe *p)
{
	const struct stable_probe *row = p->data;
	struct probe_arg older[SYSCALL_ARGS], *args;
	int n;

	stable_args(ps, p);
	n = strcmp(row->name, "entry") ? 0 : syscall_entry_args(ps, row->func, older);
	args = arena_alloc(probes_arena(ps), (p->nargs + 1) * sizeof(*args));
	for (int i = 0; i < p->nargs; i++) {
		args[i] = p->args[i];
		args[i].name = i < n ? older[i].name : NULL;
	}
	p->args = args;
}

const struct provider provider_compat = {
    .name = "syscall",
    SYSCALL_ATTRS,
    .table = calls,
    .rewrite = calls_rewrite,
    .provide = calls_provide,
    .args = compat_args,
};

const struct provider provider_names = {
    .name = "sdt",
    SDT_ATTRS,
    .table = interrupts,
    .rewrite = names_rewrite,
    .provide = names_provide,
    .args = stable_args,
};
