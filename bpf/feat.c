/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes of the kernel's features: each tries the operation itself in its smallest form and undoes
 * it. Attachments go to a function that does not run (kernel_halt), or to something that does not
 * exist, where the kernel's error shows whether it looked for it.
 */
#include "bpf/feat.h"

#include <bpf/libbpf.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "bpf/feat_watch.h"
#include "bpf/hook.h"
#include "bpf/insn.h"
#include "bpf/kaddr.h"
#include "bpf/map.h"
#include "bpf/prog.h"
#include "bpf/sys.h"
#include "libdt/base/mem.h"

enum state { UNKNOWN, YES, NO, OFF };

struct feats {
	unsigned char state[FEAT_COUNT];
	feats_id *id;
	void *id_arg;
};

#define PROBE(word) static bool feat_probe_##word(struct feats *feats __attribute__((unused)))

/* A function that every kernel has, that may be traced, and that does not run while we do. */
static const char quiet_func[] = "kernel_halt";

#define CALL_LOCAL() INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0)
#define IMM64(dst, src, imm) INSN(BPF_LD | BPF_IMM | BPF_DW, dst, src, 0, imm), INSN(0, 0, 0, 0, 0)

/* The fd of a loaded program, or -errno. */
static int try_flags(uint32_t type, uint32_t flags, uint32_t attach_type, uint32_t btf_id,
		     const struct bpf_insn *insns, int n)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_flags = flags;
	attr.prog_type = type;
	attr.expected_attach_type = attach_type;
	attr.attach_btf_id = btf_id;
	attr.insns = sys_ptr(insns);
	attr.insn_cnt = n;
	attr.license = sys_ptr("GPL");
	memcpy(attr.prog_name, "dt_probe", sizeof("dt_probe"));
	return sys_bpf_make(BPF_PROG_LOAD, &attr, sizeof(attr));
}

static int try_insns(uint32_t type, uint32_t attach_type, uint32_t btf_id,
		     const struct bpf_insn *insns, int n)
{
	return try_flags(type, 0, attach_type, btf_id, insns, n);
}

#define TRY(type, ...)                                            \
	try_insns((type), 0, 0, (struct bpf_insn[]){__VA_ARGS__}, \
		  ARRAY_SIZE(((struct bpf_insn[]){__VA_ARGS__})))

/* A program that asks for its cookie. */
#define TRY_COOKIE(type) TRY((type), CALL(SYS_FUNC_GET_ATTACH_COOKIE), MOV(0, 0), EXIT())

