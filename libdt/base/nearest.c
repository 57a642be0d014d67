/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/nearest.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "libdt/base/mem.h"

enum { WORD_MAX = 63 };

/* Of two words of at most WORD_MAX characters. */
static int distance(const char *a, int la, const char *b, int lb)
{
	int rows[3][WORD_MAX + 1];
	int *two_up = rows[0], *up = rows[1], *row = rows[2], *spare;

	for (int j = 0; j <= lb; j++)
		row[j] = j;
	for (int i = 1; i <= la; i++) {
		spare = two_up;
		two_up = up;
		up = row;
		row = spare;
		row[0] = i;
		for (int j = 1; j <= lb; j++) {
			row[j] = up[j - 1] + (a[i - 1] != b[j - 1]);
			row[j] = MIN(row[j], MIN(up[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = MIN(row[j], two_up[j - 2] + 1);
		}
	}
	return row[lb];
}

struct nearest nearest_within(const char *word, int distance)
{
	return (struct nearest){.word = word, .len = strlen(word), .distance = distance};
}

struct nearest nearest_to(const char *word)
{
	size_t len = strlen(word);

	return nearest_within(word, len < 6 ? 2 : len < 10 ? 3 : 4);
}

bool nearest_try(struct nearest *n, const char *name)
{
	int len = (int)strnlen(name, WORD_MAX + 1), d;

	if (n->len > WORD_MAX || len > WORD_MAX || abs(len - (int)n->len) >= n->distance)
		return false;
	d = distance(n->word, (int)n->len, name, len);
	if (d > 1 && !strcasecmp(n->word, name))
		d = 1;
	if (d >= n->distance)
		return false;
	n->distance = d;
	n->best = name;
	return true;
}
