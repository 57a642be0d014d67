/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/consumer/folded.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More than any picture shows; a device may have no end. */
enum { MAX_BYTES = 256 << 20 };

/* Where the value of a line begins; NULL: it has none. */
static const char *value_of(const char *line, size_t len)
{
	size_t at = len;

	while (at && line[at - 1] >= '0' && line[at - 1] <= '9')
		at--;
	return at > 1 && at < len && len - at < 20 && line[at - 1] == ' ' ? line + at : NULL;
}

static int check(const char *path, const struct strbuf *text, struct strbuf *why)
{
	const char *line = sb_str(text);
	int n = 1;

	for (size_t len; *line; line += len + (line[len] != '\0'), n++) {
		len = strcspn(line, "\n");
		if (len && !value_of(line, len)) {
			sb_printf(why,
				  "%s: line %d is no folded stack (names joined by ';', a "
				  "blank, a count)",
				  path, n);
			return -1;
		}
	}
	if (strlen(sb_str(text)) == text->len)
		return 0;
	sb_printf(why, "%s: not a text", path);
	return -1;
}

int folded_read(const char *path, struct strbuf *text, struct strbuf *why)
{
	FILE *in = fopen(path, "re");
	char block[65536];
	size_t n;

	errno = in ? 0 : errno;
	while (in && text->len <= MAX_BYTES && (n = fread(block, 1, sizeof(block), in)))
		sb_add(text, block, n);
	if (!in || ferror(in))
		sb_printf(why, "%s: %s", path, strerror(errno));
	else if (text->len > MAX_BYTES)
		sb_printf(why, "%s: more than %d MB", path, MAX_BYTES >> 20);
	if (in)
		fclose(in);
	return why->len ? -1 : check(path, text, why);
}

bool folded_next(const char **at, const char **names, size_t *len, uint64_t *value)
{
	while (**at) {
		const char *line = *at, *number;
		size_t n = strcspn(line, "\n");

		*at = line + n + (line[n] != '\0');
		number = value_of(line, n);
		if (!number)
			continue;
		*names = line;
		*len = number - 1 - line;
		*value = strtoull(number, NULL, 10);
		return true;
	}
	return false;
}
