/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregations with the kernel's maps: nothing is lost or counted twice while snapshots go on.
 * Needs root. */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "bpf/prog.h"
#include "libdt/base/clock.h"
#include "libdt/builtin/agg.h"
#include "libdt/engine/snapshot.h"

enum { MEM_SLOTS = 64, KEYS = 37 };

static struct arena *arena;

static void setup(void)
{
	arena = arena_new();
}

static void teardown(void)
{
	arena_free(arena);
}

struct session {
	struct types *types;
	struct aggrs *as;
	struct aggr_memory counts;
	struct map mem; /* the generation, then slots from MEM_SLOTS on */
	struct aggr *all, *smallest, *keyed;
};

static struct aggr_maps *maps(const struct session *s, const struct aggr *ag)
{
	return s->counts.v.v[ag->id];
}

static void merge(void *arg, uint32_t id, const void *key, int cpu, const int64_t *value)
{
	struct aggrs *as = arg;

	aggr_merge(as, as->v.v[id], key, cpu, value);
}

static int take(void *arg)
{
	struct session *s = arg;
	struct snapshot_rows rows = {merge, s->as};
	uint64_t began = clock_ns(CLOCK_MONOTONIC);
	uint32_t old;
	int rc = snapshot_turn(&s->counts, false, &old);

	if (!rc)
		rc = snapshot_take(&s->counts, old, &rows);
	s->as->snapshot_ns = began;
	return rc;
}

static struct aggr *add(struct session *s, const struct aggfunc *func, const struct aggr_col *col)
{
	struct aggr_desc d = {
	    .name = func->name,
	    .func = func,
	    .cols = col,
	    .ncols = col != NULL,
	    .key_size = col ? col->size : 0,
	};

	ck_assert_ptr_nonnull(aggr_memory_add(&s->counts, func, d.params, d.key_size, false));
	return aggr_add(s->as, &d);
}

static void session_init(struct session *s)
{
	struct aggr_col col;
	uint32_t off = MEM_SLOTS;

	s->types = types_new(false, "none");
	s->counts.ncpus = libbpf_num_possible_cpus();
	s->as = aggrs_new(s->counts.ncpus);
	s->as->take = take;
	s->as->take_arg = s;
	col = (struct aggr_col){.type = type_int(s->types, 8, true), .size = 8};
	s->all = add(s, &aggfunc_count, NULL);
	s->smallest = add(s, &aggfunc_min, NULL);
	s->keyed = add(s, &aggfunc_count, &col);
	aggr_maps_place(maps(s, s->all), &s->mem, off);
	off += aggr_maps_size(maps(s, s->all), s->counts.ncpus);
	aggr_maps_place(maps(s, s->smallest), &s->mem, off);
	off += aggr_maps_size(maps(s, s->smallest), s->counts.ncpus);
	ck_assert_uint_eq(aggr_maps_size(maps(s, s->keyed), s->counts.ncpus), 0);
	aggr_maps_describe(&s->counts, maps(s, s->keyed), 1000, false, 0);
	map_init_memory(&s->mem, "test_mem", off);
	ck_assert_int_eq(map_create(&s->mem), 0);
	s->counts.generation = s->mem.mem;
	ck_assert_int_eq(snapshot_create(&s->counts), 0);
}

static void session_free(struct session *s)
{
	aggrs_free(s->as);
	aggr_memory_free(&s->counts);
	map_close(&s->mem);
	types_free(s->types);
}

static int64_t total(struct aggr *ag, const void *key)
{
	struct aggr_entry *e = hash_get(&ag->totals, key, ag->key_size);

	return e ? e->value[0] : -1;
}

/* @all = count() */
static void build_unkeyed(struct ir *ir, struct session *s, int gen, int cpu)
{
	int slot = ir_reg(ir), base = ir_reg(ir), one = ir_reg(ir), out = ir_label(ir);

	ir_mov(ir, slot, gen);
	ir_alui(ir, BPF_MUL, slot, s->as->ncpus);
	ir_alu(ir, BPF_ADD, slot, cpu);
	ir_jcci(ir, BPF_JGE, slot, 2 * s->as->ncpus, out);
	ir_alui(ir, BPF_MUL, slot, maps(s, s->all)->stride);
	ir_map_mem(ir, base, &s->mem, maps(s, s->all)->mem_off);
	ir_alu(ir, BPF_ADD, base, slot);
	ir_movi(ir, one, 1);
	ir_st(ir, 8, base, 0, one);
	ir_atomic(ir, BPF_ADD, 8, base, 8, one);
	ir_place(ir, out);
}

