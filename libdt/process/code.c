/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/process/code.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "libdt/process/x86len.h"

enum { FUNCTION_MAX = 1 << 20 };

static int insn_length(struct object *o, const uint8_t *code, size_t n)
{
	if (object_machine(o) == EM_X86_64)
		return x86_length(code, n);
	return object_machine(o) == EM_AARCH64 && n >= 4 ? 4 : 0;
}

struct insns insns_of(struct object *o, const struct object_sym *sym, uint64_t upto)
{
	size_t size = MIN(MIN(sym->size ? sym->size : upto, upto), FUNCTION_MAX);
	struct insns in = {.object = o, .code = xmalloc(size + 1)};

	in.size = object_read(o, sym->addr, in.code, size);
	return in;
}

bool insns_next(struct insns *in)
{
	in->at += in->len;
	in->len =
	    in->at < in->size ? insn_length(in->object, in->code + in->at, in->size - in->at) : 0;
	if (!in->len)
		free(in->code);
	return in->len;
}

/* What an instruction does with the control flow. */
enum way {
	GOES_ON,
	RETURNS,
	JUMPS,	  /* to a fixed address */
	BRANCHES, /* to a fixed address or to the next instruction */
	CALLS,	  /* jumps to another function */
	UNKNOWN,  /* a jump that may be a switch's or a call */
};

/* A jump to a register that the instruction in front of it added to is by a table of offsets. */
static enum way way_x86(const struct insns *in, size_t before, int64_t *distance)
{
	const uint8_t *code = in->code + in->at;
	int reg;

	switch (x86_way(code, in->len, distance)) {
	case X86_RETURN:
		return RETURNS;
	case X86_MEMORY:
		return CALLS;
	case X86_JUMP:
		return JUMPS;
	case X86_BRANCH:
		return BRANCHES;
	case X86_REGISTER:
		reg = x86_jumps_to(code, in->len);
		return reg < 0 || x86_adds_to(in->code + before, in->at - before) == reg ? GOES_ON
											 : UNKNOWN;
	default:
		return GOES_ON;
	}
}

static uint32_t word_at(const uint8_t *code)
{
	return code[0] | code[1] << 8 | code[2] << 16 | (uint32_t)code[3] << 24;
}

/* A field of an instruction that counts words: bits of it, from bit low on, signed. */
static int64_t words_of(uint32_t insn, int low, int bits)
{
	return ((int64_t)((uint64_t)insn << (64 - low - bits)) >> (64 - bits)) * 4;
}

/* Is it an addition (register, shifted or extended) of 64 bits to this register? */
static bool adds_to_arm(uint32_t insn, uint32_t reg)
{
	return (insn & 0xff000000) == 0x8b000000 && (insn & 31) == reg;
}

static enum way way_arm(const struct insns *in, size_t before, int64_t *distance)
{
	uint32_t insn = word_at(in->code + in->at);

	if ((insn & 0xfffffc1f) == 0xd65f0000) /* ret */
		return RETURNS;
	if ((insn & 0xfc000000) == 0x14000000) { /* b */
		*distance = words_of(insn, 0, 26);
		return JUMPS;
	}
	if ((insn & 0xff000000) == 0x54000000 || (insn & 0x7e000000) == 0x34000000) {
		*distance = words_of(insn, 5, 19); /* b.cond; cbz, cbnz */
		return BRANCHES;
	}
	if ((insn & 0x7e000000) == 0x36000000) { /* tbz, tbnz */
		*distance = words_of(insn, 5, 14);
		return BRANCHES;
	}
	if ((insn & 0xfffffc1f) == 0xd61f0000) /* br */
		return in->at && adds_to_arm(word_at(in->code + before), insn >> 5 & 31) ? GOES_ON
											 : UNKNOWN;
	/* retaa, retab; braa and so on */
	return (insn & 0xfe000000) == 0xd6000000 && (insn & 0x00200000) == 0 ? UNKNOWN : GOES_ON;
}

static enum way way_of(const struct insns *in, size_t before, int64_t *distance)
{
	return object_machine(in->object) == EM_AARCH64 ? way_arm(in, before, distance)
							: way_x86(in, before, distance);
}

