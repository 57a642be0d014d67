/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading BTF. libbpf can do it, but takes 10 ms for the kernel's, of which most is copying: newer
 * kernels let their BTF be mapped, and then finding the records takes less than one. What libbpf is
 * still asked for is BTF inside an ELF file (-x btfpath=vmlinux).
 *
 * Only files of the kernel are mapped: anybody else's could be cut short under our eyes.
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

#include "libdt/base/mem.h"

#define SIZE_LIMIT (512u << 20)

/* Bytes behind the record's own struct; -1 for a kind that we do not know. */
static int64_t trailer(const struct btf_type *r)
{
	switch (btf_kind(r)) {
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case RAW_FLOAT:
	case RAW_TYPE_TAG:
		return 0;
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case RAW_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return btf_vlen(r) * 8;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case RAW_ENUM64:
		return btf_vlen(r) * 12;
	default:
		return -1;
	}
}

static void note_kind(struct btf_raw *raw, const struct btf_type *r, uint32_t id)
{
	struct raw_span *s = &raw->of[btf_kind(r)];

	if (!s->end)
		s->first = id;
	s->end = id + 1;
}

/* Finds the records; what it accepts can be read without further checks of its length. */
static const char *find_records(struct btf_raw *raw, uint32_t len)
{
	uint32_t cap = len / 24 + 16, n = 0;
	size_t off = 0;

	raw->offsets = xmalloc(cap * sizeof(*raw->offsets));
	while (len - off >= sizeof(struct btf_type)) {
		const struct btf_type *r = (const struct btf_type *)(raw->types + off);
		int64_t more = trailer(r);

		if (more < 0)
			return "it has records of an unknown kind";
		if (n == cap) {
			cap *= 2;
			raw->offsets = xrealloc(raw->offsets, cap * sizeof(*raw->offsets));
		}
		note_kind(raw, r, raw->first + n);
		raw->offsets[n++] = off;
		off += sizeof(struct btf_type) + more;
		if (off > len)
			return "it ends in the middle of a record";
	}
	raw->end = raw->first + n;
	return off == len ? NULL : "it ends in the middle of a record";
}

static const char *find_sections(struct btf_raw *raw)
{
	const struct btf_header *h = (const struct btf_header *)raw->data;
	uint64_t room;

	if (raw->size < sizeof(*h))
		return "it is too short";
	if (h->magic == __builtin_bswap16(BTF_MAGIC))
		return "it is of the other byte order";
	if (h->magic != BTF_MAGIC || h->version != BTF_VERSION)
		return "it is not BTF";
	if (h->hdr_len < sizeof(*h) || h->hdr_len > raw->size)
		return "its header is broken";
	room = raw->size - h->hdr_len;
	if (h->hdr_len % 4 || h->type_off % 4 || (uint64_t)h->type_off + h->type_len > room ||
	    (uint64_t)h->str_off + h->str_len > room)
		return "its header is broken";
	raw->types = raw->data + h->hdr_len + h->type_off;
	raw->strs = (const char *)raw->data + h->hdr_len + h->str_off;
	raw->strs_len = h->str_len;
	if (h->str_len && raw->strs[h->str_len - 1])
		return "its strings do not end";
	return find_records(raw, h->type_len);
}

static bool read_all(int fd, uint8_t *to, size_t size)
{
	while (size) {
		ssize_t n = read(fd, to, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		to += n;
		size -= n;
	}
	return true;
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
	return read_all(fd, data, raw->size) ? NULL : "it cannot be read to its end";
}

static int no_print(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

/* libbpf would tell on stderr about a file it does not like; we tell it once, in our words. */
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
