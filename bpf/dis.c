/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts: the instructions before encoding (ir_dump), and machine code (code_list). */
#include <inttypes.h>

#include "bpf/ins.h"
#include "bpf/map.h"
#include "libdt/base/escape.h"

static const char *alu_op(int op)
{
	static const char *const names[] = {"+",  "-", "*", "/", "|", "&",  "<<",
					    ">>", "",  "%", "^", "",  "s>>"};

	return op >> 4 < (int)ARRAY_SIZE(names) ? names[op >> 4] : "?";
}

static const char *cond_op(int op)
{
	static const char *const names[] = {"?",   "==", ">", ">=", "&",  "!=", "s>",
					    "s>=", "?",	 "?", "<",  "<=", "s<", "s<="};

	return op >> 4 < (int)ARRAY_SIZE(names) ? names[op >> 4] : "?";
}

static void put_atomic(FILE *out, int op, const char *mem, const char *src)
{
	if (op == BPF_XCHG)
		fprintf(out, "%s = xchg(%s, %s)", src, mem, src);
	else if (op == BPF_CMPXCHG)
		fprintf(out, "r0 = cmpxchg(%s, r0, %s)", mem, src);
	else if (op & BPF_FETCH)
		fprintf(out, "%s = fetch(%s %s= %s)", src, mem, alu_op(op & ~BPF_FETCH), src);
	else
		fprintf(out, "lock %s %s= %s", mem, alu_op(op), src);
}

/* ---- before encoding ---- */

struct name {
	char s[16];
};

static struct name reg_name(int reg)
{
	struct name n;

	snprintf(n.s, sizeof(n.s), "%c%d", reg >= IR_VIRTUAL ? 'v' : 'r', reg);
	return n;
}

static void put_mem_name(char *buf, size_t size, const struct ins *in, int base)
{
	snprintf(buf, size, "u%d[%s%+d]", in->size * 8, reg_name(base).s, in->off);
}

static void put_args(FILE *out, int n)
{
	fputc('(', out);
	for (int i = 1; i <= n; i++)
		fprintf(out, "%sr%d", i > 1 ? ", " : "", i);
	fputc(')', out);
}

static void dump_memory(const struct ins *in, FILE *out)
{
	struct name dst = reg_name(in->dst), src = reg_name(in->src);
	char mem[48];

	put_mem_name(mem, sizeof(mem), in, in->kind == INS_LD ? in->src : in->dst);
	if (in->kind == INS_LD)
		fprintf(out, "%s = %s%s", dst.s, in->pure ? "const " : "", mem);
	else if (in->kind == INS_ST)
		fprintf(out, "%s = %s", mem, src.s);
	else if (in->kind == INS_STI)
		fprintf(out, "%s = %" PRId64, mem, in->imm);
	else
		put_atomic(out, in->imm, mem, src.s);
}

