/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What looks into the kernel's own structures, by the type data of the running kernel: paths,
 * files, locks, arguments. */
#include <string.h>
#include <sys/stat.h>

#include "libdt/base/machine/machine.h"
#include "libdt/builtin/builtin.h"
#include "libdt/lang/gen.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"

uint32_t kern_offset(struct sema *s, struct node *n, const char *type, const char *path)
{
	const char *why = types_kernel_error(s->types);
	uint64_t off;

	if (!type_kernel_offset(s->types, type, path, &off))
		sema_die(s, D_UNSUPPORTED, n, "%s needs the kernel's types: %s", n->name,
			 why ? why : arena_printf(s->arena, "%s has no %s", type, path));
	return off;
}

/* A value of a node's type in all its uses: a pointer to a structure of the kernel. */
static void points_to(struct sema *s, struct node *n, const char *type)
{
	const struct type *t = type_find(s->types, "vmlinux", type);

	if (t)
		n->type = (struct type *)type_ptr(s->types, t);
}

static int current(struct gen *g)
{
	return ir_call_const(g->ir, BPF_FUNC_get_current_task, 0, NULL);
}

/* Paths ------------------------------------------------------------------- */

struct path_layout {
	struct rt_path rt;
	uint32_t fs_pwd;
};

/* A text is an array of char, but no structure of the kernel. */
static void check_kernel_pointers(struct sema *s, struct node *n)
{
	int i = 1;

	for (const struct node *arg = n->list; arg; arg = arg->next, i++)
		if (arg->kind == N_CAST && type_is_string(arg->a->type))
			sema_die(s, D_PROTO_ARG, arg,
				 "%s( ) argument #%d is incompatible with prototype:\n"
				 "\tprototype: void *\n\t argument: %s",
				 n->name, i, sema_type_text(s, arg->a->type));
}

static void check_path(struct sema *s, struct node *n)
{
	struct path_layout *l = arena_alloc(s->arena, sizeof(*l));

	check_kernel_pointers(s, n);

	l->rt.dentry_parent = kern_offset(s, n, "struct dentry", "d_parent");
	l->rt.dentry_name = kern_offset(s, n, "struct dentry", "d_name.name");
	l->rt.dentry_len = kern_offset(s, n, "struct dentry", "d_name.len");
	l->rt.mount_mnt = kern_offset(s, n, "struct mount", "mnt");
	l->rt.mount_parent = kern_offset(s, n, "struct mount", "mnt_parent");
	l->rt.mount_mountpoint = kern_offset(s, n, "struct mount", "mnt_mountpoint");
	l->rt.vfsmount_root = kern_offset(s, n, "struct vfsmount", "mnt_root");
	l->rt.path_mnt = kern_offset(s, n, "struct path", "mnt");
	l->rt.path_dentry = kern_offset(s, n, "struct path", "dentry");
	l->rt.task_fs = kern_offset(s, n, "struct task_struct", "fs");
	l->rt.fs_root = kern_offset(s, n, "struct fs_struct", "root");
	l->fs_pwd = kern_offset(s, n, "struct fs_struct", "pwd");
	n->aux = (intptr_t)l;
}

/* The text of a place in a mount; whole: from the first mount on, not from the task's root. */
static void place_text(struct gen *g, struct node *n, int mnt, int dentry, bool whole,
		       const struct str_dest *d)
{
	struct path_layout *l = (struct path_layout *)(intptr_t)n->aux;
	struct str_dest t = str_result_at(g, d);
	int r;

	g->cg->rt->path = &l->rt;
	r = gen_routine(
	    g, "rt_path", 5,
	    (int[]){gen_slot_no(g), gen_imm(g, t.slot_off), mnt, dentry, gen_imm(g, whole)});
	gen_fault_if(g, BPF_JSLT, r, 0, FAULT_BADADDR, dentry, 0);
	str_deliver(g, &t, d);
}

/* The text of a struct path at an address. */
static void path_text(struct gen *g, struct node *n, int addr, int off, bool whole,
		      const struct str_dest *d)
{
	struct path_layout *l = (struct path_layout *)(intptr_t)n->aux;
	int mnt = gen_read_kernel(g, addr, off + l->rt.path_mnt, 8, false);
	int dentry = gen_read_kernel(g, addr, off + l->rt.path_dentry, 8, false);

	place_text(g, n, mnt, dentry, whole, d);
}

