/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/radix.h"

#include <stdlib.h>

#include "libdt/base/mem.h"

/* Moves the indices from one array to the other, by one byte of their keys. */
static void pass(const uint64_t *keys, const uint32_t *from, uint32_t *to, uint32_t n, int shift)
{
	uint32_t places[256] = {0}, at = 0;

	for (uint32_t i = 0; i < n; i++)
		places[(uint8_t)(keys[i] >> shift)]++;
	for (int b = 0; b < 256; b++) {
		uint32_t count = places[b];

		places[b] = at;
		at += count;
	}
	for (uint32_t i = 0; i < n; i++)
		to[places[(uint8_t)(keys[from[i]] >> shift)]++] = from[i];
}

uint32_t *radix_order(const uint64_t *keys, uint32_t n)
{
	uint32_t *order = xcalloc(n, sizeof(*order)), *other = xcalloc(n, sizeof(*other));
	uint64_t differ = 0;

	for (uint32_t i = 0; i < n; i++) {
		order[i] = i;
		differ |= keys[i] ^ keys[0];
	}
	for (int shift = 0; shift < 64; shift += 8)
		if ((uint8_t)(differ >> shift)) {
			uint32_t *swap = order;

			pass(keys, order, other, n, shift);
			order = other;
			other = swap;
		}
	free(other);
	return order;
}
