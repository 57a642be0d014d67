/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a reader of a detached session leaves to the next one: totals and position come back as they
 * were, and a damaged file is refused. */
#include <check.h>
#include <string.h>

#include "libdt/builtin/agg.h"
#include "libdt/detach/state.h"
#include "libdt/detach/store.h"
#include "libdt/type/type.h"

enum { CPUS = 3, KEY = 8 };

static struct types *types;

static void setup(void)
{
	types = types_new(true, "none");
}

static void teardown(void)
{
	types_free(types);
}

/* Two aggregations: @n[key] = count() and @q = quantize(). */
static struct aggrs *make(bool percpu)
{
	struct aggrs *as = aggrs_new(CPUS);
	struct aggr_col col = {.type = type_int(types, 8, false), .size = KEY};

	as->percpu = percpu;
	ck_assert_ptr_nonnull(aggr_add(
	    as,
	    &(struct aggr_desc){
		.name = "n", .func = &aggfunc_count, .cols = &col, .ncols = 1, .key_size = KEY}));
	ck_assert_ptr_nonnull(
	    aggr_add(as, &(struct aggr_desc){.name = "q", .func = &aggfunc_quantize}));
	return as;
}

static void fill(struct aggrs *as)
{
	int64_t buckets[256] = {0};

	for (uint64_t key = 0; key < 5; key++)
		for (int cpu = 0; cpu < CPUS; cpu++)
			aggr_merge(as, as->v.v[0], &key, cpu, &(int64_t){10 * key + cpu + 1});
	ck_assert_int_le(as->v.v[1]->words, (int)ARRAY_SIZE(buckets));
	buckets[70] = 7;
	aggr_merge(as, as->v.v[1], "", 1, buckets);
	as->v.v[1]->wrapped = true;
}

static int64_t sum(const struct aggr *ag)
{
	int64_t sum = 0;

	for (size_t i = 0; i < ag->totals.n; i++) {
		const struct aggr_entry *e = ag->totals.entries[i].value;

		for (int w = 0; e && w < ag->words; w++)
			sum += e->value[w];
	}
	return sum;
}

START_TEST(test_totals)
{
	struct aggrs *from = make(_i), *to = make(_i);
	struct strbuf out = {0};
	struct pack save = {.out = &out}, load;
	uint64_t number = 41, loaded = 0;

	fill(from);
	state_pack_totals(&number, from, &save);
	load = pack_reader(out.s, out.len, NULL);
	state_pack_totals(&loaded, to, &load);
	ck_assert(!load.bad && load.at == load.end);
	ck_assert_uint_eq(loaded, 41);
	ck_assert(to->v.v[1]->wrapped && !to->v.v[0]->wrapped);
	ck_assert_int_eq(sum(to->v.v[0]), CPUS * 100 + 5 * 6);
	ck_assert_int_eq(sum(to->v.v[1]), 7);
	for (size_t i = 0; i < to->v.v[0]->totals.n && _i; i++) {
		const struct aggr_entry *e = to->v.v[0]->totals.entries[i].value;

		if (e)
			ck_assert_int_eq(e->cpus[2][0] - e->cpus[0][0], 2);
	}
	/* what was loaded is saved to the same bytes */
	struct strbuf again = {0};

	save.out = &again;
	state_pack_totals(&loaded, to, &save);
	ck_assert_uint_eq(again.len, out.len);
	/* of a part, nothing is taken for whole */
	for (size_t len = 0; len < out.len; len++) {
		struct aggrs *part = make(_i);

		load = pack_reader(out.s, len, NULL);
		state_pack_totals(&loaded, part, &load);
		ck_assert_msg(load.bad, "%d bytes", (int)len);
		aggrs_free(part);
	}
	sb_free(&again);
	sb_free(&out);
	aggrs_free(from);
	aggrs_free(to);
}
END_TEST

static void position_init(struct position *pos)
{
	*pos = (struct position){.ncpus = CPUS, .drops = xcalloc(CPUS, sizeof(*pos->drops))};
}

START_TEST(test_position)
{
	struct aggrs *from = make(false), *to = make(false);
	struct position pos, got;
	struct strbuf out = {0};
	struct pack save = {.out = &out}, load;

	position_init(&pos);
	position_init(&got);
	pos.ring = 1ull << 40;
	pos.misses = 3;
	pos.exited = true;
	pos.status = -7;
	pos.drops[2][DROP_PRINCIPAL] = 12;
	sb_add(&pos.held, "records\0of", 10);
	from->v.v[0]->normal = 1000;
	state_pack_position(&pos, from, &save);
	for (size_t len = 0; len < out.len; len++) {
		load = pack_reader(out.s, len, NULL);
		state_pack_position(&got, to, &load);
		ck_assert_msg(load.bad, "%d bytes", (int)len);
	}
	load = pack_reader(out.s, out.len, NULL);
	state_pack_position(&got, to, &load);
	ck_assert(!load.bad && load.at == load.end);
	ck_assert(got.ring == pos.ring && got.misses == 3 && got.exited && got.status == -7);
	ck_assert_uint_eq(got.drops[2][DROP_PRINCIPAL], 12);
	ck_assert(got.held.len == 10 && !memcmp(got.held.s, "records\0of", 10));
	ck_assert_int_eq(to->v.v[0]->normal, 1000);
	ck_assert_int_eq(to->v.v[1]->normal, 1);
	/* a divisor of 0 is no divisor */
	from->v.v[1]->normal = 0;
	out.len = 0;
	state_pack_position(&pos, from, &save);
	load = pack_reader(out.s, out.len, NULL);
	state_pack_position(&got, to, &load);
	ck_assert(load.bad);
	sb_free(&out);
	state_free(&pos);
	state_free(&got);
	aggrs_free(from);
	aggrs_free(to);
}
END_TEST

START_TEST(test_names)
{
	static const char *const good[] = {"a", "0", "web-1", "A.b_c"};
	static const char *const bad[] = {"",	".",   "..",  ".a",	 "-a",
					  "_a", "a/b", "a b", "\303\244"};
	char most[66];

	memset(most, 'x', sizeof(most) - 1);
	most[65] = '\0';
	for (unsigned i = 0; i < ARRAY_SIZE(good); i++)
		ck_assert_msg(store_is_name(good[i]), "%s", good[i]);
	for (unsigned i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_msg(!store_is_name(bad[i]), "%s", bad[i]);
	ck_assert(!store_is_name(most));
	ck_assert(store_is_name(most + 1));
}
END_TEST

Suite *state_suite(void)
{
	Suite *s = suite_create("state");
	TCase *tc = tcase_create("state");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_totals, 0, 2);
	tcase_add_test(tc, test_position);
	tcase_add_test(tc, test_names);
	suite_add_tcase(s, tc);
	return s;
}