static void gen_mnt_path(struct gen *g, struct node *n, const struct str_dest *d)
{
	int mnt = gen_copy(g, gen_expr(g, n->list));

	place_text(g, n, mnt, gen_expr(g, n->list->next), false, d);
}

/* The number of the namespace of mounts that dtrace is in, whose paths its user knows. */
static uint32_t own_mounts(void)
{
	struct stat st;

	return stat("/proc/self/ns/mnt", &st) ? 0 : (uint32_t)st.st_ino;
}

/* Mounts are a list of the superblock's (until 6.17), or chained from it. */
static void check_place(struct sema *s, struct node *n)
{
	struct rt_place *l = arena_alloc(s->arena, sizeof(*l));
	uint64_t next;

	memset(l, 0, sizeof(*l));
	l->dentry_parent = kern_offset(s, n, "struct dentry", "d_parent");
	l->dentry_super = kern_offset(s, n, "struct dentry", "d_sb");
	l->super_root = kern_offset(s, n, "struct super_block", "s_root");
	l->super_mounts = kern_offset(s, n, "struct super_block", "s_mounts");
	l->mount_mnt = kern_offset(s, n, "struct mount", "mnt");
	l->mount_root = kern_offset(s, n, "struct mount", "mnt.mnt_root");
	l->mount_ns = kern_offset(s, n, "struct mount", "mnt_ns");
	l->ns_inum = kern_offset(s, n, "struct mnt_namespace", "ns.inum");
	l->newest_first = type_kernel_offset(s->types, "struct mount", "mnt_next_for_sb", &next);
	if (!l->newest_first)
		next = l->link = kern_offset(s, n, "struct mount", "mnt_instance");
	l->mount_next = next;
	l->own_ns = own_mounts();
	n->aux = (intptr_t)l;
	points_to(s, n, "struct vfsmount");
}

static int gen_dentry_place(struct gen *g, struct node *n)
{
	int dentry = gen_copy(g, gen_expr(g, n->list));

	g->cg->rt->place = (const struct rt_place *)(intptr_t)n->aux;
	return gen_copy(g, gen_routine(g, "rt_place", 2, (int[]){gen_slot_no(g), dentry}));
}

static void gen_d_path(struct gen *g, struct node *n, const struct str_dest *d)
{
	path_text(g, n, gen_expr(g, n->list), 0, false, d);
}

static void fs_path(struct gen *g, struct node *n, bool pwd, const struct str_dest *d)
{
	struct path_layout *l = (struct path_layout *)(intptr_t)n->aux;
	int fs = gen_read_kernel(g, current(g), l->rt.task_fs, 8, false);

	path_text(g, n, fs, pwd ? l->fs_pwd : l->rt.fs_root, !pwd, d);
}

static void gen_cwd(struct gen *g, struct node *n, const struct str_dest *d)
{
	fs_path(g, n, true, d);
}

static void gen_root(struct gen *g, struct node *n, const struct str_dest *d)
{
	fs_path(g, n, false, d);
}

/* Arguments --------------------------------------------------------------- */

struct args_layout {
	uint32_t mm, start, end;
};

static void check_execargs(struct sema *s, struct node *n)
{
	struct args_layout *l = arena_alloc(s->arena, sizeof(*l));

	l->mm = kern_offset(s, n, "struct task_struct", "mm");
	l->start = kern_offset(s, n, "struct mm_struct", "arg_start");
	l->end = kern_offset(s, n, "struct mm_struct", "arg_end");
	n->aux = (intptr_t)l;
}

/* A process's arguments: registers with its mm, where they begin there, and how many bytes they
 * have, or most, without the last NUL, which is no blank. len is 0 and it goes to none where there
 * are none: a thread of the kernel has no memory of its own, and in the middle of an exec it is
 * known where they begin and not yet where they end: the environment follows them. */
struct args_place {
	int mm, start, len;
};

static void find_args(struct gen *g, const struct args_layout *l, int task, uint32_t most,
		      struct args_place *a, int none)
{
	int end;

