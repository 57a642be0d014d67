/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions on numbers: bytes in network order, device numbers, processes, chance. */
#include <errno.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "libdt/builtin/builtin.h"
#include "libdt/symbols/ksym.h"
#include "libdt/lang/gen.h"
#include "libdt/lang/gen_parts.h"
#include "libdt/lang/sema_parts.h"
#include "libdt/engine/sysstat.h"

enum { MINOR_BITS = 20 }; /* of the kernel's dev_t */

/* All 32 bits, as an int. */
static int gen_rand(struct gen *g, struct node *n)
{
	int r = gen_copy(g, ir_call(g->ir, BPF_FUNC_get_prandom_u32, 0, NULL));

	(void)n;
	ir_sext(g->ir, r, 32);
	return r;
}

/* To big endian and back are the same. */
static int swap(struct gen *g, struct node *n, int bits)
{
	int r = gen_copy(g, gen_expr(g, n->list));

	ir_bswap(g->ir, r, bits);
	return r;
}

static int gen_swap16(struct gen *g, struct node *n)
{
	return swap(g, n, 16);
}

static int gen_swap32(struct gen *g, struct node *n)
{
	return swap(g, n, 32);
}

static int gen_swap64(struct gen *g, struct node *n)
{
	return swap(g, n, 64);
}

static int gen_getmajor(struct gen *g, struct node *n)
{
	int r = gen_copy(g, gen_expr(g, n->list));

	ir_alui(g->ir, BPF_RSH, r, MINOR_BITS);
	return r;
}

static int gen_getminor(struct gen *g, struct node *n)
{
	int r = gen_copy(g, gen_expr(g, n->list));

	ir_alui(g->ir, BPF_AND, r, (1 << MINOR_BITS) - 1);
	return r;
}

static int64_t task_offset(struct sema *s, struct node *n, const char *name)
{
	const char *why = types_kernel_error(s->types);
	uint64_t off;

	if (!type_kernel_offset(s->types, "struct task_struct", name, &off))
		sema_die(s, D_UNSUPPORTED, n, "%s( ) needs the kernel's types: %s", n->name,
			 why ? why : "struct task_struct is not as expected");
	return off;
}

/* A process's parent and its number: where the kernel has them. */
static void check_progenyof(struct sema *s, struct node *n)
{
	n->aux = task_offset(s, n, "real_parent");
	n->aux2 = task_offset(s, n, "tgid");
}

static int gen_progenyof(struct gen *g, struct node *n)
{
	int args[3] = {gen_expr(g, n->list), ir_reg(g->ir), ir_reg(g->ir)};

	ir_movi(g->ir, args[1], n->aux);
	ir_movi(g->ir, args[2], n->aux2);
	return gen_routine(g, "rt_progenyof", 3, args);
}

/* A body of a type would stay declared. */
static bool declares_type(const struct node *n)
{
	for (; n; n = n->next)
		if (n->has_body || declares_type(n->a) || declares_type(n->b) ||
		    declares_type(n->c) || declares_type(n->list) ||
		    (n->decl && declares_type(n->decl)) || (n->base && declares_type(n->base)))
			return true;
	return false;
}

static void check_exists(struct sema *s, struct node *n)
{
	const struct type *type;

	if (node_count(n->list) != 1)
		sema_die(s, D_PROTO_LEN, n,
			 "exists( ) prototype mismatch: %d args passed, 1 expected",
			 node_count(n->list));
	if (declares_type(n->list))
		sema_die(s, D_DECL_CLASS, n, "types may not be declared in exists( )");
	n->a = sema_int(s, n, sema_try(s, n->list, &type), type_int(s->types, 4, true));
}

/* Without the function's type, which is long to look for. */
static void check_function(struct sema *s, struct node *n)
{
	struct ksym k = {0};

	if (node_count(n->list) != 1 || n->list->kind != N_STR)
		sema_die(s, D_PROTO_ARG, n, "dt_function( ) takes a name");
	if (syms_named(s->ksyms, "vmlinux", n->list->str, KSYM_TEXT, true, &k))
		sema_note_hidden(s, NULL, n->list->str, &k);
	n->a = sema_int(s, n, k.addr, type_int(s->types, 8, false));
}

/* cgroup of the processes in a control group, by its directory. */
static void check_cgroupid(struct sema *s, struct node *n)
{
	struct statfs fs;
	struct stat st;
	const char *path;

	if (node_count(n->list) != 1)
		sema_die(s, D_PROTO_LEN, n,
			 "cgroupid( ) prototype mismatch: %d args passed, 1 expected",
			 node_count(n->list));
	if (n->list->kind != N_STR)
		sema_die(s, D_PROTO_ARG, n,
			 "cgroupid( ) argument #1 must be a string constant: the directory of a "
			 "control group");
	path = n->list->str[0] == '/' ? n->list->str
				      : arena_printf(s->arena, "/sys/fs/cgroup/%s", n->list->str);
	if (stat(path, &st) || statfs(path, &fs))
		sema_die(s, D_PROTO_ARG, n, "cgroupid( ): %s: %s", path, strerror(errno));
	if (fs.f_type != CGROUP2_SUPER_MAGIC || !S_ISDIR(st.st_mode))
		sema_die(s, D_PROTO_ARG, n,
			 "cgroupid( ): %s is not the directory of a control group (cgroup2)", path);
	n->a = sema_int(s, n, st.st_ino, type_int(s->types, 8, false));
}

static void check_sysstat(struct sema *s, struct node *n)
{
	(void)n;
	s->sysstats = true;
}

