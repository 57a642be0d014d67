# SPDX-License-Identifier: GPL-2.0-or-later
# Variables of a program by name: with their types (gcc -g), without, of a library, by address, and
# those that cannot be had.
# @@needs: cmd:gcc
# @@status: 1
cat >lib.c <<'C'
int shared_count = 5;
const char *shared_text = "of the library";
int lib(int n) { return shared_count += n + !shared_text[0]; } /* what is looked at is in memory */
C
cat >p.c <<'C'
struct node { int n; struct node *next; const char *name; char tag[8]; };
enum mode { IDLE, BUSY } mode;
static struct node last = {2, 0, "last", "bb"};
struct node first = {1, &last, "first", "aa"};
struct node *list = &first;
short negative = -3;
long table[3] = {7, 8, 9};
static char text[16] = "hello";
__thread int of_thread;
int lib(int);
__attribute__((noinline)) void work(int n)
{
	__asm__ volatile("" : : "r"(n));
	mode = BUSY;
	of_thread++;
	table[2] += n;
}
int main(void)
{
	lib(2);
	work(first.name[0] + last.name[0] + text[0] == 0);
	work(20);
	return 0;
}
C
gcc -g -shared -fPIC -o libvars.so lib.c
gcc -g -o prog p.c ./libvars.so
$DTRACE -qn 'pid$target:a.out:work:entry {
	printf("%s %d %s %d %d %s", pid`list->next->name, pid`first.next->n, stringof(pid`text),
	    pid`table[2], pid`negative, pid`a.out`last.tag);
	printf(" %s %d %s\n", pid`mode == pid`BUSY ? "busy" : "idle", pid`libvars.so`shared_count,
	    stringof(pid`shared_text));
	this->p = &pid`table[1];
	printf("%d %d %d %d\n", *this->p, *(short *)&pid`negative, &pid`first == pid`list,
	    sizeof(pid`table)); }' -c ./prog
$DTRACE -qn 'pid$target:a.out:work:entry { print(pid`mode); print(*pid`first.next);
	@[pid`table[2]] = count(); }' -c ./prog | sed 's/0x[0-9a-f]*/ADDRESS/'
says() {
	$DTRACE -en "$1" ${2:+-c "$2"} 2>&1 |
		sed 's/.*failed to/failed to/; s/.*list: \(.*no type data\)/\1/
			s/process [0-9]*/process N/'
}
says 'BEGIN { trace(pid`of_thread); }' ./prog
says 'BEGIN { trace(pid`lst); }' ./prog
says 'BEGIN { trace(pid`libvars.so`list); }' ./prog
says 'BEGIN { trace(pid`libnone.so`list); }' ./prog
says 'BEGIN { trace(pid`list); }'
cp prog bare && strip -g bare
says 'BEGIN { trace(pid`table); }' ./bare
$DTRACE -qn 'pid$target:a.out:work:entry { printf("%d\n", *(short *)&pid`negative); }' -c ./bare
