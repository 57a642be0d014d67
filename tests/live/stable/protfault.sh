# @@needs: file:/sys/kernel/tracing/events/exceptions
# vminfo: faults of protection, where the kernel gives the reason of a fault (not on aarch64).
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
$DTRACE -qn 'vminfo:::prot_fault /pid == $target/ { n += arg0; }
	END { printf("prot_fault %d\n", n >= 50 && n < 500); }' -c 'doings cow' | grep .
# And of addresses of the kernel: those that another dtrace reads, where nothing is.
$DTRACE -qn 'vminfo:::kernel_asflt /pid == $target/ { n += arg0; }
	END { printf("kernel_asflt %d\n", n); }' \
	-c "$DTRACE -qn 'BEGIN { trace(*(int *)0xffff800000000000); }
		BEGIN { trace(*(char *)0xffff800000000000); } BEGIN { exit(0); }'" \
	2>/dev/null | grep .
