# Errors of the command line: one line each, and the exit status.
# @@status: 1 2 5 7 143
# @@stderr: .
told() {
	want=$1 status=$2
	shift 2
	got=$("$@" 2>&1 >/dev/null </dev/null) && rc=0 || rc=$?
	[ $rc = $status ] || { echo "$*: status $rc"; exit 1; }
	[ "$got" = "$want" ] || { echo "$*: $got"; exit 1; }
}
printf 'BEGIN {}\0' >nul.d
: >empty.d
told 'dtrace: no probes specified' 1 $DTRACE -q
# Declarations alone compile, as a library's do; but there is nothing to trace.
echo 'typedef int number_t; inline number_t SEVEN = 7; struct pair { number_t a, b; };' >declared.d
told '' 0 $DTRACE -e -s declared.d
told 'dtrace: no probes specified' 1 $DTRACE -q -s declared.d
told 'dtrace: failed to set -x foo: Invalid option name' 1 $DTRACE -x foo
told 'dtrace: failed to set -x oformat: Invalid value for specified option: oformat is one of text json jsonl xml html perfetto csv folded svg openmetrics prometheus' \
	1 $DTRACE -x oformat=yaml
told 'dtrace: failed to set -x bufsize: Invalid value for specified option: bufsize is a number of bytes, for example 4096, 64k or 4m' \
	1 $DTRACE -b 2x
told 'dtrace: failed to set -x cpu: there is no CPU 99999' 1 $DTRACE -x cpu=99999 -n BEGIN
told 'dtrace: failed to open nofile.d: No such file or directory' 1 $DTRACE -s nofile.d
told 'dtrace: failed to read /: Is a directory' 1 $DTRACE -s /
told 'dtrace: failed to compile script nul.d: it is not text' 1 $DTRACE -s nul.d
told 'dtrace: invalid pid: 1x' 1 $DTRACE -p 1x -n BEGIN
told 'dtrace: failed to grab pid 99999999: No such process' 1 $DTRACE -p 99999999 -n BEGIN
told 'dtrace: failed to execute /no/such: No such file or directory' 1 \
	$DTRACE -c '/no/such x' -n BEGIN
told "dtrace: failed to execute command 'a \"b': a quote is not closed" 1 $DTRACE -c 'a "b' -n BEGIN
told "dtrace: failed to open output file '/no/such': No such file or directory" 1 \
	$DTRACE -o /no/such -n BEGIN
# An error before tracing makes no output file, wherever -o stands.
for wrong in '-x bufsize=2x' '-L /no/such' '-x replay=nofile' '-p 99999999' '-c /no/such' \
	'-s nul.d' -Q; do
	! $DTRACE -o made -n BEGIN $wrong >/dev/null 2>&1 || { echo "$wrong: no error"; exit 1; }
	[ ! -e made ] || { echo "$wrong: an output file"; exit 1; }
done
told "dtrace: invalid probe specifier typdef int t; BEGIN: probe description :::typdef does not \
match any probes; did you mean typedef?" 1 $DTRACE -en 'typdef int t; BEGIN'
told "dtrace: invalid probe specifier syscall::read:entry, syscall::listen:entry { trace(args[1]);...: [D_ARGS_MULTI] in action list: \
args[ ] may not be referenced because the probe description matches probes whose \
args[1] differ: char * and int" 1 \
	$DTRACE -x errtags -n 'syscall::read:entry, syscall::listen:entry { trace(args[1]); }'
told 'dtrace: invalid probe specifier 4: probe identifier 4 not permitted when specifying functions' 1 \
	$DTRACE -f 4
echo '#pragma D option lockmem=64m' >lockmem.d
told "dtrace: failed to compile script lockmem.d: line 1: failed to set option 'lockmem' to '64m': \
Option cannot be used from within a D program" 1 \
	$DTRACE -s lockmem.d
told 'dtrace: no probes specified' 1 $DTRACE -A
told 'dtrace: -h requires a script with -s' 1 $DTRACE -h -n BEGIN
for mode in -h -G; do
	$DTRACE $mode >out 2>err && exit 1 || [ $? = 2 ]
	[ ! -s out ]
	[ "$(cat err)" = "dtrace: $mode requires a script with -s (usage: dtrace --help)" ]
