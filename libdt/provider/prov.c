/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of providers, in the order in which they are asked. */
#include "libdt/provider/prov.h"

const struct provider *const providers[] = {
    &provider_dtrace, &provider_syscall, &provider_profile, &provider_sdt, &provider_rawtp, NULL,
};
