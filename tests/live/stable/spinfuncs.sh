# @@needs: kprobe
# lockstat: spin locks that are taken without waiting; what is released was acquired.
# @@drops: ^dtrace: [0-9]+ drops of firings that came while programs ran on
grep -q ' [Tt] _raw_spin_lock$' /proc/kallsyms || {
	echo "this kernel's spin locks are no functions"
	exit 77
}
$DTRACE -qn 'lockstat:::spin-acquire /pid == $target/ { n++; held[arg0] = 1; }
	lockstat:::spin-acquire /pid == $target/ { again++; }
	lockstat:::spin-release /pid == $target/ { m++; known += held[arg0]; }
	END { printf("spin %d %d %d; in two clauses %d\n", n > 100, m > 20, known > 10,
		again == n); }' -c 'doings names' | grep .
