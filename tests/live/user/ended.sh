# SPDX-License-Identifier: GPL-2.0-or-later
# Addresses of processes that have ended by the time their records are read: many short programs,
# programs that become others, children that execute nothing, as records, as keys, and of files
# that only their owners can open.
# @@needs: cmd:gcc cmd:unshare
cat >p.c <<'C'
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) int FIRST(int n) { __asm__ volatile(""); return n + PAD; }
__attribute__((noinline)) int SECOND(int n)
{
	int r = FIRST(n);

	__asm__ volatile("");
	return r * 2;
}
int main(int argc, char **argv)
{
	if (**argv == 'f' && !fork()) { /* fork: a child calls */
		SECOND(1);
		_exit(0);
	}
	if (**argv == 'f')
		return wait(NULL) < 0;
	SECOND(2);
	if (argc > 1)
		execv(argv[1], argv + 1);
	return 0;
}
C
build() { # NAME FIRST SECOND [OPTION...]
	name=$1 first=$2 second=$3
	shift 3
	gcc -O1 -fno-omit-frame-pointer "$@" -DFIRST="$first" -DSECOND="$second" -DPAD=1 \
		-o "$name" p.c
}
build one leaf mid
build a leaf mid
build b tip stem
cp one fork
echo 'twenty'
$DTRACE -qn "pid*:$PWD/one:leaf:entry { ustack(2); }" \
	-c 'sh -c "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do ./one; done"' |
	grep . | sort | uniq -c | sed 's/  */ /g'
echo 'an exec between two stacks'
$DTRACE -qn "pid*:$PWD/a:leaf:entry, pid*:$PWD/b:tip:entry { ustack(2); }" -c './a ./b ./a ./b' \
	-c 'sh -c "./a ./b ./a; ./b ./a"' | grep . | sort | uniq -c |
	sed 's/  */ /g'
echo 'no exec'
$DTRACE -qn "pid*:$PWD/fork:leaf:entry { ustack(2); usym(ucaller); umod(ucaller); }" \
	-c 'sh -c "./fork; ./fork"' | sed 's/  */ /g' | grep .
$DTRACE -x follow -qn 'pid$target:a.out:leaf:entry { ustack(2); }' -c ./fork | grep .
echo 'keys'
$DTRACE -qn "pid*:$PWD/one:leaf:entry { @[ufunc(ucaller), umod(ucaller)] = count();
	@s[ustack(2)] = count(); }" -c 'sh -c "for i in 1 2 3 4 5; do ./one; done"' |
	grep . | sort | uniq -c | sed 's/  */ /g'
echo 'all of a shell'
$DTRACE -qn 'syscall::execve:entry, syscall::exit_group:entry /progenyof($target)/ { ustack(1); }' \
	-c 'sh -c "./one; (./one); ./a ./b; :"' |
	sed 's/.*`.*/named/' | grep . | sort | uniq -c | sed 's/  */ /g'
echo 'dtrace is late'
$DTRACE -qn "BEGIN { printf(\"ready\n\"); } pid*:$PWD/one:leaf:entry { ustack(2); }" >late & d=$!
until grep -qs ready late; do sleep 0.1; done
kill -STOP $d
./one
./one
./one
sleep 6
kill -CONT $d
until [ "$(grep -c . late)" -ge 7 ]; do sleep 0.1; done
kill $d
wait $d
grep . late | sort | uniq -c | sed 's/  */ /g'
echo 'what is another file to us'
cp b other
$DTRACE -qn "pid*:$PWD/one:leaf:entry { ustack(2); }" \
	-c "unshare -m sh -c 'mount --bind one other && ./other && ./other && sleep 4'" |
	grep -v '`0x' | grep . |
	sed 's/  */ /g' |
	sort -u # on a slow machine the first may be met before who made it is known
