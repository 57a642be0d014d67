/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probe table. Nothing is in it until a description asks: each provider whose name fits puts in
 * what the description could mean, then the table picks. Providers derive ids from numbers that the
 * kernel gave out, so the order of the questions does not show in the ids.
 */
#include "libdt/provider/prov.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/escape.h"
#include "libdt/base/hash.h"
#include "libdt/provider/event.h"
#include "libdt/provider/func.h"

/* One provider's probes. */
struct family {
	const struct provider *provider;
	VEC(struct probe *) probes;
	/* of the first n_indexed: the last one with that key (key_of()), linked to the others */
	struct hash by_key;
	int n_indexed;
	bool has_functions; /* of any of its probes */
};

/* A provider's. */
struct state {
	const char *key;
	void *bytes;
	void (*free)(void *state);
};

struct probes {
	struct arena *arena, *whole; /* another one than whole: a part of it, since probes_mark() */
	VEC(int) marks;		     /* how many probes each family had then */
	struct types *types;
	struct feats *feats;
	const struct opts *opts;
	const struct provider *const *providers;
	/* open addressing; a power of two of slots, less than half of them used */
	struct probe **by_id;
	uint32_t nslots, n;
	VEC(struct family) families;
	VEC(struct state) states;
	const char *tracefs;
	bool tracefs_known;
	int tracefs_errno;
	enum tag lack_tag;
	void (*on_process)(void *arg);
	void *on_process_arg;
	pid_t (*process)(void *arg, int n);
	void *process_arg;
	pid_t (*number)(void *arg, pid_t pid);
	void *number_arg;
	struct syms *syms;
	struct foreign *foreign;
	void (*on_args)(void *arg, struct probe *p);
	bool (*members)(void *arg, probes_member_fn *fn, void *to);
	void *members_arg;
	void *on_args_arg;
};

struct probes *probes_new(struct arena *a, struct types *types, struct feats *feats)
{
	struct probes *ps = arena_alloc(a, sizeof(*ps));

	ps->arena = ps->whole = a;
	ps->types = types;
	ps->feats = feats;
	ps->providers = providers;
	return ps;
}

void probes_set_providers(struct probes *ps, const struct provider *const *list)
{
	ps->providers = list;
}

void probes_set_foreign(struct probes *ps, struct foreign *f)
{
	ps->foreign = f;
}

struct foreign *probes_foreign(struct probes *ps)
{
	return ps->foreign;
}

void probes_free(struct probes *ps)
{
	if (!ps)
		return;
	for (int i = ps->states.n; i-- > 0;)
		if (ps->states.v[i].free)
			ps->states.v[i].free(ps->states.v[i].bytes);
	vec_free(&ps->states);
	vec_free(&ps->marks);
	free(ps->by_id);
	for (int i = 0; i < ps->families.n; i++) {
		vec_free(&ps->families.v[i].probes);
		hash_free(&ps->families.v[i].by_key);
	}
	vec_free(&ps->families);
}

bool probe_is_systemwide(const struct probe *p)
{
	p = probe_base(p);
	return !strcmp(p->prov, "dtrace") || !strncmp(p->name, "tick-", strlen("tick-"));
}

struct types *probes_types(struct probes *ps)
{
	return ps->types;
}

struct arena *probes_arena(struct probes *ps)
{
	return ps->arena;
}

struct arena *probes_kept_arena(struct probes *ps)
{
	return ps->whole;
}

struct feats *probes_feats(struct probes *ps)
{
	return ps->feats;
}

const char *probes_tracefs(struct probes *ps)
{
	const char *path;

	if (!ps->tracefs_known) {
		errno = 0;
		path = tracefs_path();
		ps->tracefs = path ? arena_strdup(ps->whole, path) : NULL;
		ps->tracefs_errno = path ? 0 : errno;
		ps->tracefs_known = true;
	}
	return ps->tracefs;
}

const char *probes_tracefs_error(struct probes *ps)
{
	if (probes_tracefs(ps))
		return NULL;
	return strerror(ps->tracefs_errno ? ps->tracefs_errno : ENOENT);
}

