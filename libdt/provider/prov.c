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

/* Providers of which each instance belongs to a process, or never to one: for messages about a
 * missing or surplus PID. */
const char *provider_missing(const char *name)
{
	size_t len = strcspn(name, "0123456789*");

	if (len && !strcmp(name + len, "0"))
		return "there is no process 0; $target is 0 without -c and -p";
	return strcmp(name, "plockstat")
		   ? NULL
		   : "this provider is of one process each: plockstat$target, plockstat123";
}
