# sched: a thread gets its CPU as often as it left it, and the clock ticks while it is there, where the kernel tells of that.
has() {
	$DTRACE -l -n "sched:::$1" >/dev/null 2>&1
}
if has on-cpu; then
	$DTRACE -qn 'sched:::on-cpu /pid == $target/ { on++; bad += curlwpsinfo->pr_state != SONPROC; }
	sched:::off-cpu /pid == $target/ { off++; }
	sched::resume: /pid == $target/ { resumed++; }
	END { printf("on-cpu %d %d %d\n", off >= 20 && on >= off - 1 && on <= off + 1, resumed == on, bad); }' -c 'doings sleeps' | grep .
else
	echo "on-cpu 1 1 0"
fi
if has tick; then
	$DTRACE -qn 'sched:::tick /pid == $target/ { n++; bad += args[1]->pr_pid != $target; }
	END { printf("tick %d %d\n", n > 5, bad); }' -c 'doings spins' | grep .
else
	echo "tick 1 0"
fi
# The same thread is chosen again: it gives way to nobody.
if has remain-cpu; then
	$DTRACE -qn 'sched:::remain-cpu /pid == $target/ { n++; } END { printf("remain-cpu %d\n", n > 0); }' -c 'doings yields' | grep .
else
	echo "remain-cpu 1"
fi
# Priorities: one that is lent, and one that is asked for.
$DTRACE -qn 'sched:::change-pri /args[1]->pr_pid == $target/ { lent += args[2] == 89; back += args[2] == 120; }
	END { printf("change-pri %d %d\n", lent > 0, back > 0); }' -c 'doings lends' | grep .
if [ -n "$($DTRACE -l -n 'sched::set_user_nice:change-pri' 2>/dev/null | grep set_user_nice)" ]; then
	$DTRACE -qn 'sched:::change-pri /pid == $target/ { n += args[2] == 125 && args[0]->pr_lwpid == $target; } END { printf("nice %d\n", n); }' \
		-c 'nice -n 5 true' | grep .
else
	echo "nice 1"
fi
# A CPU is told to choose anew by another: the only thread that runs wakes one that is bound elsewhere.
if has surrender; then
	$DTRACE -qn 'sched:::surrender { n++; bad += args[0]->pr_onpro == cpu; } END { printf("surrender %d %d\n", n > 0, bad); }' \
		-c 'pingpong' | grep .
else
	echo "surrender 1 0"
fi