void probes_set_tracefs(struct probes *ps, const char *path)
{
	ps->tracefs = *path ? arena_strdup(ps->arena, path) : NULL;
	ps->tracefs_errno = *path ? 0 : ENOENT;
	ps->tracefs_known = true;
}

void *probes_state(struct probes *ps, const char *key, size_t size, void (*free)(void *state))
{
	struct state s = {.key = key, .free = free};

	for (int i = 0; i < ps->states.n; i++)
		if (!strcmp(ps->states.v[i].key, key))
			return ps->states.v[i].bytes;
	s.bytes = arena_alloc(ps->whole, size);
	vec_push(&ps->states, s);
	return s.bytes;
}

void probes_set_opts(struct probes *ps, const struct opts *opts)
{
	ps->opts = opts;
}

const struct opts *probes_opts(const struct probes *ps)
{
	return ps->opts;
}

void probes_on_process(struct probes *ps, void (*fn)(void *arg), void *arg)
{
	ps->on_process = fn;
	ps->on_process_arg = arg;
}

void probes_meet_process(struct probes *ps)
{
	if (ps->on_process)
		ps->on_process(ps->on_process_arg);
}

void probes_set_processes(struct probes *ps, pid_t (*fn)(void *arg, int n), void *arg)
{
	ps->process = fn;
	ps->process_arg = arg;
}

pid_t probes_process(const struct probes *ps, int n)
{
	return ps->process ? ps->process(ps->process_arg, n) : 0;
}

void probes_set_members(struct probes *ps, bool (*each)(void *arg, probes_member_fn *fn, void *to),
			void *arg)
{
	ps->members = each;
	ps->members_arg = arg;
}

bool probes_each_member(const struct probes *ps, probes_member_fn *fn, void *to)
{
	return ps->members && ps->members(ps->members_arg, fn, to);
}

void probes_on_number(struct probes *ps, pid_t (*fn)(void *arg, pid_t pid), void *arg)
{
	ps->number = fn;
	ps->number_arg = arg;
}

pid_t probes_kernel_number(const struct probes *ps, pid_t pid)
{
	return ps->number ? ps->number(ps->number_arg, pid) : pid;
}

void probes_set_syms(struct probes *ps, struct syms *syms)
{
	ps->syms = syms;
}

struct syms *probes_syms(const struct probes *ps)
{
	return ps->syms;
}

void probes_on_args(struct probes *ps, void (*fn)(void *arg, struct probe *p), void *arg)
{
	ps->on_args = fn;
	ps->on_args_arg = arg;
}

/* One "[...]" at p against c. Returns what follows it, or NULL when it is not closed. */
static const char *glob_set(const char *p, unsigned char c, bool *hit)
{
	bool negate = p[1] == '!', first = true;

	*hit = false;
	for (p += negate ? 2 : 1; *p && (*p != ']' || first); first = false) {
		unsigned char lo, hi;

		if (*p == '\\' && p[1])
			p++;
		lo = hi = (unsigned char)*p++;
		if (*p == '-' && p[1] && p[1] != ']') {
			p += p[1] == '\\' && p[2] ? 2 : 1;
			hi = (unsigned char)*p++;
		}
		if (c >= lo && c <= hi)
			*hit = true;
	}
	*hit ^= negate;
	return *p ? p + 1 : NULL;
}

/* One character of text against the start of p, which is no star. What follows in p, or NULL. */
static const char *glob_one(const char *p, unsigned char c)
{
	const char *next;
	bool hit;

	switch (*p) {
	case '?':
		return p + 1;
	case '[':
		next = glob_set(p, c, &hit);
		if (next)
			return hit ? next : NULL;
		break;
	case '\\':
		if (p[1])
			p++;
		break;
	}
	return (unsigned char)*p == c ? p + 1 : NULL;
}

/* Most texts that a description is compared with differ from it in their first character. */
static bool differs_at_start(const char *p, const char *text)
{
	return *p != *text && *p != '*' && *p != '?' && *p != '[' && *p != '\\';
}

