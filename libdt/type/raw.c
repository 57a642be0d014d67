/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading BTF. libbpf can do it, but takes 10 ms for the kernel's, of which most is copying: newer
 * kernels let their BTF be mapped, and then finding the records takes less than one. What libbpf is
 * still asked for is BTF inside an ELF file (-x btfpath=vmlinux).
 *
 * Only files of the kernel are mapped: others could be truncated meanwhile.
 */
#include "libdt/type/raw.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/base/fd.h"
#include "libdt/base/mem.h"

#define SIZE_LIMIT (512u << 20)

/* Bytes of a record of each kind, and of each of the things that it has vlen of; 0 for a kind
 * that we do not know. A table, because a kernel has more than a hundred thousand records, and all
 * are read at start-up. */
#define FIXED(more)                                 \
	{                                           \
		sizeof(struct btf_type) + (more), 0 \
	}
#define LIST(each)                            \
	{                                     \
		sizeof(struct btf_type), each \
	}
struct size {
	uint8_t base, each;
};
static const struct size known[RAW_KINDS] = {
    [BTF_KIND_PTR] = FIXED(0),
    [BTF_KIND_FWD] = FIXED(0),
    [BTF_KIND_TYPEDEF] = FIXED(0),
    [BTF_KIND_VOLATILE] = FIXED(0),
    [BTF_KIND_CONST] = FIXED(0),
    [BTF_KIND_RESTRICT] = FIXED(0),
    [BTF_KIND_FUNC] = FIXED(0),
    [RAW_FLOAT] = FIXED(0),
    [RAW_TYPE_TAG] = FIXED(0),
    [BTF_KIND_INT] = FIXED(4),
    [BTF_KIND_VAR] = FIXED(4),
    [RAW_DECL_TAG] = FIXED(4),
    [BTF_KIND_ARRAY] = FIXED(sizeof(struct btf_array)),
    [BTF_KIND_ENUM] = LIST(8),
    [BTF_KIND_FUNC_PROTO] = LIST(8),
    [BTF_KIND_STRUCT] = LIST(12),
    [BTF_KIND_UNION] = LIST(12),
    [BTF_KIND_DATASEC] = LIST(12),
    [RAW_ENUM64] = LIST(12),
};

/* A row of the layout section, which newer BTF has: the sizes of a kind of record. */
struct layout {
	uint8_t info, each;
	uint16_t flags;
};

/* Where the sections are; NULL, or what is wrong with the header. */
struct sections {
	const uint8_t *types, *strs, *layout;
	uint32_t types_len, strs_len, layout_len;
	uint64_t end; /* of the last */
};

static const char *read_header(const uint8_t *data, size_t size, struct sections *s)
{
	struct raw_header h;
	uint32_t layout[2] = {0};
	uint64_t end;

	*s = (struct sections){0};
	if (size < sizeof(h))
		return "it is too short";
	memcpy(&h, data, sizeof(h));
	if (h.magic == __builtin_bswap16(BTF_MAGIC))
		return "it has the other byte order";
	if (h.magic != BTF_MAGIC || h.version != BTF_VERSION)
		return "it is not BTF";
	if (h.hdr_len < sizeof(h) || h.hdr_len > size || h.hdr_len % 4 || h.type_off % 4)
		return "its header is broken";
	if (h.hdr_len >= sizeof(h) + sizeof(layout))
		memcpy(layout, data + sizeof(h), sizeof(layout));
	end = MAX((uint64_t)h.type_off + h.type_len, (uint64_t)h.str_off + h.str_len);
	end = MAX(end, (uint64_t)layout[0] + layout[1]);
	if (end > size - h.hdr_len)
		return "its header is broken";
	data += h.hdr_len;
	*s = (struct sections){data + h.type_off, data + h.str_off, data + layout[0], h.type_len,
			       h.str_len,	  layout[1],	    end + h.hdr_len};
	return NULL;
}

size_t raw_length(const uint8_t *data, size_t len)
{
	struct sections s;

	return read_header(data, len, &s) ? 0 : s.end;
}

static bool is_readable(struct size known, struct size stated)
{
	if (known.each)
		return known.base == stated.base && known.each == stated.each;
	return known.base <= stated.base && !stated.each;
}

/*
 * Kinds that we do not know have the sizes that the file states, so that they can be passed over.
 * One that we know may have grown at its end, but not if elements follow.
 */
static void find_sizes(struct size sizes[RAW_KINDS], const struct sections *s)
{
	memcpy(sizes, known, sizeof(known));
	for (uint32_t i = 1; i < s->layout_len / sizeof(struct layout) && i < RAW_KINDS; i++) {
		struct layout row;
		struct size stated;

		memcpy(&row, s->layout + i * sizeof(row), sizeof(row));
		stated = (struct size){sizeof(struct btf_type) + row.info, row.each};
		if (row.info > UINT8_MAX - sizeof(struct btf_type) ||
		    (known[i].base && !is_readable(known[i], stated)))
			stated = (struct size){0};
		sizes[i] = stated;
	}
}

/* Finds the records; what it accepts can be read without further checks of its length. What the
 * loop changes is its own, so that nothing has to be fetched again for each record. */
