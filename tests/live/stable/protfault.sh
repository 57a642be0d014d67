# @@needs: file:/sys/kernel/tracing/events/exceptions
# vminfo: faults of protection, where the kernel tells why a fault was (not on aarch64).
$DTRACE -qn 'vminfo:::prot_fault /pid == $target/ { n += arg0; } END { printf("prot_fault %d\n", n >= 50 && n < 500); }' -c 'doings cow' | grep .
