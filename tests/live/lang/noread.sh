# Kernels that let no program read their memory: names of probes are copied without the helper,
# into the same keys.
reads() { # OPTIONS...: calls of probe_read_kernel() and probe_read_kernel_str()
	$DTRACE "$@" -e -x dump=ir -n 'syscall:::entry { @[pid, cpu, probefunc] = count(); }' \
		2>/dev/null | grep -c 'call 11[35]' || :
}
for feats in ktime_tai read_kernel; do
	$DTRACE -x nofeat=$feats -qn 'syscall::lseek:entry,syscall::getppid:entry
		/pid == $target/ { @[probefunc, probename] = count(); s = probefunc;
			@v[s] = sum(arg1); }
		END { e = ""; @e[e] = count(); @e[probefunc] = count();
			printf("%d %d\n", e == "", strlen(s)); }' -c 'calls 1 2 3'
done 2>/dev/null
echo "fewer: $(($(reads -x nofeat=ktime_tai) - $(reads -x nofeat=read_kernel)))"