	a->len = gen_imm(g, 0);
	a->mm = gen_read_kernel(g, task, l->mm, 8, false);
	ir_jcci(g->ir, BPF_JEQ, a->mm, 0, none);
	a->start = gen_read_kernel(g, a->mm, l->start, 8, false);
	end = gen_read_kernel(g, a->mm, l->end, 8, false);
	ir_jcc(g->ir, BPF_JLE, end, a->start, none);
	ir_mov(g->ir, a->len, end);
	ir_alu(g->ir, BPF_SUB, a->len, a->start);
	ir_alui(g->ir, BPF_SUB, a->len, 1);
	gen_at_most(g, a->len, most);
}

/* As they lie in the process's memory. */
static void gen_execargs(struct gen *g, struct node *n, const struct str_dest *d)
{
	struct args_layout *l = (struct args_layout *)(intptr_t)n->aux;
	struct str_dest t = str_result_at(g, d);
	int none = ir_label(g->ir), to, r;
	struct args_place a;
	uint32_t most = MIN(d->bound, g->cg->strsize) - 1;

	find_args(g, l, current(g), most, &a, none);
	to = gen_copy(g, t.ptr);
	ir_alui(g->ir, BPF_ADD, to, t.off);
	r = ir_callv(g->ir, BPF_FUNC_probe_read_user, to, a.len, a.start);
	ir_jcci(g->ir, BPF_JEQ, r, 0, none);
	ir_movi(g->ir, a.len, 0); /* they are not in memory */
	ir_place(g->ir, none);
	gen_routine(g, "rt_blanks", 3, (int[]){gen_slot_no(g), gen_imm(g, t.slot_off), a.len});
	str_deliver(g, &t, d);
}

/*
 * Memory of a process that is not the current one is found as the CPU finds it: by the process's
 * page tables. Pages that are not in main memory, or that have other kinds of entries, are not
 * found.
 */
struct other_layout {
	struct args_layout args;
	uint32_t pgd;
};

static void check_other(struct sema *s, struct node *n)
{
	struct other_layout *l = arena_alloc(s->arena, sizeof(*l));

	check_execargs(s, n);
	l->args = *(struct args_layout *)(intptr_t)n->aux;
	l->pgd = kern_offset(s, n, "struct mm_struct", "pgd");
	n->aux = (intptr_t)l;
}

/* What is determined at compile time: curpsinfo needs none of this. */
static void check_is_curthread(struct sema *s, struct node *n)
{
	struct node *e = node_count(n->list) == 1 ? sema_expr(s, n->list) : n;

	while (e->kind == N_CAST)
		e = e->a;
	n->a = sema_int(s, n, e->kind == N_IDENT && e->ref && !strcmp(e->name, "curthread"),
			type_int(s->types, 4, true));
}

/* The word at an address; goes to none where nothing can be read. */
static int word_or(struct gen *g, int at, int none)
{
	int frame = ir_frame(g->ir, 8), to = ir_reg(g->ir), r = ir_reg(g->ir);

	ir_frame_addr(g->ir, to, frame, 0);
	ir_jcci(g->ir, BPF_JNE, ir_callv(g->ir, BPF_FUNC_probe_read_kernel, to, gen_imm(g, 8), at),
		0, none);
	ir_frame_ld(g->ir, 8, r, frame, 0);
	ir_frame_free(g->ir, frame);
	return r;
}

enum { ENTRY_VALID = 1, PAGE_SHIFT = 12 };

/* The physical address in an entry of a page table. */
static void entry_address(struct gen *g, int to, int entry, int mask)
{
	ir_mov(g->ir, to, entry);
	if (machine_here->pages.shift != PAGE_SHIFT) {
		ir_alui(g->ir, BPF_RSH, to, machine_here->pages.shift);
		ir_alui(g->ir, BPF_LSH, to, PAGE_SHIFT);
	}
	ir_alu(g->ir, BPF_AND, to, mask);
}

