# Thousands of functions: they count, in little memory. What the kernel calls to run a program is
# left out of a glob.
# @@needs: kprobe_multi
# @@drops: ^dtrace: [0-9]+ drops of firings that came while programs ran on
all=
# An emulator is slow at it, and some run what the kernel has just patched: the fewer places the
# better.
grep -q 'QEMU TCG' /proc/cpuinfo && all='_[_ab]*'
$DTRACE -wqn "fbt:vmlinux:$all:entry { @ = count(); }"'
	tick-100ms { system("sed -n \"s/^VmHWM:[^0-9]*/peak /p\" /proc/%d/status", $pid); exit(0); }
	END { printa("count %@d\n", @); }' >out 2>err
grep -v 'attaching: \|detaching: ' err >said || true
awk '$1 == "peak" { peak = $2 } $1 == "count" { n = $2 }
	END { print (peak > 1000 && peak < 100000), (n > 0) }' out
# Without those that are left out there would be a drop for each firing, and more.
awk 'NR == FNR { n += $2 * ($1 == "count"); next }
	!/drops? of/ { print "said:", $0 } { drops += $2 }
	END { if (drops > n / 10 + 100) print drops, "drops", n, "firings" }' out said
$DTRACE -qn 'fbt::__rcu_read_lock:entry { exit(0); }' >out
