# SPDX-License-Identifier: GPL-2.0-or-later
# watch: the value has the variable's type, where the program describes it. Each variable is written
# twice, and values of 0 are left out: aarch64 has values of before the access.
# @@needs: watchpoint cmd:gcc
cat >p.c <<'C'
struct node { int n; struct node *next; };
enum mode { IDLE, BUSY } mode;
struct node last = {2, 0}, first = {1, &last}, *list;
int counter;
double real;
int main(void)
{
	for (volatile int i = 0; i < 2; i++) {
		if (first.next->n == 2)
			list = &first;
		mode = BUSY;
		counter = -7;
		real = 1.5;
	}
	return 0;
}
C
gcc -g -o prog p.c
$DTRACE -qn 'watch$target:a.out:mode:write /arg1/ { print(args->value); }
	watch$target:a.out:list:write /arg1/ { printf("%d\n", args->value->next->n); }
	watch$target:a.out:counter:write /arg1/ { printf("%d %d\n", args->value, arg1); }
	watch$target:a.out:real:write /arg1/ { printf("%x\n", args->value); }' -c ./prog | sort -u
$DTRACE -lvn 'watch$target:a.out:list:write, watch$target:a.out:counter+2:write' \
	-c ./prog 2>/dev/null | grep 'args\[1'
