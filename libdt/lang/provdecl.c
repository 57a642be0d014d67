/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/lang/provdecl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/lang/lib.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/lang/xlate.h"
#include "libdt/provider/prov.h"
#include "libdt/process/provnote.h"

/* Limits of other DTrace implementations, NUL included: names end up in fixed fields of what -G
 * writes. */
#define PROVIDER_NAME_MAX 54 /* the process's number makes it 64 */
#define PROBE_NAME_MAX 64

static struct provdecl *find(struct sema *s, const char *name)
{
	for (int i = 0; i < s->syms->providers.n; i++)
		if (!strcmp(s->syms->providers.v[i]->name, name))
			return s->syms->providers.v[i];
	return NULL;
}

struct provdecl *provdecl_find(struct sema *s, const char *name)
{
	struct provdecl *p = find(s, name);

	if (!p && lib_declare(s, arena_printf(s->arena, "provider %s", name)))
		p = find(s, name);
	return p;
}

bool provdecl_set_attr(struct provdecl *p, const char *word, struct attr attr)
{
	static const char *const words[] = {"provider", "module", "function", "name", "args"};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i], word)) {
			p->attrs[i] = attr;
			return true;
		}
	return false;
}

/* "query__start" names the probe query-start. */
static const char *dashes(struct sema *s, const char *word)
{
	char *name = arena_strdup(s->arena, word), *to = name;

	for (const char *from = word; *from; from++) {
		bool two = from > word && from[0] == '_' && from[1] == '_' && from[2];

		*to++ = two ? '-' : *from;
		from += two;
	}
	*to = '\0';
	return name;
}

/* A native argument may be the source of several translated ones, which then have its name. */
static struct probedecl_arg *arguments(struct sema *s, struct node *list, bool native, int *n)
{
	bool only_void = list && !list->next && !list->name && !list->list && list->base &&
			 list->base->spec == SPEC_VOID;
	struct probedecl_arg *args;

	*n = only_void ? 0 : node_count(list);
	args = arena_alloc(s->arena, MAX(*n, 1) * sizeof(*args));
	for (int i = 0; i < *n; i++, list = list->next) {
		args[i].name = list->name;
		args[i].type = type_of_decl(&s->decl_env, list);
		args[i].native = i;
		if (type_is_void(args[i].type) || type_base(args[i].type)->kind == T_ASSOC)
			sema_die(s, D_DECL_PROTO_TYPE, list, "probe argument may not be of type %s",
				 sema_type_text(s, args[i].type));
		for (int j = 0; native && j < i; j++)
			if (args[i].name && args[j].name && !strcmp(args[i].name, args[j].name))
				sema_die(s, D_DECL_PROTO_NAME, list,
					 "probe argument %s is declared twice", list->name);
	}
	return args;
}

/* Which native argument a translated one is made from: its name says, or its place when it has
 * none. */
static int native_of(struct sema *s, const struct probedecl *p, const struct node *arg, int place)
{
	if (!arg->name && !s->in_library)
		sema_die(s, D_DECL_PROTO_NAME, arg,
			 "probe %s: translated argument #%d needs the name of the argument that it "
			 "is made from",
			 p->name, place + 1);
	for (int i = 0; i < p->nargs && arg->name; i++)
		if (p->args[i].name && !strcmp(p->args[i].name, arg->name))
			return i;
	if (arg->name || place >= p->nargs)
		sema_die(s, D_PROV_INCOMPAT, arg,
			 "probe %s: translated argument #%d%s%s is not an argument of the probe",
			 p->name, place + 1, arg->name ? " " : "", arg->name ? arg->name : "");
	return place;
}

static struct probedecl *declare_probe(struct sema *s, struct node *n)
{
	struct probedecl *p = arena_alloc(s->arena, sizeof(*p));
	struct node *x = n->list2;

