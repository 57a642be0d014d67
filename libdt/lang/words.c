/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words of other tracers. Users bring the words of bpftrace, perf and SystemTap with them; a
 * guess by spelling would suggest another word ("comm" is near to "commit"), so these tables are
 * consulted first.
 */
#include "libdt/lang/words.h"

#include <ctype.h>
#include <string.h>

struct word {
	const char *theirs, *ours;
};

static const struct word variables[] = {
    {"comm", "execname"},
    {"nsecs", "timestamp"},
    {"elapsed", "timestamp - start, with start = timestamp in a BEGIN clause"},
    {"kstack", "stack()"},
    {"stack", "stack()"},
    {"ustack", "ustack()"},
    {"jstack", "jstack()"},
    {"func", "probefunc"},
    {"probe", "probename"},
    {"curtask", "curthread"},
    {"cpid", "$target"},
    {"rand", "rand()"},
    {"ctx", "regs[], arg0 or args[0]"},
    {"usermode", "arg1 != 0, in a profile probe"},
    {"tgid", "pid"},
    {"jailname", "zonename"},
    {"username", "uid"},
    {"numaid", "curcpu->cpu_lgrp"},
    {"jiffies", "`jiffies"},
    {"jid", "zonename"},
    {"zoneid", "zonename"},
    {"curproc", "curpsinfo"},
    {"threadname", "execname"},
    {"time", "timestamp, or walltimestamp for the time of day"},
    {"walltime", "walltimestamp"},
    {"wallclock", "walltimestamp"},
    {"name", "execname, or probename"},
    {"process", "execname, or pid"},
    {"progname", "execname"},
    {"user", "uid"},
    {"cmd", "execname, or curpsinfo->pr_psargs with arguments"},
    {"cmdline", "curpsinfo->pr_psargs"},
    {"command", "execname, or curpsinfo->pr_psargs with arguments"},
    {"filename", "copyinstr(arg0), or of another argument; fds[fd].fi_pathname for a descriptor"},
    {"exit", "exit(0)"},
    {"count", "@ = count()"},
};

/* Members of FreeBSD's struct thread, which curthread is there. */
static const struct word members[] = {
    {"td_name", "execname"},
    {"td_proc", "curpsinfo, or curthread->group_leader"},
    {"td_tid", "tid"},
    {"td_ucred", "uid and gid, or curthread->cred"},
};

/* Of functions whose name alone differs, the arguments follow. */
static const struct word functions[] = {
    {"hist", "quantize"},
    {"lhist", "lquantize"},
    {"kstack", "stack"},
    {"str", "copyinstr"},
    {"kstr", "stringof"},
    {"user_string", "copyinstr"},
    {"kernel_string", "stringof"},
    {"ksym", "sym"},
    {"signal", "raise"},
    {"override", "return"},
    {"zero", "clear"},
    {"ntop", "inet_ntop"},
    {"buf", "tracemem"},
    {"bswap", "htonl"},
    {"println", "trace"},
    {"log", "trace"},
    {"errorf", "printf"},
    {"warnf", "printf"},
    {"path", "d_path"},
    {"atoi", "strtoll"},
    {"strcat", "strjoin"},
    {"strncpy", "substr"},
    {"memcpy", "bcopy"},
    {"malloc", "alloca"},
    {"to_string", "lltostr"},
    {"itoa", "lltostr"},
};

