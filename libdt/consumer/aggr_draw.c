/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drawing. A distribution has a row for each bucket, with a bar of its share of all (aggzoom: of
 * the fullest bucket). agghist draws the keys of a count() or sum() the same way, and aggpack a
 * distribution in one line, a character for each bucket.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/aggr.h"

enum {
	BAR_MOST = 40,
	BAR_LEAST = 14,
	/* what a row has beside keys and bar: a blank, the axis, a blank, the count */
	ROW_REST = 12,
};

typedef unsigned __int128 u128; /* the only name for it is two words */

/* What bars are measured by. */
struct scale {
	u128 whole;
	bool positive, negative; /* which signs there are */
	int columns;		 /* of the longest bar */
};

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

static void scale_add(struct scale *s, int64_t count, bool zoom)
{
	s->positive |= count > 0;
	s->negative |= count < 0;
	s->whole = zoom ? MAX(s->whole, magnitude(count)) : s->whole + magnitude(count);
}

/* As many columns for bars as fit a terminal beside labels that are so wide. */
static int bar_columns(const struct fmt_ctx *ctx, int labels)
{
	int rest = ctx->columns ? ctx->columns - labels - ROW_REST : BAR_MOST;

	return MAX(MIN(rest, BAR_MOST), BAR_LEAST);
}

static void print_heading(FILE *out, int columns)
{
	static const char dashes[] = "-------------";
	int n = (columns - 14) / 2;

	fprintf(out, " %.*s Distribution %.*s", n, dashes, columns - 14 - n, dashes);
}

/* How many of so many columns a count takes, rounded. */
static int share(const struct scale *s, int64_t count, int columns)
{
	return s->whole ? ((u128)magnitude(count) * columns * 2 + s->whole) / (s->whole * 2) : 0;
}

static void repeat(FILE *out, const char *s, int n)
{
	while (n-- > 0)
		fputs(s, out);
}

/* With blocks of UTF-8 the last column is as wide as its share, in eighths. */
static void print_blocks(FILE *out, const struct scale *s, int64_t count, int columns)
{
	static const char *const eighths[] = {"",	"\u258f", "\u258e", "\u258d",
					      "\u258c", "\u258b", "\u258a", "\u2589"};
	int n = share(s, count, columns * 8);

	repeat(out, "\u2588", n / 8);
	fputs(eighths[n % 8], out);
	repeat(out, " ", columns - (n + 7) / 8);
}

/*
 * Bars go to the right, from the sign at their left. Negative counts, which negative increments
 * make, go to the left; where both are, they part at the centre.
 */
static void print_bar(FILE *out, const struct scale *s, int64_t count, bool utf8)
{
	int columns = s->positive && s->negative ? s->columns / 2 : s->columns,
	    n = share(s, count, columns);
	int left = s->negative ? columns : 0, right = s->positive || !s->negative ? columns : 0;
	const char *full = utf8 ? "\u2588" : "@";
	bool to_left = s->negative && count < 0;

	repeat(out, " ", to_left ? left - n : left);
	repeat(out, full, to_left ? n : 0);
	putc('|', out);
	if (utf8 && !to_left) {
		print_blocks(out, s, count, right);
		return;
	}
	repeat(out, full, to_left ? 0 : n);
	repeat(out, " ", to_left ? right : right - n);
}

/* ---- a row for each bucket */

/* The buckets from one before the first that has a count to one after the last; around the
 * middle when none has. */
static void find_rows(const int64_t *v, const struct aggr *ag, int *from, int *to)
{
	int first = 0, last = ag->words - 1;

	while (first < ag->words && !v[first])
		first++;
	while (last >= 0 && !v[last])
		last--;
	if (first == ag->words)
		first = last = ag->func->middle(ag);
	*from = MAX(first - 1, 0);
	*to = MIN(last + 1, ag->words - 1);
}

void aggr_draw(struct fmt_ctx *ctx, const int64_t *v, const struct aggr *ag)
{
	struct scale s = {.columns = bar_columns(ctx, 16)};
	char text[48];
	int from, to;

	find_rows(v, ag, &from, &to);
	fprintf(ctx->out, "\n%16s ", "value");
	print_heading(ctx->out, s.columns);
	fprintf(ctx->out, " %-9s\n", "count");
	for (int i = from; i <= to; i++)
		scale_add(&s, v[i], ctx->draw.zoom);
	for (int i = from; i <= to; i++) {
		ag->func->label(text, sizeof(text), i, ag);
		fprintf(ctx->out, "%16s ", text);
		print_bar(ctx->out, &s, v[i], ctx->draw.zoom && ctx->draw.utf8);
		fprintf(ctx->out, " %-9" PRId64 "\n", aggr_quotient(v[i], ag->normal));
	}
}

/* ---- a line for each key */

static int key_width(const struct aggr_col *col)
{
	const struct type *t = type_base(type_narrow(col->type));

	if (t->kind != T_INT && t->kind != T_ENUM)
		return 16;
	return t->size == 1 ? 3 : t->size == 2 ? 5 : t->size == 4 ? 8 : 16;
}

/* The text of a row's i-th key. */
static const char *key_text(struct fmt_ctx *ctx, const struct aggr_entry *e, int i,
			    struct strbuf *sb)
{
	const struct aggr_col *col = &e->ag->cols[i];
	struct value v = aggr_col_value(col, e->key);

	sb->len = 0;
	value_word(ctx, &v, sb);
	return sb_str(sb);
}

/* The width of each key's column in widths, of all of them as the result. On a terminal columns are
 * as wide as their longest key, and not wider if a row does not fit otherwise. */
