/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/simulate/bpfvm.h"

#include <endian.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "bpf/map.h"

enum { STACK_SIZE = 512, MAX_DEPTH = 8, NREGS = 11 };

/* One activation of a function. */
struct act {
	struct bpfvm *vm;
	const struct code *code;
	uint64_t r[NREGS];
	uint16_t set; /* registers that were written */
	int pc;
};

void bpfvm_fail(struct bpfvm *vm, const char *fmt, ...)
{
	va_list ap;

	if (vm->error)
		return;
	va_start(ap, fmt);
	vsnprintf(vm->message, sizeof(vm->message), fmt, ap);
	va_end(ap);
	vm->error = vm->message;
}

#define fail(a, fmt, ...) \
	bpfvm_fail((a)->vm, "%s+%d: " fmt, (a)->code->name, (a)->pc, ##__VA_ARGS__)

static void add_region(struct bpfvm *vm, struct bpfvm_region r)
{
	vm->regions = xrealloc(vm->regions, sizeof(r) * (vm->nregions + 1));
	vm->regions[vm->nregions++] = r;
}

void bpfvm_region(struct bpfvm *vm, const void *start, size_t size, bool writable)
{
	add_region(vm, (struct bpfvm_region){(uintptr_t)start, size, writable, NULL});
}

void bpfvm_done(struct bpfvm *vm)
{
	free(vm->regions);
	vm->regions = NULL;
	vm->nregions = 0;
}

static struct bpfvm_region *find_region(struct bpfvm *vm, uint64_t addr, size_t size)
{
	for (int i = vm->nregions - 1; i >= 0; i--) {
		struct bpfvm_region *r = &vm->regions[i];

		if (addr >= r->start && size <= r->size && addr - r->start <= r->size - size)
			return r;
	}
	bpfvm_fail(vm, "access of %zu bytes at 0x%llx, which is nowhere", size, (long long)addr);
	return NULL;
}

bool bpfvm_read(struct bpfvm *vm, uint64_t addr, void *to, size_t size)
{
	struct bpfvm_region *r = find_region(vm, addr, size);

	if (!r)
		return false;
	if (r->written && memchr(r->written + (addr - r->start), 0, size)) {
		bpfvm_fail(vm, "read of stack at r10%+lld, %zu bytes, never written",
			   (long long)(addr - r->start) - STACK_SIZE, size);
		return false;
	}
	memcpy(to, (void *)(uintptr_t)addr, size);
	return true;
}

bool bpfvm_write(struct bpfvm *vm, uint64_t addr, const void *from, size_t size)
{
	struct bpfvm_region *r = find_region(vm, addr, size);

	if (!r)
		return false;
	if (!r->writable) {
		bpfvm_fail(vm, "write to constant memory");
		return false;
	}
	if (r->written)
		memset(r->written + (addr - r->start), 1, size);
	memmove((void *)(uintptr_t)addr, from, size);
	return true;
}

/* ---- helpers ---- */

/* Copies from anywhere in this process; how much could be read. */
static size_t probe(uint64_t addr, void *to, size_t size)
{
	struct iovec local = {to, size}, remote = {(void *)(uintptr_t)addr, size};
	ssize_t n = size ? process_vm_readv(getpid(), &local, 1, &remote, 1, 0) : 0;

	return n > 0 ? n : 0;
}

static int64_t probe_read(struct bpfvm *vm, uint64_t r[5], bool str)
{
	size_t size = r[1], got, len;
	char *buf;

	if (size > 1 << 20) {
		bpfvm_fail(vm, "probe of %zu bytes", size);
		return 0;
	}
	buf = xcalloc(size + 1, 1);
	got = probe(r[2], buf, size);
	/* A string may end before the page that is not there. */
	for (size_t step = 1; str && got < size && !memchr(buf, 0, got); got += step)
		if (!probe(r[2] + got, buf + got, step))
			break;
	len = strnlen(buf, got);
	if (got < size && (!str || len == got)) {
		memset(buf, 0, size);
		bpfvm_write(vm, r[0], buf, size);
		free(buf);
		return -EFAULT;
	}
	if (str && size) {
		struct bpfvm_region *reg = find_region(vm, r[0], size);

		len = MIN(len, size - 1);
		buf[len] = 0;
		if (reg && reg->written)
			memset(reg->written + (r[0] - reg->start), 1, size);
		bpfvm_write(vm, r[0], buf, len + 1);
		len++;
	} else if (!str) {
		bpfvm_write(vm, r[0], buf, size);
		len = 0;
	}
	free(buf);
	return len;
}

static char *map_element(struct bpfvm *vm, struct map *map, uint64_t key_addr)
{
	uint32_t key;

	if (!map || !map->mem ||
	    (map->type != BPF_MAP_TYPE_ARRAY && map->type != BPF_MAP_TYPE_PERCPU_ARRAY)) {
		bpfvm_fail(vm, "map %s is no array with memory", map ? map->name : "?");
		return NULL;
	}
	if (!bpfvm_read(vm, key_addr, &key, 4) || key >= map->max_entries)
		return NULL;
	return (char *)map->mem + (size_t)key * ALIGN_UP(map->value_size, 8);
}

static int64_t array_update(struct bpfvm *vm, uint64_t r[5])
{
	struct map *map = (struct map *)(uintptr_t)r[0];
	char *elem = map_element(vm, map, r[1]);

	if (!elem)
		return -E2BIG;
	return bpfvm_read(vm, r[2], elem, map->value_size) ? 0 : -EFAULT;
}

static int64_t get_comm(struct bpfvm *vm, uint64_t r[5])
{
	char *buf = xcalloc(r[1] & 0xfff, 1);

	if (r[1] & 0xfff)
		strncpy(buf, vm->comm ? vm->comm : "test", (r[1] & 0xfff) - 1);
	bpfvm_write(vm, r[0], buf, r[1] & 0xfff);
	free(buf);
	return 0;
}

int64_t bpfvm_helpers(void *arg, int id, uint64_t r[5])
{
	struct bpfvm *vm = arg;

	switch (id) {
	case BPF_FUNC_map_lookup_elem:
		return (intptr_t)map_element(vm, (struct map *)(uintptr_t)r[0], r[1]);
	case BPF_FUNC_map_update_elem:
		return array_update(vm, r);
	case BPF_FUNC_probe_read:
	case BPF_FUNC_probe_read_user:
	case BPF_FUNC_probe_read_kernel:
		return probe_read(vm, r, false);
	case BPF_FUNC_probe_read_str:
	case BPF_FUNC_probe_read_user_str:
	case BPF_FUNC_probe_read_kernel_str:
		return probe_read(vm, r, true);
	case BPF_FUNC_get_smp_processor_id:
		return 0;
	case BPF_FUNC_ktime_get_ns:
	case BPF_FUNC_ktime_get_boot_ns:
		return vm->time++;
	case BPF_FUNC_get_current_pid_tgid:
		return vm->pid_tgid;
	case BPF_FUNC_get_current_uid_gid:
		return vm->uid_gid;
	case BPF_FUNC_get_current_task:
		return vm->task;
	case BPF_FUNC_get_current_comm:
		return get_comm(vm, r);
	case BPF_FUNC_get_prandom_u32:
		return 4;
	default:
		bpfvm_fail(vm, "BPF helper %d needs a kernel", id);
		return 0;
	}
}

/* ---- instructions ---- */

static uint64_t get(struct act *a, int reg)
{
	if (reg >= NREGS || !(a->set >> reg & 1)) {
		fail(a, "r%d is read, but was never written", reg);
		return 0;
	}
	return a->r[reg];
}

static void set(struct act *a, int reg, uint64_t value)
{
	if (reg >= IR_FP)
		fail(a, "r%d is written", reg);
	else
		a->r[reg] = value, a->set |= 1 << reg;
}

static uint64_t alu64(struct act *a, int op, uint64_t x, uint64_t y)
{
	switch (op) {
	case BPF_ADD:
		return x + y;
	case BPF_SUB:
		return x - y;
	case BPF_MUL:
		return x * y;
	case BPF_DIV:
		return y ? x / y : 0;
	case BPF_MOD:
		return y ? x % y : x;
	case BPF_OR:
		return x | y;
	case BPF_AND:
		return x & y;
	case BPF_XOR:
		return x ^ y;
	case BPF_LSH:
		return x << (y & 63);
	case BPF_RSH:
		return x >> (y & 63);
	case BPF_ARSH:
		return (int64_t)x >> (y & 63);
	case BPF_MOV:
		return y;
	default:
		fail(a, "unknown operation 0x%x", op);
		return 0;
	}
}

static uint32_t alu32(struct act *a, int op, uint32_t x, uint32_t y)
{
	if (op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH)
		y &= 31;
	if (op == BPF_ARSH)
		return (int32_t)x >> y;
	return alu64(a, op, x, y);
}

static uint64_t to_big_endian(struct act *a, uint64_t x, int bits)
{
	switch (bits) {
	case 16:
		return htobe16(x);
	case 32:
		return htobe32(x);
	case 64:
		return htobe64(x);
	default:
		fail(a, "byte swap of %d bits", bits);
		return 0;
	}
}

static void step_alu(struct act *a, const struct bpf_insn *in)
{
	int op = BPF_OP(in->code), d = in->dst_reg;
	bool wide = BPF_CLASS(in->code) == BPF_ALU64;
	uint64_t y, x = op == BPF_MOV ? 0 : get(a, d);

	if (op == BPF_NEG) {
		set(a, d, wide ? -x : (uint32_t)-x);
		return;
	}
	if (op == BPF_END) {
		set(a, d, to_big_endian(a, x, in->imm));
		return;
	}
	y = in->code & BPF_X ? get(a, in->src_reg) : (uint64_t)(int64_t)in->imm;
	if (!(in->code & BPF_X)) {
		if ((op == BPF_DIV || op == BPF_MOD) && !in->imm)
			fail(a, "division by constant zero");
		if ((op == BPF_LSH || op == BPF_RSH || op == BPF_ARSH) && y >= (wide ? 64 : 32))
			fail(a, "shift by %d", in->imm);
	}
	set(a, d, wide ? alu64(a, op, x, y) : alu32(a, op, x, y));
}

static uint64_t load(struct act *a, int size, uint64_t addr)
{
	uint8_t byte = 0;
	uint16_t half = 0;
	uint32_t word = 0;
	uint64_t v = 0;

	switch (size) {
	case 1:
		bpfvm_read(a->vm, addr, &byte, 1);
		return byte;
	case 2:
		bpfvm_read(a->vm, addr, &half, 2);
		return half;
	case 4:
		bpfvm_read(a->vm, addr, &word, 4);
		return word;
	default:
		bpfvm_read(a->vm, addr, &v, 8);
		return v;
	}
}

static void store(struct act *a, int size, uint64_t addr, uint64_t v)
{
	uint16_t half = v;
	uint32_t word = v;
	uint8_t byte = v;
	const void *from = size == 1   ? &byte
			   : size == 2 ? (void *)&half
			   : size == 4 ? (void *)&word
				       : &v;

	bpfvm_write(a->vm, addr, from, size);
}

static void step_atomic(struct act *a, const struct bpf_insn *in, int size, uint64_t addr)
{
	uint64_t old = load(a, size, addr), x = get(a, in->src_reg);

	if (addr % size)
		fail(a, "atomic access is not aligned");
	if (in->imm == BPF_CMPXCHG) {
		uint64_t expect = get(a, IR_R0);

		if (old == (size == 4 ? (uint32_t)expect : expect))
			store(a, size, addr, x);
		set(a, IR_R0, old);
		return;
	}
	store(a, size, addr, in->imm == BPF_XCHG ? x : alu64(a, in->imm & ~BPF_FETCH, old, x));
	if (in->imm & BPF_FETCH)
		set(a, in->src_reg, old);
}

static void step_memory(struct act *a, const struct bpf_insn *in)
{
	static const uint8_t sizes[] = {4, 2, 1, 8};
	int size = sizes[BPF_SIZE(in->code) >> 3], class = BPF_CLASS(in->code);
	uint64_t addr = get(a, class == BPF_LDX ? in->src_reg : in->dst_reg) + in->off;

	if (class == BPF_LDX)
		set(a, in->dst_reg, load(a, size, addr));
	else if (class == BPF_ST)
		store(a, size, addr, in->imm);
	else if (BPF_MODE(in->code) == BPF_ATOMIC)
		step_atomic(a, in, size, addr);
	else
		store(a, size, addr, get(a, in->src_reg));
}

static const struct reloc *reloc_here(struct act *a)
{
	for (int i = 0; i < a->code->relocs.n; i++)
		if (a->code->relocs.v[i].insn == a->pc)
			return &a->code->relocs.v[i];
	return NULL;
}

static void map_region(struct bpfvm *vm, struct map *map)
{
	size_t size = map->mem_size;

	if (!size)
		size = ALIGN_UP((size_t)map->value_size, 8) * MAX(map->max_entries, 1u);
	for (int i = 0; i < vm->nregions; i++)
		if (vm->regions[i].start == (uintptr_t)map->mem && vm->regions[i].size == size)
			return;
	bpfvm_region(vm, map->mem, size, !map->rdonly);
}

static void step_imm64(struct act *a, const struct bpf_insn *in)
{
	const struct reloc *r = reloc_here(a);
	uint64_t v;

	if (a->pc + 1 >= a->code->insns.n) {
		fail(a, "half an instruction");
		return;
	}
	v = (uint64_t)(uint32_t)in[1].imm << 32 | (uint32_t)in->imm;
	if (!r && in->src_reg)
		fail(a, "reference without relocation");
	if (r && r->map->mem)
		map_region(a->vm, r->map);
	if (r && r->kind == RELOC_MAP) {
		v = (uintptr_t)r->map;
	} else if (r) {
		if (!r->map->mem)
			fail(a, "map %s has no memory", r->map->name);
		v = (uintptr_t)r->map->mem + r->off;
	}
	set(a, in->dst_reg, v);
	a->pc++;
}

static bool compare(struct act *a, int op, uint64_t x, uint64_t y)
{
	switch (op) {
	case BPF_JEQ:
		return x == y;
	case BPF_JNE:
		return x != y;
	case BPF_JGT:
		return x > y;
	case BPF_JGE:
		return x >= y;
	case BPF_JLT:
		return x < y;
	case BPF_JLE:
		return x <= y;
	case BPF_JSGT:
		return (int64_t)x > (int64_t)y;
	case BPF_JSGE:
		return (int64_t)x >= (int64_t)y;
	case BPF_JSLT:
		return (int64_t)x < (int64_t)y;
	case BPF_JSLE:
		return (int64_t)x <= (int64_t)y;
	case BPF_JSET:
		return x & y;
	default:
		fail(a, "unknown jump 0x%x", op);
		return false;
	}
}

static uint64_t run(struct bpfvm *vm, const struct code *code, int nargs, const uint64_t *args);

static void step_call(struct act *a, const struct bpf_insn *in)
{
	const struct reloc *r = reloc_here(a);
	uint64_t args[5] = {0}, result = 0;
	int known = 0;

	for (int i = 0; i < 5; i++) {
		if (!(a->set >> (i + 1) & 1))
			continue;
		args[i] = a->r[i + 1];
		known = known == i ? i + 1 : known;
	}
	if (r) {
		const struct code *callee = NULL;

		for (int i = 0; i < a->vm->nfuncs; i++)
			if (!strcmp(a->vm->funcs[i]->name, r->func))
				callee = a->vm->funcs[i];
		if (!callee)
			fail(a, "no function %s", r->func);
		else if (known < callee->nargs)
			fail(a, "%s is called with too few arguments", r->func);
		else
			result = run(a->vm, callee, callee->nargs, args);
	} else if (!a->vm->helper) {
		fail(a, "helper %d without helpers", in->imm);
	} else {
		result = a->vm->helper(a->vm->helper_arg, in->imm, args);
	}
	a->set &= ~0x3f;
	set(a, IR_R0, result);
}

/* False at the end of the function. */
static bool step_jump(struct act *a, const struct bpf_insn *in)
{
	int op = BPF_OP(in->code);
	uint64_t y;

	if (op == BPF_JA && (in->dst_reg || in->src_reg || in->imm))
		fail(a, "jump with reserved fields");
	if (op == BPF_EXIT) {
		get(a, IR_R0);
		return false;
	}
	if (op == BPF_CALL) {
		step_call(a, in);
		return true;
	}
	y = in->code & BPF_X && op != BPF_JA ? get(a, in->src_reg) : (uint64_t)(int64_t)in->imm;
	if (op == BPF_JA || compare(a, op, get(a, in->dst_reg), y))
		a->pc += in->off;
	return true;
}

static bool step(struct act *a)
{
	const struct bpf_insn *in = &a->code->insns.v[a->pc];

	switch (BPF_CLASS(in->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		step_alu(a, in);
		break;
	case BPF_LD:
		step_imm64(a, in);
		break;
	case BPF_LDX:
	case BPF_ST:
	case BPF_STX:
		step_memory(a, in);
		break;
	case BPF_JMP:
		if (!step_jump(a, in))
			return false;
		break;
	default:
		fail(a, "unknown instruction 0x%x", in->code);
		break;
	}
	a->pc++;
	return true;
}

static void execute(struct act *a)
{
	uint64_t limit = a->vm->max_steps ? a->vm->max_steps : 1000000;

	do {
		if (a->pc < 0 || a->pc >= a->code->insns.n)
			fail(a, "runs out of the function");
		else if (++a->vm->steps > limit)
			fail(a, "too many steps");
	} while (!a->vm->error && step(a));
}

static uint64_t run(struct bpfvm *vm, const struct code *code, int nargs, const uint64_t *args)
{
	uint64_t stack[STACK_SIZE / 8];
	uint8_t written[STACK_SIZE] = {0};
	struct act a = {.vm = vm, .code = code, .set = 1 << IR_FP};
	int size = ALIGN_UP(MAX(code->frame_size, 1), 32);

	if (vm->depth >= MAX_DEPTH || vm->stack + size > STACK_SIZE) {
		bpfvm_fail(vm, "%s: stack of the chain of calls is too large", code->name);
		return 0;
	}
	memset(stack, 0xa5, sizeof(stack));
	add_region(vm, (struct bpfvm_region){(uintptr_t)stack, sizeof(stack), true, written});
	a.r[IR_FP] = (uintptr_t)stack + STACK_SIZE;
	for (int i = 0; i < nargs && i < 5; i++) {
		a.r[i + 1] = args[i];
		a.set |= 2 << i;
	}
	vm->depth++;
	vm->stack += size;
	execute(&a);
	vm->stack -= size;
	vm->depth--;
	for (int i = 0; i < STACK_SIZE - code->frame_size && !vm->error; i++)
		if (written[i])
			bpfvm_fail(vm, "%s: writes stack beyond its frame_size", code->name);
	for (int i = vm->nregions - 1; i >= 0; i--)
		if (vm->regions[i].written == written)
			vm->regions[i] = vm->regions[--vm->nregions];
	return a.r[IR_R0];
}

int64_t bpfvm_run(struct bpfvm *vm, const struct code *code, int nargs, const uint64_t *args)
{
	uint64_t result = 0;
	uint64_t before = vm->steps;

	vm->error = NULL;
	vm->depth = vm->stack = 0;
	vm->steps = 0;
	if (code->error)
		bpfvm_fail(vm, "%s: %s", code->name, code->error);
	else
		result = run(vm, code, nargs, args);
	vm->steps += before;
	return vm->error ? 0 : (int64_t)result;
}
