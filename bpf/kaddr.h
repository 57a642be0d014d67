/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The address of one symbol of the kernel's, from the kernel itself. */
#ifndef DT_KADDR_H
#define DT_KADDR_H

#include <stdint.h>

/* BPF programs that look up kernel addresses, loaded on first use. */
struct kaddr;
struct kaddr *kaddr_open(void);
void kaddr_close(struct kaddr *k);
/*
 * On kernels with FEAT_SYM_LOOKUP. Asks for "name" or "module:name". 0, or -errno: ENOENT when
 * the kernel knows no such symbol, others (EPERM, EINVAL, ...) when it does not answer and
 * /proc/kallsyms has to be read.
 */
int kaddr_find(struct kaddr *k, const char *name, uint64_t *addr);
/* The same, with the symbol's end. */
int kaddr_range(struct kaddr *k, const char *name, uint64_t *addr, uint64_t *end);

#endif
