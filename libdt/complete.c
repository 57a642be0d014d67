/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completion for shells: how an option of -x or a probe description may go on.
 *
 * A user waits for the answer, so whole lists are not made: a field is asked of the providers with
 * the text that is there and a star. The kernel's functions are taken from BTF (2 ms) and not from
 * available_filter_functions (tens of milliseconds), the modules of a process from its mappings.
 *
 * The names come from other users' processes, and a shell puts them into a command line. Only names
 * of plain characters are offered: the others would have to be quoted in three shells, and a
 * mistake there would run them.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/escape.h"
#include "libdt/compile.h"
#include "libdt/provider/prov.h"
#include "libdt/provider/uproc.h"
#include "libdt/report.h"
#include "libdt/session.h"

/* How many words are printed at most, and are worth sorting. */
enum { SHOWN_MAX = 500, SORTED_MAX = 8000, FIELDS = 4 };

struct word {
	const char *text, *help; /* help: NULL, or a remark */
};

/* The remark of a word that is the beginning of others. */
static const char more[] = "...";

struct completion {
	struct dt *dt;
	const char *before;	    /* what stays of the text: descriptions, fields and colons */
	const char *fields[FIELDS]; /* complete ones; "" for the others */
	const char *part;	    /* what is there of the field to be completed */
	int field, last;	    /* its number; the one that the option ends with */
	bool whole;		    /* the words are the last field, without those before it */
	VEC(struct word) words;
	VEC(struct word) alone; /* the same for words that are whole */
};

static bool is_plain(const char *s)
{
	static const char others[] = "_-.+*/@=^%";

	for (; *s; s++)
		if (!strchr(others, *s) && (!isascii(*s) || !isalnum((unsigned char)*s)))
			return false;
	return true;
}

/* A name that may be meant. Only what is typed as it is goes on: not globs. */
static void offer(struct completion *c, const char *text, const char *help)
{
	struct word w = {text, help};

	if (strncmp(text, c->part, strlen(c->part)) || !is_plain(text))
		return;
	if (c->whole)
		vec_push(&c->alone, w);
	else
		vec_push(&c->words, w);
}

static void offer_probe(void *arg, struct probe *p)
{
	struct completion *c = arg;
	const char *const fields[] = {p->prov, p->mod, p->func, p->name};

	offer(c, fields[c->whole ? c->last : c->field], NULL);
}

/* Of this provider, or pattern, the probes that fit; of all names, or of one. */
static void match(struct completion *c, const char *prov, const char *name)
{
	const char *star = arena_printf(c->dt->arena, "%s*", c->part);
	const char *f[FIELDS] = {prov, c->fields[1], c->fields[2], name};
	struct pdesc pd;

	f[c->whole ? c->last : c->field] = star;
	pd = (struct pdesc){.prov = f[0], .mod = f[1], .func = f[2], .name = f[3]};
	probes_match(c->dt->probes, &pd, offer_probe, c);
}

/* ---- the kernel's functions */

static void offer_func(void *arg, const char *name, uint32_t number)
{
	(void)number;
	offer(arg, name, NULL);
}

/* Calls fn for each module that fits: those with types. */
static void each_module(struct completion *c, const char *glob,
			void (*fn)(struct completion *c, const char *module))
{
	bool file = types_kernel_is_file(c->dt->types);
	DIR *dir = file ? NULL : opendir("/sys/kernel/btf");
	struct dirent *e;

	if (!dir && glob_fits(glob, "vmlinux"))
		fn(c, "vmlinux");
	while (dir && (e = readdir(dir)))
		if (e->d_name[0] != '.' && glob_fits(glob, e->d_name))
			fn(c, arena_strdup(c->dt->arena, e->d_name));
	if (dir)
		closedir(dir);
}

static void offer_module(struct completion *c, const char *module)
{
	offer(c, module, NULL);
}

static void offer_funcs(struct completion *c, const char *module)
{
	type_kernel_funcs(c->dt->types, module, offer_func, c);
}

static bool is_kernel_func(const char *prov)
{
	return !strcmp(prov, "fbt") || !strcmp(prov, "rawfbt") || !strcmp(prov, "kinst");
}

static void complete_func(struct completion *c, const char *prov)
{
	struct pdesc pd = {.prov = prov, .mod = "", .func = "", .name = ""};
	int field = c->whole ? c->last : c->field;

	if (probes_unavailable(c->dt->probes, &pd))
		return;
	if (field == 1)
		each_module(c, "", offer_module);
	else if (field == 2)
		each_module(c, c->fields[1], offer_funcs);
	else if (glob_is_literal(c->fields[2]))
		match(c, prov, "");
	else if (strcmp(prov, "kinst"))
		offer(c, "entry", NULL), offer(c, "return", NULL);
}

