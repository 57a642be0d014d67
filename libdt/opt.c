/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options. opt.def has the rows; what a row cannot say (limits, allowed words, what dt does not
 * support) is in the tables below. A value is checked when it is set, not when it is used: an
 * option that would have no effect is refused with a reason.
 */
#include "libdt/opt.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libdt/base/mem.h"
#include "libdt/base/nearest.h"
#include "libdt/base/program.h"
#include "libdt/base/unit.h"

extern char **environ;

static const struct row {
	const char *name;
	enum opt_kind kind;
	enum opt_class class;
	const char *dflt;
	const char *help;
} rows[OPT_COUNT] = {
#define OPT(word, name, kind, class, dflt, help) {name, kind, class, dflt, help},
#include "libdt/opt.def"
#undef OPT
};

/* Limits of numbers and sizes. Without a row: 0 and INT64_MAX. */
static const struct limit {
	enum opt which;
	int64_t min, max;
} limits[] = {
    {OPT_AGGSORTKEYPOS, 0, INT32_MAX},
    {OPT_AGGSORTPOS, 0, INT32_MAX},
    {OPT_DISASM, 0, 15},
    {OPT_JSTACKFRAMES, 1, 127},
    {OPT_MAXFRAMES, 1, 127},
    {OPT_NSPEC, 0, 4096},
    {OPT_PCAPSIZE, 1, 1 << 16},
    {OPT_PRINTSIZE, 1, 1 << 19},
    {OPT_ROTATEKEEP, 1, 1000},
    {OPT_SCRATCHSIZE, 8, 1 << 20},
    {OPT_STACKFRAMES, 1, 127},
    {OPT_STACKINDENT, 0, 1 << 10},
    {OPT_STRSIZE, 2, 65536},
    {OPT_TREE, 0, INT32_MAX},
    {OPT_USTACKFRAMES, 1, 127},
};

/* The words of a set, separated by blanks. */
static const struct words {
	enum opt which;
	bool many; /* a list with commas */
	const char *words;
} word_sets[] = {
    {OPT_BUFRESIZE, false, "auto manual"},
    {OPT_BUFPOLICY, false, "switch ring fill"},
    {OPT_CLOCK, false, "mono boot tai"},
    {OPT_COMPAT, false, "auto on off"},
    {OPT_DETACH, false, "list stop"},
    {OPT_DUMP, true, "tree typed plan ir ra bpf"},
    {OPT_ENCODING, false, "auto ascii utf8"},
    {OPT_ERRFMT, false, "dtrace gcc json"},
    {OPT_EVALTIME, false, "exec preinit postinit main"},
    {OPT_KSTACK, false, "auto kernel check"},
    {OPT_LINKMODE, false, "kernel static dynamic"},
    {OPT_LINKTYPE, false, "elf"},
    {OPT_OFORMAT, false, "text json jsonl xml html perfetto csv folded svg openmetrics prometheus"},
    {OPT_LATE, false, "static dynamic"},
    {OPT_PIDRET, false, "auto insn uretprobe"},
    {OPT_STDC, false, "a c s t"},
    {OPT_SYSCALLRET, false, "posix raw"},
    {OPT_TEMPORAL, false, "auto on off"},
    {OPT_UNWIND, false, "auto fp eh"},
};

/* Known, but only their default works. */
static const enum opt not_yet[] = {OPT_KDEFS, OPT_KNODEFS, OPT_UDEFS, OPT_UNODEFS};

/* Options that other systems have and we have no use for: why. */
static const struct {
	const char *name, *why;
} absent[] = {
    {"ctfpath", "the kernel's types are its BTF (btfpath)"},
    {"dofstashpath", "there is no daemon that keeps programs' probes"},
    {"modpath", "types of modules are read from the running kernel"},
    {"procfspath", "processes are read from /proc"},
    {"sysslice", "no process is excluded from tracing"},
    {"useruid", "no process is excluded from tracing"},
};

/* Other names of options. */
static const struct {
	const char *name;
	enum opt which;
} aliases[] = {
    {"container", OPT_CGROUP}, /* its name is one of a group's */
};

static const struct truth {
	const char *word;
	bool on;
} truths[] = {
    {"0", false},      {"1", true}, /* defaults are written so */
    {"yes", true},     {"no", false},	    {"on", true},     {"off", false},
    {"true", true},    {"false", false},    {"enable", true}, {"disable", false},
    {"enabled", true}, {"disabled", false}, {"set", true},    {"unset", false},
};

