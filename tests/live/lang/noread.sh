# Kernels that let no program read their memory: names of probes are copied without the helper, into the same keys.
for feats in none read_kernel; do
	$DTRACE -x nofeat=$(echo $feats | sed 's/none/ktime_tai/') -qn 'syscall::lseek:entry,syscall::getppid:entry
		/pid == $target/ { @[probefunc, probename] = count(); s = probefunc; @v[s] = sum(arg1); }
		END { e = ""; @e[e] = count(); @e[probefunc] = count(); printf("%d %d\n", e == "", strlen(s)); }' -c 'calls 1 2 3'
	$DTRACE -x nofeat=$(echo $feats | sed "s/none/ktime_tai/") -e -x dump=ir -n 'syscall:::entry { @[pid, cpu, probefunc] = count(); }' | grep -c 'call 11[35]' || true
done 2>/dev/null
