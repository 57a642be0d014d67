/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The value of a key's column is a number, text, words (addresses, of which those after the last
 * are 0), or bytes. Numbers are equal if they are so in mathematics: -1 is not 4294967295. Pointers
 * have no sign, and in a script arg0 and args[0] are the same pointer; so where one of the
 * aggregations has a pointer, all have addresses of 64 bits. That is decided for all of them at
 * once, since otherwise a pointer could equal two numbers that differ.
 *
 * The functions rely on nothing but that columns are within their keys, because recordings bring
 * their own types and sizes. What differs in its bytes alone stays a key of its own.
 */
#include "libdt/consumer/aggr_key.h"

#include <string.h>

#include "libdt/consumer/aggr.h"

enum kind { NUMBER, TEXT, WORDS, BYTES };

static enum kind kind_of(const struct type *t)
{
	switch (type_base(t)->kind) {
	case T_INT:
	case T_ENUM:
	case T_PTR:
		return NUMBER;
	case T_STRING:
		return TEXT;
	case T_SYMADDR:
	case T_USYMADDR:
	case T_STACK:
		return WORDS;
	default:
		return BYTES;
	}
}

static bool is_pointer(const struct aggr_col *col)
{
	return type_base(col->type)->kind == T_PTR;
}

bool aggr_cols_join(const struct aggr_col *a, const struct aggr_col *b)
{
	enum kind kind = kind_of(a->type);

	if (kind != kind_of(b->type))
		return false;
	if (kind == NUMBER)
		return type_is_scalar(a->type) == type_is_scalar(b->type);
	return kind == TEXT || type_same(a->type, b->type);
}

bool aggr_cols_compare(const struct aggr_col *a, const struct aggr_col *b)
{
	enum kind kind = kind_of(a->type);

	return kind == kind_of(b->type) &&
	       (kind != WORDS || type_base(a->type)->kind == type_base(b->type)->kind) &&
	       (kind != BYTES || a->size == b->size);
}

bool *aggr_addresses(struct aggr *const *ags, int n)
{
	bool *addresses = xcalloc(ags[0]->ncols + 1, sizeof(*addresses));

	for (int c = 0; c < ags[0]->ncols; c++)
		for (int i = 0; i < n; i++)
			addresses[c] |= is_pointer(&ags[i]->cols[c]);
	return addresses;
}

/* Values ------------------------------------------------------------------ */

/* bits: of the two's complement of 128 bits. */
struct number {
	bool negative;
	unsigned __int128 bits;
};

static struct number number_of(const struct aggr_col *col, const uint8_t *key, bool is_address)
{
	bool is_signed = type_base(col->type)->flags & TF_SIGNED;
	uint32_t size = MIN(col->size, sizeof(unsigned __int128));
	struct number n = {0};

	memcpy(&n.bits, key + col->off, size);
	if (is_signed && size && size < sizeof(n.bits) && n.bits >> (8 * size - 1))
		n.bits |= -(unsigned __int128)1 << 8 * size;
	if (is_address)
		n.bits = (uint64_t)n.bits;
	n.negative = is_signed && n.bits >> 127;
	return n;
}

static int compare_numbers(struct number x, struct number y)
{
	if (x.negative != y.negative)
		return x.negative ? -1 : 1;
	return x.bits < y.bits ? -1 : x.bits > y.bits;
}

static int compare_bytes(const uint8_t *a, uint32_t a_len, const uint8_t *b, uint32_t b_len)
{
	int diff = memcmp(a, b, MIN(a_len, b_len));

	if (diff)
		return diff;
	return a_len < b_len ? -1 : a_len > b_len;
}

static uint64_t word_of(const uint8_t *data, uint32_t size, uint32_t i)
{
	uint64_t word = 0;

	if (size / sizeof(word) > i)
		memcpy(&word, data + i * sizeof(word), sizeof(word));
	return word;
}

