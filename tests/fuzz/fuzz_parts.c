/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as one of the files that dtrace reads besides scripts. For libFuzzer, where
 * $FUZZ_TARGET names the kind (tests/fuzz/bytes -t TARGET), or, with -DREPLAY, a program that
 * reads files: fuzz_parts TARGET FILE...
 *
 *	elf		a whole object
 *	notes, cfi, code, btf, ctf, dwarf
 *			sections, which are put into a well-formed object
 *	types		BTF, used by scripts in the interpreter (-x btfpath)
 *	jit		/tmp/perf-PID.map
 *	format		a tracepoint's format
 *	recording	of -x record; checksums and numbers of its chunks are made right
 *
 * The bytes of a section target are those of its main section (.note.stapsdt, .eh_frame, .text,
 * .BTF, .ctf, .debug_info). Others follow a mark of four bytes and one that says which
 * (sections[]): the marks, unlike lengths, survive what libFuzzer inserts and removes.
 *
 * libctf and libdw do not validate what they read, so dtrace runs them in processes of their own.
 * The linker (--wrap) replaces what starts these by functions that call the same code here, where
 * sanitizers see it, in a process of the fuzzer (apart.h).
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "bpf/hook.h"
#include "libdt/base/fd.h"
#include "libdt/dt.h"
#include "libdt/process/foreign.h"
#include "libdt/process/jitread.h"
#include "libdt/symbols/jit.h"
#include "libdt/type/convert.h"
#include "libdt/type/dwarf.h"
#include "libdt/type/dwarf_die.h"
#include "libdt/type/dwarf_read.h"
#include "tests/fuzz/apart.h"
#include "tests/fuzz/look.h"
#include "tests/fuzz/spoil.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static FILE *null_file(void)
{
	static FILE *null; /* of the process, for all its inputs */

	if (!null)
		null = fopen("/dev/null", "w");
	return null;
}

static int memory_file(const void *data, size_t size, char path[64])
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || !fd_write(fd, data, size))
		abort();
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

/* Instead of helper processes ---------------------------------------------- */

char *__wrap_convert_apart(const struct type_sections *s, const char *format, size_t len,
			   enum convert_end (*convert)(const struct type_sections *s, int fd),
			   struct strbuf *out);
struct udwarf *__wrap_udwarf_start(int file, const struct type_limits *l);
const char *__wrap_udwarf_error(const struct udwarf *d);
const char *__wrap_udwarf_ask(struct udwarf *d, char what, const char *name,
			      const struct type_limits *l, struct strbuf *out);
void __wrap_udwarf_end(struct udwarf *d);
void __wrap_udwarf_free(struct udwarf *d);

char *__wrap_convert_apart(const struct type_sections *s, const char *format, size_t len,
			   enum convert_end (*convert)(const struct type_sections *s, int fd),
			   struct strbuf *out)
{
	int fd = memfd_create("types", MFD_CLOEXEC);
	enum convert_end end = convert(s, fd);
	struct strbuf said = {0};
	char *why = NULL, buf[4096];
	ssize_t n;

	(void)len;
	if (end == CONVERT_FAILED)
		why = xasprintf("its %s is broken", format);
	lseek(fd, 0, SEEK_SET);
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		sb_add(end == CONVERT_DONE ? out : &said, buf, n);
	close(fd);
	if (end == CONVERT_REFUSED)
		why = xstrdup(sb_str(&said));
	sb_free(&said);
	return why;
}

struct udwarf {
	struct dwread *reader;
	const char *why;
};

struct udwarf *__wrap_udwarf_start(int file, const struct type_limits *l)
{
	struct udwarf *d = xcalloc(1, sizeof(*d));

	(void)l;
	if (dwarf_load(&d->why))
		d->reader = dwread_open(file, &d->why);
	if (d->reader)
		d->why = NULL;
	return d;
}

const char *__wrap_udwarf_error(const struct udwarf *d)
{
	return d->why;
}

const char *__wrap_udwarf_ask(struct udwarf *d, char what, const char *name,
			      const struct type_limits *l, struct strbuf *out)
{
	(void)l;
	if (!d->why)
		dwread_unit(d->reader, what, name, out);
	return d->why;
}

