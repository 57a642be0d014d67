# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of a service with a log and of logrotate: the unit is valid, and its commands run
# beside logrotate, whose files have each record once.
# @@needs: cmd:logrotate cmd:systemd-analyze
# @@stderr: ^dtrace: script .* matched 1 probe$
unit=$SRC/doc/dtrace-log@.service
fail() { echo "$*"; exit 1; }
sed "s,/usr/sbin/dtrace,$DTRACE_PROGRAM," "$unit" >dtrace-log@x.service
systemd-analyze verify --man=no ./dtrace-log@x.service

# As systemd runs them, with directories of the test.
umask 077
mkdir -p etc log
cat >etc/numbers.d <<'D'
tick-5ms { printf("%d\n", n++); }
END { printf("end\n"); }
D
command_of() {
	sed -n "s,^$1=,,p" "$unit" | sed "s,/usr/sbin/dtrace,exec $DTRACE,; s,%i,numbers,g
		s,/etc/dtrace,$PWD/etc,; s,/var/log/dtrace,$PWD/log,"
}
(eval "$(command_of ExecStart)") &
MAINPID=$!
trap "kill $MAINPID 2>/dev/null || :" EXIT
reload=$(MAINPID=$MAINPID eval "echo $(command_of ExecReload)")
sed "s,/var/log/dtrace,$PWD/log,; s,systemctl reload .*,$reload," "$SRC/doc/dtrace.logrotate" >conf
grep -q "kill -USR1 $MAINPID" conf || fail "$(cat conf)"
logrotate -d -s state conf >said 2>&1 || fail "$(cat said)"
! grep '^error' said || fail "logrotate refuses its file"
for n in 1 2 3; do
	until [ -s log/numbers.log ]; do sleep 0.1; done
	sleep 0.3
	logrotate -f -s state conf >said 2>&1 || fail "$(cat said)"
	for _ in $(seq 50); do [ ! -s log/numbers.log ] || break; sleep 0.1; done
	[ -s log/numbers.log ] || fail "no new file: $(ls log)"
done
kill -TERM $MAINPID
wait $MAINPID || fail "status $?"
[ "$(cd log && echo *)" = 'numbers.log numbers.log.1 numbers.log.2.gz numbers.log.3.gz' ] ||
	fail "$(ls log)"
{
	gzip -dc log/numbers.log.3.gz log/numbers.log.2.gz
	cat log/numbers.log.1 log/numbers.log
} | grep . >all
[ "$(tail -n 1 all)" = end ] || fail "END is not in the log: $(tail -n 3 all)"
sed '$d' all | awk '$1 != NR - 1 { print "line", NR, $1; exit 1 } END { exit NR < 100 }' ||
	fail "records"
