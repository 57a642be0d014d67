/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics of the system that BPF programs cannot read on every kernel; dtrace updates them in a
 * map: dt_sysstat(n), dt_cpu_sysstat(n, cpu). */
#ifndef DT_SYSSTAT_H
#define DT_SYSSTAT_H

#include <stdbool.h>
#include <stdint.h>

/* Writes all of them (SYSSTATS words, libdt/abi/control.h) to where the programs read. */
void sysstat_refresh(uint64_t *to, bool net);
/* A counter of the network's, which is read where net is said: its figure by the name that mib
 * has for it; -1: there is none. */
int sysstat_net(const char *name);

/* The package and the NUMA node of a CPU; 0 where unknown. */
void sysstat_of_cpu(int cpu, uint32_t *chip, uint32_t *node);

#endif
