/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_recording [-n ROUNDS] [-s SEED] [-v] [-k DIR] FILE...: recordings, spoilt, are replayed. A
 * file that ends in .d is a script with a table of -x test: it is recorded first, and the replay
 * must print the same, in each format; other files are recordings. Each is cut at many places,
 * and then spoilt in a few places each round: bytes as they are, or with checksums that fit again.
 * Nothing may do harm: crashes, sanitizers, memory and time are what is looked at. Prints the round
 * before each with -v: with -s and that number, -n 1, it comes again. With -k the recordings of
 * scripts are only kept in a directory, one for each format.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "libdt/base/mem.h"
#include "libdt/dt.h"
#include "tests/fuzz/spoil.h"

/* As in recording.c. */
struct chunk_header {
	uint32_t magic, kind, size, number, sum, pad;
};
enum { FILE_HEADER = 16, CUTS = 40 };

static const char *const formats[] = {"text", "json",	"xml", "perfetto",
				      "csv",  "folded", "svg", "html"};

static _Noreturn void die(const char *what, const char *why)
{
	fprintf(stderr, "fuzz_recording: %s: %s\n", what, why);
	exit(1);
}

static void spill(const char *path, const void *data, size_t len)
{
	FILE *out = fopen(path, "wb");

	if (!out || fwrite(data, 1, len, out) != len || fclose(out))
		die(path, "cannot be written");
}

/* Messages are part of a test's output; warnings say what a replay leaves out. */
static void put_message(void *arg, const struct dt_message *m)
{
	if (m->severity != DT_MSG_WARNING && !m->result)
		fprintf(arg, "dtrace: %s\n", m->text);
}

static struct dt *open_session(const char *format)
{
	struct dt *dt = dt_open();

	dt_setopt(dt, "oformat", format);
	return dt;
}

