# SPDX-License-Identifier: GPL-2.0-or-later
# Associative arrays to which system calls add take memory as elements come; those to which a timer
# adds, where interrupts are disabled, have some from the start, and a second map when that is full.
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

# The second map: elements are found, changed and deleted there, and numbers, texts and structures
# are in it.
cat >second.d <<'D'
struct pair { long a, b; } pair[long];
tick-1hour { seen[0] = 1; pair[0].a = 1; text[0] = "0"; self->x[0] = 1; }
syscall::lseek:entry /pid == $target/ { @new = sum(seen[arg1]++ == 0); num[arg1] = arg1;
	pair[arg1].b = arg1; text[arg1] = arg1 % 2 ? "odd" : "even"; self->x[arg1] = arg1; }
syscall::lseek:entry /pid == $target/ { @same = sum(num[arg1] == arg1 && pair[arg1].b == arg1 &&
	text[arg1] == (arg1 % 2 ? "odd" : "even") && self->x[arg1] == arg1); }
syscall::lseek:entry /pid == $target/ { num[arg1] = 0; text[arg1] = NULL; self->x[arg1] = 0;
	pair[arg1].b++; @gone = sum(num[arg1] == 0 && text[arg1] == NULL && self->x[arg1] == 0 &&
	seen[arg1] == 1 && pair[arg1].b == arg1 + 1); }
END { printf("%d %d %d\n", seen[0], seen[29999], pair[29999].b);
	printa("new %@d\n", @new); printa("same %@d\n", @same); printa("gone %@d\n", @gone); }
D
$DTRACE -qs second.d -c "calls -n 30000 -i" 2>&1

# And a timer adds to it: more in all than the first map has, some at a time.
{
	echo 'profile-499hz /cpu == 0 && i < 20000/ {'
	for i in $(seq 40); do echo "x[i] = i + 1; i++;"; done
	echo '} tick-10ms /i >= 20000/ { exit(0); } tick-20s { exit(1); }'
	echo 'END { trace(x[0]); trace(x[5000] == 5001); trace(x[19999] == 20000); }'
} >timer.d
$DTRACE -qs timer.d 2>err
awk '/dynamic variable drops/ { n = $2 } END { print (n < 1000 ? "few" : n) " drops" }' err

# A size that was asked for is kept, and so is that of an array which a probe adds to that may fire
# inside of the kernel's allocator.
dropped() { awk '/dynamic variable drops/ { n = 1 } END { print n + 0 }'; }
count='syscall::lseek:entry /pid == $target/ { seen[arg1] = 1; }'
$DTRACE -x dynvarsize=1m -qn "$count" -c "calls -n $n -i" 2>&1 | dropped
$DTRACE -qn "$count sdt:power::suspend_resume { seen[0] = 1; }" -c "calls -n $n -i" 2>&1 | dropped