/* Where the kernel sees an address of a process. */
static int kernel_address(struct gen *g, int mm, uint32_t pgd, int addr, int none)
{
	static const struct level {
		int shift;
		bool optional, leaf;
	} levels[] = {{48, true, false},
		      {39, true, false},
		      {30, false, true},
		      {21, false, true},
		      {12, false, false}};
	int at = gen_copy(g, mm), table = ir_reg(g->ir), direct = ir_reg(g->ir),
	    bits = ir_reg(g->ir), found = ir_label(g->ir);
	int mask = gen_imm(g, 0x7ffffffff000), p = gen_ctl_addr(g->ir, g->cg, 0),
	    inside = ir_reg(g->ir), bit;

	g->set->uses_direct = true;
	ir_ld(g->ir, 8, direct, p, offsetof(struct ctl, direct));
	ir_jcci(g->ir, BPF_JEQ, direct, 0, none);
	ir_ld(g->ir, 4, bits, p, offsetof(struct ctl, table_bits));
	ir_alui(g->ir, BPF_ADD, at, pgd);
	ir_mov(g->ir, table, word_or(g, at, none));
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		int skip = ir_label(g->ir), entry;

		if (levels[i].optional)
			ir_jcci(g->ir, BPF_JLT, bits, levels[i].shift, skip);
		ir_mov(g->ir, at, addr);
		ir_alui(g->ir, BPF_RSH, at, levels[i].shift);
		ir_alui(g->ir, BPF_AND, at, 511);
		ir_alui(g->ir, BPF_LSH, at, 3);
		ir_alu(g->ir, BPF_ADD, at, table);
		entry = word_or(g, at, none);
		bit = gen_copy(g, entry);
		ir_alui(g->ir, BPF_AND, bit, ENTRY_VALID);
		ir_jcci(g->ir, BPF_JEQ, bit, 0, none);
		entry_address(g, table, entry, mask);
		if (!levels[i].optional) {
			ir_mov(g->ir, inside, addr);
			ir_alui(g->ir, BPF_AND, inside, (1 << levels[i].shift) - 1);
		}
		if (levels[i].leaf) { /* what is below its shift is no part of its address */
			ir_alui(g->ir, BPF_RSH, table, levels[i].shift);
			ir_alui(g->ir, BPF_LSH, table, levels[i].shift);
			bit = gen_copy(g, entry);
			ir_alui(g->ir, BPF_AND, bit, machine_here->pages.mask);
			ir_alu(g->ir, BPF_ADD, table, direct);
			ir_jcci(g->ir, BPF_JNE, bit, machine_here->pages.table, found);
			entry_address(g, table, entry, mask);
		}
		ir_alu(g->ir, BPF_ADD, table, direct);
		ir_place(g->ir, skip);
	}
	ir_place(g->ir, found);
	ir_alu(g->ir, BPF_ADD, table, inside);
	return table;
}

/* dt_task_word(task, address): 8 bytes of a process's memory; 0 where they cannot be read. */
static int gen_task_word(struct gen *g, struct node *n)
{
	struct other_layout *l = (struct other_layout *)(intptr_t)n->aux;
	int task = gen_expr(g, n->list), addr = gen_expr(g, n->list->next), r = gen_imm(g, 0),
	    none = ir_label(g->ir), mm;

	mm = gen_read_kernel(g, task, l->args.mm, 8, false);
	ir_jcci(g->ir, BPF_JEQ, mm, 0, none);
	ir_mov(g->ir, r, word_or(g, kernel_address(g, mm, l->pgd, addr, none), none));
	ir_place(g->ir, none);
	return r;
}

/*
 * dt_task_args(task): execargs of any process; "" where they cannot be read. They may lie in two
 * pages: what is in the second is read together with as much in front of it as there is in the
 * first, so that the verifier knows where it goes to.
 */
