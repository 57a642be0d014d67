/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What "#pragma D" says, but for options, which act while the program is read (grammar/pragma.c):
 *
 *	attributes NAME/DATA/CLASS word			the stability of what is called word, here
 *							or further down
 *	attributes NAME/DATA/CLASS provider p part	of a declared provider
 *	binding "1.2" word				since which version there is a word: read,
 *							of no effect
 *	depends_on library|module|provider name		it must be there
 *	error text					ends the compilation
 *	metric name help|unit|... value			of an aggregation as a metric
 *	ident, line					for other readers of the text
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/image/metric.h"
#include "libdt/lang/lib.h"
#include "libdt/lang/provdecl.h"
#include "libdt/lang/sema_parts.h"

#define WORDS 4

/* The words of a line; how many. */
static int split(struct sema *s, const struct node *n, const char **words)
{
	char *text = arena_strdup(s->arena, n->str), *save = NULL;
	int count = 0;

	for (char *w = strtok_r(text, " \t", &save); w; w = strtok_r(NULL, " \t", &save)) {
		if (count == WORDS)
			return WORDS + 1;
		words[count++] = w;
	}
	return count;
}

static _Noreturn void malformed(struct sema *s, const struct node *n, const char *form)
{
	sema_die(s, D_PRAGMA_MALFORM, n, "malformed #pragma D %s: it is written #pragma D %s %s",
		 n->name, n->name, form);
}

static int word_of(const char *(*name)(int), int count, const char *s, size_t len)
{
	for (int i = 0; i < count; i++)
		if (strlen(name(i)) == len && !strncasecmp(name(i), s, len))
			return i;
	return -1;
}

bool attr_parse(const char *text, struct attr *attr)
{
	int at[3], n = 0;

	for (;; text++) {
		size_t len = strcspn(text, "/");

		at[n] = n < 2 ? word_of(stability_name, STAB_STANDARD + 1, text, len)
			      : word_of(depclass_name, CLASS_COMMON + 1, text, len);
		if (at[n] < 0)
			return false;
		text += len;
		if (++n == 3)
			break;
		if (!*text)
			return false;
	}
	*attr = (struct attr){at[0], at[1], at[2]};
	return !*text;
}

static void name_pragma(struct sema *s, const struct node *n, const char *name,
			const struct attr *attr)
{
	struct pragma_name p = {.name = name, .pragma = n->name, .loc = n->loc};

	if (s->in_library && !attr)
		return;
	if (attr) {
		p.has_attr = true;
		p.attr = *attr;
	}
	vec_push(&s->syms->pragmas, p);
}

static void attributes(struct sema *s, struct node *n)
{
	const char *words[WORDS];
	int count = split(s, n, words);
	struct attr attr;
	struct provdecl *prov;

	if (count != 2 && count != 4)
		malformed(s, n, "NAME/DATA/CLASS word, or NAME/DATA/CLASS provider p part");
	if (!attr_parse(words[0], &attr))
		sema_die(s, D_PRAGMA_MALFORM, n,
			 "invalid attributes \"%s\": the form is Evolving/Evolving/Common",
			 words[0]);
	if (count == 2) {
		name_pragma(s, n, words[1], &attr);
		return;
	}
	if (strcmp(words[1], "provider"))
		malformed(s, n, "NAME/DATA/CLASS provider p part");
	prov = provdecl_find(s, words[2]);
	if (!prov)
		sema_die(s, D_PRAGMA_UNUSED, n,
			 "no provider %s is declared in front of its attributes", words[2]);
	if (!provdecl_set_attr(prov, words[3], attr))
		sema_die(s, D_PRAGMA_MALFORM, n,
			 "\"%s\" is not one of provider, module, function, name, args", words[3]);
}

/* "1", "1.2", "1.2.3", between quotes. */
static bool is_version(const char *s)
{
	int numbers = 0;

	if (*s++ != '"')
		return false;
	for (;;) {
		if (!isdigit((unsigned char)*s))
			return false;
		while (isdigit((unsigned char)*s))
			s++;
		if (++numbers == 3 || *s != '.')
			break;
		s++;
	}
	return !strcmp(s, "\"");
}

