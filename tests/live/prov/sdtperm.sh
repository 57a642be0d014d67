# A tracepoint that refuses perf's samples is traced all the same.
[ -e /sys/kernel/tracing/events/irq_vectors/irq_work_exit ] || {
	echo "no irq_vectors:irq_work_exit"
	exit 77
}
# The kernel wakes the reader of a ring buffer by such work, so each record is followed by one.
$DTRACE -qn 'sdt:irq_vectors::irq_work_exit { @ = count(); } tick-10ms { trace("x"); }
	tick-10ms /n++ == 10/ { exit(0); }
	END { printa("\n%@d", @); }' >out
[ "$(tail -n 1 out)" -ge 1 ]
