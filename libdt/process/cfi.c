/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads .eh_frame: entries of common information (CIE) and of functions (FDE), each with a little
 * program that moves through the function's addresses and changes rules. The file is untrusted:
 * malformed entries are skipped.
 */
#include "libdt/process/cfi.h"

#include <stdlib.h>
#include <string.h>

#include "libdt/base/machine/machine.h"
#include "libdt/base/radix.h"

/* STEPS_MAX: of all programs of a file together; a CIE's is run for each of its functions. */
enum { ROWS_MAX = UNWIND_ROWS_MAX, STEPS_MAX = 1 << 26, DEPTH = 16 };

enum {
	PE_ABSPTR = 0,
	PE_UDATA2 = 2,
	PE_UDATA4 = 3,
	PE_UDATA8 = 4,
	PE_SDATA2 = 0xa,
	PE_SDATA4 = 0xb,
	PE_SDATA8 = 0xc,
	PE_FORMAT = 0xf,
	PE_PCREL = 0x10,
	PE_APPLIED = 0x70,
	PE_INDIRECT = 0x80,
	PE_OMIT = 0xff,
};

enum {
	CFA_ADVANCE = 1,
	CFA_OFFSET = 2,
	CFA_RESTORE = 3, /* the two highest bits */
	CFA_NOP = 0,
	CFA_SET_LOC = 1,
	CFA_ADVANCE1 = 2,
	CFA_ADVANCE2 = 3,
	CFA_ADVANCE4 = 4,
	CFA_OFFSET_EXT = 5,
	CFA_RESTORE_EXT = 6,
	CFA_UNDEFINED = 7,
	CFA_SAME = 8,
	CFA_REGISTER = 9,
	CFA_REMEMBER = 0xa,
	CFA_RESTORE_STATE = 0xb,
	CFA_DEF = 0xc,
	CFA_DEF_REG = 0xd,
	CFA_DEF_OFF = 0xe,
	CFA_DEF_EXPR = 0xf,
	CFA_EXPR = 0x10,
	CFA_OFFSET_SF = 0x11,
	CFA_DEF_SF = 0x12,
	CFA_DEF_OFF_SF = 0x13,
	CFA_VAL_OFFSET = 0x14,
	CFA_VAL_OFFSET_SF = 0x15,
	CFA_VAL_EXPR = 0x16,
	/* aarch64: from here on the return address is signed, or no longer is; the same, and the
	 * program counter is part of the signature */
	CFA_NEGATE_RA_STATE_WITH_PC = 0x2c,
	CFA_NEGATE_RA_STATE = 0x2d,
	CFA_ARGS_SIZE = 0x2e,
	CFA_NEG_OFFSET = 0x2f,
};

/* Bytes that are read one after the other; beyond the end everything is 0, and bad says so. */
struct cursor {
	const uint8_t *p, *end;
	bool bad;
};

static uint64_t number(struct cursor *c, int size)
{
	uint64_t v = 0;

	if (c->end - c->p < size) {
		c->bad = true;
		c->p = c->end;
		return 0;
	}
	memcpy(&v, c->p, size);
	c->p += size;
	return v;
}

static uint8_t byte(struct cursor *c)
{
	if (c->p == c->end) {
		c->bad = true;
		return 0;
	}
	return *c->p++;
}