static void binding(struct sema *s, struct node *n)
{
	const char *words[WORDS];

	if (split(s, n, words) != 2)
		malformed(s, n, "\"1.2\" word");
	if (!is_version(words[0]))
		sema_die(s, D_PRAGMA_MALFORM, n, "invalid version %s: the form is \"1.2\"",
			 words[0]);
	name_pragma(s, n, words[1], NULL);
}

static void any_probe(void *arg, struct probe *p)
{
	(void)arg;
	(void)p;
}

static bool has_provider(struct sema *s, const char *name)
{
	struct pdesc pd = {.prov = name, .mod = "", .func = "", .name = ""};

	return provdecl_find(s, name) || probes_match(s->probes, &pd, any_probe, NULL) > 0;
}

static bool has_module(struct sema *s, const char *name)
{
	static const char *const kernel[] = {"vmlinux", "kernel", "genunix", "unix"};

	for (size_t i = 0; i < ARRAY_SIZE(kernel); i++)
		if (!strcmp(kernel[i], name))
			return true;
	return !strchr(name, '/') && !access(arena_printf(s->arena, "/sys/module/%s", name), F_OK);
}

bool sema_depend_met(struct sema *s, const char *kind, const char *name)
{
	return !strcmp(kind, "module")	   ? has_module(s, name)
	       : !strcmp(kind, "provider") ? has_provider(s, name)
					   : true;
}

static void depends_on(struct sema *s, struct node *n)
{
	const char *words[WORDS];
	bool met;

	if (split(s, n, words) != 2)
		malformed(s, n, "library|module|provider name");
	if (!strcmp(words[0], "library"))
		met = lib_read(s, words[1]);
	else if (!strcmp(words[0], "module") || !strcmp(words[0], "provider"))
		met = sema_depend_met(s, words[0], words[1]);
	else
		malformed(s, n, "library|module|provider name");
	if (!met)
		sema_die(s, D_PRAGMA_DEPEND, n, "%s requires %s %s, which is not there",
			 s->in_library ? "D library" : "program", words[0], words[1]);
}

static const char metric_form[] =
    "name help|unit|name|labels|scale|type|buckets value (the name is an aggregation's, or _)";

/* Takes a word off the text. */
static char *next_word(char **text)
{
	char *word = *text + strspn(*text, " \t");

	*text = word + strcspn(word, " \t");
	if (**text)
		*(*text)++ = '\0';
	*text += strspn(*text, " \t");
	return word;
}

static bool metric_number(const char *s, int64_t least, int64_t *n)
{
	char *end;

	errno = 0;
	*n = strtoll(s, &end, 0);
	return end != s && !*end && !errno && *n >= least;
}

static bool metric_range(struct metric_spec *m, char *value)
{
	char *low = next_word(&value);

	m->has_range = true;
	return metric_number(low, INT64_MIN, &m->low) && metric_number(value, m->low, &m->high);
}

static bool metric_set(struct metric_spec *m, const char *what, char *value)
{
	if (!strcmp(what, "help"))
		return *(m->help = value);
	if (!strcmp(what, "unit"))
		return metric_is_name(m->unit = value) && !strchr(value, ':');
	if (!strcmp(what, "name"))
		return metric_is_name(m->name = value);
	if (!strcmp(what, "labels"))
		return metric_are_labels(m->labels = value);
	if (!strcmp(what, "scale"))
		return metric_number(value, 1, &m->scale);
	if (!strcmp(what, "buckets"))
		return metric_range(m, value);
	m->gauge = !strcmp(value, "gauge");
	return !strcmp(what, "type") && (m->gauge || !strcmp(value, "counter"));
}