/* ---- processes */

static const char *const of_processes[] = {"pid", "plockstat", "watch"};

/* The PID at the end of a provider's name: "pid123"; 0: none. */
static pid_t number_of(const char *prov)
{
	size_t len = strlen(prov);

	while (len && isdigit((unsigned char)prov[len - 1]))
		len--;
	return uproc_number(prov, len);
}

static const char *command_of(struct completion *c, const char *pid)
{
	char path[64], comm[64] = "";
	struct strbuf sb = {0};
	const char *text;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.16s/comm", pid);
	f = fopen(path, "re");
	if (!f)
		return NULL;
	if (!fgets(comm, sizeof(comm), f))
		comm[0] = '\0';
	fclose(f);
	comm[strlen(comm) - (comm[0] && comm[strlen(comm) - 1] == '\n')] = '\0';
	escape_add(&sb, comm, strlen(comm), ESCAPE_NAME);
	text = arena_strdup(c->dt->arena, sb_str(&sb));
	sb_free(&sb);
	return text;
}

static void offer_processes(struct completion *c, const char *prov)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		const char *text;

		if (!isdigit((unsigned char)e->d_name[0]))
			continue;
		text = arena_printf(c->dt->arena, "%s%s", prov, e->d_name);
		if (!strncmp(text, c->part, strlen(c->part)))
			offer(c, text, command_of(c, e->d_name));
	}
	if (dir)
		closedir(dir);
}

static void complete_process(struct completion *c, const char *prov)
{
	const struct uproc *proc;
	const char *why;
	pid_t pid = number_of(prov);
	bool is_pid = !strncmp(prov, "pid", 3);

	if (is_pid && pid && c->field == 1) {
		proc = uproc_get(c->dt->probes, pid, &why);
		for (int i = 0; proc && i < proc->objs.n; i++)
			offer(c, proc->objs.v[i]->name, NULL);
	} else if (is_pid && c->field == 3 && !*c->part) { /* not each instruction */
		offer(c, "entry", NULL);
		offer(c, "return", NULL);
	} else {
		match(c, prov, is_pid && c->field < 3 ? "entry" : "");
	}
}

/* ---- fields */

/* The n-th name of a provider of which there is one, once each; NULL: no more. */
static const char *provider_name(int n)
{
	for (int i = 0; providers[i]; i++) {
		bool seen = providers[i]->owns;

		for (int j = 0; j < i && !seen; j++)
			seen = !strcmp(providers[j]->name, providers[i]->name);
		if (!seen && !n--)
			return providers[i]->name;
	}
	return NULL;
}

static void complete_in(struct completion *c, const char *prov)
{
	if (is_kernel_func(prov))
		complete_func(c, prov);
	else
		match(c, prov, "");
}

/* Those made of other providers' probes have no modules of their own and hardly a function. */
static bool is_stable(const char *name)
{
	for (int i = 0; providers[i]; i++)
		if (!strcmp(providers[i]->name, name))
			return providers[i]->table;
	return false;
}

/* Without a colon the text may be the option's own field, too: -n BEGIN, -f malloc. */
static void complete_alone(struct completion *c)
{
	const char *name;

	c->whole = true;
	if (!*c->part && c->last == 3)
		complete_in(c, "dtrace");
	for (int i = 0; *c->part && (name = provider_name(i)); i++)
		if (c->last == 3 || !is_stable(name))
			complete_in(c, name);
	c->whole = false;
}

static void complete_provider(struct completion *c)
{
	const char *name;

	for (int i = 0; (name = provider_name(i)); i++)
		offer(c, name, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(of_processes); i++)
		if (!strncmp(c->part, of_processes[i], strlen(of_processes[i])))
			offer_processes(c, of_processes[i]);
		else if (*c->part)
			offer(c, of_processes[i], more);
	/* Static probes: processes are looked at only for a name that nothing else has. */
	if (!c->words.n && strlen(c->part) > 1 && !number_of(c->part))
		match(c, "", "");
	if (c->last)
		complete_alone(c);
}

static void complete_field(struct completion *c)
{
	bool found = false;
	const char *name;

	for (int i = 0; (name = provider_name(i)); i++)
		if (glob_fits(c->fields[0], name)) {
			complete_in(c, name);
			found = true;
		}
	if (!found)
		complete_process(c, c->fields[0]);
}

