# raise() and stop() reach the process that fires the probe.
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
echo '$SIG{USR2} = sub { print "usr2 " }; getppid(); print "on\n";' >usr2.pl
$DTRACE -wq -n 'syscall::getppid:entry /pid == $target/ { raise(12); }' -c 'perl usr2.pl' >out 2>err
[ "$(sed -n 1p out)" = 'usr2 on' ] || { cat out err; exit 1; }
$DTRACE -wq -n 'syscall::getppid:entry /pid == $target/ { stop();
	system("while ! grep -q ^State.*stopped /proc/%d/status; do :; done", pid);
	system("echo stopped; kill -CONT %d", pid); }' \
	-c 'perl -e "getppid(); print qq(on\n);"' >out 2>err
printf 'stopped\non\n\n' | diff - out
$DTRACE -wq -n 'syscall::getppid:entry /pid == $target/ { raise(65); printf("never\n"); }
	ERROR { printf("%d\n", arg4); }' \
	-c 'perl -e getppid' >out 2>err
printf '3\n\n' | diff - out
grep -q 'illegal operation (65)' err
