/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/tool.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/nearest.h"
#include "libdt/base/escape.h"
#include "libdt/base/mem.h"

enum { NAME_LIMIT = 63, HEADER_LIMIT = 1 << 16 };

static const char suffix[] = ".d";

bool tool_is_name(const char *name)
{
	size_t len = strlen(name);

	for (const char *s = name; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("-_", *s))
			return false;
	return len > 0 && len <= NAME_LIMIT;
}

static char *path_of(const char *dir, const char *name)
{
	return xasprintf("%s/%s%s", dir, name, suffix);
}

char *tool_path(const char *dir, const char *name)
{
	char *path = path_of(dir, name);

	if (!access(path, R_OK))
		return path;
	free(path);
	return NULL;
}

/* A filter of scandir(): files that are named as tools are. */
static int is_script(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	char name[NAME_LIMIT + 1];
	size_t len = dot ? dot - entry->d_name : 0;

	if (!len || len > NAME_LIMIT || entry->d_type == DT_DIR || strcmp(dot, suffix))
		return 0;
	memcpy(name, entry->d_name, len);
	name[len] = '\0';
	return tool_is_name(name);
}

struct names {
	char **v;
	int n;
};

/* The names of the tools of dir, sorted; 0 or -errno. */
static int names_read(struct names *names, const char *dir)
{
	struct dirent **entries;

	names->v = NULL;
	names->n = scandir(dir, &entries, is_script, alphasort);
	if (names->n < 0) {
		names->n = 0;
		return -errno;
	}
	names->v = xcalloc(names->n + 1, sizeof(*names->v));
	for (int i = 0; i < names->n; i++) {
		names->v[i] = xstrdup(entries[i]->d_name);
		names->v[i][strlen(names->v[i]) - strlen(suffix)] = '\0';
		free(entries[i]);
	}
	free(entries);
	return 0;
}

static void names_free(struct names *names)
{
	for (int i = 0; i < names->n; i++)
		free(names->v[i]);
	free(names->v);
}

char *tool_nearest(const char *dir, const char *name)
{
	struct nearest near = nearest_within(name, strlen(name) < 4 ? 2 : 3);
	struct names names;
	char *copy;

	names_read(&names, dir);
	for (int i = 0; i < names.n; i++)
		nearest_try(&near, names.v[i]);
	copy = near.best ? xstrdup(near.best) : NULL;
	names_free(&names);
	return copy;
}

/*
 * The text of the first comment, without what frames it: NULL and errno if the script cannot be
 * read; "" if it does not begin with a comment. The caller frees it.
 */
static char *read_header(const char *path)
{
	FILE *f = fopen(path, "re");
	char buf[HEADER_LIMIT], *s = buf, *end, *next;
	struct strbuf sb = {0};
	size_t n;

	if (!f)
		return NULL;
	n = fread(buf, 1, sizeof(buf) - 1, f);
	buf[n] = '\0';
	fclose(f);
	while (*s == '#') /* "#!" */
		s += strcspn(s, "\n") + (strchr(s, '\n') != NULL);
	end = strstr(s, "*/");
	if (!end || strncmp(s, "/*", 2))
		return xstrdup("");
	*end = '\0';
	for (s += 2; s; s = next) {
		next = strchr(s, '\n');
		if (next)
			*next++ = '\0';
		s += strspn(s, " ");
		s += *s == '*';
		s += *s == ' ';
		if (sb.len || *s)
			sb_printf(&sb, "%s\n", s);
	}
	while (sb.len && strchr(" \n", sb.s[sb.len - 1]))
		sb.s[--sb.len] = '\0';
	return sb.s ? sb.s : xstrdup("");
}

/* What the header's first line says after "NAME: ". */
static char *read_purpose(const char *dir, const char *name)
{
	char *path = path_of(dir, name), *header = read_header(path), *colon, *purpose;

	free(path);
	if (!header)
		return xstrdup("");
	header[strcspn(header, "\n")] = '\0';
	colon = strstr(header, ": ");
	purpose = xstrdup(colon ? colon + 2 : header);
	free(header);
	return purpose;
}

int tool_help(const char *path, FILE *out)
{
	char *header = read_header(path);
	struct strbuf sb = {0};

	if (!header)
		return -errno;
	escape_add(&sb, header, strlen(header), ESCAPE_TEXT);
	fprintf(out, "%s\n", sb_str(&sb));
	sb_free(&sb);
	free(header);
	return 0;
}

int tool_list(const char *dir, FILE *out)
{
	struct names names;
	int rc = names_read(&names, dir);

	for (int i = 0; i < names.n; i++) {
		char *purpose = read_purpose(dir, names.v[i]);

		fprintf(out, "%-16s ", names.v[i]);
		escape_put(out, purpose);
		fputc('\n', out);
		free(purpose);
	}
	names_free(&names);
	return rc;
}

void tool_complete(const char *dir, const char *text, FILE *out)
{
	struct names names;

	names_read(&names, dir);
	for (int i = 0; i < names.n; i++) {
		char *purpose;

		if (strncmp(names.v[i], text, strlen(text)) != 0)
			continue;
		purpose = read_purpose(dir, names.v[i]);
		fprintf(out, "tool=%s\t", names.v[i]);
		escape_put(out, purpose);
		fputc('\n', out);
		free(purpose);
	}
	names_free(&names);
}
