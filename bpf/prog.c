/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/prog.h"

#include <bpf/btf.h>
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/map.h"
#include "bpf/progbtf.h"
#include "bpf/sys.h"

/* The kernel's MAX_BPF_FUNC_ARGS. */
enum { RUN_ARGS = 12 };
/*
 * The log's buffer while it proves too small; kernels before 6.4 keep the beginning, and the reason
 * is at the end.
 */
enum { LOG_FIRST = 256 << 10, LOG_MOST = 64 << 20 };

void prog_init(struct prog *p, const char *name, enum bpf_prog_type type)
{
	memset(p, 0, sizeof(*p));
	sys_name(p->name, name);
	p->type = type;
	p->fd = -1;
}

static struct code *find_func(const struct prog *p, const char *name)
{
	for (int i = 0; i < p->funcs.n; i++)
		if (!strcmp(p->funcs.v[i]->name, name))
			return p->funcs.v[i];
	return NULL;
}

void prog_add(struct prog *p, struct code *func)
{
	if (!find_func(p, func->name))
		vec_push(&p->funcs, func);
}

/*
 * Index in img of a function, which is put at the end unless it is there; -ENOENT when the program
 * has none.
 */
static int place(const struct prog *p, struct prog_image *img, const char *name)
{
	struct prog_func f = {.start = img->insns.n};

	for (int i = 1; i < img->funcs.n; i++)
		if (!strcmp(img->funcs.v[i].code->name, name))
			return i;
	f.code = find_func(p, name);
	if (!f.code)
		return -ENOENT;
	if (f.code->error || !f.code->insns.n)
		return -EINVAL;
	vec_push(&img->funcs, f);
	vec_reserve(&img->insns, f.start + f.code->insns.n);
	memcpy(img->insns.v + f.start, f.code->insns.v, f.code->insns.n * sizeof(*img->insns.v));
	img->insns.n += f.code->insns.n;
	return img->funcs.n - 1;
}

static bool is_imm64(const struct code *c, int insn)
{
	return insn >= 0 && insn < c->insns.n - 1 &&
	       c->insns.v[insn].code == (BPF_LD | BPF_IMM | BPF_DW);
}

static bool is_call(const struct code *c, int insn)
{
	return insn >= 0 && insn < c->insns.n && c->insns.v[insn].code == (BPF_JMP | BPF_CALL);
}

/* Calls and addresses of functions are relative to the instruction after. */
static int resolve_call(const struct prog *p, struct prog_image *img, const struct prog_func *from,
			const struct reloc *r)
{
	int at = from->start + r->insn, to;
	bool address = is_imm64(from->code, r->insn);

	if (!address && !is_call(from->code, r->insn))
		return -EINVAL;
	to = place(p, img, r->func);
	if (to < 0)
		return to;
	img->insns.v[at].src_reg = address ? BPF_PSEUDO_FUNC : BPF_PSEUDO_CALL;
	img->insns.v[at].imm = img->funcs.v[to].start - at - 1;
	return 0;
}

static int resolve_calls(const struct prog *p, struct prog_image *img, struct prog_func from)
{
	int rc = 0;

	for (int i = 0; i < from.code->relocs.n && !rc; i++)
		if (from.code->relocs.v[i].kind == RELOC_CALL)
			rc = resolve_call(p, img, &from, &from.code->relocs.v[i]);
	return rc;
}

int prog_join(const struct prog *p, struct prog_image *img)
{
	struct prog_func f = {.code = p->main};
	int rc = 0;

	memset(img, 0, sizeof(*img));
	if (!f.code || f.code->error || !f.code->insns.n)
		return -EINVAL;
	vec_push(&img->funcs, f);
	vec_reserve(&img->insns, f.code->insns.n);
	memcpy(img->insns.v, f.code->insns.v, f.code->insns.n * sizeof(*img->insns.v));
	img->insns.n = f.code->insns.n;
	/* Resolving places further functions at the end, until all that is reached is there. */
	for (int i = 0; i < img->funcs.n && !rc; i++)
		rc = resolve_calls(p, img, img->funcs.v[i]);
	return rc;
}

static int resolve_map(struct prog_image *img, const struct prog_func *f, const struct reloc *r)
{
	bool mem = r->kind == RELOC_MAP_MEM;
	struct bpf_insn *insn;
	int rc;

	if (!r->map || !is_imm64(f->code, r->insn) || (mem && r->off >= r->map->value_size))
		return -EINVAL;
	rc = map_create(r->map);
	if (rc)
		return rc;
	insn = &img->insns.v[f->start + r->insn];
	insn[0].src_reg = mem ? BPF_PSEUDO_MAP_VALUE : BPF_PSEUDO_MAP_FD;
	insn[0].imm = r->map->fd;
	insn[1].imm = mem ? r->off : 0;
	return 0;
}

int prog_relocate(struct prog_image *img)
{
	int rc = 0;

	for (int i = 0; i < img->funcs.n; i++) {
		const struct prog_func *f = &img->funcs.v[i];

		for (int k = 0; k < f->code->relocs.n && !rc; k++)
			if (f->code->relocs.v[k].kind != RELOC_CALL)
				rc = resolve_map(img, f, &f->code->relocs.v[k]);
	}
	return rc;
}

