# SPDX-License-Identifier: GPL-2.0-or-later
# A program on code of a process is preempted, and the next thread on the CPU runs it, too: each has
# a stack of its own, however large that is.
cat >many.d <<'D'
pid$target:libc.so.6:syscall:entry { self->text = strjoin(execname, probefunc);
	@[(int)arg1, arg3, self->text, substr(self->text, 1), execname, nspid == pid,
	    lltostr(arg3), pid == $target] = count();
	@n = count(); printf("%d %s\n", (int)arg1, self->text); }
END { printa("%d %d %s %s %s %d %s %d %@d\n", @); printa("all %@d\n", @n); }
D
$DTRACE -x bufsize=64m -qs many.d -c 'calls -1 -t 4 -s 3 -i -o made' >out
awk 'NF == 2 && $1 != "all" { n[$1 " " $2]++; next }
	NF { all = $NF; $NF = ""; sub(/ $/, ""); print }
	END { for (i in n) print i, n[i] == all }' out
[ "$(sed -n 's/^all //p' out)" = "$(cat made)" ] || { cat out made; exit 1; }
