/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/lang/def.h"

#include <string.h>

#include "libdt/builtin/builtin.h"
#include "libdt/lang/sema_parts.h"

static const struct def *const tables[] = {
    defs_var,	   defs_args,  defs_str,       defs_kern,     defs_net,	     defs_mem,
    defs_num,	   defs_act,   defs_act_print, defs_act_pcap, defs_act_proc, defs_act_agg,
    defs_act_spec, defs_stack, defs_uregs,     defs_ustack,   defs_agg,	     defs_agg_quant,
};

const struct def *def_find(const char *name)
{
	for (unsigned t = 0; t < ARRAY_SIZE(tables); t++)
		for (const struct def *d = tables[t]; d->name; d++)
			if (!strcmp(d->name, name))
				return d;
	return NULL;
}

const struct def *def_nth(int n)
{
	for (unsigned t = 0; t < ARRAY_SIZE(tables); t++)
		for (const struct def *d = tables[t]; d->name; d++)
			if (!n--)
				return d;
	return NULL;
}

bool def_reserves(const char *name)
{
	const struct def *def = def_find(name);

	return def && def->kind == DEF_VAR && !(def->flags & DEF_YIELDS);
}

const struct type *def_type(struct sema *s, const struct def *def)
{
	return type_find(s->types, NULL, def->proto);
}

const char *def_similar(const char *name)
{
	const char *best = NULL;
	int least = strlen(name) < 4 ? 2 : 3;

	for (unsigned t = 0; t < ARRAY_SIZE(tables); t++)
		for (const struct def *d = tables[t]; d->name; d++) {
			int n = diag_distance(name, d->name);

			if (n < least) {
				least = n;
				best = d->name;
			}
		}
	return best;
}

/* What D has and we do not: not at all on Linux, or not yet. Of actions also the prototype, as
 * wrong uses of them have errors of their own. */
static const struct {
	const char *name, *why, *proto;
} unsupported[] = {
    {"breakpoint", "has no counterpart on Linux: BPF programs cannot enter a kernel debugger",
     "void()"},
    {"panic", "is not supported: BPF programs cannot stop the kernel", "void()"},
    {"msgsize", "has no counterpart on Linux: there are no STREAMS messages", NULL},
    {"msgdsize", "has no counterpart on Linux: there are no STREAMS messages", NULL},
    {"ddi_pathname", "has no counterpart on Linux: devices have no path in a tree of instances",
     NULL},
};

const char *def_unsupported(const char *name)
{
	for (unsigned i = 0; i < ARRAY_SIZE(unsupported); i++)
		if (!strcmp(unsupported[i].name, name))
			return unsupported[i].why;
	return NULL;
}

const char *def_unsupported_action(const char *name)
{
	for (unsigned i = 0; i < ARRAY_SIZE(unsupported); i++)
		if (!strcmp(unsupported[i].name, name))
			return unsupported[i].proto;
	return NULL;
}
