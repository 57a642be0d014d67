# Kernel stacks by the kernel's unwinding tables are what bpf_get_stack() returns.
# @@needs: orc
# @@drops: firings? that came while
# @@stderr: ^dtrace: kernel stacks: [0-9]+ by tables \(0 wrong\), [0-9]+ by the kernel$
fail() { echo "$*"; exit 1; }
features=$($DTRACE -Vv)
has() { echo "$features" | grep -q "^$1  *yes"; }

cat >work <<'END'
rm -f made; doings files; doings faults; doings cow; pingpong 100; tcp -c 2; procs
for i in 1 2 3 4; do sleep 0.002; done
dd if=/dev/zero of=/dev/shm/orc.$$ bs=4k count=50 status=none
dd if=/dev/shm/orc.$$ of=/dev/null bs=1k status=none
rm /dev/shm/orc.$$
END

# Keys are short on old kernels.
deep=127
has long_keys || deep=50

# both NAME SHARE LEAST PROBES [OPTIONS [WHAT [COMMAND]]]: so many of 100 stacks come by tables,
# and so many at all, at the least.
both() {
	# shellcheck disable=SC2086 # options are words
	$DTRACE -x kstack=check ${5:-} -qn "$4 /progenyof(\$target)/ { ${6:-@[stack()] = count();
		@few[stack(5)] = count(); @all[stack($deep)] = count();
		@n[caller, stackdepth] = count()}; }" \
		-c "${7:-sh work}" >/dev/null 2>err || fail "$1: $(cat err)"
	# shellcheck disable=SC2046 # numbers
	set -- "$1" "$2" "$3" $(sed -n 's/.*kernel stacks: //p' err | tr -cd '0-9 \n')
	[ $# = 6 ] || fail "$1: $(cat err)"
	[ "$5" = 0 ] || fail "$1: $5 of $4 stacks differ"
	[ "$4" -ge "$3" ] || fail "$1: $4 stacks by tables, $6 by the kernel"
	[ $((100 * $4)) -ge $(($2 * ($4 + $6))) ] || fail "$1: $4 by tables, $6 by the kernel"
	cat err >&2
}

both calls 95 5000 'syscall:::entry,syscall:::return'
both caller 95 500 syscall::getppid: '' '@[caller] = count()' 'calls -n 500'
both depth 95 500 syscall::getppid: '' '@[stackdepth] = count()' 'calls -n 500'
both few 95 500 syscall::getppid: '' '@[stack(1)] = count()' 'calls -n 500'
both sched 60 200 'sched:::on-cpu,sched:::off-cpu,sched:::wakeup'
both events 60 50 'sdt:sched::sched_switch' '' '@[stack(), args->next_pid > 0] = count()'
both memory 60 500 'sdt:kmem::kfree,sdt:kmem::mm_page_alloc'
# the stack is another thread's there, and the kernel refuses it
$DTRACE -ln 'sdt:x86_fpu::' >/dev/null 2>&1 && both switch 0 0 'sdt:x86_fpu::'
both sockets 30 20 'sdt:sock::,sdt:tcp::,sdt:skb::'
if has kprobe; then
	probes=fbt::vfs_read:entry,fbt::vfs_write:entry,fbt::do_exit:entry,fbt::schedule:entry
	probes=$probes,fbt::handle_mm_fault:entry,fbt::hrtimer_nanosleep:entry
	probes=$probes,fbt::tcp_sendmsg:entry
	both kprobes 60 100 "$probes" '-x nofeat=fentry,kprobe_multi'
	! has kprobe_multi || both multi 60 100 "$probes" '-x nofeat=fentry'
	! has fentry || both fentry 60 100 "$probes"
	# functions whose callers return to trampolines
	returns='fbt::ksys_read:return,fbt::ksys_write:return'
	returns=$returns,fbt::vfs_read:entry,fbt::vfs_write:entry
	both trampolines 0 0 "$returns" '-x nofeat=fentry,kprobe_multi'
	both trampolines 0 0 "$returns"
	# trampolines that call the function are jumped to since 7.0
	both returns 0 0 'fbt::vfs_read:return,fbt::vfs_read:entry' '-x nofeat=kprobe_multi'
	# an iterator of tracers is traced
	both iterator 0 0 'fbt::__traceiter_sched_wakeup:entry,sdt:sched::sched_wakeup'
	# a clause of one function's return
	probes='fbt::vfs_read:return'
	! $DTRACE -e -x dump=plan -n "$probes { }" | grep -q 'program 0: fexit' ||
		both fexit 50 100 "$probes"
fi

# What is printed is the same whichever way is taken: the code of a system call is always the same.
ways() {
	$DTRACE -x kstack="$1" -qn 'syscall::getppid:entry,syscall::getppid:return,
		syscall::write:entry,syscall::nanosleep:entry,syscall::clock_nanosleep:return
		/pid == $target/ { @[probefunc, probename, caller, stackdepth, stack(2)] = count();
			@few[stack()] = count();
			@all[stack('$deep')] = count(); }
		syscall::getppid:entry /pid == $target/ { @n[stack(1)] = count(); }' \
		-c 'calls -n 500' >"$1" || fail "$1"
}
ways kernel
ways auto
grep -q ' 500$' auto || fail "counts: $(cat auto)"
cmp kernel auto || fail "$(cat kernel auto)"