void __wrap_udwarf_end(struct udwarf *d)
{
	(void)d;
}

/* The reader is freed as in dtrace: with its process. */
void __wrap_udwarf_free(struct udwarf *d)
{
	free(d);
}

/* Objects ------------------------------------------------------------------ */

static void target_elf(const uint8_t *data, size_t size)
{
	char path[64];
	int fd = memory_file(data, size, path);

	look_at_file(path);
	close(fd);
}

/* By the byte that follows a mark. The last one is the names of these. */
static const struct {
	const char *name;
	uint32_t type, link; /* link: 1 + number of the section that has its names */
} sections[] = {
    {".note.stapsdt", SHT_NOTE, 0},
    {".note.usdt", SHT_NOTE, 0},
    {".stapsdt.base", SHT_PROGBITS, 0},
    {".eh_frame", SHT_PROGBITS, 0},
    {".BTF", SHT_PROGBITS, 0},
    {".ctf", SHT_PROGBITS, 0},
    {".symtab", SHT_SYMTAB, 8},
    {".strtab", SHT_STRTAB, 0},
    {".dynsym", SHT_DYNSYM, 10},
    {".dynstr", SHT_STRTAB, 0},
    {".debug_info", SHT_PROGBITS, 0},
    {".debug_abbrev", SHT_PROGBITS, 0},
    {".debug_str", SHT_PROGBITS, 0},
    {".debug_line", SHT_PROGBITS, 0},
    {".debug_line_str", SHT_PROGBITS, 0},
    {".debug_addr", SHT_PROGBITS, 0},
    {".debug_str_offsets", SHT_PROGBITS, 0},
    {".debug_ranges", SHT_PROGBITS, 0},
    {".debug_rnglists", SHT_PROGBITS, 0},
    {".debug_loc", SHT_PROGBITS, 0},
    {".debug_loclists", SHT_PROGBITS, 0},
    {".debug_types", SHT_PROGBITS, 0},
    {".note.gnu.build-id", SHT_NOTE, 0},
    {".text", SHT_PROGBITS, 0},
    {".shstrtab", SHT_STRTAB, 0},
};
enum {
	NAMES = ARRAY_SIZE(sections) - 1,
	STAPSDT = 0,
	EH_FRAME = 3,
	BTF = 4,
	CTF = 5,
	INFO = 10,
	TEXT = 23
};

struct bytes {
	const uint8_t *data;
	size_t len;
};

static const uint8_t mark[] = {0xfe, 0xdc, 'D', 'T'};

/* The first of a section counts. */
static void split(const uint8_t *data, size_t size, int number,
		  struct bytes parts[ARRAY_SIZE(sections)])
{
	memset(parts, 0, ARRAY_SIZE(sections) * sizeof(*parts));
	for (;;) {
		const uint8_t *end = memmem(data, size, mark, sizeof(mark));
		size_t len = end ? (size_t)(end - data) : size;

		if (!parts[number].data)
			parts[number] = (struct bytes){data, len};
		if (size - len <= sizeof(mark))
			return;
		number = data[len + sizeof(mark)] % NAMES;
		data += len + sizeof(mark) + 1;
		size -= len + sizeof(mark) + 1;
	}
}

static const struct kind {
	int machine;
	bool is_64;
} kinds[] = {{EM_X86_64, true}, {EM_AARCH64, true}, {EM_RISCV, true}, {EM_386, false}};

static bool is_symbols(int i)
{
	return sections[i].type == SHT_SYMTAB || sections[i].type == SHT_DYNSYM;
}

/* Where the names of sections are among these, and their numbers in the object, 0: it has none. */
struct numbers {
	size_t name[ARRAY_SIZE(sections)];
	int index[ARRAY_SIZE(sections)], n;
};

/*
 * An object for a 64-bit or 32-bit machine. It has one segment, where addresses are offsets in the
 * file, and whose end is far beyond that of the file.
 */
