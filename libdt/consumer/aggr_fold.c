/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregations by stacks for flame graphs: rows as frames, and as lines "key;main;work;read 42". */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/consumer/aggr.h"
#include "libdt/consumer/folded.h"

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

static void take_column(struct fmt_ctx *ctx, const struct value *v, const struct aggr_frames *to)
{
	enum aggr_frame kind = type_base(v->type)->flags & TF_USERLAND ? FRAME_USER : FRAME_KERNEL;
	bool stack = is_stack(v->type);
	int n = stack ? value_frames(v) : 1;
	struct strbuf sb = {0};

	while (n-- > 0) {
		sb.len = 0;
		if (stack)
			value_frame_function(ctx, v, n, &sb);
		else
			value_word(ctx, v, &sb);
		to->frame(to->arg, sb_str(&sb), stack ? kind : FRAME_KEY);
	}
	sb_free(&sb);
}

static bool is_kernel_stack(const struct type *t)
{
	return is_stack(t) && !(type_base(t)->flags & TF_USERLAND);
}

/* The user stack called the kernel's, whichever of the two is the first key: scripts that print
 * rows as text have the kernel's first, as there the innermost frame is the first line. */
static bool calls_previous(const struct aggr *ag, int i)
{
	const struct type *t = ag->cols[i].type;

	return i > 0 && is_stack(t) && !is_kernel_stack(t) && is_kernel_stack(ag->cols[i - 1].type);
}

static void take_row(struct fmt_ctx *ctx, const struct aggr_entry *e, const struct aggr_frames *to)
{
	const struct aggr *ag = e->ag;

	for (int i = 0; i < ag->ncols; i++) {
		bool swapped = i + 1 < ag->ncols && calls_previous(ag, i + 1);
		int at = swapped ? i + 1 : calls_previous(ag, i) ? i - 1 : i;
		struct value v = aggr_col_value(&ag->cols[at], e->key);

		take_column(ctx, &v, to);
	}
	to->end(to->arg, weight(e));
}

void aggr_frames(struct fmt_ctx *ctx, struct aggr *ag, const struct aggr_sort *sort,
		 const struct aggr_frames *to)
{
	struct aggr_entry **rows;
	int count = aggr_rows(&ag, 1, sort, &rows);

	for (int i = 0; i < count; i++)
		take_row(ctx, rows[i], to);
	free(rows);
	ag->printed |= count != 0;
}

/* Lines ------------------------------------------------------------------- */

struct line {
	FILE *out;
	bool begun;
};

static void put_frame(void *arg, const char *s, enum aggr_frame kind)
{
	struct line *l = arg;

	(void)kind;
	if (l->begun)
		putc(';', l->out);
	for (; *s; s++)
		putc(folded_character(*s), l->out);
	l->begun = true;
}

static void put_value(void *arg, int64_t value)
{
	struct line *l = arg;

	fprintf(l->out, "%s %" PRId64 "\n", l->begun ? "" : "[no stack]", value);
	l->begun = false;
}

int aggr_fold(struct fmt_ctx *ctx, struct aggr *ag, const struct aggr_sort *sort)
{
	struct line line = {.out = ctx->out};
	struct aggr_frames to = {put_frame, put_value, &line};

	aggr_frames(ctx, ag, sort, &to);
	return fmt_error(ctx->out);
}
