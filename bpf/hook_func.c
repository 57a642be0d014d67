/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hooks on the kernel's functions: fentry and fexit, kprobes one by one, and kprobe.multi. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/hook_int.h"
#include "bpf/sys.h"
#include "libdt/base/hash.h"
#include "libdt/base/machine/machine.h"

/* A word of the kernel's memory; 0 where there is none. */
static int read_word(struct ir *ir, int base, int off)
{
	int frame = ir_frame(ir, 8), at = ir_reg(ir), addr = ir_reg(ir), size = ir_reg(ir),
	    value = ir_reg(ir);

	ir_frame_sti(ir, 8, frame, 0, 0);
	ir_frame_addr(ir, at, frame, 0);
	ir_mov(ir, addr, base);
	ir_alui(ir, BPF_ADD, addr, off);
	ir_movi(ir, size, 8);
	ir_callv(ir, BPF_FUNC_probe_read_kernel, at, size, addr);
	ir_frame_ld(ir, 8, value, frame, 0);
	ir_frame_free(ir, frame);
	return value;
}

static int load_word(struct ir *ir, int ctx, int off)
{
	int reg = ir_reg(ir);

	ir_ld_const(ir, 8, reg, ctx, off);
	return reg;
}

int func_args_in_regs(void)
{
	return machine_here->regs.nargs;
}

int func_stack_arg(struct ir *ir, int ctx, int n)
{
	const struct machine_regs *regs = &machine_here->regs;
	int addr = load_word(ir, ctx, regs->sp * 8);

	/* above the return address, where that is on the stack */
	ir_alui(ir, BPF_ADD, addr, (n - regs->nargs + (regs->link < 0)) * 8);
	return addr;
}

int func_regs_arg(struct ir *ir, int ctx, int n)
{
	if (n < 0)
		return -1;
	if (n < func_args_in_regs())
		return load_word(ir, ctx, machine_here->regs.args[n] * 8);
	return read_word(ir, func_stack_arg(ir, ctx, n), 0);
}

int func_regs_ret(struct ir *ir, int ctx, int nargs)
{
	(void)nargs;
	return load_word(ir, ctx, machine_here->regs.result * 8);
}

/*
 * The verifier gives these words types: what is loaded from them directly may be a pointer that D
 * cannot calculate with, and 5.10 refuses whole programs for pointers to what is no struct. So
 * they are read as memory.
 */
int func_typed_arg(struct ir *ir, int ctx, int n)
{
	return n < 0 ? -1 : read_word(ir, ctx, n * 8);
}

int func_typed_ret(struct ir *ir, int ctx, int nargs)
{
	return read_word(ir, ctx, nargs * 8);
}

void func_override(struct ir *ir, int ctx, int value)
{
	ir_callv(ir, BPF_FUNC_override_return, ctx, value);
}

int hook_try_return(uint32_t btf_id, int module_fd)
{
	struct bpf_insn insns[] = {
	    {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
	    {.code = BPF_JMP | BPF_EXIT},
	};
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr)); /* an initializer may leave bytes of a union unset */
	attr.prog_type = BPF_PROG_TYPE_TRACING;
	attr.expected_attach_type = BPF_MODIFY_RETURN;
	attr.attach_btf_id = btf_id;
	attr.attach_prog_fd = module_fd; /* which is attach_btf_obj_fd in newer headers */
	attr.insns = sys_ptr(insns);
	attr.insn_cnt = ARRAY_SIZE(insns);
	attr.license = sys_ptr("GPL");
	memcpy(attr.prog_name, "dt_probe", sizeof("dt_probe"));
	fd = sys_bpf_make(BPF_PROG_LOAD, &attr, sizeof(attr));
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

/* Which of many: the address */

/* of an instruction that may come first: endbr64, bti */
enum { LANDING = 4 };

int func_hit(struct ir *ir, int ctx, const struct hook_where *w)
{
	int reg = ir_reg(ir);

	(void)w;
	ir_mov(ir, reg, load_word(ir, ctx, machine_here->regs.pc * 8));
	ir_alui(ir, BPF_ADD, reg, -machine_here->debug.pc_behind);
	return reg;
}

/*
 * When a function returns, its address is nowhere in the registers. But the kernel notes which
 * kprobe it is handling on this CPU, and sets that for return probes too.
 */
int func_returned(struct ir *ir, int ctx, const struct hook_where *w)
{
	int slot = ir_reg(ir), at = ir_reg(ir),
	    cpu = ir_call_const(ir, BPF_FUNC_get_smp_processor_id, 0, NULL);

	(void)ctx;
	ir_movi(ir, slot, w->per_cpu_offset);
	ir_mov(ir, at, cpu);
	ir_alui(ir, BPF_LSH, at, 3);
	ir_alu(ir, BPF_ADD, slot, at);
	at = read_word(ir, slot, 0);
	ir_movi(ir, slot, w->current_kprobe);
	ir_alu(ir, BPF_ADD, slot, at);
	return read_word(ir, read_word(ir, slot, 0), w->kprobe_addr);
}

int hook_where(struct hook_where *w)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char line[512], name[256];
	unsigned long long addr;

	if (!f)
		return -errno;
	w->current_kprobe = w->per_cpu_offset = 0;
	while (fgets(line, sizeof(line), f)) {
		if (!strstr(line, "current_kprobe") && !strstr(line, "__per_cpu_offset"))
			continue;
		if (sscanf(line, "%llx %*c %255s", &addr, name) != 2)
			continue;
		if (!strcmp(name, "current_kprobe"))
			w->current_kprobe = addr;
		else if (!strcmp(name, "__per_cpu_offset"))
			w->per_cpu_offset = addr;
	}
	fclose(f);
	return w->current_kprobe && w->per_cpu_offset ? 0 : -ENOENT;
}