static int lookup(struct ir *ir, int map, int frame)
{
	int key = ir_reg(ir);

	ir_frame_addr(ir, key, frame, 0);
	return ir_callv(ir, BPF_FUNC_map_lookup_elem, map, key);
}

/* @keyed[arg] = count() */
static void build_keyed(struct ir *ir, struct session *s, int gen, int cpu, int arg)
{
	int index = ir_frame(ir, 8), key = ir_frame(ir, 16), value = ir_frame(ir, 8);
	int outer = ir_reg(ir), inner = ir_reg(ir), v = ir_reg(ir), one = ir_reg(ir),
	    flags = ir_reg(ir);
	int kp = ir_reg(ir), vp = ir_reg(ir), found = ir_label(ir), out = ir_label(ir);

	ir_frame_st(ir, 4, index, 0, gen);
	ir_frame_st(ir, 4, key, 0, cpu);
	ir_frame_sti(ir, 4, key, 4, 0);
	ir_frame_st(ir, 8, key, 8, arg);
	ir_frame_sti(ir, 8, value, 0, 1);
	ir_map(ir, outer, maps(s, s->keyed)->outer);
	ir_mov(ir, inner, lookup(ir, outer, index));
	ir_jcci(ir, BPF_JEQ, inner, 0, out);
	ir_mov(ir, v, lookup(ir, inner, key));
	ir_jcci(ir, BPF_JNE, v, 0, found);
	ir_frame_addr(ir, kp, key, 0);
	ir_frame_addr(ir, vp, value, 0);
	ir_movi(ir, flags, BPF_NOEXIST);
	ir_mov(ir, v, ir_callv(ir, BPF_FUNC_map_update_elem, inner, kp, vp, flags));
	ir_jcci(ir, BPF_JEQ, v, 0, out);
	ir_mov(ir, v, lookup(ir, inner, key)); /* another of this CPU was quicker */
	ir_jcci(ir, BPF_JEQ, v, 0, out);
	ir_place(ir, found);
	ir_movi(ir, one, 1);
	ir_atomic(ir, BPF_ADD, 8, v, 0, one);
	ir_place(ir, out);
}

static void build(struct prog *p, struct session *s)
{
	struct ir *ir = ir_new(arena, "counter", 1);
	int gen = ir_reg(ir), cpu = ir_reg(ir), arg = ir_reg(ir), mem = ir_reg(ir), rc;
	struct strbuf log = {0};

	ir_ld(ir, 8, arg, ir_arg(ir, 0), 0);
	ir_map_mem(ir, mem, &s->mem, 0);
	ir_ld(ir, 4, gen, mem, 0);
	ir_mov(ir, cpu, ir_call(ir, BPF_FUNC_get_smp_processor_id, 0, NULL));
	for (int i = 0; i < 500; i++) /* takes its time, so that snapshots meet it in the middle */
		ir_call(ir, BPF_FUNC_ktime_get_ns, 0, NULL);
	build_unkeyed(ir, s, gen, cpu);
	build_keyed(ir, s, gen, cpu, arg);
	ir_reti(ir, 0);
	prog_init(p, "counter", BPF_PROG_TYPE_RAW_TRACEPOINT);
	p->main = ir_finish(ir, NULL, 0);
	rc = prog_load(p, NULL, &log, false);
	ck_assert_msg(!rc, "%d: %s", rc, sb_str(&log));
	sb_free(&log);
}

static int64_t *slot(struct session *s, struct aggr *ag, int gen, int cpu)
{
	return aggr_slot(&s->counts, maps(s, ag), gen, cpu);
}

