# sysinfo: a CPU has another one do something.
[ "$(nproc)" -gt 1 ] || { echo "there is one CPU only"; exit 77; }
$DTRACE -qn 'sysinfo:::xcalls /pid == $target/ { n += arg0; }
	END { printf("xcalls %d\n", n > 0); }' -c 'doings calls' | grep .
# And threads get another one.
$DTRACE -qn 'sysinfo:::cpumigrate /pid == $target/ { n += arg0; }
	END { printf("cpumigrate %d\n", n >= 20); }' -c 'doings moves' | grep .
