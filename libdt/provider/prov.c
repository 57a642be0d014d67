/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of providers, in the order in which they are asked. */
#include "libdt/provider/prov.h"

#include <string.h>

const struct provider *const providers[] = {
    &provider_dtrace, &provider_syscall, &provider_syscall32, &provider_profile, &provider_sdt,
    &provider_rawtp, &provider_fbt, &provider_rawfbt, &provider_kinst,
    &provider_pid, &provider_usdt, &provider_proc, &provider_sched, &provider_io,
    &provider_sysinfo, &provider_vminfo, &provider_lockstat, &provider_fsinfo, &provider_cpc,
    &provider_ip, &provider_tcp, &provider_udp, &provider_mib,
    &provider_compat, &provider_names, NULL,
};

/* The heritage's providers that are not there yet, so that who asks for one is told so. */
const char *provider_missing(const char *name)
{
	static const char *const families[] = {
		"plockstat",
	};
	size_t len = strcspn(name, "0123456789*");

	if (len && !strcmp(name + len, "0"))
		return "there is no process 0; $target is 0 without -c and -p";
	for (unsigned i = 0; i < ARRAY_SIZE(families); i++)
		if (len == strlen(families[i]) && !strncmp(name, families[i], len))
			return "this provider is not supported yet";
	return NULL;
}
