# The same from a clause of the workload itself, after each thousandth call.
$DTRACE -qn '
syscall::getppid:entry /pid == $target/ { @c[cpu] = count(); @u = count(); n++; }
syscall::getppid:return /pid == $target && n >= 1000/ { n = 0; printa("c %d %@d\n", @c);
	trunc(@c); printa("u %@d\n", @u); clear(@u); }
END { printa("c %d %@d\n", @c); printa("u %@d\n", @u); }' -c 'calls -s 1 -t 2 -o made' >out
made=$(cat made)
[ "$(awk '$1 == "c" { n += $3 } END { printf "%d\n", n }' out)" = "$made" ]
[ "$(awk '$1 == "u" { n += $2 } END { printf "%d\n", n }' out)" = "$made" ]
