/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A BTF file as it lies on disk: records by id, strings by offset, nothing converted. */
#ifndef DT_TYPE_RAW_H
#define DT_TYPE_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

/*
 * What a BTF file begins with, in each of its versions: hdr_len says how long the header is. Never
 * use struct btf_header, which has more members in newer headers of the kernel.
 */
struct raw_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t hdr_len;
	/* offsets from the end of the header, and bytes */
	uint32_t type_off, type_len, str_off, str_len;
};

/* Numbers that a record's kind can have (5 bits until Linux 7.0, 7 since). */
enum { RAW_KINDS = 128 };

struct raw_span {
	uint32_t first, end, n;
};

struct btf_raw {
	const struct btf_raw *base; /* of a module: vmlinux, whose ids and strings come first */
	const uint8_t *data;
	size_t size;
	bool mapped;
	const uint8_t *types;
	uint32_t *offsets; /* of record id - first in types */
	uint32_t first, end;
	/* where the n records of a kind are, those of others between them */
	struct raw_span of[RAW_KINDS];
	const char *strs;
	uint32_t strs_start, strs_len;
};

/* Not in the headers of older libbpf. */
enum { RAW_FLOAT = 16, RAW_DECL_TAG, RAW_TYPE_TAG, RAW_ENUM64 };

/* The kind and number of elements of a record. The macros of older headers drop bits of both. */
static inline uint32_t raw_kind(const struct btf_type *r)
{
	return r->info >> 24 & (RAW_KINDS - 1);
}

static inline uint32_t raw_vlen(const struct btf_type *r)
{
	return r->info & 0xffffff;
}

/*
 * Return the length of the BTF that begins at data, of at most len bytes; 0 if its header is no
 * BTF header or refers to bytes past len.
 */
size_t raw_length(const uint8_t *data, size_t len);
/* NULL, and a reason to be freed, when there is no such file or it is broken. */
struct btf_raw *raw_open(const char *path, const struct btf_raw *base, char **reason);
/* Of bytes, which are copied. */
struct btf_raw *raw_memory(const void *data, size_t len, const struct btf_raw *base, char **reason);
void raw_free(struct btf_raw *raw);
/* A record of the file's own, which is there. */
static inline const struct btf_type *raw_own(const struct btf_raw *raw, uint32_t id)
{
	return (const struct btf_type *)(raw->types + raw->offsets[id - raw->first]);
}

/* NULL for void and for ids that are not there. What follows a record is inside the file. */
const struct btf_type *raw_type(const struct btf_raw *raw, uint32_t id);
/* "" for what is not there. Here, for searches ask 60,000 times. */
static inline const char *raw_str(const struct btf_raw *raw, uint32_t off)
{
	if (raw->base && off < raw->strs_start)
		raw = raw->base;
	off -= raw->strs_start;
	return off < raw->strs_len ? raw->strs + off : "";
}

#endif
