/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The D library is D text: inlines, types, translators and provider declarations, built into the
 * program (libdt/lib/) and in directories of the user's (-L). A program that uses none of its
 * names must not pay for it, and a file that does not fit this kernel must not affect programs that
 * do not use it. So nothing is parsed at the start. When a name comes up that neither the program
 * nor D itself knows, the texts are skimmed once, by words and brackets only, for what each file
 * declares; the file that declares the name is then parsed as if it stood in front of the
 * program. Its inlines and translators are trees after that, which are typed where they are used.
 *
 * Files of -L are the user's own text: after the programs all of them are read and their
 * definitions typed, used or not (sema_check_unused), so that an error shows when it is made.
 * Files that depend on a module or provider that is not there are left out, as such a directory
 * serves several systems; to use their names is an error.
 *
 * A name that the program declares is the program's; of two files with the same name the first
 * counts: -L's, in the order of the options, files of one directory by name, then those that are
 * built in.
 */
#include "libdt/lang/lib.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libdt/base/nearest.h"
#include "libdt/lang/sema_parts.h"

#define FILE_MAX (4 << 20)

struct lib_file {
	const char *name, *path; /* path: NULL for what is built in */
	const char *text;
	bool read, reading;
	bool own;     /* of -L */
	bool visited; /* by fits() */
};

/* The files that declare a name, in order. */
struct lib_name {
	struct lib_name *next;
	struct lib_file *file;
};

struct library {
	VEC(struct lib_file *) files;
	struct hash names; /* struct lib_name */
	bool indexed;
};

/* Constants that are others on other machines, as the C compiler knows them. */
#define TEXT(value) #value
#ifdef __aarch64__
#define LARGEFILE 0400000 /* the C library says 0 */
#else
#define LARGEFILE 0100000
#endif
#define CONSTANT(name, value) "inline int " name " = " TEXT(value) ";\n"

static const struct {
	const char *name, *text;
} builtin[] = {
    {"machine.d", CONSTANT("O_DIRECT", O_DIRECT) CONSTANT("O_DIRECTORY", O_DIRECTORY)
		      CONSTANT("O_NOFOLLOW", O_NOFOLLOW) CONSTANT("O_LARGEFILE", LARGEFILE)},
#include "libdt/lib/library.h"
    {NULL, NULL},
};

/* What a file declares ---------------------------------------------------- */

struct skim {
	struct sema *s;
	struct lib_file *file;
	const char *at, *word; /* of the word or sign that was read */
	size_t len;
};

static void declares(struct skim *k, const char *prefix, const char *name, size_t len)
{
	struct lib_name *n = arena_alloc(k->s->arena, sizeof(*n)), *last;
	struct strbuf key = {0};
	void **first;

	n->file = k->file;
	sb_puts(&key, prefix);
	sb_add(&key, name, len);
	first = hash_ref(&k->s->library->names, key.s, key.len);
	sb_free(&key);
	last = *first;
	if (!last) {
		*first = n;
		return;
	}
	while (last->next)
		last = last->next;
	if (last->file != k->file)
		last->next = n;
}

