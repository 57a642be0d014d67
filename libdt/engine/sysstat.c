/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/engine/sysstat.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "libdt/abi/control.h"
#include "libdt/base/mem.h"

/* The number that follows a word in a small file of /proc; 0 when the word is missing. */
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

static const struct net_count {
	const char *name, *group, *field;
} net_counts[] = {
#define NETCOUNT(name, group, field) {#name, group, field},
#include "libdt/abi/netstat.def"
#undef NETCOUNT
};
_Static_assert(SYSSTAT_NET + ARRAY_SIZE(net_counts) <= SYSSTATS, "each counter has a word");

int sysstat_net(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(net_counts); i++)
		if (!strcmp(net_counts[i].name, name))
			return SYSSTAT_NET + i;
	return -1;
}

/* What a pair of lines has: "Tcp: InSegs OutSegs ..." and "Tcp: 12 13 ...". */
static void take_pair(char *names, char *values, uint64_t *to)
{
	const char *group = strsep(&names, " "), *name, *value;

	strsep(&values, " ");
	while ((name = strsep(&names, " \n")) && (value = strsep(&values, " \n")))
		for (size_t i = 0; i < ARRAY_SIZE(net_counts); i++)
			if (!strcmp(net_counts[i].group, group) &&
			    !strcmp(net_counts[i].field, name))
				to[i] = strtoull(value, NULL, 10);
}

static void read_pairs(const char *path, uint64_t *to)
{
	char *names = NULL, *values = NULL;
	size_t space = 0, more = 0;
	FILE *f = fopen(path, "re");

	while (f && getline(&names, &space, f) > 0 && getline(&values, &more, f) > 0)
		take_pair(names, values, to);
	free(names);
	free(values);
	if (f)
		fclose(f);
}

void sysstat_refresh(uint64_t *to, bool net)
{
	uint64_t page = sysconf(_SC_PAGESIZE), now[SYSSTATS] = {0};
	struct sysinfo s = {0};

	sysinfo(&s);
	for (int i = 0; i < 3; i++) /* fixed point, 16 fractional bits */
		now[SYSSTAT_LOAD + i] = s.loads[i];
	now[SYSSTAT_FREE] = (uint64_t)s.freeram * s.mem_unit / page;
	now[SYSSTAT_AVAILABLE] = number_of("/proc/meminfo", "MemAvailable:", 1) * 1024 / page;
	now[SYSSTAT_SWAP] = (uint64_t)s.totalswap * s.mem_unit / page;
	now[SYSSTAT_SWAPPED] = (uint64_t)(s.totalswap - s.freeswap) * s.mem_unit / page;
	now[SYSSTAT_LAST_PID] = number_of("/proc/loadavg", "", 4);
	now[SYSSTAT_MHZ] =
	    to[SYSSTAT_MHZ] ? to[SYSSTAT_MHZ] : number_of("/proc/cpuinfo", "cpu MHz", 3);
	if (net) {
		read_pairs("/proc/net/snmp", now + SYSSTAT_NET);
		read_pairs("/proc/net/netstat", now + SYSSTAT_NET);
	}
	for (int i = 0; i < SYSSTATS; i++)
		__atomic_store_n(&to[i], now[i], __ATOMIC_RELAXED);
}

void sysstat_of_cpu(int cpu, uint32_t *chip, uint32_t *node)
{
	char path[64];
	struct dirent *d;
	uint64_t n;
	DIR *dir;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/physical_package_id",
		 cpu);
	n = number_of(path, "", 0);
	*chip = n <= INT32_MAX ? n : 0; /* -1: unknown */
	*node = 0;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d", cpu);
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		if (sscanf(d->d_name, "node%" SCNu32, node) == 1)
			break;
	if (dir)
		closedir(dir);
}
