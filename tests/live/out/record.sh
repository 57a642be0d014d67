# SPDX-License-Identifier: GPL-2.0-or-later
# Recordings print the same as the session that recorded them, without rights, in each format.
# @@status: 0 1 2 3 signal
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: error in clause
# @@stderr: ^dtrace: replay does not carry out system
# @@stderr: ^dtrace: the recording .* (is damaged|is not complete)
# @@stderr: ^dtrace: failed to (replay|record to|set -x record)
# @@stderr: ^dtrace: -x replay prints a recording
# @@stderr: ^usage
# @@stderr: ^dtrace: invalid probe specifier .* Option cannot be used from within a D program$
# @@stderr: ^dtrace: pid [0-9]+ has exited
# @@stderr: ^dtrace: srclines: source lines are unavailable
# @@drops: ^dtrace: [0-9]+ failed speculation
# @@stderr: ^dtrace: [0-9]+ failed speculation \(no speculative buffer

cat >values.d <<'D'
#pragma D option nspec=2
enum colour { RED, GREEN };
BEGIN
{
	printf("%Y %s %v\n", walltimestamp, execname, (enum colour)1);
	print(curthread->mm->mmap_lock);
	print((enum colour)1);
	printf("%a %P %I\n", (uintptr_t)curthread->sched_class, 80, "127.0.0.1");
	stack();
	ustack();
	trace(cgroup_path(cgroup));
	tracemem(curthread, 32);
	a = speculation();
	b = speculation();
	c = speculation();
}
BEGIN { speculate(a); printf("speculated\n"); }
BEGIN { speculate(b); printf("discarded\n"); }
BEGIN { commit(a); }
BEGIN { discard(b); }
BEGIN { trace(*(int *)0); }
ERROR { printf("fault %d\n", arg4); }
tick-20ms { @ticks["tick", cpu] = count(); @spread = quantize(++n); @lin = lquantize(n, 0, 20, 2); }
tick-100ms { printa("%s %d: %@d\n", @ticks); printa(@spread); clear(@spread);
	normalize(@ticks, 2); }
tick-250ms { setopt("quiet"); trace(1); }
tick-400ms { exit(3); }
END { trunc(@lin, 1); printf("end\n"); }
D
cat >stacks.d <<'D'
#pragma D option quiet
syscall::read:entry /pid == $target/ { @[stack(4), ustack(3), execname] = count();
	@f[func(caller)] = sum(1); }
syscall::read:entry /pid == $target/ { @u[ufunc(ucaller), umod(ucaller)] = avg(arg2);
	@c[cgroup_path(cgroup)] = max(arg2); }
tick-100ms { printa(@u); clear(@u); }
END { printa(@f); }
D
cat >folded.d <<'D'
syscall::read:entry /pid == $target/ { @[stack(4), ustack(3), execname] = count(); }
D
cat >joined.d <<'D'
#pragma D option quiet
BEGIN
{
	@pid[pid] = sum(1);
	@arg[arg0] = sum(2);
	@letter[(char)65] = sum(3);
	@letter_number[65] = sum(4);
	@letter_number[1000] = sum(5);
	@exec[execname] = sum(6);
	@name["dtrace"] = sum(7);
	@two[stack(2)] = sum(8);
	@five[stack(5)] = sum(9);
	@thread[curthread] = sum(10);
	@address[(long)curthread] = sum(11);
	printa(@pid, @arg);
	printa("%d %@d %@d\n", @arg, @pid);
	printa("%c %@d %@d\n", @letter, @letter_number);
	printa(@letter_number, @letter);
	printa("%s %@d %@d\n", @exec, @name);
	printa("%k %@d %@d\n", @two, @five);
	printa("%a %@d %@d\n", @thread, @address);
	printa("%x %@d %@d\n", @address, @thread);
	@widened[(short)1] = sum(12);
	printa("%hd %@d\n", @widened);
	@widened[100000L] = sum(13);
	@char[(char)66] = sum(14);
	printa("%c %@d\n", @char);
	@char[(void *)67] = sum(15);
	exit(0);
}
D
cat >flow.d <<'D'
#pragma D option flowindent
syscall:::entry /pid == $target/ { trace(timestamp); }
syscall:::return /pid == $target/ { }
D
cat >ring.d <<'D'
#pragma D option bufpolicy=ring
#pragma D option bufsize=4k
syscall:::entry /pid == $target/ { printf("%s", probefunc); }
D