/* Of others, the whole call. */
static const struct word calls[] = {
    {"time", "printf(\"%Y\\n\", walltimestamp)"},
    {"strftime", "printf(\"%Y\", walltimestamp)"},
    {"stats", "count(), avg(x) and sum(x), in an aggregation each"},
    {"reg", "uregs[R_PC], or regs[]"},
    {"kaddr", "&`name"},
    {"nsecs", "timestamp"},
    {"execname", "execname"},
    {"pid", "pid"},
    {"tid", "tid"},
    {"uid", "uid"},
    {"cpu", "cpu"},
    {"gettimeofday_ns", "walltimestamp"},
    {"backtrace", "stack()"},
    {"print_backtrace", "stack()"},
    {"print_ubacktrace", "ustack()"},
    {"join", "printf(\"%s %s\", ...), or curpsinfo->pr_psargs"},
    {"strcmp", "a == b"},
    {"uptr", "copyin(address, size)"},
    {"kptr", "address, as it is"},
    {"cat", "system(\"cat FILE\"), with -w"},
    {"unroll", "each statement by itself"},
    {"has_key", "@x[key]; a key is there when it has been aggregated"},
    {"skboutput", "pcap(skb, PCAP_ETHER)"},
    {"delete", "x[key] = 0; trunc(@x) for all keys of an aggregation"},
    {"percpu_kaddr", "&`name, on the CPU of the probe"},
    {"macaddr", "link_ntop(ARPHRD_ETHER, address)"},
    {"len", "strlen(text); an aggregation has no length"},
    {"tseries", "@x[timestamp / 1000000000] = count()"},
    {"getpid", "pid"},
    {"getppid", "ppid"},
    {"gettid", "tid"},
    {"getuid", "uid"},
    {"sprintf", "printf(), or strjoin(a, lltostr(n)) for a value"},
    {"sleep", "tick-1s, a probe"},
    {"usleep", "tick-1ms, a probe"},
    {"printm", "tracemem(copyin(address, size), size)"},
};

static const char *find(const struct word *words, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(words[i].theirs, name))
			return words[i].ours;
	return NULL;
}

const char *words_variable(const char *name)
{
	return find(variables, ARRAY_SIZE(variables), name);
}

const char *words_member(const char *name)
{
	return find(members, ARRAY_SIZE(members), name);
}

/* The program's own text of a node. */
static const char *text_of(struct arena *a, struct loc loc)
{
	return loc.src ? arena_strndup(a, loc.src->text + loc.off, loc.len) : "";
}

/* The text in which "args.name" is "args->name"; NULL stays NULL. */
static const char *with_arrows(struct arena *a, const char *text)
{
	const char *dot = text ? strstr(text, "args.") : NULL;

	if (!dot)
		return text;
	dot += strlen("args");
	return arena_printf(a, "%.*s->%s", (int)(dot - text), text, with_arrows(a, dot + 1));
}

/* Calls that need more than another name; NULL: others. */
static const char *rebuilt(struct arena *a, const struct node *call, const char *args)
{
	int n = node_count(call->list);

	if (!strcmp(call->name, "ntop") && n == 1)
		return arena_printf(a, "inet_ntop(AF_INET, %s", args + 1);
	if (!strcmp(call->name, "buf") && n == 2)
		return arena_printf(a, "tracemem(copyin%s, %s)", args,
				    text_of(a, call->list->next->loc));
	if (!strcmp(call->name, "delete") && n == 1 && call->list->kind != N_AGG)
		return arena_printf(a, "%s = 0", text_of(a, call->list->loc));
	return NULL;
}

const char *words_function(struct arena *a, const struct node *call)
{
	const char *ours = find(functions, ARRAY_SIZE(functions), call->name),
		   *args = with_arrows(a, strchr(text_of(a, call->loc), '(')),
		   *whole = args ? rebuilt(a, call, args) : NULL;

	if (whole)
		return whole;
	return ours ? arena_printf(a, "%s%s", ours, args ? args : "()")
		    : find(calls, ARRAY_SIZE(calls), call->name);
}

const char *words_call(struct arena *a, const struct node *call)
{
	const struct node *first = call->list;

	if (!strcmp(call->name, "exit") && !first)
		return "exit(0)";
	if (!strcmp(call->name, "print") && first && first->kind == N_AGG)
		return arena_printf(a, "trunc(%s, N); printa(%s)", text_of(a, first->loc),
				    text_of(a, first->loc));
	return NULL;
}

/* Does the text before a place end with the word? */
static bool follows(const char *text, const char *end, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(end - text) >= len && !memcmp(end - len, word, len);
}

const char *words_unquoted(struct arena *a, const struct node *ident)
{
	static const char *const strings[] = {"execname",  "probefunc", "probemod",
					      "probename", "probeprov", "zonename"};
	const char *text = ident->loc.src ? ident->loc.src->text : NULL, *end;
	bool wanted;

	if (!text)
		return NULL;
	for (end = text + ident->loc.off; end > text && isspace((unsigned char)end[-1]);)
		end--;
	wanted = follows(text, end, "printf(");
	if (follows(text, end, "==") || follows(text, end, "!=")) {
		for (end -= 2; end > text && isspace((unsigned char)end[-1]);)
			end--;
		for (size_t i = 0; i < ARRAY_SIZE(strings); i++)
			wanted |= follows(text, end, strings[i]);
	}
	return wanted ? arena_printf(a, "\"%s\"", ident->name) : NULL;
}

