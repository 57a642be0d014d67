# jstack() as an action and a key is the process's stack, of as many frames as -x jstackframes says.
cat >j.d <<'D'
#pragma D option quiet
#pragma D option jstackstrsize=1024
#pragma D option jstackframes=2
pid$target::seven:entry { jstack(); @[jstack(1, 200), execname] = count(); }
END { printa(@); }
D
$DTRACE -s j.d -c 'victim 3' | sed 's/+0x[0-9a-f]*//' >got
$DTRACE -x ustackframes=2 \
	-qn 'pid$target::seven:entry { ustack(); @[ustack(1), execname] = count(); }
	END { printa(@); }' -c 'victim 3' | sed 's/+0x[0-9a-f]*//' >want
cmp got want
grep -q 'victim`seven' got
[ "$(grep -c 'victim`' got)" -ge 4 ]
