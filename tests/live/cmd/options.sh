# Where options and arguments come from, and in what order things happen.
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
q="$DTRACE -q"
is() {
	[ "$1" = "$2" ] || { echo "got '$1', not '$2'"; exit 1; }
}
printf '%s\n' '#!/x/dtrace -s' '#pragma D option quiet' '#pragma D option defaultargs' \
	'BEGIN { printf("%s.%d", $$1, $2); exit(0); }' >a.d
is "$($q -n 'BEGIN { trace($1); trace($$2); exit(0); }' 5 abc)" 5abc
is "$($DTRACE 5 -n 'BEGIN { trace($1); trace($$2); exit(0); }' abc -q)" 5abc
is "$($q -n 'BEGIN { trace($1); exit(0); }' -- -5)" -5
is "$($DTRACE -s a.d)" .0
is "$($DTRACE -s a.d x 7)" x.7
is "$($q -n 'BEGIN { trace($$0); }' -s a.d)" "a.d.0"
is "$($q -n 'BEGIN { trace(1); }' -s - -n 'BEGIN { trace(3); exit(0); }' <<E
BEGIN { trace(2); }
E
)" 123
is "$($q -n 'BEGIN { trace($pid); exit(0); }' -o f; cat f | wc -l)" 1
is "$(DTRACE_OPT_strsize=8 DTRACE_OPT_QUIET= $DTRACE -n 'BEGIN { trace("0123456789");
	exit(0); }')" 0123456
is "$(DTRACE_OPT_strsize=8 $q -x strsize=10 -n 'BEGIN { trace("0123456789"); exit(0); }')" 012345678
is "$($q -x cpu=0 -n 'tick-20ms { trace(cpu); exit(0); }')" 0
is "$($q -O -x oformat=json -n 'BEGIN { @ = count(); exit(0); }' |
	sed -n 's/.*"\(aggregation\)".*/\1/p')" aggregation
# Output is appended.
for i in 1 2; do $DTRACE -o out -n 'BEGIN { exit(0); }' 2>err; done
is "$(grep -c 'CPU.*FUNCTION:NAME' out)" 2
is "$(cat err)" "dtrace: description 'BEGIN ' matched 1 probe"
$DTRACE -n BEGIN -P profile -f getppid -i 1-3 -s a.d 2>err >out
is "$(cat err)" ""
sed -i /quiet/d a.d
$DTRACE -x argref -n 'syscall::getppid:/1/ {}' -m vmlinux -i 1-3 -s a.d 2>&1 >out |
	sed '/vmlinux/s/[0-9][0-9]*/N/' >err
is "$(cat err)" "dtrace: description 'syscall::getppid:' matched 2 probes
dtrace: description 'vmlinux' matched N probes
dtrace: description '1-3' matched 3 probes
dtrace: script 'a.d' matched 1 probe"
# A word of debug for each phase.
DTRACE_DEBUG=1 $q -n 'BEGIN { exit(0); }' 2>&1 | grep -q 'debug: .* ms: loaded'