const char *words_value(struct arena *a, const struct node *agg)
{
	const char *text = text_of(a, agg->loc) + 1;

	return arena_printf(a, "%s%s", isalpha((unsigned char)*text) || *text == '_' ? "" : "x",
			    text);
}

/* The name of an aggregating function, without its arguments. */
static bool is_counter(const struct node *n)
{
	static const char *const names[] = {"count", "sum", "avg", "min", "max", "quantize"};

	for (size_t i = 0; n->kind == N_IDENT && i < ARRAY_SIZE(names); i++)
		if (!strcmp(n->name, names[i]))
			return true;
	return false;
}

/* Of "@x = @x + 1" the 1; NULL: another assignment. */
static struct node *added(struct arena *a, const struct node *n)
{
	const struct node *b = n->b;

	return n->kind == N_ASSIGN && n->op == OP_NONE && b->kind == N_BINARY && b->op == OP_ADD &&
		       b->a->kind == N_AGG && !strcmp(text_of(a, n->a->loc), text_of(a, b->a->loc))
		   ? b->b
		   : NULL;
}

const char *words_count(struct arena *a, const struct node *n, struct node **value)
{
	const char *agg = text_of(a, n->a->loc);
	struct node *more = added(a, n);

	*value = NULL;
	if (more && !strcmp(text_of(a, more->loc), "1"))
		return arena_printf(a, "%s = count()", agg);
	if (n->kind == N_ASSIGN && n->op == OP_NONE && is_counter(n->b))
		return arena_printf(a, "%s = %s(%s)", agg, n->b->name,
				    strcmp(n->b->name, "count") ? "..." : "");
	if (n->kind == N_ASSIGN && n->op != OP_NONE && n->op != OP_ADD)
		return NULL;
	if (n->kind == N_ASSIGN) {
		*value = more ? more : n->b;
		return more || n->op == OP_ADD
			   ? arena_printf(a, "%s = sum(%s)", agg, text_of(a, (*value)->loc))
			   : arena_printf(a, "%s = %s", words_value(a, n->a),
					  text_of(a, n->b->loc));
	}
	if (n->op == OP_PREDEC || n->op == OP_POSTDEC)
		return arena_printf(a, "%s = sum(-1)", agg);
	return arena_printf(a, "%s = count()", agg);
}

const char *words_plain_assign(struct arena *a, const struct node *n)
{
	return arena_printf(a, "%s = %s", text_of(a, n->a->loc), text_of(a, n->b->loc));
}

/* Probes ------------------------------------------------------------------ */

/* %s is the text after the first colon, the last field. */
static const struct word providers[] = {
    {"kprobe", "fbt::%s:entry"},     {"kretprobe", "fbt::%s:return"},
    {"kfunc", "fbt::%s:entry"},	     {"kretfunc", "fbt::%s:return"},
    {"fentry", "fbt::%s:entry"},     {"fexit", "fbt::%s:return"},
    {"k", "fbt::%s:entry"},	     {"kr", "fbt::%s:return"},
    {"rawtracepoint", "rawtp:::%s"}, {"raw_tracepoint", "rawtp:::%s"},
};

/* Those of other systems' providers: all their probes. */
static const struct word other_systems[] = {
    {"vfs", "fbt::vfs_*:entry, or the system calls: syscall::open*:entry"},
    {"mach_trap", "syscall:::entry"},
};

/* Names that a provider might have, and the probe that it has. */
static const struct word guesses[] = {
    {"proc:::fork", "proc:::create"},
    {"proc:::clone", "proc:::create"},
    {"proc:::kill", "proc:::signal-send"},
    {"io:::read", "io:::start"},
    {"io:::write", "io:::start"},
    {"tcp:::connect", "tcp:::connect-established"},
    {"tcp:::accept", "tcp:::accept-established"},
    {"tcp:::close", "tcp:::state-change"},
    {"sched:::switch", "sched:::off-cpu"},
};

