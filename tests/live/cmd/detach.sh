# SPDX-License-Identifier: GPL-2.0-or-later
# Detached sessions: begin, list, read in all formats, stop; what is refused; names; what is left
# by a kill, a reboot, other users.
# @@needs: cmd:unshare
# @@status: 1 2 7
# @@stderr: ^dtrace: (failed to |invalid name|-[aAx] |only one|no probes |tracing |waiting |description |script |error in clause |[a-z.]+ is removed)
. "$FIXTURE/ownmounts"
fail() { echo "$*"; exit 1; }
# says STATUS TEXT COMMAND...: fails so, and prints nothing.
says() {
	status=$1 want=$2
	shift 2
	got=$("$@" 2>&1 >out </dev/null) && rc=0 || rc=$?
	[ "$rc" = "$status" ] || fail "$*: status $rc: $got"
	[ "$got" = "$want" ] || fail "$*: $got"
}
session='syscall::getppid:entry /execname == "dtdetach"/ { @[execname] = count();
	printf("call\n"); }
	END { printf("end\n"); }'
cp "$(command -v calls)" ./dtdetach

# Without a BPF file system: how to mount one.
says 1 'dtrace: failed to begin the detached session anon: no BPF file system is mounted at /sys/fs/bpf; mount one: mount -t bpf bpf /sys/fs/bpf' \
	$DTRACE -qA -n "$session"
mount -t bpf none /sys/fs/bpf
says 0 '' $DTRACE -x detach=list
[ "$(cat out)" = 'NAME                 STATE       PROBES  SINCE' ] || fail "$(cat out)"
says 1 'dtrace: failed to read the detached session anon: there is no detached session of this name (dtrace -x detach=list lists them)' \
	$DTRACE -a
says 1 'dtrace: failed to stop the detached session other: there is no detached session of this name (dtrace -x detach=list lists them)' \
	$DTRACE -x detach=stop other

