/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lengths of x86-64 instructions, by the opcode maps of the manuals: prefixes, opcode, ModRM with
 * SIB and displacement, immediate. What an instruction does is of no interest here.
 */
#include "libdt/base/machine/x86len.h"

#include <string.h>

/*
 *A letter for each opcode: what follows it.
 *	. nothing		m ModRM			x no instruction in 64-bit mode
 *	b a byte		w two bytes		z 4 bytes, 2 with the prefix 66
 *	B ModRM, a byte		Z ModRM and z		l 4 bytes		e 3 bytes
 *	v z, 8 bytes with REX.W a an address            g ModRM, a byte for TEST        G ModRM, z
 *	for TEST
 */
static const char one_byte[] = "mmmmbzxxmmmmbzxx"
			       "mmmmbzxxmmmmbzxx"
			       "mmmmbzxxmmmmbzxx"
			       "mmmmbzxxmmmmbzxx"
			       "xxxxxxxxxxxxxxxx"
			       "................"
			       "xxxmxxxxzZbB...."
			       "bbbbbbbbbbbbbbbb"
			       "BZxBmmmmmmmmmmmm"
			       "..........x....."
			       "aaaa....bz......"
			       "bbbbbbbbvvvvvvvv"
			       "BBw.xxBZe.w..bx."
			       "mmmmxxx.mmmmmmmm"
			       "bbbbbbbbllxb...."
			       "x.xx..gG......mm";
static const char two_bytes[] = "mmmmx.....x.xm.B"
				"mmmmmmmmmmmmmmmm"
				"mmmmxxxxmmmmmmmm"
				"........xxxxxxxx"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm"
				"BBBBmmm.mmmmmmmm"
				"llllllllllllllll"
				"mmmmmmmmmmmmmmmm"
				"...mBmmm...mBmmm"
				"mmmmmmmmmmBmmmmm"
				"mmBmBBBm........"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm";

enum { LONGEST = 15 };

struct insn {
	const uint8_t *code;
	size_t n, at;
	bool size16, addr32, rex_w;
};

static bool is_prefix(uint8_t b)
{
	static const uint8_t all[] = {0x66, 0x67, 0xf0, 0xf2, 0xf3, 0x2e,
				      0x36, 0x3e, 0x26, 0x64, 0x65};

	return memchr(all, b, sizeof(all)) != NULL;
}

static void prefixes(struct insn *i)
{
	for (; i->at < i->n; i->at++) {
		uint8_t b = i->code[i->at];

		if (is_prefix(b)) {
			i->size16 |= b == 0x66;
			i->addr32 |= b == 0x67;
			i->rex_w = false; /* REX counts only where it is the last */
		} else if (b >= 0x40 && b <= 0x4f) {
			i->rex_w = b & 8;
		} else {
			break;
		}
	}
}

/* The ModRM byte with what belongs to it: which of the group it is, or -1. */
static int modrm(struct insn *i)
{
	uint8_t byte, mod, rm, base;

	if (i->at >= i->n)
		return -1;
	byte = i->code[i->at++];
	mod = byte >> 6;
	rm = byte & 7;
	if (mod != 3) {
		base = rm;
		if (rm == 4) {
			if (i->at >= i->n)
				return -1;
			base = i->code[i->at++] & 7;
		}
		i->at += mod == 1 ? 1 : mod == 2 || base == 5 ? 4 : 0;
	}
	return byte >> 3 & 7;
}

static size_t word_size(const struct insn *i)
{
	return i->size16 && !i->rex_w ? 2 : 4;
}

static bool rest(struct insn *i, char what)
{
	int group = strchr("mBZgG", what) ? modrm(i) : 0;

	if (group < 0)
		return false;
	switch (what) {
	case '.':
	case 'm':
		return true;
	case 'b':
	case 'B':
		i->at += 1;
		return true;
	case 'g':
		i->at += group < 2;
		return true;
	case 'G':
		i->at += group < 2 ? word_size(i) : 0;
		return true;
	case 'z':
	case 'Z':
		i->at += word_size(i);
		return true;
	case 'v':
		i->at += i->rex_w ? 8 : word_size(i);
		return true;
	case 'a':
		i->at += i->addr32 ? 4 : 8;
		return true;
	case 'w':
	case 'e':
		i->at += what == 'w' ? 2 : 3;
		return true;
	case 'l':
		i->at += 4;
		return true;
	default:
		return false;
	}
}

/* By the number of its opcode map: 1 is 0F, 2 is 0F 38, 3 is 0F 3A; 5 and 6 are of EVEX. */
static bool in_map(struct insn *i, int map)
{
	uint8_t op;

	if (i->at >= i->n)
		return false;
	op = i->code[i->at++];
	switch (map) {
	case 1:
		return rest(i, two_bytes[op]);
	case 2:
	case 5:
	case 6:
		return rest(i, 'm');
	case 3:
		return rest(i, 'B');
	default:
		return false;
	}
}

static bool escaped(struct insn *i)
{
	uint8_t op = i->at < i->n ? i->code[i->at] : 0;

	if (op == 0x38 || op == 0x3a) {
		i->at++;
		return in_map(i, op == 0x38 ? 2 : 3);
	}
	return in_map(i, 1);
}