/* Names of one field. */
static const struct word bare[] = {
    {"begin", "BEGIN"},	       {"end", "END"},		{"tick", "tick-1s"},
    {"profile", "profile-97"}, {"interval", "tick-1s"},
};

/* Events of software: and hardware: and their short names, as cpc names them. */
static const struct word events[] = {
    {"faults", "page_faults"},
    {"cs", "context_switches"},
    {"cpu", "cpu_clock"},
    {"frontend-stalls", "idle_cycles_frontend"},
    {"backend-stalls", "idle_cycles_backend"},
};

/* The first field of perf's names "sched:sched_switch". */
static const char *const subsystems[] = {
    "block", "irq",  "kmem", "napi", "net",   "raw_syscalls", "sched",	   "signal",
    "skb",   "sock", "task", "tcp",  "timer", "workqueue",    "writeback",
};

static bool is_subsystem(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(subsystems); i++)
		if (!strcmp(subsystems[i], name))
			return true;
	return false;
}

/* "cache-misses:1000" is cpc:::cache_misses-all-1000; without a count, another one. */
static const char *counter(struct arena *a, const char *event, const char *count)
{
	const char *ours = find(events, ARRAY_SIZE(events), event);
	char *name = arena_strndup(a, ours ? ours : event, strlen(ours ? ours : event));

	for (char *dash = name; (dash = strchr(dash, '-')) != NULL;)
		*dash = '_';
	return arena_printf(a, "cpc:::%s-all-%s", name, *count ? count : "1000000");
}

/* "sys_enter_open" is syscall::open:entry; NULL for other events. */
static const char *syscall_event(struct arena *a, const char *event)
{
	if (!strncmp(event, "sys_enter_", 10))
		return arena_printf(a, "syscall::%s:entry", event + 10);
	if (!strncmp(event, "sys_exit_", 9))
		return arena_printf(a, "syscall::%s:return", event + 9);
	return NULL;
}

/* A system call by the name of the kernel's function, "__x64_sys_read": "read"; NULL: no such. */
static const char *call_of_function(const char *name)
{
	static const char *const prefixes[] = {"sys_", "__x64_sys_", "__arm64_sys_", "__se_sys_",
					       "__do_sys_"};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return name + strlen(prefixes[i]);
	return NULL;
}

/* "vfs_read+0x1c", an instruction: "fbt::vfs_read:1c"; NULL: a function alone. */
static const char *instruction(struct arena *a, const char *first, const char *rest)
{
	const char *plus = strchr(rest, '+'), *digits = plus ? plus + 1 : "";

	if (!strncmp(digits, "0x", 2))
		digits += 2;
	if ((strcmp(first, "kprobe") && strcmp(first, "k")) || !isxdigit((unsigned char)*digits))
		return NULL;
	return arena_printf(a, "fbt::%.*s:%s", (int)(plus - rest), rest, digits);
}

static const char *time_unit(const char *unit)
{
	static const char *const units[] = {"hz", "s", "ms", "us", "ns"};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i], unit))
			return units[i];
	return NULL;
}

/* "tick_10s" and "tick10s" are tick-10s; NULL: no such. */
static const char *timer(struct arena *a, const char *name)
{
	size_t word = strcspn(name, "_0123456789"), digits;
	const char *number = name + word + (name[word] == '_');

	digits = strspn(number, "0123456789");
	if (!digits || (number[digits] && !time_unit(number + digits)) ||
	    (strncmp(name, "tick", MAX(word, 4)) && strncmp(name, "profile", MAX(word, 7))))
		return NULL;
	return arena_printf(a, "%.*s-%s", (int)word, name, number);
}

