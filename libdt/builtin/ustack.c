/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the process is: ustack(), ustackdepth, ucaller; and its addresses as symbols: uaddr(),
 * usym(), ufunc(), umod().
 *
 * The kernel follows frame pointers; we follow tables of the program's files (bpf/rt_unwind.c),
 * or with -x unwind=fp do as it does. At the first instruction of a function the caller is not in
 * the chain of frame pointers yet, only its return address on the stack: old kernels leave it
 * out, and it is put in here.
 *
 * Values carry the process's id in front, for the addresses mean nothing without it. A process
 * may be gone when they are printed, so dtrace hears of each process when one of these is first
 * used in it (dt_process), and looks at once at what it has mapped.
 */
#include <string.h>

#include "libdt/base/machine/machine.h"
#include "libdt/builtin/builtin.h"
#include "libdt/consumer/consume.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/symbols/usym.h"

/*
 * What is taken, in words: two for the process and an inserted frame, the frames, and after them
 * where the stack begins (0 when a frame was inserted, else 1) and the number of frames.
 */
enum { STACK_MAX = 127, PROCESSES = 8192, WORD_FRAMES = 2, SURPLUS = 2 };

struct taken {
	uint32_t off;	   /* in the slot */
	uint32_t begin, n; /* offsets of those two words */
};

static int load(struct gen *g, int off)
{
	int r = ir_reg(g->ir);

	ir_ld(g->ir, 8, r, gen_slot(g), off);
	return r;
}

static int current_process(struct gen *g)
{
	int r = gen_copy(g, ir_call_const(g->ir, BPF_FUNC_get_current_pid_tgid, 0, NULL));

	ir_alui(g->ir, BPF_RSH, r, 32);
	return r;
}

/* dt_process(pid, again): reports a process to dtrace, once; or again, when that was so many
 * nanoseconds ago (0: never). */
struct ir *gen_process_routine(struct codegen *cg)
{
	struct ir *ir = ir_new(cg->arena, "dt_process", 2);
	int pid = ir_arg(ir, 0), again = ir_arg(ir, 1), frame = ir_frame(ir, 16), key = ir_reg(ir),
	    value = ir_reg(ir), m = ir_reg(ir);
	int known = ir_label(ir), none = ir_label(ir), fresh = ir_label(ir), any = ir_reg(ir),
	    flags = ir_reg(ir), since = ir_reg(ir), known_process, now, rec;

	ir_frame_st(ir, 8, frame, 0, pid);
	ir_frame_addr(ir, key, frame, 0);
	ir_map(ir, m, &cg->set->maps.processes);
	known_process = ir_callv(ir, BPF_FUNC_map_lookup_elem, m, key);
	ir_jcci(ir, BPF_JEQ, known_process, 0, fresh);
	ir_jcci(ir, BPF_JEQ, again, 0, known);
	ir_ld(ir, 8, since, known_process, 0);
	now = ir_call(ir, BPF_FUNC_ktime_get_ns, 0, NULL);
	ir_alu(ir, BPF_SUB, now, since);
	ir_jcc(ir, BPF_JLT, now, again, known);
	ir_place(ir, fresh);
	ir_frame_st(ir, 8, frame, 8, ir_call(ir, BPF_FUNC_ktime_get_ns, 0, NULL));
	ir_frame_addr(ir, key, frame, 0);
	ir_frame_addr(ir, value, frame, 8);
	ir_map(ir, m, &cg->set->maps.processes);
	ir_movi(ir, any, BPF_ANY);
	ir_callv(ir, BPF_FUNC_map_update_elem, m, key, value, any);
	rec = gen_ring_header(ir, cg, REC_PROCESS, none);
	ir_frame_ld(ir, 8, value, frame, 0);
	ir_st(ir, 4, rec, offsetof(struct rec_header, probe), value);
	ir_movi(ir, flags, BPF_RB_FORCE_WAKEUP);
	ir_callv(ir, BPF_FUNC_ringbuf_submit, rec, flags);
	ir_place(ir, none);
	ir_place(ir, known);
	ir_reti(ir, 0);
	return ir;
}

static void send_process(struct gen *g, int pid, int again)
{
	if (!g->set->maps.processes.name[0]) /* an LRU map: evicted processes are reported again */
		map_init(&g->set->maps.processes, "dt_processes", BPF_MAP_TYPE_LRU_HASH, 8, 8,
			 PROCESSES);
	gen_routine(g, "dt_process", 2, (int[]){pid, again});
}

