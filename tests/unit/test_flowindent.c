/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -F: where lines stand, by CPU and by thread. */
#include <check.h>
#include <string.h>

#include "libdt/consumer/flowindent.h"

static struct probe_desc outer = {
    .prov = "fbt", .func = "outer", .name = "entry", .is_entry = true};
static struct probe_desc outer_ret = {
    .prov = "fbt", .func = "outer", .name = "return", .is_return = true};
static struct probe_desc call = {
    .prov = "syscall", .func = "read", .name = "entry", .is_entry = true};
static struct probe_desc call_ret = {
    .prov = "syscall", .func = "read", .name = "return", .is_return = true};
static struct probe_desc method = {.prov = "py1", .func = "f", .name = "function-entry"};
static struct probe_desc between = {.prov = "sdt", .func = "irq", .name = "tick"};
static struct probe_desc *const probes[] = {&outer,    &outer_ret, &call,
					    &call_ret, &method,	   &between};

struct shown {
	struct probe_desc *probe;
	uint32_t clause, cpu;
	struct rec_thread thread;
	const char *text; /* after a + it is known that another record of the firing follows */
};

/* Lines end in blanks up to the next column, which are not looked at. */
static void expect(const struct shown *lines, int n, bool threads)
{
	struct flows fs = {0};

	for (int i = 0; i < n; i++) {
		struct rec_header h = {.clause = lines[i].clause, .cpu = lines[i].cpu};
		bool more = lines[i].text[0] == '+';
		struct strbuf out = {0};

		while (probes[h.probe] != lines[i].probe)
			h.probe++;
		flow_line(&fs, lines[i].probe, &h, threads ? &lines[i].thread : NULL, more, &out);
		ck_assert_int_eq(out.len, threads ? 54 : 46);
		while (out.len && out.s[out.len - 1] == ' ')
			out.s[--out.len] = '\0';
		ck_assert_str_eq(sb_str(&out), lines[i].text + more);
		sb_free(&out);
	}
	flows_free(&fs);
}

START_TEST(test_cpu)
{
	static const struct shown lines[] = {
	    {&outer, 0, 0, {0}, "  0  -> outer"},	  {&call, 0, 0, {0}, "  0    => read"},
	    {&between, 0, 0, {0}, "  0      | irq:tick"}, {&outer, 0, 1, {0}, "  1  -> outer"},
	    {&call_ret, 0, 0, {0}, "  0    <= read"},	  {&outer_ret, 0, 0, {0}, "  0  <- outer"},
	    {&outer_ret, 0, 0, {0}, "  0  <- outer"},	  {&method, 0, 1, {0}, "  1    -> f"},
	};

	expect(lines, ARRAY_SIZE(lines), false);
}
END_TEST

/* Of two clauses of an entry the first has the arrow, of a return the last; the other one stands
 * inside, whatever other CPUs have to say meanwhile. */
START_TEST(test_clauses)
{
	static const struct shown lines[] = {
	    {&outer, 0, 0, {0}, "  0  -> outer"},
	    {&outer, 0, 1, {0}, "  1  -> outer"},
	    {&outer, 1, 0, {0}, "  0    | outer:entry"},
	    {&outer, 0, 0, {0}, "  0    -> outer"}, /* recursion */
	    {&outer, 1, 0, {0}, "  0      | outer:entry"},
	    {&outer_ret, 2, 0, {0}, "+  0      | outer:return"},
	    {&outer_ret, 3, 0, {0}, "  0    <- outer"},
	    {&outer_ret, 2, 0, {0}, "  0  <- outer"}, /* it was not known that another comes */
	    {&outer_ret, 3, 0, {0}, "  0  | outer:return"},
	    {&outer_ret, 3, 0, {0}, "  0  <- outer"},
	};

	expect(lines, ARRAY_SIZE(lines), false);
}
END_TEST

START_TEST(test_thread)
{
	static const struct shown lines[] = {
	    {&outer, 0, 0, {77, 1}, "  0      77  -> outer"},
	    {&call, 0, 0, {77, 1}, "  0      77    => read"},
	    {&outer, 0, 0, {4194303, 2}, "  0 4194303  -> outer"},
	    {&call_ret, 0, 1, {77, 1}, "  1      77    <= read"},
	    {&outer_ret, 0, 0, {4194303, 2}, "  0 4194303  <- outer"},
	    {&call, 0, 3, {77, 1}, "  3      77    => read"},
	    /* ended in a call, and another has its id */
	    {&outer, 0, 1, {77, 3}, "  1      77  -> outer"},
	    /* the idle threads of two CPUs */
	    {&outer, 0, 0, {0, 10}, "  0       0  -> outer"},
	    {&outer, 0, 1, {0, 11}, "  1       0  -> outer"},
	    {&outer_ret, 0, 0, {0, 10}, "  0       0  <- outer"},
	    {&between, 0, 1, {0, 11}, "  1       0    | irq:tick"},
	};

	expect(lines, ARRAY_SIZE(lines), true);
}
END_TEST

START_TEST(test_kinds)
{
	struct probe_desc p = {.name = "query-start"};

	ck_assert_int_eq(flow_kind(&outer), FLOW_IN);
	ck_assert_int_eq(flow_kind(&call_ret), FLOW_OUT);
	ck_assert_int_eq(flow_kind(&method), FLOW_IN);
	ck_assert_int_eq(flow_kind(&between), FLOW_NONE);
	ck_assert_int_eq(flow_kind(&p), FLOW_NONE);
	ck_assert_int_eq(flow_stem(&p, "-start"), 5);
	ck_assert_int_eq(flow_stem(&p, "-done"), 0);
	p.name = "-start";
	ck_assert_int_eq(flow_stem(&p, "-start"), 0);
}
END_TEST

Suite *flow_suite(void)
{
	Suite *s = suite_create("flow");
	TCase *tc = tcase_create("flow");

	tcase_add_test(tc, test_cpu);
	tcase_add_test(tc, test_clauses);
	tcase_add_test(tc, test_thread);
	tcase_add_test(tc, test_kinds);
	suite_add_tcase(s, tc);
	return s;
}