/* Whether a descriptor was had; it is closed. */
static bool got(int fd)
{
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int probe_bpf(void)
{
	return TRY(BPF_PROG_TYPE_RAW_TRACEPOINT, MOV(0, 0), EXIT());
}

PROBE(BPF)
{
	return got(probe_bpf());
}

/* A locked-down kernel loads programs, but none that read its memory. */
PROBE(READ_KERNEL)
{
	return got(TRY(BPF_PROG_TYPE_RAW_TRACEPOINT, MOVR(1, 10), ADD(1, -8), MOV(2, 8), MOV(3, 0),
		       CALL(BPF_FUNC_probe_read_kernel), MOV(0, 0), EXIT()));
}

PROBE(ATOMIC_FETCH)
{
	return got(TRY(BPF_PROG_TYPE_RAW_TRACEPOINT, INSN(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 0),
		       MOV(1, 1), INSN(BPF_STX | BPF_XADD | BPF_DW, 10, 1, -8, BPF_ADD | BPF_FETCH),
		       MOVR(0, 1), EXIT()));
}

PROBE(RINGBUF)
{
	struct map m;
	bool ok;

	map_init(&m, "dt_probe", BPF_MAP_TYPE_RINGBUF, 0, 0, sysconf(_SC_PAGESIZE));
	ok = !map_create(&m);
	map_close(&m);
	return ok;
}

/* Counts to two. */
PROBE(BOUNDED_LOOP)
{
	return got(TRY(BPF_PROG_TYPE_RAW_TRACEPOINT, MOV(0, 0), ADD(0, 1),
		       INSN(BPF_JMP | BPF_JLT | BPF_K, 0, 0, -2, 2), MOV(0, 0), EXIT()));
}

PROBE(LONG_KEYS)
{
	struct map m;
	bool ok;

	map_init(&m, "dt_probe", BPF_MAP_TYPE_HASH, 520, 8, 1);
	ok = !map_create(&m);
	map_close(&m);
	return ok;
}

/* Makes size bytes in the task; returns whether it has them where the program is run. */
static bool stores_in_task(uint32_t size, bool run)
{
	struct prog p;
	struct map m;
	int64_t has = 1;

	map_init_task_storage(&m, "dt_probe", size);
	if (map_create(&m))
		return false;
	p.fd = TRY(BPF_PROG_TYPE_RAW_TRACEPOINT, CALL(SYS_FUNC_GET_CURRENT_TASK_BTF),
		   IMM64(1, BPF_PSEUDO_MAP_FD, m.fd), MOVR(2, 0), MOV(3, 0), MOV(4, 1),
		   CALL(SYS_FUNC_TASK_STORAGE_GET), INSN(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1, 0),
		   MOV(0, 1), EXIT());
	if (p.fd >= 0 && run && prog_run(&p, NULL, 0, &has))
		has = 0;
	map_close(&m);
	return got(p.fd) && has;
}

PROBE(TASK_STORAGE)
{
	return stores_in_task(8, false);
}

/* Linux 6.19 makes such a map, but takes the memory from an allocator that never has as much. */
PROBE(LARGE_TASK_STORAGE)
{
	return stores_in_task(16384, true);
}

/*
 * A kernel that knows links of perf events looks for the event, which is not there. A real one
 * takes 18 ms to close.
 */
PROBE(PERF_COOKIE)
{
	struct sys_link link = {
	    .target_fd = UINT32_MAX,
	    .attach_type = SYS_ATTACH_PERF_EVENT,
	    .perf.cookie = 1,
	};
	int prog = TRY_COOKIE(BPF_PROG_TYPE_PERF_EVENT);
	int rc;

	if (prog < 0)
		return false;
	link.prog_fd = prog;
	rc = sys_link_create(&link);
	got(rc);
	close(prog);
	return rc == -EBADF;
}

/* A kernel that knows cookies looks for the tracepoint; others refuse the attributes first. */
PROBE(RAWTP_COOKIE)
{
	struct sys_raw_tp attr = {.name = sys_ptr("dt_no_such_point"), .cookie = 1};
	int prog = TRY_COOKIE(BPF_PROG_TYPE_RAW_TRACEPOINT);
	int rc;

	if (prog < 0)
		return false;
	attr.prog_fd = prog;
	rc = sys_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr));
	got(rc);
	close(prog);
	return rc == -ENOENT;
}

/*
 * Loads a main function, whose instruction ref refers to another function, with BTF. feats is NULL,
 * so prog_load asks no feature back.
 */
static bool load_two(struct bpf_insn *insns, int n, int ref, struct bpf_insn *other, int n_other,
		     bool global, int memory)
{
	struct reloc reloc = {.kind = RELOC_CALL, .insn = ref, .func = "other"};
	struct code code = {.name = "probe", .nargs = 1};
	struct code func = {.name = "other", .nargs = 2, .is_global = global, .memory = memory};
	struct prog p;
	bool ok;

	code.insns.v = insns;
	code.insns.n = n;
	code.relocs.v = &reloc;
	code.relocs.n = 1;
	func.insns.v = other;
	func.insns.n = n_other;
	prog_init(&p, "dt_probe", BPF_PROG_TYPE_RAW_TRACEPOINT);
	p.main = &code;
	prog_add(&p, &func);
	ok = !prog_load(&p, NULL, NULL, false);
	prog_close(&p);
	return ok;
}

PROBE(GLOBAL_FUNC)
{
	struct bpf_insn insns[] = {MOV(1, 1), MOV(2, 2), CALL_LOCAL(), MOV(0, 0), EXIT()};
	struct bpf_insn other[] = {MOVR(0, 1), EXIT()};

	return load_two(insns, ARRAY_SIZE(insns), 2, other, ARRAY_SIZE(other), true, 0);
}