static void report_process(struct gen *g, int pid)
{
	static const char key[] = "process reported";

	if (gen_memo_find(g, key, 0) >= 0)
		return;
	send_process(g, pid, gen_imm(g, 0));
	gen_memo_add(g, key, 0, pid);
}

static int without_signature(struct gen *g, int addr)
{
	int bits = machine_signature_bits(), r;

	if (!bits)
		return addr;
	r = gen_copy(g, addr);
	ir_alui(g->ir, BPF_LSH, r, bits);
	ir_alui(g->ir, BPF_RSH, r, bits);
	return r;
}

/* The return address that is on top of the stack when a function is entered. */
static int return_address(struct gen *g)
{
	const struct machine_regs *regs = &machine_here->regs;
	int at = ir_reg(g->ir), frame, dst, r;

	if (regs->link >= 0) {
		ir_ld_const(g->ir, 8, at, g->ctx, regs->link * 8);
		return without_signature(g, at);
	}
	frame = ir_frame(g->ir, 8), dst = ir_reg(g->ir), r = ir_reg(g->ir);
	ir_ld_const(g->ir, 8, at, g->ctx, regs->sp * 8);
	ir_frame_sti(g->ir, 8, frame, 0, 0);
	ir_frame_addr(g->ir, dst, frame, 0);
	ir_callv(g->ir, BPF_FUNC_probe_read_user, dst, gen_imm(g, 8), at);
	ir_frame_ld(g->ir, 8, r, frame, 0);
	ir_frame_free(g->ir, frame);
	return r;
}

/* Where the return address is on top of the stack (or in its register) and frame pointers lead
 * past the caller. */
static bool at_edge(const struct gen *g)
{
	return (g->hook_kind == HOOK_UPROBE || g->hook_kind == HOOK_UMULTI) &&
	       (g->probe->is_entry || g->probe->is_return);
}

/* [unused][process][frame 0][frame 1]... becomes [process][frame 0][return address][frame 1]...
 * when it lacks that. */
static void put_caller_in(struct gen *g, const struct taken *t, int n)
{
	int there = ir_label(g->ir), ret = return_address(g),
	    second = load(g, t->off + (WORD_FRAMES + 1) * 8);

	ir_jcci(g->ir, BPF_JEQ, ret, 0, there);
	ir_alu(g->ir, BPF_XOR, second, ret);
	ir_jcci(g->ir, BPF_JEQ, second, 0, there);
	ir_st(g->ir, 8, gen_slot(g), t->off + 8, load(g, t->off + WORD_FRAMES * 8));
	ir_st(g->ir, 8, gen_slot(g), t->off + 16, ret);
	ir_sti(g->ir, 8, gen_slot(g), t->begin, 0);
	ir_alui(g->ir, BPF_ADD, n, 1);
	ir_place(g->ir, there);
}

/* By frame pointers; the result is how many frames there are. */
static int follow_pointers(struct gen *g, const struct taken *t, uint32_t frames)
{
	int buf = gen_copy(g, gen_slot(g)), some = ir_label(g->ir), n;

	ir_alui(g->ir, BPF_ADD, buf, t->off + WORD_FRAMES * 8);
	n = gen_copy(g, ir_callv(g->ir, BPF_FUNC_get_stack, g->ctx, buf, gen_imm(g, frames * 8),
				 gen_imm(g, BPF_F_USER_STACK)));
	ir_jcci(g->ir, BPF_JSGE, n, 0, some);
	ir_movi(g->ir, n, 0); /* a thread of the kernel */
	ir_place(g->ir, some);
	ir_alui(g->ir, BPF_RSH, n, 3);
	if (at_edge(g) && frames > 1)
		put_caller_in(g, t, n);
	return n;
}

/* The process is to be looked at again: a frame was in code that is new, perhaps of a file that
 * no process had. */
static void report_stray(struct gen *g, uint32_t state)
{
	int stray = load(g, state + offsetof(struct unwind_state, stray)), none = ir_label(g->ir);

	ir_jcci(g->ir, BPF_JEQ, stray, 0, none);
	send_process(g, current_process(g), stray);
	ir_place(g->ir, none);
}

