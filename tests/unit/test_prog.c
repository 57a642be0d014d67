/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What programs, their BTF, hooks and features do without a kernel's help. */
#include <bpf/btf.h>
#include <check.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>

#include "bpf/feat.h"
#include "bpf/hook.h"
#include "bpf/map.h"
#include "bpf/prog.h"
#include "bpf/progbtf.h"
#include "bpf/sys.h"
#include "tests/unit/bpfinsn.h"
#include "libdt/base/machine/machine.h"
#include "libdt/simulate/bpfvm.h"

static struct arena *arena;

static void setup(void)
{
	arena = arena_new();
}

static void teardown(void)
{
	arena_free(arena);
}

static struct reloc call_of(int insn, const char *func)
{
	return (struct reloc){.kind = RELOC_CALL, .insn = insn, .func = func};
}

/* main calls b, b calls c twice, c takes the address of d; a is not called. */
static void make_prog(struct prog *p)
{
	struct code *b = CODE(arena, "b", MOV(1, 1), CALL(0), CALL(0), EXIT());
	struct code *c = CODE(arena, "c", IMM64(2), MOV(0, 7), EXIT());

	prog_init(p, "p", BPF_PROG_TYPE_RAW_TRACEPOINT);
	p->main = CODE(arena, "main", MOV(1, 0), CALL(0), MOV(0, 0), EXIT());
	code_reloc(arena, p->main, call_of(1, "b"));
	code_reloc(arena, b, call_of(1, "c"));
	code_reloc(arena, b, call_of(2, "c"));
	code_reloc(arena, c, call_of(0, "d"));
	prog_add(p, CODE(arena, "a", MOV(0, 0), EXIT()));
	prog_add(p, b);
	prog_add(p, CODE(arena, "d", MOV(0, 3), EXIT()));
	prog_add(p, c);
	prog_add(p, CODE(arena, "d", MOV(0, 4), MOV(0, 4), EXIT()));
}

START_TEST(join_places_what_is_reached)
{
	struct prog_image img;
	struct prog p;

	make_prog(&p);
	ck_assert_int_eq(p.funcs.n, 4); /* the second d is not added */
	ck_assert_int_eq(prog_join(&p, &img), 0);
	ck_assert_int_eq(img.funcs.n, 4);
	ck_assert_int_eq(img.insns.n, 4 + 4 + 4 + 2);
	ck_assert_str_eq(img.funcs.v[0].code->name, "main");
	ck_assert_int_eq(img.funcs.v[0].start, 0);
	ck_assert_str_eq(img.funcs.v[1].code->name, "b");
	ck_assert_int_eq(img.funcs.v[1].start, 4);
	ck_assert_str_eq(img.funcs.v[2].code->name, "c");
	ck_assert_int_eq(img.funcs.v[2].start, 8);
	ck_assert_str_eq(img.funcs.v[3].code->name, "d");
	ck_assert_int_eq(img.funcs.v[3].start, 12);
	/* main+1 -> 4, b+1 = 5 -> 8, b+2 = 6 -> 8, c+0 = 8 -> 12: all from the instruction after */
	ck_assert_int_eq(img.insns.v[1].imm, 2);
	ck_assert_int_eq(img.insns.v[1].src_reg, BPF_PSEUDO_CALL);
	ck_assert_int_eq(img.insns.v[5].imm, 2);
	ck_assert_int_eq(img.insns.v[6].imm, 1);
	ck_assert_int_eq(img.insns.v[8].imm, 3);
	ck_assert_int_eq(img.insns.v[8].src_reg, BPF_PSEUDO_FUNC);
	/* the code that was joined is as it was */
	ck_assert_int_eq(p.main->insns.v[1].imm, 0);
	prog_image_free(&img);
	prog_close(&p);
}
END_TEST

