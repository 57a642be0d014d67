# SPDX-License-Identifier: GPL-2.0-or-later
# @@needs: fmod_ret cmd:renice
# return(): the kernel's security_task_setnice() does not run and returns an error, but only where
# the clause says so.
# @@status: 1
# @@stderr: ^dtrace: allowing destructive actions$
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: could not enable tracing: Destructive actions not allowed:
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
# @@stderr: ^dtrace: invalid probe specifier
# @@stderr: ^dtrace: pid [0-9]+ exited with status [0-9]+
fail() { echo "$*"; cat out err; exit 1; }

cat >wants.sh <<'X'
for nice in 3 7 8; do
	renice -n $nice -p $$ >/dev/null 2>>told || echo "$nice: $(sed 's/.*: //' told)"
	rm -f told
done
X
cp "$(command -v renice)" other
# Which process, and with which argument; the other clauses see the same firings, and probes at the
# return the result.
cat >some.d <<'X'
#pragma D option quiet
fbt::security_task_setnice:entry /progenyof($target)/ { self->asks = args->nice;
	@calls[execname] = count(); }
fbt::security_task_setnice:entry /self->asks == 7 && execname == "renice"/ { return(-ENOSPC);
	printf("%s may not\n", execname); }
rawfbt::security_task_setnice:entry /progenyof($target) && arg1 == 7/ { @raw = count(); }
fbt::security_task_setnice:entry /self->asks/ { @after[self->asks, stackdepth > 2] = count(); }
fbt::security_task_setnice:return /self->asks/ { printf("%d: %d\n", self->asks, args[1]);
	self->asks = 0; }
END { printa("%s %@d\n", @calls); printa("raw %@d\n", @raw); printa("%d %d %@d\n", @after); }
X
$DTRACE -w -s some.d -c "sh wants.sh" >out 2>err || fail some.d
[ ! -s err ] || fail "some.d complains"
cat out
# Another program's call runs; so does everybody's when dtrace has ended.
$DTRACE -qwn 'fbt::security_task_setnice:entry /execname == "renice"/ { return(-1); }' \
	-c "./other -n 7 -p $$" >out 2>err || fail "./other"
grep -q 'old priority.*new priority' out || fail "./other did not get its wish"
renice -n 9 -p $$ >out 2>err || fail "renice at last"

# What only the firing knows: an error's number it is, else a fault, and the function runs. The
# last one that is called counts.
wish='fbt::security_task_setnice:entry /progenyof($target)/ { this->v = args->nice - 10;
	if (this->v == -1) return(-ENOSPC); return(this->v); }
	ERROR { printf("fault %d, %d\n", arg4, arg5); }'
for nice in 5 9 10 12; do
	echo "nice $nice"
	$DTRACE -qwn "$wish" -c "renice -n $nice -p $$" >out 2>err || fail "nice $nice"
	grep '^fault' out || :
	sed -n 's/.*(process ID).*: /told: /p; s/.*new priority/runs:/p' out err
done
# In a large program, whose variables are in memory: how many clauses that takes depends on the
# kernel.
large() { # CLAUSES
	echo 'fbt::security_task_setnice:entry /progenyof($target)/ { return(-EXDEV); }'
	i=0
	while [ $i -lt "$1" ]; do
		echo 'fbt::security_task_setnice:entry /progenyof($target)/ { @['$i', execname,
			copyinstr((uintptr_t)curthread->mm->arg_start)] = count(); }'
		i=$((i + 1))
	done
	printf '%s\n' 'END { printa("%d %s %s %@d\n", @); }'
}
for n in 40 80 160; do
	large $n >large.d
	$DTRACE -x dump=ir -qws large.d -c "renice -n 4 -p $$" >out 2>err || fail large.d
	[ "$(grep -c '^[0-9]* renice renice 1$' out)" = $n ] || fail "$n clauses"
	! grep -q '^too large' out || break
done
sed -n 's/^too large.*/large/p' out
sed -n 's/.*(process ID).*: //p' err
# For programs to read; and no more than its own clause's record is lost by a later fault.
$DTRACE -x oformat=json -wn 'fbt::security_task_setnice:entry /progenyof($target)/ {
	trace(args->nice); return(-EXDEV); trace(*(int *)NULL); }
	fbt::security_task_setnice:entry /progenyof($target)/ { trace("next"); }' \
	-c "renice -n 4 -p $$" >out 2>err || fail json
grep -o '"value": *"next"' out | tr -d ' '
sed -n 's/.*(process ID).*: //p' err

# Where it cannot be.
refused() {
	if $DTRACE -e -x errtags -n "$1" >out 2>err; then fail "not refused: $1"; fi
	head -1 err | sed 's/.*: \[/[/; s/__arm64_/__x64_/
		s/: this kernel can make only.*\|: it is neither one.*/: .../'
}
refused 'fbt::security_task_setnice:entry { return(0); }'
refused 'fbt::security_task_setnice:entry { return(1); }'
refused 'fbt::security_task_setnice:entry { return(-4096); }'
refused 'fbt::security_task_setnice:return { return(-1); }'
refused 'sdt:::sched_switch { return(-1); }'
refused 'syscall::uname:entry { return(-1); }'
refused 'syscall::uname:return { return(-1); }'
refused 'fbt::vfs_read:entry, fbt::security_task_setnice:entry { return(-1); }'
refused 'fbt::security_task_free:entry { return(-1); }'
if $DTRACE -qn 'fbt::security_task_setnice:entry { return(-1); }' -c true >out 2>err; then
	fail "without -w"
fi
sed -n '$p' err