static bool is_name(const char *option, const char *name, size_t len, bool any_case)
{
	return strlen(option) == len &&
	       !(any_case ? strncasecmp(option, name, len) : memcmp(option, name, len));
}

static int find(const char *name, size_t len, bool any_case)
{
	for (int i = 0; i < OPT_COUNT; i++)
		if (is_name(rows[i].name, name, len, any_case))
			return i;
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (is_name(aliases[i].name, name, len, any_case))
			return aliases[i].which;
	return -ENOENT;
}

/* Options of whose names this one is a part: "rotate" of rotatekeep, rotatesize. */
static void suggest_longer(const char *name, char *why, size_t why_size)
{
	size_t len;

	if (strlen(name) < 4)
		return;
	for (int i = 0; i < OPT_COUNT; i++) {
		if (!strcasestr(rows[i].name, name))
			continue;
		len = strlen(why);
		snprintf(why + len, why_size - len, "%s%s",
			 len ? ", " : "Invalid option name; did you mean ", rows[i].name);
	}
	len = strlen(why);
	snprintf(why + len, why_size - len, "%s", len ? "?" : "");
}

/* An option's number; -ENOENT, and why has what may have been meant. */
static int find_name(const char *name, char *why, size_t why_size)
{
	struct nearest near = nearest_within(name, strlen(name) < 4 ? 2 : 3);
	int which = find(name, strlen(name), false);

	for (size_t i = 0; i < ARRAY_SIZE(absent) && which < 0; i++)
		if (!strcmp(absent[i].name, name)) {
			snprintf(why, why_size, "%s is not supported: %s", name, absent[i].why);
			return which;
		}
	for (int i = 0; i < OPT_COUNT && which < 0; i++)
		nearest_try(&near, rows[i].name);
	if (near.best)
		snprintf(why, why_size, "Invalid option name; did you mean %s?", near.best);
	else if (which < 0)
		suggest_longer(name, why, why_size);
	return which;
}

static int parse_number(const char *value, int64_t *num)
{
	char *end;
	int err = unit_digits(value, num, &end);

	return err ? err : *end ? -EINVAL : 0;
}

static int parse_bool(const char *value, int64_t *num)
{
	if (!value) {
		*num = true;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(truths); i++)
		if (!strcasecmp(truths[i].word, value)) {
			*num = truths[i].on;
			return 0;
		}
	if (parse_number(value, num)) /* as in C, a number other than 0 is true */
		return -EINVAL;
	*num = *num != 0;
	return 0;
}

/* "1%", "0.5": at most three digits after the point. */
static int parse_percent(const char *value, int64_t *num)
{
	char *end;
	int err = unit_digits(value, num, &end);

	if (err || *num > 100)
		return err ? err : -EINVAL;
	*num *= PERCENT;
	if (*end == '.' && isdigit((unsigned char)end[1]))
		for (int unit = PERCENT / 10; isdigit((unsigned char)*++end); unit /= 10) {
			if (!unit)
				return -EINVAL;
			*num += (*end - '0') * unit;
		}
	return end[*end == '%'] || !*num || *num > 100 * PERCENT ? -EINVAL : 0;
}

static bool in_words(const char *words, const char *s, size_t len)
{
	while (*words) {
		size_t n = strcspn(words, " ");

		if (n == len && !memcmp(words, s, n))
			return true;
		words += n;
		words += strspn(words, " ");
	}
	return false;
}

/* D is of version 2.0 and has what its versions from 1.0 on had. */
static int check_version(const char *value, char *why, size_t why_size)
{
	unsigned major, minor, micro = 0;
	int end = 0, n = sscanf(value, "%2u.%3u%n.%3u%n", &major, &minor, &end, &micro, &end);

	if (n < 2 || value[end] || !isdigit((unsigned char)*value))
		return -EINVAL;
	if (major == 1 ? minor <= 13 : major == 2 && !minor && !micro)
		return 0;
	snprintf(
	    why, why_size,
	    "Program requires version %s; this is D 2.0, and versions before it are 1.0 to 1.13",
	    value);
	return -EINVAL;
}

int opt_cpus(const char *text, struct cpu_range *ranges)
{
	int n = 0, end;

	for (;; text += end + 1) {
		struct cpu_range r;

		end = 0;
		if (!isdigit((unsigned char)*text) || n == CPU_RANGES || strcspn(text, ",") > 21)
			return -EINVAL;
		if (sscanf(text, "%6d%n-%6d%n", &r.first, &end, &r.last, &end) == 1)
			r.last = r.first;
		if (r.first < 0 || r.last < r.first || (text[end] && text[end] != ','))
			return -EINVAL;
		ranges[n++] = r;
		if (!text[end])
			return n;
	}
}

