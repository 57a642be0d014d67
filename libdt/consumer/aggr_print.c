/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of aggregations to text: the default layout, and printa() with a format. */
#include "libdt/consumer/aggr.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/aggr_key.h"

struct printing {
	struct fmt_ctx *ctx;
	struct aggr *const *ags;
	int n;
	struct aggr_entry **row;
	int64_t *none; /* for keys that an aggregation has not */
	struct value *keys;
	int64_t *numbers; /* of keys that are not shown as the bytes that they are */
	int *text_width;  /* of each key, if it is text */
};

enum { VALUE_COLUMNS = 17 };

static void printing_init(struct printing *p, struct fmt_ctx *ctx, struct aggr *const *ags, int n)
{
	*p = (struct printing){.ctx = ctx, .ags = ags, .n = n};
	p->none = aggr_none(ags, n);
	p->keys = xcalloc(ags[0]->ncols, sizeof(*p->keys));
	p->numbers = xcalloc(ags[0]->ncols, sizeof(*p->numbers));
	p->text_width = xcalloc(ags[0]->ncols, sizeof(*p->text_width));
	for (int i = 0; i < ags[0]->ncols; i++)
		p->text_width[i] = KEY_TEXT_WIDTH;
}

static void printing_free(struct printing *p)
{
	free(p->none);
	free(p->keys);
	free(p->numbers);
	free(p->text_width);
}

static void set_row(struct printing *p, struct aggr_entry **row)
{
	const struct aggr_entry *e = NULL;

	p->row = row;
	for (int i = 0; i < p->n && !e; i++)
		e = row[i];
	for (int i = 0; e && i < p->ags[0]->ncols; i++)
		p->keys[i] = aggr_key_value(p->ags[0], e, i, &p->numbers[i]);
}

static const int64_t *value_of(const struct printing *p, int n)
{
	return p->row[n] ? p->row[n]->value : p->none;
}

/* Of a distribution the value that percent thousandths of a percent of its values do not exceed,
 * taken to lie evenly in their bucket. An open bucket is its end; nothing is 0. */
static int64_t percentile(const int64_t *v, const struct aggr *ag, int percent)
{
	/* the rank in thousandths of a percent of a value; so much of the bucket is below it */
	__int128 all = 0, below = 0, rank, share;
	int64_t low, high;
	int i, last = -1;

	for (i = 0; i < ag->words; i++)
		if (v[i] > 0) {
			all += v[i];
			last = i;
		}
	if (last < 0)
		return 0;
	rank = all * percent;
	for (i = 0; i < last; i++) {
		if (v[i] > 0 && (below + v[i]) * 100000 >= rank)
			break;
		below += MAX(v[i], 0);
	}
	ag->func->range(i, ag, &low, &high);
	if (low == INT64_MIN || high == INT64_MAX)
		return low == INT64_MIN ? high : low;
	share = (__int128)v[i] * 100000;
	/* up: they do not exceed it */
	return low +
	       (int64_t)((((__int128)high - low) * (rank - below * 100000) + share - 1) / share);
}

/* The n-th %@ of a format. Without a number of its own a distribution prints whole. */
static int print_agg(void *arg, int n, const struct fmt_piece *piece)
{
	struct printing *p = arg;
	int at = MIN(n, p->n - 1);
	const struct aggr *ag = p->ags[at];

	if (piece->percent)
		fmt_print_int(piece, p->ctx->out, percentile(value_of(p, at), ag, piece->percent),
			      true, 8);
	else if (ag->func->scalar)
		fmt_print_number(p->ctx, piece, ag->func->scalar(value_of(p, at), ag));
	else
		ag->func->print(p->ctx, value_of(p, at), ag);
	return 0;
}

/* Prints each CPU's part of a row, after its total. */
static void print_cpus(struct printing *p)
{
	for (int i = 0; i < p->n; i++)
		for (int cpu = 0; p->row[i] && cpu < p->row[i]->ncpus; cpu++) {
			if (!p->row[i]->cpus[cpu])
				continue;
			fprintf(p->ctx->out, "    [CPU %d]", cpu);
			p->ags[i]->func->print(p->ctx, p->row[i]->cpus[cpu], p->ags[i]);
			putc('\n', p->ctx->out);
		}
}

/* On a terminal that is too narrow for a row, keys that are text are padded to the longest only. */
static void fit_terminal(struct printing *p, struct aggr_entry **rows, int count)
{
	int ncols = p->ags[0]->ncols, widest = 0;
	int *longest = xcalloc(ncols, sizeof(*longest));

	for (int r = 0; r < count && widest >= 0; r++) {
		int columns = 0;

		set_row(p, rows + (size_t)r * p->n);
		for (int i = 0; i < p->n; i++)
			columns += p->ags[i]->func->scalar ? VALUE_COLUMNS : 0;
		for (int i = 0, text, key; i < ncols && columns >= 0; i++) {
			key = value_key_columns(p->ctx, &p->keys[i], &text);
			columns = key < 0 ? -1 : columns + key;
			longest[i] = MAX(longest[i], MIN(text, KEY_TEXT_WIDTH));
		}
		widest = columns < 0 ? -1 : MAX(widest, columns);
	}
	if (widest > p->ctx->columns)
		memcpy(p->text_width, longest, ncols * sizeof(*longest));
	free(longest);
}

static void print_row(struct printing *p)
{
	for (int i = 0; i < p->ags[0]->ncols; i++)
		value_key(p->ctx, &p->keys[i], p->text_width[i]);
	for (int i = 0; i < p->n; i++)
		p->ags[i]->func->print(p->ctx, value_of(p, i), p->ags[i]);
	putc('\n', p->ctx->out);
	print_cpus(p);
}

/* f NULL: the default layout. */
static int print_rows(struct fmt_ctx *ctx, const struct fmt *f, struct aggr *const *ags, int n,
		      const struct aggr_sort *sort)
{
	struct aggr_entry **rows;
	int count = aggr_rows(ags, n, sort, &rows), rc = 0;
	struct printing p;
	bool drawn;

	printing_init(&p, ctx, ags, n);
	if (!f && ctx->columns)
		fit_terminal(&p, rows, count);
	drawn = !f && n == 1 && count && aggr_draw_rows(ctx, ags[0], rows, count);
	for (int i = 0; i < count && !rc && !drawn; i++) {
		set_row(&p, rows + (size_t)i * n);
		if (f)
			rc = fmt_print(f, ctx, p.keys, ags[0]->ncols, print_agg, &p);
		else
			print_row(&p);
	}
	printing_free(&p);
	free(rows);
	for (int i = 0; i < n && count; i++)
		ags[i]->printed = true;
	return rc ? rc : fmt_error(ctx->out);
}

int aggr_print(struct fmt_ctx *ctx, struct aggr *const *ags, int n, const struct aggr_sort *sort)
{
	return print_rows(ctx, NULL, ags, n, sort);
}

int aggr_printf(struct fmt_ctx *ctx, const struct fmt *f, struct aggr *const *ags, int n,
		const struct aggr_sort *sort)
{
	return print_rows(ctx, f, ags, n, sort);
}
