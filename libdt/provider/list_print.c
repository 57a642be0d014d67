/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The listings of -l and -lv, in columns that scripts have parsed for twenty years. */
#include <inttypes.h>

#include "libdt/base/escape.h"
#include "libdt/provider/probe.h"

const char *stability_name(int s)
{
	static const char *const names[] = {
	    [STAB_INTERNAL] = "Internal", [STAB_PRIVATE] = "Private",
	    [STAB_OBSOLETE] = "Obsolete", [STAB_EXTERNAL] = "External",
	    [STAB_UNSTABLE] = "Unstable", [STAB_EVOLVING] = "Evolving",
	    [STAB_STABLE] = "Stable",	  [STAB_STANDARD] = "Standard",
	};

	return s >= 0 && s < (int)ARRAY_SIZE(names) ? names[s] : "Unknown";
}

const char *depclass_name(int c)
{
	static const char *const names[] = {
	    [CLASS_UNKNOWN] = "Unknown", [CLASS_CPU] = "CPU", [CLASS_PLATFORM] = "Platform",
	    [CLASS_GROUP] = "Group",	 [CLASS_ISA] = "ISA", [CLASS_COMMON] = "Common",
	};

	return c >= 0 && c < (int)ARRAY_SIZE(names) ? names[c] : "Unknown";
}

struct attr attr_min(struct attr a, struct attr b)
{
	return (struct attr){MIN(a.name, b.name), MIN(a.data, b.data), MIN(a.class, b.class)};
}

struct attr probe_attr(const struct probe *p)
{
	const struct provider *prov = p->provider;
	struct attr attr = attr_min(prov->attr_provider, prov->attr_name);

	if (*p->mod)
		attr = attr_min(attr, prov->attr_module);
	if (*p->func)
		attr = attr_min(attr, prov->attr_function);
	return attr;
}

void probe_list_header(FILE *out)
{
	fprintf(out, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME");
}

void probe_list(FILE *out, const struct probe *p)
{
	fprintf(out, "%5" PRIu32 " %10s %17s %33s %s\n", p->id, p->prov, p->mod, p->func, p->name);
}

static void list_attr(FILE *out, const char *title, struct attr attr)
{
	fprintf(out, "\n\t%s\n", title);
	fprintf(out, "\t\tIdentifier Names: %s\n", stability_name(attr.name));
	fprintf(out, "\t\tData Semantics:   %s\n", stability_name(attr.data));
	fprintf(out, "\t\tDependency Class: %s\n", depclass_name(attr.class));
}

void probe_list_verbose(struct probes *ps, FILE *out, struct probe *p)
{
	probe_args(ps, p);
	probe_list(out, p);
	list_attr(out, "Probe Description Attributes", probe_attr(p));
	list_attr(out, "Argument Attributes", p->provider->attr_args);
	fputs("\n\tArgument Types\n", out);
	for (int i = 0; i < p->nargs; i++) {
		const struct probe_arg *arg = &p->args[i];

		fprintf(out, "\t\targs[%d]: ", i);
		escape_put(out, type_text(probes_types(ps), arg->type));
		if (arg->name && *arg->name) {
			fputs("  (", out);
			escape_put(out, arg->name);
			putc(')', out);
		}
		fputc('\n', out);
	}
	if (!p->nargs)
		fputs("\t\tNone\n", out);
	fputc('\n', out);
}
