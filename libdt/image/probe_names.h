/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of the enabled probes, where programs that serve many find them: for each probe a row
 * of struct name_row, and after the rows a pool of texts, each once, since 50,000 probes share most
 * of theirs.
 */
#ifndef DT_PROBE_NAMES_H
#define DT_PROBE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/map.h"
#include "libdt/base/hash.h"
#include "libdt/base/mem.h"
#include "libdt/image/probe.h"

/* What programs know of a probe: where the texts of its names are, in words of 8 bytes, and struct
 * probe's id and where. */
struct name_row {
	uint32_t at[4], id, where;
};

struct probe_names {
	struct map map;	       /* memory: the rows, and from probe_names_pool() on the texts */
	uint32_t nrows, later; /* of the rows, those for probes that are enabled later */
	struct name_row *rows; /* of those that are enabled now */
	struct strbuf pool;
	struct hash seen; /* text -> where in the pool, plus one */
	/* bytes of the longest text; where the pool's space for texts ends, in words of 8 bytes */
	uint32_t width[4], last;
};

/* Of these probes, by index; later: so many may be added. */
void probe_names_init(struct probe_names *names, struct probe *const *probes, int n,
		      uint32_t later);
void probe_names_free(struct probe_names *names);
/* Where the texts begin in the memory. */
uint32_t probe_names_pool(const struct probe_names *names);
/* The map's first contents. */
void probe_names_fill(struct probe_names *names, struct arena *a);
/* Puts the names of a probe that is enabled later into its row. False: the table is full. */
bool probe_names_add(struct probe_names *names, const struct probe *probe);

#endif