/* LEB128: seven bits a byte, the lowest first. */
static uint64_t leb(struct cursor *c, bool is_signed)
{
	uint64_t v = 0, b;
	int shift = 0;

	do {
		b = byte(c);
		if (shift < 64)
			v |= (b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	if (is_signed && b & 0x40 && shift < 64)
		v |= ~0ull << shift;
	return v;
}

static uint64_t uleb(struct cursor *c)
{
	return leb(c, false);
}

static int64_t sleb(struct cursor *c)
{
	return leb(c, true);
}

static void skip(struct cursor *c, uint64_t n)
{
	c->bad |= n > (uint64_t)(c->end - c->p);
	c->p = c->bad ? c->end : c->p + n;
}

/* A section, where it is in the object, and the object's machine. */
struct section {
	const uint8_t *data;
	size_t len;
	uint64_t addr;
	const struct machine *machine;
};

static int64_t value_as(struct cursor *c, int format)
{
	switch (format) {
	case PE_UDATA2:
		return number(c, 2);
	case PE_SDATA2:
		return (int16_t)number(c, 2);
	case PE_UDATA4:
		return number(c, 4);
	case PE_SDATA4:
		return (int32_t)number(c, 4);
	case PE_ABSPTR:
	case PE_UDATA8:
	case PE_SDATA8:
		return number(c, 8);
	default:
		c->bad = true;
		return 0;
	}
}

/* An address as its encoding says. */
static uint64_t pointer(struct cursor *c, const struct section *s, int encoding)
{
	uint64_t here = s->addr + (c->p - s->data);
	int64_t v;

	if (encoding & PE_INDIRECT ||
	    ((encoding & PE_APPLIED) && (encoding & PE_APPLIED) != PE_PCREL)) {
		c->bad = true;
		return 0;
	}
	v = value_as(c, encoding & PE_FORMAT);
	return encoding & PE_PCREL ? here + v : (uint64_t)v;
}

struct cie {
	uint64_t code_align;
	int64_t data_align;
	int encoding;
	bool is_signal, has_length; /* of the augmentation's data, in each FDE */
	struct cursor program;
};

/* "zR", "zPLR", "zRS": the letters' data follows, after its length. */
static void augmentation(struct cie *cie, struct cursor *c, const struct section *s,
			 const char *letters)
{
	struct cursor data = *c;
	uint64_t len;
	int encoding;

	if (*letters != 'z') {
		c->bad |= *letters != '\0';
		return;
	}
	cie->has_length = true;
	len = uleb(c);
	data.p = c->p;
	skip(c, len);
	data.end = c->p;
	for (const char *l = letters + 1; *l && !c->bad; l++) {
		if (*l == 'R') {
			cie->encoding = byte(&data);
		} else if (*l == 'P') {
			encoding = byte(&data);
			value_as(&data, encoding & PE_FORMAT);
		} else if (*l == 'L') {
			byte(&data);
		} else if (*l == 'S') {
			cie->is_signal = true;
		}
		c->bad |= data.bad;
	}
	(void)s;
}

/* Entry at an offset: its body, after the length. */
static bool entry_at(const struct section *s, size_t at, struct cursor *body, size_t *next)
{
	struct cursor c = {s->data + at, s->data + s->len, false};
	uint64_t len = number(&c, 4);

	/* so large ones are in no .eh_frame */
	if (c.bad || !len || len == UINT32_MAX || len > (uint64_t)(c.end - c.p))
		return false;
	*body = (struct cursor){c.p, c.p + len, false};
	*next = c.p + len - s->data;
	return true;
}

static bool read_cie(struct cie *cie, const struct section *s, size_t at)
{
	const char *letters;
	struct cursor c;
	uint64_t version;
	size_t next;

	memset(cie, 0, sizeof(*cie));
	if (at >= s->len || !entry_at(s, at, &c, &next) || number(&c, 4))
		return false;
	version = byte(&c);
	letters = (const char *)c.p;
	skip(&c, strnlen(letters, c.end - c.p) + 1);
	if (c.bad || (version != 1 && version != 3))
		return false;
	cie->code_align = uleb(&c);
	cie->data_align = sleb(&c);
	c.bad |= (version == 1 ? byte(&c) : uleb(&c)) != s->machine->unwind.ra;
	augmentation(cie, &c, s, letters);
	cie->program = c;
	return !c.bad;
}

/* The rules at a place. */
struct state {
	uint64_t reg; /* of the base; or an expression: */
	bool is_expr;
	uint32_t special; /* and which, as bpf/rt_unwind.h has it; 0: another */
	int64_t off;
	/* from the base, in bytes; 0: as it was, or lost. bx: the machine's unwind.base. */
	int64_t fp, bx, ra;
	bool lost;	/* frame pointer or return address are where no rule of ours says */
	bool lost_bx;	/* and so is rbx */
	bool outermost; /* there is no return address */
};

/* Of a section. */
struct reading {
	uint32_t steps;
	bool wants_bx; /* rules shall say where rbx is */
	bool by_bx;    /* the base of some frame is by rbx */
};

struct interpreter {
	const struct machine *machine;
	struct cfi *cfi;
	const struct cie *cie;
	struct state now, first, saved[DEPTH];
	int depth;
	struct reading *reading;
	uint64_t loc;
	bool bad;
};

/* Adds the words of rbx to a rule that has bits left for them. */
static uint32_t with_bx(const struct state *s, uint32_t rule, int64_t off)
{
	if (s->lost_bx || s->bx > 0 || s->bx % 8 || -s->bx / 8 > CFI_BX_MASK ||
	    off >= 1 << CFI_BX_OFF_BITS)
		return rule;
	return rule | CFI_BX_KNOWN | (uint32_t)(-s->bx / 8) << CFI_BX_SHIFT;
}

/* The kind and offset by which the base is found; false: no rule of ours says it. */
static bool base_rule(struct interpreter *m, enum cfi_kind *kind, int64_t *off)
{
	const struct machine_unwind *regs = &m->machine->unwind;
	const struct state *s = &m->now;
	bool bx = !s->is_expr && s->reg == regs->base;

	m->reading->by_bx |= bx;
	*kind = s->is_expr || bx ? CFI_SPECIAL : s->reg == regs->sp ? CFI_SP : CFI_FP;
	*off = s->is_expr ? s->special : s->off / 8 + (bx ? CFI_BX : 0);
	if (s->is_expr)
		return s->special && s->special < CFI_BX;
	return (bx || s->reg == regs->sp || s->reg == regs->fp) && s->off % 8 == 0 && s->off > 0 &&
	       *off < 1 << CFI_OFF_BITS;
}

/* Where the return address is in the word below the base. */
static uint32_t pushed_rule(struct interpreter *m)
{
	const struct state *s = &m->now;
	enum cfi_kind kind;
	uint32_t rule;
	int64_t off;

	if (!base_rule(m, &kind, &off) || s->lost || s->ra != -8 || s->fp > 0 || s->fp % 8 ||
	    -s->fp / 8 > CFI_FP_MASK)
		return CFI_UNKNOWN;
	rule = kind | (uint32_t)(-s->fp / 8) << CFI_FP_SHIFT | (uint32_t)off << CFI_OFF_SHIFT;
	return m->reading->wants_bx && kind != CFI_SPECIAL ? with_bx(s, rule, off) : rule;
}

/* Where the first of the words that a function saves is, as a rule has it; CFI_UNKNOWN: none has
 * bits for that. */
static uint32_t saved_words(int64_t off, int64_t saved)
{
	if (saved < 0 && -saved / 8 <= CFI_FP_MASK)
		return (uint32_t)(-saved / 8) << CFI_FP_SHIFT;
	if (off + saved >= 0 && (off + saved) / 8 <= CFI_FP_MASK)
		return CFI_FROM_REG | (uint32_t)((off + saved) / 8) << CFI_FP_SHIFT;
	return CFI_UNKNOWN;
}

/* A multiple of words which is no large number: a sum of such has a rule or none, but no wrap. */
static bool is_offset(int64_t off)
{
	return off % 8 == 0 && off > -(1 << 30) && off < 1 << 30;
}

/*
 * Where it is in a register when a function begins, and the function saves it anywhere. Above the
 * base it is what the code before has saved there with another word: of a PLT, for the dynamic
 * linker's code that finds functions.
 */
static uint32_t link_rule(const struct interpreter *m)
{
	const struct machine_unwind *regs = &m->machine->unwind;
	const struct state *s = &m->now;
	uint32_t rule = s->reg == regs->sp ? CFI_SP : CFI_FP, saved = 0;
	int64_t above, off;

	if (s->is_expr || s->lost || (s->reg != regs->sp && s->reg != regs->fp) ||
	    !is_offset(s->off) || !is_offset(s->ra) || !is_offset(s->fp) ||
	    (s->fp && s->ra && s->fp != s->ra - 8))
		return CFI_UNKNOWN;
	above = s->ra > 0 ? s->ra + 8 : 0;
	off = s->off + above;
	if (off < 0 || off / 8 >= 1 << CFI_LINK_OFF_BITS)
		return CFI_UNKNOWN;
	if (s->fp || s->ra)
		saved = saved_words(off, (s->fp ? s->fp : s->ra) - above);
	if (saved == CFI_UNKNOWN)
		return CFI_UNKNOWN;
	rule |= (uint32_t)off / 8 << CFI_OFF_SHIFT | saved;
	if (!s->ra != !s->fp)
		rule |= CFI_ONE;
	return s->ra ? rule : rule | CFI_LINK;
}

static uint32_t rule(struct interpreter *m)
{
	if (m->cie->is_signal)
		return CFI_SPECIAL;
	if (m->now.outermost)
		return CFI_END;
	return m->machine->regs.link < 0 ? pushed_rule(m) : link_rule(m);
}

static void put(struct cfi *cfi, uint64_t addr, uint32_t rule)
{
	struct cfi_row row = {addr, rule};

	if (addr <= UINT32_MAX && cfi->rows.n < 4 * ROWS_MAX)
		vec_push(&cfi->rows, row);
}

static void advance(struct interpreter *m, uint64_t by)
{
	if (!m->cfi)
		return;
	put(m->cfi, m->loc, rule(m));
	m->loc += by * m->cie->code_align;
}

/* Where the register's value is kept; NULL: no rule has it. */
static int64_t *place_of(const struct interpreter *m, struct state *s, uint64_t reg)
{
	const struct machine_unwind *regs = &m->machine->unwind;

	return reg == regs->fp			 ? &s->fp
	       : reg == regs->ra		 ? &s->ra
	       : regs->base && reg == regs->base ? &s->bx
						 : NULL;
}

static void set_rule(struct interpreter *m, uint64_t reg, int64_t off)
{
	int64_t *place = place_of(m, &m->now, reg);

	if (place)
		*place = off;
}

static void lose(struct interpreter *m, uint64_t reg)
{
	int64_t *place = place_of(m, &m->now, reg);

	m->now.lost |= place == &m->now.fp || place == &m->now.ra;
	m->now.lost_bx |= place == &m->now.bx;
}

static void restore(struct interpreter *m, uint64_t reg)
{
	int64_t *place = place_of(m, &m->first, reg);

	if (place)
		set_rule(m, reg, *place);
}

/* What linkers say of a PLT: sp + 8, and 8 more when (ip & 15) >= n, for then its entry has
 * pushed a word. 0: another. */
static uint32_t plt_expression(const uint8_t *p, size_t len)
{
	static const uint8_t begins[] = {0x77, 8, 0x80, 0, 0x3f, 0x1a},
			     ends[] = {0x2a, 0x33, 0x24, 0x22};

	if (len == sizeof(begins) + 1 + sizeof(ends) && !memcmp(p, begins, sizeof(begins)) &&
	    !memcmp(p + sizeof(begins) + 1, ends, sizeof(ends)) && p[sizeof(begins)] > 0x30 &&
	    p[sizeof(begins)] < 0x40)
		return p[sizeof(begins)] - 0x30;
	return 0;
}

/* sp + n, the word there, + 8, as in code that aligns its stack by hand (OpenSSL's). 0: another. */
static uint32_t kept_expression(const uint8_t *p, size_t len)
{
	struct cursor c = {p, p + len, false};
	int64_t off;

	if (byte(&c) != 0x77)
		return 0;
	off = sleb(&c);
	if (byte(&c) != 0x06 || byte(&c) != 0x23 || byte(&c) != 8 || c.bad || c.p != c.end ||
	    off % 8 || off < -8)
		return 0;
	return CFI_KEPT + 1 + off / 8;
}

static void base_expression(struct interpreter *m, struct cursor *c)
{
	uint64_t len = uleb(c);
	const uint8_t *p = c->p;

	skip(c, len);
	m->now.is_expr = true;
	m->now.special = 0;
	if (c->bad)
		return;
	m->now.special = plt_expression(p, len);
	if (!m->now.special)
		m->now.special = kept_expression(p, len);
}

static void base(struct interpreter *m, uint64_t reg, int64_t off)
{
	m->now.is_expr = false;
	m->now.reg = reg;
	m->now.off = off;
}

static void remember(struct interpreter *m)
{
	m->bad |= m->depth == DEPTH;
	if (!m->bad)
		m->saved[m->depth++] = m->now;
}

static void recall(struct interpreter *m)
{
	m->bad |= !m->depth;
	if (!m->bad)
		m->now = m->saved[--m->depth];
}

static void step(struct interpreter *m, struct cursor *c, const struct section *s)
{
	int64_t align = m->cie->data_align;
	uint64_t b = byte(c), low = b & 0x3f, reg;

	switch (b >> 6) {
	case CFA_ADVANCE:
		advance(m, low);
		return;
	case CFA_OFFSET:
		set_rule(m, low, uleb(c) * align);
		return;
	case CFA_RESTORE:
		restore(m, low);
		return;
	}
	switch (low) {
	case CFA_NOP:
		return;
	case CFA_SET_LOC:
		advance(m, 0);
		m->loc = pointer(c, s, m->cie->encoding);
		return;
	case CFA_ADVANCE1:
	case CFA_ADVANCE2:
	case CFA_ADVANCE4:
		advance(m, number(c, 1 << (low - CFA_ADVANCE1)));
		return;
	case CFA_OFFSET_EXT:
		reg = uleb(c);
		set_rule(m, reg, uleb(c) * align);
		return;
	case CFA_OFFSET_SF:
		reg = uleb(c);
		set_rule(m, reg, (uint64_t)sleb(c) * align);
		return;
	case CFA_NEG_OFFSET:
		reg = uleb(c);
		set_rule(m, reg, -(uleb(c) * align));
		return;
	case CFA_RESTORE_EXT:
		restore(m, uleb(c));
		return;
	case CFA_SAME:
		set_rule(m, uleb(c), 0);
		return;
	case CFA_UNDEFINED:
		reg = uleb(c);
		lose(m, reg);
		m->now.outermost |= reg == m->machine->unwind.ra;
		return;
	case CFA_REGISTER:
	case CFA_VAL_OFFSET:
	case CFA_VAL_OFFSET_SF:
		lose(m, uleb(c));
		uleb(c);
		return;
	case CFA_EXPR:
	case CFA_VAL_EXPR:
		lose(m, uleb(c));
		skip(c, uleb(c));
		return;
	case CFA_REMEMBER:
		remember(m);
		return;
	case CFA_RESTORE_STATE:
		recall(m);
		return;
	case CFA_DEF:
		reg = uleb(c);
		base(m, reg, uleb(c));
		return;
	case CFA_DEF_SF:
		reg = uleb(c);
		base(m, reg, (uint64_t)sleb(c) * align);
		return;
	case CFA_DEF_REG:
		base(m, uleb(c), m->now.off);
		return;
	case CFA_DEF_OFF:
		base(m, m->now.reg, uleb(c));
		return;
	case CFA_DEF_OFF_SF:
		base(m, m->now.reg, (uint64_t)sleb(c) * align);
		return;
	case CFA_DEF_EXPR:
		base_expression(m, c);
		return;
	case CFA_ARGS_SIZE:
		uleb(c);
		return;
	case CFA_NEGATE_RA_STATE:
	case CFA_NEGATE_RA_STATE_WITH_PC: /* programs in the kernel clear all signatures */
		m->bad |= !m->machine->unwind.is_signed;
		return;
	default:
		m->bad = true;
	}
}

static void run(struct interpreter *m, struct cursor c, const struct section *s)
{
	while (c.p < c.end && !m->bad) {
		step(m, &c, s);
		m->bad |= c.bad || ++m->reading->steps > STEPS_MAX;
	}
}

/* Rows of one function; addresses after it belong to none, until another one begins there. */
static void read_fde(struct cfi *cfi, const struct section *s, const struct cie *cie,
		     struct cursor c, struct reading *reading)
{
	struct interpreter m = {.machine = s->machine, .cie = cie, .reading = reading};
	int before = cfi->rows.n;
	uint64_t begin = pointer(&c, s, cie->encoding),
		 size = value_as(&c, cie->encoding & PE_FORMAT);

	if (cie->has_length)
		skip(&c, uleb(&c));
	run(&m, cie->program, s);
	m.first = m.now;
	m.cfi = cfi;
	m.loc = begin;
	run(&m, c, s);
	if (c.bad || m.bad || !begin || !size || begin + size < begin || m.loc < begin ||
	    m.loc >= begin + size) {
		cfi->rows.n = before;
		return;
	}
	advance(&m, 0);
	put(cfi, begin + size, CFI_UNKNOWN);
}

/* Where a function begins at the end of another, that of the beginning counts. */
static int by_addr(const void *pa, const void *pb)
{
	const struct cfi_row *a = pa, *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return (b->rule == CFI_UNKNOWN) - (a->rule == CFI_UNKNOWN);
}

/* The rows of a function, and where it begins. */
struct run_of_rows {
	uint32_t addr;
	int first, n;
};

struct runs {
	VEC(struct run_of_rows) v;
};

static void add_run(struct runs *runs, const struct cfi *cfi, int before)
{
	struct run_of_rows run = {0, before, cfi->rows.n - before};

	if (!run.n)
		return;
	run.addr = cfi->rows.v[before].addr;
	vec_push(&runs->v, run);
}

/* The functions in the order of addresses. Linkers put them in another one, and to sort rows
 * one by one takes most of the time for a large file. */
static void arrange(struct cfi *cfi, struct runs *runs)
{
	struct cfi_row *rows = xmalloc(MAX(cfi->rows.n, 1) * sizeof(*rows));
	uint64_t *starts = xcalloc(MAX(runs->v.n, 1), sizeof(*starts));
	uint32_t *order;
	int n = 0;

	for (int i = 0; i < runs->v.n; i++)
		starts[i] = runs->v.v[i].addr;
	order = runs->v.n ? radix_order(starts, runs->v.n) : NULL;
	for (int i = 0; i < runs->v.n; i++) {
		const struct run_of_rows *run = &runs->v.v[order[i]];

		memcpy(&rows[n], &cfi->rows.v[run->first], run->n * sizeof(*rows));
		n += run->n;
	}
	free(order);
	free(starts);
	vec_free(&cfi->rows);
	cfi->rows.v = rows;
	cfi->rows.n = cfi->rows.cap = n;
}

static bool is_sorted(const struct cfi *cfi)
{
	for (int i = 1; i < cfi->rows.n; i++)
		if (by_addr(&cfi->rows.v[i - 1], &cfi->rows.v[i]) > 0)
			return false;
	return true;
}

/* One row for each address, and for neighbours with the same rule. */
static void sort(struct cfi *cfi, struct runs *runs)
{
	struct cfi_row *rows;
	int kept = 0;

	arrange(cfi, runs);
	rows = cfi->rows.v;
	if (!is_sorted(cfi)) /* functions overlap */
		qsort(rows, cfi->rows.n, sizeof(*rows), by_addr);
	for (int i = 0; i < cfi->rows.n; i++) {
		if (i + 1 < cfi->rows.n && rows[i + 1].addr == rows[i].addr)
			continue;
		if (!kept || rows[kept - 1].rule != rows[i].rule)
			rows[kept++] = rows[i];
	}
	cfi->rows.n = MIN(kept, ROWS_MAX);
}

static void read_section(struct cfi *cfi, const struct section *s, struct reading *reading)
{
	size_t at = 0, next, cie_at = SIZE_MAX;
	struct runs runs = {0};
	bool has_cie = false;
	struct cursor body;
	struct cie cie;

	for (; at < s->len && reading->steps <= STEPS_MAX && entry_at(s, at, &body, &next);
	     at = next) {
		size_t id_at = body.p - s->data;
		uint64_t id = number(&body, 4);
		int before = cfi->rows.n;

		if (!id || body.bad)
			continue;
		if (id > id_at)
			break;
		if (id_at - id != cie_at) {
			cie_at = id_at - id;
			has_cie = read_cie(&cie, s, cie_at);
		}
		if (has_cie)
			read_fde(cfi, s, &cie, body, reading);
		add_run(&runs, cfi, before);
	}
	sort(cfi, &runs);
	vec_free(&runs.v);
}

void cfi_parse(struct cfi *cfi, const struct machine *machine, const uint8_t *data, size_t len,
	       uint64_t addr)
{
	struct section s = {data, len, addr, machine};
	struct reading reading = {0};

	cfi_free(cfi);
	read_section(cfi, &s, &reading);
	if (!reading.by_bx)
		return;
	/* seldom, and such files are small; all others have fewer rows without it */
	reading.wants_bx = true;
	cfi_free(cfi);
	read_section(cfi, &s, &reading);
}

void cfi_free(struct cfi *cfi)
{
	vec_free(&cfi->rows);
}
