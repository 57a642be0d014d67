/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Routines: what is too long to be generated at each use. They are written through the IR builder and become
 * global functions, which the verifier checks once. All arguments are plain numbers, so that they load
 * on every kernel: memory is named by the number of a scratch slot and offsets in it.
 *
 * Scratch: an array map whose elements ("slots", slot_size bytes) belong to one invocation each. A routine
 * looks its slot up by number and checks every offset it is given against slot_size; a bad one makes it
 * return without doing anything.
 *
 * Strings: a buffer of strsize bytes rounded up to 8, plus 8. Text ends with a NUL inside the first strsize
 * bytes, and from the NUL to the next multiple of 8 all bytes are zero, so strings compare word by word. One
 * exception marks what D must tell apart: the NULL string is all zero, the empty string has the byte 1 behind its
 * NUL ("\0\1"). A routine that makes an empty string writes that. Texts longer than strsize - 1 are cut.
 */
#ifndef DT_RT_H
#define DT_RT_H

#include "bpf/feat.h"
#include "bpf/ir.h"
#include "bpf/map.h"

struct rt {
	struct arena *arena;
	struct map *scratch;
	uint32_t slot_size; /* multiple of 8 */
	uint32_t strsize;   /* multiple of 8, at least 16 */
	struct feats *feats; /* may be NULL in tests: everything is there */
};

/*
 *	rt_strcmp(slot, a, b)			-1, 0, 1 as unsigned bytes compare; NULL is below the empty string
 *	rt_find(slot, hay, needle, start)	index of the first occurrence at or after start (>= 0), or -1; an empty needle is
 *						found at start (at most the length)
 *	rt_rfind(slot, hay, needle, start)	index of the last occurrence at or before start, or -1
 *	rt_findchr(slot, s, c, last)		index of the first (or, last != 0, the last) byte c; c == 0 finds the end; or -1
 *	rt_case(slot, dst, src, upper)		copies with ASCII letters changed
 *	rt_strtoll(slot, s, base)		as strtoll(3): blanks, sign, 0x/0 prefixes with base 0 or 16; stops at the first other
 *						byte; saturates
 *	rt_lltostr(slot, dst, value, base)	signed decimal for base 10, otherwise unsigned with lower-case digits (base 16 has "0x" in
 *						front, base 8 has "0"), base 2-36; returns the length
 *	rt_substr(slot, dst, src, index, len)	D's substr: negative index counts from the end, negative len stops that many before the
 *						end; len of INT32_MAX means the rest
 *	rt_basename(slot, dst, src)		as basename(1): trailing slashes cut; "" gives "."
 *	rt_dirname(slot, dst, src)		as dirname(1)
 *	rt_strtok(slot, dst, src, delims, pos)	from pos skips delimiters, copies up to the next; returns the position to go on from, or -1 when
 *						there is no token (dst is NULL then)
 *	rt_quantize(value)			index of the power-of-two bucket, 0..126 (63 is zero, 64+k is [2^k, 2^(k+1)), 62-k is its negative)
 *	rt_llquantize(value, factor|low<<16|high<<32|steps<<48, ...)	see the file
 *	rt_progenyof(pid, off_parent, off_tgid)	1 when the current task or an ancestor has this process id
 * Returns NULL for a name it does not know. The code lives in rt->arena.
 */
struct code *rt_build(struct rt *rt, const char *name);

#endif
