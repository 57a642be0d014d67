# sched: a thread gets its CPU as often as it left it, and the clock ticks while it is there, where
# the kernel shows that.
# @@status: 1
# @@stderr: ^dtrace: failed to match sched:::tick: No probe matches description
# @@stderr: ^dtrace: warning: sched:::tick: this kernel has none of the probes
# @@stderr: ^dtrace: failed to match sched:::remain-cpu: No probe matches
# @@stderr: ^dtrace: warning: sched:::remain-cpu: this kernel has none of the
missing=
has() {
	$DTRACE -l -n "sched:::$1" 2>/dev/null | grep -q "$2" || { missing="$missing $1"; false; }
}
# must WHAT COMMAND...: the command prints this.
must() {
	want=$1
	shift
	got=$("$@" | grep .)
	[ "$got" = "$want" ] || { echo "$got, not $want"; exit 1; }
}
# Priorities: one that is lent, and one that is asked for. A group of cgroup v1 may have no time for
# real-time threads, as that of a container.
realtime=
if chrt -f 1 true 2>/dev/null; then
	realtime=yes
	must 'change-pri 1 1' $DTRACE -qn 'sched:::change-pri /args[1]->pr_pid == $target/ {
		lent += args[2] == 89; back += args[2] == 120; }
		END { printf("change-pri %d %d\n", lent > 0, back > 0); }' -c 'doings lends'
else
	missing=' real-time threads'
fi
if has change-pri set_user_nice; then
	must 'nice 1' $DTRACE -qn 'sched:::change-pri /pid == $target/ {
		n += args[2] == 125 && args[0]->pr_lwpid == $target; }
		END { printf("nice %d\n", n); }' -c 'nice -n 5 true'
fi
if has on-cpu on-cpu; then
	must 'on-cpu 1 1 0' $DTRACE -qn 'sched:::on-cpu /pid == $target/ { on++;
		bad += curlwpsinfo->pr_state != SONPROC; }
	sched:::off-cpu /pid == $target/ { off++; }
	sched::resume: /pid == $target/ { resumed++; }
	END { printf("on-cpu %d %d %d\n", off >= 20 && on >= off - 1 &&
		on <= off + 1, resumed == on, bad); }' -c 'doings sleeps'
fi
if has tick tick; then
	must 'tick 1 0' $DTRACE -qn 'sched:::tick /pid == $target/ { n++;
		bad += args[1]->pr_pid != $target; }
	END { printf("tick %d %d\n", n > 5, bad); }' -c 'doings spins'
fi
# The same thread is chosen again: it does not leave the CPU.
if has remain-cpu remain-cpu; then
	must 'remain-cpu 1' $DTRACE -qn 'sched:::remain-cpu /pid == $target/ { n++; }
		END { printf("remain-cpu %d\n", n > 0); }' \
		-c 'doings yields'
fi
# A CPU asks another to reschedule: that one changed the class of the thread which runs there.
if [ -n "$realtime" ] && [ "$(nproc)" -gt 1 ] && has surrender surrender; then
	must 'surrender 1 0' $DTRACE -qn 'sched:::surrender /pid == $target/ {
		n += args[1]->pr_pid != $target; bad += args[0]->pr_onpro == cpu; }
	END { printf("surrender %d %d\n", n > 0, bad); }' -c 'doings demotes'
fi
echo "not on this kernel:${missing:- nothing}"