static bool takes_key(int map_fd)
{
	struct bpf_insn insns[] = {INSN(BPF_ST | BPF_MEM | BPF_DW, 10, 0, -8, 0),
				   MOVR(1, 10),
				   ADD(1, -8),
				   MOV(2, 0),
				   CALL_LOCAL(),
				   MOV(0, 0),
				   EXIT()};
	struct bpf_insn other[] = {INSN(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 4, 0),
				   MOVR(2, 1),
				   IMM64(1, BPF_PSEUDO_MAP_FD, map_fd),
				   CALL(BPF_FUNC_map_lookup_elem),
				   MOV(0, 0),
				   EXIT()};

	return load_two(insns, ARRAY_SIZE(insns), 4, other, ARRAY_SIZE(other), true, 8);
}

PROBE(FUNC_MEMORY)
{
	struct map m;
	bool ok;

	map_init(&m, "dt_probe", BPF_MAP_TYPE_HASH, 8, 8, 1);
	if (map_create(&m))
		return false;
	ok = takes_key(m.fd);
	map_close(&m);
	return ok;
}

PROBE(LOOP)
{
	struct bpf_insn insns[] = {MOV(1, 1), IMM64(2, BPF_PSEUDO_FUNC, 0), MOV(3, 0),
				   MOV(4, 0), CALL(SYS_FUNC_LOOP),	    MOV(0, 0),
				   EXIT()};
	struct bpf_insn other[] = {MOV(0, 0), EXIT()};

	return load_two(insns, ARRAY_SIZE(insns), 1, other, ARRAY_SIZE(other), false, 0);
}

PROBE(TASK_PT_REGS)
{
	return got(TRY(BPF_PROG_TYPE_RAW_TRACEPOINT, CALL(SYS_FUNC_GET_CURRENT_TASK_BTF),
		       MOVR(1, 0), CALL(SYS_FUNC_TASK_PT_REGS), MOV(0, 0), EXIT()));
}

PROBE(KTIME_TAI)
{
	return got(
	    TRY(BPF_PROG_TYPE_RAW_TRACEPOINT, CALL(SYS_FUNC_KTIME_GET_TAI_NS), MOV(0, 0), EXIT()));
}

/* The number of a kind of perf event that the kernel gives out at boot; -1 when it has none. */
static int pmu_type(const char *path)
{
	FILE *f = fopen(path, "re");
	int type = -1;

	if (!f)
		return -1;
	if (fscanf(f, "%d", &type) != 1)
		type = -1;
	fclose(f);
	return type;
}

PROBE(KPROBE)
{
	int type = pmu_type("/sys/bus/event_source/devices/kprobe/type");
	struct perf_event_attr attr = {
	    .type = type,
	    .size = sizeof(attr),
	    .kprobe_func = sys_ptr(quiet_func),
	    .disabled = 1,
	};

	return type >= 0 && got(sys_perf_open(&attr, 0, -1));
}

PROBE(WATCHPOINT)
{
	int prog = TRY(BPF_PROG_TYPE_PERF_EVENT, MOV(0, 0), EXIT());
	bool ok = prog >= 0 && feat_watch(prog);

	got(prog);
	return ok;
}

static int try_kprobe_prog(uint32_t attach_type)
{
	struct bpf_insn insns[] = {MOV(0, 0), EXIT()};

	return try_insns(BPF_PROG_TYPE_KPROBE, attach_type, 0, insns, ARRAY_SIZE(insns));
}

PROBE(KPROBE_MULTI)
{
	const char *syms[] = {quiet_func};
	struct sys_link link = {
	    .attach_type = SYS_ATTACH_KPROBE_MULTI,
	    .kprobe_multi = {.cnt = 1, .syms = sys_ptr(syms)},
	};
	int prog = try_kprobe_prog(SYS_ATTACH_KPROBE_MULTI);
	bool ok;

	if (prog < 0)
		return false;
	link.prog_fd = prog;
	ok = got(sys_link_create(&link));
	close(prog);
	return ok;
}

/* A directory cannot carry probes; a kernel that knows uprobe.multi rejects it with EBADF. */
PROBE(UPROBE_MULTI)
{
	uint64_t offset = 0;
	struct sys_link link = {
	    .attach_type = SYS_ATTACH_UPROBE_MULTI,
	    .uprobe_multi = {.path = sys_ptr("/"), .offsets = sys_ptr(&offset), .cnt = 1},
	};
	int prog = try_kprobe_prog(SYS_ATTACH_UPROBE_MULTI), rc;

	if (prog < 0)
		return false;
	link.prog_fd = prog;
	rc = sys_link_create(&link);
	got(rc);
	close(prog);
	return rc == -EBADF;
}