static int compare_words(const uint8_t *a, uint32_t a_size, const uint8_t *b, uint32_t b_size)
{
	for (uint32_t i = 0; i < MAX(a_size, b_size) / sizeof(uint64_t); i++) {
		uint64_t x = word_of(a, a_size, i), y = word_of(b, b_size, i);

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

static uint32_t text_len(const struct aggr_col *col, const uint8_t *key)
{
	return strnlen((const char *)key + col->off, col->size);
}

static int compare_col(const struct aggr_col *cx, const uint8_t *x, const struct aggr_col *cy,
		       const uint8_t *y, bool is_address)
{
	switch (kind_of(cx->type)) {
	case NUMBER:
		return compare_numbers(number_of(cx, x, is_address), number_of(cy, y, is_address));
	case TEXT:
		return compare_bytes(x + cx->off, text_len(cx, x), y + cy->off, text_len(cy, y));
	case WORDS:
		return compare_words(x + cx->off, cx->size, y + cy->off, cy->size);
	default:
		return compare_bytes(x + cx->off, cx->size, y + cy->off, cy->size);
	}
}

int aggr_key_compare(const bool *addresses, int first, const struct aggr_entry *x,
		     const struct aggr_entry *y)
{
	for (int i = 0; i < x->ag->ncols; i++) {
		int at = (first + i) % x->ag->ncols;
		int diff =
		    compare_col(&x->ag->cols[at], x->key, &y->ag->cols[at], y->key, addresses[at]);

		if (diff)
			return diff;
	}
	return 0;
}

/* "" has a byte that NULL has not (bpf/rt.h). */
static void add_text(const struct aggr_col *col, const uint8_t *key, struct strbuf *out)
{
	uint32_t len = text_len(col, key);

	sb_add(out, key + col->off, len);
	sb_putc(out, '\0');
	sb_putc(out, !len && col->size > 1 && key[col->off + 1]);
}

static void add_words(const struct aggr_col *col, const uint8_t *key, struct strbuf *out)
{
	uint32_t n = col->size / sizeof(uint64_t);

	while (n && !word_of(key + col->off, col->size, n - 1))
		n--;
	sb_add(out, &n, sizeof(n));
	sb_add(out, key + col->off, n * sizeof(uint64_t));
}

void aggr_key_add(const bool *addresses, const struct aggr_entry *e, struct strbuf *out)
{
	for (int i = 0; i < e->ag->ncols; i++) {
		const struct aggr_col *col = &e->ag->cols[i];
		struct number n;

		switch (kind_of(col->type)) {
		case NUMBER:
			n = number_of(col, e->key, addresses[i]);
			sb_putc(out, n.negative);
			sb_add(out, &n.bits, sizeof(n.bits));
			break;
		case TEXT:
			add_text(col, e->key, out);
			break;
		case WORDS:
			add_words(col, e->key, out);
			break;
		case BYTES:
			sb_add(out, e->key + col->off, col->size);
			break;
		}
	}
}

/* What is shown ----------------------------------------------------------- */

bool aggr_col_is_number(const struct aggr_col *col)
{
	return (type_is_int(col->type) || is_pointer(col)) && col->size <= sizeof(int64_t);
}

/* Makes v that number of a type, in size bytes, unless it would be another number there. */
static bool shown_as(struct value *v, const struct type *type, uint32_t size, const int64_t *number)
{
	struct value as = {.type = type, .data = number, .size = size, .origin = v->origin};

	if (size > sizeof(*number) || value_int(&as) != *number)
		return false;
	*v = as;
	return true;
}

/* What is too large for the first aggregation's type is a number of that type in 64 bits: formats
 * were checked for the type. */
struct value aggr_key_value(const struct aggr *first, const struct aggr_entry *e, int i,
			    int64_t *number)
{
	const struct aggr_col *to = &first->cols[i], *col = &e->ag->cols[i];
	const struct type *narrow = type_narrow(to->type);
	struct value v = aggr_col_value(col, e->key);
	bool other_sign;

	if (e->ag == first || !aggr_col_is_number(col) || !aggr_col_is_number(to))
		return v;
	*number = value_int(&v);
	other_sign = *number < 0 && type_is_signed(to->type) != type_is_signed(col->type) &&
		     !is_pointer(to) && !is_pointer(col);
	if (other_sign && type_base(to->type)->kind == T_INT)
		return v;
	if (other_sign || !shown_as(&v, narrow, type_base(narrow)->size, number))
		shown_as(&v, to->type, sizeof(*number), number);
	return v;
}