nobody() {
	setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
}
# As the live session, what an unprivileged replay prints: NAME STATUS FORMATS OPTIONS...
same() {
	name=$1 status=$2 formats=$3
	shift 3
	for format in $formats; do
		rm -f recording
		live=0 again=0
		$DTRACE -x record=recording -x recordprint -x oformat=$format "$@" \
			-s "$name.d" >live 2>live.err || live=$?
		[ "$(stat -c %a recording)" = 600 ]
		chmod 644 recording
		nobody $DTRACE -x replay=recording >again 2>again.err || again=$?
		if ! cmp live again || [ "$live $again" != "$status $status" ]; then
			echo "$name, $format: status $live, replayed $again"
			diff live again | head -5
			exit 1
		fi
	done
}
chmod 755 .
same values 3 'text json xml perfetto html'
grep -q 'invalid address' again.err
grep -q 'failed speculation' again.err
same stacks 0 'text csv' -c 'dd if=/dev/zero of=/dev/null bs=64 count=200 status=none'
same folded 0 'folded svg text' -c 'dd if=/dev/zero of=/dev/null bs=64 count=200 status=none'
same joined 0 'text json xml csv html'
same flow 0 'text json perfetto' -c 'cat /dev/null'
same ring 0 text -c 'cat /dev/null'

# Warnings that do not come from the records are in the recording.
$DTRACE -qx record=warned -x srclines -x addr2linepath=/absent -c 'calls -n 1' \
	-n 'syscall::getppid:entry /pid == $target/ { ustack(); }'
$DTRACE -x replay=warned -x oformat=json >again 2>again.err
grep -q '"type":"warning".*source lines are unavailable: /absent' again
grep -q 'source lines are unavailable: /absent' again.err

# Nothing is printed while it is only recorded, and the same is in the recording.
$DTRACE -x record=silent -s values.d >silent.out 2>err || [ $? = 3 ]
[ ! -s silent.out ]
$DTRACE -x replay=silent >silent.text 2>>err || [ $? = 3 ]
grep -q '^              vmlinux`' silent.text
grep -q '^              libc.so.*`' silent.text
grep -q '^struct rw_semaphore {' silent.text
[ "$(grep -c '^end$' silent.text)" = 1 ]
[ "$(grep -c 'speculated' silent.text)" = 1 ]
if grep 'discarded' silent.text; then exit 1; fi
$DTRACE -x replay=silent -x oformat=json >silent.json 2>>err || [ $? = 3 ]
head -1 silent.json | grep -q '"type":"start"'
[ "$(grep -c '"type":"error"' silent.json)" = 1 ]

# With -x flowthread, a clause that only counts has no thread, as it has no record.
$DTRACE -x record=threads -x flowthread \
	-qn 'syscall::getppid:entry /pid == $target/ { @ = count(); }' -c 'calls -n 3' 2>>err
[ "$($DTRACE -x replay=threads | tr -d ' \n')" = 3 ]

# Times are of the zone that was recorded.
TZ=Asia/Tokyo $DTRACE -q -x record=zone -x recordprint \
	-n 'BEGIN { printf("%Y %T", walltimestamp, walltimestamp); exit(0); }' >zone.live
TZ=America/New_York $DTRACE -q -x replay=zone | cmp - zone.live

# A file that exists stays; a script may not name one; nothing else is done with a recording.
if $DTRACE -x record=silent -n BEGIN 2>err; then exit 1; fi
grep -q 'the file exists; remove it or name another' err
if $DTRACE -q -n '#pragma D option record=other
	BEGIN { exit(0); }' 2>/dev/null; then exit 1; fi
[ ! -e other ]
if $DTRACE -x replay=silent -n BEGIN 2>err; then exit 1; fi
grep -q 'takes no program' err
if $DTRACE -x replay=/dev/null 2>err; then exit 1; fi
grep -q 'failed to replay /dev/null: not a regular file' err
if $DTRACE -x record=metrics -x oformat=openmetrics -n 'tick-1s { @ = count(); }' 2>err; then
	exit 1
fi
grep -q 'are not recorded' err
[ ! -e metrics ]

# Actions on the world happen while it is recorded, and not again.
$DTRACE -qw -x record=world \
	-n 'BEGIN { system("echo x >>made"); freopen("sent"); printf("y"); ftruncate(); exit(0); }'
[ "$(cat made)" = x ]
$DTRACE -q -x replay=world >world.out 2>err
[ "$(cat made)" = x ] && [ ! -e sent ] && [ "$(cat world.out)" = y ]
[ "$(grep -c 'replay does not carry out' err)" = 1 ]

# A session that is killed leaves what came; a cut file prints its beginning, a damaged one the
# rest.
$DTRACE -q -x record=killed -n 'BEGIN { printf("begun\n"); }
	tick-100ms { printf("tick %d\n", ++n); }' &
sleep 3
kill -KILL $!
{ wait $!; } 2>/dev/null || :
if $DTRACE -x replay=killed >killed.out 2>err; then exit 1; fi
grep -q 'is not complete' err
grep -q '^begun$' killed.out
grep -q '^tick 5$' killed.out
head -c $(($(stat -c %s silent) / 2)) silent >cut
if $DTRACE -x replay=cut >cut.out 2>err; then exit 1; fi
cp silent spoilt
printf X | dd of=spoilt bs=1 seek=$(($(stat -c %s silent) - 200)) conv=notrunc status=none
if $DTRACE -x replay=spoilt >spoilt.out 2>err; then exit 1; fi
grep -q 'is damaged' err
[ "$(wc -l <spoilt.out)" -gt 20 ]
"$BUILD/tests/fuzz/fuzz_recording" -n 40 silent