int prog_maps(const struct prog *p)
{
	VEC(const struct map *) maps = {0};
	struct prog_image img;
	bool joined = !prog_join(p, &img);
	int n;

	for (int i = 0; joined && i < img.funcs.n; i++) {
		const struct code *code = img.funcs.v[i].code;

		for (int k = 0; k < code->relocs.n; k++) {
			bool known = code->relocs.v[k].kind == RELOC_CALL;

			for (int j = 0; j < maps.n && !known; j++)
				known = maps.v[j] == code->relocs.v[k].map;
			if (!known)
				vec_push(&maps, code->relocs.v[k].map);
		}
	}
	prog_image_free(&img);
	n = maps.n;
	vec_free(&maps);
	return n;
}

void prog_image_free(struct prog_image *img)
{
	vec_free(&img->insns);
	vec_free(&img->funcs);
}

/* A load that is being tried: attr points into the rest. */
struct load {
	union bpf_attr attr;
	struct progbtf btf;
	int btf_fd;
};

/*
 * Runs cmd with a log in a buffer, of n bytes at first, that grows until the log fits. The log's
 * members are at different places in the attr of different commands, hence the pointers.
 */
static int call_logged(int cmd, union bpf_attr *attr, __u64 *buf, __u32 *size, uint32_t n,
		       struct strbuf *log)
{
	char *text = NULL;
	int rc;

	for (;; n *= 4) {
		text = xrealloc(text, n);
		*text = '\0';
		*buf = sys_ptr(text);
		*size = n;
		rc = sys_bpf_make(cmd, attr, sizeof(*attr));
		if (rc != -ENOSPC || n >= LOG_MOST)
			break;
	}
	text[n - 1] = '\0';
	sb_puts(log, text);
	free(text);
	*buf = 0;
	*size = 0;
	return rc;
}

/* The log has a line for each instruction on each path: a large program is not verified three times
 * for a buffer that is too small. */
static uint32_t log_guess(uint32_t insns)
{
	enum { EACH = 256 };
	uint32_t n = LOG_FIRST;

	while (n < LOG_MOST && n / EACH < insns)
		n *= 4;
	return n;
}

static int load_btf(struct load *l, struct strbuf *log)
{
	union bpf_attr attr;
	const void *data;
	uint32_t size;
	int rc;

	data = btf__raw_data(l->btf.btf, &size);
	if (!data)
		return -ENOMEM;
	memset(&attr, 0, sizeof(attr));
	attr.btf = sys_ptr(data);
	attr.btf_size = size;
	rc = sys_bpf_make(BPF_BTF_LOAD, &attr, sizeof(attr));
	if (rc < 0 && !sys_is_shortage(rc) && log) {
		attr.btf_log_level = 1;
		call_logged(BPF_BTF_LOAD, &attr, &attr.btf_log_buf, &attr.btf_log_size, LOG_FIRST,
			    log);
	}
	return rc;
}

/* Gives the program types and lines. */
static int add_btf(struct load *l, const struct prog_image *img, bool global, struct strbuf *log)
{
	int rc = progbtf_build(&l->btf, img, global);

	if (rc)
		return rc;
	rc = load_btf(l, log);
	if (rc < 0)
		return rc;
	l->btf_fd = rc;
	l->attr.prog_btf_fd = rc;
	l->attr.func_info_rec_size = sizeof(*l->btf.funcs.v);
	l->attr.func_info = sys_ptr(l->btf.funcs.v);
	l->attr.func_info_cnt = l->btf.funcs.n;
	l->attr.line_info_rec_size = sizeof(*l->btf.lines.v);
	l->attr.line_info = sys_ptr(l->btf.lines.v);
	l->attr.line_info_cnt = l->btf.lines.n;
	return 0;
}

static void fill(union bpf_attr *attr, const struct prog *p, const struct prog_image *img)
{
	memset(attr, 0, sizeof(*attr));
	attr->prog_type = p->type;
	attr->expected_attach_type = p->attach_type;
	attr->attach_btf_id = p->attach_btf_id;
	attr->attach_prog_fd = p->attach_btf_fd; /* which is attach_btf_obj_fd in newer headers */
	attr->prog_flags = p->may_sleep ? BPF_F_SLEEPABLE : 0;
	attr->insns = sys_ptr(img->insns.v);
	attr->insn_cnt = img->insns.n;
	attr->license = sys_ptr("GPL");
	memcpy(attr->prog_name, p->name, sizeof(p->name));
}

/* BTF matters to the verifier only where it has something to say about functions. */
static bool needs_btf(const struct prog_image *img)
{
	for (int i = 0; i < img->insns.n; i++)
		if (img->insns.v[i].code == (BPF_LD | BPF_IMM | BPF_DW) &&
		    img->insns.v[i].src_reg == BPF_PSEUDO_FUNC)
			return true;
	for (int i = 1; i < img->funcs.n; i++)
		if (img->funcs.v[i].code->is_global)
			return true;
	return false;
}

