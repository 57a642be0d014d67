/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of sampled programs (map dt_sampling, -x maxcpu): a word for each program, the binary
 * logarithm of N, which dtrace sets; then for each CPU a struct sample_gap for each program.
 */
#ifndef DT_ABI_SAMPLE_H
#define DT_ABI_SAMPLE_H

#include <stdint.h>

/* What of a program is left out of firings that do not count. */
enum sample_scope { SAMPLE_NONE, SAMPLE_SOME, SAMPLE_ALL };

struct sample_gap {
	uint32_t left;	/* firings that are left out before one counts */
	uint32_t shift; /* which counts as 1 << shift: N when the gap was drawn */
};

/* Bytes of the words; and of a CPU. CPUs do not share cache lines, nor pairs of them. */
static inline uint32_t sample_rates(int programs)
{
	return (programs * sizeof(uint32_t) + 127) / 128 * 128;
}

static inline uint32_t sample_stride(int programs)
{
	return (programs * sizeof(struct sample_gap) + 127) / 128 * 128;
}

/* Bytes of the map. */
static inline uint32_t sample_memory(int programs, int ncpus)
{
	return sample_rates(programs) + (uint32_t)ncpus * sample_stride(programs);
}

#endif
