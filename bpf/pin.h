/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BPF objects under names in a BPF file system, where they stay when the process ends. */
#ifndef DT_PIN_H
#define DT_PIN_H

#include <stdbool.h>

/* Is the directory in a BPF file system? */
bool pin_is_bpffs(const char *dir);
/* Gives an object (a map, a program, a link) a name. 0 or -errno; -EINVAL: it is no such object. */
int pin_save(int fd, const char *path);
/* Opens the object of a name: a descriptor, or -errno. */
int pin_open(const char *path);

#endif
