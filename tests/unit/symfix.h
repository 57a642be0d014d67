/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/kallsyms as the tests understand it: a list of lines, searched from end to end. */
#ifndef DT_TEST_SYMFIX_H
#define DT_TEST_SYMFIX_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/base/mem.h"
#include "libdt/symbols/ksym.h"

struct kline {
	uint64_t addr;
	char type, name[512], mod[64];
};

struct klines {
	VEC(struct kline *) v;
};

/* Lines without an address (the kernel hides them from some) are left out. */
static inline void klines_read(struct klines *k, const char *path)
{
	FILE *f = fopen(path, "re");
	char text[1024];

	ck_assert(f != NULL);
	while (fgets(text, sizeof(text), f)) {
		struct kline *l = xcalloc(1, sizeof(*l));
		unsigned long long addr;
		int n = sscanf(text, "%llx %c %511s [%63[^]]]", &addr, &l->type, l->name, l->mod);

		ck_assert_int_ge(n, 3);
		if (n == 3)
			strcpy(l->mod, "vmlinux");
		l->addr = addr;
		if (l->addr)
			vec_push(&k->v, l);
		else
			free(l);
	}
	fclose(f);
}

static inline void klines_free(struct klines *k)
{
	for (int i = 0; i < k->v.n; i++)
		free(k->v.v[i]);
	vec_free(&k->v);
}

/* Global functions come before local ones, then weak ones, then data; among equals the first in
 * the file. */
static inline int kline_rank(const struct kline *l)
{
	switch (l->type) {
	case 'T':
		return 0;
	case 't':
		return 1;
	case 'W':
		return 2;
	case 'w':
		return 3;
	default:
		return 4;
	}
}

/* What an address is in: the nearest symbol below it, unless that is the end of the kernel or too
 * far away. */
static inline const struct kline *klines_search(const struct klines *k, uint64_t addr)
{
	const struct kline *best = NULL;

	for (int i = 0; i < k->v.n; i++) {
		const struct kline *l = k->v.v[i];

		if (l->addr > addr || l->name[0] == '$' || !strncmp(l->name, ".L", 2) ||
		    !strncmp(l->name, "__pfx_", 6))
			continue;
		if (!best || l->addr > best->addr ||
		    (l->addr == best->addr && kline_rank(l) < kline_rank(best)))
			best = l;
	}
	return best && addr - best->addr < 4 << 20 && strcmp(best->name, "_end") ? best : NULL;
}

static inline void check_address(const struct klines *k, struct syms *s, uint64_t addr)
{
	const struct kline *want = klines_search(k, addr);
	const char *mod, *name;
	uint64_t off;
	bool found = syms_find(s, addr, &mod, &name, &off);

	ck_assert_msg(found == !!want, "%llx: %s, not %s", (unsigned long long)addr,
		      found ? name : "nothing", want ? want->name : "nothing");
	if (!want)
		return;
	ck_assert_msg(!strcmp(name, want->name) && !strcmp(mod, want->mod),
		      "%llx: %s`%s, not %s`%s", (unsigned long long)addr, mod, name, want->mod,
		      want->name);
	ck_assert_uint_eq(off, addr - want->addr);
}

/* Addresses at, before, after and far after n symbols, evenly spread. */
static inline void check_addresses(const struct klines *k, struct syms *s, int n)
{
	for (int i = 0; i < n; i++) {
		uint64_t addr = k->v.v[(int64_t)i * (k->v.n - 1) / MAX(n - 1, 1)]->addr;

		check_address(k, s, addr);
		check_address(k, s, addr - 1);
		check_address(k, s, addr + 5);
		check_address(k, s, addr + (3 << 20));
	}
}

#endif
