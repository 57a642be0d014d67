# Tables for a process that is not known before its first stack are made at a higher priority, and
# the priority is as before afterwards; not where dtrace was started with a low one.
cat >trace.d <<'D'
#pragma D option quiet
syscall::sched_setattr:entry /pid == $pid/ { printf("%d\n", *(int *)copyin(arg1 + 16, 4)); }
profile-997 /progenyof($target) && arg1/ { @[ustack()] = count(); }
END { trunc(@); }
D
# calls becomes a process of its own: the shell has more to do
set -- -s trace.d -c "sh -c 'calls -s 1; :'"
$DTRACE "$@" >out
sed '/^$/d' out | uniq | head -2 >pair
printf '%s\n' -15 0 | cmp - pair
[ "$(sed '/^$/d' out | tail -1)" = 0 ]
nice -n 5 $DTRACE "$@" >low
[ "$(tr -d '\n' <low)" = '' ]
