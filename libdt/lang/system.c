/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system at hand as a file of the D library: what kernel.d says of it and no C compiler
 * knows. */
#include <stdint.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "libdt/base/mem.h"
#include "libdt/lang/lib.h"

static void text(struct strbuf *sb, const char *name, const char *value)
{
	sb_printf(sb, "inline string dt_uts_%s = \"", name);
	for (; *value; value++)
		if ((unsigned char)*value >= ' ')
			sb_printf(sb, "%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
	sb_puts(sb, "\";\n");
}

static void number(struct strbuf *sb, const char *name, long value)
{
	sb_printf(sb, "inline int64_t dt_unix_%s = %ld;\n", name, value);
}

const char *system_text(struct arena *a)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), all = sysconf(_SC_NPROCESSORS_CONF);
	struct strbuf sb = {0};
	struct utsname u = {0};
	const char *d;

	uname(&u);
	text(&sb, "sysname", u.sysname);
	text(&sb, "nodename", u.nodename);
	text(&sb, "release", u.release);
	text(&sb, "version", u.version);
	text(&sb, "machine", u.machine);
	number(&sb, "_pagesize", sysconf(_SC_PAGESIZE));
	number(&sb, "_pageshift", __builtin_ctzl(sysconf(_SC_PAGESIZE)));
	number(&sb, "physmem", sysconf(_SC_PHYS_PAGES));
	number(&sb, "physinstalled", sysconf(_SC_PHYS_PAGES));
	number(&sb, "maxmem", sysconf(_SC_PHYS_PAGES));
	sb_printf(&sb, "inline int ncpus = %ld;\n", cpus);
	number(&sb, "ncpus_online", cpus);
	number(&sb, "ncpus", all);
	number(&sb, "maxcpus", all);
	number(&sb, "max_ncpus", all);
	d = arena_strdup(a, sb_str(&sb));
	sb_free(&sb);
	return d;
}
