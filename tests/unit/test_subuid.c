/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose user IDs are they, as subuid(5) says? */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/base/subuid.h"

static void write_file(char *path, const char *text)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

START_TEST(owners)
{
	static const struct {
		uint32_t uid, owner;
	} cases[] = {
	    {0, 0},	      {1000, 1000},
	    {99999, 99999},   {100000, 1000},
	    {165535, 1000},   {165536, 1001},
	    {231071, 1001},   {231072, 231072},
	    {300000, 300000}, {300009, 300000},
	    {300010, 300010}, {400005, 300000},
	    {500000, 500000}, {UINT32_MAX, UINT32_MAX},
	};
	char subuid[] = "/tmp/dt-subuid-XXXXXX", passwd[] = "/tmp/dt-passwd-XXXXXX";
	struct subuids s = {0};

	ck_assert_uint_eq(subuids_owner(&s, 100000), 100000);
	write_file(subuid, "# comment\n1001:165536:65536\nann:100000:65536\n\nann\nann:x:1\n"
			   "remote:300000:10\nremote:400000:10\n:500000:0\n");
	write_file(passwd, "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/:/bin/sh\n");
	for (int again = 0; again < 2; again++) {
		subuids_read(&s, subuid, passwd);
		for (unsigned i = 0; i < ARRAY_SIZE(cases); i++)
			ck_assert_msg(subuids_owner(&s, cases[i].uid) == cases[i].owner, "%u: %u",
				      cases[i].uid, subuids_owner(&s, cases[i].uid));
	}
	unlink(subuid);
	unlink(passwd);
	subuids_read(&s, subuid, passwd);
	ck_assert_uint_eq(subuids_owner(&s, 100000), 100000);
	subuids_free(&s);
}
END_TEST

Suite *subuid_suite(void);
Suite *subuid_suite(void)
{
	Suite *s = suite_create("subuid");
	TCase *t = tcase_create("subuid");

	tcase_add_test(t, owners);
	suite_add_tcase(s, t);
	return s;
}
