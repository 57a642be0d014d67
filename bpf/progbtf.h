/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTF that describes a program's functions and where its code comes from. It stands alone (the
 * kernel takes no split BTF for programs): a few types of our own, the names, and the lines of D.
 */
#ifndef DT_PROGBTF_H
#define DT_PROGBTF_H

#include <linux/bpf.h>
#include <stdbool.h>

#include "bpf/prog.h"

struct btf;

struct progbtf {
	struct btf *btf;
	/* The line of D that was added last; many instructions in a row are of the same one. */
	struct {
		const struct source *src; /* NULL: none */
		uint32_t begin, end;	  /* offsets in its text */
		int line;
		uint32_t file_off, text_off;
	} last;
	VEC(struct bpf_func_info) funcs;
	VEC(struct bpf_line_info) lines;
};

/*
 * Builds it for a joined image. global: functions so marked become global ones, which the verifier
 * checks once; otherwise all but the main one are static. 0 or -errno. Free it in both cases.
 */
int progbtf_build(struct progbtf *pb, const struct prog_image *img, bool global);
void progbtf_free(struct progbtf *pb);

#endif
