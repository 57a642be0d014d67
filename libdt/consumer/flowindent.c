/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/consumer/flowindent.h"

#include <stdlib.h>
#include <string.h>

/* The tree of a CPU or a thread, as far as it has come. */
struct flow {
	int depth;
	struct rec_header last; /* its line before, if there was any */
	bool any, left;		/* left: that was the arrow of a return */
	uint32_t task;		/* of the thread that had this id last */
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

static bool same_firing(const struct flow *f, const struct rec_header *h)
{
	return f->any && flow_same_firing(&f->last, h);
}

/* Entries go in, returns come out; what lies between stands at the depth where it happened. */
static void put_call(struct flow *f, const struct probe_desc *p, enum flow_kind kind,
		     struct strbuf *out)
{
	if (kind == FLOW_OUT && f->depth > 0)
		f->depth--;
	sb_printf(out, "%*s", 1 + 2 * f->depth, "");
	if (kind == FLOW_IN)
		sb_printf(out, "%s %s", is_syscall(p) ? "=>" : "->", p->func);
	else if (kind == FLOW_OUT)
		sb_printf(out, "%s %s", is_syscall(p) ? "<=" : "<-", p->func);
	else
		sb_printf(out, "| %s:%s", p->func, p->name);
	if (kind == FLOW_IN)
		f->depth++;
}

/* What the line of a record is: another clause's has the arrow. */
static enum flow_kind line_kind(const struct flow *f, const struct probe_desc *p,
				const struct rec_header *h, bool more)
{
	enum flow_kind kind = flow_kind(p);
	bool arrow =
	    kind == FLOW_IN ? !same_firing(f, h) : !more && !(f->left && same_firing(f, h));

	return arrow ? kind : FLOW_NONE;
}

void flow_header(bool thread, struct strbuf *out)
{
	sb_printf(out, thread ? "CPU     TID %-41s" : "CPU %-41s", "FUNCTION");
}

void flow_line(struct flows *fs, const struct probe_desc *p, const struct rec_header *h,
	       const struct rec_thread *thread, bool more, struct strbuf *out)
{
	struct flow *f = flow_of(fs, h, thread);
	enum flow_kind kind = line_kind(f, p, h, more);
	struct strbuf text = {0};

	put_call(f, p, kind, &text);
	sb_printf(out, "%3u ", h->cpu);
	if (thread)
		sb_printf(out, "%7u ", thread->tid);
	sb_printf(out, "%-41s ", sb_str(&text));
	sb_free(&text);
	f->last = *h;
	f->any = true;
	f->left = kind == FLOW_OUT;
}

void flows_free(struct flows *fs)
{
	for (size_t i = 0; i < fs->by.n; i++)
		free(fs->by.entries[i].value);
	hash_free(&fs->by);
}