#define PUT_OBJECT(BITS)                                                                          \
	static void put_object_##BITS(struct strbuf *out, int machine, const struct bytes *parts, \
				      const struct numbers *at)                                   \
	{                                                                                         \
		Elf##BITS##_Ehdr eh = {                                                           \
		    .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS##BITS, ELFDATA2LSB,  \
				EV_CURRENT},                                                      \
		    .e_type = ET_DYN,                                                             \
		    .e_machine = machine,                                                         \
		    .e_version = EV_CURRENT,                                                      \
		    .e_phoff = sizeof(eh),                                                        \
		    .e_shoff = sizeof(eh) + sizeof(Elf##BITS##_Phdr),                             \
		    .e_ehsize = sizeof(eh),                                                       \
		    .e_phentsize = sizeof(Elf##BITS##_Phdr),                                      \
		    .e_phnum = 1,                                                                 \
		    .e_shentsize = sizeof(Elf##BITS##_Shdr),                                      \
		    .e_shnum = at->n + 1,                                                         \
		    .e_shstrndx = at->n,                                                          \
		};                                                                                \
		Elf##BITS##_Phdr ph = {.p_type = PT_LOAD,                                         \
				       .p_flags = PF_R | PF_X,                                    \
				       .p_filesz = 1 << 24,                                       \
				       .p_memsz = 1 << 24};                                       \
		Elf##BITS##_Shdr sh = {0};                                                        \
		size_t off = eh.e_shoff + (at->n + 1) * sizeof(sh);                               \
                                                                                                  \
		sb_add(out, &eh, sizeof(eh));                                                     \
		sb_add(out, &ph, sizeof(ph));                                                     \
		sb_add(out, &sh, sizeof(sh));                                                     \
		for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {                               \
			if (!at->index[i])                                                        \
				continue;                                                         \
			sh = (Elf##BITS##_Shdr){                                                  \
			    .sh_name = at->name[i],                                               \
			    .sh_type = sections[i].type,                                          \
			    .sh_flags = i < INFO ? SHF_ALLOC : 0,                                 \
			    .sh_addr = i < INFO || i == TEXT ? off : 0,                           \
			    .sh_offset = off,                                                     \
			    .sh_size = parts[i].len,                                              \
			    .sh_link = sections[i].link ? at->index[sections[i].link - 1] : 0,    \
			    .sh_addralign = 8,                                                    \
			    .sh_entsize = is_symbols(i) ? sizeof(Elf##BITS##_Sym) : 0,            \
			};                                                                        \
			sb_add(out, &sh, sizeof(sh));                                             \
			off += ALIGN_UP(parts[i].len, 8);                                         \
		}                                                                                 \
	}

PUT_OBJECT(64)
PUT_OBJECT(32)

static void put_object(struct strbuf *out, const struct kind *kind,
		       struct bytes parts[ARRAY_SIZE(sections)])
{
	static const uint8_t zeros[8];
	struct strbuf names = {0};
	struct numbers at = {0};

	sb_putc(&names, '\0');
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		at.name[i] = names.len;
		sb_add(&names, sections[i].name, strlen(sections[i].name) + 1);
		if (parts[i].len || i == NAMES)
			at.index[i] = ++at.n;
	}
	parts[NAMES] = (struct bytes){(uint8_t *)names.s, names.len};
	(kind->is_64 ? put_object_64 : put_object_32)(out, kind->machine, parts, &at);
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		if (!at.index[i])
			continue;
		sb_add(out, parts[i].data, parts[i].len);
		sb_add(out, zeros, ALIGN_UP(parts[i].len, 8) - parts[i].len);
	}
	sb_free(&names);
}

static struct object *make_object(const struct kind *kind, struct bytes parts[ARRAY_SIZE(sections)])
{
	char path[64], *why = NULL;
	struct strbuf out = {0};
	struct object *o;
	int fd;

	put_object(&out, kind, parts);
	fd = memory_file(out.s, out.len, path);
	o = object_open(path, &why);
	close(fd);
	sb_free(&out);
	if (!o)
		abort(); /* our own is well-formed */
	return o;
}

/* The section in an object of each step-th machine. */
static void on_machines(const uint8_t *data, size_t size, int number, size_t step,
			void (*look_at)(struct object *o))
{
	struct bytes parts[ARRAY_SIZE(sections)];
	struct object *o;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i += step) {
		split(data, size, number, parts);
		o = make_object(&kinds[i], parts);
		look_at(o);
		object_close(o);
	}
}

