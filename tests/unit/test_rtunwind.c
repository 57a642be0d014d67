/* SPDX-License-Identifier: GPL-2.0-or-later */
/* User stacks by tables: random stacks, whose frames are known since they are made here. Of each
 * machine, on any. */
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bpf/rt_unwind.h"
#include "bpf/sys.h"
#include "libdt/base/machine/machine.h"
#include "libdt/engine/unwind_table.h"
#include "tests/unit/rtfix.h"

#define RULE(kind, fp, off) ((kind) | (fp) << CFI_FP_SHIFT | (off) << CFI_OFF_SHIFT)
#define LINKER(fp, bx, off) (RULE(CFI_SP, fp, off) | CFI_BX_KNOWN | (bx) << CFI_BX_SHIFT)

enum { LOADED = 0x400000, FUNC = 0x100, WORDS_MAX = 1 << 13, DEPTH_MAX = 140 };
enum { PID = 77, TO = 16, STATE = 16 + 8 * UNWIND_FRAMES, STACK = 1 << 20 };
enum { TRAMPOLINE = 0x7000000, SIGNATURE = 16 };

/* Functions of FUNC bytes each: how they keep their caller. */
static const struct kind {
	uint32_t rule;
	int words; /* from the stack pointer to the base; 0: any, by the frame pointer */
	int saved; /* in how many words below the base the frame pointer is; 0: unchanged */
	enum { BX_LOST, BX_SAME, BX_SAVED, BX_BASE } bx;
	int bx_saved; /* BX_SAVED, BX_BASE: in how many words below the base rbx is */
} kinds[] = {
    {CFI_POINTER, 0, 2, BX_LOST, 0},
    {RULE(CFI_SP, 0, 3), 3, 0, BX_LOST, 0},
    {RULE(CFI_SP, 7, 9), 9, 7, BX_LOST, 0},
    {RULE(CFI_SP, 2, 2), 2, 2, BX_LOST, 0},
    {RULE(CFI_SP, 0, 1), 1, 0, BX_LOST, 0},
    {RULE(CFI_SP, 3, 200), 200, 3, BX_LOST, 0},
    {CFI_UNKNOWN, 0, 2, BX_LOST, 0},
    {RULE(CFI_SP, 40, 50), 50, 40, BX_LOST, 0},
    /* the dynamic linker's */
    {LINKER(0, 0, 1), 1, 0, BX_SAME, 0},
    {LINKER(3, 2, 8), 8, 3, BX_SAVED, 2},
    {LINKER(2, 7, 100), 100, 2, BX_SAVED, 7},
    {RULE(CFI_SPECIAL, 0, CFI_BX + 4), 0, 0, BX_BASE, 4},
    /* what a signal handler returns to */
    {RULE(CFI_SPECIAL, 0, 0), 0, 0, BX_LOST, 0},
};
enum {
	NUSUAL = 8,
	NKINDS = ARRAY_SIZE(kinds),
	BY_BX = NKINDS - 2,
	SIGNAL = NKINDS - 1,
	CODE_END = LOADED + (NKINDS + 1) * FUNC
};

