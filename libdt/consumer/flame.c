/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -x oformat=svg: rows become trees of frames, which are drawn when the file is closed. The page
 * of oformat=html draws its graphs itself (report.js), from the same frames (aggr_frames(),
 * value_frame_function()) and with the same colours (frame_colours.css).
 */
#include "libdt/consumer/flame.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/folded.h"
#include "libdt/consumer/writer.h"

/* Pixels. A narrower frame is not drawn; a label needs some width. */
#define WIDTH 1200
#define MARGIN 10
#define INNER (WIDTH - 2 * MARGIN)
#define ROW 17
#define HEADING 52
#define CHARACTER 6.7
#define DRAWN 0.2
#define LABELLED 24.0

struct node {
	const char *name;
	enum aggr_frame kind;
	uint64_t value, last;	 /* last: what the rows that were added last are of it */
	uint64_t before;	 /* in the stacks that are compared with */
	int parent, child, next; /* 0: none; for parent, the root */
};

/* The nodes of an aggregation; the first is the root. */
struct graph {
	const struct aggr *ag;
	VEC(struct node) nodes;
	struct hash children; /* parent and name -> node */
	uint32_t clears;      /* aggr's, when rows were added last */
	int at;		      /* while a row is added: its frame so far */
};

struct flame {
	VEC(struct graph *) graphs;
	const char *base;  /* flame_new()'s */
	struct hash names; /* each once; their addresses stay */
};

struct flame *flame_new(const char *base)
{
	struct flame *f = xcalloc(1, sizeof(*f));

	f->base = base;
	return f;
}

void flame_free(struct flame *f)
{
	if (!f)
		return;
	for (int i = 0; i < f->graphs.n; i++) {
		vec_free(&f->graphs.v[i]->nodes);
		hash_free(&f->graphs.v[i]->children);
		free(f->graphs.v[i]);
	}
	vec_free(&f->graphs);
	hash_free(&f->names);
	free(f);
}

static int add_node(struct graph *g, const char *name, enum aggr_frame kind)
{
	struct node node = {.name = name, .kind = kind, .parent = g->at};

	if (g->nodes.n)
		node.next = g->nodes.v[g->at].child;
	vec_push(&g->nodes, node);
	if (g->nodes.n > 1)
		g->nodes.v[g->at].child = g->nodes.n - 1;
	return g->nodes.n - 1;
}

struct adding {
	struct flame *f;
	struct graph *g;
};

static void add_frame(void *arg, const char *name, enum aggr_frame kind)
{
	struct adding *a = arg;
	struct {
		const char *name;
		uint64_t parent;
	} key = {hash_puts(&a->f->names, name, a->f), a->g->at};
	void **child = hash_ref(&a->g->children, &key, sizeof(key));

	if (!*child)
		*child = (void *)(intptr_t)add_node(a->g, key.name, kind);
	a->g->at = (intptr_t)*child;
	a->g->nodes.v[a->g->at].kind = kind; /* folded stacks have none */
}

/* The same where names are compared with those of folded stacks. */
static void add_folded(void *arg, const char *name, enum aggr_frame kind)
{
	struct strbuf sb = {0};

	for (; *name; name++)
		sb_putc(&sb, folded_character(*name));
	add_frame(arg, sb_str(&sb), kind);
	sb_free(&sb);
}

/* Sums stay below what cannot be represented. */
static uint64_t room(uint64_t sum, uint64_t more)
{
	return MIN(more, INT64_MAX - sum);
}

static void add_base(struct adding *a)
{
	const char *at = a->f->base, *names;
	struct graph *g = a->g;
	struct strbuf name = {0};
	uint64_t value;
	size_t len;

	while (folded_next(&at, &names, &len, &value)) {
		for (size_t i = 0; i <= len; i++) {
			if (i < len && names[i] != ';') {
				sb_putc(&name, names[i]);
				continue;
			}
			add_frame(a, sb_str(&name), FRAME_KEY);
			name.len = 0;
		}
		value = room(g->nodes.v[0].before, value);
		for (int i = g->at;; i = g->nodes.v[i].parent) {
			g->nodes.v[i].before += value;
			if (!i)
				break;
		}
		g->at = 0;
	}
	sb_free(&name);
}