static int check_words(enum opt which, const char *value, char *why, size_t why_size)
{
	if (which == OPT_CPU) {
		struct cpu_range ranges[CPU_RANGES];

		return MIN(opt_cpus(value, ranges), 0);
	}
	if (which == OPT_VERSION)
		return check_version(value, why, why_size);
	if (which == OPT_LOCKMEM)
		return strcmp(value, "unlimited") && unit_size(value, &(int64_t){0}) ? -EINVAL : 0;
	for (size_t i = 0; i < ARRAY_SIZE(word_sets); i++) {
		const struct words *w = &word_sets[i];
		const char *s = value;
		size_t len;

		if (w->which != which)
			continue;
		for (;; s += len + 1) {
			len = w->many ? strcspn(s, ",") : strlen(s);
			if (!in_words(w->words, s, len))
				return -EINVAL;
			if (!s[len])
				return 0;
		}
	}
	return 0;
}

static int check_limits(enum opt which, int64_t num, char *why, size_t why_size)
{
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		if (limits[i].which != which || (num >= limits[i].min && num <= limits[i].max))
			continue;
		snprintf(why, why_size,
			 "Invalid value for specified option: %s is from %" PRId64 " to %" PRId64,
			 rows[which].name, limits[i].min, limits[i].max);
		return -EINVAL;
	}
	return 0;
}

static int check_not_yet(enum opt which, const char *value, int64_t num, char *why, size_t why_size)
{
	const char *dflt = rows[which].dflt;
	bool same;

	for (size_t i = 0; i < ARRAY_SIZE(not_yet); i++) {
		if (not_yet[i] != which)
			continue;
		same = rows[which].kind == OPT_WORD ? !strcmp(value, dflt)
						    : num == strtoll(dflt, NULL, 0);
		if (same)
			return 0;
		snprintf(why, why_size, "%s%s%s is not supported%s", rows[which].name,
			 value ? "=" : "", value ? value : "",
			 strstr(rows[which].name, "defs")
			     ? ": symbols must be known when programs are compiled"
			     : " yet");
		return -EINVAL;
	}
	return 0;
}

static int parse(enum opt which, const char *value, int64_t *num, char *why, size_t why_size)
{
	*num = 0;
	switch (rows[which].kind) {
	case OPT_BOOL:
		return parse_bool(value, num);
	case OPT_SIZE:
		return value ? unit_size(value, num) : -EINVAL;
	case OPT_NUMBER:
		return value ? parse_number(value, num) : -EINVAL;
	case OPT_RATE:
	case OPT_TIME:
		return value ? unit_rate(value, rows[which].kind == OPT_RATE, num) : -EINVAL;
	case OPT_PERCENT:
		return value ? parse_percent(value, num) : -EINVAL;
	case OPT_STRING:
	case OPT_WORD:
	case OPT_LIST:
		if (!value || !*value || strchr(value, '\n'))
			return -EINVAL;
		return check_words(which, value, why, why_size);
	}
	return -EINVAL;
}

/* What an option's values look like; nothing for those without a form of their own. */
static void describe(enum opt which, const char *value, char *why, size_t why_size)
{
	static const char *const forms[] = {
	    [OPT_BOOL] = "on or off",
	    [OPT_SIZE] = "a number of bytes, for example 4096, 64k or 4m",
	    [OPT_NUMBER] = "a number",
	    [OPT_RATE] = "a rate, for example 10hz or 500ms",
	    [OPT_TIME] = "a time with its unit, for example 500ms or 10s",
	    [OPT_PERCENT] = "a percentage from 0.001% to 100%, for example 2%",
	};
	const char *form =
	    (size_t)rows[which].kind < ARRAY_SIZE(forms) ? forms[rows[which].kind] : NULL;
	const char *of = "";

	for (size_t i = 0; i < ARRAY_SIZE(word_sets); i++)
		if (word_sets[i].which == which) {
			of = word_sets[i].many ? "some of " : "one of ";
			form = word_sets[i].words;
		}
	if (form)
		snprintf(why, why_size, "Invalid value for specified option: %s is %s%s",
			 rows[which].name, of, form);
	else if (!value || !*value)
		snprintf(why, why_size,
			 "Invalid value for specified option: %s requires a value (-x help)",
			 rows[which].name);
}