/* The same where calls leave the return address in a register. */
static const struct link_kind {
	uint32_t rule;
	int words;  /* from the stack pointer to the base */
	int saved;  /* in how many words below the base the first saved word is; 0: none */
	int record; /* by the frame pointer: in how many below the base that leads; 0: not by it */
	enum { PAIR, RETURN, NOTHING, POINTER } what;
} link_kinds[] = {
    {RULE(CFI_SP, 2, 2), 2, 2, 0, PAIR},
    {RULE(CFI_SP, 6, 6), 6, 6, 0, PAIR},
    {RULE(CFI_SP, 10, 40), 40, 10, 0, PAIR},
    {RULE(CFI_SP, 1, 602) | CFI_FROM_REG, 602, 601, 0, PAIR},
    {RULE(CFI_FP, 4, 4), 12, 4, 4, PAIR},
    {RULE(CFI_FP, 4, 10), 30, 4, 10, PAIR}, /* it leads to no pair */
    {CFI_UNKNOWN, 20, 18, 18, PAIR},
    {RULE(CFI_SP, 3, 8) | CFI_ONE, 8, 3, 0, RETURN},
    {RULE(CFI_SP, 0, 300) | CFI_ONE | CFI_FROM_REG, 300, 300, 0, RETURN},
    /* in the first frame only */
    {RULE(CFI_SP, 0, 0) | CFI_LINK, 0, 0, 0, NOTHING},
    {RULE(CFI_SP, 0, 6) | CFI_LINK, 6, 0, 0, NOTHING},
    {RULE(CFI_SP, 0, 90) | CFI_LINK, 90, 0, 0, NOTHING},
    {RULE(CFI_SP, 2, 6) | CFI_LINK | CFI_ONE, 6, 2, 0, POINTER},
};
enum { LINK_UNKNOWN = 6, LINK_FIRST = 9 };
_Static_assert(ARRAY_SIZE(link_kinds) == NKINDS, "there are as many functions");

struct unwound {
	struct fix f;
	struct map rows, spaces, files, cache;
	struct rt_unwind u;
	struct unwind_space space;
	struct unwind_state *state;
	uint64_t *stack, *top; /* nothing can be read from top on */
	uint64_t task[2], mm[2], area[2], utask[2], returned[4];
	uint64_t want[DEPTH_MAX + 2];
	int nwant, nreads;
};

static int64_t help(void *arg, int id, uint64_t r[5])
{
	struct unwound *w = arg;
	uint64_t key;

	if (id == BPF_FUNC_map_lookup_elem && r[0] == (uintptr_t)&w->spaces)
		return bpfvm_read(&w->f.vm, r[1], &key, 8) && key == PID ? (intptr_t)&w->space : 0;
	if (id == SYS_FUNC_GET_CURRENT_TASK_BTF || id == BPF_FUNC_get_current_task)
		return (intptr_t)w->task;
	w->nreads += id == BPF_FUNC_probe_read_user;
	return bpfvm_helpers(&w->f.vm, id, r);
}

static void fill_map(struct map *m, size_t size)
{
	m->type = BPF_MAP_TYPE_ARRAY;
	m->key_size = 4;
	m->value_size = m->mem_size = size;
	m->max_entries = 1;
	m->fd = -1;
	m->mem = xcalloc(1, size);
}

static void fill_rows(struct unwound *w)
{
	struct cfi_row rows[NKINDS + 1];
	struct unwind_table t;
	bool link = w->u.machine->regs.link >= 0;

	for (int i = 0; i < NKINDS; i++)
		rows[i] = (struct cfi_row){i * FUNC, link ? link_kinds[i].rule : kinds[i].rule};
	rows[NKINDS] = (struct cfi_row){NKINDS * FUNC, CFI_END};
	unwind_table_pack(&t, rows, NKINDS + 1);
	memcpy(w->rows.mem, t.words.v, t.words.n * 4);
	w->space.id = 5;
	w->space.parts[1] = (struct unwind_part){LOADED, CODE_END, LOADED + t.base, 0, t.nblocks};
	for (int i = 2; i < UNWIND_PARTS; i++)
		w->space.parts[i].start = INT64_MAX;
	unwind_table_free(&t);
}