static const char *skim_blank(const char *p)
{
	for (;;) {
		if (*p == ' ' || (*p >= '\t' && *p <= '\r')) {
			p++;
		} else if (p[0] == '/' && p[1] == '*') {
			p = strstr(p + 2, "*/");
			if (!p)
				return "";
			p += 2;
		} else if ((p[0] == '/' && p[1] == '/') || *p == '#') {
			p += strcspn(p, "\n");
		} else {
			return p;
		}
	}
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static bool is_name(const struct skim *k)
{
	return is_word(*k->word) && *k->word > '9';
}

static bool word_is(const struct skim *k, const char *text)
{
	return strlen(text) == k->len && !memcmp(k->word, text, k->len);
}

/* Reads a word, a number, a string or a sign. */
static bool next(struct skim *k)
{
	const char *p = skim_blank(k->at);

	k->word = p;
	if (!*p)
		return false;
	if (is_word(*p)) {
		while (is_word(*p))
			p++;
	} else if (*p == '"' || *p == '\'') {
		for (p++; *p && *p != *k->word; p++)
			p += *p == '\\' && p[1];
		p += *p != '\0';
	} else {
		p++;
	}
	k->len = p - k->word;
	k->at = p;
	return true;
}

/* Skips to the end of the current item, past its semicolon. */
static void skip_item(struct skim *k)
{
	int depth = 0;

	do {
		char c = *k->word;

		if (c == ';' && depth <= 0)
			return;
		depth += (c == '{' || c == '(' || c == '[') - (c == '}' || c == ')' || c == ']');
	} while (next(k));
}

/* inline TYPE NAME = ..., inline TYPE NAME[...] = ... */
static void skim_inline(struct skim *k)
{
	const char *name = NULL;
	size_t len = 0;

	while (next(k) && !strchr("=[(;", *k->word))
		if (is_name(k)) {
			name = k->word;
			len = k->len;
		}
	if (name)
		declares(k, "", name, len);
	skip_item(k);
}

/* translator OUT < IN *p > ... */
static void skim_translator(struct skim *k)
{
	struct strbuf out = {0};

	while (next(k) && *k->word != '<' && *k->word != ';')
		if (!word_is(k, "const") && !word_is(k, "volatile"))
			sb_printf(&out, "%s%.*s", out.len ? " " : "", (int)k->len, k->word);
	declares(k, "translator ", sb_str(&out), out.len);
	sb_free(&out);
	skip_item(k);
}

/* After "struct", "union" or "enum": its tag, if it has a body here, and the constants of an
 * enum. */
static void skim_tagged(struct skim *k, bool is_enum)
{
	const char *tag = NULL, *prefix = word_is(k, "struct")	? "struct "
					  : word_is(k, "union") ? "union "
								: "enum ";
	const char *back = k->at;
	size_t len = 0;
	char before = '{';

	if (next(k) && is_name(k)) {
		tag = k->word;
		len = k->len;
		back = k->at;
		next(k);
	}
	if (*k->word != '{') {
		k->at = back;
		return;
	}
	if (tag)
		declares(k, prefix, tag, len);
	if (!is_enum) {
		k->at = back;
		return;
	}
	for (; next(k) && *k->word != '}'; before = *k->word)
		if (is_name(k) && (before == '{' || before == ','))
			declares(k, "", k->word, k->len);
}

/* A declaration, from its first word on: what its declarators name. */
static void skim_declaration(struct skim *k)
{
	const char *name = NULL;
	size_t len = 0;
	int depth = 0;

	do {
		char c = *k->word;

		if (word_is(k, "struct") || word_is(k, "union") || word_is(k, "enum")) {
			skim_tagged(k, word_is(k, "enum"));
			continue;
		}
		if (!depth && name && strchr(";,[(", c) && k->len == 1) {
			declares(k, "", name, len);
			name = NULL;
		}
		if (c == ';' && !depth)
			return;
		if (is_name(k) && !depth) {
			name = k->word;
			len = k->len;
			/* int (*f)(int) */
		} else if (is_name(k) && depth == 1 && skim_blank(k->at)[0] == ')' && !name) {
			name = k->word;
			len = k->len;
		}
		depth += (c == '{' || c == '(' || c == '[') - (c == '}' || c == ')' || c == ']');
	} while (next(k));
}

static void skim_file(struct sema *s, struct lib_file *f)
{
	struct skim k = {.s = s, .file = f, .at = f->text};

	while (next(&k)) {
		if (word_is(&k, "inline")) {
			skim_inline(&k);
		} else if (word_is(&k, "translator")) {
			skim_translator(&k);
		} else if (word_is(&k, "provider")) {
			if (next(&k))
				declares(&k, "provider ", k.word, k.len);
			skip_item(&k);
		} else if (is_name(&k)) {
			skim_declaration(&k);
		}
	}
}

/* Which files there are --------------------------------------------------- */

static void add_file(struct sema *s, const char *name, const char *path, const char *text)
{
	struct lib_file *f = arena_alloc(s->arena, sizeof(*f));

	f->name = name;
	f->path = path;
	f->text = text;
	vec_push(&s->library->files, f);
}

static _Noreturn void broken_file(struct sema *s, const char *path, int err)
{
	s->diag->where = NULL;
	sema_die(s, D_PRAGMA_DEPEND, NULL, "failed to read D library %s: %s", path, strerror(err));
}

/* The text of a file of the user's; it must be text. */
static const char *file_text(struct sema *s, const char *path)
{
	FILE *f = fopen(path, "re");
	struct strbuf sb = {0};
	const char *text;
	char buf[4096];
	size_t n;
	int err = 0;

	if (!f)
		broken_file(s, path, errno);
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0 && sb.len < FILE_MAX)
		sb_add(&sb, buf, n);
	if (ferror(f))
		err = errno;
	else if (sb.len >= FILE_MAX)
		err = EFBIG;
	fclose(f);
	if (!err && sb.len && memchr(sb.s, '\0', sb.len))
		err = EILSEQ;
	text = arena_strndup(s->arena, sb_str(&sb), sb.len);
	sb_free(&sb);
	if (err)
		broken_file(s, path, err);
	return text;
}