/* Only the last star needs going back to: whatever an earlier one could take, the last one can. */
bool glob_fits(const char *pattern, const char *text)
{
	const char *p = pattern, *star = NULL, *mark = NULL, *next;

	if (!p || !*p)
		return true;
	if (differs_at_start(p, text))
		return false;
	while (*text) {
		if (*p == '*') {
			star = ++p;
			mark = text;
		} else if (*p && (next = glob_one(p, (unsigned char)*text))) {
			p = next;
			text++;
		} else if (star) {
			p = star;
			text = ++mark;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

bool glob_is_literal(const char *pattern)
{
	return pattern && *pattern && !strpbrk(pattern, "*?[\\");
}

static const char *trimmed(struct arena *a, const char *s, size_t n)
{
	while (n && strchr(" \t\n\r\f\v", s[0]))
		s++, n--;
	while (n && strchr(" \t\n\r\f\v", s[n - 1]))
		n--;
	return arena_strndup(a, s, n);
}

bool pdesc_parse(struct arena *a, const char *text, int default_field, struct pdesc *out)
{
	const char *field[4] = {"", "", "", ""}, *end = text + strlen(text);
	int i = default_field;

	for (;; i--) {
		const char *start = end;

		if (i < 0 || i > 3)
			return false;
		while (start > text && start[-1] != ':')
			start--;
		field[i] = trimmed(a, start, (size_t)(end - start));
		if (start == text)
			break;
		end = start - 1;
	}
	*out =
	    (struct pdesc){.prov = field[0], .mod = field[1], .func = field[2], .name = field[3]};
	return true;
}

bool pdesc_wants_id(const struct pdesc *pd, uint32_t first, uint32_t last)
{
	return !pd->id || (pd->id <= last && pd->id_last >= first);
}

static bool module_fits(const struct pdesc *pd, const struct probe *p)
{
	if (p->provider->fits_module)
		return p->provider->fits_module(p, pd->mod);
	return glob_fits(pd->mod, p->mod);
}

/* A pattern (app*) means the probes of all processes: those of one (app123), which another
 * description asked for, are on the same places, and would fire once more. */
static bool field_fits(const struct pdesc *pd, const struct probe *p)
{
	if (p->provider->fits_provider && !pd->id)
		return p->provider->fits_provider(p, pd->prov);
	return glob_fits(pd->prov, p->prov) &&
	       (!p->provider->owns || !p->target.pid || glob_is_literal(pd->prov));
}

/* The field first in which most probes differ. */
static bool fits(const struct pdesc *pd, const struct probe *p)
{
	return pdesc_wants_id(pd, p->id, p->id) && glob_fits(pd->func, p->func) &&
	       glob_fits(pd->name, p->name) && module_fits(pd, p) && field_fits(pd, p) &&
	       (!p->provider->leaves_out || !p->provider->leaves_out(pd, p));
}

static struct pdesc rewritten(const struct provider *prov, const struct pdesc *pd)
{
	struct pdesc own = *pd;

	if (prov->rewrite && !pd->id)
		prov->rewrite(&own);
	return own;
}

bool pdesc_matches(const struct pdesc *pd, const struct probe *p)
{
	struct pdesc own = rewritten(p->provider, pd);

	return fits(&own, p);
}

/* Where the probe of that number is, or would be. */
static struct probe **slot_of(struct probes *ps, uint32_t id)
{
	uint32_t i = id * 2654435761u & (ps->nslots - 1);

	while (ps->by_id[i] && ps->by_id[i]->id != id)
		i = (i + 1) & (ps->nslots - 1);
	return &ps->by_id[i];
}

static void grow(struct probes *ps)
{
	struct probe **old = ps->by_id;
	uint32_t n = ps->nslots;

	ps->nslots = n ? n * 2 : 256;
	ps->by_id = xcalloc(ps->nslots, sizeof(*ps->by_id));
	for (uint32_t i = 0; i < n; i++)
		if (old[i])
			*slot_of(ps, old[i]->id) = old[i];
	free(old);
}

static struct family *family_of(struct probes *ps, const struct provider *prov)
{
	struct family f = {.provider = prov};

	for (int i = 0; i < ps->families.n; i++)
		if (ps->families.v[i].provider == prov)
			return &ps->families.v[i];
	vec_push(&ps->families, f);
	return &ps->families.v[ps->families.n - 1];
}

struct probe *probe_find(struct probes *ps, uint32_t id)
{
	return ps->nslots ? *slot_of(ps, id) : NULL;
}

struct probe *probe_add_kept(struct probes *ps, const struct provider *prov, uint32_t id,
			     const char *mod, const char *func, const char *name)
{
	struct probe *p = probe_find(ps, id);
	struct family *family;

	if (p)
		return p;
	p = arena_alloc(ps->arena, sizeof(*p));
	p->id = id;
	p->provider = prov;
	p->prov = prov->name;
	p->mod = mod;
	p->func = func;
	p->name = name;
	if (++ps->n * 2 > ps->nslots)
		grow(ps);
	*slot_of(ps, id) = p;
	family = family_of(ps, prov);
	vec_push(&family->probes, p);
	family->has_functions |= *func != '\0';
	return p;
}

const char *probes_keep_name(struct probes *ps, const char *name)
{
	struct strbuf sb = {0};
	size_t len = strlen(name);
	const char *kept;

	if (escape_clean(name, len, ESCAPE_NAME) == len)
		return arena_strdup(ps->arena, name);
	escape_add(&sb, name, len, ESCAPE_NAME);
	kept = arena_strdup(ps->arena, sb_str(&sb));
	sb_free(&sb);
	return kept;
}

struct probe *probe_add(struct probes *ps, const struct provider *prov, uint32_t id,
			const char *mod, const char *func, const char *name)
{
	struct probe *p = probe_find(ps, id);

	if (p)
		return p;
	return probe_add_kept(ps, prov, id, probes_keep_name(ps, mod), probes_keep_name(ps, func),
			      probes_keep_name(ps, name));
}

void probe_args(struct probes *ps, struct probe *p)
{
	if (p->args_known)
		return;
	p->args_known = true;
	if (p->provider->args)
		p->provider->args(ps, p);
	if (ps->on_args)
		ps->on_args(ps->on_args_arg, p);
}

/* BEGIN and END without a provider mean dtrace's, and no other provider is searched: almost every
 * script has them. */
static bool is_own_name(const struct pdesc *pd)
{
	static const char *const names[] = {"BEGIN", "END", "ERROR", "SIGUSR1", "SIGUSR2"};

	for (unsigned i = 0; !*pd->prov && !*pd->mod && !*pd->func && i < ARRAY_SIZE(names); i++)
		if (!strcmp(pd->name, names[i]))
			return true;
	return false;
}

static bool provider_fits(const struct pdesc *pd, const struct provider *prov)
{
	if (pd->id)
		return true;
	if (prov->owns)
		return prov->owns(pd->prov);
	return glob_fits(is_own_name(pd) ? "dtrace" : pd->prov, prov->name);
}

/* Does a description that is not of one provider mean probes of this one in the session's
 * processes? */
static bool process_fits(const struct probes *ps, const struct pdesc *pd,
			 const struct provider *prov)
{
	return prov->of_processes && !glob_is_literal(pd->prov) && !is_own_name(pd) &&
	       probes_process(ps, 0);
}

static int by_id(const void *a, const void *b)
{
	const struct probe *const *x = a, *const *y = b;

	return (*x)->id < (*y)->id ? -1 : (*x)->id > (*y)->id;
}

struct found {
	struct probe **v;
	int n, cap;
};

/* What is found lives in the arena: the caller's fn may leave by diag_die(). */
static void add_found(struct probes *ps, struct found *found, struct probe *p)
{
	struct probe **old = found->v;

	if (found->n == found->cap) {
		found->cap = MAX(16, found->cap * 4);
		found->v = arena_alloc(ps->arena, (size_t)found->cap * sizeof(*found->v));
		if (found->n)
			memcpy(found->v, old, (size_t)found->n * sizeof(*old));
	}
	found->v[found->n++] = p;
}

/* In what a provider's probes differ. */
static const char *key_of(const struct probe *p)
{
	return *p->func ? p->func : p->name;
}

/* The key that all probes that fit have, NULL if they may have several. */
static const char *key_wanted(const struct family *family, const struct pdesc *pd)
{
	if (glob_is_literal(pd->func))
		return pd->func;
	return !family->has_functions && glob_is_literal(pd->name) ? pd->name : NULL;
}

/* The probes with a key, linked by same_key. */
static struct probe *with_key(struct family *family, const char *key)
{
	for (; family->n_indexed < family->probes.n; family->n_indexed++) {
		struct probe *p = family->probes.v[family->n_indexed];
		void **first = hash_ref(&family->by_key, key_of(p), strlen(key_of(p)));

		p->same_key = *first;
		*first = p;
	}
	return hash_gets(&family->by_key, key);
}

/* It is the first one of its key: those that were added later are gone already. */
static void unindex(struct family *family, const struct probe *p)
{
	void **first = hash_ref(&family->by_key, key_of(p), strlen(key_of(p)));

	*first = p->same_key;
	if (!*first)
		hash_remove(&family->by_key, key_of(p), strlen(key_of(p)));
}

static int mark_of(const struct probes *ps, int family)
{
	return family < ps->marks.n ? ps->marks.v[family] : 0;
}

static void drop_added(struct probes *ps)
{
	uint32_t before = ps->n;

	for (int i = 0; i < ps->families.n; i++) {
		struct family *family = &ps->families.v[i];

		for (; family->probes.n > mark_of(ps, i); family->probes.n--, ps->n--)
			if (family->n_indexed == family->probes.n)
				unindex(family, family->probes.v[--family->n_indexed]);
	}
	if (before == ps->n)
		return;
	memset(ps->by_id, 0, ps->nslots * sizeof(*ps->by_id));
	for (int i = 0; i < ps->families.n; i++)
		for (int j = 0; j < ps->families.v[i].probes.n; j++) {
			struct probe *p = ps->families.v[i].probes.v[j];

			*slot_of(ps, p->id) = p;
		}
}

void probes_mark(struct probes *ps)
{
	ps->marks.n = 0;
	for (int i = 0; i < ps->families.n; i++)
		vec_push(&ps->marks, ps->families.v[i].probes.n);
	ps->arena = arena_part(ps->whole);
}

bool probes_release(struct probes *ps, bool keep)
{
	struct arena *part = ps->arena;

	ps->arena = ps->whole;
	for (int i = 0; i < ps->families.n; i++)
		keep |= !ps->families.v[i].provider->await &&
			ps->families.v[i].probes.n > mark_of(ps, i);
	if (keep)
		return true;
	drop_added(ps);
	arena_free(part);
	return false;
}

/* Adds what the provider has for the description. */
static void pick(struct probes *ps, const struct provider *prov, const struct pdesc *own,
		 struct found *found)
{
	struct family *family = family_of(ps, prov);
	const char *key = key_wanted(family, own);

	if (key) {
		for (struct probe *p = with_key(family, key); p; p = p->same_key)
			if (fits(own, p))
				add_found(ps, found, p);
		return;
	}
	for (int i = 0; i < family->probes.n; i++)
		if (fits(own, family->probes.v[i]))
			add_found(ps, found, family->probes.v[i]);
}

static bool is_sorted(const struct found *found)
{
	for (int i = 1; i < found->n; i++)
		if (found->v[i - 1]->id > found->v[i]->id)
			return false;
	return true;
}

static bool has(const struct found *found, const struct probe *p)
{
	for (int i = 0; i < found->n; i++)
		if (found->v[i] == p)
			return true;
	return false;
}

/* A call that is there by the name that -x compat gives it too is that only, unless the program
 * wants it by its own. */
static void settle_names(struct probes *ps, const struct pdesc *pd, struct found *found)
{
	struct found keep = {arena_alloc(ps->arena, (size_t)found->n * sizeof(*found->v)), 0,
			     found->n};
	struct found twice = {arena_alloc(ps->arena, (size_t)found->n * sizeof(*found->v)), 0,
			      found->n};

	for (int i = 0; i < found->n; i++) {
		struct probe *p = found->v[i];
		bool is_other = p->base && !strcmp(p->base->prov, p->prov) && *p->base->func;

		if (is_other && !compat_takes(pd, p))
			continue;
		if (is_other && has(found, p->base))
			twice.v[twice.n++] = p->base;
		keep.v[keep.n++] = p;
	}
	found->n = 0;
	for (int i = 0; i < keep.n; i++)
		if (!has(&twice, keep.v[i]))
			found->v[found->n++] = keep.v[i];
}

int probes_match(struct probes *ps, const struct pdesc *pd, void (*fn)(void *arg, struct probe *p),
		 void *arg)
{
	struct found found = {0};

	for (const struct provider *const *prov = ps->providers; *prov; prov++) {
		struct pdesc own;

		if ((!provider_fits(pd, *prov) && !process_fits(ps, pd, *prov)) ||
		    ((*prov)->last && found.n))
			continue;
		own = rewritten(*prov, pd);
		(*prov)->provide(ps, &own);
		pick(ps, *prov, &own, &found);
	}
	if (pd->compat && (pd->compat->all || pd->compat->widened) && found.n)
		settle_names(ps, pd, &found);
	if (!is_sorted(&found))
		qsort(found.v, (size_t)found.n, sizeof(*found.v), by_id);
	for (int i = 0; fn && i < found.n; i++)
		fn(arg, found.v[i]);
	return found.n;
}

enum { AWAIT_FIRST = 1 << 30 };

static void met_free(void *state)
{
	hash_free(state);
}

struct probe *probe_await(struct probes *ps, const struct provider *prov, const struct pdesc *pd,
			  pid_t pid, enum hook_kind hook, bool is_entry)
{
	struct hash *met = probes_state(ps, "probe.c", sizeof(*met), met_free);
	const char *key = arena_printf(ps->arena, "%s %d %d %s:%s:%s:%s", prov->name, hook,
				       is_entry, pd->prov, pd->mod, pd->func, pd->name);
	struct probe **p = (struct probe **)hash_ref(met, key, strlen(key));
	struct pdesc *own;

	if (*p)
		return *p;
	own = arena_alloc(ps->arena, sizeof(*own));
	*own = *pd;
	*p = arena_alloc(ps->arena, sizeof(**p));
	**p = (struct probe){.id = AWAIT_FIRST + met->n,
			     .provider = prov,
			     .prov = pd->prov,
			     .mod = pd->mod,
			     .func = pd->func,
			     .name = pd->name,
			     .hook = hook,
			     .target.pid = pid,
			     .is_entry = is_entry,
			     .awaits = own};
	return *p;
}

void probes_await(struct probes *ps, const struct pdesc *pd, void (*fn)(void *arg, struct probe *p),
		  void *arg)
{
	for (const struct provider *const *prov = ps->providers; *prov && !pd->id; prov++) {
		struct pdesc own = rewritten(*prov, pd);

		if ((*prov)->await && provider_fits(pd, *prov))
			(*prov)->await(ps, &own, fn, arg);
	}
}

uint32_t probe_hashed_id(struct probes *ps, const char *name, uint32_t first, uint32_t last)
{
	uint32_t start = first + hash_bytes(name, strlen(name)) % (last - first + 1), id = start;

	do {
		const struct probe *p = probe_find(ps, id);

		if (!p || !strcmp(p->name, name))
			return id;
		id = id == last ? first : id + 1;
	} while (id != start);
	return 0;
}

enum tag probes_unavailable_tag(const struct probes *ps)
{
	return ps->lack_tag;
}

void probes_set_lack_tag(struct probes *ps, enum tag tag)
{
	ps->lack_tag = tag;
}

static void take_first(void *arg, struct probe *p)
{
	struct probe **first = arg;

	if (!*first)
		*first = p;
}

struct probe *probes_first(struct probes *ps, const struct pdesc *pd)
{
	struct probe *p = NULL;

	probes_match(ps, pd, take_first, &p);
	return p;
}

const char *probes_unavailable(struct probes *ps, const struct pdesc *pd)
{
	const char *why;

	ps->lack_tag = D_PDESC_ZERO;
	if (pd->id)
		return NULL;
	for (const struct provider *const *prov = ps->providers; *prov; prov++) {
		struct pdesc own = rewritten(*prov, pd);

		if (!(*prov)->unavailable_reason || !provider_fits(pd, *prov))
			continue;
		why = (*prov)->unavailable_reason(ps, &own);
		if (why)
			return why;
	}
	why = provider_missing(pd->prov);
	if (why && !strcmp(pd->prov, "pid0"))
		ps->lack_tag = D_PROC_BADPID;
	return why;
}
