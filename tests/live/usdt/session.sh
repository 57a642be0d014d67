# SPDX-License-Identifier: GPL-2.0-or-later
# Static probes of the processes of -p and -c are among what descriptions of no one provider match;
# "-" in a provider's name; arguments that cannot be fetched.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: ^dtrace: 
cat >app.c <<'C'
#include <sys/sdt.h>
#include <unistd.h>
__attribute__((noinline)) void fire(int n, double d)
{
	STAP_PROBE1(us2, many__times, n);
	STAP_PROBE3(my__prov, odd, n, d, n + 1);
}
int main(int argc, char **argv)
{
	char c;

	if (argc == 1)
		fire(7, 1.5);
	while (argc > 1 && read(0, &c, 1) == 1)
		fire(c, c);
	return 0;
}
C
gcc -O1 -o app app.c
mkfifo gate
./app w <gate & a=$!
./app w <gate & b=$!
./app w <gate & c=$! # nobody asks for this one
exec 3>gate
for p in $a $b $c; do
	while [ "$(cat /proc/$p/comm)" != app ]; do sleep 0.1; done
done
# Whose they are, without ids and columns.
whose() {
	sed "s/\(us2\|prov\)$a /\1A /; s/\(us2\|prov\)$b /\1B /; s/\(us2\|prov\)$c /\1C /" |
		awk '$3 == "app" || $4 == "app" { print $2, $3, $4, $5 }'
}

for x in '-m app' '-n *:::many*' '-n us?*:::many-times' '-n *$target:app::' '-P syscall' \
	'-n BEGIN' '-n us2:::' '-n us2$target:::' ''; do
	echo "list $x"
	set -f # shellcheck disable=SC2086 # words
	{ $DTRACE -l $x -p $a -p $b 2>/dev/null || true; } | whose
	set +f
done
echo 'list, of a command'
$DTRACE -ln ':::many-times, *:app::odd' -c ./app | awk '$3 == "app" { sub(/us2.*/, "us2N", $2);
	sub(/prov.*/, "provN", $2); print $2, $3, $4, $5 }'
echo 'not without a process'
$DTRACE -ln '*:::many-times' 2>&1 | sed 's/.*: No/No/' | tail -1

echo 'by either name'
for x in 'my-prov$target:::' 'my__prov$target:::' 'my-*$target:app::' 'm*-prov*:app::' \
	'my_prov$target:::'; do
	$DTRACE -ln "$x" -p $a 2>/dev/null | whose
	echo "$x"
done
$DTRACE -n 'my-proof$target::: {}' -p $a 2>&1 | sed "s/.*: there/there/; s/$a/A/g"

echo fired
$DTRACE -qn ':app::many-times, *:::odd { printf("%s %s %d\n", probeprov, probename, arg0); }
	my-prov$target:::odd { printf("%d %d\n", arg2, arg5); }
	:::BEGIN { n++; }' -c ./app | sed '/^$/d; s/\(us2\|prov\)[0-9]* /\1N /'

echo 'a floating point number'
$DTRACE -qn 'my-prov$target:::odd { trace(arg1); }' -c ./app 2>&1 |
	sed 's/.*: argument/argument/; s/prov[0-9]*/provN/; s/".*"/TEXT/'
echo 'and one that comes later'
cp app latecomer
$DTRACE -Zqn 'my-prov*:/none*::odd, my-prov*:latecome?::odd { printf("first %d %d\n", arg0, arg5); }
	my-prov*:latecome?::odd { printf("double %d\n", arg1); }
	my-prov*:latecome?::odd { printf("last %d\n", arg2); }
	ERROR { printf("fault\n"); }' -c 'sh -c "(sleep 1; printf a) | ./latecomer w; true"' 2>err
sed 's/ for probe ID [0-9]*//; s/).*ill/): ill/; s/ at .*//' err
printf xx >&3
exec 3>&-
wait