static struct graph *graph_of(struct flame *f, const struct aggr *ag)
{
	struct graph *g;

	for (int i = 0; i < f->graphs.n; i++)
		if (f->graphs.v[i]->ag == ag)
			return f->graphs.v[i];
	g = xcalloc(1, sizeof(*g));
	g->ag = ag;
	add_node(g, "all", FRAME_KEY);
	vec_push(&f->graphs, g);
	if (f->base && f->graphs.n == 1)
		add_base(&(struct adding){f, g});
	return g;
}

static bool compares(const struct graph *g)
{
	return g->nodes.v[0].before != 0;
}

/* A row without a positive value has no area. */
static void add_value(void *arg, int64_t value)
{
	struct graph *g = ((struct adding *)arg)->g;
	uint64_t more = room(g->nodes.v[0].value, MAX(value, 0));

	for (int i = g->at;; i = g->nodes.v[i].parent) {
		g->nodes.v[i].value += more;
		g->nodes.v[i].last += more;
		if (!i)
			break;
	}
	g->at = 0;
}

/* The rows that come count what those before did, unless the aggregation has begun anew. */
static void begin_rows(struct graph *g)
{
	for (int i = 0; i < g->nodes.n; i++) {
		if (g->clears == g->ag->clears)
			g->nodes.v[i].value -= g->nodes.v[i].last;
		g->nodes.v[i].last = 0;
	}
	g->clears = g->ag->clears;
}

void flame_add(struct flame *f, struct fmt_ctx *ctx, struct aggr *ag, const struct aggr_sort *sort)
{
	struct adding adding = {f, graph_of(f, ag)};
	struct aggr_frames to = {compares(adding.g) ? add_folded : add_frame, add_value, &adding};

	begin_rows(adding.g);
	aggr_frames(ctx, ag, sort, &to);
}

/* Drawing ----------------------------------------------------------------- */

struct drawing {
	FILE *out;
	const struct graph *g;
	double base;	 /* y of the lowest row */
	struct writer w; /* text as XML has it */
};

static const char *escaped(struct drawing *d, const char *s, size_t len)
{
	if (!len)
		return "";
	d->w.form = &writer_xml;
	d->w.sb.len = 0;
	writer_characters(&d->w, s, len);
	return sb_str(&d->w.sb);
}

static double share(const struct graph *g, uint64_t value)
{
	return g->nodes.v[0].value ? (double)value / g->nodes.v[0].value : 0;
}

static double share_before(const struct graph *g, const struct node *n)
{
	return (double)n->before / g->nodes.v[0].before;
}

static double width(const struct graph *g, int node)
{
	return share(g, g->nodes.v[node].value) * INNER;
}

static int depth(const struct graph *g, int node)
{
	int deepest = 0;

	for (int i = g->nodes.v[node].child; i; i = g->nodes.v[i].next)
		if (width(g, i) >= DRAWN)
			deepest = MAX(deepest, depth(g, i));
	return deepest + 1;
}

/* The part of a name that fits, without "vmlinux`", which the colour says. */
static size_t label(const char **name, double width)
{
	static const char kernel[] = "vmlinux`";
	size_t len, n = 0;
	double room = width - 6;

	if (!strncmp(*name, kernel, strlen(kernel)))
		*name += strlen(kernel);
	len = strlen(*name);
	while (width >= LABELLED && n < len && (room -= CHARACTER) >= 0)
		n += MAX(utf8_length(*name + n, len - n), 1);
	return n;
}

/* By how much of the whole its share has changed: the class of its colour. */
static const char *change(const struct graph *g, const struct node *n)
{
	static const char *const more[] = {"same", "more1", "more2", "more3", "more4"};
	static const char *const less[] = {"same", "less1", "less2", "less3", "less4"};
	static const double steps[] = {.001, .005, .02, .08};
	double by = share(g, n->value) - share_before(g, n);
	unsigned i = 0;

	while (i < ARRAY_SIZE(steps) && (by < 0 ? -by : by) >= steps[i])
		i++;
	return by < 0 ? less[i] : more[i];
}

