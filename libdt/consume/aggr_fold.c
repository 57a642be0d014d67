/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregations by stacks as lines for flame graphs: "key;main;work;read 42". */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consume/aggr.h"

static bool is_stack(const struct type *t)
{
	return type_base(t)->kind == T_STACK;
}

bool aggr_has_stack(const struct aggr *ag)
{
	for (int i = 0; i < ag->ncols; i++)
		if (is_stack(ag->cols[i].type))
			return true;
	return false;
}

/* The separators cannot be part of a frame's name. */
static void put_frame(FILE *out, const char *s, bool first)
{
	if (!first)
		putc(';', out);
	for (; *s; s++)
		putc(*s == ';' ? ':' : *s == '\n' ? ' ' : *s, out);
}

/* The outermost frame first. A name without its offset: frames of one function are one frame. */
static bool put_stack(struct fmt_ctx *ctx, const struct value *v, bool first)
{
	int n = value_frames(v);
	struct strbuf sb = {0};

	while (n-- > 0) {
		const char *name, *offset;

		sb.len = 0;
		value_frame_name(ctx, v, n, &sb);
		name = sb_str(&sb);
		offset = strstr(name, "+0x");
		if (offset)
			sb.s[offset - name] = '\0';
		put_frame(ctx->out, sb_str(&sb), first);
		first = false;
	}
	sb_free(&sb);
	return first;
}

/* Of a distribution, how many values it has. */
static int64_t weight(const struct aggr_entry *e)
{
	uint64_t total = 0;

	if (e->ag->func->scalar)
		return e->ag->func->scalar(e->value, e->ag);
	for (int i = 0; i < e->ag->words; i++)
		total += (uint64_t)e->value[i];
	return aggr_quotient((int64_t)total, e->ag->normal);
}

static void put_row(struct fmt_ctx *ctx, const struct aggr_entry *e)
{
	bool first = true;

	for (int i = 0; i < e->ag->ncols; i++) {
		const struct aggr_col *col = &e->ag->cols[i];
		struct value v = aggr_col_value(col, e->key);
		struct strbuf sb = {0};

		if (is_stack(col->type)) {
			first = put_stack(ctx, &v, first);
			continue;
		}
		value_word(ctx, &v, &sb);
		put_frame(ctx->out, sb_str(&sb), first);
		first = false;
		sb_free(&sb);
	}
	fprintf(ctx->out, "%s %" PRId64 "\n", first ? "[no stack]" : "", weight(e));
}

int aggr_fold(struct fmt_ctx *ctx, struct aggr *ag, const struct aggr_sort *sort)
{
	struct aggr_entry **rows;
	int count = aggr_rows(&ag, 1, sort, &rows);

	for (int i = 0; i < count; i++)
		put_row(ctx, rows[i]);
	free(rows);
	ag->printed |= count != 0;
	return fmt_error(ctx->out);
}
