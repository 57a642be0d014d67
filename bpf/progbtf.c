/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/progbtf.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <ctype.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

/* Ids of the types that every program has. */
enum { TYPE_INT = 1, TYPE_U64, TYPE_MAIN };

/* What one word of a line_info holds, and how much of a line we quote. */
enum { MAX_LINE = (1 << 22) - 1, MAX_COLUMN = (1 << 10) - 1, MAX_TEXT = 160, MAX_NAME = 127 };

/*
 * The main function is said to have no argument: of a pointer to its context the log says each time
 * that it is odd.
 */
static int base_types(struct btf *btf)
{
	bool ok;

	ok = btf__add_int(btf, "int", 4, BTF_INT_SIGNED) == TYPE_INT &&
	     btf__add_int(btf, "u64", 8, 0) == TYPE_U64 &&
	     btf__add_func_proto(btf, TYPE_INT) == TYPE_MAIN;
	return ok ? 0 : -ENOMEM;
}

/* The kernel takes C identifiers only. */
static void identifier(char out[MAX_NAME + 1], const char *name)
{
	int n = 0;

	if (isdigit((unsigned char)*name) || !*name)
		out[n++] = '_';
	for (; n < MAX_NAME && *name; name++) {
		unsigned char c = *name;

		out[n++] = c < 128 && isalnum(c) ? c : '_';
	}
	out[n] = '\0';
}

/* A pointer to so many words; its id. */
static int add_memory(struct btf *btf, int bytes)
{
	int words = btf__add_array(btf, TYPE_INT, TYPE_U64, bytes / 8);

	return words > 0 ? btf__add_ptr(btf, words) : words;
}

/* A function of u64 arguments, the first of which may be an address, that returns u64; its id or
 * -errno. */
static int add_proto(struct btf *btf, const struct code *code)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	int first = code->memory ? add_memory(btf, code->memory) : TYPE_U64, id;

	if (code->nargs < 0 || code->nargs > 5)
		return -EINVAL;
	id = first > 0 ? btf__add_func_proto(btf, TYPE_U64) : first;
	for (int i = 0; i < code->nargs && id > 0; i++)
		if (btf__add_func_param(btf, names[i], i ? TYPE_U64 : first))
			return -ENOMEM;
	return id > 0 ? id : -ENOMEM;
}

static int add_func(struct progbtf *pb, const struct prog_func *f, bool is_main, bool global)
{
	char name[MAX_NAME + 1];
	struct bpf_func_info info = {.insn_off = f->start};
	int proto, id, linkage;

	identifier(name, f->code->name);
	proto = is_main ? TYPE_MAIN : add_proto(pb->btf, f->code);
	if (proto < 0)
		return proto;
	linkage = is_main || (global && f->code->is_global) ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC;
	id = btf__add_func(pb->btf, name, linkage, proto);
	if (id < 0)
		return -ENOMEM;
	info.type_id = id;
	vec_push(&pb->funcs, info);
	return 0;
}

/* The line as it may be printed on any terminal. */
static void printable(char out[MAX_TEXT + 1], const char *text, int len)
{
	int n = MIN(len, MAX_TEXT);

	for (int i = 0; i < n; i++) {
		unsigned char c = text[i];

		out[i] = c == '\t' ? ' ' : c < 128 && isprint(c) ? c : '?';
	}
	out[n] = '\0';
}

static int string_offset(struct btf *btf, const char *text, int len)
{
	char clean[MAX_TEXT + 1];

	printable(clean, text, len);
	return btf__add_str(btf, clean);
}

/* Adds strings that name what is at no place in D: the function. */
static int name_function(struct progbtf *pb, const struct prog_func *f, struct bpf_line_info *info)
{
	int file = btf__add_str(pb->btf, ""),
	    text = string_offset(pb->btf, f->code->name, strlen(f->code->name));

	if (file < 0 || text < 0)
		return -ENOMEM;
	info->file_name_off = file;
	info->line_off = text;
	return 0;
}

/* Makes the line of a place the last one, unless it is. */
static int find_line(struct progbtf *pb, struct loc loc)
{
	int column, len, file_len, file_off, text_off;
	const char *file, *text;

	if (pb->last.src == loc.src && loc.off >= pb->last.begin && loc.off <= pb->last.end)
		return 0;
	text = loc_line(loc, &len);
	file = loc_file(loc, &file_len);
	if (!file) {
		file = loc.src->name;
		file_len = strlen(file);
	}
	loc_pos(loc, &pb->last.line, &column);
	file_off = string_offset(pb->btf, file, file_len);
	text_off = string_offset(pb->btf, text, len);
	if (file_off < 0 || text_off < 0)
		return -ENOMEM;
	pb->last.src = loc.src;
	pb->last.begin = text - loc.src->text;
	pb->last.end = pb->last.begin + len;
	pb->last.file_off = file_off;
	pb->last.text_off = text_off;
	return 0;
}

static int add_line(struct progbtf *pb, const struct prog_func *f, int insn, struct loc loc)
{
	struct bpf_line_info info = {.insn_off = f->start + insn};
	uint32_t column;
	int rc;

	rc = loc.src ? find_line(pb, loc) : name_function(pb, f, &info);
	if (rc)
		return rc;
	if (loc.src) {
		column = loc.off - pb->last.begin + 1;
		info.file_name_off = pb->last.file_off;
		info.line_off = pb->last.text_off;
		info.line_col = (uint32_t)MIN(MAX(pb->last.line, 0), MAX_LINE) << 10 |
				MIN(column, (uint32_t)MAX_COLUMN);
	}
	vec_push(&pb->lines, info);
	return 0;
}

static bool same_loc(struct loc a, struct loc b)
{
	return a.src == b.src && a.off == b.off;
}

/*
 * The verifier wants an entry at the start of each function, offsets that increase, and none on the
 * second half of a ld_imm64 (whose code is 0). Where several places claim an instruction, the last
 * one said has it.
 */
static int add_lines(struct progbtf *pb, const struct prog_func *f)
{
	const struct code *c = f->code;
	struct loc loc = {0};
	int i = 0, rc, last = 0;

	while (i < c->lines.n && c->lines.v[i].insn <= 0)
		loc = c->lines.v[i++].loc;
	rc = add_line(pb, f, 0, loc);
	for (; i < c->lines.n && !rc; i++) {
		const struct line *l = &c->lines.v[i];

		if (l->insn >= c->insns.n)
			break;
		if (i + 1 < c->lines.n && c->lines.v[i + 1].insn == l->insn)
			continue;
		if (l->insn <= last || !c->insns.v[l->insn].code || same_loc(l->loc, loc))
			continue;
		loc = l->loc;
		last = l->insn;
		rc = add_line(pb, f, last, loc);
	}
	return rc;
}

int progbtf_build(struct progbtf *pb, const struct prog_image *img, bool global)
{
	int rc;

	memset(pb, 0, sizeof(*pb));
	pb->btf = btf__new_empty();
	if (!pb->btf || libbpf_get_error(pb->btf)) {
		pb->btf = NULL;
		return -ENOMEM;
	}
	rc = base_types(pb->btf);
	for (int i = 0; i < img->funcs.n && !rc; i++) {
		rc = add_func(pb, &img->funcs.v[i], i == 0, global);
		if (!rc)
			rc = add_lines(pb, &img->funcs.v[i]);
	}
	return rc;
}

void progbtf_free(struct progbtf *pb)
{
	btf__free(pb->btf);
	vec_free(&pb->funcs);
	vec_free(&pb->lines);
	pb->btf = NULL;
}