static void unwound_start(struct unwound *w, const struct machine *machine)
{
	static const char *const called[] = {
	    "rt_unwind_step",	"rt_unwind_row", "rt_unwind_rule", "rt_unwind_trampoline",
	    "rt_unwind_return", "rt_vma_table",	 "rt_unwind_leaf"};
	long page = sysconf(_SC_PAGESIZE);

	memset(w, 0, sizeof(*w));
	fix_start(&w->f, 1024);
	ck_assert_uint_le(STATE + sizeof(struct unwind_state), w->f.rt.slot_size);
	fill_map(&w->rows, WORDS_MAX * 4);
	fill_map(&w->cache, sizeof(struct unwind_entry) << UNWIND_CACHE_BITS);
	w->u = (struct rt_unwind){.machine = machine,
				  .signature_bits = machine->unwind.is_signed ? SIGNATURE : 0,
				  .rows = &w->rows,
				  .spaces = &w->spaces,
				  .files = &w->files,
				  .cache = &w->cache,
				  .nwords = WORDS_MAX};
	fill_rows(w);
	w->u.returns = (struct rt_returns){true, 8, 8, 8, 0, 8, 8, 16, 24};
	w->task[0] = (uintptr_t)w->utask, w->task[1] = (uintptr_t)w->mm;
	w->mm[1] = (uintptr_t)w->area;
	w->area[1] = TRAMPOLINE;
	w->f.rt.unwind = &w->u;
	w->state = (struct unwind_state *)(w->f.slot + STATE);
	w->f.vm.nfuncs = 1; /* no routines of strings */
	for (size_t i = 0; i < ARRAY_SIZE(called); i++) {
		struct code *c = rt_build(&w->f.rt, called[i]);

		if (!c && machine->regs.link < 0 && !strcmp(called[i], "rt_unwind_leaf"))
			continue;
		ck_assert_ptr_nonnull(c);
		ck_assert_ptr_null(c->error);
		/* see the comment in bpf/rt_unwind.c */
		ck_assert_int_le(c->frame_size, strcmp(called[i], "rt_unwind_step") ? 96 : 56);
		w->f.funcs[w->f.vm.nfuncs++] = c;
	}
	w->f.vm.helper = help;
	w->f.vm.helper_arg = w;
	w->f.vm.pid_tgid = (uint64_t)PID << 32;
	bpfvm_region(&w->f.vm, &w->space, sizeof(w->space), false);
	bpfvm_region(&w->f.vm, w->task, sizeof(w->task), false);
	bpfvm_region(&w->f.vm, w->mm, sizeof(w->mm), false);
	bpfvm_region(&w->f.vm, w->area, sizeof(w->area), false);
	w->stack =
	    mmap(NULL, STACK + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert(w->stack != MAP_FAILED);
	w->top = w->stack + STACK / 8;
	ck_assert_int_eq(mprotect(w->top, page, PROT_NONE), 0);
}

static void unwound_end(struct unwound *w)
{
	munmap(w->stack, STACK + sysconf(_SC_PAGESIZE));
	free(w->rows.mem);
	free(w->cache.mem);
	fix_end(&w->f);
}

/* The frames, from the last caller, whose base is the top of the stack, down. */
static void make_stack(struct unwound *w, int depth, const int *which)
{
	uint64_t *base = w->top - rnd(&w->f, 2), *sp = base, fp = rnd64(&w->f), bx = rnd64(&w->f);
	uint64_t ret = LOADED + NKINDS * FUNC + 8; /* the caller of all, where the stack ends */
	bool traced = false;

	w->want[depth] = ret;
	w->utask[1] = 0;
	for (int i = depth - 1; i >= 0; i--) {
		const struct kind *k = &kinds[which[i]];
		int words = k->words ? k->words : 4 + (int)rnd(&w->f, rnd(&w->f, 4) ? 10 : 150);

		base = sp, sp = base - words;
		ck_assert(sp > w->stack + 64);
		base[-1] = ret;
		if (!traced && !rnd(&w->f, 20)) { /* a return probe has replaced it */
			traced = true;
			base[-1] = TRAMPOLINE;
			w->utask[1] = (uintptr_t)w->returned;
			w->returned[1] = (uintptr_t)(base - 1), w->returned[2] = ret;
		}
		if (k->saved)
			base[-k->saved] = fp;
		if (!k->words && k->bx != BX_BASE)
			fp = (uintptr_t)(base - 2);
		if (k->bx_saved)
			base[-k->bx_saved] = bx;
		if (k->bx == BX_BASE)
			bx = (uintptr_t)(base - k->bx_saved);
		else if (k->bx != BX_SAME)
			bx = rnd64(&w->f);
		ret = LOADED + which[i] * FUNC + 1 + rnd(&w->f, FUNC - 1);
		w->want[i] = ret;
	}
	w->nwant = depth + 1;
	w->state->pc = ret;
	w->state->sp = (uintptr_t)sp;
	w->state->fp = fp;
	w->state->third = bx;
	w->state->exact = 1;
	w->state->stray = w->state->guessed = 0;
}

static void check_stack(struct unwound *w, int most)
{
	int want = MIN(w->nwant, most), n;
	const uint64_t *to = (const uint64_t *)(w->f.slot + TO);
	/* of both machines the same function has no rule */
	bool guessed = w->state->pc < LOADED + 7 * FUNC && w->state->pc >= LOADED + 6 * FUNC;

	w->f.funcs[0] = rt_build(&w->f.rt, "rt_unwind");
	w->nreads = 0;
	n = bpfvm_run(&w->f.vm, w->f.funcs[0], 4, (uint64_t[]){1, STATE, TO, most});
	ck_assert_msg(!w->f.vm.error, "%s: %s", w->f.vm.error, w->f.vm.message);
	ck_assert_int_eq(n, want);
	for (int i = 0; i < n; i++)
		ck_assert_uint_eq(to[i], w->want[i]);
	ck_assert_int_eq(w->state->guessed, guessed && want > 1);
}

START_TEST(random_stacks)
{
	int which[DEPTH_MAX];
	struct unwound w;

	unwound_start(&w, &machine_x86_64);
	for (int round = 0; round < ROUNDS; round++) {
		int depth = 1 + rnd(&w.f, rnd(&w.f, 4) ? 30 : DEPTH_MAX - 1);
		int only = rnd(&w.f, 2 * NUSUAL);

		for (int i = 0; i < depth; i++)
			which[i] = only < NUSUAL ? only : (int)rnd(&w.f, NUSUAL);
		make_stack(&w, depth, which);
		check_stack(&w, rnd(&w.f, 2) ? UNWIND_FRAMES : 1 + rnd(&w.f, 40));
	}
	unwound_end(&w);
}
END_TEST

/* The dynamic linker finds functions that are called for the first time: its frames have rbx, by
 * which the first of them has its base. After another frame rbx is not known until it is found in
 * memory. */
START_TEST(linker_stacks)
{
	enum { FIRST = NUSUAL };
	int which[DEPTH_MAX];
	struct unwound w;

	unwound_start(&w, &machine_x86_64);
	for (int round = 0; round < ROUNDS; round++) {
		int depth = 6 + rnd(&w.f, 30), linker = rnd(&w.f, 6), lost = -1;

		for (int i = 0; i < depth; i++)
			which[i] = rnd(&w.f, NUSUAL);
		for (int i = 0; i < linker; i++)
			which[i] = FIRST + rnd(&w.f, BY_BX - FIRST);
		which[linker] = BY_BX;
		if (linker && !rnd(&w.f, 4)) {
			lost = rnd(&w.f, linker);
			which[lost] = rnd(&w.f, NUSUAL);
			for (int i = lost + 1; i < linker; i++)
				which[i] = FIRST;
		}
		make_stack(&w, depth, which);
		if (lost >= 0)
			w.nwant = linker + 1;
		check_stack(&w, UNWIND_FRAMES);
	}
	unwound_end(&w);
}
END_TEST

/* Small frames share what is read; each large one is read alone. */
START_TEST(few_reads)
{
	int small[30], large[30];
	struct unwound w;

	unwound_start(&w, &machine_x86_64);
	for (int i = 0; i < 30; i++)
		small[i] = 2, large[i] = 5;
	for (int round = 0; round < 2; round++) { /* the first one fills the cache */
		make_stack(&w, 30, small);
		check_stack(&w, 28);
	}
	ck_assert_int_le(w.nreads, 27 * 9 * 8 / UNWIND_WINDOW + 2);
	for (int round = 0; round < 2; round++) {
		make_stack(&w, 30, large);
		check_stack(&w, 30);
	}
	ck_assert_int_eq(w.nreads, 2 * 29);
	unwound_end(&w);
}
END_TEST

/* A signal interrupts a function at its first instruction: that is no return address, which would
 * belong to the call before it, in another function. */
START_TEST(signal_stacks)
{
	enum { FRAME_WORDS = 32, FP = 120 / 8, BX = 128 / 8, SP = 160 / 8, PC = 168 / 8 };
	int which[DEPTH_MAX];
	struct unwound w;

	unwound_start(&w, &machine_x86_64);
	for (int round = 0; round < ROUNDS; round++) {
		int depth = 1 + rnd(&w.f, 30);
		uint64_t *frame;

		for (int i = 0; i < depth; i++)
			which[i] = rnd(&w.f, 6);
		make_stack(&w, depth, which);
		frame = (uint64_t *)(uintptr_t)w.state->sp - FRAME_WORDS;
		memmove(w.want + 1, w.want, (depth + 1) * sizeof(*w.want));
		w.want[1] = LOADED + which[0] * FUNC;
		w.nwant++;
		frame[FP] = w.state->fp, frame[BX] = w.state->third;
		frame[SP] = w.state->sp, frame[PC] = w.want[1];
		w.want[0] = w.state->pc = LOADED + SIGNAL * FUNC + 1;
		w.state->sp = (uintptr_t)frame;
		check_stack(&w, UNWIND_FRAMES);
	}
	unwound_end(&w);
}
END_TEST

/* Stacks that lead back or nowhere end. */
START_TEST(bad_stacks)
{
	int which[4] = {0, 0, 0, 0};
	struct unwound w;

	unwound_start(&w, &machine_x86_64);
	for (int bad = 0; bad < 4; bad++) {
		make_stack(&w, 4, which);
		if (bad == 0)
			w.state->fp = w.state->sp - 64;
		else if (bad == 1)
			w.state->fp = 8;
		else if (bad == 2)
			w.state->fp = UINT64_MAX - 4;
		else
			w.state->sp = w.state->fp = (uintptr_t)w.top;
		w.nwant = 1;
		check_stack(&w, UNWIND_FRAMES);
	}
	make_stack(&w, 4, which);
	((uint64_t *)(uintptr_t)w.state->fp)[1] = 0; /* no return address */
	w.nwant = 1;
	check_stack(&w, UNWIND_FRAMES);
	unwound_end(&w);
}
END_TEST

static uint64_t sign(struct unwound *w, uint64_t addr)
{
	return rnd(&w->f, 2) ? addr : addr | rnd64(&w->f) << (64 - SIGNATURE);
}

/* As make_stack(). chained: all pairs are in the chain of frame pointers; code without a rule needs
 * that. */
static void make_link_stack(struct unwound *w, int depth, const int *which, bool chained)
{
	uint64_t *base = w->top - 2 * rnd(&w->f, 2), *sp = base, fp = chained ? 0 : rnd64(&w->f);
	uint64_t ret = LOADED + NKINDS * FUNC + 8, lr = 0;
	bool traced = false;

	w->want[depth] = ret;
	w->utask[1] = 0;
	for (int i = depth - 1; i >= 0; i--) {
		const struct link_kind *k = &link_kinds[which[i]];
		uint64_t saved = ret;

		base = sp, sp = base - k->words;
		ck_assert(sp > w->stack + 64);
		if (!traced && !rnd(&w->f, 20)) {
			traced = true;
			saved = TRAMPOLINE;
			w->utask[1] = (uintptr_t)w->returned;
			w->returned[1] = (uintptr_t)base, w->returned[2] = ret;
		}
		if (k->what == PAIR || k->what == POINTER)
			base[-k->saved] = fp;
		if (k->what == PAIR)
			base[-k->saved + 1] = sign(w, saved);
		else if (k->what == RETURN)
			base[-k->saved] = sign(w, saved);
		else
			lr = sign(w, saved);
		if (k->record)
			fp = (uintptr_t)(base - k->record);
		else if (k->what == PAIR && chained)
			fp = (uintptr_t)(base - k->saved);
		else if (k->what == PAIR || k->what == POINTER)
			fp = rnd64(&w->f);
		ret = LOADED + which[i] * FUNC + 4 + 4 * rnd(&w->f, FUNC / 4 - 1);
		w->want[i] = ret;
	}
	w->nwant = depth + 1;
	w->state->pc = ret;
	w->state->sp = (uintptr_t)sp;
	w->state->fp = fp;
	w->state->third = lr ? lr : ret; /* after a call it is an address of the function's own */
	w->state->exact = 1;
	w->state->stray = w->state->guessed = 0;
}

START_TEST(link_stacks)
{
	int which[DEPTH_MAX];
	struct unwound w;

	unwound_start(&w, &machine_aarch64);
	for (int round = 0; round < ROUNDS; round++) {
		int depth = 1 + rnd(&w.f, rnd(&w.f, 4) ? 30 : DEPTH_MAX - 1);
		int only = rnd(&w.f, 2 * LINK_FIRST);

		for (int i = 0; i < depth; i++) {
			which[i] = only < LINK_FIRST ? only : (int)rnd(&w.f, LINK_FIRST);
			if (which[i] == LINK_UNKNOWN)
				which[i] = 0;
		}
		if (rnd(&w.f, 2))
			which[0] = LINK_FIRST + rnd(&w.f, NKINDS - LINK_FIRST);
		make_link_stack(&w, depth, which, false);
		check_stack(&w, rnd(&w.f, 2) ? UNWIND_FRAMES : 1 + rnd(&w.f, 40));
	}
	unwound_end(&w);
}
END_TEST

/* Code without rules, and pairs: after it the stack pointer is found again by the caller's pair.
 * Callers without one up to the next pair are left out. */
START_TEST(link_pairs)
{
	enum { CHAINED = 5 };
	int which[DEPTH_MAX], left_out = 0;
	struct unwound w;

	unwound_start(&w, &machine_aarch64);
	for (int round = 0; round < ROUNDS; round++) {
		int depth = 1 + rnd(&w.f, 30), n = 0;

		for (int i = 0; i < depth; i++) {
			static const int some[] = {0, 1, 2, 3, 4, LINK_UNKNOWN, LINK_UNKNOWN, 7, 8};

			which[i] = some[rnd(&w.f, ARRAY_SIZE(some))];
		}
		make_link_stack(&w, depth, which, true);
		for (int i = 0; i <= depth; i++) {
			bool lost = i && i < depth && which[i - 1] == LINK_UNKNOWN;

			w.want[n++] = w.want[i];
			while (lost && i < depth && link_kinds[which[i]].what == RETURN) {
				while (i < depth && link_kinds[which[i]].what == RETURN)
					i++;
				if (i == depth) /* no pair is there */
					goto ended;
				left_out++;
				i++;
				w.want[n++] = w.want[i];
			}
		}
	ended:
		w.nwant = n;
		check_stack(&w, UNWIND_FRAMES);
	}
	ck_assert_int_gt(left_out, ROUNDS / 10);
	unwound_end(&w);
}
END_TEST

START_TEST(link_few_reads)
{
	int small[40], large[40];
	struct unwound w;

	unwound_start(&w, &machine_aarch64);
	for (int i = 0; i < 40; i++)
		small[i] = 1, large[i] = 3;
	for (int round = 0; round < 2; round++) {
		make_link_stack(&w, 40, small, true);
		check_stack(&w, 28);
	}
	ck_assert_int_le(w.nreads, 27 * 6 * 8 / UNWIND_WINDOW + 2);
	for (int round = 0; round < 2; round++) {
		make_link_stack(&w, 31, large, true);
		check_stack(&w, 30);
	}
	ck_assert_int_eq(w.nreads, 29);
	unwound_end(&w);
}
END_TEST

/* Code without rules that calls and saves nothing. */
START_TEST(link_leaf)
{
	struct unwound w;

	unwound_start(&w, &machine_aarch64);
	for (int round = 0; round < ROUNDS; round++) {
		bool chained = round % 2;
		int depth = 2 + rnd(&w.f, 20), which[22], same = 0;

		for (int i = 0; i < depth; i++) {
			which[i] = rnd(&w.f, LINK_FIRST);
			if (which[i] == LINK_UNKNOWN || which[i] == 5) /* leads to no pair */
				which[i] = 0;
		}
		which[0] = LINK_FIRST;
		make_link_stack(&w, depth, which, chained);
		/* saved by a caller that is in no chain: not the pointer to a pair */
		if (!chained && link_kinds[which[1]].what == PAIR && which[1] != 4)
			continue;
		for (int i = 2; i < depth; i++) /* as if the first pair was this function's */
			same += w.want[i] == w.want[1];
		if (same)
			continue;
		w.want[0] = w.state->pc = LOADED + LINK_UNKNOWN * FUNC + 12;
		check_stack(&w, UNWIND_FRAMES);
	}
	unwound_end(&w);
}
END_TEST

/* A handler returns to code that has no rule, and is known by its instructions. */
START_TEST(link_signal)
{
	static const uint32_t sigreturn[] = {0xd2801168, 0xd4000001};
	enum { HANDLER = 0, FRAME = 128 };
	int leaf = LINK_FIRST + 1;
	uint64_t *frame, *regs, want[4];
	struct unwound w;

	unwound_start(&w, &machine_aarch64);
	for (int round = 0; round < 40; round++) {
		make_link_stack(&w, 1, &leaf, true);
		want[2] = w.want[0], want[3] = w.want[1];
		frame = w.top - 300;
		regs = frame + 312 / 8;
		regs[29] = w.state->fp, regs[30] = w.state->third;
		regs[31] = w.state->sp, regs[32] = w.state->pc;
		frame[-2] = (uintptr_t)&regs[29]; /* of the kernel's own pair */
		frame[-1] = want[1] = (uintptr_t)sigreturn;
		want[0] = w.state->pc = LOADED + HANDLER * FUNC + 8;
		w.state->sp = (uintptr_t)(frame - 2);
		w.state->fp = round % 2 ? (uintptr_t)(frame - 2) : 0;
		memcpy(w.want, want, sizeof(want));
		w.nwant = 4;
		check_stack(&w, UNWIND_FRAMES);
	}
	unwound_end(&w);
}
END_TEST

START_TEST(link_bad_stacks)
{
	/* by the frame pointer; its register again where something was called */
	static const int which[][3] = {
	    {4, 4, 4}, {0, 0, 0}, {0, LINK_FIRST, 0}, {0, LINK_FIRST + 1, 0}};
	struct unwound w;

	unwound_start(&w, &machine_aarch64);
	for (int bad = 0; bad < 4; bad++) {
		make_link_stack(&w, 3, which[bad], true);
		if (bad == 0)
			w.state->fp = w.state->sp - 64;
		else if (bad == 1)
			w.state->sp = (uintptr_t)w.top;
		w.nwant = bad < 2 ? 1 : 2;
		check_stack(&w, UNWIND_FRAMES);
	}
	make_link_stack(&w, 1, &(int){LINK_FIRST}, true);
	w.state->third = 0;
	w.nwant = 1;
	check_stack(&w, UNWIND_FRAMES);
	unwound_end(&w);
}
END_TEST

Suite *rtunwind_suite(void);
Suite *rtunwind_suite(void)
{
	Suite *s = suite_create("rtunwind");
	TCase *tc = tcase_create("user stacks");

	tcase_add_test(tc, random_stacks);
	tcase_add_test(tc, linker_stacks);
	tcase_add_test(tc, signal_stacks);
	tcase_add_test(tc, few_reads);
	tcase_add_test(tc, bad_stacks);
	tcase_add_test(tc, link_stacks);
	tcase_add_test(tc, link_pairs);
	tcase_add_test(tc, link_few_reads);
	tcase_add_test(tc, link_leaf);
	tcase_add_test(tc, link_signal);
	tcase_add_test(tc, link_bad_stacks);
	suite_add_tcase(s, tc);
	return s;
}
