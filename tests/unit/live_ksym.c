/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running kernel's symbols: our table against its file, and what it answers by name against
 * its file. */
#include <errno.h>
#include <linux/bpf.h>
#include <unistd.h>

#include "bpf/feat.h"
#include "bpf/kaddr.h"
#include "bpf/sys.h"
#include "tests/unit/symfix.h"

static struct klines k;

static void setup(void)
{
	k = (struct klines){0};
	klines_read(&k, "/proc/kallsyms");
}

static void teardown(void)
{
	klines_free(&k);
}

/* The kernel itself: modules and programs come and go. */
START_TEST(test_as_linear)
{
	struct syms *s = syms_new(NULL, NULL);

	while (k.v.n && strcmp(k.v.v[k.v.n - 1]->mod, "vmlinux"))
		free(k.v.v[--k.v.n]);
	ck_assert_msg(k.v.n > 10000, "the kernel tells %d addresses", k.v.n);
	check_addresses(&k, s, 100);
	syms_free(s);
}
END_TEST

static int named(const char *name, const struct kline **line)
{
	int n = 0;

	for (int i = 0; i < k.v.n; i++)
		if (!strcmp(k.v.v[i]->name, name)) {
			*line = k.v.v[i];
			n++;
		}
	return n;
}

/* Where the next one begins, of whatever kind. */
static uint64_t end_of(const struct kline *line)
{
	uint64_t end = UINT64_MAX;

	for (int i = 0; i < k.v.n; i++)
		if (k.v.v[i]->addr > line->addr && k.v.v[i]->addr < end)
			end = k.v.v[i]->addr;
	return end;
}

/* The functions that stacks are cleaned of are asked for by name where the kernel answers: see
 * libdt/builtin/stack.c. */
START_TEST(test_by_name)
{
	static const char *const prefixes[] = {"__bpf_trace_", "__traceiter_", "bpf_trace_run",
					       "trace_call_bpf"};
	struct feats *feats = feats_new();
	struct kaddr *kaddr = NULL;
	int asked = 0, seen = 0;

	if (feat(feats, FEAT_SYM_LOOKUP))
		kaddr = kaddr_open();
	for (int i = 0; i < k.v.n && kaddr && asked < 60; i++) {
		const struct kline *line = k.v.v[i];
		bool wanted = false;
		uint64_t addr, end, alone;

		for (unsigned j = 0; j < ARRAY_SIZE(prefixes); j++)
			wanted |= !strncmp(line->name, prefixes[j], strlen(prefixes[j]));
		if (!wanted || seen++ % 20 || named(line->name, &line) != 1 ||
		    strcmp(line->mod, "vmlinux"))
			continue;
		asked++;
		ck_assert_msg(!kaddr_range(kaddr, line->name, &addr, &end), "%s", line->name);
		ck_assert_msg(addr == line->addr && end == end_of(line),
			      "%s: %llx to %llx, not %llx to %llx", line->name,
			      (unsigned long long)addr, (unsigned long long)end,
			      (unsigned long long)line->addr, (unsigned long long)end_of(line));
		ck_assert(!kaddr_find(kaddr, line->name, &alone) && alone == addr);
	}
	ck_assert(!kaddr || asked > 20);
	if (kaddr)
		ck_assert_int_eq(
		    kaddr_range(kaddr, "no_such_symbol_at_all", &(uint64_t){0}, &(uint64_t){0}),
		    -ENOENT);
	kaddr_close(kaddr);
	feats_free(feats);
}
END_TEST

/* A program of no use, which has a symbol as all have. */
static int load_program(void)
{
	static const struct bpf_insn code[] = {
	    {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
	    {.code = BPF_JMP | BPF_EXIT},
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insns = sys_ptr(code);
	attr.insn_cnt = ARRAY_SIZE(code);
	attr.license = sys_ptr("GPL");
	return sys_bpf_make(BPF_PROG_LOAD, &attr, sizeof(attr));
}

static long resident(void)
{
	long size, pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	ck_assert(f && fscanf(f, "%ld %ld", &size, &pages) == 2);
	fclose(f);
	return pages * sysconf(_SC_PAGESIZE);
}

/* Programs come and go, and each time the symbols are read again: what was read before is not
 * kept. */
START_TEST(test_again)
{
	enum { TIMES = 20 };
	struct syms *s = syms_new(NULL, NULL);
	const char *mod, *name;
	long first = 0, fd;
	uint64_t off;

	for (int i = 0; i < TIMES; i++) {
		fd = load_program();
		ck_assert_int_ge(fd, 0);
		usleep(60000);
		syms_find(s, 0xffffffffffff0000, &mod, &name, &off);
		close(fd);
		if (i == 3)
			first = resident();
	}
	ck_assert_msg(resident() - first < 16 << 20, "%ld bytes more", resident() - first);
	syms_free(s);
}
END_TEST

Suite *ksym_live_suite(void)
{
	Suite *s = suite_create("ksym_live");
	TCase *tc = tcase_create("symbols");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_as_linear);
	tcase_add_test(tc, test_by_name);
	tcase_add_test(tc, test_again);
	suite_add_tcase(s, tc);
	return s;
}