/* VEX of 2 and 3 bytes, EVEX: the map is in the first byte after the opcode. */
static bool vector(struct insn *i, uint8_t op)
{
	int map = op == 0xc5 ? 1 : i->at < i->n ? i->code[i->at] & (op == 0xc4 ? 0x1f : 7) : 0;

	i->at += op == 0xc5 ? 1 : op == 0xc4 ? 2 : 3;
	return in_map(i, map);
}

static bool decode(struct insn *i)
{
	uint8_t op;

	prefixes(i);
	if (i->at >= i->n)
		return false;
	op = i->code[i->at++];
	if (op == 0x0f)
		return escaped(i);
	if (op == 0xc4 || op == 0xc5 || op == 0x62)
		return vector(i, op);
	return rest(i, one_byte[op]);
}

int x86_length(const uint8_t *code, size_t n)
{
	struct insn i = {.code = code, .n = n};

	return decode(&i) && i.at <= n && i.at <= LONGEST ? (int)i.at : 0;
}

/* A jump through memory: tables of a switch are indexed, or their address is in a register. */
static bool is_call_through_memory(const uint8_t *code, size_t n)
{
	uint8_t mod, rm;

	if (n < 2 || (code[1] >> 3 & 7) != 4)
		return false;
	mod = code[1] >> 6;
	rm = code[1] & 7;
	if (mod == 3)
		return false;
	return rm != 4 || (n > 2 && (code[2] >> 3 & 7) == 4);
}

static enum x86_way to_byte(const uint8_t *code, int len, int64_t *distance, enum x86_way way)
{
	*distance = len + (int8_t)code[len - 1];
	return way;
}

static enum x86_way to_word(const uint8_t *code, int len, int64_t *distance, enum x86_way way)
{
	int32_t word;

	memcpy(&word, code + len - 4, 4);
	*distance = len + word;
	return way;
}

/* 0xff: with 4 in the middle of the next byte it is a jump. */
static enum x86_way way_of_group(const uint8_t *code, size_t n)
{
	if (n < 2 || (code[1] >> 3 & 7) != 4)
		return X86_ON;
	if (code[1] >> 6 == 3)
		return X86_REGISTER;
	return is_call_through_memory(code, n) ? X86_MEMORY : X86_ON;
}

enum x86_way x86_way(const uint8_t *code, size_t n, int64_t *distance)
{
	struct insn i = {.code = code, .n = n};
	int len = x86_length(code, n);
	uint8_t op;

	if (!len)
		return X86_ON;
	prefixes(&i);
	op = code[i.at];
	if (op == 0xc2 || op == 0xc3)
		return X86_RETURN;
	if (op == 0xff)
		return way_of_group(code + i.at, len - i.at);
	if (op == 0xeb || op == 0xe9)
		return op == 0xeb ? to_byte(code, len, distance, X86_JUMP)
				  : to_word(code, len, distance, X86_JUMP);
	if ((op & 0xf0) == 0x70 || (op & 0xfc) == 0xe0) /* jcc; loop, jrcxz */
		return to_byte(code, len, distance, X86_BRANCH);
	if (op == 0x0f && (code[i.at + 1] & 0xf0) == 0x80)
		return to_word(code, len, distance, X86_BRANCH);
	return X86_ON;
}

/* The number of a register of a ModRM byte, with the bit of REX that extends it. */
static int register_of(const struct insn *i, int field, int rex_bit)
{
	bool rex = i->at && (i->code[i->at - 1] & 0xf0) == 0x40;

	return field | (rex && (i->code[i->at - 1] & rex_bit) ? 8 : 0);
}

int x86_adds_to(const uint8_t *code, size_t n)
{
	struct insn i = {.code = code, .n = n};
	uint8_t modrm;

	if (x86_length(code, n) < 3)
		return -1;
	prefixes(&i);
	if (!i.at || (code[i.at - 1] & 0xf8) != 0x48) /* REX.W */
		return -1;
	modrm = code[i.at + 1];
	if (code[i.at] == 0x03)
		return register_of(&i, modrm >> 3 & 7, 4);
	return code[i.at] == 0x01 && modrm >> 6 == 3 ? register_of(&i, modrm & 7, 1) : -1;
}

int x86_jumps_to(const uint8_t *code, size_t n)
{
	struct insn i = {.code = code, .n = n};

	if (x86_length(code, n) < 2)
		return -1;
	prefixes(&i);
	return *code == 0x3e ? -1 : register_of(&i, code[i.at + 1] & 7, 1);
}

bool x86_mistaken(const uint8_t *code, size_t n)
{
	static const uint8_t special[] = {0x90, 0x9a, 0x9d, 0xc2, 0xc3, 0xca, 0xcb,
					  0xcf, 0xe8, 0xe9, 0xea, 0xeb, 0xff};
	struct insn i = {.code = code, .n = n};
	uint8_t first, op;

	prefixes(&i);
	if (i.at + 1 >= n)
		return false;
	first = code[i.at];
	if (first != 0xc5 && first != 0xc4 && first != 0x62 &&
	    (first != 0x8f || (code[i.at + 1] & 0x1f) < 8))
		return false;
	i.at += first == 0xc5 ? 2 : first == 0x62 ? 4 : 3;
	op = i.at < n ? code[i.at] : 0;
	return (op & 0xf0) == 0x70 || memchr(special, op, sizeof(special));
}
