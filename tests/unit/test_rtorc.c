/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel stacks by unwinding tables: random stacks, whose frames are known since they are made
 * here, by tables in each form that kernels have. On any machine. */
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/rt_orc.h"
#include "tests/unit/rtfix.h"

enum { FUNC = 0x100, TEXT_AFTER = 1 << 24, DEPTH_MAX = 110, STACK = 1 << 18, MOST = 127 };
enum { TO = 16, STATE = TO + 8 * 140 };
enum { REGS = 21, BP = 4, IP = 16, CS = 17, SP = 19 };

enum reg { R_NONE, R_BP, R_SP, R_PREV_SP, R_R10 };
enum type { T_UNKNOWN, T_END, T_CALL, T_REGS };

/* Functions of FUNC bytes each. */
static const struct kind {
	enum type type;
	enum reg sp;
	int words; /* from the stack pointer to the base (or registers); by rbp: 0 */
	int saved; /* in how many words below the base rbp is; 0: unchanged */
} kinds[] = {
    {T_CALL, R_SP, 1, 0},   {T_CALL, R_SP, 5, 2},      {T_CALL, R_SP, 9, 9},
    {T_CALL, R_SP, 70, 3},  {T_CALL, R_SP, 600, 600},  {T_CALL, R_BP, 0, 2},
    {T_CALL, R_SP, 40, 40}, {T_REGS, R_SP, 0, 0},      {T_REGS, R_SP, 2, 0},
    {T_END, R_NONE, 0, 0},  {T_UNKNOWN, R_NONE, 0, 0}, {T_CALL, R_R10, 0, 0},
};
enum { NCALLS = 7, ENTRY = 8, END = 9, BAD = 10, NKINDS = ARRAY_SIZE(kinds) };

/* Numbers in the tables, and where kinds of entries are. */
static const struct form {
	uint8_t sp, prev_sp, type_bits, end, signal, call, regs, ends;
} forms[] = {
    {5, 1, 2, 10, 0, 0, 1, 0},	/* 5.10 */
    {5, 1, 2, 11, 10, 0, 1, 0}, /* between */
    {5, 1, 3, 0, 11, 2, 3, 1},	/* 6.4 */
    {3, 8, 3, 0, 11, 2, 3, 1},	/* 7.2 */
};

struct entry {
	int16_t sp_offset, bp_offset;
	uint16_t flags;
};

struct walked {
	struct fix f;
	struct map mem;
	struct rt_orc o;
	struct {
		int32_t ips[NKINDS];
		struct entry entries[NKINDS];
	} tables;
	struct orc_state *state;
	uint64_t *stack, *top;				     /* nothing can be read from top on */
	uint64_t want[DEPTH_MAX + 1], *where[DEPTH_MAX + 1]; /* frames; the words with them */
	int nwant, nreads;
};

static int64_t help(void *arg, int id, uint64_t r[5])
{
	struct walked *w = arg;

	w->nreads += id == BPF_FUNC_probe_read_kernel;
	return bpfvm_helpers(&w->f.vm, id, r);
}

static void fill_tables(struct walked *w, const struct form *form)
{
	for (int i = 0; i < NKINDS; i++) {
		const struct kind *k = &kinds[i];
		struct entry *e = &w->tables.entries[i];
		int sp = k->sp == R_SP ? form->sp : k->sp == R_BP ? 4 : k->sp == R_R10 ? 6 : 0;
		int bp = k->saved ? form->prev_sp : 0;
		int type = k->type == T_CALL   ? form->call
			   : k->type == T_REGS ? form->regs
			   : k->type == T_END  ? form->ends
					       : 0;

		w->tables.ips[i] = (int32_t)(w->o.text + i * FUNC - (uintptr_t)&w->tables.ips[i]);
		*e = (struct entry){k->sp == R_BP ? 16 : k->words * 8, -k->saved * 8,
				    sp | bp << 4 | type << 8};
		if (k->type == T_END && form->end)
			e->flags |= 1 << form->end;
		if (k->type == T_REGS && form->signal)
			e->flags |= 1 << form->signal;
	}
}

