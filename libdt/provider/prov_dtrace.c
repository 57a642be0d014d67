/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dtrace:::BEGIN, END, ERROR and those for signals (libdt/engine/signals.c), which dtrace runs
 * itself. ERROR's arg1 to arg5 (probe, action, offset, fault, value) are put into the context by
 * the code that runs it, where the hook's own row finds them.
 */
#include "libdt/provider/prov.h"

static void dtrace_provide(struct probes *ps, const struct pdesc *pd)
{
	static const char *const names[] = {"BEGIN", "END", "ERROR", "SIGUSR1", "SIGUSR2"};

	(void)pd;
	for (uint32_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct probe *p = probe_add(ps, &provider_dtrace, i + 1, "", "", names[i]);

		p->hook = HOOK_RUN;
		p->target.name = p->name;
	}
}

const struct provider provider_dtrace = {
    .name = "dtrace",
    .attr_provider = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
    .attr_module = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_function = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_name = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
    .attr_args = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
    .provide = dtrace_provide,
};
