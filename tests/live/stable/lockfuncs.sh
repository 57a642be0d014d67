# @@needs: kprobe
# lockstat: locks that are taken without waiting; what is released was acquired.
$DTRACE -qn 'lockstat:::adaptive-acquire /pid == $target/ { n++; held[arg0] = 1; }
	lockstat:::adaptive-release /pid == $target/ { m++; known += held[arg0]; }
	END { printf("mutex %d %d %d\n", n > 0, m > 0, known > 0); }' -c 'doings waits' | grep .
$DTRACE -qn 'lockstat:::rw-acquire /pid == $target/ { n[args[1]]++; held[arg0] = 1; }
	lockstat:::rw-release /pid == $target/ { m[args[1]]++; known += held[arg0]; }
	END { printf("rw %d %d, %d %d, %d\n", n[0] >= 8, n[1] > 0, m[0] >= 8, m[1] > 0,
		known > 8); }' -c 'doings names' | grep .
$DTRACE -qn 'lockstat:::rw-downgrade /pid == $target/ { n++; bad += args[0] == NULL; }
	END { printf("downgrade %d %d\n", n > 0, bad); }' -c 'doings cow' | grep .
$DTRACE -qn 'lockstat:::adaptive-acquire-error /pid == $target/ { n++; why = args[1];
	bad += args[0] == NULL; }
	END { printf("gave up %d, errno %d, bad %d\n", n, why, bad); }' -c 'doings quits' | grep .
