/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's BTF objects of modules, by name. Programs on a module's functions are loaded
 * against them. */
#ifndef DT_MODBTF_H
#define DT_MODBTF_H

#include "libdt/base/mem.h"

struct modbtf_entry {
	char *name;
	int fd;
};

/* All zero is none open yet. */
struct modbtf {
	VEC(struct modbtf_entry) open;
};

/* The fd of a module's BTF, which stays ours; 0 for "vmlinux", -errno when there is none. */
int modbtf_fd(struct modbtf *m, const char *module);
void modbtf_free(struct modbtf *m);

#endif
