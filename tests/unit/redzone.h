/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clang's AddressSanitizer adds the redzone after a variable to the size of its symbol. */
#ifndef DT_TEST_REDZONE_H
#define DT_TEST_REDZONE_H

#ifdef __clang__
#define NO_REDZONE __attribute__((no_sanitize("address")))
#else
#define NO_REDZONE
#endif

#endif
