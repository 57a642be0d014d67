/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Routines: what is too long to be generated at each use. They are written through the IR builder
 * and become global functions, which the verifier checks once. All arguments are plain numbers, so
 * that they load on every kernel: memory is named by the number of a scratch slot and offsets in
 * it.
 *
 * Scratch: an array map whose elements ("slots", slot_size bytes) belong to one invocation each.
 * The last RT_PRIVATE bytes of each are the routines' own. A routine looks its slot up by number
 * and checks every offset it is given; a bad one makes it return without doing anything.
 *
 * Strings: a buffer of strsize bytes rounded up to 8, plus 8; or less where the text is known to
 * be shorter. Text ends with a NUL inside the first strsize bytes, and from the NUL to the next
 * multiple of 8 all bytes are zero, so strings compare word by word. One exception marks what D
 * must distinguish: the NULL string is all zero, the empty string has the byte 1 after its NUL
 * ("\0\1"). A routine that makes an empty string writes that. Texts longer than strsize - 1 are
 * cut. A variable of the script that was never assigned has "\0\2", which no other string has.
 */
#ifndef DT_RT_H
#define DT_RT_H

#include "bpf/feat.h"
#include "bpf/ir.h"
#include "bpf/map.h"

struct prog;

/* First words of strings. */
enum { TEXT_NULL = 0, TEXT_EMPTY = 1 << 8, TEXT_UNASSIGNED = 2 << 8 };

struct rt_built;

/* Bytes of a string's buffer; and of the end of a slot, where routines also read beyond strings. */
#define RT_STRING(strsize) ((strsize) + 8)
#define RT_PRIVATE(strsize) (2 * (strsize) + 304 + 80)

/* Where the kernel has what a path is made of: offsets in struct dentry, mount, ... */
struct rt_path {
	uint32_t dentry_parent, dentry_name, dentry_len;
	uint32_t mount_mnt, mount_parent, mount_mountpoint, vfsmount_root;
	uint32_t path_mnt, path_dentry;
	uint32_t task_fs, fs_root;
};

/* Where it has what a file system's mounts are: offsets in struct dentry, super_block, mount,
 * mnt_namespace. */
struct rt_place {
	uint32_t dentry_parent, dentry_super, super_root, super_mounts;
	uint32_t mount_mnt, mount_root, mount_ns, mount_next;
	uint32_t ns_inum;
	uint32_t link; /* what a link to the next mount points to, in that */
	/* the mounts end with NULL, and new ones come in front; else they are a ring, and new
	 * ones come last */
	bool newest_first;
	uint32_t own_ns; /* the number of the namespace */
};

/* Where it has a packet: offsets in struct sk_buff, ... */
struct rt_packet {
	uint32_t next, len, data_len, head, data, end, mac_header, network_header;
	uint32_t nr_frags, frag_list, frags; /* ... skb_shared_info, ... */
	/* ... an element of its frags, and that one's size */
	uint32_t frag_page, frag_off, frag_len, frag_size;
	uint32_t page_scale; /* bytes of a page for each byte of its struct page */
	uint32_t size;	     /* most bytes that are wanted */
};
/* Bytes that rt_packet needs at dst. The second half it does not write, but the verifier knows
 * only that each piece begins and is as long as at most size. */
enum { RT_PACKET_HEAD = 8 };
#define RT_PACKET(size) (RT_PACKET_HEAD + 2 * (size))

struct rt_orc;
struct rt_unwind;

struct rt {
	struct arena *arena;
	struct map *scratch;
	uint32_t slot_size;  /* multiple of 8; strings are below slot_size - RT_PRIVATE(strsize) */
	uint32_t strsize;    /* multiple of 8, at least 16 */
	struct feats *feats; /* may be NULL in tests: everything is there */
	const struct rt_path *path;	/* of the running kernel; NULL: no rt_path */
	const struct rt_place *place;	/* the same; NULL: no rt_place */
	const struct rt_packet *packet; /* the same; NULL: no rt_packet */
	const struct rt_unwind *unwind; /* tables; NULL: no rt_unwind */
	const struct rt_orc *orc;	/* the kernel's tables; NULL: no rt_orc */
	struct rt_built *built;		/* what rt_build made so far; NULL to start with */
};

