/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds what programs with static probes need: -h and -G. */
#include "libdt/lang/provdecl.h"
#include "libdt/message.h"
#include "libdt/report.h"
#include "libdt/session.h"
#include "libdt/usdt/usdt.h"

/* Those which the programs declare, not the library. */
static int declared(struct dt *dt, struct provdecl ***provs)
{
	int n = 0;

	*provs = arena_alloc(dt->arena, (dt->script->providers.n + 1) * sizeof(**provs));
	for (int i = 0; i < dt->script->providers.n; i++)
		if (!dt->script->providers.v[i]->library)
			(*provs)[n++] = dt->script->providers.v[i];
	return n;
}

static int finish_usdt(struct dt *dt, int rc, struct strbuf *why)
{
	if (rc)
		report_error(dt, "%s", sb_str(why));
	sb_free(why);
	return rc;
}

int dt_header(struct dt *dt, FILE *out)
{
	struct provdecl **provs;
	struct strbuf why = {0};
	int n = declared(dt, &provs);

	if (!n)
		return report_error(dt, "no provider is declared");
	return finish_usdt(dt, usdt_header(dt->sema, provs, n, out, &why), &why);
}

int dt_link(struct dt *dt, char *const *objects, int nobjects, const char *path)
{
	struct provdecl **provs;
	struct strbuf why = {0};
	int n = declared(dt, &provs);

	if (!n)
		message(dt, DT_MSG_WARNING, "no provider is declared: the object has no probes");
	return finish_usdt(dt, usdt_object(dt->sema, provs, n, objects, nobjects, path, &why),
			   &why);
}
