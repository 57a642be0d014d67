# SPDX-License-Identifier: GPL-2.0-or-later
# The principal buffer is small where only BEGIN, END and slow timers write to it, and has its usual
# size where other probes do, or what they store may be invalid.
size() {
	$DTRACE -e -x dump=plan -n "$1" >plan || exit 1
	grep -q '^program 0:' plan || exit 1
	sed -n 's/^principal buffer: \(.*\) bytes$/\1/p' plan
}
count='syscall:::entry { @a[execname] = count(); }'
while read -r script; do
	n=$(size "$script") || exit 1
	[ "${n:-0}" -le 131072 ] && echo "${n:-usual}" || echo larger
done <<D
BEGIN { printf("x"); exit(0); }
$count tick-1s { printa(@a); } END { printa(@a); }
$count tick-10ms { printa(@a); }
$count tick-10s { exit(0); }
$count tick-1ms { printa(@a); }
$count profile-1s { trace(1); }
$count syscall::read:entry { exit(0); }
$count ERROR { trace(1); }
$count tick-1s, syscall::read:entry { trace(1); }
syscall::openat:entry { @a[copyinstr(arg1)] = count(); } tick-1s { trace(1); }
syscall::read:entry { self->s = speculation(); commit(self->s); } tick-1s { trace(1); }
D

# A size that was asked for is the size.
$DTRACE -b 8m -e -x dump=plan -n 'tick-1s { trace(1); }' >set
sed -n '/^principal buffer/p; s/^program 0:.*/compiled/p' set
