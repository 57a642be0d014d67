# SPDX-License-Identifier: GPL-2.0-or-later
# Associative arrays to which system calls add take memory as elements come; those to which a timer
# adds, where interrupts are disabled, have theirs from the start.
# @@needs: func_memory
# @@drops: ^dtrace: [0-9]+ dynamic variable drops$
n=50000
$DTRACE -qn 'syscall::lseek:entry /pid == $target/ { @ = sum(seen[arg1]++ == 0); }
	END { printf("%d %d\n", seen[0], seen[49999]); printa("%@d\n", @); }' \
	-c "calls -n $n -i" >out 2>err
cat err; grep . out

# Many at once, the first of their array.
{
	echo 'tick-100ms {'
	for i in $(seq 48); do echo "x[$i] = $i;"; done
	echo '} tick-100ms { exit(0); } END { n = 0;'
	for i in $(seq 48); do echo "n += x[$i];"; done
	echo 'trace(n); }'
} >many.d
$DTRACE -qs many.d 2>&1

# A size that was asked for is kept, and so is that of an array which a timer adds to.
dropped() { awk '/dynamic variable drops/ { n = 1 } END { print n + 0 }'; }
count='syscall::lseek:entry /pid == $target/ { seen[arg1] = 1; }'
$DTRACE -x dynvarsize=1m -qn "$count" -c "calls -n $n -i" 2>&1 | dropped
$DTRACE -qn "$count tick-1hour { seen[0] = 1; }" -c "calls -n $n -i" 2>&1 | dropped
