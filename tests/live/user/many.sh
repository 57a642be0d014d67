# SPDX-License-Identifier: GPL-2.0-or-later
# Addresses in more files than may be open at a time: all have names.
# @@needs: cmd:gcc
cat >p.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { FILES = 300 };
void here(void) {}
/* Where in its file the function is. */
static long offset_of(unsigned long addr)
{
	unsigned long start, end, off;
	FILE *f = fopen("/proc/self/maps", "r");
	char line[4096];

	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &off) == 3 && start <= addr &&
		    addr < end)
			return addr - start + off;
	exit(1);
}
int main(void)
{
	static char bytes[1 << 20], name[40];
	long size = read(open("/proc/self/exe", O_RDONLY), bytes, sizeof(bytes));
	long off = offset_of((unsigned long)here);

	for (int i = 0; i < FILES; i++) {
		int fd;

		sprintf(name, "p%d", i);
		fd = open(name, O_RDWR | O_CREAT, 0700);
		if (write(fd, bytes, size) != size)
			return 1;
		close(fd);
		fd = open(name, O_RDONLY);
		syscall(SYS_getppid,
			(char *)mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) + off);
		close(fd);
	}
	usleep(300000);
	return 0;
}
C
gcc -o p p.c
ulimit -n 300
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { usym(arg0); printf("\n"); }' -c ./p >out
grep -c '`here *$' out
grep . out | sed 's/  */ /g' | sort -u | sed -n '1p;$p'
