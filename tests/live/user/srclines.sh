# SPDX-License-Identifier: GPL-2.0-or-later
# -x srclines: the lines of sources after frames and addresses, asked of addr2line, which has no
# rights and goes when dtrace does.
# @@needs: cmd:gcc cmd:addr2line cmd:objcopy cmd:unshare
# @@status: signal
# @@stderr: ^dtrace: srclines: (source lines are unavailable|no more source lines)
# @@stderr: ^ +p`(leaf|middle|main)
fail() { echo "$*"; exit 1; }
cat >p.c <<'C'
#include <stdlib.h>
#include <unistd.h>
#define SHOWN __attribute__((noinline))

SHOWN int leaf(int n)
{
	return getppid() + n;
}

SHOWN int middle(int n)
{
	int a = leaf(n);

	return a + 1;
}

int main(int argc, char **argv)
{
	int left = argc > 1 ? atoi(argv[1]) : 1;

	if (argc > 2)
		unlink(argv[0]);
	while (left--) {
		if (middle(left) == -1)
			return 1;
		if (left > 2)
			usleep(10000);
	}
	return 0;
}
C
flags='-g -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls'
gcc $flags -o p p.c
gcc $flags -no-pie -o fixed p.c
cat >p.d <<'D'
pid$target:a.out:leaf:entry
{
	ustack(3);
	uaddr(ucaller - 1);
	usym(ucaller);
	printf("%A\n", uregs[R_PC]);
	@[ustack(2)] = count();
	@place[uaddr(ucaller - 1)] = count();
}
D
trace() { $DTRACE -q -x srclines "$@" -s p.d 2>err; }
# As written, without the numbers that the compiler chose.
same() {
	sed 's/+0x[0-9a-f]*/+N/; s/^[a-z]*`/prog`/; s/ [a-z]*`/ prog`/g; s/   */  /g; s/ *$//' out
}

trace -c ./p >out
same
# Not position-independent; removed, while it runs; unreadable for others: all the same.
same >first
trace -c ./fixed >out
same | cmp - first || fail "fixed: $(cat out err)"
cp p gone
trace -c './gone 50 x' >out
grep -q '^ *gone`middle+0x[0-9a-f]* p\.c:12$' out || fail "removed: $(cat out err)"
[ ! -e gone ] || fail "it is still there"
cp p closed
chmod 700 closed
trace -c ./closed >out
same | cmp - first || fail "closed: $(cat out err)"

# Without the option, and where the program has no line table.
$DTRACE -q -s p.d -c ./p 2>err >out
! grep -q 'p\.c' out || fail "nobody asked: $(cat out)"
cp out plain
objcopy --only-keep-debug p p.debug
objcopy --strip-debug p stripped
trace -c ./stripped >out
! grep -q 'p\.c' out || fail "stripped: $(cat out)"
# By build id, in a directory of debug files that no other process sees.
id=$(readelf -n p | sed -n 's/.*Build ID: //p')
rest=${id#??}
unshare -m sh -euc 'mkdir -p /usr/lib/debug; mount -t tmpfs none /usr/lib/debug
	mkdir -p "/usr/lib/debug/.build-id/$1"; chmod 755 /usr/lib/debug
	cp p.debug "/usr/lib/debug/.build-id/$1/$2.debug"; shift 2; exec "$@"' \
	sh "${id%"$rest"}" "$rest" \
	$DTRACE -q -x srclines -s p.d -c ./stripped >out 2>err || fail "debug file: $(cat err)"
same | cmp - first || fail "debug file: $(cat out err)"

# For programs, the whole name.
trace -x oformat=json -c ./p >out
frame='"address":"0x[0-9a-f]*","symbol":"middle","module":"p","offset":[0-9]*'
grep -q "$frame,\"file\":\"$PWD/p.c\",\"line\":12}" out ||
	fail "JSON: $(cat out)"
trace -x oformat=folded -c ./p >out
grep -q '^p`middle;p`leaf 1$' out || fail "folded: $(cat out)"

# There is none, or it is another program: reported, and all else works.
sed 's/+0x[0-9a-f]*/+N/' plain >want
trace -x addr2linepath=no-such-program -c './p 2' >out
[ "$(grep -c srclines err)" = 1 ] &&
	grep -q '^dtrace: srclines: source lines are unavailable: no-such-program: No such file' \
	err || fail "absent: $(cat err)"
trace -x addr2linepath=/bin/false -c ./p >out
sed 's/+0x[0-9a-f]*/+N/' out | cmp - want || fail "false: $(cat out)"
[ "$(grep -c 'source lines of p: /bin/false has ended' err)" = 1 ] || fail "false: $(cat err)"

child() {
	{
		cat /proc/[0-9]*/stat 2>/dev/null || :
	} | awk -v p="$pid" -v name="($1)" '$4 == p && $2 == name { print $1 }'
}

# It runs as a user of its own, has no descriptor of the shell's, and goes with dtrace, whatever
# becomes of that.
$DTRACE -q -x srclines -s p.d -c './p 2000' >out 2>err 9>shells &
pid=$!
helper=
for i in $(seq 300); do
	helper=$(child addr2line)
	[ -z "$helper" ] || break
	sleep 0.05
done
[ "$helper" ] || fail "nobody is asked: $(cat out err)"
own=$((0x7a000000 + helper))
[ "$(awk '$1 == "Uid:" || $1 == "Gid:" { print $2, $3, $4, $5 }
	$1 == "NoNewPrivs:" { print $2 }' "/proc/$helper/status" | sort -u | tr '\n' ' ')" = \
	"1 $own $own $own $own " ] || fail "rights: $(cat "/proc/$helper/status")"
[ ! -e "/proc/$helper/fd/9" ] || fail "descriptors: $(ls -l "/proc/$helper/fd")"
command=$(child p)
kill -KILL $pid
[ -z "$command" ] || kill -KILL "$command"
wait $pid 2>/dev/null || :
for i in $(seq 100); do
	state=$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$helper/status" 2>/dev/null || :)
	case $state in '' | Z) break ;; esac
	sleep 0.05
done
case $state in '' | Z) ;; *) fail "addr2line is still there: $state" ;; esac
