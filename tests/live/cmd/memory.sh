# SPDX-License-Identifier: GPL-2.0-or-later
# A script that is only compiled does not take all of the memory: the preprocessor has the limit of
# dtrace, and where it is reached there is one error.
# @@status: 0 1
# @@stderr: ^dtrace: out of memory$
# @@once:
cat >cpp <<'CPP'
#!/bin/sh
ulimit -d >"${0%/*}/limit"
echo 'BEGIN { exit(0); }'
CPP
chmod +x cpp
echo 'BEGIN { exit(0); }' >script.d
for mode in e l; do
	$DTRACE -$mode -C -x cpppath="$PWD/cpp" -s script.d >list
	[ "$(cat limit)" -le $((2 << 20)) ]
done
$DTRACE -q -C -x cpppath="$PWD/cpp" -s script.d
[ "$(cat limit)" = "$(ulimit -d)" ]

{ echo 'BEGIN { x[pid'; yes ',pid' | head -10000; echo '] = 1; }'; } >keys.d
status=0
prlimit --data=50000000 $DTRACE -es keys.d 2>err || status=$?
[ "$status $(cat err)" = '1 dtrace: out of memory' ]