static void walked_start(struct walked *w, const struct form *form)
{
	static const char *const called[] = {"rt_orc", "rt_orc_row", "rt_orc_step", "rt_orc_rule",
					     "rt_orc_numbers"};
	long page = sysconf(_SC_PAGESIZE);

	memset(w, 0, sizeof(*w));
	fix_start(&w->f, 1024);
	ck_assert_uint_le(STATE + sizeof(struct orc_state), w->f.rt.slot_size);
	w->mem = (struct map){.type = BPF_MAP_TYPE_ARRAY,
			      .key_size = 4,
			      .value_size = ORC_MEM_SIZE,
			      .mem_size = ORC_MEM_SIZE,
			      .max_entries = 1,
			      .fd = -1,
			      .mem = xcalloc(1, ORC_MEM_SIZE)};
	w->o = (struct rt_orc){.known = true,
			       .mem = &w->mem,
			       .ips = (uintptr_t)w->tables.ips,
			       .entries = (uintptr_t)w->tables.entries,
			       .n = NKINDS,
			       .text = (uintptr_t)&w->tables + TEXT_AFTER,
			       .type_shift = 8,
			       .type_bits = form->type_bits,
			       .signal = form->signal,
			       .end = form->end,
			       .call = form->call,
			       .regs = form->regs,
			       .ends = form->ends};
	w->o.text_end = w->o.text + NKINDS * FUNC;
	w->o.function = w->o.text;
	w->o.returns[1] = w->o.text + BAD * FUNC + 5;
	fill_tables(w, form);
	w->f.rt.orc = &w->o;
	w->state = (struct orc_state *)(w->f.slot + STATE);
	w->f.vm.nfuncs = 1; /* no routines of strings */
	for (size_t i = 0; i < ARRAY_SIZE(called); i++) {
		struct code *c = rt_build(&w->f.rt, called[i]);

		ck_assert_ptr_nonnull(c);
		ck_assert_ptr_null(c->error);
		w->f.funcs[w->f.vm.nfuncs++] = c;
	}
	w->f.vm.helper = help;
	w->f.vm.helper_arg = w;
	w->stack =
	    mmap(NULL, STACK + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert(w->stack != MAP_FAILED);
	w->top = w->stack + STACK / 8;
	ck_assert_int_eq(mprotect(w->top, page, PROT_NONE), 0);
}

static void walked_end(struct walked *w)
{
	munmap(w->stack, STACK + sysconf(_SC_PAGESIZE));
	free(w->mem.mem);
	fix_end(&w->f);
}

static uint64_t place_in(struct walked *w, int kind, bool exact)
{
	/* the first byte belongs to the function only if it is no return address */
	return w->o.text + kind * FUNC + !exact + rnd(&w->f, exact ? 2 : FUNC - 1);
}

/* The frames, from the last caller down. user: it has registers of user mode. */
static void make_stack(struct walked *w, int depth, const int *which, bool user)
{
	uint64_t *sp = w->top, fp = rnd64(&w->f), ret;
	bool exact = false;

	if (user) {
		sp -= REGS;
		sp[CS] = 0x33;
		sp -= kinds[ENTRY].words;
	}
	for (int i = depth; i >= 0; i--) {
		int kind = i < depth ? which[i] : user ? ENTRY : END;
		const struct kind *k = &kinds[kind];
		uint64_t *base = sp;

		/* the frame above was interrupted, or called this one */
		if (i < depth && k->type == T_REGS) {
			base -= REGS;
			base[IP] = w->want[i + 1];
			base[SP] = (uintptr_t)sp;
			base[BP] = fp;
			base[CS] = 0x10;
			sp = base - k->words;
			fp = rnd64(&w->f);
		} else if (i < depth) {
			sp = base - (k->words ? k->words : 4 + (int)rnd(&w->f, 90));
			base[-1] = w->want[i + 1];
			w->where[i + 1] = base - 1;
			if (k->saved)
				base[-k->saved] = fp;
			fp = k->sp == R_BP ? (uintptr_t)(base - 2) : fp;
		}
		ck_assert(sp > w->stack + 64);
		exact = !i || kinds[which[i - 1]].type == T_REGS;
		ret = place_in(w, kind, exact);
		w->want[i] = ret;
	}
	w->nwant = depth + 1;
	w->state->pc = w->want[0];
	w->state->exact = 1;
	w->state->sp = (uintptr_t)sp;
	w->state->bp = fp;
}

static int64_t walk(struct walked *w, int most)
{
	int64_t n;

	w->f.funcs[0] = rt_build(&w->f.rt, "rt_orc_regs");
	memset(w->f.slot + TO, 0xff, 8 * 130);
	w->nreads = 0;
	n = bpfvm_run(&w->f.vm, w->f.funcs[0], 4, (uint64_t[]){1, STATE, TO, most});
	ck_assert_msg(!w->f.vm.error, "%s: %s", w->f.vm.error, w->f.vm.message);
	return (int32_t)n;
}

static void check_stack(struct walked *w, int most)
{
	const uint64_t *to = (const uint64_t *)(w->f.slot + TO);
	int n = MIN(w->nwant, most);

	ck_assert_int_eq(walk(w, most), n);
	for (int i = 0; i < most; i++)
		ck_assert_uint_eq(to[i], i < n ? w->want[i] : 0);
	ck_assert_uint_eq(to[most + 1], UINT64_MAX);
}

static int random_kinds(struct walked *w, int *which, bool large)
{
	int depth = 1 + rnd(&w->f, rnd(&w->f, 4) ? 20 : 40);

	for (int i = 0; i < depth; i++)
		do {
			which[i] = rnd(&w->f, 12) ? rnd(&w->f, NCALLS) : NCALLS + rnd(&w->f, 2);
		} while (which[i] == 4 && !large);
	return depth;
}

START_TEST(random_stacks)
{
	int which[DEPTH_MAX];
	struct walked w;

	walked_start(&w, &forms[_i]);
	for (int round = 0; round < ROUNDS; round++) {
		int depth = random_kinds(&w, which, round % 2);

		make_stack(&w, depth, which, rnd(&w.f, 2));
		check_stack(&w, rnd(&w.f, 2) ? MOST : 1 + rnd(&w.f, 30));
	}
	walked_end(&w);
}
END_TEST

/* Frames that the tables do not know, code of no table, and return addresses that were replaced. */
START_TEST(others_stacks)
{
	int which[DEPTH_MAX];
	struct walked w;

	walked_start(&w, &forms[_i]);
	for (int round = 0; round < ROUNDS; round++) {
		int depth = random_kinds(&w, which, false), at = rnd(&w.f, depth);
		bool known = round % 3;

		which[at] = known ? 1 : BAD + (int)rnd(&w.f, 2);
		if (at)
			which[at - 1] = 1;
		make_stack(&w, depth, which, true);
		if (known && at)
			*w.where[at] = round % 3 == 1 ? w.o.returns[1] : w.o.text_end + 8;
		ck_assert_int_eq(walk(&w, MOST), known && !at ? w.nwant : ORC_SLOW);
	}
	walked_end(&w);
}
END_TEST

/* Small frames share what is read, once their rules are in the cache. */
START_TEST(few_reads)
{
	int which[30] = {1, 1, 2, 2};
	struct orc_state first;
	struct walked w;

	walked_start(&w, &forms[_i]);
	make_stack(&w, 6, which, true);
	first = *w.state;
	check_stack(&w, 20);
	*w.state = first;
	check_stack(&w, 20);
	ck_assert_int_le(w.nreads, 2);
	walked_end(&w);
}
END_TEST

/* Tables that number registers otherwise lead to nothing. */
START_TEST(unknown_numbers)
{
	struct form form = {7, 1, 3, 0, 11, 2, 3, 1};
	int which[] = {0, 0};
	struct walked w;

	walked_start(&w, &form);
	make_stack(&w, 2, which, true);
	ck_assert_int_eq(walk(&w, MOST), ORC_SLOW);
	walked_end(&w);
}
END_TEST

Suite *rtorc_suite(void);
Suite *rtorc_suite(void)
{
	Suite *s = suite_create("rtorc");
	TCase *t = tcase_create("walk");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, random_stacks, 0, ARRAY_SIZE(forms));
	tcase_add_loop_test(t, others_stacks, 0, ARRAY_SIZE(forms));
	tcase_add_loop_test(t, few_reads, 0, ARRAY_SIZE(forms));
	tcase_add_test(t, unknown_numbers);
	suite_add_tcase(s, t);
	return s;
}
