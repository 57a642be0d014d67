/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of perf by name: generic ones, and those of files as sysfs has them, which are made
 * here. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/provider/cpcevent.h"

static char root[64];

static void put(const char *file, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, file);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static void folder(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void make_devices(void)
{
	strcpy(root, "/tmp/dt-cpc-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	folder("cpu");
	folder("cpu/events");
	folder("cpu/format");
	put("cpu/type", "4\n");
	put("cpu/format/event", "config:0-7,32-35\n");
	put("cpu/format/umask", "config:8-15\n");
	put("cpu/format/inv", "config:23\n");
	put("cpu/format/ldlat", "config1:0-15\n");
	put("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	put("cpu/events/stalls", "event=0x1a5,inv\n");
	put("cpu/events/asks", "event=0x1,umask=?\n");
	put("cpu/events/strange", "event=0x1,nobody=1\n");
	put("cpu/events/mem-loads.unit", "bytes\n");
	folder("uncore");
	folder("uncore/events");
	put("uncore/type", "9\n");
	put("uncore/cpumask", "0\n");
	put("uncore/events/reads", "config=0x4\n");
}

static void remove_devices(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", root);
	ck_assert_int_eq(system(command), 0);
}

START_TEST(generic)
{
	struct cpc_event e;

	ck_assert(cpc_event_find(root, "cycles", &e));
	ck_assert_uint_eq(e.type, PERF_TYPE_HARDWARE);
	ck_assert_uint_eq(e.config[0], PERF_COUNT_HW_CPU_CYCLES);
	ck_assert(cpc_event_find(root, "PAPI_tot_ins", &e));
	ck_assert_uint_eq(e.config[0], PERF_COUNT_HW_INSTRUCTIONS);
	ck_assert(cpc_event_find(root, "Page-Faults", &e));
	ck_assert_uint_eq(e.type, PERF_TYPE_SOFTWARE);
	ck_assert_uint_eq(e.config[0], PERF_COUNT_SW_PAGE_FAULTS);
	ck_assert(cpc_event_find(root, "perf_count_sw_cpu_clock", &e));
	ck_assert(e.type == PERF_TYPE_SOFTWARE && e.config[0] == PERF_COUNT_SW_CPU_CLOCK);
	ck_assert(cpc_event_find(root, "PERF_COUNT_HW_REF_CPU_CYCLES", &e));
	ck_assert(e.type == PERF_TYPE_HARDWARE && e.config[0] == PERF_COUNT_HW_REF_CPU_CYCLES);
	ck_assert(!cpc_event_find(root, "perf_count_sw_", &e));
	ck_assert(cpc_event_find(root, "L1-dcache-load-misses", &e));
	ck_assert_uint_eq(e.type, PERF_TYPE_HW_CACHE);
	ck_assert_uint_eq(e.config[0], 0x10000);
	ck_assert(cpc_event_find(root, "dTLB_stores", &e));
	ck_assert_uint_eq(e.config[0], 0x103);
	ck_assert(!cpc_event_find(root, "cycle", &e));
	ck_assert(!cpc_event_find(root, "", &e));
}
END_TEST

START_TEST(from_files)
{
	struct cpc_event e;

	ck_assert(cpc_event_find(root, "mem_loads", &e));
	ck_assert_uint_eq(e.type, 4);
	ck_assert_uint_eq(e.config[0], 0x1cd);
	ck_assert_uint_eq(e.config[1], 3);
	ck_assert(cpc_event_find(root, "stalls", &e));
	ck_assert_uint_eq(e.config[0], 0xa5 | 1ull << 32 | 1 << 23);
	ck_assert(!cpc_event_find(root, "asks", &e));	 /* a parameter is missing */
	ck_assert(!cpc_event_find(root, "strange", &e)); /* its format is not known */
	ck_assert(!cpc_event_find(root, "mem_loads.unit", &e));
	ck_assert(!cpc_event_find(root, "reads", &e)); /* of no CPU's own */
	ck_assert(cpc_event_find("/no/such/folder", "cycles", &e));
}
END_TEST

Suite *cpc_suite(void)
{
	Suite *s = suite_create("cpc");
	TCase *c = tcase_create("events");

	tcase_add_checked_fixture(c, make_devices, remove_devices);
	tcase_add_test(c, generic);
	tcase_add_test(c, from_files);
	suite_add_tcase(s, c);
	return s;
}
