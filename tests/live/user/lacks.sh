# SPDX-License-Identifier: GPL-2.0-or-later
# Why no function of a process matches, each with its tag; and such a description does no harm with
# -Z.
# @@status: 1
for probe in 'pid$target:nosuch.so:main:entry' 'pid$target:libc.so.5:malloc:entry' \
	'pid$target::nosuch_function:entry' \
	'pid$target::nosuch*:entry' 'pid$target::nosuch*:return' 'pid$target::malloc:exit' \
	'pid$target::malloc:fffff'; do
	$DTRACE -e -x errtags -n "$probe" -c true 2>&1 && exit 1 || echo "status $?"
done | sed 's/\(pid\|process \)[0-9][0-9]*/\1N/g; s/has 0x[0-9a-f]*/has 0xN/'
# What other systems call the C library.
$DTRACE -qn 'pid$target:libc.so.1:malloc:entry { @[probemod] = count(); }
	END { printa("%s\n", @); }' -c 'ls /' | grep -x 'libc\.so\..*'
# What is only waited for is no probe yet.
$DTRACE -Zn 'zork*:::query-respond { }' -c true 2>&1 | grep matched
$DTRACE -Zqn 'pid99999999::main:entry { trace(1); } BEGIN { trace("fine"); exit(0); }' 2>&1
