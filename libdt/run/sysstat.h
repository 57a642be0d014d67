/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures of the system that programs cannot read everywhere, and which dtrace keeps up to date for them: dt_figure(n), dt_cpu_figure(n, cpu). */
#ifndef DT_FIGURES_H
#define DT_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

/* Writes all of them (FIGURES words, libdt/lang/gen.h) to where the programs read. */
void figures_refresh(uint64_t *to, bool net);
/* A counter of the network's, which is read where net is said: its figure by the name that mib has for it; -1: there is none. */
int figures_net(const char *name);

/* Where a CPU is: its package and its NUMA node; 0 where that is not told. */
void figures_of_cpu(int cpu, uint32_t *chip, uint32_t *node);

#endif