# A session, and the whole of it: each format, exit status, closed files.
$DTRACE -A -n "$session" 2>err
cat >want <<'END'
dtrace: description 'syscall::getppid:entry ' matched 2 probes
dtrace: tracing goes on as anon: dtrace -a anon reads it, dtrace -x detach=stop anon stops it
END
cmp err want
[ "$(stat -c '%a %u' /run/dtrace /run/dtrace/anon /run/dtrace/anon/totals /sys/fs/bpf/dtrace \
	/sys/fs/bpf/dtrace/anon | sort -u)" = "600 0
700 0" ] || fail 'modes'
./dtdetach -t 1 -n 3
same() { tr -s ' ' <out | sed 's/^ //' | cmp - want || fail "$(cat out)"; }
$DTRACE -x detach=list >out
grep -qx 'anon  *tracing  *1  20[0-9-]* [0-9:]*' out || fail "$(cat out)"
$DTRACE -q -a >out
printf 'call\ncall\ncall\n\n%s %d\n' dtdetach 3 >want
same
$DTRACE -q -x grabanon >out
printf '\n%s %d\n' dtdetach 3 >want
same
./dtdetach -t 1 -n 2
$DTRACE -a -x oformat=json anon >out
[ "$(sed 's/^{"type":"\([a-z]*\)".*/\1/' out |
	tr '\n' ' ')" = 'start record record aggregation exit ' ] || fail "$(cat out)"
grep -q '"rows":\[{"keys":\["dtdetach"\],"value":5}\]' out || fail "$(cat out)"
$DTRACE -a -x oformat=xml >out
tail -1 out | grep -q '^</' || fail "$(cat out)"
$DTRACE -a -x oformat=html -o page
$DTRACE -a -x oformat=html -o page
[ "$(grep -c '^<!DOCTYPE html>$' page)" = 1 ] && [ "$(grep -c '^{"type":"start"' page)" = 1 ] ||
	fail "$(cat page)"
$DTRACE -a -x oformat=csv >out
grep -q ',dtdetach,5$' out || fail "$(cat out)"
$DTRACE -a -x aggpercpu >/dev/null
# The reader's own reader may go: nothing is lost.
./dtdetach -t 1 -n 2
$DTRACE -qa >&- 2>&1 && fail 'written nowhere' || :
{ sleep 1; $DTRACE -qa; } | : # before it has gone, it could still be written to
says 1 'dtrace: failed to begin the detached session anon: a detached session of this name exists: dtrace -a anon reads it, dtrace -x detach=stop anon stops it' \
	$DTRACE -qA -n "$session"
# Sizes of records are the session's.
$DTRACE -qA -x name=two -n 'BEGIN { trace(strjoin("longer ", "than four")); trace(7); }'
[ "$($DTRACE -q -x detach=stop -x strsize=4 two)" = 'longer than four7' ] ||
	fail 'strsize of the reader'
# Others, at the same time.
$DTRACE -qA -x name=two -n "$session"
$DTRACE -qA -x name=a.b-c_d -n "$session"
[ "$($DTRACE -x detach=list | awk '{ print $1, $2 }' |
	tr '\n' ' ')" = 'NAME STATE a.b-c_d tracing anon tracing two tracing ' ] || fail 'list'
$DTRACE -q -x detach=stop a.b-c_d >out
printf 'end\n\n' >want
same
$DTRACE -q -x detach=stop -x name=two >out
$DTRACE -q -x detach=stop >out
printf 'call\ncall\nend\n\n%s %d\n' dtdetach 7 >want
same
[ -z "$(ls -A /run/dtrace)$(ls -A /sys/fs/bpf/dtrace)" ] || fail 'something is left'

# exit() ends tracing, and its status is that of the last reader; a fault has its place.
$DTRACE -qA -n 'syscall::getppid:entry /execname == "dtdetach"/ { trace(*(int *)0x7f0000001000); }
	syscall::getppid:entry /execname == "dtdetach"/ { exit(7); }'
./dtdetach -t 1 -n 3
$DTRACE -qa >out 2>err && fail 'status of exit' || [ $? = 7 ]
grep -Eq "^dtrace: error in clause 1 for probe ID [0-9]+ \(syscall:vmlinux:getppid:entry\): invalid \
address \(0x7f0000001000\) at column [0-9]+ of line 1; that is an address of the process: use" \
	err || fail "$(cat err)"
grep -qx 'dtrace: tracing of anon has ended by exit( ); dtrace -x detach=stop anon stops it' err ||
	fail "$(cat err)"
$DTRACE -q -x detach=stop >out 2>err && fail 'status of exit' || [ $? = 7 ]
# Probes on events, BEGIN that ends tracing, and no output at all.
if $DTRACE -Vv | grep -q '^perf_cookie *yes'; then
	$DTRACE -qA -n 'tick-10ms { @ = count(); } profile-99 { @p = count(); }'
	sleep 0.3
	$DTRACE -qa >out
	[ "$(awk 'NR == 2 { print ($1 > 5) }' out)" = 1 ] || fail "tick: $(cat out)"
	$DTRACE -q -x detach=stop >out
fi
$DTRACE -qA -n 'BEGIN { x = 5; exit(0); } END { trace(x); }'
[ "$($DTRACE -x detach=list | awk 'NR == 2 { print $1, $2 }')" = 'anon ended' ] || fail 'BEGIN ends'
[ "$($DTRACE -q -x detach=stop 2>/dev/null | head -1)" = 5 ] || fail 'BEGIN'
says 0 'dtrace: description '\''BEGIN '\'' matched 1 probe
dtrace: tracing of anon has ended by exit( ): dtrace -x detach=stop anon prints its output' \
	$DTRACE -A -n 'BEGIN { exit(0); }'
# A reader waits for another one, and says so; what it cannot print is not lost.
(flock 9; sleep 2) 9</run/dtrace/anon/lock &
sleep 0.2
$DTRACE -a >/dev/full 2>err && fail 'written nowhere' || :
wait $!
printf '%s\n' 'dtrace: waiting for another dtrace that reads or stops anon' \
	'dtrace: failed to print: No space left on device' |
	cmp - err || fail "$(cat err)"
$DTRACE -q -x detach=stop >out
$DTRACE -qA -s /dev/stdin <<'END'
self int v;
syscall::lseek:entry /execname == "dtdetach"/ { self->v = arg1; last[arg1 & 1] = arg1; }
syscall::lseek:return /self->v/ { @[stack(1)] = sum(self->v); @l = max(last[1]);
	@v = sum(vtimestamp > 0); normalize(@l, 3); self->v = 0; }
END
./dtdetach -t 1 -i -n 10
$DTRACE -qa >out
$DTRACE -q -x detach=stop | grep -qx ' *3' || fail 'max(9) by 3'

# For programs.
$DTRACE -qA -n "$session"
$DTRACE -x detach=list -x oformat=json >out
"$FIXTURE/validate" -l "$SRC/doc/dtrace-output.schema.json" out || fail 'schema'
state='"state":"tracing","probes":1,"since":"20[0-9TZ.:-]*"'
grep -Eqx '\{"type":"session","schema":1,"name":"anon",'"$state"'\}' out || fail "$(cat out)"
# Another user.
if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --clear-groups true 2>/dev/null; then
	why='/run/dtrace: Permission denied: sessions can be used by the user that began them'
	why="$why, as a rule root"
	says 1 "dtrace: failed to list detached sessions: $why" \
		setpriv --reuid=65534 --clear-groups $DTRACE -x detach=list
	[ ! -s out ] || fail "$(cat out)"
fi
$DTRACE -q -x detach=stop >out

# What is hostile or wrong in names and on the command line.
for name in . .. ../x a/b -x .x 'a b' 'a
b' "$(printf '%065d' 0)" 'a;b' '$x' é; do
	$DTRACE -qA -x name="$name" -n "$session" 2>err && fail "name $name" || :
	grep -Eq '^dtrace: (invalid name of a detached session|failed to set -x name): ' err ||
		fail "name $name: $(cat err)"
	[ "$(wc -l <err)" = 1 ] || fail "name $name: $(cat err)"
done
$DTRACE -a ../anon 2>err && fail 'name' || :
grep -q '^dtrace: invalid name of a detached session: "../anon"' err
says 2 'dtrace: -a and -x detach take no program, process or other mode' $DTRACE -a -n BEGIN
says 2 'dtrace: -a and -x detach take no program, process or other mode' \
	$DTRACE -x detach=stop -p $$
says 2 'dtrace: -a reads a detached session: it does not go with -x detach' \
	$DTRACE -a -x detach=list
says 2 'dtrace: only one detached session is read or stopped at a time' $DTRACE -a x y
says 2 'dtrace: -x detach=list takes no name: it lists all detached sessions' \
	$DTRACE -x detach=list x
echo kept >page
says 2 'dtrace: only one detached session is read or stopped at a time' \
	$DTRACE -a -x oformat=html -o page x y
[ "$(cat page)" = kept ] || fail 'a page is emptied for nothing'
says 2 'dtrace: -A prints nothing: use -o with dtrace -a, which prints the records' \
	$DTRACE -A -o x -n BEGIN
says 1 'dtrace: -x name is the name of a detached session: it goes with -A, -a or -x detach' \
	$DTRACE -qx name=x -n BEGIN
says 1 'dtrace: no probes specified: the name of a detached session is given by -x name=x' \
	$DTRACE -A x
says 2 'dtrace: -x test needs no kernel: it does not go with -A' $DTRACE -A -x test=x -n BEGIN
says 1 'dtrace: failed to set -x detach: Invalid value for specified option: detach is one of list stop' \
	$DTRACE -x detach=end

# What needs a dtrace that runs.
refused() {
	why=$1
	shift
	says 1 "dtrace: failed to detach: $why" $DTRACE -qA "$@"
}
refused '-c, -p and -W: dtrace resumes the processes when it ends' \
	-c true -n 'syscall::read:entry { @ = count(); }'
refused '-c, -p and -W: dtrace resumes the processes when it ends' \
	-p $$ -n 'syscall::read:entry { @ = count(); }'
refused '-Z: dtrace must be running to attach to files that are mapped later' \
	-Z -n 'pid*:nosuch.so:f:entry { @ = count(); }'
# Before it waits for a process.
refused '-c, -p and -W: dtrace resumes the processes when it ends' -W nosuchprocess \
	-n 'syscall::read:entry { @ = count(); }'
refused '-Z: no probe matches, and none is attached later' -Z -n 'nosuch:::x { @ = count(); }'
printf 'tick-1s\n{\n\t@ = count();\n\tprinta(@);\n}\n' >place.d
refused 'printa( ) outside of END at place.d:4:2: a reader would print the totals of its own time' \
	-s place.d
refused 'dtrace:::SIGUSR1: it fires in a running dtrace' -n 'dtrace:::SIGUSR1 { @ = count(); }'
refused 'dtrace:::ERROR: it fires in a running dtrace' -n 'ERROR { @ = count(); }'
where='outside of END at column 24 of line 1'
refused "printa( ) $where: a reader would print the totals of its own time" \
	-n 'tick-1s { @ = count(); printa(@); }'
refused "clear( ) $where: a reader would clear what was counted since" \
	-n 'tick-1s { @ = count(); clear(@); }'
where='outside of END at column 29 of line 1'
refused "trunc( ) $where: a reader would remove what was counted since" \
	-n 'tick-1s { @[pid] = count(); trunc(@, 3); }'
refused 'setopt( ) outside of END at column 9 of line 1: each reader has options of its own (-x)' \
	-n 'BEGIN { setopt("quiet"); }'
refused 'system( ) at column 7 of line 1: no dtrace is running to run the command' \
	-wn 'END { system("true"); }'
refused 'freopen( ) at column 7 of line 1: no dtrace is running to open the file' \
	-wn 'END { freopen("x"); }'
refused 'ftruncate( ) at column 7 of line 1: no dtrace is running to truncate the file' \
	-n 'END { ftruncate(); }'
refused 'speculate( ) at column 44 of line 1: no dtrace is running to keep its records' \
	-n 'BEGIN { self->s = speculation(); } BEGIN { speculate(self->s); trace(1); }'
refused 'speculations: no dtrace is running to keep their records' -n 'BEGIN { commit(1); }'
refused '-x record: readers cannot record' -x record=file -n "$session"
refused 'metrics: no dtrace is running to serve or write them' -x oformat=openmetrics \
	-n 'tick-1s { @ = count(); }'
refused '-x bufpolicy=ring: the kernel'\''s buffer keeps the oldest records; use fill' \
	-x bufpolicy=ring -n "$session"
refused 'statistics of the system: a running dtrace must refresh them' \
	-n 'tick-1s { trace(`freemem); }'
why='this kernel keeps such a probe only while dtrace runs'
why="$why (Linux 5.15 and later have links for perf events)"
refused "profile:::tick-1s: $why" \
	-x nofeat=perf_cookie -n 'tick-1s { @ = count(); }'
[ ! -e file ]
$DTRACE -qA -x bufpolicy=fill -x bufsize=64k -n "$session"
says 1 'dtrace: failed to read the detached session anon: readers neither record nor have metrics' \
	$DTRACE -a -x record=file

# Incomplete, as of a dtrace -A that was killed: the next one of the name replaces it. Of another
# boot: the same. Unpinned: it is not replaced, as its programs may run.
rm /run/dtrace/anon/session
[ "$($DTRACE -x detach=list | awk 'NR == 2 { print $1, $2, $3, $4 }')" = 'anon incomplete - -' ] ||
	fail 'incomplete'
says 1 'dtrace: failed to read the detached session anon: it is incomplete: the dtrace that began or stopped it was killed; dtrace -x detach=stop anon removes it' \
	$DTRACE -a
$DTRACE -qA -n "$session"
sed -i 's/ [0-9a-f-]* / 00000000-0000-0000-0000-000000000000 /' /run/dtrace/anon/session
$DTRACE -x detach=list | grep -q '^anon  *stale' || fail 'stale'
says 1 'dtrace: failed to read the detached session anon: the system has been restarted since; dtrace -x detach=stop anon removes it' \
	$DTRACE -a
$DTRACE -qA -n "$session"
mv /sys/fs/bpf/dtrace/anon /sys/fs/bpf/dtrace/moved
$DTRACE -x detach=list | grep -q '^anon  *unpinned' || fail 'unpinned'
says 1 'dtrace: failed to begin the detached session anon: a detached session of this name exists: dtrace -a anon reads it, dtrace -x detach=stop anon stops it' \
	$DTRACE -qA -n "$session"
says 0 'dtrace: anon is removed, without its output: its programs are not in /sys/fs/bpf, which was mounted again or is another one' \
	$DTRACE -x detach=stop
rm -r /sys/fs/bpf/dtrace/moved
# Damaged files.
for file in description position totals; do
	$DTRACE -qA -n "$session"
	head -c 9 /run/dtrace/anon/$file >short
	cat short >/run/dtrace/anon/$file
	$DTRACE -a 2>err && fail "damaged $file" || :
	grep -q "^dtrace: failed to read the detached session anon: its $file \(is\|are\) damaged" \
		err || fail "$(cat err)"
	rm /run/dtrace/anon/session
	$DTRACE -q -x detach=stop 2>/dev/null
done
# Directories that others can use.
chmod 755 /run/dtrace
says 1 'dtrace: failed to begin the detached session anon: /run/dtrace is not a directory that only its owner, the user of dtrace, can use (mode 700)' \
	$DTRACE -qA -n "$session"
says 1 'dtrace: failed to read the detached session anon: /run/dtrace is not a directory that only its owner, the user of dtrace, can use (mode 700)' \
	$DTRACE -a
chmod 700 /run/dtrace
chown 1 /sys/fs/bpf/dtrace
says 1 'dtrace: failed to begin the detached session anon: /sys/fs/bpf/dtrace is not a directory that only its owner, the user of dtrace, can use (mode 700)' \
	$DTRACE -qA -n "$session"
chown 0 /sys/fs/bpf/dtrace
rmdir /run/dtrace
ln -s /tmp /run/dtrace
$DTRACE -qA -n "$session" 2>err && fail 'a link' || :
grep -q '^dtrace: failed to begin the detached session anon: /run/dtrace: ' err || fail "$(cat err)"