/* One of 64-bit machines and the one of 32 bits. */
static void target_notes(const uint8_t *data, size_t size)
{
	on_machines(data, size, STAPSDT, ARRAY_SIZE(kinds) - 1, look_at_notes);
}

static void target_cfi(const uint8_t *data, size_t size)
{
	on_machines(data, size, EH_FRAME, 1, look_at_rules);
}

static void target_code(const uint8_t *data, size_t size)
{
	on_machines(data, size, TEXT, 1, look_at_code);
}

static void look_at_section(const uint8_t *data, size_t size, int number)
{
	struct bytes parts[ARRAY_SIZE(sections)];
	struct object *o;

	split(data, size, number, parts);
	if (!parts[number].len)
		return;
	o = make_object(&kinds[0], parts);
	look_at_types(o, data, size);
	object_close(o);
}

static void target_btf(const uint8_t *data, size_t size)
{
	look_at_section(data, size, BTF);
}

static void target_ctf(const uint8_t *data, size_t size)
{
	look_at_section(data, size, CTF);
}

static void target_dwarf(const uint8_t *data, size_t size)
{
	look_at_section(data, size, INFO);
}

/* Maps of compilers ------------------------------------------------------- */

/* The map that the process has now, -1: none; ns that are added to the time. */
static int map = -1;
static uint64_t passed;

int __wrap_foreign_find_here(struct foreign *f, pid_t root, const char *path,
			     struct foreign_file *file);
void *__wrap_foreign_ask_jit(struct foreign *f, struct foreign_file *file,
			     const struct jitread *ask, size_t *len);
void __wrap_foreign_drop(struct foreign *f, uint32_t payer, void *mem, size_t len);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);

int __wrap_foreign_find_here(struct foreign *f, pid_t root, const char *path,
			     struct foreign_file *file)
{
	(void)f;
	(void)root;
	(void)path;
	foreign_file_init(file);
	if (map < 0)
		return -ENOENT;
	file->own = fcntl(map, F_DUPFD_CLOEXEC, 0);
	file->inode = 1;
	return 0;
}