START_TEST(join_refuses)
{
	struct prog_image img;
	struct prog p;

	prog_init(&p, "p", BPF_PROG_TYPE_RAW_TRACEPOINT);
	ck_assert_int_eq(prog_join(&p, &img), -EINVAL);
	p.main = CODE(arena, "main", CALL(0), EXIT());
	code_reloc(arena, p.main, call_of(0, "nowhere"));
	ck_assert_int_eq(prog_join(&p, &img), -ENOENT);
	prog_image_free(&img);

	p.main = CODE(arena, "main", MOV(0, 0), EXIT());
	p.main->error = "frame too large";
	ck_assert_int_eq(prog_join(&p, &img), -EINVAL);

	/* a call's relocation on another instruction, and after the end */
	prog_add(&p, CODE(arena, "f", EXIT()));
	p.main = CODE(arena, "main", MOV(0, 0), EXIT());
	code_reloc(arena, p.main, call_of(0, "f"));
	ck_assert_int_eq(prog_join(&p, &img), -EINVAL);
	prog_image_free(&img);
	p.main = CODE(arena, "main", MOV(0, 0), CALL(0));
	code_reloc(arena, p.main, call_of(2, "f"));
	ck_assert_int_eq(prog_join(&p, &img), -EINVAL);
	prog_image_free(&img);
	prog_close(&p);
}
END_TEST

START_TEST(relocates_maps)
{
	struct prog_image img;
	struct map hash, mem;
	struct prog p;

	map_init(&hash, "a-name that is too long", BPF_MAP_TYPE_HASH, 8, 8, 10);
	ck_assert_str_eq(hash.name, "a_name_that_is_");
	map_init_memory(&mem, "mem", 64);
	hash.fd = 77;
	mem.fd = 78;
	prog_init(&p, "p", BPF_PROG_TYPE_RAW_TRACEPOINT);
	p.main = CODE(arena, "main", IMM64(1), CALL(0), IMM64(2), EXIT());
	code_reloc(arena, p.main, call_of(2, "f"));
	code_reloc(arena, p.main,
		   (struct reloc){.kind = RELOC_MAP, .insn = 0, .map = &hash, .off = 5});
	code_reloc(arena, p.main,
		   (struct reloc){.kind = RELOC_MAP_MEM, .insn = 3, .map = &mem, .off = 63});
	prog_add(&p, CODE(arena, "f", IMM64(1), EXIT()));
	code_reloc(arena, p.funcs.v[0],
		   (struct reloc){.kind = RELOC_MAP_MEM, .insn = 0, .map = &mem});
	ck_assert_int_eq(prog_join(&p, &img), 0);
	ck_assert_int_eq(prog_relocate(&img), 0);
	ck_assert_int_eq(img.insns.v[0].src_reg, BPF_PSEUDO_MAP_FD);
	ck_assert_int_eq(img.insns.v[0].imm, 77);
	ck_assert_int_eq(img.insns.v[1].imm, 0);
	ck_assert_int_eq(img.insns.v[3].src_reg, BPF_PSEUDO_MAP_VALUE);
	ck_assert_int_eq(img.insns.v[3].imm, 78);
	ck_assert_int_eq(img.insns.v[4].imm, 63);
	ck_assert_int_eq(img.insns.v[6].imm, 78);
	ck_assert_int_eq(img.insns.v[7].imm, 0);
	prog_image_free(&img);

	p.main->relocs.v[2].off = 64; /* outside of the map's memory */
	ck_assert_int_eq(prog_join(&p, &img), 0);
	ck_assert_int_eq(prog_relocate(&img), -EINVAL);
	prog_image_free(&img);
	p.main->relocs.v[2] =
	    (struct reloc){.kind = RELOC_MAP, .insn = 2, .map = &hash}; /* a call */
	ck_assert_int_eq(prog_join(&p, &img), 0);
	ck_assert_int_eq(prog_relocate(&img), -EINVAL);
	prog_image_free(&img);
	prog_close(&p);
}
END_TEST

/* The kernel's view: the blob alone, as bytes. */
static struct btf *parse_back(const struct progbtf *pb)
{
	const void *data;
	uint32_t size;
	struct btf *btf;

	data = btf__raw_data(pb->btf, &size);
	ck_assert_ptr_nonnull(data);
	btf = btf__new(data, size);
	ck_assert_ptr_nonnull(btf);
	return btf;
}

static const char *text_at(const struct btf *btf, uint32_t off)
{
	const char *s = btf__name_by_offset(btf, off);

	ck_assert_ptr_nonnull(s);
	return s;
}

