# Variables of other systems' kernels, against what the system says of itself.
$DTRACE -qn 'BEGIN { printf("%s\n%s\n%s\n%s\n%s\n", `utsname.sysname, `utsname.nodename,
	`utsname.release, `utsname.version,
	`utsname.machine); printf("%s\n", `platform); exit(0); }' >got
{ uname -s; uname -n; uname -r; uname -v; uname -m; uname -m; echo; } >want
cmp got want
$DTRACE -qn 'BEGIN { printf("%d %d %d\n", `_pagesize, `ncpus_online, unix`physmem); exit(0); }' >got
{ echo "$(getconf PAGESIZE) $(getconf _NPROCESSORS_ONLN) $(getconf _PHYS_PAGES)"; echo; } >want
cmp got want
# Load averages have 16 fractional bits; between two looks they change little.
$DTRACE -qn 'BEGIN { one = 1; printf("%d %d\n", (`hp_avenrun[0] * 100) >> 16,
	(`hp_avenrun[one + 1] * 100) >> 16); exit(0); }' >got
read -r one fifteen <got
awk -v one="$one" -v fifteen="$fifteen" 'function near(a, b) { return a - b < 200 && b - a < 200 }
	{ exit !(near(one, $1 * 100) && near(fifteen, $3 * 100)) }' /proc/loadavg
# Pages: not more free than there are.
$DTRACE -qn 'BEGIN { printf("%d %d %d\n", `freemem > 0 && `freemem < `physmem,
	`availrmem <= `physmem, `k_anoninfo.ani_max >= `k_anoninfo.ani_phys_resv); exit(0); }'
# They are kept up to date: there are more processes by and by.
sh -c 'until [ -e done ]; do sleep 0.1; done' & loop=$!
$DTRACE -qn 'BEGIN { first = `mpid; } tick-100ms /`mpid != first/ { printf("another\n"); exit(0); }'
touch done
wait $loop