static void gen_task_args(struct gen *g, struct node *n, const struct str_dest *d)
{
	struct other_layout *l = (struct other_layout *)(intptr_t)n->aux;
	struct str_dest t = str_result_at(g, d);
	int empty = ir_label(g->ir), none = ir_label(g->ir), one = ir_label(g->ir),
	    cut = ir_label(g->ir);
	int both = ir_label(g->ir), got = gen_imm(g, 0), first = ir_reg(g->ir), at, to;
	struct args_place a;
	uint32_t most = MIN(MIN(d->bound, g->cg->strsize) - 1, 4095);

	find_args(g, &l->args, gen_expr(g, n->list), most, &a, none);
	ir_mov(g->ir, first, a.start);
	ir_alui(g->ir, BPF_AND, first, 4095);
	ir_alui(g->ir, BPF_XOR, first, 4095);
	ir_alui(g->ir, BPF_ADD, first, 1);
	to = gen_copy(g, t.ptr);
	ir_alui(g->ir, BPF_ADD, to, t.off);
	ir_jcc(g->ir, BPF_JGE, first, a.len, one);
	at = gen_copy(g, a.start);
	ir_alu(g->ir, BPF_ADD, at, first);
	at = gen_copy(g, kernel_address(g, a.mm, l->pgd, at, cut));
	ir_alu(g->ir, BPF_SUB, at, first);
	ir_jcci(g->ir, BPF_JEQ, ir_callv(g->ir, BPF_FUNC_probe_read_kernel, to, a.len, at), 0,
		both);
	ir_place(g->ir, cut);
	ir_mov(g->ir, a.len, first);
	ir_jcci(g->ir, BPF_JLE, a.len, most, one);
	ir_jmp(g->ir, none);
	ir_place(g->ir, one);
	ir_mov(g->ir, first, a.len);
	ir_place(g->ir, both);
	ir_jcci(g->ir, BPF_JGT, first, most, none);
	at = kernel_address(g, a.mm, l->pgd, a.start, none);
	ir_jcci(g->ir, BPF_JNE, ir_callv(g->ir, BPF_FUNC_probe_read_kernel, to, first, at), 0,
		none);
	ir_mov(g->ir, got, a.len);
	ir_jmp(g->ir, empty);
	ir_place(g->ir, none);
	ir_movi(g->ir, got, 0);
	ir_place(g->ir, empty);
	gen_routine(g, "rt_blanks", 3, (int[]){gen_slot_no(g), gen_imm(g, t.slot_off), got});
	str_deliver(g, &t, d);
}

/* Files ------------------------------------------------------------------- */

struct files_layout {
	uint32_t files, fdt, max, fd;
};

static void check_getf(struct sema *s, struct node *n)
{
	struct files_layout *l = arena_alloc(s->arena, sizeof(*l));

	l->files = kern_offset(s, n, "struct task_struct", "files");
	l->fdt = kern_offset(s, n, "struct files_struct", "fdt");
	l->max = kern_offset(s, n, "struct fdtable", "max_fds");
	l->fd = kern_offset(s, n, "struct fdtable", "fd");
	n->aux = (intptr_t)l;
	points_to(s, n, "struct file");
}

/* 0 when the file is not open, or when there are no files. */
static int gen_getf(struct gen *g, struct node *n)
{
	struct files_layout *l = (struct files_layout *)(intptr_t)n->aux;
	int fd = gen_expr(g, n->list), file = gen_imm(g, 0), none = ir_label(g->ir), files, table,
	    at;

	files = gen_read_kernel(g, current(g), l->files, 8, false);
	ir_jcci(g->ir, BPF_JEQ, files, 0, none);
	table = gen_read_kernel(g, files, l->fdt, 8, false);
	ir_jcc(g->ir, BPF_JGE, fd, gen_read_kernel(g, table, l->max, 4, false), none);
	at = gen_copy(g, fd);
	ir_alui(g->ir, BPF_LSH, at, 3);
	ir_alu(g->ir, BPF_ADD, at, gen_read_kernel(g, table, l->fd, 8, false));
	ir_mov(g->ir, file, gen_read_kernel(g, at, 0, 8, false));
	ir_place(g->ir, none);
	return file;
}

/* Pages ------------------------------------------------------------------- */

/* Where the kernel sees what is in a page; 0 where that is not known. */
static int gen_page_address(struct gen *g, struct node *n)
{
	int at = gen_copy(g, gen_expr(g, n->list)), pages = gen_pages(g), r = gen_imm(g, 0),
	    none = ir_label(g->ir);

	ir_jcci(g->ir, BPF_JEQ, at, 0, none);
	ir_jcci(g->ir, BPF_JEQ, pages, 0, none);
	ir_alui(g->ir, BPF_MUL, at, type_page_scale(g->cg->types));
	ir_alu(g->ir, BPF_ADD, at, pages);
	ir_mov(g->ir, r, at);
	ir_place(g->ir, none);
	return r;
}