	p->word = n->name;
	p->name = dashes(s, n->name);
	p->loc = n->loc;
	if (strlen(p->name) >= PROBE_NAME_MAX)
		sema_die(s, D_PROV_PRNAMELEN, n, "probe name may not exceed %d characters: %s",
			 PROBE_NAME_MAX - 1, p->name);
	p->args = arguments(s, n->list, true, &p->nargs);
	p->translated = n->keyed;
	p->xargs = p->args;
	p->nxargs = p->nargs;
	if (!n->keyed)
		return p;
	p->xargs = arguments(s, n->list2, false, &p->nxargs);
	for (int i = 0; i < p->nxargs; i++, x = x->next)
		p->xargs[i].native = native_of(s, p, x, i);
	return p;
}

static bool same_args(const struct probedecl_arg *a, int na, const struct probedecl_arg *b, int nb)
{
	if (na != nb)
		return false;
	for (int i = 0; i < na; i++)
		if (!type_same(a[i].type, b[i].type) || a[i].native != b[i].native)
			return false;
	return true;
}

/* Said twice it must be the same. */
static bool is_known(struct sema *s, const struct provdecl *prov, const struct probedecl *p,
		     const struct node *at)
{
	for (int i = 0; i < prov->probes.n; i++) {
		const struct probedecl *old = prov->probes.v[i];

		if (strcmp(old->name, p->name))
			continue;
		if (!same_args(old->args, old->nargs, p->args, p->nargs) ||
		    !same_args(old->xargs, old->nxargs, p->xargs, p->nxargs))
			sema_die(s, D_PROV_INCOMPAT, at,
				 "provider %s declares probe %s again, with other arguments",
				 prov->name, p->name);
		return true;
	}
	return false;
}

static struct provdecl *new_provider(struct sema *s, struct node *item)
{
	struct provdecl *prov = arena_alloc(s->arena, sizeof(*prov));
	size_t len = strlen(item->name);

	if (isdigit((unsigned char)item->name[len - 1]))
		sema_die(s, D_PROV_BADNAME, item,
			 "provider name may not end with a digit: a process id follows it: %s",
			 item->name);
	if (len >= PROVIDER_NAME_MAX)
		sema_die(s, D_PROV_BADNAME, item, "provider name may not exceed %d characters: %s",
			 PROVIDER_NAME_MAX - 1, item->name);
	prov->name = item->name;
	prov->loc = item->loc;
	prov->library = s->in_library;
	for (int i = 0; i < PROVDECL_ATTRS; i++)
		prov->attrs[i] = (struct attr){STAB_UNSTABLE, STAB_UNSTABLE, CLASS_UNKNOWN};
	vec_push(&s->syms->providers, prov);
	return prov;
}

void provdecl_declare(struct sema *s, struct node *item)
{
	struct provdecl *prov = find(s, item->name);

	if (!prov)
		prov = new_provider(s, item);
	for (struct node *n = item->list; n; n = n->next) {
		struct probedecl *p = declare_probe(s, n);

		if (!is_known(s, prov, p, n))
			vec_push(&prov->probes, p);
	}
}

/* The declaration of a probe of "node123" or "node*"; NULL when there is none. */
static const struct probedecl *declaration(struct sema *s, const struct probe *p)
{
	size_t len = strlen(p->prov);
	const struct provdecl *prov;

	while (len && (isdigit((unsigned char)p->prov[len - 1]) || p->prov[len - 1] == '*'))
		len--;
	prov = len ? provdecl_find(s, arena_strndup(s->arena, p->prov, len)) : NULL;
	for (int i = 0; prov && i < prov->probes.n; i++)
		if (!strcmp(prov->probes.v[i]->name, p->name))
			return prov->probes.v[i];
	return NULL;
}

/*
 * What args[n] is: its type, or the reason why it has none, which is an error only when it is used:
 * -h and -G do not need the translators. A pointer that the program passes points into its
 * memory, and so do values derived from it.
 */
