/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/run/figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "libdt/lang/gen.h"

/* The number behind a word of a small file of /proc; 0 when it is not there. */
static uint64_t number_of(const char *path, const char *word, int fields)
{
	uint64_t n = 0;
	char line[256];
	FILE *f = fopen(path, "re");

	while (f && fgets(line, sizeof(line), f)) {
		const char *p = line;

		if (strncmp(line, word, strlen(word)))
			continue;
		for (int i = 0; i < fields; i++) {
			p += strcspn(p, " \t");
			p += strspn(p, " \t");
		}
		if (sscanf(p, "%" SCNu64, &n) == 1)
			break;
	}
	if (f)
		fclose(f);
	return n;
}

void figures_refresh(uint64_t *to)
{
	uint64_t page = sysconf(_SC_PAGESIZE), now[FIGURES] = {0};
	struct sysinfo s = {0};

	sysinfo(&s);
	for (int i = 0; i < 3; i++) /* they come with 16 bits behind the point */
		now[FIGURE_LOAD + i] = s.loads[i];
	now[FIGURE_FREE] = (uint64_t)s.freeram * s.mem_unit / page;
	now[FIGURE_AVAILABLE] = number_of("/proc/meminfo", "MemAvailable:", 1) * 1024 / page;
	now[FIGURE_SWAP] = (uint64_t)s.totalswap * s.mem_unit / page;
	now[FIGURE_SWAPPED] = (uint64_t)(s.totalswap - s.freeswap) * s.mem_unit / page;
	now[FIGURE_LAST_PID] = number_of("/proc/loadavg", "", 4);
	for (int i = 0; i < FIGURES; i++)
		__atomic_store_n(&to[i], now[i], __ATOMIC_RELAXED);
}