done
$DTRACE -q --help >out 2>err
[ ! -s err ]
head -1 out | grep -q '^Usage: dtrace ' && grep -qF -- '-x help' out
[ "$(wc -l <out)" -le 24 ] && [ "$(wc -L <out)" -le 80 ]
[ "$($DTRACE --version)" = "$($DTRACE -V)" ]
# A program that no option announces.
told "dtrace: no probes specified; a script is run with -s: dtrace -s declared.d" 1 \
	$DTRACE declared.d
told "dtrace: no probes specified; a program is the argument of -n: dtrace -n 'BEGIN{}'" 1 \
	$DTRACE -q 'BEGIN{}'
told "dtrace: no probes specified; a program is the argument of -n: dtrace -n 'BEGIN{}'" 1 \
	$DTRACE -e 'BEGIN{}'
told "dtrace: no probes specified; 'x' belongs to no option" 1 $DTRACE x
told "dtrace: no probes specified; a script is run with -s: dtrace -s absent.d" 1 $DTRACE absent.d
# On a terminal the line with a mark, whose columns are those of the terminal.
printf 'BEGIN { trace("\303\274\346\227\245\t" + 5); trace(1); }\n' >wide.d
mark=$(NO_COLOR=1 script -qec "$DTRACE -es wide.d" /dev/null | tr -d '\r' | tail -1)
[ "$mark" = '      |               ^~~~~~~~~~~~~~~' ] || { echo "mark: $mark"; exit 1; }
TERM=xterm script -qec "env -u NO_COLOR $DTRACE -es wide.d" /dev/null | tail -1 |
	grep -q "$(printf '\033\\[1;31m^')"
# So it is with the first fault of a place.
printf 'BEGIN { trace(*(int *)16 + 1); }\nBEGIN { exit(0); }\n' >fault.d
NO_COLOR=1 script -qec "$DTRACE -qs fault.d" /dev/null | tr -d '\r' | head -3 >shown
cat >want <<'END'
dtrace: error in clause 1 for probe ID 1 (dtrace:::BEGIN): invalid address (0x10) at fault.d:1:15
    1 | BEGIN { trace(*(int *)16 + 1); }
      |               ^~~~~~~~~~
END
cmp want shown || { cat shown; exit 1; }
# Only the beginning of a long program is repeated.
told "dtrace: invalid probe specifier BEGIN { x = 1; x = 2; x = 3; x = 4; x = 5; x = 6; x = 7; x =...: in action list: \
failed to resolve nosuch: Unknown variable name" 1 \
	$DTRACE -n 'BEGIN { x = 1; x = 2; x = 3; x = 4; x = 5; x = 6; x = 7; x = 8; x = nosuch; }'
# A missing semicolon, on a line as well as between lines.
told "dtrace: invalid probe specifier BEGIN { x = 1 y = 2; }: syntax error near \"y\"; \
a ';' may be missing before it" 1 \
	$DTRACE -en 'BEGIN { x = 1 y = 2; }'
refused() { # PROGRAM MESSAGE
	told "dtrace: invalid probe specifier $1: $2" 1 $DTRACE -en "$1"
}
# A missing bracket, or a comma within brackets.
lacks() { # WHAT NEAR PROGRAM
	refused "$3" "syntax error near \"$2\"; a '$1' may be missing before it"
}
lacks ')' '}' 'BEGIN { trace("(" }'
lacks ')' ';' 'BEGIN { x = (1 + 2; y = 3; }'
lacks ']' ';' "BEGIN { @[pid = count(); }"
lacks ']' ')' "BEGIN { trace(a[')'); }"
lacks ',' pid 'BEGIN { printf("%d" pid); }'
lacks ',' '"b"' 'BEGIN { @[pid, execname "b"] = count(); }'
told 'dtrace: invalid probe specifier BEGIN { print x; }: syntax error near "x"' 1 \
	$DTRACE -en 'BEGIN { print x; }'
# How dtrace was built.
$DTRACE -Vv | sed -n 2p | grep -Eqx \
	'built with (gcc|clang) .*, with(out)? libdw, with(out)? libctf, with(out)? libiberty'
# On a terminal, also under -q: a clause that fires in all processes.
onterm $DTRACE_PROGRAM -qn 'syscall::getppid:entry { x = 1; }' -c true |
	grep -q 'warning: .* fires in all processes'
# The command's status.
for want in 0 7 143; do
	command="exit $want"
	[ $want = 143 ] && command='kill $$'
	$DTRACE -x cmdstatus -qn BEGIN -c "sh -c '$command'" >out 2>err && rc=0 || rc=$?
	[ $rc = $want ]
