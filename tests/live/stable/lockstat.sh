# lockstat: a mutex that is waited for as long as the workload says, and semaphores for reading and
# writing that threads want while another one reads.
doings waits 2>/dev/null || {
	echo "this kernel lets no program answer page faults (userfaultfd)"
	exit 77
}
$DTRACE -qn 'lockstat:::adaptive-block /pid == $target && args[1] >= 20000000/ { n++;
	slow += args[1] > 60000000000; lock = args[0]; }
	sysinfo:::mutex_adenters /pid == $target/ { tried += arg0; }
	END { printf("mutex %d %d %d, too long %d\n", n, tried >= n, lock != NULL, slow); }' \
	-c 'doings waits' | grep .
$DTRACE -qn 'lockstat:::rw-block /pid == $target/ { n[args[2]]++;
	bad += args[0] == NULL || args[1] == 0 || args[2] & ~1 || args[3] & ~1 || args[4] < 0;
	behind[args[2]] += args[3] == 0 && args[4] == 1; }
	sysinfo:::rw_wrfails, sysinfo:::rw_rdfails /pid == $target/ {
		tried[probename == "rw_rdfails"] += arg0; }
	END { printf("rw %d %d, bad %d, behind one reader %d %d\n", n[0] > 0 && tried[0] > 0,
		n[1] > 0 && tried[1] > 0, bad, behind[RW_WRITER] > 0, behind[RW_READER] > 0);
	}' -c 'doings shares' | grep .
