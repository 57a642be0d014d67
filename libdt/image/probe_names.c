/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/image/probe_names.h"

#include <stdlib.h>
#include <string.h>

/* Bytes for the names of all probes that are enabled later. */
enum { LATE_NAMES = 256 << 10 };

static size_t pool_size(size_t len)
{
	return ALIGN_UP(len + 1, 8) + 8;
}

/* Puts a text into the pool in the layout of bpf/rt.h; where it is, in words of 8 bytes. */
static uint32_t pool_text(struct probe_names *names, const char *text, size_t len, int field)
{
	size_t size = pool_size(len);
	void **at = hash_ref(&names->seen, text, len);

	names->width[field] = MAX(names->width[field], size);
	if (!*at) {
		*at = (void *)(names->pool.len / 8 + 1);
		sb_add(&names->pool, text, len);
		for (size_t i = len; i < size; i++)
			sb_putc(&names->pool, !len && i == 1);
	}
	return (uintptr_t)*at - 1;
}

uint32_t probe_names_pool(const struct probe_names *names)
{
	return names->nrows * sizeof(*names->rows);
}

void probe_names_init(struct probe_names *names, struct probe *const *probes, int n, uint32_t later)
{
	uint32_t longest = 0;

	names->nrows = MAX(n + later, 1u);
	names->later = later;
	names->rows = xcalloc(MAX(n, 1), sizeof(*names->rows));
	for (int i = 0; i < n; i++) {
		names->rows[i].id = probes[i]->id;
		names->rows[i].where = probes[i]->where;
		for (int f = 0; f < 4; f++) {
			const char *text = probe_field(probes[i], f);

			names->rows[i].at[f] = pool_text(names, text, strlen(text), f);
		}
	}
	names->last = (names->pool.len + (later ? LATE_NAMES : 0)) / 8;
	for (int f = 0; f < 4; f++) {
		names->width[f] = MAX(names->width[f], later ? pool_size(LATE_NAME) : 0);
		longest = MAX(longest, names->width[f]);
	}
	/* any text may be read as the longest */
	map_init_memory(&names->map, "dt_probes",
			probe_names_pool(names) + names->last * 8 + longest);
	names->map.rdonly = !later;
}

void probe_names_fill(struct probe_names *names, struct arena *a)
{
	uint8_t *bytes = arena_alloc(a, names->map.value_size);
	uint32_t n = names->nrows - names->later;

	memcpy(bytes, names->rows, n * sizeof(*names->rows));
	if (names->pool.len)
		memcpy(bytes + probe_names_pool(names), names->pool.s, names->pool.len);
	names->map.init = bytes;
}

bool probe_names_add(struct probe_names *names, const struct probe *probe)
{
	uint8_t *mem = names->map.mem;
	size_t before = names->pool.len, most = 4 * pool_size(LATE_NAME);
	struct name_row row = {.id = probe->id, .where = probe->where};

	if (!mem) /* no program asks for them */
		return true;
	if (before + most > names->last * 8ull)
		return false;
	for (int f = 0; f < 4; f++) {
		const char *text = probe_field(probe, f);

		row.at[f] = pool_text(names, text, strnlen(text, LATE_NAME), f);
	}
	if (names->pool.len > before)
		memcpy(mem + probe_names_pool(names) + before, names->pool.s + before,
		       names->pool.len - before);
	memcpy(mem + probe->index * sizeof(row), &row, sizeof(row));
	return true;
}

void probe_names_free(struct probe_names *names)
{
	free(names->rows);
	sb_free(&names->pool);
	hash_free(&names->seen);
	if (names->map.name[0])
		map_close(&names->map);
}
