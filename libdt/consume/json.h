/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON text, written in order: commas and escapes are done here. */
#ifndef DT_JSON_H
#define DT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libdt/base/mem.h"

struct aggr;
struct aggr_sort;
struct fmt_ctx;
struct value;

struct json {
	struct strbuf sb;
	bool comma; /* something stands before in this object or array */
};

/* key is NULL in an array. open is '{' or '[', and close its counterpart. */
void json_open(struct json *j, const char *key, char open);
void json_close(struct json *j, char close);
void json_int(struct json *j, const char *key, int64_t n);
void json_uint(struct json *j, const char *key, uint64_t n);
/* "0x...": addresses have more bits than many readers' numbers. */
void json_hex(struct json *j, const char *key, uint64_t n);
/* Text of any bytes: what is not UTF-8 becomes U+FFFD. */
void json_text(struct json *j, const char *key, const char *s, size_t len);
/* In hexadecimal digits. */
void json_bytes(struct json *j, const char *key, const uint8_t *p, size_t n);
void json_string(struct json *j, const char *key, const char *s);
void json_bool(struct json *j, const char *key, bool b);
void json_null(struct json *j, const char *key);
/* What is no number (infinity...) becomes null. */
void json_float(struct json *j, const char *key, long double d);

/* json_value.c: a recorded value by its type. */
void json_value(struct json *j, const char *key, struct fmt_ctx *ctx, const struct value *v);
/* aggr_json.c: an aggregation's name, function and rows; and "aggregations", an array of several, joined by key. */
void json_aggregation(struct json *j, struct fmt_ctx *ctx, struct aggr *ag, const struct aggr_sort *sort);
void json_aggregations(struct json *j, struct fmt_ctx *ctx, struct aggr *const *ags, int n, const struct aggr_sort *sort);

#endif