/* The length of NAME in NAME.cold or NAME.cold.5; 0 when the name is no such one. */
static size_t cold_of(const char *name)
{
	const char *end = strstr(name, ".cold");

	return end && (!end[5] || end[5] == '.') ? (size_t)(end - name) : 0;
}

void code_cold_parts(struct object *o, struct hash *parts)
{
	static const struct object_sym several;
	const struct object_sym *syms;
	int n;

	syms = object_syms(o, &n);
	for (int i = 0; i < n; i++) {
		size_t len = cold_of(syms[i].name);
		void **at = len ? hash_ref(parts, syms[i].name, len) : NULL;

		if (at)
			*at = (void *)(*at ? &several : &syms[i]);
	}
}

static bool is_cold_part(const struct object_sym *part, const struct object_sym *sym)
{
	size_t len = cold_of(part->name);

	return len && strlen(sym->name) == len && !strncmp(part->name, sym->name, len);
}

static bool is_in_stubs(struct object *o, uint64_t addr)
{
	static const char *const stubs[] = {".plt", ".plt.sec", ".plt.got"};
	uint64_t begin, size;

	for (size_t i = 0; i < ARRAY_SIZE(stubs); i++)
		if (object_has_section(o, stubs[i], &begin, &size) && addr - begin < size)
			return true;
	return false;
}

/* A function and its cold parts, of which the instructions are looked at in turn. */
struct walk {
	struct object *object;
	const struct object_sym *sym;
	VEC(const struct object_sym *) parts;
	struct code_returns *r;
};

static void add_part(struct walk *w, const struct object_sym *part)
{
	for (int i = 0; i < w->parts.n; i++)
		if (w->parts.v[i] == part)
			return;
	vec_push(&w->parts, part);
}

static void add_return(struct walk *w, uint64_t addr, bool is_jump)
{
	vec_push(&w->r->v, ((struct code_return){addr, is_jump}));
	w->r->jumps |= is_jump;
}

/* A jump at addr: in the function, to a cold part, to another function, or to what is not known. */
static void follow(struct walk *w, uint64_t addr, uint64_t to, bool always)
{
	const struct object_sym *there;
	bool called;

	for (int i = 0; i < w->parts.n; i++)
		if (to - w->parts.v[i]->addr < w->parts.v[i]->size)
			return;
	there = object_sym_at(w->object, to);
	if (there && is_cold_part(there, w->sym)) {
		add_part(w, there);
		return;
	}
	called = is_in_stubs(w->object, to) || (there && there->addr == to);
	if (called && always)
		add_return(w, addr, true);
	else
		w->r->complete = false;
}

static void walk_part(struct walk *w, const struct object_sym *part)
{
	struct insns in = insns_of(w->object, part, part->size);
	size_t before = 0, end = 0;
	int64_t distance = 0;

	w->r->complete &= part->size && in.size == part->size;
	while (insns_next(&in)) {
		enum way way = way_of(&in, before, &distance);
		uint64_t addr = part->addr + in.at;

		if (way == RETURNS || way == CALLS)
			add_return(w, addr, way == CALLS);
		else if (way == JUMPS || way == BRANCHES)
			follow(w, addr, addr + distance, way == JUMPS);
		else if (way == UNKNOWN)
			w->r->complete = false;
		before = in.at;
		end = in.at + in.len;
	}
	w->r->complete &= end == part->size;
}

void code_returns(struct object *o, const struct object_sym *sym, const struct hash *parts,
		  struct code_returns *r)
{
	const struct object_sym *cold = hash_get(parts, sym->name, strlen(sym->name));
	struct walk w = {.object = o, .sym = sym, .r = r};

	*r = (struct code_returns){.complete = object_machine(o) == EM_X86_64 ||
					       object_machine(o) == EM_AARCH64};
	add_part(&w, sym);
	if (cold && cold->name)
		add_part(&w, cold);
	for (int i = 0; i < w.parts.n; i++)
		walk_part(&w, w.parts.v[i]);
	vec_free(&w.parts);
}
