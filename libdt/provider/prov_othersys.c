/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that only other systems have, other machines (aarch64 has no open), or other
 * versions of the kernel. Scripts name them beside those that are there; so the names match as
 * probes that never fire, where nothing else does. No listing of all probes has them.
 */
#include <string.h>

#include "libdt/provider/prov.h"
#include "libdt/provider/syscall.h"

enum { ID_FIRST = 77500, ID_END = 80000 };

static const char *const foreign_calls[] = {
#define OTHER(name) #name,
#include "libdt/provider/othersys.def"
#undef OTHER
};

static const char *const linux_calls[] = {
#define SYSCALL(name, ...) #name,
#include "libdt/provider/syscalls.def"
#undef SYSCALL
};

_Static_assert(ID_FIRST + 2 * (ARRAY_SIZE(foreign_calls) + ARRAY_SIZE(linux_calls)) <= ID_END,
	       "the range of ids is full");

static void offer(struct probes *ps, const struct pdesc *pd, uint32_t id, const char *name,
		  const char *why)
{
	uint32_t none[2] = {SELECT_NONE, SELECT_NONE};

	for (int is_return = 0; is_return < 2; is_return++)
		if (glob_fits(pd->name, is_return ? "return" : "entry"))
			syscall_add(ps, &provider_othersys, id + is_return, "vmlinux", name, none,
				    is_return)
			    ->unsupported = why;
}

/* Under -x compat=off a name of Linux that this kernel lacks matches nothing. */
static void othersys_provide(struct probes *ps, const struct pdesc *pd)
{
	uint32_t id = ID_FIRST;

	if (pd->id || !glob_is_literal(pd->prov) || strspn(pd->func, "*") == strlen(pd->func))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(foreign_calls); i++, id += 2)
		if (glob_fits(pd->func, foreign_calls[i]))
			offer(ps, pd, id, foreign_calls[i], "Linux has no such system call");
	for (size_t i = 0; i < ARRAY_SIZE(linux_calls); i++, id += 2) {
		const char *why = pd->compat && glob_fits(pd->func, linux_calls[i])
				      ? syscall_absent(ps, linux_calls[i])
				      : NULL;

		if (why)
			offer(ps, pd, id, linux_calls[i], why);
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