static struct probe_arg seen_as(struct sema *s, const struct probedecl *p,
				const struct probedecl_arg *x)
{
	const struct type *from = type_userland(s->types, p->args[x->native].type), *to = x->type;
	const struct type *out = type_base(to)->kind == T_PTR ? type_base(to)->ref : to;
	struct probe_arg arg = {.name = x->name, .type = type_userland(s->types, to)};
	struct xlator *xlator =
	    type_is_sou(out) && !type_same(to, from) ? xlator_find(s, out, from) : NULL;

	if (type_is_sou(to))
		arg.unavailable_reason = "it is declared as a struct, not as a pointer to one";
	else if (xlator)
		arg.type = type_view(s->types, to, type_userland(s->types, xlator->in));
	else if (!type_argument_ok(to, from) &&
		 !(type_is_scalar(to) && type_is_scalar(from) && !type_is_sou(out)))
		arg.unavailable_reason =
		    arena_printf(s->arena, "there is no translator from \"%s\" to \"%s\"",
				 sema_type_text(s, p->args[x->native].type), sema_type_text(s, to));
	return arg;
}

/* A type by its text in the object: D's own, the program's, or the kernel's; what none of them
 * knows is a number or an address. */
static const struct type *type_of_text(struct sema *s, const struct probe *p, const char *text)
{
	const char *program = usdt_types(s->probes, p);
	const struct type *type = type_find(s->types, "D", text);

	if (!type && program)
		type = type_find(s->types, program, text);
	if (!type)
		type = type_find(s->types, NULL, text);
	if (!type && strchr(text, '*'))
		type = type_ptr(s->types, type_find(s->types, "D", "void"));
	return type ? type : type_int(s->types, 8, true);
}

/* The declaration that the object has. */
static const struct probedecl *object_declaration(struct sema *s, const struct probe *p)
{
	const struct provnote_probe *note = usdt_declaration(p);
	struct probedecl *decl;

	if (!note)
		return NULL;
	decl = arena_alloc(s->arena, sizeof(*decl));
	decl->name = decl->word = note->name;
	decl->args = arena_alloc(s->arena, MAX(note->npassed, 1) * sizeof(*decl->args));
	decl->xargs = arena_alloc(s->arena, MAX(note->nargs, 1) * sizeof(*decl->xargs));
	decl->nargs = note->npassed;
	decl->nxargs = note->nargs;
	for (int i = 0; i < note->npassed; i++)
		decl->args[i] = (struct probedecl_arg){.type = type_of_text(s, p, note->passed[i]),
						       .native = i};
	for (int i = 0; i < note->nargs; i++)
		decl->xargs[i] = (struct probedecl_arg){
		    .type = type_of_text(s, p, note->args[i].type), .native = note->args[i].native};
	return decl;
}

/* The script's own declaration before the object's. */
void provdecl_args(void *sema, struct probe *p)
{
	struct sema *s = sema;
	const struct probedecl *decl = p->provider == &provider_usdt ? declaration(s, p) : NULL;
	struct probe_arg *args;
	uint8_t *map;

	if (!decl && p->provider == &provider_usdt)
		decl = object_declaration(s, p);
	if (!decl)
		return;
	args = arena_alloc(s->arena, MAX(decl->nxargs, 1) * sizeof(*args));
	map = arena_alloc(s->arena, MAX(decl->nxargs, 1));
	for (int i = 0; i < decl->nxargs; i++) {
		args[i] = seen_as(s, decl, &decl->xargs[i]);
		map[i] = decl->xargs[i].native;
		if (map[i] >= p->nargs)
			args[i].unavailable_reason = arena_printf(
			    s->arena, "the probe in the program has %d arguments only", p->nargs);
	}
	p->args = args;
	p->arg_map = map;
	p->nargs = decl->nxargs;
}

void provdecls_free(struct syms_of_script *syms)
{
	for (int i = 0; i < syms->providers.n; i++)
		vec_free(&syms->providers.v[i]->probes);
	vec_free(&syms->providers);
}