static int is_library(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 2 && *e->d_name != '.' && !strcmp(e->d_name + n - 2, ".d");
}

static void add_directory(struct sema *s, const char *dir)
{
	struct dirent **list;
	int n = scandir(dir, &list, is_library, alphasort);

	if (n < 0)
		broken_file(s, dir, errno);
	for (int i = 0; i < n; i++) {
		const char *name = arena_strdup(s->arena, list[i]->d_name);
		const char *path = arena_printf(s->arena, "%s/%s", dir, name);
		struct stat st;

		free(list[i]);
		if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
			add_file(s, name, path, NULL);
	}
	free(list);
}

/* The directories of -L, one a line. */
static void add_directories(struct sema *s, const char *list)
{
	while (list && *list) {
		size_t n = strcspn(list, "\n");

		add_directory(s, arena_strndup(s->arena, list, n));
		list += n + (list[n] == '\n');
	}
}

static void find_files(struct sema *s)
{
	const char *system = opt_text(s->opts, OPT_SYSLIBDIR);
	struct library *lib = s->library;

	if (lib->indexed)
		return;
	lib->indexed = true;
	if (opt_on(s->opts, OPT_NOLIBS))
		return;
	add_directories(s, opt_text(s->opts, OPT_LIBDIR));
	for (int i = 0; i < lib->files.n; i++)
		lib->files.v[i]->own = true;
	if (system)
		add_directory(s, system);
	for (int i = 0; !system && builtin[i].name; i++)
		add_file(s, builtin[i].name, NULL, builtin[i].text);
	if (!system)
		add_file(s, "system.d", NULL, system_text(s->arena));
	for (int i = 0; i < lib->files.n; i++) {
		struct lib_file *f = lib->files.v[i];

		if (f->path)
			f->text = file_text(s, f->path);
		skim_file(s, f);
	}
}

const char *lib_dir_error(const char *dir)
{
	DIR *d = opendir(dir);

	if (!d)
		return strerror(errno);
	closedir(d);
	return NULL;
}

/* Reading one ------------------------------------------------------------- */

static bool is_type(void *arg, const char *name)
{
	return type_is_name(arg, name);
}

static const char *no_macros(void *arg, const char *name)
{
	(void)arg;
	(void)name;
	return NULL;
}

