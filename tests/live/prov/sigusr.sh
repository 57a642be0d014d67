# SPDX-License-Identifier: GPL-2.0-or-later
# SIGUSR1 and SIGUSR2: probes for signals that dtrace gets.
# @@status: 7 signal
until_out() {
	until grep -q "$1" out; do sleep 0.05; done
}
: >out
$DTRACE -qn 'BEGIN { printf("begin\n"); @["key"] = sum(3); }
	SIGUSR1 { printf("usr1 %d %d %s\n", arg0 == $1, arg1, probename);
		printa("%s %@d\n", @); clear(@); }
	dtrace:::SIGUSR1 /++n == 2/ { printf("twice\n"); }
	SIGUSR2 { printf("usr2\n"); exit(7); printf("with its clause\n"); }
	SIGUSR2 { printf("never\n"); }
	END { printf("end\n"); }' $$ >out 2>err &
dtrace=$!
until_out begin
kill -USR1 $dtrace
until_out 'key 3'
kill -USR1 $dtrace
until_out twice
kill -USR2 $dtrace
status=0
wait $dtrace || status=$?
echo "status $status"
cat out err
# What the script has no probe for ends dtrace.
: >out
$DTRACE -qn 'BEGIN { printf("begin\n"); } SIGUSR2 { printf("no\n"); }' >out 2>err &
dtrace=$!
until_out begin
kill -USR1 $dtrace
status=0
wait $dtrace 2>/dev/null || status=$?
echo "status $status"
# One that comes before the loop is met in it; commands of system() have nothing blocked.
$DTRACE -wqn 'BEGIN { system("kill -USR1 %d; grep SigBlk /proc/self/status", $pid); }
	SIGUSR1 { printf("met\n"); exit(0); }' 2>&1
# Not once per signal that is sent, but as often as dtrace comes to it.
$DTRACE -qn 'BEGIN { printf("begin\n"); } SIGUSR1 { @ = count(); }
	END { printa("%@d\n", @); }' -c "perl -e '
	kill(\"USR1\", getppid()) for 1 .. 1000; select(undef, undef, undef, 0.3);'" >out 2>err
n=$(sed -n 2p out)
[ "$n" -ge 1 ] && [ "$n" -le 1000 ]
