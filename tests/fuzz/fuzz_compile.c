/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a D program: compiled as far as the kernel's door, with types and symbols of the
 * little kernel of tests/fixture where $FUZZ_BTF and $FUZZ_SYMS name them, else without. For
 * libFuzzer (tests/fuzz/bytes), or, with -DREPLAY, a program that compiles the files it is given.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdt/dt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The preprocessor is a command of the script's choice, and others read files of its choice. */
static bool harmless(const char *text)
{
	static const char *const words[] = {"cpp",    "btfpath", "ksympath", "incdir",
					    "libdir", "define",	 "undef"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(text, words[i]))
			return false;
	return true;
}

static int quietly(FILE *out, char *text)
{
	const char *btf = getenv("FUZZ_BTF"), *syms = getenv("FUZZ_SYMS");
	char *argv[] = {"fuzz", "1", "two"};
	struct dt *dt = dt_open();
	int r;

	dt_setopt(dt, "btfpath", btf ? btf : "none");
	if (syms)
		dt_setopt(dt, "ksympath", syms);
	dt_setopt(dt, "ncpus", "4");
	dt_macro_args(dt, 3, argv);
	r = dt_program(dt, DT_SCRIPT, text, "fuzz.d");
	if (r >= 0)
		r = dt_check(dt);
	if (r >= 0)
		r = dt_listing(dt, out);
	if (r < 0 && !*dt_error(dt))
		abort(); /* it failed and did not say why */
	dt_close(dt);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *null; /* of the process, for all its inputs */
	char *text = malloc(size + 1);

	if (!null)
		null = fopen("/dev/null", "w");
	memcpy(text, data, size);
	text[size] = '\0';
	if (harmless(text))
		quietly(null, text);
	free(text);
	return 0;
}

#ifdef REPLAY
static int replay(const char *name)
{
	static char bytes[1 << 20];
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0) {
		perror(name);
		return 1;
	}
	n = read(fd, bytes, sizeof(bytes));
	close(fd);
	if (n >= 0)
		LLVMFuzzerTestOneInput((const uint8_t *)bytes, n);
	return n < 0;
}

/* What a warning says on stderr is not looked at; crashes, sanitizers and time are. */
int main(int argc, char **argv)
{
	int bad = argc < 2;

	for (int i = 1; i < argc; i++)
		bad |= replay(argv[i]);
	printf("fuzz: %d files did no harm\n", argc - 1);
	return bad;
}
#endif
