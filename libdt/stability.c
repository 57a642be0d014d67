/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How stable a program is: -v's report, and -x amin. */
#include "libdt/base/escape.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/plan/plan.h"
#include "libdt/provider/prov.h"
#include "libdt/report.h"
#include "libdt/session.h"
#include "libdt/stability.h"

/* D's own names are stable; what a clause says through its arguments is as stable as the
 * provider's arguments. */
static struct attr statements(const struct clause *c)
{
	struct attr a = {STAB_STABLE, STAB_STABLE, CLASS_COMMON};

	for (int i = 0; c->uses_args && i < c->probes.n; i++)
		a = attr_min(a, c->probes.v[i]->provider->attr_args);
	if (c->has_attr)
		a = attr_min(a, c->attr);
	return a;
}

static struct attr descriptions(const struct clause *c)
{
	struct attr a = {STAB_STANDARD, STAB_STANDARD, CLASS_COMMON};

	for (int j = 0; j < c->probes.n; j++)
		a = attr_min(a, probe_attr(c->probes.v[j]));
	return a;
}

void stability_check(struct dt *dt)
{
	const char *text = opt_text(&dt->opts, OPT_AMIN);
	struct attr least = {0};

	if (text && !attr_parse(text, &least))
		diag_die(&dt->diag, D_ATTR_MIN, (struct loc){0},
			 "failed to set -x amin: '%s' is not of the form Evolving/Evolving/Common",
			 text);
	for (int i = 0; text && i < dt->plan->clauses.n; i++) {
		const struct clause *c = dt->plan->clauses.v[i];
		struct attr a = attr_min(descriptions(c), statements(c));

		if (c->probes.n && !c->implied &&
		    (a.name < least.name || a.data < least.data || a.class < least.class))
			diag_die(
			    &dt->diag, D_ATTR_MIN, c->node->list->loc,
			    "attributes of the clause (%s/%s/%s) are less than predefined minimum",
			    stability_name(a.name), stability_name(a.data), depclass_name(a.class));
	}
}

static void list_never(const struct clause *c, FILE *out)
{
	const char *title = "\n\tProbes That Never Fire\n";

	for (int i = 0; i < c->probes.n; i++) {
		const struct probe *p = c->probes.v[i];

		if (!p->unsupported)
			continue;
		fprintf(out, "%s\t\t%s:%s:%s:%s: %s\n", title, p->prov, p->mod, p->func, p->name,
			p->unsupported);
		title = "";
	}
}

int dt_stability(struct dt *dt, FILE *out)
{
	if (dt->going)
		return report_error(dt, "tracing has begun already");
	for (int i = 0; i < dt->plan->clauses.n; i++) {
		struct clause *c = dt->plan->clauses.v[i];
		struct attr a = descriptions(c);

		if (!c->probes.n)
			continue;
		fputs("\nStability attributes for description ", out);
		escape_put(out, c->node->list->str ? c->node->list->str : "");
		fputs(":\n", out);
		fprintf(out,
			"\n\tMinimum Probe Description Attributes\n\t\tIdentifier Names: "
			"%s\n\t\tData Semantics:   %s\n"
			"\t\tDependency Class: %s\n",
			stability_name(a.name), stability_name(a.data), depclass_name(a.class));
		list_never(c, out);
		a = statements(c);
		fprintf(out,
			"\n\tMinimum Statement Attributes\n\t\tIdentifier Names: %s\n\t\tData "
			"Semantics:   %s\n"
			"\t\tDependency Class: %s\n",
			stability_name(a.name), stability_name(a.data), depclass_name(a.class));
	}
	return 0;
}
