/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/provider/cpcevent.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/mem.h"

struct named {
	const char *name;
	uint64_t config;
	uint32_t least, usual;
};

/* Periods of the clocks are ns, and the kernel's timer has a least. */
static const struct named software[] = {
    {"alignment_faults", PERF_COUNT_SW_ALIGNMENT_FAULTS, 1, 1000},
    {"context_switches", PERF_COUNT_SW_CONTEXT_SWITCHES, 1, 1000},
    {"cpu_clock", PERF_COUNT_SW_CPU_CLOCK, 10000, 1000000},
    {"cpu_migrations", PERF_COUNT_SW_CPU_MIGRATIONS, 1, 1000},
    {"emulation_faults", PERF_COUNT_SW_EMULATION_FAULTS, 1, 1000},
    {"major_faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1, 1000},
    {"minor_faults", PERF_COUNT_SW_PAGE_FAULTS_MIN, 1, 1000},
    {"page_faults", PERF_COUNT_SW_PAGE_FAULTS, 1, 1000},
    {0},
};

static const struct named hardware[] = {
    {"branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 5000, 1000000},
    {"branch_instructions", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 5000, 1000000},
    {"branch_misses", PERF_COUNT_HW_BRANCH_MISSES, 5000, 100000},
    {"bus_cycles", PERF_COUNT_HW_BUS_CYCLES, 5000, 1000000},
    {"cache_misses", PERF_COUNT_HW_CACHE_MISSES, 5000, 100000},
    {"cache_references", PERF_COUNT_HW_CACHE_REFERENCES, 5000, 100000},
    {"cpu_cycles", PERF_COUNT_HW_CPU_CYCLES, 5000, 1000000},
    {"cycles", PERF_COUNT_HW_CPU_CYCLES, 5000, 1000000},
    {"idle_cycles_backend", PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 5000, 1000000},
    {"idle_cycles_frontend", PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, 5000, 1000000},
    {"instructions", PERF_COUNT_HW_INSTRUCTIONS, 5000, 1000000},
    {"ref_cycles", PERF_COUNT_HW_REF_CPU_CYCLES, 5000, 1000000},
    {0},
};

static const struct named caches[] = {
    {"branch", PERF_COUNT_HW_CACHE_BPU, 0, 0},	  {"dtlb", PERF_COUNT_HW_CACHE_DTLB, 0, 0},
    {"itlb", PERF_COUNT_HW_CACHE_ITLB, 0, 0},	  {"l1_dcache", PERF_COUNT_HW_CACHE_L1D, 0, 0},
    {"l1_icache", PERF_COUNT_HW_CACHE_L1I, 0, 0}, {"llc", PERF_COUNT_HW_CACHE_LL, 0, 0},
    {"node", PERF_COUNT_HW_CACHE_NODE, 0, 0},	  {0},
};

/* Operation and result, as they go into bits 8 and 16. */
static const struct named accesses[] = {
    {"loads", PERF_COUNT_HW_CACHE_OP_READ | PERF_COUNT_HW_CACHE_RESULT_ACCESS << 8, 0, 0},
    {"load_misses", PERF_COUNT_HW_CACHE_OP_READ | PERF_COUNT_HW_CACHE_RESULT_MISS << 8, 0, 0},
    {"prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH | PERF_COUNT_HW_CACHE_RESULT_ACCESS << 8, 0, 0},
    {"prefetch_misses", PERF_COUNT_HW_CACHE_OP_PREFETCH | PERF_COUNT_HW_CACHE_RESULT_MISS << 8, 0,
     0},
    {"stores", PERF_COUNT_HW_CACHE_OP_WRITE | PERF_COUNT_HW_CACHE_RESULT_ACCESS << 8, 0, 0},
    {"store_misses", PERF_COUNT_HW_CACHE_OP_WRITE | PERF_COUNT_HW_CACHE_RESULT_MISS << 8, 0, 0},
    {0},
};

/* Names of other DTrace implementations for the same events. */
static const struct {
	const char *papi, *name;
} aliases[] = {
    {"papi_br_ins", "branches"},
    {"papi_br_msp", "branch_misses"},
    {"papi_l1_dca", "l1_dcache_loads"},
    {"papi_l1_dcm", "l1_dcache_load_misses"},
    {"papi_l1_icm", "l1_icache_load_misses"},
    {"papi_l2_tca", "cache_references"},
    {"papi_l2_tcm", "cache_misses"},
    {"papi_l3_tca", "cache_references"},
    {"papi_l3_tcm", "cache_misses"},
    {"papi_ref_cyc", "ref_cycles"},
    {"papi_tlb_dm", "dtlb_load_misses"},
    {"papi_tlb_im", "itlb_load_misses"},
    {"papi_tot_cyc", "cycles"},
    {"papi_tot_ins", "instructions"},
};

/* perf's constants, as libpfm names events: the same names after a prefix, but for these. */
static const char *const prefixes[] = {"perf_count_sw_", "perf_count_hw_"};
static const struct {
	const char *perf, *name;
} renamed[] = {
    {"page_faults_maj", "major_faults"},
    {"page_faults_min", "minor_faults"},
    {"ref_cpu_cycles", "ref_cycles"},
    {"stalled_cycles_backend", "idle_cycles_backend"},
    {"stalled_cycles_frontend", "idle_cycles_frontend"},
};

/* Files of sysfs ---------------------------------------------------------- */

static bool read_line(const char *path, char *buf, int size)
{
	FILE *f = fopen(path, "re");
	bool ok = f && fgets(buf, size, f);

	if (f)
		fclose(f);
	if (ok)
		buf[strcspn(buf, "\n")] = '\0';
	return ok;
}

/* Puts the low bits of value where a format says: "config:0-7,32-35". */
static bool place_bits(const char *format, uint64_t value, uint64_t config[3])
{
	int word = 0, n = 0, shift = 0;

	if (sscanf(format, "config%1d:%n", &word, &n) < 1 || !n) {
		word = n = 0;
		sscanf(format, "config:%n", &n);
	}
	if (!n || word > 2)
		return false;
	for (format += n; *format; format += *format == ',') {
		char *end;
		unsigned first = strtoul(format, &end, 10),
			 last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

		if (end == format || last < first || last > 63)
			return false;
		for (unsigned bit = first; bit <= last; bit++, shift++)
			config[word] |= (shift < 64 ? value >> shift & 1 : 0) << bit;
		format = end;
	}
	return true;
}

/* One of "event=0x3c,umask=1,inv"; term is changed. */
static bool add_term(const char *device, char *term, uint64_t config[3])
{
	char *value = strchr(term, '='), path[512], format[128];
	uint64_t n = 1;

	if (value) {
		*value++ = '\0';
		if (*value == '?') /* a parameter that the user has to choose */
			return false;
		n = strtoull(value, NULL, 0);
	}
	if (!strcmp(term, "config") || !strcmp(term, "config1") || !strcmp(term, "config2")) {
		config[term[6] ? term[6] - '0' : 0] |= n;
		return true;
	}
	if ((size_t)snprintf(path, sizeof(path), "%s/format/%s", device, term) >= sizeof(path))
		return false;
	return read_line(path, format, sizeof(format)) && place_bits(format, n, config);
}

static bool read_event(const char *device, const char *name, struct cpc_event *e)
{
	char path[512], text[256], *rest = text, *term;
	bool ok = true;

	*e = (struct cpc_event){.least = 5000, .usual = 1000000};
	if ((size_t)snprintf(path, sizeof(path), "%s/type", device) >= sizeof(path) ||
	    !read_line(path, text, sizeof(text)))
		return false;
	e->type = strtoul(text, NULL, 10);
	if ((size_t)snprintf(path, sizeof(path), "%s/events/%s", device, name) >= sizeof(path) ||
	    !read_line(path, text, sizeof(text)))
		return false;
	while (ok && (term = strsep(&rest, ",")))
		ok = !*term || add_term(device, term, e->config);
	return ok;
}

/* Names ------------------------------------------------------------------- */

static void plain(const char *name, char *out, size_t size)
{
	size_t i;

	for (i = 0; name[i] && i < size - 1; i++)
		out[i] = name[i] == '-' ? '_' : tolower((unsigned char)name[i]);
	out[i] = '\0';
}

struct each {
	void (*fn)(void *arg, const char *name, const struct cpc_event *e);
	void *arg;
};

static void each_named(const struct each *each, const struct named *list, uint32_t type)
{
	for (; list->name; list++) {
		struct cpc_event e = {.type = type,
				      .config = {list->config},
				      .least = list->least,
				      .usual = list->usual};

		each->fn(each->arg, list->name, &e);
	}
}

static void each_cache(const struct each *each)
{
	for (const struct named *c = caches; c->name; c++)
		for (const struct named *a = accesses; a->name; a++) {
			struct cpc_event e = {.type = PERF_TYPE_HW_CACHE,
					      .config = {c->config | a->config << 8},
					      .least = 5000,
					      .usual = 100000};
			char name[64];

			snprintf(name, sizeof(name), "%s_%s", c->name, a->name);
			each->fn(each->arg, name, &e);
		}
}

/* Devices with a cpumask are not the CPUs': memory controllers and the like count for no task and
 * no mode. */
static void each_device(const struct each *each, const char *device)
{
	char path[512], name[128];
	struct cpc_event e;
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/cpumask", device);
	if (!access(path, F_OK))
		return;
	snprintf(path, sizeof(path), "%s/events", device);
	dir = opendir(path);
	while (dir && (d = readdir(dir))) {
		/* NAME.scale, NAME.unit */
		if (strchr(d->d_name, '.') || !read_event(device, d->d_name, &e))
			continue;
		plain(d->d_name, name, sizeof(name));
		each->fn(each->arg, name, &e);
	}
	if (dir)
		closedir(dir);
}

void cpc_event_each(const char *devices,
		    void (*fn)(void *arg, const char *name, const struct cpc_event *e), void *arg)
{
	struct each each = {fn, arg};
	char path[384];
	struct dirent *d;
	DIR *dir;

	each_named(&each, software, PERF_TYPE_SOFTWARE);
	each_named(&each, hardware, PERF_TYPE_HARDWARE);
	each_cache(&each);
	dir = opendir(devices);
	while (dir && (d = readdir(dir)))
		if (*d->d_name != '.' && (size_t)snprintf(path, sizeof(path), "%s/%s", devices,
							  d->d_name) < sizeof(path))
			each_device(&each, path);
	if (dir)
		closedir(dir);
}

struct wanted {
	const char *name;
	struct cpc_event *out;
	bool found;
};

static void take(void *arg, const char *name, const struct cpc_event *e)
{
	struct wanted *w = arg;

	if (w->found || strcmp(w->name, name))
		return;
	*w->out = *e;
	w->found = true;
}

bool cpc_event_find(const char *devices, const char *name, struct cpc_event *out)
{
	char text[128];
	struct wanted w = {text, out, false};

	plain(name, text, sizeof(text));
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(text, prefixes[i], strlen(prefixes[i])))
			w.name = text + strlen(prefixes[i]);
	for (size_t i = 0; i < ARRAY_SIZE(renamed); i++)
		if (w.name != text && !strcmp(w.name, renamed[i].perf))
			w.name = renamed[i].name;
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (!strcmp(text, aliases[i].papi))
			w.name = aliases[i].name;
	cpc_event_each(devices, take, &w);
	return w.found;
}
