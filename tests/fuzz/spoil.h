/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the fuzzers that spoil files share: random numbers that a seed repeats, and whole files. */
#ifndef DT_FUZZ_SPOIL_H
#define DT_FUZZ_SPOIL_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "libdt/base/mem.h"

struct file {
	uint8_t *data;
	size_t len;
};

static uint64_t state; /* not 0 */

/* Below a number; 0: any of 64 bits. */
static inline uint64_t any(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return below ? state % below : 0;
}

/* At most so many bytes of a file; ends the process when it cannot be read. */
static inline struct file slurp(const char *path, long most)
{
	FILE *in = fopen(path, "rb");
	struct file f = {0};
	long len;

	if (!in || fseek(in, 0, SEEK_END) || (len = ftell(in)) < 0) {
		perror(path);
		exit(1);
	}
	rewind(in);
	len = MIN(len, most);
	f.data = xcalloc(1, len + 1);
	f.len = fread(f.data, 1, len, in);
	fclose(in);
	return f;
}

#endif