/* The text kept for dt_getopt(): as it was given, truth values as 1 or 0, lists joined. */
static char *text_of(const struct opt_value *v, enum opt_kind kind, const char *value, int64_t num)
{
	if (kind == OPT_BOOL)
		return xstrdup(num ? "1" : "0");
	if (kind == OPT_LIST && v->text)
		return xasprintf("%s\n%s", v->text, value);
	return value ? xstrdup(value) : NULL;
}

static void assign(struct opts *o, enum opt which, const char *value, int64_t num)
{
	struct opt_value *v = &o->v[which];
	char *text = text_of(v, rows[which].kind, value, num);

	free(v->text);
	v->text = text;
	v->num = num;
}

static const char *reason(int err)
{
	switch (err) {
	case -ENOENT:
		return "Invalid option name";
	case -EBUSY:
		return "Operation illegal when tracing is active";
	case -EPERM:
		return "Option cannot be used from within a D program";
	case -EOVERFLOW:
		return "Value for specified option is too big";
	default:
		return "Invalid value for specified option";
	}
}

/* A value that may be set: its number. */
static int check_value(int which, const char *value, int64_t *num, char *why, size_t why_size)
{
	int err = parse(which, value, num, why, why_size);

	if (err == -EINVAL && !why[0])
		describe(which, value, why, why_size);
	if (!err)
		err = check_limits(which, *num, why, why_size);
	if (!err)
		err = check_not_yet(which, value, *num, why, why_size);
	return err;
}

/* Options of several words that were on or off once, and still take the words for that. */
static const char *as_word(int which, const char *value)
{
	int64_t on;

	if ((which != OPT_COMPAT && which != OPT_TEMPORAL) || parse_bool(value, &on))
		return value;
	return on ? "on" : "off";
}

/* Under sudo the environment may be that of a user without dtrace's privileges. */
static bool allowed(enum opt which, enum opt_from from)
{
	enum opt_class class = rows[which].class;
	enum env_owner owner;

	if (from == OPT_FROM_COMMAND)
		return true;
	if (from == OPT_FROM_PROGRAM)
		return !(class & (FROM_COMMAND | FROM_USER));
	owner = env_owner();
	if (class & FROM_COMMAND)
		return owner == ENV_OWN;
	return owner != ENV_OTHER || !(class & (FROM_USER | FROM_SCRIPT));
}

static int set(struct opts *o, int which, const char *value, char *why, size_t why_size)
{
	int64_t num;
	int err;

	if (which < 0)
		return which;
	value = as_word(which, value);
	if (o->going && (rows[which].class & OPT_WHEN) != OPT_DYNAMIC)
		return -EBUSY;
	if (!allowed(which, o->from))
		return -EPERM;
	err = check_value(which, value, &num, why, why_size);
	if (err)
		return err;
	assign(o, which, value, num);
	o->v[which].set = true;
	return 0;
}

static int set_reason(int err, const char *text, char *why, size_t why_size)
{
	if (why && why_size)
		snprintf(why, why_size, "%s", !err ? "" : text[0] ? text : reason(err));
	return err;
}

int opts_set(struct opts *o, const char *name, const char *value, char *why, size_t why_size)
{
	char text[128] = "";

	return set_reason(set(o, find_name(name, text, sizeof(text)), value, text, sizeof(text)),
			  text, why, why_size);
}

int opt_check(const char *name, const char *value, bool has_value, char *why, size_t why_size)
{
	char text[128] = "";
	int which = find_name(name, text, sizeof(text)), err = which < 0 ? which : 0;
	int64_t num;

	if (!err && (rows[which].class & OPT_WHEN) != OPT_DYNAMIC)
		err = -EBUSY;
	if (!err && has_value)
		err = check_value(which, value, &num, text, sizeof(text));
	return set_reason(err, text, why, why_size);
}

/* 0, 1 where it is not the environment's to say, or -errno. */
static int set_by_environment(struct opts *o, int which, const char *value, char *why,
			      size_t why_size)
{
	int err;

	if (which < 0)
		return which;
	o->from = OPT_FROM_ENVIRONMENT;
	err = opts_set(o, rows[which].name, value, why, why_size);
	o->from = OPT_FROM_COMMAND;
	return err == -EPERM ? 1 : err;
}

