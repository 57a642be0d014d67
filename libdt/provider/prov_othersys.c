/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that only other systems have. Scripts of these systems name them beside those that
 * Linux has too; so the names match as probes that never fire, where nothing else does. No
 * listing of all probes has them.
 */
#include <string.h>

#include "libdt/provider/prov.h"
#include "libdt/provider/syscall.h"

enum { ID_FIRST = 78000 };

static const char *const names[] = {
#define OTHER(name) #name,
#include "libdt/provider/othersys.def"
#undef OTHER
};

static void offer(struct probes *ps, int i, bool is_return)
{
	uint32_t none[2] = {SELECT_NONE, SELECT_NONE};
	struct probe *p = syscall_add(ps, &provider_othersys, ID_FIRST + 2 * i + is_return,
				      "vmlinux", names[i], none, is_return);

	p->unsupported = "Linux has no such system call";
}

static void othersys_provide(struct probes *ps, const struct pdesc *pd)
{
	bool entry = glob_fits(pd->name, "entry"), ret = glob_fits(pd->name, "return");

	if (pd->id || !glob_is_literal(pd->prov) || strspn(pd->func, "*") == strlen(pd->func))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!glob_fits(pd->func, names[i]))
			continue;
		if (entry)
			offer(ps, i, false);
		if (ret)
			offer(ps, i, true);
	}
}

/* Probes that one description has put into the table are for none that does not name the
 * provider. */
static bool othersys_fits(const struct probe *p, const char *pattern)
{
	return !strcmp(pattern, p->prov);
}

static void othersys_args(struct probes *ps, struct probe *p)
{
	struct probe_arg *args = arena_alloc(probes_arena(ps), SYSCALL_ARGS * sizeof(*args));

	p->nargs = p->is_return ? 2 : SYSCALL_ARGS;
	for (int i = 0; i < p->nargs; i++)
		args[i].type = type_int(probes_types(ps), 8, true);
	p->args = args;
}

const struct provider provider_othersys = {
    .name = "syscall",
    SYSCALL_ATTRS,
    .provide = othersys_provide,
    .fits_provider = othersys_fits,
    .last = true,
    .args = othersys_args,
    .arg = syscall_arg,
    .uniform_args = true,
    .nselect = SYSCALL_NUMBERS,
};