/* Those of three fields: "tracepoint:sched:sched_switch", "uprobe:/bin/sh:main", "interval:s:1". */
static const char *three_fields(struct arena *a, const char *first, const char *second,
				const char *third)
{
	const char *call = syscall_event(a, third);

	if (!strcmp(first, "tracepoint") || !strcmp(first, "t"))
		return call && !strcmp(second, "syscalls")
			   ? call
			   : arena_printf(a, "sdt:%s::%s", second, third);
	if (!strcmp(first, "interval") || !strcmp(first, "i"))
		return time_unit(second) ? arena_printf(a, "tick-%s%s", third, time_unit(second))
					 : NULL;
	if (!strcmp(first, "profile") && time_unit(second))
		return arena_printf(a, "profile-%s%s", third, time_unit(second));
	if (!strcmp(first, "uprobe") || !strcmp(first, "u"))
		return arena_printf(a, "pid$target:%s:%s:entry", second, third);
	if (!strcmp(first, "uretprobe") || !strcmp(first, "ur"))
		return arena_printf(a, "pid$target:%s:%s:return", second, third);
	if (!strcmp(first, "usdt") || !strcmp(first, "U"))
		return strchr(third, ':')
			   ? arena_printf(a, "%.*s$target:%s::%s", (int)strcspn(third, ":"), third,
					  second, strrchr(third, ':') + 1)
			   : arena_printf(a, "*$target:%s::%s", second, third);
	if (!strcmp(first, "software") || !strcmp(first, "hardware") || !strcmp(first, "s") ||
	    !strcmp(first, "h"))
		return counter(a, second, third);
	if (!strcmp(first, "watchpoint") || !strcmp(first, "asyncwatchpoint") ||
	    !strcmp(first, "w") || !strcmp(first, "aw"))
		return isdigit((unsigned char)*second)
			   ? arena_printf(a, "watch$target::%s:write", second)
			   : "watch$target:a.out:VARIABLE:write";
	if (!strcmp(first, "self") && !strcmp(second, "signal"))
		return arena_printf(a, "dtrace:::%s", third);
	return NULL;
}

const char *words_probe(struct arena *a, const char *text)
{
	const char *colon = strchr(text, ':'), *rest = colon ? colon + 1 : "",
		   *second = strchr(rest, ':'), *ours;
	const char *first = arena_strndup(a, text, colon ? (size_t)(colon - text) : strlen(text));

	if (!colon) {
		ours = find(bare, ARRAY_SIZE(bare), text);
		ours = ours ? ours : timer(a, text);
		return ours ? ours : syscall_event(a, text);
	}
	ours = find(guesses, ARRAY_SIZE(guesses), text);
	if (ours)
		return ours;
	ours = !strcmp(first, "syscall") && second == rest ? call_of_function(second + 1) : NULL;
	if (ours)
		return arena_printf(a, "syscall::%s", ours);
	ours = instruction(a, first, second ? second + 1 : rest);
	if (ours)
		return ours;
	if (!second && !strncmp(first, "sys_", 4) &&
	    (!strcmp(rest, "entry") || !strcmp(rest, "return")))
		return arena_printf(a, "syscall::%s:%s", first + 4, rest);
	if (!strcmp(first, "syscall") && second && second > rest && second[1] == ':')
		return arena_printf(
		    a, "syscall::%s",
		    arena_printf(a, "%.*s:%s", (int)(second - rest), rest, second + 2));
	if (!strcmp(first, "pid") && second)
		return arena_printf(a, "pid$target:%s", rest);
	if (!strcmp(first, "syscall") && second &&
	    (!strncmp(rest, "freebsd:", 8) || !strncmp(rest, "genunix:", 8) ||
	     !strncmp(rest, "mach_kernel:", 12)))
		return arena_printf(a, "syscall:%s", second);
	ours = find(other_systems, ARRAY_SIZE(other_systems), first);
	if (ours)
		return ours;
	if (!strncmp(first, "objc", 4) && (first[4] == '$' || isdigit((unsigned char)first[4])))
		return arena_printf(a, "pid$target:%s", rest);
	if (!strcmp(first, "sdt") && !strncmp(rest, "syscalls:", 9))
		return syscall_event(a, strrchr(rest, ':') + 1);
	ours = find(providers, ARRAY_SIZE(providers), first);
	if (ours && *rest)
		return arena_printf(a, "%.*s%s%s", (int)(strstr(ours, "%s") - ours), ours,
				    second ? second + 1 : rest, strstr(ours, "%s") + 2);
	if (!second && !strcmp(first, "syscalls"))
		return syscall_event(a, rest);
	if (!second && is_subsystem(first))
		return arena_printf(a, "sdt:%s::%s", first, rest);
	return second ? three_fields(a, first, arena_strndup(a, rest, second - rest), second + 1)
		      : NULL;
}

const char *words_hint(struct arena *a, const char *ours)
{
	return ours ? arena_printf(a, "; D writes this \"%s\"", ours) : "";
}
