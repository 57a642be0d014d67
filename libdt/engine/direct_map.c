/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The address of the kernel's direct map of memory is random at each boot. The two variables that
 * hold it need not be among the symbols, nor need /proc/kcore exist. So we search for a page of
 * known content: we write a word into a pipe, whose page the kernel's structures name, and a
 * program tries all addresses where that page can be mapped. These are whole gigabytes apart; those
 * nearest to the pipe's own structure, which lies in the direct map too, come first. The same is
 * done with a page of ours whose physical address /proc shows.
 */
#include "libdt/engine/direct_map.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "bpf/map.h"
#include "bpf/prog.h"
#include "libdt/base/machine/machine.h"
#include "libdt/base/mem.h"

enum { GIGABYTE = 1 << 30, PLACES = 32, RUNS = 256 };

struct layout {
	uint64_t files, fdt, fd, private_data, bufs, page;
	uint32_t scale;
};

/* What the program is given. */
enum { ARG_FD, ARG_WORD, ARG_FIRST, ARG_PHYSICAL };

static bool find_layout(const struct kernel_layout *kernel, struct layout *l)
{
	const struct kernel_member members[] = {
	    {"struct task_struct", "files", &l->files},
	    {"struct files_struct", "fdt", &l->fdt},
	    {"struct fdtable", "fd", &l->fd},
	    {"struct file", "private_data", &l->private_data},
	    {"struct pipe_inode_info", "bufs", &l->bufs},
	    {"struct pipe_buffer", "page", &l->page},
	};

	if (!kernel_layout_find(kernel, members, ARRAY_SIZE(members)))
		return false;
	l->scale = kernel->page_scale(kernel->arg);
	return l->scale;
}

/* The word at an address; bad is gone to where there is none. */
static int word_at(struct ir *ir, int addr, uint64_t off, int bad)
{
	int frame = ir_frame(ir, 8), to = ir_reg(ir), size = ir_reg(ir), at = ir_reg(ir),
	    r = ir_reg(ir);

	ir_mov(ir, at, addr);
	ir_alui(ir, BPF_ADD, at, off);
	ir_frame_addr(ir, to, frame, 0);
	ir_movi(ir, size, 8);
	ir_jcci(ir, BPF_JNE, ir_callv(ir, BPF_FUNC_probe_read_kernel, to, size, at), 0, bad);
	ir_frame_ld(ir, 8, r, frame, 0);
	ir_frame_free(ir, frame);
	return r;
}

/* What is in an open file of this process. */
static int private_data(struct ir *ir, const struct layout *l, int out)
{
	int task = ir_call(ir, BPF_FUNC_get_current_task, 0, NULL), at = ir_ctx_word(ir, ARG_FD),
	    fds;

	fds = word_at(ir, word_at(ir, word_at(ir, task, l->files, out), l->fdt, out), l->fd, out);
	ir_alui(ir, BPF_MUL, at, 8);
	ir_alu(ir, BPF_ADD, at, fds);
	return word_at(ir, word_at(ir, at, 0, out), l->private_data, out);
}

/* Tries PLACES of them; the one that it is goes into the map. */
static struct code *build(struct arena *a, const struct layout *l, struct map *found)
{
	struct ir *ir = ir_new(a, "dt_pages", 1);
	int out = ir_label(ir), given = ir_label(ir), pipe, at = ir_reg(ir), page = ir_reg(ir),
	    word, p = ir_reg(ir);

	ir_arg(ir, 0);
	pipe = private_data(ir, l, out);
	ir_mov(ir, page, ir_ctx_word(ir, ARG_PHYSICAL));
	ir_jcci(ir, BPF_JNE, page, 0, given);
	ir_mov(ir, page, word_at(ir, word_at(ir, pipe, l->bufs, out), l->page, out));
	ir_alui(ir, BPF_MUL, page, l->scale);
	ir_place(ir, given);
	ir_mov(ir, at, pipe);
	ir_alu(ir, BPF_XOR, at, page);
	ir_alui(ir, BPF_AND, at, -GIGABYTE);
	ir_alu(ir, BPF_XOR, at, page); /* its gigabyte, and the page's place in one */
	ir_alu(ir, BPF_ADD, at, ir_ctx_word(ir, ARG_FIRST));
	word = ir_ctx_word(ir, ARG_WORD);
	for (int i = 0; i < PLACES; i++) {
		int next = ir_label(ir);

		ir_jcc(ir, BPF_JNE, word_at(ir, at, 0, next), word, next);
		ir_alu(ir, BPF_SUB, at, page);
		ir_map_mem(ir, p, found, 0);
		ir_st(ir, 8, p, 0, at);
		ir_jmp(ir, out);
		ir_place(ir, next);
		ir_alui(ir, BPF_ADD, at, GIGABYTE);
	}
	ir_place(ir, out);
	ir_reti(ir, 0);
	return ir_finish(ir, NULL, 0);
}

