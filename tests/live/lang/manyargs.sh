# SPDX-License-Identifier: GPL-2.0-or-later
# Arguments of system calls in many clauses, each of which wants them on a condition of its own:
# they are fetched once, before the first.
# @@once:
calls=$(command -v calls)
cat >end.d <<'D'
END { printa("%d %@d\n", @above); printa("entry %@d\n", @entry); printa("return %@d\n", @return); }
D
for n in 3 12 60 150; do
	for i in $(seq $n); do
		echo "syscall::lseek:entry /pid == \$target && !self->odd && arg1 >= $i/ {
			@above[$i] = sum(arg1); self->seen = arg1;
			@entry = sum((int)arg0 == -1 && arg2 == 0 && arg9 == 0); }
		syscall::lseek:return /pid == \$target && self->seen == $i/ {
			@return = sum(arg1 == -1 && arg0 == -1 && errno == 9); }"
	done >$n.d
	cat end.d >>$n.d
	echo "--- $n clauses: the first three, the last, and all"
	$DTRACE -qs $n.d -c "$calls 1 2 5 12 60 70000000000" | sort -n >out
	awk -v n=$n '$1 + 0 <= 3 || $1 == n' out
done