/* Locks ------------------------------------------------------------------- */

enum { MUTEX_FLAGS = 7 }; /* low bits of a mutex's owner */

static void check_mutex(struct sema *s, struct node *n)
{
	check_kernel_pointers(s, n);
	n->aux = kern_offset(s, n, "struct mutex", "owner");
}

static void check_mutex_owner(struct sema *s, struct node *n)
{
	check_mutex(s, n);
	points_to(s, n, "struct task_struct");
}

static int gen_mutex_owner(struct gen *g, struct node *n)
{
	int owner = gen_read_kernel(g, gen_expr(g, n->list), n->aux, 8, false);

	ir_alui(g->ir, BPF_AND, owner, ~(int64_t)MUTEX_FLAGS);
	return owner;
}

static int gen_mutex_owned(struct gen *g, struct node *n)
{
	int owner = gen_mutex_owner(g, n), owned = gen_imm(g, 0), other = ir_label(g->ir);

	ir_jcc(g->ir, BPF_JNE, owner, current(g), other);
	ir_movi(g->ir, owned, 1);
	ir_place(g->ir, other);
	return owned;
}

/* A mutex of Linux is adaptive: it spins while its owner runs. What only spins is another type
 * there. */
static int gen_mutex_adaptive(struct gen *g, struct node *n)
{
	gen_expr(g, n->list);
	return gen_imm(g, 1);
}

static int gen_mutex_spin(struct gen *g, struct node *n)
{
	gen_expr(g, n->list);
	return gen_imm(g, 0);
}

/*
 * A rwlock_t counts its readers above the two parts for a writer that holds it or waits; a struct
 * rw_semaphore's lowest bit is set while a writer holds it, its readers count above the flags.
 */
enum { QW_LOCKED = 0xff, QW_WRITER = 0x1ff, QR_SHIFT = 9, RWSEM_WRITER = 1, RWSEM_SHIFT = 8 };

static void check_rw(struct sema *s, struct node *n)
{
	struct node *from = n->list;
	const struct type *t;

	check_kernel_pointers(s, n);
	while (from->kind == N_CAST && type_is_ptr(from->a->type) &&
	       type_is_void(type_base(from->type)->ref))
		from = from->a; /* the prototype's void * */
	t = type_base(from->type);
	t = t->ref ? type_base(type_complete(s->types, type_base(t->ref))) : t;
	n->aux2 = t->name && !strcmp(t->name, "rw_semaphore");
	n->aux = n->aux2 ? kern_offset(s, n, "struct rw_semaphore", "count")
			 : kern_offset(s, n, "rwlock_t", "raw_lock.cnts");
}

/* 1 when one of the bits is set, or (readers) when what is above them is not 0. */
static int rw_test(struct gen *g, struct node *n, int lock_bits, int sem_bits, bool readers)
{
	int v = gen_read_kernel(g, gen_expr(g, n->list), n->aux, n->aux2 ? 8 : 4, false),
	    r = gen_imm(g, 0), no = ir_label(g->ir);

	if (readers) {
		ir_alui(g->ir, BPF_RSH, v, n->aux2 ? RWSEM_SHIFT : QR_SHIFT);
		if (n->aux2) /* the topmost bit says that reading failed */
			ir_alui(g->ir, BPF_AND, v, INT64_MAX >> RWSEM_SHIFT);
	} else {
		ir_alui(g->ir, BPF_AND, v, n->aux2 ? sem_bits : lock_bits);
	}
	ir_jcci(g->ir, BPF_JEQ, v, 0, no);
	ir_movi(g->ir, r, 1);
	ir_place(g->ir, no);
	return r;
}

static int gen_rw_read_held(struct gen *g, struct node *n)
{
	return rw_test(g, n, 0, 0, true);
}

static int gen_rw_write_held(struct gen *g, struct node *n)
{
	return rw_test(g, n, QW_LOCKED, RWSEM_WRITER, false);
}

static int gen_rw_iswriter(struct gen *g, struct node *n)
{
	return rw_test(g, n, QW_WRITER, RWSEM_WRITER, false);
}

