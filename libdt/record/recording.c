/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "libdt/record/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { FORMAT = 1, BATCH = 1 << 16, BUFFER = 1 << 18, CHUNK_MAX = 1 << 30 };

/* Written in the machine's order, which a reader of another order sees by. */
struct file_header {
	char magic[8];
	uint32_t version, order;
};

struct chunk_header {
	uint32_t magic, kind, size, number;
	uint32_t sum; /* CRC-32 of the above and the data */
	uint32_t pad;
};

/* no string: gcc 15 warns of one that loses its last byte */
static const struct file_header file_header = {
    {'d', 't', 'r', 'e', 'c', 'o', 'r', 'd'}, FORMAT, 0x01020304};
static const uint32_t magic = 0x6b6e6863; /* "chnk" */

static uint32_t checksum(const struct chunk_header *h, const void *data)
{
	uint32_t sum = crc32(0, (const void *)h, offsetof(struct chunk_header, sum));

	return crc32(sum, data, h->size);
}

/* Writing ----------------------------------------------------------------- */

struct recording {
	char *path;
	int fd, error;
	int kind; /* of the open chunk; -1: none */
	uint32_t number;
	uint64_t written;
	struct strbuf body, out;
};

struct recording *recording_create(const char *path, int *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct recording *r;

	*err = fd < 0 ? -errno : 0;
	if (fd < 0)
		return NULL;
	r = xcalloc(1, sizeof(*r));
	r->path = xstrdup(path);
	r->fd = fd;
	r->kind = -1;
	sb_add(&r->out, &file_header, sizeof(file_header));
	return r;
}

static void write_out(struct recording *r)
{
	for (size_t done = 0; done < r->out.len && !r->error;) {
		ssize_t n = write(r->fd, r->out.s + done, r->out.len - done);

		if (n < 0 && errno != EINTR)
			r->error = -errno;
		done += MAX(n, 0);
		r->written += MAX(n, 0);
	}
	r->out.len = 0;
}

static void seal(struct recording *r)
{
	struct chunk_header h = {magic, r->kind, r->body.len, r->number++, 0, 0};

	h.sum = checksum(&h, sb_str(&r->body));
	sb_add(&r->out, &h, sizeof(h));
	if (r->body.len)
		sb_add(&r->out, r->body.s, r->body.len);
	r->kind = -1;
	r->body.len = 0;
	if (r->out.len >= BUFFER)
		write_out(r);
}

struct strbuf *recording_chunk(struct recording *r, enum chunk kind)
{
	bool joins = kind == CHUNK_RECORDS || kind == CHUNK_ANSWERS || kind == CHUNK_ROWS;

	if (r->kind == (int)kind && joins && r->body.len < BATCH)
		return &r->body;
	if (r->kind >= 0)
		seal(r);
	r->kind = kind;
	return &r->body;
}

void recording_flush(struct recording *r)
{
	if (r->kind >= 0)
		seal(r);
	write_out(r);
}

int recording_error(const struct recording *r)
{
	return r->error;
}

uint64_t recording_size(const struct recording *r)
{
	return r->written;
}

int recording_close(struct recording *r, bool remove)
{
	int err;

	if (!r)
		return 0;
	recording_flush(r);
	if (close(r->fd) && !r->error)
		r->error = -errno;
	if (remove)
		unlink(r->path);
	err = r->error;
	sb_free(&r->body);
	sb_free(&r->out);
	free(r->path);
	free(r);
	return err;
}

/* Reading ----------------------------------------------------------------- */

struct playback {
	int fd;
	uint64_t at, size; /* of the next chunk, of the file */
	uint8_t *data;
	size_t room;
	struct chunk_header h;
	bool loaded, gaps;
	uint32_t number;  /* that the next chunk should have */
	uint64_t damaged; /* bytes */
};

static bool read_at(int fd, void *to, size_t n, uint64_t at)
{
	for (size_t done = 0; done < n;) {
		ssize_t got = pread(fd, (char *)to + done, n - done, at + done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += got;
	}
	return true;
}

static const char *refuse(const struct file_header *h)
{
	if (memcmp(h->magic, file_header.magic, sizeof(h->magic)))
		return "it is not a recording";
	if (h->order != file_header.order)
		return "it is from a machine with another byte order";
	return h->version == FORMAT ? NULL : "it is from another version of dtrace";
}

struct playback *playback_open(const char *path, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct file_header h = {0};
	struct playback *p;
	struct stat st;

	*why = NULL;
	if (fd < 0 || fstat(fd, &st))
		*why = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		*why = "not a regular file";
	else if (!read_at(fd, &h, sizeof(h), 0) || refuse(&h))
		*why = h.magic[0] ? refuse(&h) : "it is not a recording";
	if (*why) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	p = xcalloc(1, sizeof(*p));
	p->fd = fd;
	p->at = sizeof(h);
	p->size = st.st_size;
	return p;
}

void playback_close(struct playback *p)
{
	if (!p)
		return;
	close(p->fd);
	free(p->data);
	free(p);
}

/* Is there an intact chunk at the place? Its data is loaded then. */
static bool load_at(struct playback *p, uint64_t at)
{
	struct chunk_header *h = &p->h;

	if (at > p->size || p->size - at < sizeof(*h) || !read_at(p->fd, h, sizeof(*h), at) ||
	    h->magic != magic || h->kind >= CHUNK_COUNT || h->size > CHUNK_MAX ||
	    h->size > p->size - at - sizeof(*h))
		return false;
	if (h->size > p->room) {
		free(p->data);
		p->room = h->size;
		p->data = xmalloc(p->room);
	}
	return read_at(p->fd, p->data, h->size, at + sizeof(*h)) && checksum(h, p->data) == h->sum;
}

/* The next place where a chunk may begin; the file's size: there is none. */
static uint64_t find_magic(struct playback *p, uint64_t at)
{
	char window[65536];

	while (at < p->size) {
		size_t n = MIN(sizeof(window), p->size - at);
		char *hit;

		if (n < sizeof(magic) || !read_at(p->fd, window, n, at))
			break;
		hit = memmem(window, n, &magic, sizeof(magic));
		if (hit)
			return at + (hit - window);
		at += n - (sizeof(magic) - 1);
	}
	return p->size;
}

int playback_peek(struct playback *p, const uint8_t **data, size_t *size)
{
	uint64_t at = p->at;

	while (!p->loaded && at < p->size) {
		p->loaded = load_at(p, at);
		if (!p->loaded)
			at = find_magic(p, at + 1);
	}
	p->damaged += at - p->at;
	p->at = at;
	if (!p->loaded)
		return -1;
	p->gaps |= p->h.number != p->number;
	p->number = p->h.number;
	*data = p->data;
	*size = p->h.size;
	return p->h.kind;
}

void playback_take(struct playback *p)
{
	if (!p->loaded)
		return;
	p->at += sizeof(p->h) + p->h.size;
	p->number++;
	p->loaded = false;
}

uint64_t playback_damaged(const struct playback *p)
{
	return p->damaged;
}

bool playback_gaps(const struct playback *p)
{
	return p->gaps;
}
