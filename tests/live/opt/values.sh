# SPDX-License-Identifier: GPL-2.0-or-later
# Values of options: what is accepted, of cpu, amin, version, disasm; and strict, droptags.
# @@status: 1 2
# @@stderr: ^dtrace: [0-9]+ failed speculation \(no speculative buffer
# @@once:
fail() { echo "$*" >&2; exit 1; }
for opt in cpu=99999 cpu=0-99999 cpu=1-0 cpu=a version=2.1 version=1.14 version=x \
	amin=Evil knodefs unodefs ctfpath=x \
	dofstashpath=/x modpath=/x procfspath=/proc sysslice=x useruid=5; do
	$DTRACE -x $opt -e -n BEGIN 2>&1 && fail "$opt: accepted" || echo "status $?"
done
for opt in version=1.0 version=1.13.1 version=2.0 amin=Stable/Stable/Common kdefs \
	udefs iregs=4 tregs=4 nusdtprobes=9; do
	$DTRACE -x $opt -e -n BEGIN 2>&1 || fail "$opt: status $?"
done
$DTRACE -e -S -x disasm=0 -n 'BEGIN { trace(1); }' 2>&1
[ "$($DTRACE -e -S -x disasm=15 -n 'BEGIN { trace(1); }' 2>&1 | wc -l)" -gt 10 ]
# One drop, which the exit status reports if an option asks for that.
cat >drop.d <<'E'
BEGIN { this->a = speculation(); this->b = speculation(); exit(0); }
E
$DTRACE -qs drop.d 2>/dev/null
$DTRACE -x strict -qs drop.d 2>/dev/null && fail "strict: status 0" || [ $? = 1 ]
$DTRACE -x strict -x nspec=2 -qs drop.d
# With the tag.
$DTRACE -x droptags -qs drop.d 2>&1