done
told '' 5 $DTRACE -x cmdstatus -qn 'BEGIN { exit(5); }' -c true
told "dtrace: invalid probe specifier BEGIN { trace(\$\$1); }: \
extraneous argument 'b' (\$2 is not referenced)" 1 \
	$DTRACE -n 'BEGIN { trace($$1); }' a b
told "dtrace: invalid probe specifier declared.d: probe description :::declared.d does not match \
any probes
dtrace: declared.d is a file; a script is run with -s: dtrace -s declared.d" 1 $DTRACE -n declared.d
told 'dtrace: warning: the predicate assigns a constant; a comparison is written ==' 0 \
	$DTRACE -en 'BEGIN /x = 1/ { exit(0); }'
told '' 0 $DTRACE -en 'BEGIN /x = pid/ { exit(0); }'
told 'dtrace: failed to set an option by the environment: DTRACE_OPT_foo: Invalid option name' 1 \
	env DTRACE_OPT_foo=1 $DTRACE -n BEGIN
told 'dtrace: failed to write output: No space left on device' 1 sh -c "$DTRACE -V >/dev/full"
told 'dtrace: failed to write output: Bad file descriptor' 1 sh -c "$DTRACE -V >&-"
for bad in -B -n '-66' '-lV'; do
	$DTRACE $bad >out 2>err && exit 1 || [ $? = 2 ]
	[ ! -s out ]
	sed -n 2p err | grep -q '^Usage: dtrace '
done
# shellcheck disable=SC2086 # the command without the options of this run
$DTRACE_PROGRAM 2>err && exit 1 || [ $? = 2 ]
sed -n 1p err | grep -q '^Usage: dtrace '
$DTRACE -q- 2>err && exit 1 || [ $? = 2 ]
[ "$(head -1 err)" = "dtrace: invalid option -- '-'" ]
# Options of other tracers, and descriptions in their form under -l.
# begins TEXT STATUS COMMAND...: the first line of standard error
begins() {
	first=$1 status=$2
	shift 2
	"$@" >out 2>err </dev/null && rc=0 || rc=$?
	[ $rc = $status ] && [ "$(head -1 err)" = "$first" ] || {
		echo "$*: status $rc: $(cat err)"
		exit 1
	}
}
begins "dtrace: invalid option '--unsafe'; use -w" 2 $DTRACE --unsafe -n BEGIN
begins "dtrace: invalid option '--nosuch'" 2 $DTRACE --nosuch
begins "dtrace: invalid option -- 'd'; use -x dump=typed" 2 $DTRACE -d
begins "dtrace: warning: tracepoint:sched:* does not match any probes; \
D writes this \"sdt:sched::*\"" 1 \
	$DTRACE -l 'tracepoint:sched:*'
begins 'dtrace: warning: syscall:read:entry does not match any probes; did you mean syscall::read:entry?' 1 \
	$DTRACE -ln syscall:read:entry
# The preprocessor's messages begin with its name.
begins "cat: invalid option -- 'D'" 1 $DTRACE -C -x cpppath=/bin/cat -s lockmem.d
near='does not match any probes; did you mean "syscall::read:"?'
begins "dtrace: warning: syscall::read $near" 1 $DTRACE -ln syscall::read
# Words that are spelt otherwise.
near='does not match any probes; did you mean syscall::read:entry?'
begins "dtrace: warning: syscall::raed:entry $near" 1 $DTRACE -ln syscall::raed:entry
begins 'dtrace: failed to match xyz*: No probe matches description' 1 $DTRACE -l 'xyz*'
refused 'BEGIN { trace($$1); }' 'macro argument $$1 is not defined: argument 1 is missing'
# Names that are known when they are printed.
refused 'BEGIN /container == "web"/ {}' "in predicate: container has a name when it is printed: \
use it as a key, or select processes with -x cgroup"
refused 'BEGIN { x = "f" != ufunc(ucaller); }' "in action list: ufunc(ucaller) has a name when it \
is printed: use it as a key, or compare its address"
# Of a program that the preprocessor refuses, too, only the beginning is repeated.
$DTRACE -C -en '#include <no-such-file.h>
	BEGIN { }' 2>err && exit 1 || [ $? = 1 ]
[ "$(tail -1 err)" = \
	'dtrace: invalid probe specifier #include <no-such-file.h>...: Preprocessor failed to process input program' ]