/*
 *rt_strcmp(slot, a, b)
 *	-1, 0, 1 as unsigned bytes compare; NULL is below the empty string.
 *rt_find(slot, hay, needle, start)
 *	Index of the first occurrence at or after start (a negative one is 0), or -1; an empty
 *	needle is found at start (at most the length).
 *rt_rfind(slot, hay, needle, start)
 *	Index of the last occurrence at or before start, or -1; an empty needle is found at start
 *	(at least 0, at most the length).
 *rt_match(slot, text, s)
 *	1 when the text begins with s; text need not be the beginning of a string.
 *rt_findchr(slot, s, c, last)
 *	Index of the first (or, last != 0, the last) byte c; c == 0 finds the end; or -1.
 *rt_case(slot, dst, src, upper)
 *	Copies with ASCII letters changed; NULL stays NULL.
 *rt_substr(slot, dst, src, index, len)
 *	D's substr: negative index counts from the end, negative len stops that many before the
 *	end; len of INT32_MAX means the rest. Of both the low 32 bits count. Returns the length.
 *rt_basename(slot, dst, src)
 *	As basename(1): trailing slashes cut; "" gives "."; "//" gives "/".
 *rt_dirname(slot, dst, src)
 *	As dirname(1); "//x" gives "/".
 *rt_strtok(slot, dst, src, delims, pos)
 *	From pos skips delimiters, copies up to the next; returns the position of that (or of the
 *	end), or
 *	-1 when there is no token (dst is NULL then).
 *rt_strtoll(slot, s, base)
 *	As strtoll(3): blanks, sign, 0x/0 prefixes with base 0 or 16; stops at the first other
 *	byte; saturates; 0 with a base that strtoll refuses.
 *rt_skip(slot, s, bytes)
 *	How many bytes of s, from its first on, are of those below 64 whose bits are set.
 *rt_lltostr(slot, dst, value, base)
 *	Signed decimal for base 10, otherwise unsigned with lower-case digits (base 16 has "0x" in
 *	front, base 8 has "0" unless the value is 0), base 2-36; returns the length; -1 with
 *	another base.
 *rt_inet4(slot, dst, address)
 *	As inet_ntop(3); the low 32 bits of the address as they lie in memory. Returns the length.
 *rt_inet6(slot, dst, first, second)
 *	The same; the address's two words of 64 bits as they lie in memory.
 *rt_hex(slot, dst, src, n)
 *	n bytes (1 to 20) at src as "0a:1b:..."; returns the length.
 *rt_cleanpath(slot, dst, src)
 *	A path where "//" and "/./" became "/" and "/x/../" became "/", by its text only; "/.." at
 *	the end is like "/../". Returns the length.
 *rt_json(slot, dst, src, path)
 *	The element of a text of JSON that the path "a.b[2].c" names: a string without its quotes,
 *	anything else as it stands. Returns the length; -1, and dst is NULL, when it is not there.
 *rt_quantize(value)
 *	Index of the power-of-two bucket, 0..126 (63 is zero, 64+k is [2^k, 2^(k+1)), 62-k is its
 *	negative; 0 is all of -2^62 and below).
 *rt_progenyof(pid, off_parent, off_tgid)
 *	1 when the current task or an ancestor has this process id; looks at 64 generations.
 *rt_path(slot, dst, vfsmount, dentry, whole)
 *	The path of a file by the addresses of the kernel's structures; from the current task's root
 *	on, or (whole) from the first mount on. What does not fit is cut in front, for "...".
 *	Returns
 *	the length; -1 with a bad address. Needs rt->path.
 *rt_place(slot, dentry)
 *	A struct vfsmount in which a dentry can be found, by the addresses of the kernel's
 *	structures; 0 with a bad address,
 *	and when there is none. Needs rt->place.
 *rt_packet(slot, dst, skb, network, pages)
 *	The packet of a struct sk_buff, from its network header on or (network 0) the link's: its
 *	length in a word at dst, followed by its bytes, at most rt->packet->size. Memory of a struct
 *	page is at pages plus page_scale times its address; pages 0: not known. Returns how many
 *	bytes there are; -1 with a bad address. Needs rt->packet.
 *rt_unwind(slot, state, dst, n)
 *	The frames of the process's stack, at most n (up to UNWIND_FRAMES), from the registers in
 *	a struct
 *	unwind_state on; returns how many, -1 when there are no tables for the process. Needs
 *	rt->unwind,
 *	and a machine whose rules it knows.
 *rt_blanks(slot, dst, n)
 *	n bytes at dst (below strsize) become a string, with blanks for the NULs in it; returns n.
 *rt_chill(until)
 *	Waits until the monotonic clock is there: 1; or 0 when that was too long, which is half a
 *	second at the least (where there are no global functions, some 100 us).
 *
 * A slot or an offset that is out of range gives -1, and 0 where -1 would be an answer (rt_strcmp,
 * rt_match, rt_strtoll). dst may be the same string as src, not one that overlaps it (rt_strtok:
 * different ones). Returns NULL for a name it does not know. The code lives in rt->arena, and is
 * built once for each rt, with the sizes that rt has then.
 */
struct code *rt_build(struct rt *rt, const char *name);

/* Values in [lo, end) are in buckets of this width, the first of which has this number and would
 * begin at origin. */
struct rt_order {
	uint64_t lo, end, width, origin;
	int first;
};

/*
 * A routine of this name for llquantize() with certain constants: (value) -> number of the bucket,
 * which is side + 1 plus (value >= 0) or minus (value < 0) k. k comes from the magnitude: 0 below
 * the first order, first + (magnitude - origin) / width in an order, side + 1 at and above the last
 * one's end (if that is UINT64_MAX, nothing is above). There is at least one order, and each
 * begins where the one before ends. rt_build knows the name from then on, and a second call
 * returns what the first one built.
 */
struct code *rt_build_llquantize(struct rt *rt, const char *name, const struct rt_order *orders,
				 int n, int side);

/*
 * Adds to the program every routine that it calls, directly or not (some call others). Names that
 * are no routine's are left alone.
 */
void rt_link(struct rt *rt, struct prog *p);

#endif
