/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file of a recording: chunks that come back, cut and spoilt files, values, and answers. */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libdt/record/answers.h"
#include "libdt/record/pack.h"
#include "libdt/record/recording.h"

static char path[64];

static void setup(void)
{
	strcpy(path, "/tmp/dt-test-recording-XXXXXX");
	close(mkstemp(path));
	unlink(path);
}

static void teardown(void)
{
	unlink(path);
}

static struct recording *create(void)
{
	int err;
	struct recording *r = recording_create(path, &err);

	ck_assert_ptr_nonnull(r);
	return r;
}

/* Three chunks: the second of two parts, the third without data. */
static void write_three(void)
{
	struct recording *r = create();

	sb_puts(recording_chunk(r, CHUNK_SCHEMA), "schema");
	sb_puts(recording_chunk(r, CHUNK_RECORDS), "one");
	sb_puts(recording_chunk(r, CHUNK_RECORDS), "two");
	recording_chunk(r, CHUNK_END);
	ck_assert_int_eq(recording_close(r, false), 0);
}

static struct playback *open_it(void)
{
	const char *why;
	struct playback *p = playback_open(path, &why);

	ck_assert_msg(p != NULL, "%s", why);
	return p;
}

/* The next chunk has this text; kind -1: there is none. */
static void expect(struct playback *p, int kind, const char *text)
{
	const uint8_t *data;
	size_t size;

	ck_assert_int_eq(playback_peek(p, &data, &size), kind);
	ck_assert_int_eq(playback_peek(p, &data, &size), kind);
	if (kind < 0)
		return;
	ck_assert_uint_eq(size, strlen(text));
	ck_assert(!memcmp(data, text, size));
	playback_take(p);
}

START_TEST(chunks_come_back)
{
	struct playback *p;
	struct stat st;

	write_three();
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
	p = open_it();
	expect(p, CHUNK_SCHEMA, "schema");
	expect(p, CHUNK_RECORDS, "onetwo");
	expect(p, CHUNK_END, "");
	expect(p, -1, NULL);
	ck_assert_uint_eq(playback_damaged(p), 0);
	ck_assert(!playback_gaps(p));
	playback_close(p);
}
END_TEST

START_TEST(an_existing_file_stays)
{
	int err;

	write_three();
	ck_assert_ptr_null(recording_create(path, &err));
	ck_assert_int_eq(err, -EEXIST);
	unlink(path);
	ck_assert_int_eq(symlink("/tmp/dt-test-no-such", path), 0);
	ck_assert_ptr_null(recording_create(path, &err));
	ck_assert_int_eq(err, -EEXIST);
}
END_TEST

START_TEST(a_full_disk_is_an_error)
{
	struct recording *r = create();
	int full = open("/dev/full", O_WRONLY), fd = full - 1; /* the recording's */

	ck_assert_int_eq(dup2(full, fd), fd);
	sb_puts(recording_chunk(r, CHUNK_SCHEMA), "schema");
	recording_flush(r);
	ck_assert_int_eq(recording_error(r), -ENOSPC);
	ck_assert_int_eq(recording_close(r, false), -ENOSPC);
	close(full);
}
END_TEST

START_TEST(what_is_no_recording)
{
	const char *why;

	ck_assert_ptr_null(playback_open("/nowhere", &why));
	ck_assert_str_eq(why, strerror(ENOENT));
	ck_assert_ptr_null(playback_open("/dev/null", &why));
	ck_assert_str_eq(why, "not a regular file");
	ck_assert_ptr_null(playback_open("/proc/self/cmdline", &why));
	ck_assert_str_eq(why, "it is not a recording");
}
END_TEST

static void spoil(long at)
{
	int fd = open(path, O_RDWR);
	char c;

	ck_assert_int_eq(pread(fd, &c, 1, at), 1);
	c ^= 0x10;
	ck_assert_int_eq(pwrite(fd, &c, 1, at), 1);
	close(fd);
}

/* Wherever a byte of a chunk is wrong, the others are there, and the loss is known. */
START_TEST(one_chunk_is_damaged)
{
	enum { FIRST = 16, SECOND = FIRST + 24 + 6, THIRD = SECOND + 24 + 6 };

	for (long at = SECOND; at < THIRD - 6 - 4; at++) {
		struct playback *p;

		write_three();
		spoil(at);
		p = open_it();
		expect(p, CHUNK_SCHEMA, "schema");
		expect(p, CHUNK_END, "");
		expect(p, -1, NULL);
		ck_assert_uint_eq(playback_damaged(p), THIRD - SECOND);
		ck_assert(playback_gaps(p));
		playback_close(p);
		unlink(path);
	}
}
END_TEST