/* No program writes the generation that was drained. */
static void check_quiet(struct session *s)
{
	int old = !*s->counts.generation;
	uint64_t key[2];

	for (int cpu = 0; cpu < s->as->ncpus; cpu++)
		ck_assert_int_eq(slot(s, s->all, old, cpu)[0], 0);
	for (key[0] = 0; key[0] < (uint64_t)s->as->ncpus; key[0]++) {
		int64_t value;

		for (key[1] = 0; key[1] < KEYS; key[1]++)
			ck_assert_int_eq(map_lookup(&maps(s, s->keyed)->gen[old], key, &value),
					 -ENOENT);
	}
}

enum { THREADS = 3, ROUNDS = 10000 };

static void *run_many(void *arg)
{
	for (uint64_t i = 0; i < ROUNDS; i++)
		if (prog_run(arg, &(uint64_t){i % KEYS}, 1, NULL))
			return arg;
	return NULL;
}

START_TEST(nothing_is_lost)
{
	pthread_t threads[THREADS];
	struct session s = {0};
	struct prog p;
	void *failed;

	session_init(&s);
	build(&p, &s);
	for (int i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, run_many, &p), 0);
	for (int i = 0; i < 20; i++) {
		usleep(1000);
		ck_assert_int_eq(aggrs_snapshot(s.as), 0);
		usleep(1000);
		check_quiet(&s);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &failed);
		ck_assert_ptr_null(failed);
	}
	ck_assert_int_eq(aggrs_snapshot(s.as), 0);
	ck_assert_int_eq(total(s.all, ""), THREADS * ROUNDS);
	for (uint64_t key = 0; key < KEYS; key++)
		ck_assert_int_eq(total(s.keyed, &key),
				 THREADS * (ROUNDS / KEYS + (key < ROUNDS % KEYS)));
	ck_assert_uint_eq(s.keyed->totals.live, KEYS);
	prog_close(&p);
	session_free(&s);
}
END_TEST

START_TEST(generations)
{
	struct session s = {0};
	uint64_t key[2] = {0, 77};
	int64_t one = 1;

	session_init(&s);
	ck_assert_int_eq(slot(&s, s.smallest, 0, 0)[1], INT64_MAX);
	ck_assert_int_eq(slot(&s, s.smallest, 1, s.as->ncpus - 1)[1], INT64_MAX);
	ck_assert_int_eq(aggrs_snapshot(s.as), 0);
	ck_assert_uint_eq(*s.counts.generation, 1);
	ck_assert_uint_eq(s.smallest->totals.live, 0);

	for (int cpu = 0; cpu < s.as->ncpus; cpu++) {
		slot(&s, s.smallest, 1, cpu)[0] = 1;
		slot(&s, s.smallest, 1, cpu)[1] = 100 - cpu;
	}
	ck_assert_int_eq(map_update(&maps(&s, s.keyed)->gen[1], key, &one, BPF_NOEXIST), 0);
	key[0] = 1; /* another CPU's element of the same tuple */
	ck_assert_int_eq(map_update(&maps(&s, s.keyed)->gen[1], key, &one, BPF_NOEXIST), 0);
	ck_assert_int_eq(map_update(&maps(&s, s.keyed)->gen[0], key, &one, BPF_NOEXIST), 0);
	ck_assert_int_eq(aggrs_snapshot(s.as), 0);
	ck_assert_uint_eq(*s.counts.generation, 0);
	ck_assert_int_eq(total(s.smallest, ""), 101 - s.as->ncpus);
	ck_assert_int_eq(total(s.keyed, &key[1]), 2);
	ck_assert_int_eq(slot(&s, s.smallest, 1, 0)[0], 0);
	ck_assert_int_eq(slot(&s, s.smallest, 1, 0)[1], INT64_MAX);
	ck_assert_int_eq(map_lookup(&maps(&s, s.keyed)->gen[1], key, &one), -ENOENT);

	ck_assert_int_eq(aggrs_snapshot_since(s.as, s.as->snapshot_ns - 1), 0);
	ck_assert_int_eq(total(s.keyed, &key[1]), 2);
	ck_assert_int_eq(aggrs_snapshot_since(s.as, s.as->snapshot_ns), 0);
	ck_assert_int_eq(total(s.keyed, &key[1]), 3);
	ck_assert_int_eq(aggrs_snapshot_since(s.as, 0), 0);
	ck_assert_uint_eq(*s.counts.generation, 0);
	session_free(&s);
}
END_TEST

