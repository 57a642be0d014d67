# sysinfo: a CPU has another one do something.
[ "$(nproc)" -gt 1 ] || { echo "there is one CPU only"; exit 77; }
$DTRACE -qn 'sysinfo:::xcalls /pid == $target/ { n += arg0; } END { printf("xcalls %d\n", n > 0); }' -c 'doings calls' | grep .
