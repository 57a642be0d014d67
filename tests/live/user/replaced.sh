# SPDX-License-Identifier: GPL-2.0-or-later
# A library is unmapped, and another one, or memory without a file, gets its addresses. Each record
# has the names of its time, and a key has none that could be the other one's.
# @@needs: cmd:gcc
cat >swap.c <<'C'
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static void call(int (*f)(int))
{
	for (int i = 0; i < 200; i++) {
		f(i);
		usleep(1000);
	}
}
int main(int argc, char **argv)
{
	void *lib = dlopen("./liba.so", RTLD_NOW), *first = dlsym(lib, "benign");
	char code[4096], *page = (char *)((unsigned long)first & ~4095ul);

	sleep(1);
	call(first);
	if (argc > 1) {
		memcpy(code, page, sizeof(code));
		if (mmap(page, sizeof(code), PROT_READ | PROT_WRITE | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			return 1;
		memcpy(page, code, sizeof(code));
		__builtin___clear_cache(page, page + sizeof(code));
		call(first);
		return 0;
	}
	dlclose(lib);
	lib = dlopen("./libb.so", RTLD_NOW);
	if (dlsym(lib, "other_") != first)
		return 77;
	call(first);
	return **argv == 0;
}
C
for f in a:benign b:other_; do
	echo '#include <unistd.h>
		int '${f#*:}'(int i) { return getppid() + i; }' >lib.c
	gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fPIC -shared \
		-o lib${f%:*}.so lib.c
done
gcc -O1 -fno-omit-frame-pointer -o swap swap.c -ldl
./swap || exit $?
count() { # FILE: those few that dtrace saw before it could unwind are left out
	sed 's/0x[0-9a-f]*/address/; s/+.*//; s/ //g' "$1" | sort | uniq -c |
		awk '$1 > 100 { print $2 }'
}
for how in '' anon; do
	echo "== records${how:+ $how}"
	$DTRACE -qn 'syscall::getppid:entry /execname == "swap"/ { usym(ucaller); printf("\n"); }' \
		-c "sh -c './swap $how; :'" >out
	count out
	echo "== keys${how:+ $how}"
	$DTRACE -qn 'syscall::getppid:entry /execname == "swap"/ { @[usym(ucaller)] = count(); }' \
		-c "sh -c './swap $how; :'" >out
	sed 's/0x[0-9a-f]*/address/; s/+.*//; s/ [0-9]*$//; s/ //g' out | grep . |
		grep -v 'swap`' | sort -u
done
