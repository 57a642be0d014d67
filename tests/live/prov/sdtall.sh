# Every tracepoint can be enabled, those too which refuse perf's samples.
$DTRACE -qn 'sdt::: { @ = count(); } tick-100ms { exit(0); }' >out 2>err
awk 'NF { n = $1 } END { exit !(n > 0) }' out
! grep "failed to enable" err
