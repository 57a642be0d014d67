/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the kernel sees the memory of a struct page. */
#ifndef DT_DIRECT_MAP_H
#define DT_DIRECT_MAP_H

#include <stdint.h>

#include "libdt/base/kernel_layout.h"

struct feats;

/*
 * The kernel has all memory mapped in one piece, and so its struct pages: the memory of the one
 * at address P is at P * scale plus this number (modulo 2^64). 0: it could not be found out.
 */
uint64_t direct_map_base(struct feats *feats, const struct kernel_layout *kernel);
/*
 * The number that makes an address of a physical one there, and in *bits how far the highest
 * table of a process's pages shifts the addresses of a process (tables of 512 entries, pages of 4
 * KB). 0: it could not be found out.
 */
uint64_t direct_map_direct(struct feats *feats, const struct kernel_layout *kernel, uint32_t *bits);

#endif