const struct def defs_kern[] = {
    {.name = "dt_is_curthread",
     .kind = DEF_SUB,
     .proto = "int(@)",
     .flags = DEF_UNTYPED,
     .check = check_is_curthread,
     .help = "for the D library: 1 when the expression is curthread itself; determined at compile "
	     "time"},
    {.name = "dt_task_args",
     .kind = DEF_SUB,
     .proto = "string(void *)",
     .check = check_other,
     .gen_str = gen_task_args,
     .help = "for the D library: execargs of any process, as far as they are in memory"},
    {.name = "dt_task_word",
     .kind = DEF_SUB,
     .proto = "uint64_t(void *, uint64_t)",
     .check = check_other,
     .gen = gen_task_word,
     .help = "for the D library: 8 bytes of a process's memory"},
    {.name = "dt_page_address",
     .kind = DEF_SUB,
     .proto = "uint64_t(uint64_t)",
     .gen = gen_page_address,
     .help = "for the D library: where the kernel sees the memory of a struct page; 0 when that is "
	     "not known"},
    {.name = "d_path",
     .kind = DEF_SUB,
     .proto = "string(void *)",
     .check = check_path,
     .gen_str = gen_d_path,
     .help = "the path of a struct path of the kernel"},
    {.name = "mnt_path",
     .kind = DEF_SUB,
     .proto = "string(void *, void *)",
     .flags = DEF_YIELDS,
     .check = check_path,
     .gen_str = gen_mnt_path,
     .help = "the path of a struct dentry in a struct vfsmount of the kernel"},
    {.name = "dt_place",
     .kind = DEF_SUB,
     .proto = "void *(void *)",
     .check = check_place,
     .gen = gen_dentry_place,
     .help = "for the D library: a struct vfsmount of the kernel in which a struct dentry can be "
	     "found"},
    {.name = "cwd",
     .kind = DEF_VAR,
     .proto = "string",
     .check = check_path,
     .gen_str = gen_cwd,
     .help = "the process's working directory"},
    {.name = "root",
     .kind = DEF_VAR,
     .proto = "string",
     .check = check_path,
     .gen_str = gen_root,
     .help = "the process's root directory"},
    {.name = "execargs",
     .kind = DEF_VAR,
     .proto = "string",
     .check = check_execargs,
     .gen_str = gen_execargs,
     .help = "the process's arguments, separated by blanks"},
    {.name = "getf",
     .kind = DEF_SUB,
     .proto = "void *(int)",
     .check = check_getf,
     .gen = gen_getf,
     .help = "the struct file of a file descriptor of the process, or NULL"},
    {.name = "mutex_owned",
     .kind = DEF_SUB,
     .proto = "int(void *)",
     .check = check_mutex,
     .gen = gen_mutex_owned,
     .help = "1 when the thread holds the mutex"},
    {.name = "mutex_owner",
     .kind = DEF_SUB,
     .proto = "void *(void *)",
     .check = check_mutex_owner,
     .gen = gen_mutex_owner,
     .help = "the thread that holds the mutex, or NULL"},
    {.name = "mutex_type_adaptive",
     .kind = DEF_SUB,
     .proto = "int(void *)",
     .check = check_kernel_pointers,
     .gen = gen_mutex_adaptive,
     .help = "1: mutexes spin while their owner runs"},
    {.name = "mutex_type_spin",
     .kind = DEF_SUB,
     .proto = "int(void *)",
     .check = check_kernel_pointers,
     .gen = gen_mutex_spin,
     .help = "0: a mutex is no spin lock"},
    {.name = "rw_read_held",
     .kind = DEF_SUB,
     .proto = "int(void *)",
     .check = check_rw,
     .gen = gen_rw_read_held,
     .help = "1 when readers hold a rwlock_t or struct rw_semaphore"},
    {.name = "rw_write_held",
     .kind = DEF_SUB,
     .proto = "int(void *)",
     .check = check_rw,
     .gen = gen_rw_write_held,
     .help = "1 when a writer holds a rwlock_t or struct rw_semaphore"},
    {.name = "rw_iswriter",
     .kind = DEF_SUB,
     .proto = "int(void *)",
     .check = check_rw,
     .gen = gen_rw_iswriter,
     .help = "1 when a writer holds a rwlock_t or struct rw_semaphore, or waits for a rwlock_t"},
    {0},
};
