# lockstat: threads that spin for locks of running threads: each kind on the one lock that the
# workload is about.
# @@drops: of firings that came while programs ran
# @@status: 1
# @@stderr: ^dtrace: failed to match lockstat:::adaptive-spin: No probe matches
# @@stderr: ^dtrace: warning: lockstat:::adaptive-spin: this kernel has none of
[ "$(nproc)" -gt 1 ] || { echo "there is one CPU only"; exit 77; }
has() {
	$DTRACE -ln "lockstat:::$1" >/dev/null 2>&1
}
# queued WORKLOAD: whether the kernel reports that one of its threads spins. On two CPUs none does
# where the locks of the hypervisor are not used: one thread has the lock, the other waits without
# a queue.
queued() {
	instance=/sys/kernel/tracing/instances/dt-spins
	mkdir $instance
	echo 'comm == "doings"' >$instance/events/lock/contention_begin/filter
	echo 1 >$instance/events/lock/contention_begin/enable
	nice -n -10 doings "$1"
	echo 0 >$instance/events/lock/contention_begin/enable
	n=$(grep -c 'flags=SPIN$' $instance/trace) || :
	rmdir $instance
	[ "$n" -gt 3 ]
}
# must SCRIPT WORKLOAD: it prints "1" for each thing that must be so. On a busy machine the threads
# may not have run at the same time: "few".
must() {
	for _ in 1 2 3 4 5; do
		got=$($DTRACE -qn "$1" -c "nice -n -10 doings $2" | grep .)
		[ "$got" = few ] || break
	done
	if [ "$got" = few ] && has spin-spin && ! queued "$2"; then
		missing="${missing:-}$2 "
		return
	fi
	[ "${got#*:}" = ' 1 1 1' ] || { echo "$2: $got"; exit 1; }
}
if has spin-spin; then
	must 'int most, of[uintptr_t];
		lockstat:::spin-spin /pid == $target/
		{ n++; of[arg0]++; most = of[arg0] > most ? of[arg0] : most;
			bad += args[0] == NULL || args[1] == 0 || args[1] > 60000000000; }
		END { n < 4 ? printf("few\n") :
			printf("spin-spin: 1 %d %d\n", most > n / 2, bad == 0); }' futex
	must 'lockstat:::rw-spin /pid == $target || ppid == $target/
		{ n[args[2]]++; lock[args[2]] = args[0]; bad += args[0] == NULL || args[1] == 0 ||
			args[1] > 60000000000 || args[2] & ~1; }
		END { n[0] && n[1] ? printf("rw-spin: 1 %d %d\n", lock[0] == lock[1], bad == 0) :
			printf("few\n"); }' groups
fi
if has adaptive-spin; then
	must 'int most, of[uintptr_t];
		lockstat:::adaptive-spin /pid == $target/
		{ n++; of[arg0]++; most = of[arg0] > most ? of[arg0] : most;
			bad += args[0] == NULL || args[1] == 0 || args[1] > 60000000000; }
		END { n < 4 ? printf("few\n") :
			printf("adaptive-spin: 1 %d %d\n", most > n / 2, bad == 0); }' crowds
fi
has spin-spin || has adaptive-spin || {
	echo "this kernel has neither the tracepoints of waits nor functions that can be traced"
	exit 77
}
[ -z "${missing:-}" ] || { echo "no thread waits in a lock's queue here: $missing"; exit 77; }
