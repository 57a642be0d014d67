/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the next instruction begins. */
#ifndef DT_X86LEN_H
#define DT_X86LEN_H

#include <stddef.h>
#include <stdint.h>

/* The length of the x86-64 instruction at code, of which n bytes are there; 0 when it is none, or not one that is known. */
int x86_length(const uint8_t *code, size_t n);

#endif