int opts_environment(struct opts *o, void (*ignored)(void *arg, const char *name), void *arg,
		     char *why, size_t why_size)
{
	static const char prefix[] = "DTRACE_OPT_";
	char reason_text[160];

	for (char **e = environ; e && *e; e++) {
		const char *name = *e + sizeof(prefix) - 1, *eq = strchr(*e, '=');
		int which, err;

		if (strncmp(*e, prefix, sizeof(prefix) - 1) || !eq || eq < name)
			continue;
		which = find(name, eq - name, true);
		/* A variable that is set to nothing is the bare name. */
		err = set_by_environment(o, which, eq[1] ? eq + 1 : NULL, reason_text,
					 sizeof(reason_text));
		if (err > 0 && ignored)
			ignored(arg, rows[which].name);
		if (err >= 0)
			continue;
		if (why && why_size)
			snprintf(why, why_size, "%.*s: %s", (int)MIN(eq - *e, 64), *e,
				 which < 0 ? reason(which) : reason_text);
		return err;
	}
	return 0;
}

void opts_init(struct opts *o)
{
	*o = (struct opts){0};
	for (int i = 0; i < OPT_COUNT; i++) {
		char why[64];
		int64_t num = 0;

		if (!rows[i].dflt)
			continue;
		/* What is no value to give can be a default: cpu -1 is all of them. */
		if (parse(i, rows[i].dflt, &num, why, sizeof(why)))
			num = strtoll(rows[i].dflt, NULL, 0);
		assign(o, i, rows[i].dflt, num);
	}
}

void opts_free(struct opts *o)
{
	for (int i = 0; i < OPT_COUNT; i++)
		free(o->v[i].text);
	*o = (struct opts){0};
}

int64_t opt_num(const struct opts *o, enum opt which)
{
	return o->v[which].num;
}

bool opt_on(const struct opts *o, enum opt which)
{
	return o->v[which].num != 0;
}

const char *opt_text(const struct opts *o, enum opt which)
{
	return o->v[which].text;
}

int opt_find(const char *name)
{
	return find(name, strlen(name), false);
}

const char *opt_name(enum opt which)
{
	return rows[which].name;
}

enum opt_kind opt_kind(enum opt which)
{
	return rows[which].kind;
}

bool opt_changed(const struct opts *o, enum opt which)
{
	const char *dflt = rows[which].dflt, *text = o->v[which].text;
	char why[64];
	int64_t num;

	if (!o->v[which].set)
		return false;
	/* 4096k is 4m */
	if (dflt && rows[which].kind <= OPT_PERCENT && !parse(which, dflt, &num, why, sizeof(why)))
		return num != o->v[which].num;
	return !dflt || !text || strcmp(dflt, text);
}

void opts_help(FILE *out)
{
	static const char *const kinds[] = {"",		"=size", "=n",	  "=rate", "=time",
					    "=percent", "=text", "=word", "=text"};

	for (int i = 0; i < OPT_COUNT; i++) {
		int width = fprintf(out, "  %s%s", rows[i].name, kinds[rows[i].kind]);

		fprintf(out, "%*s%s", MAX(24 - width, 1), "", rows[i].help);
		if (rows[i].dflt && rows[i].kind != OPT_BOOL && strcmp(rows[i].dflt, "-1"))
			fprintf(out, " (%s)", rows[i].dflt);
		fputc('\n', out);
	}
}

/* Writes a completion for each word of a set, or for on and off, after the fixed text. */
static void complete_value(FILE *out, int which, const char *text, const char *value)
{
	const char *words = rows[which].kind == OPT_BOOL ? "on off" : "";

	for (size_t i = 0; i < ARRAY_SIZE(word_sets); i++)
		if ((int)word_sets[i].which == which) {
			words = word_sets[i].words;
			if (word_sets[i].many && strrchr(value, ','))
				value = strrchr(value, ',') + 1;
		}
	for (size_t len; *words; words += len + (words[len] == ' ')) {
		len = strcspn(words, " ");
		if (!strncmp(words, value, MIN(len, strlen(value))) && strlen(value) <= len)
			fprintf(out, "%.*s%.*s\n", (int)(value - text), text, (int)len, words);
	}
}

static void complete_name(FILE *out, const char *name, enum opt which, const char *text)
{
	if (!strncmp(name, text, strlen(text)))
		fprintf(out, "%s%s\t%s\n", name, rows[which].kind == OPT_BOOL ? "" : "=",
			rows[which].help);
}

void opts_complete(FILE *out, const char *text)
{
	const char *eq = strchr(text, '=');
	int which = eq ? find(text, eq - text, false) : -ENOENT;

	if (which >= 0)
		complete_value(out, which, text, eq + 1);
	for (int i = 0; i < OPT_COUNT && !eq; i++)
		complete_name(out, rows[i].name, i, text);
	for (size_t i = 0; i < ARRAY_SIZE(aliases) && !eq; i++)
		complete_name(out, aliases[i].name, aliases[i].which, text);
}
