# -c and -p: $target, how they end, and what is reported.
# @@status: 1
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: invalid probe specifier
# @@stderr: ^dtrace: pid [0-9]+ exited with status [0-9]+
# @@stderr: ^dtrace: pid [0-9]+ has exited
# @@stderr: ^dtrace: pid [0-9]+ terminated by SIGKILL
$DTRACE -n 'syscall::write:entry /pid == $target/ { @ = sum(arg2); }' \
	-c "sh -c 'echo four; exit 3'" -c false >out 2>err
sed 's/pid [0-9]*/pid N/' err | sort >told
diff - told <<E
dtrace: description 'syscall::write:entry ' matched 1 probe
dtrace: pid N exited with status 1
dtrace: pid N exited with status 3
E
diff - out <<E
four

                5
E
$DTRACE -qn 'syscall:::entry /pid == $target/ { @ = count(); }' -c 'sh -c "kill -9 $$"' 2>err
[ ! -s err ]
$DTRACE -n END -c 'sh -c "kill -9 $$"' 2>err >out
grep -q '^dtrace: pid [0-9]* terminated by SIGKILL$' err
# A running process: traced from now on, until it ends.
(sleep 0.5; exec ls / >/dev/null) &
$DTRACE -n 'syscall::getdents64:entry /pid == $target/ { @ = count(); }' -p $! >out 2>err
grep -q "^dtrace: pid $! has exited\$" err
[ "$(tr -d ' \n' <out)" = 2 ]
# The command does not start before BEGIN is through, nor when there is an error.
$DTRACE -qn 'BEGIN { printf("first\n"); }' -o out2 -c 'touch started'
[ -e started ] && rm started
$DTRACE -qn 'BEGIN { nonsense(); }' -c 'touch started' 2>err && exit 1
sleep 0.1
[ ! -e started ]