PROBE(SLEEPABLE_UPROBE)
{
	struct bpf_insn insns[] = {
	    MOVR(1, 10), ADD(1, -8), MOV(2, 8), MOV(3, 0), CALL(BPF_FUNC_copy_from_user),
	    MOV(0, 0),	 EXIT()};

	return got(
	    try_flags(BPF_PROG_TYPE_KPROBE, BPF_F_SLEEPABLE, 0, 0, insns, ARRAY_SIZE(insns)));
}

/* The type id of a function or tracepoint of the running kernel, 0 when it has none. */
static uint32_t type_id(struct feats *f, const char *name, bool tracepoint)
{
	int id;

	if (f->id)
		return f->id(f->id_arg, name, tracepoint);
	id = libbpf_find_vmlinux_btf_id(name, tracepoint ? BPF_TRACE_RAW_TP : BPF_TRACE_FENTRY);
	return id > 0 ? id : 0;
}

/* Some machines load such programs but cannot attach them. */
PROBE(FENTRY)
{
	struct bpf_insn insns[] = {MOV(0, 0), EXIT()};
	struct sys_raw_tp attr = {0};
	uint32_t id = type_id(feats, quiet_func, false);
	int prog;
	bool ok;

	if (!id)
		return false;
	prog = try_insns(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, id, insns, ARRAY_SIZE(insns));
	if (prog < 0)
		return false;
	attr.prog_fd = prog;
	ok = got(sys_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr)));
	close(prog);
	return ok;
}

/* Functions that some kernel has, and allows: of security hooks, and of error injection. */
PROBE(FMOD_RET)
{
	static const char *const names[] = {"security_file_open", "should_fail_alloc_page",
					    "should_failslab", "should_fail_bio"};
	bool ok = false;

	for (size_t i = 0; i < ARRAY_SIZE(names) && !ok && feat(feats, FEAT_FENTRY); i++) {
		uint32_t id = type_id(feats, names[i], false);

		ok = id && !hook_try_return(id, 0);
	}
	return ok;
}

/* The kernel has the helper only when it is built for that. */
PROBE(OVERRIDE_RETURN)
{
	return feat(feats, FEAT_KPROBE) &&
	       got(TRY(BPF_PROG_TYPE_KPROBE, MOV(2, 0), CALL(BPF_FUNC_override_return), MOV(0, 0),
		       EXIT()));
}

/* Its unwinder has one of these; others have none. */
PROBE(ORC)
{
	static const char *const names[] = {"__orc_find", "orc_find", "orc_sort_cmp"};

#ifdef __x86_64__
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (type_id(feats, names[i], false))
			return true;
#endif
	return false;
}

PROBE(BTF)
{
	FILE *f = fopen("/sys/kernel/btf/vmlinux", "re");
	uint16_t magic = 0;
	bool ok;

	if (!f)
		return false;
	ok = fread(&magic, sizeof(magic), 1, f) == 1 && magic == 0xeb9f;
	fclose(f);
	return ok;
}

/* A kernel without modules loaded has none, and needs none. */
PROBE(MODULE_BTF)
{
	DIR *dir = opendir("/sys/kernel/btf");
	struct dirent *e;
	bool found = false;

	if (!dir)
		return false;
	while (!found && (e = readdir(dir)))
		found = e->d_name[0] != '.' && strcmp(e->d_name, "vmlinux");
	closedir(dir);
	return found;
}

/* Dereferences a pointer argument, which needs no helper in such programs. */
static bool try_tp_btf(uint32_t id)
{
	struct bpf_insn insns[] = {INSN(BPF_LDX | BPF_MEM | BPF_DW, 1, 1, 0, 0),
				   INSN(BPF_LDX | BPF_MEM | BPF_DW, 1, 1, 8, 0), MOV(0, 0), EXIT()};

	return id && got(try_insns(BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, id, insns,
				   ARRAY_SIZE(insns)));
}

