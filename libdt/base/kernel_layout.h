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

struct kernel_member {
	const char *type, *path;
	uint64_t *off; /* gets it, in bytes */
};

/* All of them; false: the kernel's types lack one. */
static inline bool kernel_layout_find(const struct kernel_layout *k,
				      const struct kernel_member *members, int n)
{
	for (int i = 0; i < n; i++)
		if (!k->offset(k->arg, members[i].type, members[i].path, members[i].off))
			return false;
	return true;
}

#endif
