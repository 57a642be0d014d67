# A tracepoint that refuses perf's samples is traced all the same.
[ -e /sys/kernel/tracing/events/irq_vectors/irq_work_exit ] || { echo "no irq_vectors:irq_work_exit"; exit 77; }
$DTRACE -qn 'sdt:irq_vectors::irq_work_exit { @ = count(); } tick-50ms { exit(0); }'
