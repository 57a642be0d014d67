/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paths of control groups, as container engines and systemd name them. */
#include <check.h>

#include "libdt/symbols/cgroup.h"

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const struct {
	const char *path, *name;
} groups[] = {
    {"/", ""},
    {"/user.slice/user-1000.slice", ""},
    {"/system.slice/cron.service", "cron"},
    {"/user.slice/user-0.slice/session-3.scope", "session-3"},
    {"/system.slice/a.service/workers/2", "a"},
    {"/user.slice/user@1000.service/app.slice/x\\x2dy.service", "x-y"},
    {"/system.slice/x\\x2.service", "x\\x2"},
    {"/system.slice/x\\x00y.service", "x\\x00y"},
    {"/docker/" ID, "0123456789ab"},
    {"/docker/" ID "/system.slice/sshd.service", "0123456789ab"},
    {"/system.slice/docker-" ID ".scope", "0123456789ab"},
    {"/machine.slice/libpod-" ID ".scope/container", "0123456789ab"},
    {"/machine.slice/libpod-conmon-" ID ".scope", "0123456789ab"},
    {"/kubepods.slice/kubepods-besteffort.slice/cri-containerd-" ID ".scope", "0123456789ab"},
    {"/kubepods/burstable/pod1-2/" ID, "0123456789ab"},
    {"/system.slice/docker-" ID "0.scope", "docker-" ID "0"},
    {"/x/0" ID, ""},
    {"/x/g123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", ""},
    {"/machine.slice/machine-deb\\x2d12.scope/payload/cron.service", "deb-12"},
    {"/machine.slice/systemd-nspawn@web.service/payload", "web"},
    {"/lxc.payload.c1/system.slice/cron.service", "c1"},
    {"/machine-x.slice", ""},
    {"/.service", ""},
};

START_TEST(containers)
{
	struct strbuf sb = {0};

	cgroup_container(groups[_i].path, &sb);
	ck_assert_str_eq(sb_str(&sb), groups[_i].name);
	sb_free(&sb);
}
END_TEST

Suite *cgroup_suite(void);
Suite *cgroup_suite(void)
{
	Suite *s = suite_create("cgroup");
	TCase *t = tcase_create("cgroup");

	tcase_add_loop_test(t, containers, 0, ARRAY_SIZE(groups));
	suite_add_tcase(s, t);
	return s;
}
