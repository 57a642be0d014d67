/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a schema that is loaded: its actions and aggregating functions by their names. */
#include "libdt/builtin/builtin.h"
#include "libdt/engine/unwind.h"
#include "libdt/schema_rows.h"
#include "libdt/session.h"

bool schema_action(struct act *act)
{
	const struct def *def = def_find(&builtins, act->name);

	if (!def || !def->print)
		return false;
	act->name = def->name;
	act->print = def->print;
	act->write = def->write;
	return true;
}

const struct aggfunc *schema_aggfunc(const char *name)
{
	const struct def *def = def_find(&builtins, name);

	return def ? def->agg : NULL;
}
