/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process that gets the inputs for libraries which do not validate what they read (libctf, libdw,
 * libelf). A crash inside of them ends it, as in dtrace, and is no finding; one of our code is
 * reported. The parent knows through shared memory what an input covered.
 */
#ifndef DT_FUZZ_APART_H
#define DT_FUZZ_APART_H

#include <stddef.h>
#include <stdint.h>

/* Calls fn in that process, always the same one. Aborts when it ended otherwise; it has reported
 * why. */
void apart(void (*fn)(const uint8_t *data, size_t size), const uint8_t *data, size_t size);

#endif
