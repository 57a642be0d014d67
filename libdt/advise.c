/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notices and hints on the probes that programs name: calls that -x compat widens, or would, and
 * probes that never fire. */
#include <string.h>
#include <unistd.h>

#include "libdt/advise.h"
#include "libdt/compile.h"
#include "libdt/plan/plan.h"
#include "libdt/process/proc.h"
#include "libdt/provider/prov.h"
#include "libdt/session.h"

/* Comments become blanks. Strings stay: a call that a predicate compares with is named. */
void advise_upcoming(struct dt *dt, const char *text)
{
	for (const char *s = text, *end; *s; s = end) {
		end = s + 1;
		if (*s == '"' || *s == '\'') {
			while (*end && *end != *s && *end != '\n')
				end += *end == '\\' && end[1] ? 2 : 1;
			end += *end == *s;
			sb_add(&dt->input->texts, s, end - s);
		} else if (s[0] == '/' && (s[1] == '*' || s[1] == '/')) {
			const char *close = s[1] == '*' ? strstr(s + 2, "*/") : strchr(s, '\n');

			end = close ? close + (s[1] == '*' ? 2 : 0) : s + strlen(s);
			sb_putc(&dt->input->texts, ' ');
		} else {
			sb_putc(&dt->input->texts, *s);
		}
	}
	sb_putc(&dt->input->texts, '\n');
}

void advise_widened(struct dt *dt)
{
	if (dt->input->compat->all || !dt->input->compat->widened)
		return;
	for (const char *s = dt->input->compat->widened; s[1]; s += 1 + strcspn(s + 1, " ")) {
		const char *call = arena_strndup(dt->arena, s + 1, strcspn(s + 1, " "));

		if (!compat_lists(dt->input->widened, call))
			dt->input->widened =
			    arena_printf(dt->arena, "%s%s ",
					 dt->input->widened ? dt->input->widened : " ", call);
	}
}

/* Are there no notices? Under -q only a terminal gets them. */
static bool is_silent(const struct dt *dt)
{
	return opt_on(&dt->opts, OPT_QUIET) && !isatty(STDERR_FILENO);
}

/* Once for all programs. */
static void notice_widened(struct dt *dt)
{
	struct strbuf sb = {0};

	if (!dt->input->widened || is_silent(dt))
		return;
	for (const char *s = dt->input->widened; s[1]; s += 1 + strcspn(s + 1, " ")) {
		const char *call = arena_strndup(dt->arena, s + 1, strcspn(s + 1, " "));
		const char *newer = compat_others(dt->arena, call);

		sb_printf(&sb, "%s%s matches", sb.len ? ", " : "", call);
		for (size_t len; *newer; newer += len + strspn(newer + len, " ")) {
			len = strcspn(newer, " ");
			sb_printf(&sb, " %.*s%s", (int)len, newer, newer[len] ? " and" : "");
		}
	}
	diag_warn(&dt->diag, (struct loc){0},
		  "system calls by their older names: %s; -x compat=off turns that off",
		  sb_str(&sb));
	sb_free(&sb);
}

static bool enables_call(struct dt *dt, const char *name, size_t len)
{
	for (int i = 0; i < dt->plan->clauses.n; i++) {
		const struct clause *c = dt->plan->clauses.v[i];

		for (int j = 0; j < c->probes.n; j++) {
			const struct probe *p = probe_base(c->probes.v[j]);

			if (!strcmp(p->prov, "syscall") && strlen(p->func) == len &&
			    !memcmp(p->func, name, len))
				return true;
		}
	}
	return false;
}

/* The first of these calls, separated by blanks, that is not traced; NULL. all: only if none is. */
static const char *missed_call(struct dt *dt, const char *calls, bool all)
{
	const char *missed = NULL;

	while (*calls) {
		size_t len = strcspn(calls, " ");

		if (!enables_call(dt, calls, len))
			missed = missed ? missed : calls;
		else if (all)
			return NULL;
		calls += len + strspn(calls + len, " ");
	}
	return missed;
}

/* Is the call's name written out in one of the clause's descriptions? */
static bool names_call(const struct clause *c, const char *call)
{
	size_t len = strlen(call);

	for (int i = 0; i < c->descriptions.n; i++) {
		/* provider:module:function:name; an identifier has no colon */
		const char *mod = strchr(c->descriptions.v[i], ':');
		const char *func = mod ? strchr(mod + 1, ':') : NULL;

		if (func && !strncmp(func + 1, call, len) && func[1 + len] == ':')
			return true;
	}
	return false;
}

/* Calls that programs hardly make any more, with none of those that they make instead: the script
 * sees nothing. A pattern that has the one (stat* has statx, too) is meant to have the other. */