static void draw_frame(struct drawing *d, int node, double x, int level)
{
	static const char *const kinds[] = {"key", "user", "kernel"};
	const struct node *n = &d->g->nodes.v[node];
	double y = d->base - level * ROW, w = width(d->g, node);
	const char *name = n->name;
	size_t len;

	if (compares(d->g))
		fprintf(d->out, "<g class=\"%s\">", change(d->g, n));
	else
		fprintf(d->out, "<g class=\"%s t%u\">", kinds[n->kind],
			hash_bytes(name, strlen(name)) % 5);
	fprintf(d->out, "<title>%s: %" PRIu64 ", %.2f%%", escaped(d, name, strlen(name)), n->value,
		100 * share(d->g, n->value));
	if (compares(d->g))
		fprintf(d->out, "; before %.2f%%", 100 * share_before(d->g, n));
	fputs("</title>", d->out);
	fprintf(d->out, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\"/>", x, y, w,
		ROW - 1);
	len = label(&name, w);
	fprintf(d->out, "<text x=\"%.2f\" y=\"%.0f\">%s</text></g>\n", x + 3, y + 12,
		escaped(d, name, len));
}

static int by_name(const void *a, const void *b, void *arg)
{
	const struct graph *g = arg;

	return strcmp(g->nodes.v[*(const int *)a].name, g->nodes.v[*(const int *)b].name);
}

/* A frame, and above it what it called, in alphabetical order. */
static void draw(struct drawing *d, int node, double x, int level)
{
	const struct graph *g = d->g;
	VEC(int) children = {0};

	draw_frame(d, node, x, level);
	for (int i = g->nodes.v[node].child; i; i = g->nodes.v[i].next)
		vec_push(&children, i);
	if (children.n)
		qsort_r(children.v, children.n, sizeof(int), by_name, (void *)g);
	for (int i = 0; i < children.n; i++) {
		double w = width(g, children.v[i]);

		if (w >= DRAWN)
			draw(d, children.v[i], x, level + 1);
		x += w;
	}
	vec_free(&children);
}

static void draw_graph(struct drawing *d, const struct graph *g, int top)
{
	const struct aggr *ag = g->ag;

	d->g = g;
	d->base = top + HEADING + (depth(g, 0) - 1) * ROW;
	fprintf(d->out, "<g class=\"graph\">\n<text class=\"heading\" x=\"%d\" y=\"%d\">@%s",
		MARGIN, top + 28,
		strcmp(ag->name, "_") ? escaped(d, ag->name, strlen(ag->name)) : "");
	fprintf(d->out, "<tspan class=\"total\" dx=\"8\">%s(), %" PRIu64 " in all", ag->func->name,
		g->nodes.v[0].value);
	if (compares(g))
		fprintf(d->out,
			", %" PRIu64 " before; red: a larger share than before, "
			"blue: a smaller one",
			g->nodes.v[0].before);
	fputs("</tspan></text>\n", d->out);
	draw(d, 0, MARGIN, 0);
	fputs("</g>\n", d->out);
}

static int graph_height(const struct graph *g)
{
	return HEADING + depth(g, 0) * ROW + MARGIN;
}

static const char style[] =
#include "libdt/consumer/frame_colours.inc"
#include "libdt/consumer/flame_style.inc"
    ;

static const char script[] =
#include "libdt/consumer/flame.inc"
    ;

void flame_write(const struct flame *f, FILE *out)
{
	struct drawing d = {.out = out};
	int height = 28, top = 28;

	for (int i = 0; i < f->graphs.n; i++)
		height += graph_height(f->graphs.v[i]);
	height = MAX(height, 80);
	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
		"viewBox=\"0 0 %d %d\">\n<style>\n%s</style>\n"
		"<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n",
		WIDTH, height, WIDTH, height, style);
	fprintf(out, "<text class=\"status\" x=\"%d\" y=\"20\">%s</text>\n", MARGIN,
		f->graphs.n ? "" : "no aggregation has a stack among its keys");
	for (int i = 0; i < f->graphs.n; i++) {
		draw_graph(&d, f->graphs.v[i], top);
		top += graph_height(f->graphs.v[i]);
	}
	fprintf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", script);
	writer_free(&d.w);
}