static void dump_ins(const struct ins *in, FILE *out)
{
	struct name dst = reg_name(in->dst), src = reg_name(in->src);
	const char *d = dst.s, *s = src.s;

	switch (in->kind) {
	case INS_NOP:
		fprintf(out, "nop");
		break;
	case INS_MOV:
		fprintf(out, "%s = %s", d, s);
		break;
	case INS_MOVW:
		fprintf(out, "%s = (u32)%s", d, s);
		break;
	case INS_MOVI:
		fprintf(out, "%s = %" PRId64, d, in->imm);
		break;
	case INS_ALU:
		fprintf(out, "%s %s=%s %s", d, alu_op(in->op), in->w ? "(u32)" : "", s);
		break;
	case INS_ALUI:
		fprintf(out, "%s %s=%s %" PRId64, d, alu_op(in->op), in->w ? "(u32)" : "", in->imm);
		break;
	case INS_NEG:
		fprintf(out, "%s = -%s", d, d);
		break;
	case INS_BSWAP:
		fprintf(out, "%s = be%" PRId64 "(%s)", d, in->imm, d);
		break;
	case INS_SEXT:
		fprintf(out, "%s = (s%" PRId64 ")%s", d, in->imm, d);
		break;
	case INS_UNLINK:
		fprintf(out, "%s = unlinked(%s)", d, d);
		break;
	case INS_LD:
	case INS_ST:
	case INS_STI:
	case INS_ATOMIC:
		dump_memory(in, out);
		break;
	case INS_JMP:
		fprintf(out, "goto L%d", in->label);
		break;
	case INS_JCC:
		fprintf(out, "if %s %s %s goto L%d", d, cond_op(in->op), s, in->label);
		break;
	case INS_JCCI:
		fprintf(out, "if %s %s %" PRId64 " goto L%d", d, cond_op(in->op), in->imm,
			in->label);
		break;
	case INS_CALL:
		fprintf(out, "r0 = %scall %" PRId64, in->pure ? "const " : "", in->imm);
		put_args(out, in->nargs);
		break;
	case INS_CALL_FUNC:
		fprintf(out, "r0 = call %s", in->func);
		put_args(out, in->nargs);
		break;
	case INS_MAP:
		fprintf(out, "%s = map %s", d, in->map ? in->map->name : "?");
		break;
	case INS_MAP_MEM:
		fprintf(out, "%s = &%s%+" PRId64, d, in->map ? in->map->name : "?", in->imm);
		break;
	case INS_FRAME:
		fprintf(out, "%s = r10 %c %" PRId64, d, in->imm < 0 ? '-' : '+',
			in->imm < 0 ? -in->imm : in->imm);
		break;
	case INS_RELOAD:
		fprintf(out, "%s = slot(%s)", d, s);
		break;
	case INS_SPILL:
		fprintf(out, "slot(%s) = %s", d, s);
		break;
	case INS_EXIT:
		fprintf(out, "exit r0");
		break;
	}
}

void ir_dump(struct ir *ir, FILE *out, int stage)
{
	static const char *const stages[] = {"built", "optimised", "allocated"};

	fprintf(out, "%s/%d: %s\n", ir->name, ir->nargs, stages[stage % 3]);
	for (int i = 0; i < ir->ins.n; i++) {
		const struct ins *in = &ir->ins.v[i];

		if (in->kind == INS_LABEL) {
			fprintf(out, "L%d:\n", in->label);
			continue;
		}
		fputc('\t', out);
		dump_ins(in, out);
		fputc('\n', out);
	}
}

/* ---- machine code ---- */

static const char *size_name(int code)
{
	switch (BPF_SIZE(code)) {
	case BPF_B:
		return "u8";
	case BPF_H:
		return "u16";
	case BPF_W:
		return "u32";
	default:
		return "u64";
	}
}

static void list_alu(const struct bpf_insn *in, FILE *out)
{
	char c = BPF_CLASS(in->code) == BPF_ALU ? 'w' : 'r';
	int op = BPF_OP(in->code);

	if (op == BPF_NEG) {
		fprintf(out, "%c%d = -%c%d", c, in->dst_reg, c, in->dst_reg);
		return;
	}
	if (op == BPF_END) {
		fprintf(out, "r%d = %s%d r%d", in->dst_reg, in->code & BPF_TO_BE ? "be" : "le",
			in->imm, in->dst_reg);
		return;
	}
	fprintf(out, "%c%d %s= ", c, in->dst_reg, op == BPF_MOV ? "" : alu_op(op));
	if (in->code & BPF_X)
		fprintf(out, "%c%d", c, in->src_reg);
	else
		fprintf(out, "%d", in->imm);
}

static const struct reloc *reloc_at(const struct code *code, int insn)
{
	for (int k = 0; k < code->relocs.n; k++)
		if (code->relocs.v[k].insn == insn)
			return &code->relocs.v[k];
	return NULL;
}

static void list_imm64(const struct code *code, int i, FILE *out)
{
	const struct bpf_insn *in = &code->insns.v[i];
	const struct reloc *r = reloc_at(code, i);
	uint64_t high = i + 1 < code->insns.n ? (uint32_t)in[1].imm : 0;

	if (r && r->map)
		fprintf(out, r->kind == RELOC_MAP_MEM ? "r%d = &%s+%u" : "r%d = map[%s]",
			in->dst_reg, r->map->name, r->off);
	else
		fprintf(out, "r%d = 0x%" PRIx64 " ll", in->dst_reg, high << 32 | (uint32_t)in->imm);
}