static void check_func(const struct btf *btf, const struct bpf_func_info *info, int insn,
		       const char *name, int linkage, int nargs)
{
	const struct btf_type *func = btf__type_by_id(btf, info->type_id), *proto;

	ck_assert_ptr_nonnull(func);
	ck_assert_int_eq(info->insn_off, insn);
	ck_assert_int_eq(btf_kind(func), BTF_KIND_FUNC);
	ck_assert_str_eq(text_at(btf, func->name_off), name);
	ck_assert_int_eq(btf_vlen(func), linkage);
	proto = btf__type_by_id(btf, func->type);
	ck_assert_int_eq(btf_kind(proto), BTF_KIND_FUNC_PROTO);
	ck_assert_int_eq(btf_vlen(proto), nargs);
	ck_assert_int_eq(btf_kind(btf__type_by_id(btf, proto->type)), BTF_KIND_INT);
	for (int i = 0; i < nargs; i++) {
		const struct btf_type *t = btf__type_by_id(btf, btf_params(proto)[i].type);

		ck_assert_str_ne(text_at(btf, btf_params(proto)[i].name_off), "");
		ck_assert_int_eq(btf_kind(t), BTF_KIND_INT);
		ck_assert_int_eq(t->size, 8);
	}
}

START_TEST(btf_has_functions)
{
	struct prog_image img;
	struct progbtf pb;
	struct btf *btf;
	struct prog p;

	make_prog(&p);
	p.funcs.v[1]->is_global = true; /* b */
	p.funcs.v[1]->nargs = 5;
	p.funcs.v[1]->name = "b";
	p.main->name = "9 lives/of:main";
	p.funcs.v[3]->nargs = 0;
	ck_assert_int_eq(prog_join(&p, &img), 0);
	for (int global = 0; global < 2; global++) {
		ck_assert_int_eq(progbtf_build(&pb, &img, global), 0);
		btf = parse_back(&pb);
		ck_assert_int_eq(pb.funcs.n, 4);
		check_func(btf, &pb.funcs.v[0], 0, "_9_lives_of_main", BTF_FUNC_GLOBAL, 0);
		check_func(btf, &pb.funcs.v[1], 4, "b", global ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC,
			   5);
		check_func(btf, &pb.funcs.v[2], 8, "c", BTF_FUNC_STATIC, 0);
		check_func(btf, &pb.funcs.v[3], 12, "d", BTF_FUNC_STATIC, 1);
		/* no places at all: one entry with its name for each function's start */
		ck_assert_int_eq(pb.lines.n, 4);
		for (int i = 0; i < 4; i++) {
			ck_assert_int_eq(pb.lines.v[i].insn_off, pb.funcs.v[i].insn_off);
			ck_assert_str_eq(text_at(btf, pb.lines.v[i].line_off),
					 img.funcs.v[i].code->name);
			ck_assert_int_eq(pb.lines.v[i].file_name_off, 0);
			ck_assert_int_eq(pb.lines.v[i].line_col, 0);
		}
		btf__free(btf);
		progbtf_free(&pb);
	}
	p.funcs.v[1]->nargs = 6;
	ck_assert_int_eq(progbtf_build(&pb, &img, true), -EINVAL);
	progbtf_free(&pb);
	prog_image_free(&img);
	prog_close(&p);
}
END_TEST

static void check_line(const struct btf *btf, const struct bpf_line_info *l, int insn, int line,
		       int column, const char *text)
{
	ck_assert_int_eq(l->insn_off, insn);
	ck_assert_int_eq(BPF_LINE_INFO_LINE_NUM(l->line_col), line);
	ck_assert_int_eq(BPF_LINE_INFO_LINE_COL(l->line_col), column);
	ck_assert_str_eq(text_at(btf, l->line_off), text);
}

START_TEST(btf_has_lines)
{
	static const char text[] = "BEGIN\n{\n\tx = \"\x1b\xe4\";\n\ty++;\n}\n";
	struct source *src = source_new(arena, SOURCE_FILE, "a\n.d", text, sizeof(text) - 1);
	struct loc x = {src, 9, 1}, semi = {src, 17, 1}, y = {src, 20, 1}, end = {src, 25, 1};
	struct prog_image img;
	struct progbtf pb;
	struct btf *btf;
	struct prog p;

	prog_init(&p, "p", BPF_PROG_TYPE_RAW_TRACEPOINT);
	p.main = CODE(arena, "main", CALL(0), IMM64(1), MOV(1, 1), MOV(0, 0), EXIT());
	code_reloc(arena, p.main, call_of(0, "f"));
	code_line(arena, p.main, 0, y); /* gives way to the next */
	code_line(arena, p.main, 0, x);
	code_line(arena, p.main, 1, x);	   /* nothing new */
	code_line(arena, p.main, 2, semi); /* in the middle of an instruction */
	code_line(arena, p.main, 3, semi);
	code_line(arena, p.main, 4, x); /* gives way */
	code_line(arena, p.main, 4, y);
	code_line(arena, p.main, 3, end); /* goes back */
	code_line(arena, p.main, 6, end); /* after the end */
	prog_add(&p, CODE(arena, "f", MOV(0, 0), EXIT()));
	code_line(arena, p.funcs.v[0], 1, end);
	ck_assert_int_eq(prog_join(&p, &img), 0);
	ck_assert_int_eq(progbtf_build(&pb, &img, true), 0);
	btf = parse_back(&pb);
	ck_assert_int_eq(pb.lines.n, 5);
	check_line(btf, &pb.lines.v[0], 0, 3, 2, " x = \"\?\?\";");
	check_line(btf, &pb.lines.v[1], 3, 3, 10, " x = \"\?\?\";");
	check_line(btf, &pb.lines.v[2], 4, 4, 2, " y++;");
	check_line(btf, &pb.lines.v[3], 6, 0, 0, "f");
	check_line(btf, &pb.lines.v[4], 7, 5, 1, "}");
	ck_assert_str_eq(text_at(btf, pb.lines.v[0].file_name_off), "a?.d");
	btf__free(btf);
	progbtf_free(&pb);
	prog_image_free(&img);
	prog_close(&p);
}
END_TEST

