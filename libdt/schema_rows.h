/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of actions and aggregating functions, for schemas that are read from files. */
#ifndef DT_SCHEMA_ROWS_H
#define DT_SCHEMA_ROWS_H

#include <stdbool.h>

struct act;
struct aggfunc;

/* The functions of struct schema_file. */
bool schema_action(struct act *act);
const struct aggfunc *schema_aggfunc(const char *name);

#endif
