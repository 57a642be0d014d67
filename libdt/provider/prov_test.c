/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes of -x test: those that a table fires, under the names that it gives. They run as BEGIN
 * does, with the arguments of the table. argN of which a line of the table has a string is a
 * char *, others are int64_t.
 */
#include <string.h>

#include "libdt/provider/prov.h"

/* Of the range of system calls, which are not there. */
enum { TEST_FIRST = 100 };

struct tested {
	const struct test_probe *probes;
	int n;
};

static struct tested *tested(struct probes *ps)
{
	return probes_state(ps, "prov_test.c", sizeof(struct tested), NULL);
}

const struct provider *const *test_providers(struct probes *ps, const struct test_probe *probes,
					     int n)
{
	static const struct provider *const list[] = {&provider_dtrace, &provider_test, NULL};

	*tested(ps) = (struct tested){probes, n};
	return list;
}

static bool test_owns(const char *prov)
{
	return strcmp(prov, "dtrace");
}

static void test_provide(struct probes *ps, const struct pdesc *pd)
{
	const struct tested *t = tested(ps);

	(void)pd;
	for (int i = 0; i < t->n; i++) {
		const struct test_probe *from = &t->probes[i];
		struct probe *p = probe_add(ps, &provider_test, TEST_FIRST + i, from->mod,
					    from->func, from->name);

		p->prov = probes_keep_name(ps, from->prov);
		p->hook = HOOK_RUN;
		p->target.name = p->name;
		p->is_entry = !strcmp(p->name, "entry");
		p->is_return = !strcmp(p->name, "return");
		p->data = (void *)from;
	}
}

static void test_args(struct probes *ps, struct probe *p)
{
	const struct test_probe *from = p->data;
	struct probe_arg *args = arena_alloc(probes_arena(ps), TEST_ARGS * sizeof(*args));
	struct types *types = probes_types(ps);

	for (int i = 0; i < from->nargs; i++)
		args[i].type =
		    type_find(types, NULL, from->strings >> i & 1 ? "char *" : "int64_t");
	p->args = args;
	p->nargs = from->nargs;
}

const struct provider provider_test = {
    .name = "test",
    .attr_provider = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_module = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_function = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_name = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .attr_args = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
    .owns = test_owns,
    .provide = test_provide,
    .args = test_args,
};
