/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records that do not fit the schema: numbers out of bounds, also those negative as an int. */
#include <check.h>

#include "libdt/image/schema.h"

START_TEST(test_fits)
{
	static const struct layout layouts[] = {{.size = 0}, {.size = 32}};
	static const struct probe_desc probe = {.id = 1};
	static const struct {
		uint32_t clause, probe;
		size_t size;
		bool fits;
	} cases[] = {
	    {0, 0, 24, true},		{0, 0, 23, false},	    {0, 0, 0, false},
	    {1, 0, 32, true},		{1, 0, 40, true},	    {1, 0, 31, false},
	    {2, 0, 32, false},		{0, 1, 32, false},	    {0x7fffffff, 0, 32, false},
	    {0x80000000, 0, 32, false}, {0, 0x80000000, 32, false}, {0xfffffff0, 0, 32, false},
	    {0, 0xffffffff, 32, false},
	};
	struct schema s = {0};

	for (unsigned i = 0; i < ARRAY_SIZE(layouts); i++)
		vec_push(&s.layouts, &layouts[i]);
	vec_push(&s.probes, &probe);
	for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rec_header h = {.clause = cases[i].clause, .probe = cases[i].probe};

		ck_assert_msg(schema_fits(&s, &h, cases[i].size) == cases[i].fits, "case %u", i);
	}
	schema_free(&s);
}
END_TEST

Suite *schema_suite(void)
{
	Suite *s = suite_create("schema");
	TCase *tc = tcase_create("schema");

	tcase_add_test(tc, test_fits);
	suite_add_tcase(s, tc);
	return s;
}