/* The first frame had no rule: frame pointers lead past its caller. */
static void mend_guess(struct gen *g, const struct taken *t, uint32_t state, int n)
{
	int fine = ir_label(g->ir);

	ir_jcci(g->ir, BPF_JEQ, load(g, state + offsetof(struct unwind_state, guessed)), 0, fine);
	put_caller_in(g, t, n);
	ir_place(g->ir, fine);
}

static bool offset(struct types *types, const char *type, const char *path, uint32_t *off)
{
	uint64_t bytes;
	bool ok = type_kernel_offset(types, type, path, &bytes);

	*off = bytes;
	return ok;
}

/* Where the kernel keeps the return addresses that uretprobes replaced. Only scripts with user
 * stacks ask: it opens the kernel's types, which takes most of the start-up of a small script. */
static void find_returns(struct types *types, struct feats *feats, struct rt_returns *r)
{
	r->known = feat(feats, FEAT_READ_KERNEL) &&
		   offset(types, "struct task_struct", "mm", &r->task_mm) &&
		   offset(types, "struct mm_struct", "uprobes_state.xol_area", &r->mm_area) &&
		   offset(types, "struct xol_area", "vaddr", &r->area_vaddr) &&
		   offset(types, "struct task_struct", "utask", &r->task_utask) &&
		   offset(types, "struct uprobe_task", "return_instances", &r->utask_first) &&
		   offset(types, "struct return_instance", "stack", &r->stack) &&
		   offset(types, "struct return_instance", "orig_ret_vaddr", &r->address) &&
		   offset(types, "struct return_instance", "next", &r->next);
}

static void offset_of_either(struct types *types, const char *type, const char *const *paths,
			     bool *known, uint32_t *off)
{
	for (; *paths; paths++)
		if (offset(types, type, *paths, off))
			return;
	*known = false;
}

/* Where the kernel keeps the mappings of a process. Names of members have changed. */
static void find_vmas(struct types *types, struct feats *feats, struct rt_vmas *v)
{
	static const char *const seconds[] = {"i_mtime_sec", "__i_mtime.tv_sec", "i_mtime.tv_sec",
					      NULL},
				 *const nanoseconds[] = {"i_mtime_nsec", "__i_mtime.tv_nsec",
							 "i_mtime.tv_nsec", NULL};

	v->maple = offset(types, "struct mm_struct", "mm_mt.ma_root", &v->mm_root);
	v->known = feat(feats, FEAT_READ_KERNEL) &&
		   (v->maple || (offset(types, "struct mm_struct", "mm_rb.rb_node", &v->mm_root) &&
				 offset(types, "struct vm_area_struct", "vm_rb", &v->vma_node) &&
				 offset(types, "struct rb_node", "rb_left", &v->node_left) &&
				 offset(types, "struct rb_node", "rb_right", &v->node_right))) &&
		   offset(types, "struct task_struct", "mm", &v->task_mm) &&
		   offset(types, "struct mm_struct", "context.vdso", &v->mm_vdso) &&
		   offset(types, "struct vm_area_struct", "vm_start", &v->vma_start) &&
		   offset(types, "struct vm_area_struct", "vm_end", &v->vma_end) &&
		   offset(types, "struct vm_area_struct", "vm_pgoff", &v->vma_page) &&
		   offset(types, "struct vm_area_struct", "vm_file", &v->vma_file) &&
		   offset(types, "struct file", "f_inode", &v->file_inode) &&
		   offset(types, "struct inode", "i_ino", &v->inode_number) &&
		   offset(types, "struct inode", "i_sb", &v->inode_super) &&
		   offset(types, "struct super_block", "s_dev", &v->super_dev);
	offset_of_either(types, "struct inode", seconds, &v->known, &v->inode_sec);
	offset_of_either(types, "struct inode", nanoseconds, &v->known, &v->inode_nsec);
	v->has_backing =
	    offset(types, "struct backing_file", "user_path.dentry", &v->backing_dentry) &&
	    offset(types, "struct file", "f_mode", &v->file_mode) &&
	    offset(types, "struct dentry", "d_inode", &v->dentry_inode);
}