static void hint_compat(struct dt *dt)
{
	for (int i = 0; i < dt->plan->clauses.n; i++) {
		const struct clause *c = dt->plan->clauses.v[i];

		for (int j = 0; j < c->probes.n && !c->implied; j++) {
			const struct probe *p = c->probes.v[j];
			const char *calls =
			    !strcmp(p->prov, "syscall") ? compat_calls(dt->arena, p->func) : NULL;

			calls = calls ? missed_call(dt, calls, names_call(c, p->func)) : NULL;
			if (!calls)
				continue;
			diag_warn(&dt->diag, (struct loc){0},
				  "syscall::%s does not match %.*s, which programs call instead; "
				  "add -x compat",
				  p->func, (int)strcspn(calls, " "), calls);
			return;
		}
	}
}

/* BEGIN and the like aside, has the program a probe that may fire? */
static bool can_fire(const struct dt *dt)
{
	for (int i = 0; i < dt->plan->clauses.n; i++)
		for (int j = 0; j < dt->plan->clauses.v[i]->probes.n; j++) {
			const struct probe *p = dt->plan->clauses.v[i]->probes.v[j];

			if (!p->unsupported && p->provider != &provider_dtrace)
				return true;
		}
	return false;
}

enum { NEVER_LISTED = 4 };

/* A line for all probes that a description names by itself. System calls that are missing here are
 * for -v, as scripts for several systems name many; but where nothing else fires, this is why. */
static void notice_never(struct dt *dt)
{
	bool nothing = !can_fire(dt);
	struct hash seen = {0};
	struct strbuf sb = {0};

	for (int i = 0; i < dt->plan->clauses.n; i++)
		for (int j = 0; j < dt->plan->clauses.v[i]->probes.n; j++) {
			const struct probe *p = dt->plan->clauses.v[i]->probes.v[j];
			void **was;

			if (!p->unsupported || (p->provider->last ? !nothing : !p->named))
				continue;
			was = hash_ref(&seen, &p->id, sizeof(p->id));
			if (!*was && seen.n <= NEVER_LISTED)
				sb_printf(&sb, "%s%s::%s:%s (%s)", sb.len ? ", " : "", p->prov,
					  p->func, p->name, p->unsupported);
			*was = dt;
		}
	if (seen.n > NEVER_LISTED)
		sb_printf(&sb, " and %d more", (int)seen.n - NEVER_LISTED);
	if (sb.len)
		diag_warn(&dt->diag, (struct loc){0}, "%s fire%s: %s",
			  seen.n > 1 ? "these probes never" : "this probe never",
			  seen.n > 1 ? "" : "s", sb_str(&sb));
	hash_free(&seen);
	sb_free(&sb);
}

/* Does the probe fire in whichever process runs? Those of one process do not, nor those that fire
 * once for the whole system. */
static bool is_of_all(const struct probe *p)
{
	p = probe_base(p);
	return !p->unsupported && !p->target.pid && !p->pids.modulus && !p->awaits &&
	       !probe_is_systemwide(p);
}

/* With -p or -c a clause without a predicate that is about all processes is seldom meant. */
static void hint_target(struct dt *dt)
{
	if (!proc_nth(dt->procs, 0) || dt->input->uses_target || is_silent(dt))
		return;
	for (int i = 0; i < dt->plan->clauses.n; i++) {
		const struct clause *c = dt->plan->clauses.v[i];

		for (int j = 0; j < c->probes.n && !c->implied && !c->node->a; j++) {
			const struct probe *p = c->probes.v[j];

			if (!is_of_all(p))
				continue;
			diag_warn(&dt->diag, c->node->list->loc,
				  "%s:%s:%s:%s fires in all processes, not only that of -c or -p; "
				  "add the predicate /pid == $target/",
				  p->prov, p->mod, p->func, p->name);
			return;
		}
	}
}

/* Only a uretprobe can be on some functions; see prov_pid.c. */
static void warn_exceptions(struct dt *dt)
{
	for (int i = 0; i < dt->plan->clauses.n; i++)
		for (int j = 0; j < dt->plan->clauses.v[i]->probes.n; j++) {
			const struct probe *p = dt->plan->clauses.v[i]->probes.v[j];

			if (!p->blocks_exceptions)
				continue;
			diag_warn(&dt->diag, (struct loc){0},
				  "%s:%s:%s:return replaces the return address: an exception that "
				  "passes through the function ends the program; with -x "
				  "pidret=insn it does not (further ones are not reported)",
				  p->prov, p->mod, p->func);
			return;
		}
}

void advise(struct dt *dt)
{
	warn_exceptions(dt);
	hint_target(dt);
	notice_widened(dt);
	notice_never(dt);
	hint_compat(dt);
}