static const char *find_records(struct btf_raw *raw, const struct sections *s)
{
	uint32_t len = s->types_len, cap = len / 24 + 16, id = raw->first,
		 *offsets = xmalloc(cap * sizeof(*offsets)), n = 0;
	struct raw_span of[RAW_KINDS] = {0};
	struct size sizes[RAW_KINDS];
	const uint8_t *types = raw->types;
	size_t off = 0;

	find_sizes(sizes, s);
	raw->offsets = offsets;
	for (; len - off >= sizeof(struct btf_type); id++) {
		const struct btf_type *r = (const struct btf_type *)(types + off);
		uint32_t kind = raw_kind(r),
			 size = sizes[kind].base + sizes[kind].each * raw_vlen(r);

		if (!size)
			return "it has records of an unknown kind";
		if (n == cap) {
			cap *= 2;
			raw->offsets = offsets = xrealloc(offsets, cap * sizeof(*offsets));
		}
		if (!of[kind].n++)
			of[kind].first = id;
		of[kind].end = id + 1;
		offsets[n++] = off;
		off += size;
		if (off > len)
			return "it ends in the middle of a record";
	}
	raw->end = id;
	memcpy(raw->of, of, sizeof(of));
	return off == len ? NULL : "it ends in the middle of a record";
}

static const char *find_sections(struct btf_raw *raw)
{
	struct sections s;
	const char *why = read_header(raw->data, raw->size, &s);

	if (why)
		return why;
	raw->types = s.types;
	raw->strs = (const char *)s.strs;
	raw->strs_len = s.strs_len;
	if (s.strs_len && raw->strs[s.strs_len - 1])
		return "its strings do not end";
	return find_records(raw, &s);
}

static const char *load(struct btf_raw *raw, int fd, bool map)
{
	struct stat st;
	uint8_t *data;

	if (fstat(fd, &st))
		return strerror(errno);
	if (!S_ISREG(st.st_mode) || st.st_size > SIZE_LIMIT || !st.st_size)
		return "it is not BTF";
	raw->size = st.st_size;
	if (map) {
		void *p = mmap(NULL, raw->size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);

		raw->mapped = p != MAP_FAILED;
		if (raw->mapped) {
			raw->data = p;
			return NULL;
		}
	}
	raw->data = data = xmalloc(raw->size);
	return fd_read(fd, data, raw->size) ? NULL : "it cannot be read to its end";
}

static int no_print(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

/* Silences libbpf, which would report a malformed file on stderr: the caller reports it. */
static const char *load_elf(struct btf_raw *raw, const char *path)
{
	libbpf_print_fn_t old = libbpf_set_print(no_print);
	struct btf *btf = btf__parse(path, NULL);
	uint32_t size;
	const void *data;

	libbpf_set_print(old);
	if (!btf || libbpf_get_error(btf))
		return "it has no usable BTF";
	data = btf__raw_data(btf, &size);
	free((void *)raw->data);
	raw->data = memcpy(xmalloc(size), data, size);
	raw->size = size;
	btf__free(btf);
	return NULL;
}

static const char *open_file(struct btf_raw *raw, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	const char *why;

	if (fd < 0)
		return strerror(errno);
	why = load(raw, fd, !strncmp(path, "/sys/kernel/btf/", 16));
	close(fd);
	if (!why && !raw->mapped && raw->size > 4 && !memcmp(raw->data, "\177ELF", 4))
		why = load_elf(raw, path);
	return why ? why : find_sections(raw);
}

static struct btf_raw *raw_new(const struct btf_raw *base)
{
	struct btf_raw *raw = xcalloc(1, sizeof(*raw));

	raw->base = base;
	raw->first = base ? base->end : 1;
	raw->strs_start = base ? base->strs_start + base->strs_len : 0;
	return raw;
}

struct btf_raw *raw_memory(const void *data, size_t len, const struct btf_raw *base, char **reason)
{
	struct btf_raw *raw = raw_new(base);
	const char *why;

	raw->data = memcpy(xmalloc(MAX(len, 1)), data, len);
	raw->size = len;
	why = find_sections(raw);
	if (!why)
		return raw;
	*reason = xasprintf("its BTF cannot be read: %s", why);
	raw_free(raw);
	return NULL;
}

struct btf_raw *raw_open(const char *path, const struct btf_raw *base, char **reason)
{
	struct btf_raw *raw = raw_new(base);
	const char *why = open_file(raw, path);

	if (!why)
		return raw;
	*reason = xasprintf("cannot read types from %s: %s", path, why);
	raw_free(raw);
	return NULL;
}

void raw_free(struct btf_raw *raw)
{
	if (!raw)
		return;
	if (raw->mapped)
		munmap((void *)raw->data, raw->size);
	else
		free((void *)raw->data);
	free(raw->offsets);
	free(raw);
}

const struct btf_type *raw_type(const struct btf_raw *raw, uint32_t id)
{
	if (raw->base && id < raw->first)
		raw = raw->base;
	if (id < raw->first || id >= raw->end)
		return NULL;
	return (const struct btf_type *)(raw->types + raw->offsets[id - raw->first]);
}
