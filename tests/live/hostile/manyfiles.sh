# SPDX-License-Identifier: GPL-2.0-or-later
# A process maps 6000 ELF files as code, more than dtrace may open: it looks into 4096 of them, of
# which it keeps 256 open. When it cannot have descriptors that is the message, and no feature of
# the kernel is said to be missing.
# @@needs: cmd:setpriv
# @@status: 0 1
# @@stderr: dtrace: warning: symbols of some files are omitted: process .* more than 4096 files .*
# @@stderr: dtrace: failed to .*: Too many open files
mapper files 6000 >out &
pid=$!
trap 'kill $pid 2>/dev/null && wait $pid || :' EXIT
until grep -q ready out; do sleep 0.05; done
limited() { # DESCRIPTORS ARGUMENTS...
	(ulimit -n "$1" && shift && timeout "$LIMIT" setpriv --bounding-set -sys_resource \
		$DTRACE "$@")
}
limited 1024 -qn 'pid$target:a.out:work:entry { printf("traced\n"); exit(0); }' -p $pid \
	>got 2>err || { cat err; exit 1; }
grep -qx traced got
[ "$(grep -c 'mapped more than 4096 files' err)" = 1 ] || { cat err; exit 1; }
limited 1024 -Zqn 'zz$target:::foo {} tick-1s { exit(0); }' -p $pid 2>err || { cat err; exit 1; }
[ "$(grep -c 'mapped more than 4096 files' err)" = 1 ] || { cat err; exit 1; }
limited 6 -qn 'BEGIN { exit(0); }' >got 2>err && exit 1
grep -q '^dtrace: failed to .*: Too many open files$' err || { cat err; exit 1; }