/* By tables; by frame pointers in a process that has none. */
static int follow_tables(struct gen *g, const struct taken *t, uint32_t frames)
{
	static const char key[] = "unwind";
	static const struct {
		enum ureg reg;
		uint32_t off;
	} regs[] = {
	    {UREG_PC, offsetof(struct unwind_state, pc)},
	    {UREG_SP, offsetof(struct unwind_state, sp)},
	    {UREG_FP, offsetof(struct unwind_state, fp)},
	    {UREG_THIRD, offsetof(struct unwind_state, third)},
	};
	uint32_t state = gen_static(g, key, sizeof(struct unwind_state));
	int done = ir_label(g->ir), known = ir_label(g->ir), n;

	if (!g->set->uses_unwind) {
		find_returns(g->cg->types, g->cg->feats, &g->set->unwind.returns);
		find_vmas(g->cg->types, g->cg->feats, &g->set->unwind.vmas);
	}
	g->set->uses_unwind = true;
	for (unsigned i = 0; i < ARRAY_SIZE(regs); i++)
		ir_st(g->ir, 8, gen_slot(g), state + regs[i].off, gen_ureg(g, regs[i].reg));
	ir_sti(g->ir, 8, gen_slot(g), state + offsetof(struct unwind_state, exact), 1);
	ir_sti(g->ir, 8, gen_slot(g), state + offsetof(struct unwind_state, stray), 0);
	ir_sti(g->ir, 8, gen_slot(g), state + offsetof(struct unwind_state, guessed), 0);
	n = gen_copy(
	    g, gen_routine(g, "rt_unwind", 4,
			   (int[]){gen_slot_no(g), gen_imm(g, state),
				   gen_imm(g, t->off + WORD_FRAMES * 8), gen_imm(g, frames)}));
	report_stray(g, state);
	ir_jcci(g->ir, BPF_JSGE, n, 0, known);
	ir_mov(g->ir, n, follow_pointers(g, t, frames));
	ir_jmp(g->ir, done);
	ir_place(g->ir, known);
	if (at_edge(g) && frames > 1)
		mend_guess(g, t, state, n);
	ir_place(g->ir, done);
	return n;
}

/* The firing's user stack of at most n frames. */
static struct taken take(struct gen *g, uint32_t frames)
{
	static const char taken[STACK_MAX + 1];
	uint32_t size = (WORD_FRAMES + frames + SURPLUS) * 8;
	struct taken t = {.off = gen_static(g, &taken[frames], size)};
	int n, buf, pid, begin;

	t.begin = t.off + (WORD_FRAMES + frames) * 8;
	t.n = t.begin + 8;
	if (gen_memo_find(g, &taken[frames], 0) >= 0)
		return t;
	gen_zero(g, gen_slot(g), t.off, size);
	ir_sti(g->ir, 8, gen_slot(g), t.begin, 1);
	n = g->set->unwinds ? follow_tables(g, &t, frames) : follow_pointers(g, &t, frames);
	ir_st(g->ir, 8, gen_slot(g), t.n, n);
	pid = current_process(g);
	begin = load(g, t.begin);
	ir_alui(g->ir, BPF_AND, begin, 1);
	ir_alui(g->ir, BPF_LSH, begin, 3);
	buf = gen_copy(g, gen_slot(g));
	ir_alu(g->ir, BPF_ADD, buf, begin);
	ir_st(g->ir, 8, buf, t.off, pid);
	report_process(g, pid);
	gen_memo_add(g, &taken[frames], 0, n);
	return t;
}

/* Pointer to the process and the frames after it. */
static int stack_at(struct gen *g, uint32_t frames)
{
	struct taken t = take(g, frames);
	int p = gen_copy(g, gen_slot(g)), begin = load(g, t.begin);

	ir_alui(g->ir, BPF_AND, begin, 1);
	ir_alui(g->ir, BPF_LSH, begin, 3);
	ir_alu(g->ir, BPF_ADD, p, begin);
	ir_alui(g->ir, BPF_ADD, p, t.off);
	return p;
}

/* The default number of frames. Kernels before 5.11 refuse keys with a stack of 100 frames, and
 * next to a string even one of 20, the default of other systems. */
static int64_t usual_frames(struct sema *s, enum opt which)
{
	enum { OLD = 20 };

	return s->opts->v[which].set || feat(s->feats, FEAT_LONG_KEYS) ? opt_num(s->opts, which)
								       : OLD;
}

/*
 * ustack([nframes, [strsize]]), and jstack, which differs in the default number of frames: the
 * names of compiled functions are in the JIT's map (usym.c), and no runtime on Linux names its
 * frames itself, for which strsize is meant.
 */