/* One whose first maps have 1000 entries, and second ones 2000, if growth is enough for them. */
static struct aggr *add_growing(struct session *s, uint64_t growth, bool on_demand)
{
	struct aggr_col col = {.size = 8};
	struct aggr *ag;

	session_init(s);
	col.type = type_int(s->types, 8, false);
	ag = add(s, &aggfunc_count, &col);
	s->counts.on_demand = on_demand;
	aggr_maps_describe(&s->counts, maps(s, ag), 1000, true, 2000);
	aggr_maps_place(maps(s, ag), &s->mem, 8);
	s->counts.growth = growth;
	ck_assert_int_eq(snapshot_create(&s->counts), 0);
	return ag;
}

/* When a tenth is filled, or was, there are second maps for more; keys may be in both maps; and
 * when it is calm they are as they were at first. */
START_TEST(grows)
{
	enum { GROWTH = 16 << 20 };
	struct session s = {0};
	struct aggr *ag = add_growing(&s, GROWTH, true);
	struct aggr_maps *m = maps(&s, ag);
	int64_t one = 1;

	ck_assert_uint_eq(GROWTH - s.counts.growth,
			  map_memory_size(&m->more[0]) + map_memory_size(&m->more[1]));
	*aggr_new_keys(m) = 299; /* a tenth of 3000 would be 300 */
	ck_assert(!snapshot_fill(&s.counts));
	*aggr_new_keys(m) = 300;
	ck_assert(snapshot_fill(&s.counts));
	ck_assert_uint_eq(m->more[0].max_entries, 2000);
	ck_assert_uint_eq(m->more[1].max_entries, 18000);
	ck_assert(snapshot_fill(&s.counts));
	ck_assert_uint_eq(m->more[1].max_entries, 18000);

	for (uint64_t i = 0; i < 2000; i++) /* some keys are in both */
		ck_assert_int_eq(map_update(i < 1000 ? &m->gen[0] : &m->more[0],
					    (uint64_t[]){0, i % 1500}, &one, BPF_NOEXIST),
				 0);
	ck_assert_int_eq(aggrs_snapshot(s.as), 0);
	ck_assert_uint_eq(*aggr_new_keys(m), 0);
	ck_assert_uint_eq(ag->totals.live, 1500);
	ck_assert_int_eq(total(ag, &(uint64_t){499}), 2);
	ck_assert_int_eq(total(ag, &(uint64_t){500}), 1);
	ck_assert_uint_eq(m->more[0].max_entries, 18000);

	for (int i = 0; i < 34; i++)
		ck_assert_int_eq(aggrs_snapshot(s.as), 0);
	ck_assert_uint_eq(m->more[0].max_entries, 2000);
	ck_assert_uint_eq(m->more[1].max_entries, 2000);
	ck_assert_uint_eq(GROWTH - s.counts.growth,
			  map_memory_size(&m->more[0]) + map_memory_size(&m->more[1]));
	session_free(&s);
}
END_TEST

/* Where the memory ends: as much as there is, and what was there stays. */
START_TEST(grows_little)
{
	struct session s = {0};
	struct aggr_maps *m = maps(&s, add_growing(&s, 1000, false));
	uint64_t size = map_memory_size(&m->more[0]);
	int64_t one = 1;

	ck_assert_int_lt(m->more[0].fd, 0);
	*aggr_new_keys(m) = 1000;
	ck_assert(snapshot_fill(&s.counts));
	ck_assert_int_lt(m->more[1].fd, 0);
	ck_assert_int_eq(aggrs_snapshot(s.as), 0);
	session_free(&s);

	memset(&s, 0, sizeof(s));
	m = maps(&s, add_growing(&s, size * 2, false));
	ck_assert_int_ge(m->more[1].fd, 0);
	ck_assert_uint_eq(s.counts.growth, 0);
	*aggr_new_keys(m) = 1000;
	ck_assert(snapshot_fill(&s.counts));
	ck_assert_uint_eq(m->more[1].max_entries, 2000);
	s.counts.growth = size * 3;
	ck_assert(snapshot_fill(&s.counts));
	ck_assert_uint_gt(m->more[1].max_entries, 4000);
	ck_assert_uint_lt(m->more[1].max_entries, 9000);
	ck_assert_int_eq(map_update(&m->more[1], (uint64_t[]){0, 1}, &one, BPF_ANY), 0);
	session_free(&s);
}
END_TEST