/* Of targets with the same name, in several modules, each leads to the next. */
struct finding {
	struct hash by_name;
	struct target *const *t;
	int *next;
};

/* "ffffffff81000000 T name\t[module]" */
static void note_symbol(struct finding *f, char *line)
{
	char *p, *name, *mod;
	uint64_t addr = strtoull(line, &p, 16);
	size_t len;

	if (!addr || p == line || p[0] != ' ' || !p[1] || p[2] != ' ')
		return;
	name = p + 3;
	len = strcspn(name, "\t\n ");
	mod = strchr(name + len, '[');
	if (mod)
		mod[strcspn(mod, "]")] = '\0';
	for (intptr_t i = (intptr_t)hash_get(&f->by_name, name, len); i; i = f->next[i - 1])
		if (!f->t[i - 1]->addr && !strcmp(f->t[i - 1]->group, mod ? mod + 1 : "vmlinux"))
			f->t[i - 1]->addr = addr;
}

void hook_find_addresses(struct target *const *t, int n)
{
	struct finding f = {.t = t, .next = xcalloc(n, sizeof(int))};
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[1024];

	for (int i = 0; i < n && file; i++) {
		void **first = hash_ref(&f.by_name, t[i]->name, strlen(t[i]->name));

		f.next[i] = (intptr_t)*first;
		*first = (void *)(intptr_t)(i + 1);
	}
	while (file && fgets(line, sizeof(line), file))
		note_symbol(&f, line);
	if (file)
		fclose(file);
	hash_free(&f.by_name);
	free(f.next);
}

/* The kernel moves a probe at a function's start past its landing pad. */
int hook_addresses(const struct target *t, uint64_t *addrs)
{
	if (!t->addr)
		return 0;
	addrs[0] = t->addr + t->offset;
	addrs[1] = t->addr + LANDING;
	return t->offset ? 1 : 2;
}

/* Attaching */

int hook_read_number(const char *path, const char *fmt)
{
	FILE *f = fopen(path, "re");
	int n = -1;

	if (!f)
		return -1;
	if (fscanf(f, fmt, &n) != 1)
		n = -1;
	fclose(f);
	return n;
}

#define KPROBE_PMU "/sys/bus/event_source/devices/kprobe/"

static int attach_kprobe(int prog_fd, const struct target *t, uint64_t config, uint64_t cookie,
			 struct hook_links *links)
{
	struct perf_event_attr attr = {
	    .type = hook_read_number(KPROBE_PMU "type", "%d"),
	    .size = sizeof(attr),
	    .config = config,
	    .disabled = 1,
	};
	int fd;

	if ((int)attr.type < 0)
		return -EOPNOTSUPP;
	if (t->addr) { /* names are not unique */
		attr.kprobe_addr = t->addr + t->offset;
	} else {
		attr.kprobe_func = sys_ptr(t->name);
		attr.probe_offset = t->offset;
	}
	fd = hook_open_event(&attr);
	if (fd < 0)
		return fd;
	vec_push(&links->fds, fd);
	links->slow = true;
	return hook_attach_event(prog_fd, fd, cookie, links);
}

int func_attach_kprobe(int prog_fd, const struct target *t, uint64_t cookie,
		       struct hook_links *links)
{
	return attach_kprobe(prog_fd, t, 0, cookie, links);
}

int func_attach_kretprobe(int prog_fd, const struct target *t, uint64_t cookie,
			  struct hook_links *links)
{
	int bit = hook_read_number(KPROBE_PMU "format/retprobe", "config:%d");

	return bit < 0 ? -EOPNOTSUPP : attach_kprobe(prog_fd, t, 1ull << bit, cookie, links);
}

/* By addresses where all are known, for names are not unique; else by names. */
static int attach_multi(int prog_fd, const struct target *const *t, const uint64_t *cookies, int n,
			uint32_t flags, struct hook_links *links)
{
	uint64_t *where = xcalloc(n, sizeof(*where));
	struct sys_link link = {
	    .prog_fd = prog_fd,
	    .attach_type = SYS_ATTACH_KPROBE_MULTI,
	    .kprobe_multi = {.flags = flags, .cnt = n, .cookies = sys_ptr(cookies)},
	};
	bool known = true;
	int rc;

	for (int i = 0; i < n; i++)
		known &= t[i]->addr != 0;
	for (int i = 0; i < n; i++)
		where[i] = known ? t[i]->addr : sys_ptr(t[i]->name);
	if (known)
		link.kprobe_multi.addrs = sys_ptr(where);
	else
		link.kprobe_multi.syms = sys_ptr(where);
	rc = hook_add_fd(links, sys_link_create(&link));
	free(where);
	return rc;
}

enum { MULTI_RETURN = 1 };

int func_attach_multi(int prog_fd, const struct target *const *t, const uint64_t *cookies, int n,
		      struct hook_links *links)
{
	return attach_multi(prog_fd, t, cookies, n, 0, links);
}

int func_attach_rmulti(int prog_fd, const struct target *const *t, const uint64_t *cookies, int n,
		       struct hook_links *links)
{
	return attach_multi(prog_fd, t, cookies, n, MULTI_RETURN, links);
}
