# SPDX-License-Identifier: GPL-2.0-or-later
# Many system calls with a clause each: they are parts of few programs, and each fires as it would
# alone, with its own arguments, names, variables and records. A few have programs of their own.
calls='access arch_prctl brk clone close dup dup3 execve exit_group faccessat fcntl fstat futex
	getegid getpid getppid getrandom gettid getuid ioctl lseek madvise mmap mprotect munmap
	newfstatat openat pread64 prlimit64 read readlinkat rseq rt_sigaction rt_sigprocmask
	set_robust_list set_tid_address statx uname wait4 write'
have=$($DTRACE -x compat=off -ln 'syscall:::entry' | awk '{ print $4 }')
{
	for f in $calls; do
		echo "$have" | grep -qx "$f" || continue
		echo "syscall::$f:entry /pid == \$target/ { @one[probefunc] = count();
			@own[\"$f\"] = count(); self->$f = timestamp; }
		syscall::$f:return /self->$f/ { @done[probefunc] = count(); @time[\"$f\"] =
			sum(timestamp - self->$f < 0); self->$f = 0; }"
	done
	cat <<'D'
syscall::lseek:entry /pid == $target/ { @offsets = sum(arg1); }
syscall:::entry /pid == $target/ { @all[probefunc] = count(); }
syscall::getuid:entry, syscall::getegid:entry { printf("%s\n", probefunc); }
END {
	printa("one %s %@d\n", @one);
	printa("own %s %@d\n", @own);
	printa("done %s %@d\n", @done);
	printa("late %s %@d\n", @time);
	printa("all %s %@d\n", @all);
	printa("offsets %@d\n", @offsets);
}
D
} >many.d
$DTRACE -x compat=off -qs many.d -c 'calls -i -n 1000' >out
awk '$1 == "all" { all[$2] = $3 } $1 == "one" { one[$2] = $3 } $1 == "own" { own[$2] = $3 }
	$1 == "done" { done[$2] = $3 } $1 == "late" && $3 { print }
	$1 == "offsets"
	END {
		for (f in one) {
			n++
			if (one[f] != all[f] || own[f] != all[f] ||
				(f !~ /^exit/ && f != "execve" && done[f] != all[f]))
				print f, one[f], own[f], done[f], all[f]
		}
		if (n < 5)
			print "only " n " calls"
	}' out
programs() { # OPTIONS...
	$DTRACE -e -x dump=plan "$@" | grep -c '^program.*tp'
}
[ "$(programs -x compat=off -s many.d)" -lt 30 ] || echo "many programs"

programs -n 'syscall::read:entry { @a = count(); } syscall::write:entry { @b = count(); }
	syscall::close:entry { @c = count(); }'
# The three share newfstatat on some machines: they are not merged, and fire as they are written.
echo '== order'
for f in read lseek close mmap munmap; do
	echo "syscall::$f:entry /pid == -1/ { trace(\"$f\"); }"
done >order.d
cat >>order.d <<'D'
syscall::write:entry /pid == $target && !one/ { printf("write 1\n"); one = 1; }
syscall::write:entry /pid == $target && !two/ { printf("write 2\n"); two = 1; }
syscall::stat:entry, syscall::lstat:entry /pid == $target && !three/ { three = 1; }
syscall::fstat:entry /pid == $target && !four/ { printf("fstat 1\n"); four = 1; }
syscall::fstat:entry /pid == $target && !five/ { printf("fstat 2\n"); five = 1; }
D
$DTRACE -x compat=on -qs order.d -c 'cat many.d' | grep -x '[a-z]* [12]'