/* 0, 1, -1, 2, -2, ... */
static int64_t nth(int i)
{
	return i % 2 ? i / 2 + 1 : -(i / 2);
}

static uint64_t look(struct prog *p, const struct map *found, int fd, uint64_t word,
		     uint64_t physical)
{
	const uint64_t *base = found->mem;

	for (int i = 0; i < RUNS && !*base; i++) {
		uint64_t args[] = {[ARG_FD] = fd,
				   [ARG_WORD] = word,
				   [ARG_FIRST] = nth(i) * PLACES * GIGABYTE,
				   [ARG_PHYSICAL] = physical};

		if (prog_run(p, args, ARRAY_SIZE(args), NULL))
			break;
	}
	return *base;
}

static uint64_t load_and_look(struct feats *feats, const struct layout *l, int fd, uint64_t word,
			      uint64_t physical)
{
	struct arena *a = arena_new();
	uint64_t base = 0;
	struct map found;
	struct prog p;

	map_init_memory(&found, "dt_pages", 8);
	prog_init(&p, "dt_pages", BPF_PROG_TYPE_RAW_TRACEPOINT);
	p.main = build(a, l, &found);
	if (!prog_load(&p, feats, NULL, false))
		base = look(&p, &found, fd, word, physical);
	prog_close(&p);
	map_close(&found);
	arena_free(a);
	return base;
}

uint64_t direct_map_base(struct feats *feats, const struct kernel_layout *kernel)
{
	struct layout l;
	uint64_t word, base = 0;
	int ends[2];

	if (!find_layout(kernel, &l) || getrandom(&word, sizeof(word), 0) != sizeof(word) ||
	    pipe2(ends, O_CLOEXEC))
		return 0;
	if (write(ends[1], &word, sizeof(word)) == sizeof(word))
		base = load_and_look(feats, &l, ends[0], word, 0);
	close(ends[0]);
	close(ends[1]);
	return base;
}

/* The physical address of a page of ours; 0 when unknown. */
static uint64_t physical_of(const void *at)
{
	uint64_t row = 0, bytes = sysconf(_SC_PAGESIZE);
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	if (fd >= 0 &&
	    pread(fd, &row, sizeof(row), (uintptr_t)at / bytes * sizeof(row)) != sizeof(row))
		row = 0;
	if (fd >= 0)
		close(fd);
	return row >> 63 ? (row & ((1ULL << 55) - 1)) * bytes : 0;
}

static bool has_word(const char *line, const char *word)
{
	const char *at = strstr(line, word);

	return at && at > line && at[-1] == ' ' && strchr(" \n", at[strlen(word)]);
}

/* Processes of a machine with five tables have addresses of 57 bits; with four, of 48; with three,
 * of 39. */
static uint32_t table_bits(void)
{
	char line[8192];
	bool five = false;
	FILE *f;

	if ((uintptr_t)line < 1ULL << 39)
		return 30;
	f = machine_here->pages.five_levels ? fopen("/proc/cpuinfo", "re") : NULL;
	while (f && !five && fgets(line, sizeof(line), f) && *line != '\n')
		five = has_word(line, machine_here->pages.five_levels);
	if (f)
		fclose(f);
	return five ? 48 : 39;
}

uint64_t direct_map_direct(struct feats *feats, const struct kernel_layout *kernel, uint32_t *bits)
{
	uint64_t word, physical, base = 0, *page;
	struct layout l;
	int ends[2];

	if (sysconf(_SC_PAGESIZE) != 4096 || !find_layout(kernel, &l) ||
	    getrandom(&word, sizeof(word), 0) != sizeof(word))
		return 0;
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return 0;
	*page = word;
	if (!mlock(page, 4096) && (physical = physical_of(page)) && !pipe2(ends, O_CLOEXEC)) {
		base = load_and_look(feats, &l, ends[0], word, physical);
		close(ends[0]);
		close(ends[1]);
	}
	munmap(page, 4096);
	*bits = table_bits();
	return base;
}