/* ---- what is printed */

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct word *)a)->text, ((const struct word *)b)->text);
}

/* Sorts n words and leaves out equal ones; how many there are then. */
static int sort_unique(struct word *v, int n)
{
	int to = 0;

	if (n)
		qsort(v, n, sizeof(*v), by_text);
	for (int i = 0; i < n; i++)
		if (!to || strcmp(v[to - 1].text, v[i].text))
			v[to++] = v[i];
	return to;
}

/* Cut after the next underscore that follows the given text, or after its next character. */
static const char *shortened(struct completion *c, const char *text, bool one)
{
	size_t len = strlen(c->part);
	const char *end = text + len;

	if (one)
		return arena_strndup(c->dt->arena, text, len + !!*end);
	end = *end ? strchr(end + 1, '_') : NULL;
	return end ? arena_strndup(c->dt->arena, text, end + 1 - text) : text;
}

/* One word for each next character; how many. */
static int first_characters(struct completion *c, struct word *v, int n)
{
	bool seen[256] = {false};
	size_t len = strlen(c->part);
	int to = 0;

	for (int i = 0; i < n; i++) {
		unsigned char next = v[i].text[len];

		if (!seen[next])
			v[to++] = (struct word){shortened(c, v[i].text, true), more};
		seen[next] = true;
	}
	return to;
}

/* Replaces thousands of names, which are no help, by their common beginnings. */
static int shorten(struct completion *c, struct word *v, int n)
{
	if (n <= SORTED_MAX)
		n = sort_unique(v, n);
	if (n > SHOWN_MAX && n <= SORTED_MAX) {
		for (int i = 0; i < n; i++) {
			const char *text = shortened(c, v[i].text, false);

			if (text != v[i].text)
				v[i] = (struct word){text, more};
		}
		n = sort_unique(v, n);
	}
	return n > SHOWN_MAX ? sort_unique(v, first_characters(c, v, n)) : n;
}

static void print_words(struct completion *c, struct word *v, int n, const char *before,
			const char *after, FILE *out)
{
	n = shorten(c, v, n);
	for (int i = 0; i < n; i++)
		fprintf(out, "%s%s%s%s%s\n", before, v[i].text, v[i].help == more ? "" : after,
			v[i].help ? "\t" : "", v[i].help ? v[i].help : "");
}

/* Splits the last description of text; false when no name can follow. */
static bool split(struct completion *c, const char *text)
{
	const char *start = strrchr(text, ','), *colon;

	start = start ? start + 1 : text;
	start += strspn(start, " \t");
	if (strpbrk(start, " \t\n{;"))
		return false;
	c->part = start;
	c->field = 0;
	for (int i = 0; i < FIELDS; i++)
		c->fields[i] = "";
	while ((colon = strchr(c->part, ':'))) {
		if (c->field == c->last)
			return false;
		c->fields[c->field++] = arena_strndup(c->dt->arena, c->part, colon - c->part);
		c->part = colon + 1;
	}
	c->before = arena_strndup(c->dt->arena, text, c->part - text);
	return true;
}

/* A field that is empty in all probes is passed over. */
static const char *fill(struct completion *c, const char *text)
{
	while (split(c, text)) {
		c->words.n = c->alone.n = 0;
		if (c->field)
			complete_field(c);
		else
			complete_provider(c);
		if (c->words.n <= SORTED_MAX)
			c->words.n = sort_unique(c->words.v, c->words.n);
		if (c->words.n != 1 || *c->words.v[0].text || c->field == c->last)
			return text;
		text = arena_printf(c->dt->arena, "%s:", text);
	}
	return NULL;
}

int dt_complete(struct dt *dt, char option, const char *text, FILE *out)
{
	static const char options[] = "Pmfn";
	const char *o = option ? strchr(options, option) : NULL;
	struct completion c = {.dt = dt};

	if (option == 'x') {
		opts_complete(out, text);
		return 0;
	}
	if (!o)
		return report_error(dt, "failed to complete: -%c takes no probes", option);
	c.last = o - options;
	if (compile_open(dt) < 0)
		return -1;
	if (setjmp(dt->diag.recover))
		return compile_caught(dt);
	if (fill(&c, text)) {
		print_words(&c, c.words.v, c.words.n, c.before, c.field < c.last ? ":" : "", out);
		print_words(&c, c.alone.v, c.alone.n, c.before, "", out);
	}
	vec_free(&c.words);
	vec_free(&c.alone);
	return 0;
}