START_TEST(cut_anywhere)
{
	struct stat st;

	write_three();
	ck_assert_int_eq(stat(path, &st), 0);
	for (off_t size = st.st_size - 1; size >= 16; size--) {
		const uint8_t *data;
		size_t n;
		int chunks = 0;
		struct playback *p;

		ck_assert_int_eq(truncate(path, size), 0);
		p = open_it();
		for (; playback_peek(p, &data, &n) >= 0; chunks++)
			playback_take(p);
		ck_assert_int_eq(chunks, (size >= 16 + 30) + (size >= 16 + 60));
		ck_assert_uint_eq(playback_damaged(p), (size - 16) % 30);
		playback_close(p);
	}
}
END_TEST

struct thing {
	uint32_t number;
	bool is;
	const char *text, *none;
	int n;
	uint64_t list[3];
};

static void pack_thing(struct pack *p, struct thing *t)
{
	PACK(p, &t->number);
	pack_bool(p, &t->is);
	pack_text(p, &t->text);
	pack_text(p, &t->none);
	pack_count(p, &t->n, sizeof(*t->list));
	pack_require(p, t->n <= 3);
	for (int i = 0; i < t->n && !p->bad; i++)
		PACK(p, &t->list[i]);
}

START_TEST(values)
{
	struct thing t = {7, true, "te\nxt", NULL, 3, {1, 2, 3}}, got = {0};
	struct arena *a = arena_new();
	struct strbuf sb = {0};
	struct pack out = {.out = &sb}, in;

	pack_thing(&out, &t);
	in = pack_reader(sb.s, sb.len, a);
	pack_thing(&in, &got);
	ck_assert(!in.bad && in.at == in.end);
	ck_assert_uint_eq(got.number, 7);
	ck_assert(got.is);
	ck_assert_str_eq(got.text, "te\\012xt"); /* names are escaped */
	ck_assert_ptr_null(got.none);
	ck_assert_uint_eq(got.list[2], 3);
	for (size_t size = 0; size < sb.len; size++) {
		got = (struct thing){0};
		in = pack_reader(sb.s, size, a);
		pack_thing(&in, &got);
		ck_assert_msg(in.bad, "%zu bytes are enough", size);
	}
	sb.s[4] = 2; /* no boolean */
	in = pack_reader(sb.s, sb.len, a);
	pack_thing(&in, &got);
	ck_assert(in.bad && !got.is);
	sb_free(&sb);
	arena_free(a);
}
END_TEST

START_TEST(answers)
{
	struct answer libc = {true, "libc.so.6", NULL, 0x123}, main = {true, "a.out", "main", 4},
		      host = {true, "localhost", NULL, 0}, got;
	struct recording *r = create();
	struct answers *noted = answers_new(r), *as = answers_new(NULL);
	const uint8_t *data;
	size_t size;
	struct playback *p;

	ck_assert(answers_note_wanted(noted) && !answers_replay(noted) && answers_replay(as));
	answers_note(noted, ASK_USER, 7, 0x1000, NULL, libc);
	answers_note(noted, ASK_USER, 8, 0x1000, NULL, main);
	answers_note(noted, ASK_HOST, 0, 0, "127.0.0.1", host);
	ck_assert(answers_noted(noted, ASK_USER, 7, 0x1000));
	ck_assert(!answers_noted(noted, ASK_KERNEL, 0, 0x1000));
	ck_assert_int_eq(recording_close(r, false), 0);
	p = open_it();
	ck_assert_int_eq(playback_peek(p, &data, &size), CHUNK_ANSWERS);
	ck_assert(answers_load(as, data, size));
	ck_assert(!answers_load(as, data, size - 1));
	got = answers_get(as, ASK_USER, 7, 0x1000, NULL);
	ck_assert(got.known && got.number == 0x123 && !got.second);
	got = answers_get(as, ASK_USER, 8, 0x1000, NULL);
	ck_assert_str_eq(got.second, "main");
	got = answers_get(as, ASK_HOST, 0, 0, "127.0.0.1");
	ck_assert_str_eq(got.first, "localhost");
	ck_assert(!answers_get(as, ASK_USER, 9, 0x1000, NULL).known);
	playback_close(p);
	answers_free(noted);
	answers_free(as);
}
END_TEST

Suite *recording_suite(void)
{
	Suite *s = suite_create("recording");
	TCase *tc = tcase_create("recording");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, chunks_come_back);
	tcase_add_test(tc, an_existing_file_stays);
	tcase_add_test(tc, a_full_disk_is_an_error);
	tcase_add_test(tc, what_is_no_recording);
	tcase_add_test(tc, one_chunk_is_damaged);
	tcase_add_test(tc, cut_anywhere);
	tcase_add_test(tc, values);
	tcase_add_test(tc, answers);
	suite_add_tcase(s, tc);
	return s;
}
