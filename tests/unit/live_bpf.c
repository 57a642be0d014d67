/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps, programs and rings on the running kernel: needs root. */
#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bpf/ring.h"
#include "bpf/sys.h"
#include "tests/unit/live.h"

START_TEST(features_of_every_kernel)
{
	struct strbuf why = {0};

	ck_assert(feat(feats, FEAT_BPF));
	ck_assert(feat(feats, FEAT_RINGBUF));
	ck_assert(feat(feats, FEAT_GLOBAL_FUNC));
	ck_assert(!feat_why_no_bpf(&why));
	ck_assert_str_eq(sb_str(&why), "");
	/* bpf_loop came with 5.17, cookies of perf events with 5.15, of raw tracepoints with 6.10
	 */
	ck_assert(!feat(feats, FEAT_LOOP) || feat(feats, FEAT_PERF_COOKIE));
	ck_assert(!feat(feats, FEAT_RAWTP_COOKIE) || feat(feats, FEAT_KTIME_TAI));
}
END_TEST

START_TEST(memory_map)
{
	static const uint64_t init[600] = {11, 22, [599] = 33};
	struct map m;
	uint64_t copy[600];
	uint32_t zero = 0;

	map_init_memory(&m, "mem", sizeof(init));
	m.init = init;
	ck_assert_int_eq(map_create(&m), 0);
	ck_assert_uint_eq(m.mem_size, ALIGN_UP(sizeof(init), (size_t)sysconf(_SC_PAGESIZE)));
	ck_assert_mem_eq(m.mem, init, sizeof(init));
	ck_assert_int_eq(map_create(&m), 0);
	((uint64_t *)m.mem)[1] = 44;
	ck_assert_int_eq(map_lookup(&m, &zero, copy), 0);
	ck_assert_uint_eq(copy[1], 44);
	ck_assert_uint_eq(copy[599], 33);
	map_close(&m);
	ck_assert_ptr_null(m.mem);
	ck_assert_int_eq(m.fd, -1);
	ck_assert_int_eq(map_lookup(&m, &zero, copy), -EBADF);
}
END_TEST

/* Returns memory[1]; when memory[0] is not 5 goes astray, which the verifier must see. */
static struct code *reader(struct map *m)
{
	struct code *c = CODE(arena, "main", IMM64(1), LDX8(2, 1, 0), JCCI(BPF_JEQ, 2, 5, 1),
			      LDX8(0, 2, 0), LDX8(0, 1, 8), EXIT());

	code_reloc(arena, c, mem_of(0, m, 0));
	return c;
}

START_TEST(constant_memory)
{
	static const uint64_t init[2] = {5, 77}, other[2] = {6, 78};
	struct map m, loose;
	struct prog p;
	uint32_t zero = 0;
	int64_t result;

	map_init_memory(&m, "const", sizeof(init));
	m.init = init;
	m.rdonly = true;
	load(&p, BPF_PROG_TYPE_RAW_TRACEPOINT, reader(&m));
	ck_assert_int_eq(prog_run(&p, NULL, 0, &result), 0);
	ck_assert_int_eq(result, 77);
	ck_assert_int_eq(map_update(&m, &zero, other, BPF_ANY), -EPERM);
	ck_assert_int_eq(mprotect(m.mem, m.mem_size, PROT_READ | PROT_WRITE), -1);
	ck_assert_mem_eq(m.mem, init, sizeof(init));
	prog_close(&p);
	map_close(&m);

	/*
	 * The same with memory that may change is refused: what was loaded above did use the
	 * constant.
	 */
	map_init_memory(&loose, "loose", sizeof(init));
	loose.init = init;
	prog_init(&p, "p", BPF_PROG_TYPE_RAW_TRACEPOINT);
	p.main = reader(&loose);
	ck_assert_int_lt(prog_load(&p, feats, NULL, false), 0);
	ck_assert_int_eq(p.fd, -1);
	map_close(&loose);
	prog_close(&p);
}
END_TEST

