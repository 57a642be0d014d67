# SPDX-License-Identifier: GPL-2.0-or-later
# id is the number that -l shows.
probe=syscall::getppid:entry
shown=$($DTRACE -l -n $probe | awk 'NR == 2 { print $1 }')
seen=$($DTRACE -q -n "$probe /pid == \$target/ { printf(\"%d\\n\", id); exit(0); }" \
	-c 'calls -n 1' | head -1)
[ -n "$shown" ] && [ "$shown" = "$seen" ]
many=$($DTRACE -q -n 'syscall:::entry /pid == $target && probefunc == "getppid"/ {
	printf("%d\n", id); exit(0); }' -c 'calls -n 1' | head -1)
[ "$shown" = "$many" ]
$DTRACE -q -i "$shown" -n BEGIN -c 'calls -n 1' >/dev/null