static int measure_keys(struct fmt_ctx *ctx, const struct aggr *ag, struct aggr_entry *const *rows,
			int count, int *widths)
{
	int *longest = xcalloc(ag->ncols, sizeof(*longest)), all = 0, least = 0;
	struct strbuf sb = {0};

	for (int i = 0; i < ag->ncols; i++) {
		for (int r = 0; ctx->columns && r < count; r++)
			longest[i] = MAX(longest[i], (int)strlen(key_text(ctx, rows[r], i, &sb)));
		widths[i] = MAX(key_width(&ag->cols[i]), longest[i]);
		all += widths[i] + (i > 0);
		least += longest[i] + (i > 0);
	}
	if (ctx->columns && all + ROW_REST + BAR_LEAST > ctx->columns) {
		memcpy(widths, longest, ag->ncols * sizeof(*widths));
		all = least;
	}
	free(longest);
	sb_free(&sb);
	return all;
}

static void print_keys(struct fmt_ctx *ctx, const struct aggr_entry *e, const int *widths)
{
	struct strbuf sb = {0};

	for (int i = 0; i < e->ag->ncols; i++)
		fprintf(ctx->out, "%s%*s", i ? " " : "", widths[i], key_text(ctx, e, i, &sb));
	sb_free(&sb);
}

static void draw_hist(struct fmt_ctx *ctx, const struct aggr *ag, struct aggr_entry *const *rows,
		      int count)
{
	int *widths = xcalloc(ag->ncols, sizeof(*widths)),
	    all = measure_keys(ctx, ag, rows, count, widths);
	struct scale s = {.columns = bar_columns(ctx, all)};

	for (int i = 0; i < count; i++)
		scale_add(&s, rows[i]->value[0], ctx->draw.zoom);
	fprintf(ctx->out, "\n%*s ", all, "key");
	print_heading(ctx->out, s.columns);
	fprintf(ctx->out, " %-9s\n", "count");
	for (int i = 0; i < count; i++) {
		print_keys(ctx, rows[i], widths);
		putc(' ', ctx->out);
		print_bar(ctx->out, &s, rows[i]->value[0], ctx->draw.utf8);
		fprintf(ctx->out, " %-9" PRId64 "\n", ag->func->scalar(rows[i]->value, ag));
	}
	free(widths);
}

/* One character: of a count that is there at least the lowest. */
static void print_level(struct fmt_ctx *ctx, const struct scale *s, int64_t count)
{
	static const char up[] = "__xxxxXX", down[] = "vvvvvvVV";
	static const char *const blocks[] = {"\u2581", "\u2582", "\u2583", "\u2584",
					     "\u2585", "\u2586", "\u2587", "\u2588"};
	int level;

	if (!count) {
		putc(' ', ctx->out);
		return;
	}
	level = ((u128)magnitude(count) * 8 + s->whole - 1) / s->whole - 1;
	if (ctx->draw.utf8 && count > 0)
		fputs(blocks[level], ctx->out);
	else
		putc(count > 0 ? up[level] : down[level], ctx->out);
}

static void print_packed(struct fmt_ctx *ctx, const struct aggr_entry *e, int from, int to)
{
	struct scale s = {0};

	for (int i = from; i <= to; i++)
		scale_add(&s, e->value[i], ctx->draw.zoom);
	for (int i = from; i <= to; i++)
		print_level(ctx, &s, e->value[i]);
}

static int64_t total_of(const struct aggr_entry *e)
{
	uint64_t total = 0;

	for (int i = 0; i < e->ag->words; i++)
		total += (uint64_t)e->value[i];
	return aggr_quotient((int64_t)total, e->ag->normal);
}

/* All rows have the buckets from the lowest to the highest of any. */
static void draw_pack(struct fmt_ctx *ctx, const struct aggr *ag, struct aggr_entry *const *rows,
		      int count)
{
	int *widths = xcalloc(ag->ncols, sizeof(*widths)),
	    all = measure_keys(ctx, ag, rows, count, widths);
	int from = ag->words, to = 0, first, last, left, right;
	char low[48], high[48];

	for (int i = 0; i < count; i++) {
		find_rows(rows[i]->value, ag, &first, &last);
		from = MIN(from, first);
		to = MAX(to, last);
	}
	ag->func->label(low, sizeof(low), from, ag);
	ag->func->label(high, sizeof(high), to, ag);
	left = MAX((int)strlen(low), 3);
	right = MAX((int)strlen(high), 3);
	fprintf(ctx->out, "\n%*s  %*s .", all, ag->ncols ? "key" : "", left, "min");
	repeat(ctx->out, "-", to - from + 1);
	fprintf(ctx->out, ". %-*s | %s\n", right, "max", "count");
	for (int i = 0; i < count; i++) {
		print_keys(ctx, rows[i], widths);
		fprintf(ctx->out, "  %*s :", left, low);
		print_packed(ctx, rows[i], from, to);
		fprintf(ctx->out, ": %-*s | %" PRId64 "\n", right, high, total_of(rows[i]));
	}
	free(widths);
}

/* A stack does not fit a line: its rows are printed as without the options, as on other systems. */
static bool has_stack(const struct aggr *ag)
{
	for (int i = 0; i < ag->ncols; i++)
		if (type_base(ag->cols[i].type)->kind == T_STACK)
			return true;
	return false;
}

bool aggr_draw_rows(struct fmt_ctx *ctx, struct aggr *ag, struct aggr_entry *const *rows, int count)
{
	if (has_stack(ag))
		return false;
	if (ctx->draw.hist && ag->func->additive && ag->ncols)
		draw_hist(ctx, ag, rows, count);
	else if (ctx->draw.pack && ag->func->bucket)
		draw_pack(ctx, ag, rows, count);
	else
		return false;
	return true;
}
