/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/consumer/flowindent.h"

#include <stdlib.h>
#include <string.h>

/* The tree of a CPU or a thread, as far as it has come. */
struct flow {
	int depth;
	struct rec_header last; /* its line before, if there was any */
	bool any;
	uint32_t task; /* of the thread that had this id last */
};

static bool is_syscall(const struct probe_desc *p)
{
	return !strcmp(p->prov, "syscall");
}

size_t flow_stem(const struct probe_desc *p, const char *suffix)
{
	size_t len = strlen(p->name), n = strlen(suffix);

	return len > n && !strcmp(p->name + len - n, suffix) ? len - n : 0;
}

/* Probes of programs take part by their names: function-entry, method-return. */
enum flow_kind flow_kind(const struct probe_desc *p)
{
	if (p->is_entry || flow_stem(p, "-entry"))
		return FLOW_IN;
	return p->is_return || flow_stem(p, "-return") ? FLOW_OUT : FLOW_NONE;
}

static bool goes_in(const struct probe_desc *p)
{
	return flow_kind(p) == FLOW_IN;
}

static bool comes_out(const struct probe_desc *p)
{
	return flow_kind(p) == FLOW_OUT;
}

/* Ids of threads are used again: another task begins at the margin. The idle threads share the id
 * 0. */
static struct flow *flow_of(struct flows *fs, const struct rec_header *h,
			    const struct rec_thread *thread)
{
	uint32_t key[2] = {thread ? thread->tid : h->cpu,
			   thread && !thread->tid ? thread->task : 0};
	struct flow **slot = (struct flow **)hash_ref(&fs->by, key, sizeof(key));

	if (!*slot)
		*slot = xcalloc(1, sizeof(**slot));
	if (thread && (*slot)->task != thread->task)
		**slot = (struct flow){.task = thread->task};
	return *slot;
}

/* A second clause keeps the depth of the first. */
static bool same_firing(const struct flow *f, const struct rec_header *h)
{
	return f->any && flow_same_firing(&f->last, h);
}

/* Entries go in, returns come out; what lies between stands at the depth where it happened. */
static void put_call(struct flow *f, const struct probe_desc *p, struct strbuf *out)
{
	if (comes_out(p) && f->depth > 0)
		f->depth--;
	sb_printf(out, "%*s", 1 + 2 * f->depth, "");
	if (goes_in(p))
		sb_printf(out, "%s %s", is_syscall(p) ? "=>" : "->", p->func);
	else if (comes_out(p))
		sb_printf(out, "%s %s", is_syscall(p) ? "<=" : "<-", p->func);
	else
		sb_printf(out, "| %s:%s", p->func, p->name);
	if (goes_in(p))
		f->depth++;
}

void flow_header(bool thread, struct strbuf *out)
{
	sb_printf(out, thread ? "CPU     TID %-41s" : "CPU %-41s", "FUNCTION");
}

void flow_line(struct flows *fs, const struct probe_desc *p, const struct rec_header *h,
	       const struct rec_thread *thread, struct strbuf *out)
{
	struct flow *f = flow_of(fs, h, thread);
	struct strbuf text = {0};

	if (same_firing(f, h))
		f->depth += goes_in(p) ? -(f->depth > 0) : comes_out(p);
	put_call(f, p, &text);
	sb_printf(out, "%3u ", h->cpu);
	if (thread)
		sb_printf(out, "%7u ", thread->tid);
	sb_printf(out, "%-41s ", sb_str(&text));
	sb_free(&text);
	f->last = *h;
	f->any = true;
}

void flows_free(struct flows *fs)
{
	for (size_t i = 0; i < fs->by.n; i++)
		free(fs->by.entries[i].value);
	hash_free(&fs->by);
}