static void list_memory(const struct bpf_insn *in, FILE *out)
{
	int class = BPF_CLASS(in->code);
	char mem[64], src[8];

	snprintf(mem, sizeof(mem), "*(%s *)(r%d %+d)", size_name(in->code),
		 class == BPF_LDX ? in->src_reg : in->dst_reg, in->off);
	snprintf(src, sizeof(src), "r%d", in->src_reg);
	if (class == BPF_LDX)
		fprintf(out, "r%d = %s", in->dst_reg, mem);
	else if (class == BPF_ST)
		fprintf(out, "%s = %d", mem, in->imm);
	else if (BPF_MODE(in->code) == BPF_ATOMIC)
		put_atomic(out, in->imm, mem, src);
	else
		fprintf(out, "%s = %s", mem, src);
}

static void list_jump(const struct code *code, int i, FILE *out)
{
	const struct bpf_insn *in = &code->insns.v[i];
	const struct reloc *r = reloc_at(code, i);
	int op = BPF_OP(in->code);

	if (op == BPF_EXIT)
		fprintf(out, "exit");
	else if (op == BPF_CALL && r)
		fprintf(out, "call %s", r->func);
	else if (op == BPF_CALL)
		fprintf(out, "call %s#%d", in->src_reg == BPF_PSEUDO_CALL ? "pc" : "", in->imm);
	else if (op == BPF_JA)
		fprintf(out, "goto %d", i + 1 + in->off);
	else if (in->code & BPF_X)
		fprintf(out, "if r%d %s r%d goto %d", in->dst_reg, cond_op(op), in->src_reg,
			i + 1 + in->off);
	else
		fprintf(out, "if r%d %s %d goto %d", in->dst_reg, cond_op(op), in->imm,
			i + 1 + in->off);
}

static void list_insn(const struct code *code, int i, FILE *out)
{
	const struct bpf_insn *in = &code->insns.v[i];

	switch (BPF_CLASS(in->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		list_alu(in, out);
		break;
	case BPF_LD:
		list_imm64(code, i, out);
		break;
	case BPF_LDX:
	case BPF_ST:
	case BPF_STX:
		list_memory(in, out);
		break;
	default:
		list_jump(code, i, out);
		break;
	}
}

static void list_line(struct loc loc, FILE *out)
{
	int line, column, len;
	struct strbuf sb = {0};
	const char *text;

	if (!loc.src)
		return;
	loc_pos(loc, &line, &column);
	text = loc_line(loc, &len);
	while (len > 0 && (*text == ' ' || *text == '\t')) {
		text++;
		len--;
	}
	escape_add(&sb, text, len, ESCAPE_TEXT);
	fprintf(out, "; %d: %s\n", line, sb_str(&sb));
	sb_free(&sb);
}

void code_list(const struct code *code, FILE *out, bool lines)
{
	int next = 0;

	fprintf(out, "%s:\nINS  OPC DST SRC    OFF        IMM\n", code->name);
	for (int i = 0; i < code->insns.n; i++) {
		const struct bpf_insn *in = &code->insns.v[i];

		while (next < code->lines.n && code->lines.v[next].insn <= i) {
			if (lines && code->lines.v[next].insn == i)
				list_line(code->lines.v[next].loc, out);
			next++;
		}
		fprintf(out, "%04d  %02x  r%-2d r%-2d %+6d 0x%08x    ", i, in->code, in->dst_reg,
			in->src_reg, in->off, (uint32_t)in->imm);
		if (in->code == (BPF_LD | BPF_IMM | BPF_DW) && i + 1 < code->insns.n) {
			list_insn(code, i++, out);
			in++;
			fprintf(out, "\n%04d  %02x  r%-2d r%-2d %+6d 0x%08x", i, in->code,
				in->dst_reg, in->src_reg, in->off, (uint32_t)in->imm);
		} else {
			list_insn(code, i, out);
		}
		fputc('\n', out);
	}
}