static bool read_file(struct sema *s, struct lib_file *f)
{
	struct parse *p;
	struct sema was = *s;
	const char *where = s->diag->where;
	struct node *next;
	bool library;

	if (f->read)
		return false;
	f->read = true;
	p = arena_alloc(s->arena, sizeof(*p));
	*p = (struct parse){.arena = s->arena,
			    .trees = s->trees,
			    .diag = s->diag,
			    .is_type = is_type,
			    .macro_arg = no_macros,
			    .arg = s->types};
	p->src = source_new(s->arena, SOURCE_LIBRARY, f->path ? f->path : f->name, f->text,
			    strlen(f->text));
	s->parse = p;
	s->in_library = f->reading = true;
	s->own_library = f->own;
	s->diag->where = NULL;
	library = types_enter(s->types, true);
	p->result = parse_program(p);
	for (struct node *item = p->result->list; item; item = next) {
		next = item->next;
		sema_item(s, item);
	}
	types_enter(s->types, library);
	f->reading = false;
	was.cloned = s->cloned;
	*s = was;
	s->diag->where = where;
	return true;
}

bool lib_declare(struct sema *s, const char *name)
{
	bool all = !strncmp(name, "translator ", 11), any = false;
	int64_t value;

	if (type_declared_enumerator(s->types, name, &value))
		return false;
	find_files(s);
	for (struct lib_name *n = hash_gets(&s->library->names, name); n; n = all ? n->next : NULL)
		any |= read_file(s, n->file);
	return any;
}

static struct lib_file *file_named(struct sema *s, const char *name)
{
	find_files(s);
	for (int i = 0; i < s->library->files.n; i++)
		if (!strcmp(s->library->files.v[i]->name, name))
			return s->library->files.v[i];
	return NULL;
}

bool lib_read(struct sema *s, const char *file)
{
	struct lib_file *f = file_named(s, file);

	if (!f)
		return false;
	if (f->reading)
		sema_die(s, D_PRAGMA_DEPEND, NULL, "D library %s depends on itself", file);
	read_file(s, f);
	return true;
}

/* Whether the modules and providers are there that the file and those it needs depend on. It is
 * not parsed: without them its types may not be known either. */
static bool fits(struct sema *s, struct lib_file *f)
{
	char kind[16], name[256];
	bool ok = true;

	if (f->visited) /* in a circle, which reading it reports */
		return true;
	f->visited = true;
	for (const char *line = f->text; line && ok; line = strchr(line, '\n')) {
		struct lib_file *needed;

		line += *line == '\n';
		if (sscanf(line, " # pragma D depends_on %15s %255s", kind, name) != 2)
			continue;
		needed = strcmp(kind, "library") ? NULL : file_named(s, name);
		ok = sema_depend_met(s, kind, name) && (!needed || fits(s, needed));
	}
	f->visited = false;
	return ok;
}

void lib_read_own(struct sema *s)
{
	if (!opt_text(s->opts, OPT_LIBDIR))
		return;
	find_files(s);
	for (int i = 0; i < s->library->files.n; i++) {
		struct lib_file *f = s->library->files.v[i];

		if (f->own && !f->read && fits(s, f))
			read_file(s, f);
	}
}

const char *lib_similar(struct sema *s, const char *name)
{
	struct nearest near = nearest_to(name);

	find_files(s);
	for (size_t i = 0; i < s->library->names.n; i++) {
		const char *key = s->library->names.entries[i].key;

		if (key && !strchr(key, ' '))
			nearest_try(&near, key);
	}
	return near.best;
}

static bool declare(void *arg, const char *name)
{
	return lib_declare(arg, name);
}

void lib_init(struct sema *s)
{
	s->library = arena_alloc(s->arena, sizeof(*s->library));
	types_set_library(s->types, declare, s);
}

void lib_free(struct sema *s)
{
	if (!s->library)
		return;
	vec_free(&s->library->files);
	hash_free(&s->library->names);
}
