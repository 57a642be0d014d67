# -x tool runs a script with everything that -s gives one: arguments, -c, -p, other options,
# pragmas, $0; tests/tools has what needs no root.
# @@status: 1 3
# @@stderr: ^dtrace: failed to compile script
# @@stderr: ^dtrace: script .*/mine.d' matched 1 probe$
tools="-x toolpath=$SRC/tools"
$DTRACE $tools -x tool=opensnoop -c 'cat /etc/passwd /no/such/file' >>out 2>err || :
grep -q ' cat  *3  *0 0x[0-9a-f]*  */etc/passwd$' out
rm out
$DTRACE -x tool=opensnoop nothing $tools -c 'cat /etc/passwd' >>out 2>err
! grep -q passwd out || exit 1
grep -q '^ *UID  *PID' out
# options of dtrace, and a file for its output
$DTRACE $tools -x tool=syscalls -x oformat=json -o json -c 'cat /etc/passwd' >out
grep -q '"type":"record"' json
! grep -q '"type"' out || exit 1
sleep 30 &
sleeper=$!
( sleep 1; kill $sleeper ) &
$DTRACE $tools -x tool=killsnoop -p $sleeper >out
wait
# -e and -l as with -s
$DTRACE $tools -e -x tool=execsnoop
$DTRACE $tools -l -x tool=execsnoop | grep -q 'exec-success$'
# Its own arguments: $0, and the usage when one is missing.
mkdir tools
cat >tools/mine.d <<'D'
#!/usr/sbin/dtrace -s
/*
 * mine: prints its arguments
 *
 * Usage: dtrace -x tool=mine WORD
 */
BEGIN { printf("%s %s %d\n", $$0, $$1, $target != 0); exit(3); }
D
set +e
$DTRACE -q -x toolpath=tools -x tool=mine word >out; status=$?
$DTRACE -x toolpath=tools -x tool=mine >none 2>err; missing=$?
set -e
[ $missing = 1 ] && [ $status = 3 ] || { echo "status $status $missing"; exit 1; }
[ "$(cat out)" = 'tools/mine.d word 0' ]
grep -q 'argument 1 is missing; usage: dtrace -x tool=mine WORD' err
# Installed: the directory is compiled in.
strings "$DTRACE_PROGRAM" | grep -q '/share/dt/tools$'
