# SPDX-License-Identifier: GPL-2.0-or-later
# Patterns of functions omit those of the C runtime, which have no size; a full name matches them.
# @@needs: cmd:gcc
cat >prog.c <<'C'
__attribute__((noipa)) int work(int n) { return n + 1; }
int main(void) { return work(1) & 0; }
C
gcc -O1 -fno-stack-protector -o prog prog.c
for func in '' '*' '*[a-z]*'; do
	echo "functions '$func'"
	$DTRACE -ln "pid\$target:a.out:$func:return" -c ./prog | awk 'NR > 1 { print $4 }' | sort
done
$DTRACE -qn 'pid$target:a.out::entry { printf("%s\n", probefunc); }' -c ./prog -x evaltime=preinit
echo 'by name'
$DTRACE -qn 'pid$target:a.out:_init:entry, pid$target:a.out:frame_dummy:entry {
	printf("%s\n", probefunc); }' -c ./prog -x evaltime=preinit
