# lockstat: threads that spin for what others have, who run meanwhile: each kind on the one lock that the workload is about.
# @@drops: of firings that came while programs ran
# @@status: 1
# @@stderr: ^dtrace: failed to match lockstat:::adaptive-spin: No probe matches
# @@stderr: ^dtrace: warning: lockstat:::adaptive-spin: this kernel has none of
[ "$(nproc)" -gt 1 ] || { echo "there is one CPU only"; exit 77; }
has() {
	$DTRACE -ln "lockstat:::$1" >/dev/null 2>&1
}
# must SCRIPT WORKLOAD: it prints "1" for each thing that must be so. On a busy machine the threads may not have run at the same time: "few".
must() {
	for _ in 1 2 3 4 5; do
		got=$($DTRACE -qn "$1" -c "nice -n -10 doings $2" | grep .)
		[ "$got" = few ] || break
	done
	[ "${got#*:}" = ' 1 1 1' ] || { echo "$2: $got"; exit 1; }
	echo "$got"
}
if has spin-spin; then
	must 'int most, of[uintptr_t];
		lockstat:::spin-spin /pid == $target/
		{ n++; of[arg0]++; most = of[arg0] > most ? of[arg0] : most; bad += args[0] == NULL || args[1] == 0 || args[1] > 60000000000; }
		END { n < 4 ? printf("few\n") : printf("spin-spin: 1 %d %d\n", most > n / 2, bad == 0); }' futex
	must 'lockstat:::rw-spin /pid == $target || ppid == $target/
		{ n[args[2]]++; lock[args[2]] = args[0]; bad += args[0] == NULL || args[1] == 0 || args[1] > 60000000000 || args[2] & ~1; }
		END { n[0] && n[1] ? printf("rw-spin: 1 %d %d\n", lock[0] == lock[1], bad == 0) : printf("few\n"); }' groups
fi
if has adaptive-spin; then
	must 'int most, of[uintptr_t];
		lockstat:::adaptive-spin /pid == $target/
		{ n++; of[arg0]++; most = of[arg0] > most ? of[arg0] : most; bad += args[0] == NULL || args[1] == 0 || args[1] > 60000000000; }
		END { n < 4 ? printf("few\n") : printf("adaptive-spin: 1 %d %d\n", most > n / 2, bad == 0); }' crowds
fi
has spin-spin || has adaptive-spin || { echo "this kernel has neither the tracepoints of waits nor functions that can be traced"; exit 77; }
