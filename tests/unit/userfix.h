/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tests of objects share. */
#ifndef DT_TEST_USERFIX_H
#define DT_TEST_USERFIX_H

#include <check.h>
#include <string.h>

#include "libdt/process/object.h"

int user_test_function(int n); /* test_object.c */

static inline const struct object_sym *sym_named(struct object *o, const char *name)
{
	int n;
	const struct object_sym *s = object_syms(o, &n);

	for (int i = 0; i < n; i++)
		if (!strcmp(s[i].name, name))
			return &s[i];
	return NULL;
}

/* Where a struct foreign has nothing to report. */
static inline void no_report(void *arg, const char *text)
{
	(void)arg;
	ck_abort_msg("%s", text);
}

#endif