/* What a replay prints, to be freed. */
static char *replay(const char *path, const char *format, int *status)
{
	struct dt *dt = open_session(format);
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	dt_on_message(dt, put_message, out);
	dt_set_stream(dt, DT_STREAM_ASIDE, out);
	dt_setopt(dt, "replay", path);
	*status = dt_replay(dt, out);
	if (*status < 0 && !*dt_error(dt))
		die(path, "no reason");
	dt_close(dt);
	fclose(out);
	return text;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A test prints records as JSON, but not what begins and ends a session. */
static bool prints_same(const char *format, const char *text, const char *again)
{
	if (!strcmp(format, "xml") || !strcmp(format, "perfetto") || !strcmp(format, "html") ||
	    !strcmp(format, "svg"))
		return true;
	return strcmp(format, "json") ? !strcmp(text, again) : strstr(again, text) != NULL;
}

static void record(const char *script, const char *path, const char *format, const char *keep)
{
	struct file f = slurp(script, LONG_MAX);
	struct dt *dt = open_session(format);
	char *text = NULL, *again, *name = (char *)base_name(script);
	size_t len;
	int status;
	FILE *out = open_memstream(&text, &len);

	unlink(path);
	dt_setopt(dt, "record", path);
	if (dt_test(dt, (char *)f.data, name) < 0 ||
	    dt_program(dt, DT_SCRIPT, (char *)f.data, name) < 0 || dt_test_run(dt, out) < 0)
		die(script, dt_error(dt));
	dt_close(dt);
	fclose(out);
	again = replay(path, format, &status);
	if (status || !prints_same(format, text, again)) {
		spill("printed", text, strlen(text));
		spill("replayed", again, strlen(again));
		die(format, status ? "an intact recording is refused"
				   : "the replay prints something else: see printed and replayed");
	}
	free(text);
	free(again);
	free(f.data);
	if (keep) {
		char *kept = xasprintf("%s/%s", keep, format);

		f = slurp(path, LONG_MAX);
		spill(kept, f.data, f.len);
		free(f.data);
		free(kept);
	}
}

static void cut(const struct file *f, const char *path)
{
	for (int i = 0; i < CUTS; i++) {
		int status;

		spill(path, f->data, f->len * i / CUTS);
		free(replay(path, formats[i % ARRAY_SIZE(formats)], &status));
		if (!status)
			die(path, "a cut recording is taken for a whole one");
	}
}

/* The checksums of all chunks fit their data. */
static void seal(struct file *f)
{
	for (size_t at = FILE_HEADER; at + sizeof(struct chunk_header) <= f->len;) {
		struct chunk_header h;

		memcpy(&h, f->data + at, sizeof(h));
		if (h.size > f->len - at - sizeof(h))
			return;
		h.sum = crc32(crc32(0, f->data + at, offsetof(struct chunk_header, sum)),
			      f->data + at + sizeof(h), h.size);
		memcpy(f->data + at, &h, sizeof(h));
		at += sizeof(h) + h.size;
	}
}

/* The data of a chunk; half of the time the first's, which describes all others. */
static size_t choose(const struct file *f)
{
	bool first = any(2);

	for (size_t at = FILE_HEADER; at + sizeof(struct chunk_header) <= f->len;) {
		struct chunk_header h;

		memcpy(&h, f->data + at, sizeof(h));
		if (h.size && h.size <= f->len - at - sizeof(h) && (first || !any(6)))
			return at + sizeof(h) + any(h.size);
		at += sizeof(h) + MIN(h.size, f->len);
	}
	return any(f->len);
}

static void spoil(struct file *f)
{
	static const uint32_t words[] = {0,	     1,		 2,	     0x7f,	 0xff,
					 0x100,	     0xffff,	 0x10000,    0x7fffffff, 0x80000000,
					 0xfffffffe, 0xffffffff, 0x40000000, 64,	 24};
	bool sealed = any(8);

	for (int n = 1 + any(4); n > 0; n--) {
		size_t at = choose(f);
		uint32_t word = words[any(ARRAY_SIZE(words))];

		if (any(3))
			f->data[at] ^= 1 << any(8);
		else if (any(2))
			f->data[at] = any(256);
		else
			memcpy(f->data + at, &word, MIN(sizeof(word), f->len - at));
	}
	if (sealed)
		seal(f);
}

static void fuzz(const char *path, int rounds, bool verbose)
{
	struct file f = slurp(path, LONG_MAX), copy = {xmalloc(f.len + 1), 0};
	char *spoilt = xasprintf("%s.spoilt", path);
	int status;

	cut(&f, spoilt);
	for (int i = 0; i < rounds; i++) {
		if (verbose)
			printf("%llu\n", (unsigned long long)state), fflush(stdout);
		memcpy(copy.data, f.data, f.len);
		copy.len = f.len;
		spoil(&copy);
		if (!any(10))
			copy.len -= any(copy.len);
		spill(spoilt, copy.data, copy.len);
		alarm(20);
		free(replay(spoilt, formats[any(ARRAY_SIZE(formats))], &status));
		alarm(0);
	}
	unlink(spoilt);
	free(spoilt);
	free(copy.data);
	free(f.data);
}

int main(int argc, char **argv)
{
	uint64_t seed = 1;
	int c, rounds = 100;
	bool verbose = false;
	char dir[] = "/tmp/dt-recording-XXXXXX", *path, *keep = NULL;

	while ((c = getopt(argc, argv, "n:s:vk:")) != -1)
		switch (c) {
		case 'n':
			rounds = atoi(optarg);
			break;
		case 's':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 'v':
			verbose = true;
			break;
		case 'k':
			keep = optarg;
			break;
		default:
			return 2;
		}
	if (!mkdtemp(dir))
		die(dir, "cannot be made");
	path = xasprintf("%s/recording", dir);
	for (; optind < argc; optind++) {
		size_t len = strlen(argv[optind]);
		bool script = len > 2 && !strcmp(argv[optind] + len - 2, ".d");

		state = seed;
		for (size_t i = 0; i < ARRAY_SIZE(formats) && script; i++)
			record(argv[optind], path, formats[i], keep);
		if (!script) {
			struct file f = slurp(argv[optind], LONG_MAX);

			spill(path, f.data, f.len);
			free(f.data);
		}
		if (!keep)
			fuzz(path, rounds, verbose);
		unlink(path);
	}
	rmdir(dir);
	free(path);
	return 0;
}
