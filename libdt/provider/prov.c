/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of providers, in the order in which they are asked. */
#include "libdt/provider/prov.h"

#include <string.h>

const struct provider *const providers[] = {
    &provider_dtrace,
    &provider_syscall,
    &provider_syscall32,
    &provider_profile,
    &provider_sdt,
    &provider_rawtp,
    &provider_fbt,
    &provider_rawfbt,
    &provider_kinst,
    &provider_pid,
    &provider_usdt,
    &provider_proc,
    &provider_sched,
    &provider_io,
    &provider_sysinfo,
    &provider_vminfo,
    &provider_lockstat,
    &provider_fsinfo,
    &provider_cpc,
    &provider_plockstat,
    &provider_ip,
    &provider_tcp,
    &provider_udp,
    &provider_mib,
    &provider_watch,
    &provider_compat,
    &provider_names,
    &provider_othersys,
    NULL,
};

/* Providers that only other systems have, some of whose names end as those of processes do; and
 * what comes near them. */
static const struct {
	const char *name, *why;
} others[] = {
    {"nfsv3", "only Solaris and illumos have this provider; see sdt:nfsd::: and fsinfo:::"},
    {"nfsv4", "only Solaris and illumos have this provider; see sdt:nfsd::: and fsinfo:::"},
    {"smb", "only Solaris and illumos have this provider; see sdt:cifs::: and fsinfo:::"},
    {"smb2", "only Solaris and illumos have this provider; see sdt:cifs::: and fsinfo:::"},
    {"iscsi", "only Solaris and illumos have this provider; see sdt:iscsi::: and io:::"},
    {"fc", "only Solaris and illumos have this provider; see sdt:scsi::: and io:::"},
    {"srp", "only Solaris and illumos have this provider; see sdt:scsi::: and io:::"},
    {"sctp", "only Solaris and illumos have this provider; see sdt:sctp:::"},
    {"fpuinfo", "only Solaris and illumos have this provider; see sdt:x86_fpu:::"},
    {"cpucaps", "only Solaris and illumos have this provider; see sdt:cgroup:::"},
    {"callout_execute", "only FreeBSD has this provider; see sdt:timer:::"},
    {"priv", "only FreeBSD has this provider; see fbt::cap_capable:"},
    {"dtmalloc", "only FreeBSD has this provider; see sdt:kmem:::"},
    {"magmalloc", "only macOS has this provider; see pid$target:libc*:malloc:entry"},
};

/* Of providers of which each instance belongs to a process, or never to one: a missing or surplus
 * PID. */
const char *provider_missing(const char *name)
{
	size_t len = strcspn(name, "0123456789*");

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(others[i].name, name))
			return others[i].why;
	if (len && !strcmp(name + len, "0"))
		return "there is no process 0; $target is 0 without -c and -p";
	return strcmp(name, "plockstat")
		   ? NULL
		   : "this provider is of one process each: plockstat$target, plockstat123";
}