void *__wrap_foreign_ask_jit(struct foreign *f, struct foreign_file *file,
			     const struct jitread *ask, size_t *len)
{
	struct strbuf out = {0};
	void *mem = MAP_FAILED;

	if (!jitread(file->own, ask, 8 << 20, &out))
		mem =
		    mmap(NULL, out.len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*len = mem == MAP_FAILED ? 0 : out.len;
	if (*len)
		memcpy(mem, out.s, out.len);
	foreign_charge(f, file->payer, *len);
	sb_free(&out);
	return *len ? mem : NULL;
}

void __wrap_foreign_drop(struct foreign *f, uint32_t payer, void *mem, size_t len)
{
	if (mem)
		munmap(mem, len);
	foreign_charge(f, payer, -(int64_t)len);
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	struct timespec now;
	int err = syscall(SYS_clock_gettime, clock, &now);

	now.tv_sec += passed / 1000000000;
	*t = now;
	return err;
}

static void exceeded(void *arg, const char *text)
{
	(void)arg;
	(void)text;
}

/* A map that grows, and once is written anew, while addresses are looked for. */
static void target_jit(const uint8_t *data, size_t size)
{
	enum { STEPS = 4 };
	struct foreign *f = foreign_new(1 << 30, 1 << 30, exceeded, NULL);
	struct jits *js = jits_new(f, NULL);
	size_t done = 0;
	char path[64];

	map = memory_file("", 0, path);
	look_at_map(map, data, size);
	for (int i = 1; i <= STEPS; i++) {
		size_t part = size * i / STEPS - done;
		const char *name;
		uint64_t off;

		if (i == 3 && (ftruncate(map, 0) || lseek(map, 0, SEEK_SET)))
			abort();
		if (!fd_write(map, data + done, part))
			abort();
		for (int shift = 0; shift < 48; shift += 16) {
			uint64_t addr = (0x7f0000000010 >> shift) + i * 0x40;

			passed += 1000000000;
			if (jits_find(js, getpid(), addr, 0, &name, &off) && strlen(name) > size)
				abort();
		}
		done += part;
	}
	close(map);
	map = -1;
	jits_free(js);
	foreign_free(f);
}

/* Formats of tracepoints -------------------------------------------------- */

static char *tracefs;

const char *__wrap_tracefs_path(void);
const char *__real_tracefs_path(void);

const char *__wrap_tracefs_path(void)
{
	return tracefs ? tracefs : __real_tracefs_path();
}

static void put_file(const char *dir, const char *name, const void *data, size_t size)
{
	char *path = xasprintf("%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || !fd_write(fd, data, size))
		abort();
	close(fd);
	free(path);
}

static void remove_tracefs(void)
{
	static const char *const parts[] = {"events/fuzz/event/format",
					    "events/fuzz/event/id",
					    "events/fuzz/event",
					    "events/fuzz",
					    "events",
					    ""};

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		char *path = xasprintf("%s/%s", tracefs, parts[i]);

		if (remove(path) && i)
			perror(path);
		free(path);
	}
}

static void make_tracefs(void)
{
	static const char *const parts[] = {"events", "events/fuzz", "events/fuzz/event"};

	tracefs = xasprintf("%s/dt-fuzz-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	if (!mkdtemp(tracefs))
		abort();
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		char *path = xasprintf("%s/%s", tracefs, parts[i]);

		if (mkdir(path, 0700))
			abort();
		free(path);
	}
	atexit(remove_tracefs);
}

static void compile(const char *text)
{
	const char *btf = getenv("FUZZ_BTF");
	struct dt *dt = dt_open();
	int r;

	dt_setopt(dt, "btfpath", btf ? btf : "none");
	dt_setopt(dt, "ncpus", "4");
	r = dt_program(dt, DT_SCRIPT, (char *)text, "fuzz.d");
	if (r >= 0)
		r = dt_check(dt);
	if (r >= 0)
		r = dt_listing(dt, null_file());
	if (r < 0 && !*dt_error(dt))
		abort(); /* it failed and did not say why */
	dt_close(dt);
}

/* The fields as numbers, and as what they are. */
static void target_format(const uint8_t *data, size_t size)
{
	char *dir;

	if (!tracefs)
		make_tracefs();
	dir = xasprintf("%s/events/fuzz/event", tracefs);
	put_file(dir, "id", "77\n", 3);
	put_file(dir, "format", data, size);
	compile(size % 2 ? "sdt:fuzz::event { trace(arg0); trace(arg1); trace(arg2); trace(arg3); }"
			 : "sdt:fuzz::event { print(args[0]); print(args[1]); print(args[2]); }");
	free(dir);
}

/* Types in use ------------------------------------------------------------ */

/* A script that uses the types of such a file, run in the interpreter. */
static void target_types(const uint8_t *data, size_t size)
{
#define SCRIPT(declarations, statements)                                                           \
	"/*\n * @test\n * fire app::tick:now arg0=\"abcdefghijklmnop\" arg1=3\n */\n" declarations \
	"app::tick:now { " statements " }"
	static const char *const scripts[] = {
	    SCRIPT("", "print(*(struct point *)arg0); print((enum color)arg1); trace(GREEN);"),
	    SCRIPT("", "trace(((item_t *)arg0)->x); trace(((item_t *)arg0)->y);"),
	    SCRIPT("this struct point q; ",
		   "this->q.x = arg1; this->q.y = -1; print(this->q); @[this->q.x] = count();"),
	    SCRIPT("this struct point q; self item_t r; ",
		   "self->r.x++; this->q = self->r; trace(this->q.name); @[self->r] = sum(3);"),
	    SCRIPT("", "trace(((item_t *)arg0)->next->x); print(((item_t *)arg0)->name[1]);"),
	};
	const char *text = scripts[size % ARRAY_SIZE(scripts)];
	struct dt *dt = dt_open();
	char path[64];
	int fd = memory_file(data, size, path), r;

	dt_setopt(dt, "btfpath", path);
	dt_setopt(dt, "oformat", size % 3 ? "text" : size % 2 ? "json" : "xml");
	dt_set_stream(dt, DT_STREAM_ASIDE, null_file());
	r = dt_test(dt, text, "fuzz.d");
	if (r >= 0)
		r = dt_program(dt, DT_SCRIPT, text, "fuzz.d");
	if (r >= 0)
		r = dt_test_run(dt, null_file());
	if (r < 0 && !*dt_error(dt))
		abort(); /* it failed and did not say why */
	dt_close(dt);
	close(fd);
}

/* Recordings -------------------------------------------------------------- */

/* As in recording.c. */
struct file_header {
	char magic[8];
	uint32_t version, order;
};
struct chunk_header {
	uint32_t magic, kind, size, number, sum, pad;
};

/* Each "chnk" is where a chunk begins, whatever its size was. The first header's version says in
 * which format the recording is printed. */
static void seal(struct file *f)
{
	static const struct file_header header = {
	    {'d', 't', 'r', 'e', 'c', 'o', 'r', 'd'}, 1, 0x01020304};
	uint32_t number = 0;
	uint8_t *at, *end = f->data + f->len, *next;

	memcpy(f->data, &header, sizeof(header));
	at = memmem(f->data, f->len, "chnk", 4);
	for (; at && end - at >= (ptrdiff_t)sizeof(struct chunk_header); at = next) {
		struct chunk_header h;
		uint8_t *body = at + sizeof(h);

		next = memmem(body, end - body, "chnk", 4);
		memcpy(&h, at, sizeof(h));
		h.size = (next ? next : end) - body;
		h.number = number++;
		h.sum = crc32(0, (uint8_t *)&h, offsetof(struct chunk_header, sum));
		h.sum = crc32(h.sum, body, h.size);
		memcpy(at, &h, sizeof(h));
	}
}

static void target_recording(const uint8_t *data, size_t size)
{
	static const char *const formats[] = {"json", "text",	"xml", "perfetto",
					      "csv",  "folded", "svg", "html"};
	struct file copy = {xmalloc(size), size};
	char path[64];
	struct dt *dt;
	int fd;

	if (size < sizeof(struct file_header)) {
		free(copy.data);
		return;
	}
	memcpy(copy.data, data, size);
	seal(&copy);
	fd = memory_file(copy.data, size, path);
	dt = dt_open();
	dt_setopt(dt, "oformat",
		  formats[(data[8] + ARRAY_SIZE(formats) - 1) % ARRAY_SIZE(formats)]);
	dt_set_stream(dt, DT_STREAM_ASIDE, null_file());
	dt_setopt(dt, "replay", path);
	if (dt_replay(dt, null_file()) < 0 && !*dt_error(dt))
		abort();
	dt_close(dt);
	close(fd);
	free(copy.data);
}

/* Targets ----------------------------------------------------------------- */

static const struct fuzzed {
	const char *name;
	void (*fn)(const uint8_t *data, size_t size);
	bool apart;
} targets[] = {
    {"elf", target_elf, true},
    {"notes", target_notes, false},
    {"cfi", target_cfi, false},
    {"code", target_code, false},
    {"btf", target_btf, false},
    {"ctf", target_ctf, true},
    {"dwarf", target_dwarf, true},
    {"jit", target_jit, false},
    {"format", target_format, false},
    {"types", target_types, false},
    {"recording", target_recording, false},
};
static const struct fuzzed *target;

static void choose(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(targets); i++)
		if (!strcmp(targets[i].name, name))
			target = &targets[i];
	if (target)
		return;
	fprintf(stderr, "fuzz_parts: no target %s\n", name ? name : "");
	exit(2);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *why;

	(void)argc;
	(void)argv;
	choose(getenv("FUZZ_TARGET"));
	dwarf_load(&why); /* before any fork */
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (target->apart)
		apart(target->fn, data, size);
	else
		target->fn(data, size);
	return 0;
}

#ifdef REPLAY
/* What a warning says on stderr is not looked at; crashes, sanitizers and time are. */
int main(int argc, char **argv)
{
	choose(argv[1]);
	for (int i = 2; i < argc; i++) {
		struct file f = slurp(argv[i], LONG_MAX);

		LLVMFuzzerTestOneInput(f.data, f.len);
		free(f.data);
	}
	printf("fuzz: %d files as %s did no harm\n", argc - 2, target->name);
	return argc < 3;
}
#endif
