# @@needs: kprobe
# What takes and leaves the locks of dtrace's own maps: two programs that write to the same variables, and a ring
# that both write to, beside programs which the kernel does not hold back. It used to hang the machine.
$DTRACE -qn 'fbt::_raw_spin_lock*:entry, fbt::_raw_spin_unlock*:entry, lock:::contention_end /pid == $target/ { seen[arg0] = 1; @n["locks"] = count(); trace(probefunc); }
	syscall:::entry /pid == $target/ { seen[arg0] = 2; @n["calls"] = count(); trace(probefunc); }
	syscall:::return /pid == $target/ { seen[arg0] = 3; @n["returns"] = count(); trace(probefunc); }
	END { printa("\n%s %@d", @n); }' -x dynvarsize=1m -Z -c 'doings names' >out 2>err
awk '$2 >= 10 && ($1 == "locks" || $1 == "calls" || $1 == "returns") { print $1 }' out | sort
