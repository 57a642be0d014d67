# vminfo: faults of workloads that know how many.
$DTRACE -qn 'vminfo:::as_fault /pid == $target/ { n += arg0; }
	vminfo:::as_fault /pid == $target && arg1 && *args[1] == 0/ { bad++; }
	END { printf("as_fault %d, no count %d\n", n >= 500 && n < 1500, bad); }' \
	-c 'doings faults' | grep .