static void check_ustack(struct sema *s, struct node *n)
{
	int64_t frames = usual_frames(s, *n->name == 'j' ? OPT_JSTACKFRAMES : OPT_USTACKFRAMES);

	for (struct node *a = n->list; a; a = a->next)
		if (!sema_is_const(a))
			sema_die(s, a == n->list ? D_USTACK_FRAMES : D_USTACK_STRSIZE, a,
				 "%s( ) argument #%d must be an integer constant", n->name,
				 a == n->list ? 1 : 2);
	if (n->list) {
		frames = n->list->value;
		if (frames < 1 || frames > stack_limit(STACK_MAX))
			sema_die(s, D_USTACK_FRAMES, n->list, "%s( ) takes from 1 to %d frames",
				 n->name, stack_limit(STACK_MAX));
		if (n->list->next && n->list->next->value > INT32_MAX)
			sema_die(s, D_USTACK_STRSIZE, n->list->next,
				 "%s( ) argument #2 must be a positive integer constant", n->name);
	}
	n->type =
	    (struct type *)type_stack(s->types, MIN(frames, opt_num(s->opts, OPT_MAXFRAMES)), true);
}

static struct block block_ustack(struct gen *g, struct node *n)
{
	uint32_t words = type_base(n->type)->nelem;

	return (struct block){.kind = BLOCK_MEM, .ptr = stack_at(g, words - 1), .size = words * 8};
}

static int gen_ustackdepth(struct gen *g, struct node *n)
{
	int r = gen_memo_find(g, n->ref, 0);
	struct taken t;

	if (r < 0) {
		t = take(g, STACK_MAX);
		r = load(g, t.n);
		gen_memo_add(g, n->ref, 0, r);
	}
	return r;
}

static int gen_ucaller(struct gen *g, struct node *n)
{
	int r = gen_memo_find(g, n->ref, 0), p;

	if (r < 0) {
		p = stack_at(g, 2);
		r = ir_reg(g->ir);
		ir_ld(g->ir, 8, r, p, 16);
		gen_memo_add(g, n->ref, 0, r);
	}
	return r;
}

/* Symbols ----------------------------------------------------------------- */

static void check_symbol(struct sema *s, struct node *n)
{
	enum usym_how how = !strcmp(n->name, "uaddr")  ? USYM_NAME
			    : !strcmp(n->name, "umod") ? USYM_MOD
						       : USYM_FUNC;

	n->type = (struct type *)type_usymaddr(s->types, how);
}

static struct block block_symbol(struct gen *g, struct node *n)
{
	int addr = gen_expr(g, n->list), pid = current_process(g);
	uint32_t off = gen_temp(g, 16);

	ir_st(g->ir, 8, gen_slot(g), off, pid);
	ir_st(g->ir, 8, gen_slot(g), off + 8, addr);
	report_process(g, pid);
	return (struct block){.kind = BLOCK_MEM, .ptr = gen_slot(g), .off = off, .size = 16};
}

/* clang-format off: texts are laid out as D */
#define USYM(name, what)                                                                        \
	{                                                                                       \
		name, DEF_SUB, "_usymaddr(uint64_t)",                                           \
		    .check = check_symbol, .gen_block = block_symbol, .print = act_print_value, \
		    .help = what                                                                \
	}
/* clang-format on */

const struct def defs_ustack[] = {
    {"ustack", DEF_SUB, "stack([uint32_t], [uint32_t])", .check = check_ustack,
     .gen_block = block_ustack, .print = act_print_value,
     .help = "the process's stack: prints it, or is a value"},
    {"jstack", DEF_SUB, "stack([uint32_t], [uint32_t])", .check = check_ustack,
     .gen_block = block_ustack, .print = act_print_value,
     .help = "the same, with -x jstackframes frames: names of compiled functions come from the "
	     "JIT's map"},
    {"ustackdepth", DEF_VAR, "uint32_t", .gen = gen_ustackdepth,
     .help = "frames of the process's stack, at most 127"},
    {"ucaller", DEF_VAR, "uint64_t", .gen = gen_ucaller,
     .help = "return address of the process's function"},
    USYM("uaddr", "an address of the process with its name: object`function+0x1c"),
    USYM("usym", "the function or variable that an address of the process is in"),
    USYM("ufunc", "the same"),
    USYM("umod", "the object that an address of the process is in"),
    {0},
};