/* Adds args[0] to 8 bytes in the task's storage, and returns what was there. */
static struct code *storage_adder(struct map *m)
{
	struct code *c = CODE(
	    arena, "main", LDX8(6, 1, 0), CALL(SYS_FUNC_GET_CURRENT_TASK_BTF), IMM64(1), MOVR(2, 0),
	    MOV(3, 0), MOV(4, 1), CALL(SYS_FUNC_TASK_STORAGE_GET), JCCI(BPF_JEQ, 0, 0, 4),
	    LDX8(7, 0, 16), ALUR(BPF_ADD, 6, 7), STX8(0, 16, 6), MOVR(0, 7), EXIT());

	code_reloc(arena, c, (struct reloc){.kind = RELOC_MAP, .insn = 2, .map = m});
	return c;
}

START_TEST(task_storage)
{
	uint64_t five = 5, six = 6;
	struct map m;
	struct prog p;
	int64_t result;

	if (!feat(feats, FEAT_TASK_STORAGE))
		return;
	map_init_task_storage(&m, "self", 24);
	load(&p, BPF_PROG_TYPE_RAW_TRACEPOINT, storage_adder(&m));
	ck_assert_int_eq(prog_run(&p, &five, 1, &result), 0);
	ck_assert_int_eq(result, 0);
	ck_assert_int_eq(prog_run(&p, &six, 1, &result), 0);
	ck_assert_int_eq(result, 5);
	ck_assert_int_eq(prog_run(&p, &six, 1, &result), 0);
	ck_assert_int_eq(result, 11);
	prog_close(&p);
	map_close(&m);
}
END_TEST

START_TEST(map_of_maps)
{
	struct map inner, outer, one, other_shape;
	uint32_t slot = 1, id = 0;

	map_init(&inner, "inner", BPF_MAP_TYPE_HASH, 8, 8, 100);
	map_init(&one, "one", BPF_MAP_TYPE_HASH, 8, 8, 100);
	map_init(&other_shape, "shape", BPF_MAP_TYPE_HASH, 8, 16, 100);
	map_init(&outer, "outer", BPF_MAP_TYPE_ARRAY_OF_MAPS, 4, 4, 2);
	outer.inner = &inner;
	ck_assert_int_eq(map_create(&outer), 0);
	ck_assert_int_eq(inner.fd, -1);
	ck_assert_int_eq(map_create(&one), 0);
	ck_assert_int_eq(map_create(&other_shape), 0);
	ck_assert_int_eq(map_lookup(&outer, &slot, &id), -ENOENT);
	ck_assert_int_eq(map_update(&outer, &slot, &one.fd, BPF_ANY), 0);
	ck_assert_int_eq(map_lookup(&outer, &slot, &id), 0);
	ck_assert_uint_ne(id, 0);
	ck_assert_int_eq(map_update(&outer, &slot, &other_shape.fd, BPF_ANY), -EINVAL);
	inner.inner = &one;
	map_close(&outer);
	ck_assert_int_eq(map_create(&outer), -EINVAL);
	map_close(&one);
	map_close(&other_shape);
}
END_TEST

enum { KEYS = 10000 };

struct filler {
	struct map *map;
	int done, rc;
};

static int fill(struct map *m, uint64_t from, uint64_t to)
{
	uint64_t *value = calloc(1, map_value_step(m));
	int rc = 0;

	for (uint64_t key = from; key < to && !rc; key++) {
		for (size_t i = 0; i < map_value_step(m) / 8; i++)
			value[i] = key * 3 + i;
		rc = map_update(m, &key, value, BPF_NOEXIST);
	}
	free(value);
	return rc;
}