/* More keys than a batch holds, and values of many words. */
START_TEST(many_keys)
{
	struct session s = {0};
	struct aggr_col col = {.size = 8};
	int64_t buckets[QUANTIZE_BUCKETS] = {[63] = 1, [126] = 2};
	struct aggr *ag;

	session_init(&s);
	col.type = type_int(s.types, 8, false);
	ag = add(&s, &aggfunc_quantize, &col);
	aggr_maps_describe(&s.counts, maps(&s, ag), 5000, true, 0);
	ck_assert_int_eq(snapshot_create(&s.counts), 0);
	for (uint64_t i = 0; i < 5000; i++)
		ck_assert_int_eq(map_update(&maps(&s, ag)->gen[0], (uint64_t[]){i & 1, i / 2},
					    buckets, BPF_NOEXIST),
				 0);
	ck_assert_int_eq(aggrs_snapshot(s.as), 0);
	ck_assert_uint_eq(ag->totals.live, 2500);
	for (uint64_t i = 0; i < 2500; i++) {
		struct aggr_entry *e = hash_get(&ag->totals, &i, 8);

		ck_assert_int_eq(e->value[63], 2);
		ck_assert_int_eq(e->value[126], 4);
	}
	session_free(&s);
}
END_TEST

struct sleeper {
	uint64_t busy[4]; /* of each CPU two words */
	struct session *s;
};

/* Adds to the generation that it has read before it slept. */
static void *wake_up(void *arg)
{
	struct sleeper *sl = arg;
	uint32_t generation = *sl->s->counts.generation;

	__atomic_store_n(&sl->busy[2], 4, __ATOMIC_SEQ_CST);
	usleep(10000);
	__atomic_store_n(&sl->busy[3], 4, __ATOMIC_SEQ_CST);
	__atomic_store_n(&sl->busy[2], 0, __ATOMIC_SEQ_CST);
	usleep(30000);
	ck_assert_int_eq(map_update(&maps(sl->s, sl->s->keyed)->gen[generation], (uint64_t[]){0, 7},
				    (int64_t[]){5}, BPF_NOEXIST),
			 0);
	__atomic_store_n(&sl->busy[3], 0, __ATOMIC_SEQ_CST);
	return NULL;
}

/* Programs that sleep are waited for, those that never wake up are not. */
START_TEST(sleepers)
{
	struct session s = {0};
	struct sleeper sl = {{0}, &s};
	uint64_t seven = 7;
	pthread_t thread;

	session_init(&s);
	s.counts.ncpus = 2;
	s.counts.busy = sl.busy;
	s.counts.busy_step = 2;
	s.counts.asleep = 1;
	ck_assert_int_eq(pthread_create(&thread, NULL, wake_up, &sl), 0);
	while (!__atomic_load_n(&sl.busy[2], __ATOMIC_SEQ_CST))
		usleep(100);
	ck_assert_int_eq(aggrs_snapshot(s.as), 0);
	ck_assert_int_eq(total(s.keyed, &seven), 5);
	pthread_join(thread, NULL);
	sl.busy[0] = 1;
	ck_assert_int_eq(aggrs_snapshot(s.as), 0);
	session_free(&s);
}
END_TEST

Suite *live_aggr_suite(void)
{
	Suite *s = suite_create("live_aggr");
	TCase *tc = tcase_create("live_aggr");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, generations);
	tcase_add_test(tc, grows);
	tcase_add_test(tc, grows_little);
	tcase_add_test(tc, many_keys);
	tcase_add_test(tc, nothing_is_lost);
	tcase_add_test(tc, sleepers);
	suite_add_tcase(s, tc);
	return s;
}
