/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs every suite; with arguments, only the suites (files test_NAME.c) that are named. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#define SUITE(name) Suite *name(void);
#include SUITES
#undef SUITE

static const struct {
	const char *name;
	Suite *(*make)(void);
} suites[] = {
#define SUITE(name) {#name, name},
#include SUITES
#undef SUITE
    {NULL, NULL},
};

static int wanted(const char *suite, int argc, char **argv)
{
	size_t len = strlen(suite) - strlen("_suite");
	int i;

	for (i = 1; i < argc; i++)
		if (strlen(argv[i]) == len && !strncmp(argv[i], suite, len))
			return 1;
	return argc == 1;
}

int main(int argc, char **argv)
{
	SRunner *runner = srunner_create(NULL);
	int failed, ran, i;

	for (i = 0; suites[i].name; i++)
		if (wanted(suites[i].name, argc, argv))
			srunner_add_suite(runner, suites[i].make());
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	ran = srunner_ntests_run(runner);
	srunner_free(runner);
	return failed || !ran ? EXIT_FAILURE : EXIT_SUCCESS;
}