PROBE(TP_BTF)
{
	return try_tp_btf(type_id(feats, "sys_enter", true));
}

/* A name that is found at once on kernels that search from end to end. */
PROBE(SYM_LOOKUP)
{
	struct kaddr *k = kaddr_open();
	uint64_t addr;
	bool found = !kaddr_find(k, "_stext", &addr) && addr;

	kaddr_close(k);
	return found;
}

static const struct {
	const char *word, *text, *since;
	bool (*probe)(struct feats *f);
} features[FEAT_COUNT] = {
#define FEAT(word, text, since) {#word, text, since, feat_probe_##word},
#include "bpf/feat.def"
#undef FEAT
};

static int print_nothing(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

struct feats *feats_new(void)
{
	libbpf_set_print(print_nothing);
	return xcalloc(1, sizeof(struct feats));
}

void feats_ask(struct feats *f, feats_id *id, void *arg)
{
	f->id = id;
	f->id_arg = arg;
}

void feats_free(struct feats *f)
{
	free(f);
}

/* Where programs cannot be loaded nothing of theirs is there, and to look for it takes 20 ms:
 * types are read. */
static bool is_of_programs(enum feat which)
{
	return which != FEAT_BPF && which != FEAT_BTF && which != FEAT_MODULE_BTF;
}

/* 0 when there are as many descriptors as a probe needs, or -errno. */
static int try_descriptors(void)
{
	int fds[4], n, err = 0;

	for (n = 0; n < (int)ARRAY_SIZE(fds) && !err; n++) {
		fds[n] = eventfd(0, EFD_CLOEXEC);
		err = fds[n] < 0 ? -errno : 0;
	}
	while (n-- > 0)
		got(fds[n]);
	return err;
}

static bool probe_once(struct feats *f, enum feat which)
{
	return (!is_of_programs(which) || feat(f, FEAT_BPF)) && features[which].probe(f);
}

/* What failed for want of memory says nothing about the kernel. */
static bool probe(struct feats *f, enum feat which)
{
	unsigned before = sys_shortages();

	return probe_once(f, which) || (sys_shortages() != before && probe_once(f, which));
}

bool feat(struct feats *f, enum feat which)
{
	bool available;
	int err;

	if (f->state[which] != UNKNOWN)
		return f->state[which] == YES;
	available = probe(f, which);
	/* a probe that cannot have a descriptor says nothing about the kernel */
	err = available ? 0 : try_descriptors();
	if (err == -EMFILE && sys_raise_files()) {
		available = probe(f, which);
		err = available ? 0 : try_descriptors();
	}
	if (!err)
		f->state[which] = available ? YES : NO;
	return available;
}

bool feat_is_off(const struct feats *f, enum feat which)
{
	return f->state[which] == OFF;
}

/* Compares with a word of feat.def, which is in upper case. */
static bool is_word(const char *word, const char *name, size_t len)
{
	if (strlen(word) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (tolower((unsigned char)word[i]) != name[i])
			return false;
	return true;
}

/* Do all supported kernels have it? */
static bool is_common(enum feat which)
{
	return which == FEAT_BPF || which == FEAT_RINGBUF || which == FEAT_BOUNDED_LOOP ||
	       which == FEAT_BTF || which == FEAT_READ_KERNEL;
}

static bool disable(struct feats *f, const char *name, size_t len)
{
	bool all = is_word("ALL", name, len), found = all;

	for (int i = 0; i < FEAT_COUNT; i++) {
		if (!is_word(features[i].word, name, len) && (!all || is_common(i)))
			continue;
		f->state[i] = OFF;
		found = true;
	}
	return found;
}

int feats_disable(struct feats *f, const char *names)
{
	struct feats changed = *f;

	for (;; names++) {
		size_t len = strcspn(names, ",");

		if (!disable(&changed, names, len))
			return -EINVAL;
		names += len;
		if (!*names)
			break;
	}
	*f = changed;
	return 0;
}

void feats_each(struct feats *f, void (*fn)(void *arg, const struct feat_state *state), void *arg)
{
	for (int i = 0; i < FEAT_COUNT; i++) {
		struct feat_state state = {.text = features[i].text, .since = features[i].since};
		char name[32];
		size_t n = 0;

		state.available = feat(f, i);
		state.disabled = feat_is_off(f, i);
		for (const char *w = features[i].word; *w && n < sizeof(name) - 1; w++)
			name[n++] = tolower((unsigned char)*w);
		name[n] = '\0';
		state.name = name;
		fn(arg, &state);
	}
}

static void report_feature(void *arg, const struct feat_state *s)
{
	fprintf(arg, "%-16s %-4s %s", s->name,
		s->available  ? "yes"
		: s->disabled ? "off"
			      : "no",
		s->text);
	if (!s->available && s->since)
		fprintf(arg, " (Linux %s)", s->since);
	putc('\n', arg);
}

bool feats_why_unsupported(struct feats *f, bool probe, struct strbuf *why)
{
	static const enum feat needed[] = {FEAT_RINGBUF, FEAT_BOUNDED_LOOP};

	if (probe && !feat(f, FEAT_BPF))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		enum feat which = needed[i];

		if (probe ? feat(f, which) || f->state[which] == UNKNOWN : !feat_is_off(f, which))
			continue;
		sb_printf(why, "this kernel has no %s, which dtrace needs: Linux %s has it",
			  features[which].text, features[which].since);
		return true;
	}
	return false;
}

void feats_report(struct feats *f, FILE *out)
{
	feats_each(f, report_feature, out);
}

/* The rest of the first line of a small file that starts with key; "" when there is none. */
static void file_line(char *buf, size_t size, const char *path, const char *key)
{
	FILE *f = fopen(path, "re");
	size_t n = strlen(key);

	*buf = '\0';
	if (!f)
		return;
	while (fgets(buf, size, f) && strncmp(buf, key, n))
		*buf = '\0';
	fclose(f);
	if (strlen(buf) >= n)
		memmove(buf, buf + n, strlen(buf + n) + 1);
}

static bool has_caps(void)
{
	enum { CAP_ADMIN = 21, CAP_PERF = 38, CAP_BPF_ = 39 };
	char text[64];
	uint64_t caps;

	file_line(text, sizeof(text), "/proc/self/status", "CapEff:");
	caps = strtoull(text, NULL, 16);
	return caps >> CAP_ADMIN & 1 || (caps >> CAP_PERF & 1 && caps >> CAP_BPF_ & 1);
}

/* Only the first user namespace maps all ids onto themselves. */
static bool in_user_namespace(void)
{
	char text[128];
	unsigned long long in, out, n;

	file_line(text, sizeof(text), "/proc/self/uid_map", "");
	return sscanf(text, "%llu %llu %llu", &in, &out, &n) == 3 &&
	       !(in == 0 && out == 0 && n == UINT32_MAX);
}

static bool is_filtered(void)
{
	char text[64];

	file_line(text, sizeof(text), "/proc/self/status", "Seccomp:");
	return atoi(text) == 2;
}

static const char *why_not_permitted(void)
{
	if (!has_caps())
		return geteuid()
			   ? "tracing needs root, or the capabilities CAP_BPF and "
			     "CAP_PERFMON (try sudo)"
			   : "root lacks the capabilities CAP_BPF and CAP_PERFMON here: run dtrace "
			     "outside the container, or in a privileged one";
	if (in_user_namespace())
		return "root of a user namespace may not use BPF: run dtrace outside the container";
	if (is_filtered())
		return "a seccomp filter forbids the bpf system call: run dtrace outside the "
		       "container, or allow it there";
	return "the kernel refuses BPF to root: a security module's policy forbids it";
}

bool feat_locked_down(void)
{
	char text[128];

	file_line(text, sizeof(text), "/sys/kernel/security/lockdown", "");
	return strstr(text, "[confidentiality]");
}

bool feat_why_no_bpf(struct strbuf *why)
{
	int rc = probe_bpf();

	if (got(rc))
		return false;
	if (rc == -ENOSYS)
		sb_puts(why, "this kernel was built without BPF (CONFIG_BPF_SYSCALL)");
	else if (rc == -EPERM || rc == -EACCES)
		sb_puts(why, why_not_permitted());
	else
		sb_printf(why, "the kernel does not load a small BPF program: %s", strerror(-rc));
	return true;
}
