/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "Did you mean": of many names the one that is nearest to a word, by how many insertions,
 * deletions, replacements and swaps of neighbours make one of the other; 1 for capital letters
 * alone.
 */
#ifndef DT_BASE_NEAREST_H
#define DT_BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

struct nearest {
	const char *word;
	size_t len;	  /* of the word */
	const char *best; /* the name, as it was given; NULL: none is near */
	int distance;	  /* its; without one the least that is too far */
};

/* Near is less than 3: less than 4 for a word of 10 characters or more, less than 2 for one of
 * fewer than 6, which is near to many. A word of more than 63 characters is near to nothing. word
 * must outlive the result. */
struct nearest nearest_to(const char *word);
/* The same, where a name is near at less than a distance. */
struct nearest nearest_within(const char *word, int distance);
/* Is the name nearer than all before? Then it is the best; the caller keeps it, or sets best to a
 * copy. */
bool nearest_try(struct nearest *n, const char *name);

#endif
