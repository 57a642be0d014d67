/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where members of the kernel's structures are, for parts that do not read types themselves. */
#ifndef DT_KERNEL_LAYOUT_H
#define DT_KERNEL_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct kernel_layout {
	/* As type_kernel_offset() (type/type.h). */
	bool (*offset)(void *arg, const char *type, const char *path, uint64_t *off);
	void *arg;
	/* Bytes of a page for each byte of its struct page; 0: not a whole number, or no types. */
	uint32_t (*page_scale)(void *arg);
};

#endif