static void *filler(void *arg)
{
	struct filler *f = arg;

	f->rc = fill(f->map, KEYS, 2 * KEYS);
	__atomic_store_n(&f->done, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* Reads the map to its end once; counts how often each key came, and checks its value. */
static int drain_once(struct map *m, uint32_t max, unsigned char *seen)
{
	size_t step = map_value_step(m);
	uint64_t *keys = malloc(max * 8);
	char *values = malloc(max * step), token[8];
	bool started = false;
	int n, total = 0;

	while ((n = map_drain(m, &started, token, keys, values, max)) > 0) {
		ck_assert_int_le(n, max);
		for (int i = 0; i < n; i++) {
			uint64_t *v = (void *)(values + i * step);

			ck_assert_uint_lt(keys[i], 2 * KEYS);
			seen[keys[i]]++;
			for (size_t c = 0; c < step / 8; c++)
				ck_assert_uint_eq(v[c], keys[i] * 3 + c);
		}
		total += n;
	}
	ck_assert_int_eq(n, 0);
	free(keys);
	free(values);
	return total;
}

/* 10,000 keys are there, as many come while it is drained: each must be read once. */
static void check_drain(enum bpf_map_type type, uint32_t max, bool no_batch)
{
	unsigned char *seen = calloc(2 * KEYS, 1);
	struct filler f = {0};
	struct map m;
	pthread_t thread;
	int total = 0, done;

	map_init(&m, "drain", type, 8, 8, 2 * KEYS);
	m.no_batch = no_batch;
	ck_assert_int_eq(map_create(&m), 0);
	ck_assert_int_eq(fill(&m, 0, KEYS), 0);
	f.map = &m;
	ck_assert_int_eq(pthread_create(&thread, NULL, filler, &f), 0);
	do {
		done = __atomic_load_n(&f.done, __ATOMIC_ACQUIRE);
		total += drain_once(&m, max, seen);
	} while (!done);
	pthread_join(thread, NULL);
	ck_assert_int_eq(f.rc, 0);
	ck_assert_int_eq(total, 2 * KEYS);
	for (int i = 0; i < 2 * KEYS; i++)
		ck_assert_msg(seen[i] == 1, "key %d came %d times", i, seen[i]);
	ck_assert_int_eq(drain_once(&m, max, seen), 0);
	ck_assert_int_eq(m.no_batch, no_batch);
	map_close(&m);
	free(seen);
}

START_TEST(drain_batches)
{
	check_drain(BPF_MAP_TYPE_HASH, 1024, false);
	check_drain(BPF_MAP_TYPE_PERCPU_HASH, 300, false);
}
END_TEST

/*
 * Most buckets that are not empty have several elements then, so the kernel says that the batch is
 * too small.
 */
START_TEST(drain_small_batches)
{
	check_drain(BPF_MAP_TYPE_HASH, 1, false);
}
END_TEST

START_TEST(drain_without_batches)
{
	check_drain(BPF_MAP_TYPE_HASH, 512, true);
	check_drain(BPF_MAP_TYPE_PERCPU_HASH, 1, true);
}
END_TEST

START_TEST(drain_finds_out)
{
	struct map m;
	char token[8];
	uint64_t key, value;
	bool started = false;

	map_init(&m, "array", BPF_MAP_TYPE_ARRAY, 4, 8, 4);
	ck_assert_int_eq(map_create(&m), 0);
	ck_assert_int_eq(map_drain(&m, &started, token, &key, &value, 0), -EINVAL);
	ck_assert_int_lt(map_drain(&m, &started, token, &key, &value, 1),
			 0); /* no element can go */
	ck_assert(m.no_batch);
	map_close(&m);
}
END_TEST

/* Calls that are made in a hurry leave the thread as it was. */
START_TEST(priority_comes_back)
{
	static const int policies[] = {SCHED_OTHER, SCHED_BATCH, SCHED_RR};
	struct sync *s = sync_new();
	uint64_t key = 1, value = 2;
	char token[8];
	struct map m;

	ck_assert_ptr_nonnull(s);
	map_init(&m, "hash", BPF_MAP_TYPE_HASH, 8, 8, 4);
	ck_assert_int_eq(map_create(&m), 0);
	for (size_t i = 0; i < ARRAY_SIZE(policies); i++) {
		struct sched_param param = {.sched_priority = policies[i] == SCHED_RR ? 5 : 0}, now;
		bool started = false;

		if (sched_setscheduler(0, policies[i], &param))
			continue;
		ck_assert_int_eq(setpriority(PRIO_PROCESS, 0, 7), 0);
		ck_assert_int_eq(map_update(&m, &key, &value, BPF_ANY), 0);
		ck_assert_int_eq(map_drain(&m, &started, token, &key, &value, 1), 1);
		ck_assert_int_eq(sync_wait(s), 0);
		ck_assert_int_eq(sched_getscheduler(0), policies[i]);
		ck_assert_int_eq(sched_getparam(0, &now), 0);
		ck_assert_int_eq(now.sched_priority, param.sched_priority);
		ck_assert_int_eq(getpriority(PRIO_PROCESS, 0), 7);
	}
	map_close(&m);
	sync_free(s);
}
END_TEST

/* memory[0] = 1, then some 0.2 s of turning in circles, then memory[1] = 1. */
static struct code *slow_code(struct map *m)
{
	struct code *c =
	    CODE(arena, "main", IMM64(6), ST8(6, 0, 1), MOV(1, 1 << 23), IMM64(2), MOV(3, 0),
		 MOV(4, 0), CALL(SYS_FUNC_LOOP), MOV(1, 1 << 23), IMM64(2), MOV(3, 0), MOV(4, 0),
		 CALL(SYS_FUNC_LOOP), ST8(6, 8, 1), MOV(0, 0), EXIT());

	code_reloc(arena, c, mem_of(0, m, 0));
	code_reloc(arena, c, (struct reloc){.kind = RELOC_CALL, .insn = 4, .func = "turn"});
	code_reloc(arena, c, (struct reloc){.kind = RELOC_CALL, .insn = 10, .func = "turn"});
	return c;
}

static struct code *turn_code(void)
{
	struct code *c = CODE(arena, "turn", ALU(BPF_DIV, 1, 3), ALU(BPF_DIV, 1, 5),
			      ALU(BPF_DIV, 1, 7), MOV(0, 0), EXIT());

	c->nargs = 2;
	return c;
}

static void *run_in_thread(void *arg)
{
	struct prog *p = arg;

	return (void *)(intptr_t)prog_run(p, NULL, 0, NULL);
}

/* Whether sync_wait was called while the program ran; then it must have ended. */
static bool sync_once(struct sync *s, struct prog *p, volatile uint64_t *mem)
{
	pthread_t thread;
	bool running;
	void *rc;

	mem[0] = mem[1] = 0;
	ck_assert_int_eq(pthread_create(&thread, NULL, run_in_thread, p), 0);
	while (!mem[0])
		sched_yield();
	running = !mem[1];
	ck_assert_int_eq(sync_wait(s), 0);
	ck_assert_uint_eq(mem[1], 1);
	pthread_join(thread, &rc);
	ck_assert_int_eq((intptr_t)rc, 0);
	return running;
}

/* With both threads on one CPU we come too late: so it is tried until it was seen a few times. */
START_TEST(sync_waits_for_programs)
{
	struct strbuf log = {0};
	struct sync *s;
	struct map m;
	struct prog p;
	int seen = 0;

	s = sync_new();
	ck_assert_ptr_nonnull(s);
	ck_assert_int_eq(sync_wait(s), 0);
	if (!feat(feats, FEAT_LOOP)) {
		sync_free(s);
		return;
	}
	map_init_memory(&m, "flags", 16);
	prog_init(&p, "slow", BPF_PROG_TYPE_RAW_TRACEPOINT);
	p.main = slow_code(&m);
	prog_add(&p, turn_code());
	ck_assert_msg(!prog_load(&p, feats, &log, false), "%s", sb_str(&log));
	for (int i = 0; i < 30 && seen < 3; i++)
		seen += sync_once(s, &p, m.mem);
	ck_assert(seen || sysconf(_SC_NPROCESSORS_ONLN) == 1);
	prog_close(&p);
	map_close(&m);
	sync_free(s);
}
END_TEST

enum { LONG = 200 };

/* Returns args[0] - args[11] * f(args[1]) and calls f twice more; f adds 1, and 0 LONG times. */
static void make_calling(struct prog *p)
{
	struct bpf_insn insns[LONG + 3];
	struct code *f;
	int n = 0;

	insns[n++] = MOVR(0, 1);
	while (n <= LONG)
		insns[n++] = ALU(BPF_ADD, 0, 0);
	insns[n++] = ALU(BPF_ADD, 0, 1);
	insns[n++] = EXIT();
	f = code_make(arena, "plus_one", insns, n);
	f->is_global = true;
	prog_init(p, "calling", BPF_PROG_TYPE_RAW_TRACEPOINT);
	p->main = CODE(arena, "main", MOVR(6, 1), MOV(1, 1), CALL(0), MOV(1, 2), CALL(0),
		       LDX8(1, 6, 8), CALL(0), LDX8(1, 6, 88), ALUR(BPF_MUL, 1, 0), LDX8(0, 6, 0),
		       ALUR(BPF_SUB, 0, 1), EXIT());
	for (int i = 2; i <= 6; i += 2)
		code_reloc(arena, p->main,
			   (struct reloc){.kind = RELOC_CALL, .insn = i, .func = "plus_one"});
	prog_add(p, f);
}

/* How many instructions the verifier went through, as the log says. */
static int processed(const struct strbuf *log)
{
	const char *s = strstr(sb_str(log), "processed ");
	int n;

	ck_assert_ptr_nonnull(s);
	ck_assert_int_eq(sscanf(s, "processed %d insns", &n), 1);
	return n;
}

START_TEST(runs_with_arguments)
{
	uint64_t args[13] = {100, 6, [11] = 20};
	struct strbuf log = {0};
	struct prog p;
	int64_t result = 0;

	ck_assert_int_eq(feats_disable(feats, "global_func"), 0);
	for (int global = 0; global < 2; global++) {
		make_calling(&p);
		ck_assert_msg(!prog_load(&p, global ? NULL : feats, &log, true), "%s",
			      sb_str(&log));
		/* a global function is gone through once, others at each call */
		if (global)
			ck_assert_int_lt(processed(&log), 2 * LONG);
		else
			ck_assert_int_gt(processed(&log), 3 * LONG);
		ck_assert_int_eq(prog_run(&p, args, 12, &result), 0);
		ck_assert_int_eq(result, 100 - 20 * 7);
		ck_assert_int_eq(prog_run(&p, args, 2, &result), 0);
		ck_assert_int_eq(result, 100);
		ck_assert_int_eq(prog_run(&p, args, 13, NULL), -EINVAL);
		sb_free(&log);
		prog_close(&p);
		ck_assert_int_eq(prog_run(&p, args, 1, NULL), -EBADF);
	}
}
END_TEST

START_TEST(log_quotes_d)
{
	static const char text[] = "BEGIN\n{\n\ttrace(*bad_pointer);\n}\n";
	struct source *src = source_new(arena, SOURCE_FILE, "bad.d", text, sizeof(text) - 1);
	struct strbuf log = {0};
	struct prog p;

	prog_init(&p, "bad", BPF_PROG_TYPE_RAW_TRACEPOINT);
	p.main = CODE(arena, "main", MOV(2, 0), LDX8(0, 2, 0), EXIT());
	code_line(arena, p.main, 0, (struct loc){src, 9, 5});
	ck_assert_int_eq(prog_load(&p, feats, &log, false), -EACCES);
	ck_assert_ptr_nonnull(strstr(sb_str(&log), "trace(*bad_pointer);"));
	ck_assert_ptr_nonnull(strstr(sb_str(&log), "R2 invalid mem access"));
	ck_assert_int_eq(p.fd, -1);
	ck_assert_int_eq(prog_load(&p, feats, NULL, false), -EACCES);
	sb_free(&log);
	prog_close(&p);
}
END_TEST

/* A line for each instruction: the reason exceeds the first buffer. */
START_TEST(long_logs_are_whole)
{
	enum { N = 20000 };
	struct bpf_insn *insns = arena_alloc(arena, (N + 2) * sizeof(*insns));
	struct strbuf log = {0};
	struct prog p;

	insns[0] = MOV(0, 0);
	for (int i = 1; i < N; i++)
		insns[i] = ALU(BPF_ADD, 0, i);
	insns[N] = LDX8(0, 0, 0);
	insns[N + 1] = EXIT();
	prog_init(&p, "long", BPF_PROG_TYPE_RAW_TRACEPOINT);
	p.main = code_make(arena, "main", insns, N + 2);
	ck_assert_int_lt(prog_load(&p, feats, &log, false), 0);
	ck_assert_uint_gt(log.len, 256 << 10);
	ck_assert_ptr_nonnull(strstr(sb_str(&log), "0: "));
	ck_assert_ptr_nonnull(strstr(sb_str(&log), "R0 invalid mem access"));
	sb_free(&log);
	prog_close(&p);
}
END_TEST

/*
 * A record of 16 bytes: args[0] and how many records there were before, counted in memory[0]. Every
 * third is discarded. memory[8] counts what did not fit.
 */
static struct code *recorder(struct map *ring, struct map *mem)
{
	struct code *c =
	    CODE(arena, "main", LDX8(8, 1, 0), IMM64(9), LDX8(7, 9, 0),
		 /* reserve, or count a drop */
		 IMM64(1), MOV(2, 16), MOV(3, 0), CALL(BPF_FUNC_ringbuf_reserve),
		 JCCI(BPF_JNE, 0, 0, 4), LDX8(1, 9, 8), ALU(BPF_ADD, 1, 1), STX8(9, 8, 1), JMP(12),
		 /* fill, count */
		 STX8(0, 0, 8), STX8(0, 8, 7), MOVR(1, 7), ALU(BPF_ADD, 1, 1), STX8(9, 0, 1),
		 /* discard every third */
		 MOVR(1, 0), MOV(2, 0), ALU(BPF_MOD, 7, 3), JCCI(BPF_JEQ, 7, 2, 2),
		 CALL(BPF_FUNC_ringbuf_submit), JMP(1), CALL(BPF_FUNC_ringbuf_discard), MOV(0, 0),
		 EXIT());

	code_reloc(arena, c, mem_of(1, mem, 0));
	code_reloc(arena, c, (struct reloc){.kind = RELOC_MAP, .insn = 4, .map = ring});
	return c;
}

struct recording {
	struct map map, mem;
	struct prog prog;
	struct ring *ring;
	uint64_t next;	/* the number that the next record has */
	uint64_t count; /* records seen */
	uint64_t stop;	/* after so many */
	int runs;
};

static void recording_start(struct recording *r)
{
	memset(r, 0, sizeof(*r));
	map_init(&r->map, "ring", BPF_MAP_TYPE_RINGBUF, 0, 0, sysconf(_SC_PAGESIZE) * 4);
	map_init_memory(&r->mem, "mem", 16);
	load(&r->prog, BPF_PROG_TYPE_RAW_TRACEPOINT, recorder(&r->map, &r->mem));
	r->ring = ring_open(&r->map);
	ck_assert_ptr_nonnull(r->ring);
}

static void recording_end(struct recording *r)
{
	ring_close(r->ring);
	prog_close(&r->prog);
	map_close(&r->map);
	map_close(&r->mem);
}

static void record(struct recording *r, int n)
{
	uint64_t arg = 0xabcd;

	for (int i = 0; i < n; i++)
		ck_assert_int_eq(prog_run(&r->prog, &arg, 1, NULL), 0);
}

static int check_record(void *arg, const void *data, size_t size)
{
	struct recording *r = arg;
	const uint64_t *words = data;

	ck_assert_uint_eq(size, 16);
	ck_assert_uint_eq(words[0], 0xabcd);
	ck_assert_uint_eq(words[1], r->next);
	r->next += r->next % 3 == 1 ? 2 : 1; /* the one after was discarded */
	return ++r->count == r->stop ? -77 : 0;
}

START_TEST(ring_order)
{
	struct recording r;

	recording_start(&r);
	ck_assert_int_eq(ring_drain(r.ring, check_record, &r), 0);
	ck_assert_int_eq(ring_wait(r.ring, 10), 0);
	/* many times around the ring */
	for (int i = 0; i < 100; i++) {
		record(&r, 300);
		ck_assert_int_eq(ring_wait(r.ring, 0), 1);
		ck_assert_int_eq(ring_drain(r.ring, check_record, &r), 200);
		ck_assert_int_eq(ring_wait(r.ring, 0), 0);
	}
	ck_assert_uint_eq(((uint64_t *)r.mem.mem)[1], 0);

	/* a callback that says stop has had its record */
	record(&r, 30);
	r.stop = r.count + 5;
	ck_assert_int_eq(ring_drain(r.ring, check_record, &r), -77);
	ck_assert_int_eq(ring_wait(r.ring, 0), 1);
	ck_assert_int_eq(ring_drain(r.ring, check_record, &r), 15);

	/* full: 24 bytes each; what is lost is lost, the rest is whole */
	record(&r, r.map.max_entries / 24 + 10);
	ck_assert_uint_eq(((uint64_t *)r.mem.mem)[1], 10);
	ck_assert_int_gt(ring_drain(r.ring, check_record, &r), 0);
	ck_assert_int_eq(ring_drain(r.ring, check_record, &r), 0);
	recording_end(&r);
}
END_TEST

static void *record_in_thread(void *arg)
{
	struct recording *r = arg;
	volatile uint64_t *lost = (uint64_t *)r->mem.mem + 1;

	for (int i = 0; i < r->runs;) {
		uint64_t word = 0xabcd, before = *lost;

		if (prog_run(&r->prog, &word, 1, NULL))
			return "failed";
		i += *lost == before;
	}
	return NULL;
}

/*
 * With a writer that never rests and waits of up to a minute: a wake-up that is missed is a test
 * that times out.
 */
START_TEST(ring_wakes)
{
	enum { RUNS = 300000 };
	struct recording r;
	pthread_t thread;
	void *failed;
	int rc;

	recording_start(&r);
	r.runs = RUNS;
	ck_assert_int_eq(pthread_create(&thread, NULL, record_in_thread, &r), 0);
	while (r.count < RUNS / 3 * 2) {
		ck_assert_int_eq(ring_wait(r.ring, 60000), 1);
		rc = ring_drain(r.ring, check_record, &r);
		ck_assert_int_ge(rc, 0);
		ck_assert_int_le(rc, (int)r.map.max_entries / 24);
	}
	pthread_join(thread, &failed);
	ck_assert_ptr_null(failed);
	ck_assert_uint_eq(r.count, RUNS / 3 * 2);
	recording_end(&r);
}
END_TEST

struct more {
	struct recording *r;
	int seen;
};

static int record_more(void *arg, const void *data, size_t size)
{
	struct more *m = arg;

	(void)data;
	(void)size;
	m->seen++;
	record(m->r, 2);
	return 0;
}

/* Each record seen makes two more: a drain that went on until the ring is empty would never end. */
START_TEST(ring_drain_is_bounded)
{
	struct recording r;
	struct more m = {&r, 0};

	recording_start(&r);
	record(&r, 30);
	ck_assert_int_eq(ring_drain(r.ring, record_more, &m), 20);
	ck_assert_int_eq(m.seen, 20);
	ck_assert_uint_eq(((uint64_t *)r.mem.mem)[0], 70);
	recording_end(&r);
}
END_TEST

START_TEST(ring_refuses)
{
	struct map m;

	map_init(&m, "ring", BPF_MAP_TYPE_RINGBUF, 0, 0, sysconf(_SC_PAGESIZE));
	ck_assert_ptr_null(ring_open(&m));
	ck_assert_int_eq(errno, EINVAL);
	map_init_memory(&m, "mem", 8);
	ck_assert_int_eq(map_create(&m), 0);
	ck_assert_ptr_null(ring_open(&m));
	map_close(&m);
}
END_TEST

Suite *bpf_suite(void);

Suite *bpf_suite(void)
{
	Suite *s = suite_create("bpf");
	TCase *tc = tcase_create("bpf");

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, features_of_every_kernel);
	tcase_add_test(tc, memory_map);
	tcase_add_test(tc, constant_memory);
	tcase_add_test(tc, task_storage);
	tcase_add_test(tc, map_of_maps);
	tcase_add_test(tc, drain_batches);
	tcase_add_test(tc, drain_small_batches);
	tcase_add_test(tc, drain_without_batches);
	tcase_add_test(tc, drain_finds_out);
	tcase_add_test(tc, priority_comes_back);
	tcase_add_test(tc, sync_waits_for_programs);
	tcase_add_test(tc, runs_with_arguments);
	tcase_add_test(tc, log_quotes_d);
	tcase_add_test(tc, long_logs_are_whole);
	tcase_add_test(tc, ring_order);
	tcase_add_test(tc, ring_wakes);
	tcase_add_test(tc, ring_drain_is_bounded);
	tcase_add_test(tc, ring_refuses);
	suite_add_tcase(s, tc);
	return s;
}