/*
 * Nearly every program loads, so the first try has no log, and no BTF unless the program needs it,
 * which spares 0.1 to 0.2 ms each. A program that fails is loaded again with both, for a log that
 * quotes D.
 */
static int load_image(struct load *l, const struct prog *p, const struct prog_image *img,
		      struct feats *feats, struct strbuf *log, bool verbose)
{
	bool btf = needs_btf(img);
	bool global = btf && (!feats || feat(feats, FEAT_GLOBAL_FUNC));
	int rc, again;

	fill(&l->attr, p, img);
	rc = btf ? add_btf(l, img, global, log) : 0;
	if (rc)
		return rc;
	rc = sys_bpf_make(BPF_PROG_LOAD, &l->attr, sizeof(l->attr));
	if (!log || sys_is_shortage(rc) || (rc >= 0 && !verbose))
		return rc;
	if (!btf && add_btf(l, img, false, NULL))
		l->attr.prog_btf_fd = 0;	 /* a log without D is better than none */
	l->attr.log_level = rc >= 0 ? 1 | 4 : 1; /* 4: what it cost */
	again = call_logged(BPF_PROG_LOAD, &l->attr, &l->attr.log_buf, &l->attr.log_size,
			    log_guess(l->attr.insn_cnt), log);
	if (again < 0)
		return rc;
	if (rc >= 0)
		close(rc);
	else if (!verbose)
		sb_free(log); /* it has loaded, the second time */
	return again;
}

int prog_load(struct prog *p, struct feats *feats, struct strbuf *log, bool verbose)
{
	struct load l = {.btf_fd = -1};
	struct prog_image img;
	int rc;

	if (p->fd >= 0)
		return 0;
	rc = prog_join(p, &img);
	if (!rc)
		rc = prog_relocate(&img);
	if (!rc)
		rc = load_image(&l, p, &img, feats, log, verbose);
	progbtf_free(&l.btf);
	if (l.btf_fd >= 0)
		close(l.btf_fd);
	prog_image_free(&img);
	if (rc < 0)
		return rc;
	p->fd = rc;
	return 0;
}

int prog_run(struct prog *p, const uint64_t *args, int nargs, int64_t *result)
{
	/*
	 * All of them always: the kernel refuses a context that is shorter than what the program
	 * may read.
	 */
	uint64_t ctx[RUN_ARGS] = {0};
	union bpf_attr attr;
	int rc;

	if (nargs < 0 || nargs > RUN_ARGS)
		return -EINVAL;
	if (nargs)
		memcpy(ctx, args, nargs * sizeof(*ctx));
	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = p->fd;
	attr.test.ctx_in = sys_ptr(ctx);
	attr.test.ctx_size_in = sizeof(ctx);
	rc = sys_bpf(BPF_PROG_TEST_RUN, &attr, sizeof(attr));
	if (rc < 0)
		return rc;
	if (result)
		*result = (int32_t)attr.test.retval;
	return 0;
}

struct counts {
	uint64_t info[SYS_INFO_MISSES + 1];
};

/* Zeroes where there is none of it. */
static struct counts counts_of(const struct prog *p)
{
	struct counts c = {{0}};
	uint32_t size = sizeof(c.info);

	if (p->fd < 0 || bpf_obj_get_info_by_fd(p->fd, (struct bpf_prog_info *)c.info, &size))
		return (struct counts){{0}};
	return c;
}

uint64_t prog_misses(const struct prog *p)
{
	return counts_of(p).info[SYS_INFO_MISSES];
}

void prog_time(const struct prog *p, uint64_t *ns, uint64_t *runs)
{
	struct counts c = counts_of(p);

	*ns = c.info[SYS_INFO_RUN_NS];
	*runs = c.info[SYS_INFO_RUNS];
}

double prog_time_floor(void)
{
	enum { RUNS = 20000, PACKET = 14 };
	static const struct bpf_insn nothing[] = {
	    {.code = BPF_ALU64 | BPF_MOV | BPF_K},
	    {.code = BPF_JMP | BPF_EXIT},
	};
	static const char packet[PACKET];
	struct prog p = {.fd = -1};
	union bpf_attr load = {.prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
			       .insn_cnt = 2,
			       .insns = sys_ptr(nothing),
			       .license = sys_ptr("GPL")},
		       run = {0};
	uint64_t ns = 0, runs = 0;

	p.fd = sys_bpf_make(BPF_PROG_LOAD, &load, sizeof(load));
	run.test.prog_fd = p.fd;
	run.test.repeat = RUNS;
	run.test.data_in = sys_ptr(packet);
	run.test.data_size_in = sizeof(packet);
	if (p.fd >= 0 && sys_bpf(BPF_PROG_TEST_RUN, &run, sizeof(run)) >= 0)
		prog_time(&p, &ns, &runs);
	if (p.fd >= 0)
		close(p.fd);
	return runs ? (double)ns / runs : 0;
}

void prog_close(struct prog *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	vec_free(&p->funcs);
}
