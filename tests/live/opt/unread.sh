# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel's types are opened only by scripts that need them: a dtrace that opens this FIFO waits
# for a writer.
# @@status: signal
mkfifo types
unread() { timeout "$LIMIT" $DTRACE -x btfpath=types "$@"; }
unread -qn 'BEGIN { printf("%d\n", 1 + 1); x["a"] = 1; self->y = x["a"]; exit(self->y - 1); }' |
	grep .
unread -qn 'BEGIN { i = 0; }
	tick-10ms /i++ == 2/ { @[execname, pid == $pid] = count(); exit(0); }' >counts
grep -c ' 1$' counts
script='BEGIN { trace(sizeof(struct task_struct)); exit(0); }'
! timeout 1 $DTRACE -x btfpath=types -qn "$script" || exit 1
echo "a type of the kernel is waited for"
