# cpc: software events, which every machine has, of workloads that know how many.
# @@status: 1
$DTRACE -qn 'cpc:::page_faults-user-1 /pid == $target/ { n++; k += arg0 != 0; u += arg1 != 0; }
	cpc:::page-faults-all-100 /pid == $target/ { hundreds++; }
	cpc:::minor_faults-all-1 /pid == $target/ { minor++; }
	END { printf("faults %d %d, in user code %d %d\n", n >= 500 && n < 1500, minor >= 500 &&
		minor < 1500, u == n, k);
		printf("hundreds %d\n", hundreds >= 4 && hundreds < 20); }' \
	-c 'doings faults' | grep .
$DTRACE -qn 'cpc:::context_switches-all-1 /pid == $target/ { n++; }
	END { printf("switches %d\n", n >= 20); }' -c 'doings sleeps' | grep .
$DTRACE -qn 'cpc:::cpu_clock-all-1000000 /pid == $target/ { n++; }
	END { printf("clock %d\n", n > 20); }' -c 'doings spins' | grep .
$DTRACE -l -P cpc | grep -c 'context_switches-all-1000$'
refused() {
	$DTRACE -n "$1" -c true 2>&1 | sed 's/.*any probes: //'
}
refused cpc:::page_faults-1000
refused cpc:::no_such_thing-all-1000
refused cpc:::cpu_clock-all-10
refused cpc:::PAPI_tot_cyc-all-10
