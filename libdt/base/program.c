/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/base/program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/mem.h"

enum env_owner env_owner(void)
{
	const char *sudo = getenv("SUDO_UID");
	char *end;

	if (getauxval(AT_SECURE) || getuid() != geteuid())
		return ENV_OTHER;
	if (!sudo)
		return ENV_OWN;
	return *sudo && strtoul(sudo, &end, 10) == geteuid() && !*end ? ENV_SUDO : ENV_OTHER;
}

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

char *program_find(const char *name)
{
	const char *path = env_owner() == ENV_OWN ? getenv("PATH") : NULL;

	if (strchr(name, '/'))
		return is_program(name) ? xstrdup(name) : NULL;
	for (const char *dir = path ? path : PROGRAM_PATH;;) {
		int len = strcspn(dir, ":");
		char *found = len ? xasprintf("%.*s/%s", len, dir, name) : xasprintf("./%s", name);

		if (is_program(found))
			return found;
		free(found);
		if (!dir[len])
			return NULL;
		dir += len + 1;
	}
}

char **program_clean_environment(void)
{
	static char path[] = "PATH=" PROGRAM_PATH, locale[] = "LC_ALL=C";
	static char *const clean[] = {path, locale, NULL};

	return (char **)clean;
}

char **program_environment(void)
{
	return env_owner() == ENV_OWN ? environ : program_clean_environment();
}
