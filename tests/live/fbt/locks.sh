# @@needs: kprobe
# What takes and leaves the locks of dtrace's own maps: programs that write to the same variables
# and to one ring, beside others which the kernel does not hold back. It used to hang the machine.
# @@status: 1
# @@stderr: ^dtrace: failed to match sdt:lock::contention_end: No probe matches
# @@stderr: ^dtrace: invalid probe specifier
# @@stderr: ^dtrace: warning: sdt:lock::contention_end: this kernel has no
# @@drops: ^dtrace: [0-9]+ drops of firings that came while programs ran on
grep -q ' [Tt] _raw_spin_lock$' /proc/kallsyms || {
	echo "this kernel's spin locks are no functions"
	exit 77
}
contended='sdt:lock::contention_end'
$DTRACE -ln $contended >/dev/null 2>&1 || contended=
$DTRACE -qn 'fbt::_raw_spin_lock*:entry, fbt::_raw_spin_unlock*:entry /pid == $target/ {
	seen[arg0] = 1; @n["locks"] = count(); trace(probefunc); }
	syscall:::entry /pid == $target/ { seen[arg0] = 2; @n["calls"] = count();
		trace(probefunc); }
	syscall:::return /pid == $target/ { seen[arg0] = 3; @n["returns"] = count();
		trace(probefunc); }
	'"${contended:+$contended {
		seen[arg0] = 4; @n[\"contended\"] = count(); trace(probename); \}}"'
	END { printa("\n%s %@d", @n); }' -x dynvarsize=1m -c 'doings names' >out 2>err
awk '$2 >= 10 && ($1 == "locks" || $1 == "calls" || $1 == "returns") { print $1 }' out | sort
# The lock for which a process waits that makes a file in a directory that is being listed: as a
# tracepoint, and not raw.
if [ "$contended" ]; then
	$DTRACE -qn $contended' /pid == $target/ { seen[arg0]++; @n = count(); trace(probename); }
		END { printa("contended %@d", @n); }' \
		-c 'doings shares' 2>err | grep -q 'contended [1-9]'
	! $DTRACE -en rawtp:lock::contention_end 2>why || exit 1
	grep -q 'use sdt' why
fi