/* By name: a counter of the network's. */
static void check_net_sysstat(struct sema *s, struct node *n)
{
	int sysstat = -1;

	if (node_count(n->list) == 1 && n->list->kind == N_STR)
		sysstat = sysstat_net(n->list->str);
	if (sysstat < 0)
		sema_die(s, D_PROTO_ARG, n, "dt_net_sysstat( ) takes the name of a counter");
	n->list = sema_int(s, n, sysstat, type_int(s->types, 4, true));
	n->type = (struct type *)type_int(s->types, 8, true);
	n->a = n;
	s->sysstats = s->net_sysstats = true;
}

static int gen_sysstat(struct gen *g, struct node *n)
{
	int at = gen_copy(g, gen_expr(g, n->list)), p = ir_reg(g->ir), r = ir_reg(g->ir);

	ir_alui(g->ir, BPF_AND, at, SYSSTATS - 1);
	ir_alui(g->ir, BPF_LSH, at, 3);
	ir_map_mem(g->ir, p, &g->set->maps.ctl, offsetof(struct ctl, sysstats));
	ir_alu(g->ir, BPF_ADD, p, at);
	ir_ld(g->ir, 8, r, p, 0);
	return r;
}

/* 0: its package, 1: its node; of a CPU that there is not, 0. */
static int gen_cpu_sysstat(struct gen *g, struct node *n)
{
	int node = gen_expr(g, n->list), cpu = gen_expr(g, n->list->next), r = gen_imm(g, 0),
	    none = ir_label(g->ir), p;

	g->set->uses_topology = true;
	p = gen_cpu_part(g->ir, g->cg, cpu, none);
	node = gen_copy(g, node);
	ir_alui(g->ir, BPF_AND, node, 1);
	ir_alui(g->ir, BPF_LSH, node, 2);
	ir_alu(g->ir, BPF_ADD, p, node);
	ir_ld(g->ir, 4, r, p, offsetof(struct ctl_cpu, chip));
	ir_place(g->ir, none);
	return r;
}

const struct def defs_num[] = {
    {.name = "dt_cpu_sysstat",
     .kind = DEF_SUB,
     .proto = "int(int, int)",
     .gen = gen_cpu_sysstat,
     .help = "for the D library: where a CPU is: 0: its package, 1: its NUMA node"},
    {.name = "dt_sysstat",
     .kind = DEF_SUB,
     .proto = "int64_t(int)",
     .check = check_sysstat,
     .gen = gen_sysstat,
     .help = "for the D library: a value of the system that dtrace updates"},
    {.name = "dt_net_sysstat",
     .kind = DEF_SUB,
     .proto = "int64_t(@)",
     .flags = DEF_UNTYPED,
     .check = check_net_sysstat,
     .gen = gen_sysstat,
     .help = "for the D library: a network counter, by its name in mib"},
    {.name = "dt_function",
     .kind = DEF_SUB,
     .proto = "uint64_t(@)",
     .flags = DEF_UNTYPED,
     .check = check_function,
     .help = "for the D library: the address of a kernel function, 0 if there is none"},
    {.name = "cgroupid",
     .kind = DEF_SUB,
     .proto = "uint64_t(@)",
     .flags = DEF_UNTYPED | DEF_YIELDS,
     .check = check_cgroupid,
     .help = "the ID of a control group, by its directory; determined at compile time"},
    {.name = "exists",
     .kind = DEF_SUB,
     .proto = "int(@)",
     .flags = DEF_UNTYPED | DEF_YIELDS,
     .check = check_exists,
     .help =
	 "1 if the expression has a type on this kernel, otherwise 0; determined at compile time"},
    {.name = "rand",
     .kind = DEF_SUB,
     .proto = "int()",
     .gen = gen_rand,
     .help = "a random number, of all 32 bits of an int"},
    {.name = "htons",
     .kind = DEF_SUB,
     .proto = "uint16_t(uint16_t)",
     .gen = gen_swap16,
     .help = "16 bits from the machine's to the network's byte order"},
    {.name = "htonl",
     .kind = DEF_SUB,
     .proto = "uint32_t(uint32_t)",
     .gen = gen_swap32,
     .help = "32 bits from the machine's to the network's byte order"},
    {.name = "htonll",
     .kind = DEF_SUB,
     .proto = "uint64_t(uint64_t)",
     .gen = gen_swap64,
     .help = "64 bits from the machine's to the network's byte order"},
    {.name = "ntohs",
     .kind = DEF_SUB,
     .proto = "uint16_t(uint16_t)",
     .gen = gen_swap16,
     .help = "16 bits from the network's to the machine's byte order"},
    {.name = "ntohl",
     .kind = DEF_SUB,
     .proto = "uint32_t(uint32_t)",
     .gen = gen_swap32,
     .help = "32 bits from the network's to the machine's byte order"},
    {.name = "ntohll",
     .kind = DEF_SUB,
     .proto = "uint64_t(uint64_t)",
     .gen = gen_swap64,
     .help = "64 bits from the network's to the machine's byte order"},
    {.name = "getmajor",
     .kind = DEF_SUB,
     .proto = "dev_t(dev_t)",
     .gen = gen_getmajor,
     .help = "the driver's part of a device number"},
    {.name = "getminor",
     .kind = DEF_SUB,
     .proto = "dev_t(dev_t)",
     .gen = gen_getminor,
     .help = "the device's part of a device number"},
    {.name = "progenyof",
     .kind = DEF_SUB,
     .proto = "int(pid_t)",
     .check = check_progenyof,
     .gen = gen_progenyof,
     .help = "1 when the process is this one or descends from it"},
    {0},
};
