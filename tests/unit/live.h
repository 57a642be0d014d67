/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the live tests of bpf/ share. Include in one test file each. */
#ifndef DT_TEST_LIVE_H
#define DT_TEST_LIVE_H

#include <check.h>

#include "bpf/feat.h"
#include "bpf/map.h"
#include "bpf/prog.h"
#include "tests/unit/bpfinsn.h"

static struct arena *arena;
static struct feats *feats;

static void setup(void)
{
	arena = arena_new();
	feats = feats_new();
}

static void teardown(void)
{
	feats_free(feats);
	arena_free(arena);
}

static void load(struct prog *p, enum bpf_prog_type type, struct code *main)
{
	struct strbuf log = {0};
	int rc;

	prog_init(p, "dt-test", type);
	p->main = main;
	rc = prog_load(p, feats, &log, false);
	ck_assert_msg(!rc, "%s: %s", strerror(-rc), sb_str(&log));
	sb_free(&log);
}

static struct reloc mem_of(int insn, struct map *m, uint32_t off)
{
	return (struct reloc){.kind = RELOC_MAP_MEM, .insn = insn, .map = m, .off = off};
}

#endif