START_TEST(btf_cuts_long_lines)
{
	char *text = arena_alloc(arena, 5001);
	struct source *src;
	struct prog_image img;
	struct progbtf pb;
	struct prog p;

	memset(text, 'x', 5000);
	src = source_new(arena, SOURCE_PROBE, text, text, 5000);
	prog_init(&p, "p", BPF_PROG_TYPE_RAW_TRACEPOINT);
	p.main = CODE(arena, "main", MOV(0, 0), EXIT());
	code_line(arena, p.main, 0, (struct loc){src, 4000, 1});
	ck_assert_int_eq(prog_join(&p, &img), 0);
	ck_assert_int_eq(progbtf_build(&pb, &img, true), 0);
	ck_assert_int_eq(pb.lines.n, 1);
	ck_assert_int_eq(BPF_LINE_INFO_LINE_COL(pb.lines.v[0].line_col), 1023);
	ck_assert_int_eq(BPF_LINE_INFO_LINE_NUM(pb.lines.v[0].line_col), 1);
	ck_assert_uint_eq(strlen(text_at(pb.btf, pb.lines.v[0].line_off)), 160);
	progbtf_free(&pb);
	prog_image_free(&img);
	prog_close(&p);
}
END_TEST

/* What a hook's argument n is, when ctx is this memory. */
static uint64_t run_arg(enum hook_kind kind, const uint64_t *ctx, size_t size, int n)
{
	struct ir *ir = ir_new(arena, "main", 1);
	struct bpfvm vm = {0};
	struct code *code;
	uint64_t value;

	ir_ret(ir, hook_get(kind)->arg(ir, ir_arg(ir, 0), n));
	code = ir_finish(ir, NULL, 0);
	ck_assert_ptr_null(code->error);
	vm.funcs = &code;
	vm.nfuncs = 1;
	bpfvm_region(&vm, ctx, size, false);
	value = bpfvm_run(&vm, code, 1, (uint64_t[]){(uintptr_t)ctx});
	ck_assert_msg(!vm.error, "%s", vm.message);
	bpfvm_done(&vm);
	return value;
}

START_TEST(hook_arguments)
{
	struct ir *ir = ir_new(arena, "main", 1);
	uint64_t ctx[48], pc_user = 0x00007f1234567890, pc_kernel = 0xffffffff81000123;
	int pc = machine_here->regs.pc;

	for (int i = 0; i < 48; i++)
		ctx[i] = 0xf0f0000000000000 + i;
	for (int i = 0; i < 12; i++) {
		ck_assert_uint_eq(run_arg(HOOK_RUN, ctx, 12 * 8, i), ctx[i]);
		ck_assert_uint_eq(run_arg(HOOK_RAWTP, ctx, 12 * 8, i), ctx[i]);
	}
	ctx[pc] = pc_kernel;
	ck_assert_uint_eq(run_arg(HOOK_PERF, ctx, sizeof(ctx), 0), pc_kernel);
	ck_assert_uint_eq(run_arg(HOOK_PERF, ctx, sizeof(ctx), 1), 0);
	ctx[pc] = pc_user;
	ck_assert_uint_eq(run_arg(HOOK_PERF, ctx, sizeof(ctx), 0), 0);
	ck_assert_uint_eq(run_arg(HOOK_PERF, ctx, sizeof(ctx), 1), pc_user);

	ck_assert_int_eq(hook_get(HOOK_RAWTP)->arg(ir, 1, 12), -1);
	ck_assert_int_eq(hook_get(HOOK_RAWTP)->arg(ir, 1, -1), -1);
	ck_assert_int_eq(hook_get(HOOK_PERF)->arg(ir, 1, 2), -1);
	ck_assert_ptr_null(hook_get(HOOK_TP)->arg);
}
END_TEST

