/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tracing getppid costs at least: BPF programs written by hand, one for each job of make
 * bench. */
#ifndef DT_TESTS_BENCH_HAND_H
#define DT_TESTS_BENCH_HAND_H

/* The name of the i-th kind of programs; NULL after the last. */
const char *hand_kind(int i);

/* Attaches the programs of a kind for as long as this process lives. 0, or a negative errno;
 * -EINVAL: no such kind. */
int hand_attach(const char *kind);

#endif