static _Noreturn void invalid_metric(struct sema *s, struct node *n, const char *name,
				     const char *what, const char *value)
{
	static const struct {
		const char *what, *value;
	} forms[] = {
	    {"help", "a text"},
	    {"unit", "a word of letters, digits and \"_\""},
	    {"name", "a word of letters, digits, \"_\" and \":\""},
	    {"labels", "different names (not le, quantile) with commas, for example cpu,name"},
	    {"scale", "a positive integer"},
	    {"type", "gauge or counter"},
	    {"buckets", "two integers, the lowest and the highest bound"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (!strcmp(what, forms[i].what))
			sema_die(s, D_PRAGMA_MALFORM, n,
				 "invalid #pragma D metric %s %s%s%s: the value is %s", name, what,
				 *value ? " " : "", value, forms[i].value);
	sema_die(s, D_PRAGMA_MALFORM, n,
		 "invalid #pragma D metric %s %s: it is written #pragma D metric %s", name, what,
		 metric_form);
}

static void metric(struct sema *s, struct node *n)
{
	char *text = arena_strdup(s->arena, n->str), *name = next_word(&text),
	     *what = next_word(&text), *value;
	struct metric_spec *m;

	name += *name == '@';
	if (!*name || !*what)
		malformed(s, n, metric_form);
	m = hash_gets(&s->syms->metrics, name);
	if (!m) {
		m = arena_alloc(s->arena, sizeof(*m));
		*m = (struct metric_spec){0};
		hash_puts(&s->syms->metrics, name, m);
	}
	value = arena_strdup(s->arena, text);
	if (!metric_set(m, what, text))
		invalid_metric(s, n, name, what, value);
	vec_push(&s->syms->pragmas,
		 ((struct pragma_name){.name = name, .pragma = n->name, .loc = n->loc}));
}

void sema_pragma(struct sema *s, struct node *n)
{
	if (!strcmp(n->name, "attributes"))
		attributes(s, n);
	else if (!strcmp(n->name, "binding"))
		binding(s, n);
	else if (!strcmp(n->name, "depends_on"))
		depends_on(s, n);
	else if (!strcmp(n->name, "metric"))
		metric(s, n);
	else if (!strcmp(n->name, "error"))
		sema_die(s, D_PRAGERR, n, "#error: %s", n->str);
	else if (!strcmp(n->name, "option"))
		sema_die(s, D_PRAGMA_SCOPE, n, "options cannot be set by a D library");
}

/* What an inline is made from whose stability is declared does not count, nor what the library's
 * names are made from. */
void attr_use(struct sema *s, const struct node *n, struct attr attr, const char *kind,
	      const char *name)
{
	const char *text = opt_text(s->opts, OPT_AMIN);
	struct attr least;

	if (!s->clause || s->vouched || n->loc.src->kind == SOURCE_LIBRARY)
		return;
	s->clause->attr = s->clause->has_attr ? attr_min(s->clause->attr, attr) : attr;
	s->clause->has_attr = true;
	if (text && attr_parse(text, &least) &&
	    (attr.name < least.name || attr.data < least.data || attr.class < least.class))
		sema_die(s, D_ATTR_MIN, n,
			 "attributes for %s %s (%s/%s/%s) are less than predefined minimum", kind,
			 name, stability_name(attr.name), stability_name(attr.data),
			 depclass_name(attr.class));
}

bool pragma_use(struct sema *s, const struct node *n, const char *name)
{
	bool says = false;

	for (int i = 0; i < s->syms->pragmas.n; i++) {
		const struct pragma_name *p = &s->syms->pragmas.v[i];

		if (!p->has_attr || strcmp(p->name, name))
			continue;
		attr_use(s, n, p->attr, "inline", name);
		says = true;
	}
	return says;
}

static bool is_known(struct sema *s, const char *name)
{
	static const char *const kinds[] = {"translator", "provider"}; /* of the next one */

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i], name))
			return true;
	return hash_gets(&s->syms->table[SCOPE_GLOBAL], name) || def_find(s->builtins, name) ||
	       type_find(s->types, "D", name);
}

void pragma_finish(struct sema *s)
{
	for (int i = 0; i < s->syms->pragmas.n; i++) {
		const struct pragma_name *p = &s->syms->pragmas.v[i];
		struct node at = {.loc = p->loc};

		if (!strcmp(p->pragma, "metric") && !hash_gets(&s->syms->aggs, p->name))
			sema_die(s, D_PRAGMA_UNUSED, &at,
				 "unused #pragma D metric: there is no aggregation @%s", p->name);
		if (p->loc.src->kind != SOURCE_LIBRARY && strcmp(p->pragma, "metric") &&
		    !is_known(s, p->name))
			sema_die(s, D_PRAGMA_UNUSED, &at,
				 "unused #pragma D %s: nothing is called %s", p->pragma, p->name);
	}
}
