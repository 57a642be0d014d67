# SPDX-License-Identifier: GPL-2.0-or-later
# -F with several clauses of a probe: the first of an entry and the last of a return have the arrow,
# the last that has a record, whichever it is.
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: pid [0-9]+ has exited
flow() {
	$DTRACE "$@" -c 'calls -n 1' >out
	sed -E 's/^ +[0-9]+ //; s/ +$//; /^$/d' out
}
call='syscall::getppid'
flow -F -n "$call:entry /pid == \$target/ { trace(1); } $call:entry /pid == \$target/ { trace(2); }
	$call:return /pid == \$target/ { trace(3); } $call:return /pid == \$target/ { trace(4); }"
flow -F -n "$call:entry, $call:return /pid == \$target/ { trace(5); }
	$call:return /pid == \$target && arg0 == 0/ { trace(6); }
	BEGIN { trace(7); }"
flow -qF -x temporal=no -n "$call:entry /pid == \$target/ { printf(\"1\n\"); }
	$call:return /pid == \$target/ { printf(\"2\n\"); system(\"echo from system\"); }
	$call:return /pid == \$target/ { printf(\"3\n\"); } END { printf(\"4\n\"); }" -w