START_TEST(hook_rows)
{
	struct feats *f = feats_new();
	struct hook_links links = {0};
	struct target t = {.cpu = -1};

	ck_assert_int_eq(feats_disable(f, "perf_cookie,rawtp_cookie,kprobe_multi,uprobe_multi"), 0);
	for (int i = 0; i < HOOK_COUNT; i++) {
		const struct hook *h = hook_get(i);

		ck_assert_ptr_nonnull(h->name);
		ck_assert_int_eq(h->cookie_feat >= 0, !!h->cookie);
		ck_assert(!hook_has_cookie(f, i));
	}
	ck_assert_int_eq(hook_attach(HOOK_RUN, 0, &t, 0, &links), -EOPNOTSUPP);
	ck_assert_int_eq(links.fds.n, 0);
	hook_detach(&links);
	feats_free(f);
}
END_TEST

static char *report(struct feats *f)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	feats_report(f, out);
	fclose(out);
	return text;
}

START_TEST(features_forced_off)
{
	struct feats *f = feats_new();
	struct strbuf why = {0};
	char *text;

	ck_assert_int_eq(feats_disable(f, "loop,nonsense"), -EINVAL);
	ck_assert_int_eq(feats_disable(f, ""), -EINVAL);
	ck_assert_int_eq(feats_disable(f, "loop,"), -EINVAL);
	ck_assert_int_eq(feats_disable(f, "LOOP"), -EINVAL);
	text = report(f);
	ck_assert_ptr_null(strstr(text, " off "));
	free(text);
	feats_free(f);

	f = feats_new();
	ck_assert_int_eq(feats_disable(f, "loop,kprobe_multi"), 0);
	ck_assert(!feat(f, FEAT_LOOP));
	ck_assert(!feat(f, FEAT_KPROBE_MULTI));
	text = report(f);
	ck_assert_ptr_nonnull(strstr(text, "\nloop             off  bpf_loop (Linux 5.17)\n"));
	ck_assert_ptr_nonnull(strstr(text, "\nkprobe_multi     off  "));
	free(text);
	ck_assert_int_eq(feats_disable(f, "all"), 0);
	for (int i = 0; i < FEAT_COUNT; i++)
		if (i != FEAT_BPF && i != FEAT_RINGBUF && i != FEAT_READ_KERNEL &&
		    i != FEAT_BOUNDED_LOOP && i != FEAT_BTF)
			ck_assert(feat_is_off(f, i) && !feat(f, i));
	ck_assert(!feats_why_unsupported(f, false, &why));
	ck_assert_int_eq(feats_disable(f, "ringbuf"), 0);
	ck_assert(feats_why_unsupported(f, false, &why));
	ck_assert_str_eq(sb_str(&why), "this kernel has no ring buffer, which dtrace needs: Linux "
				       "5.8 has it");
	sb_free(&why);
	feats_free(f);
}
END_TEST

START_TEST(names)
{
	char name[16];

	sys_name(name, "");
	ck_assert_str_eq(name, "");
	sys_name(name, "a.b_C9 \xe4-");
	ck_assert_str_eq(name, "a.b_C9___");
	sys_name(name, "0123456789abcdefgh");
	ck_assert_str_eq(name, "0123456789abcde");
}
END_TEST

Suite *prog_suite(void)
{
	Suite *s = suite_create("prog");
	TCase *tc = tcase_create("prog");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, join_places_what_is_reached);
	tcase_add_test(tc, join_refuses);
	tcase_add_test(tc, relocates_maps);
	tcase_add_test(tc, btf_has_functions);
	tcase_add_test(tc, btf_has_lines);
	tcase_add_test(tc, btf_cuts_long_lines);
	tcase_add_test(tc, hook_arguments);
	tcase_add_test(tc, hook_rows);
	tcase_add_test(tc, features_forced_off);
	tcase_add_test(tc, names);
	suite_add_tcase(s, tc);
	return s;
}
