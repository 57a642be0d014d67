/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rt_vma_table() returns. */
#ifndef DT_RT_VMA_H
#define DT_RT_VMA_H

enum {
	VMA_NONE,  /* nothing is mapped there, or the kernel's lists cannot be read */
	VMA_TABLE, /* of a file with a struct unwind_file */
	VMA_FILE,  /* of a file without one */
	VMA_OTHER, /* of no file */
};

#endif
