# Errors of the command line: one line each, and the exit status.
# @@status: 1 2
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
told 'dtrace: failed to set -x oformat: oformat=html is not supported yet' 1 $DTRACE -x oformat=html
told 'dtrace: failed to set -x bufsize: Invalid value for specified option: bufsize is a number of bytes, as 4096, 64k or 4m' 1 $DTRACE -b 2x
told 'dtrace: failed to set -x cpu: there is no CPU 99999' 1 $DTRACE -x cpu=99999 -n BEGIN
told 'dtrace: failed to open nofile.d: No such file or directory' 1 $DTRACE -s nofile.d
told 'dtrace: failed to read /: Is a directory' 1 $DTRACE -s /
told 'dtrace: failed to compile script nul.d: it is not text' 1 $DTRACE -s nul.d
told 'dtrace: invalid pid: 1x' 1 $DTRACE -p 1x -n BEGIN
told 'dtrace: failed to grab pid 99999999: No such process' 1 $DTRACE -p 99999999 -n BEGIN
told 'dtrace: failed to execute /no/such: No such file or directory' 1 $DTRACE -c '/no/such x' -n BEGIN
told "dtrace: failed to execute command 'a \"b': a quote is not closed" 1 $DTRACE -c 'a "b' -n BEGIN
told "dtrace: failed to open output file '/no/such': No such file or directory" 1 $DTRACE -o /no/such -n BEGIN
told "dtrace: invalid probe specifier syscall::read:entry, syscall::listen:entry { trace(args[1]); }: [D_ARGS_MULTI] in action list: \
args[ ] may not be referenced because the probe description matches probes whose args[1] differ: char * and int" 1 \
	$DTRACE -x errtags -n 'syscall::read:entry, syscall::listen:entry { trace(args[1]); }'
told 'dtrace: -A: anonymous tracing is not supported' 1 $DTRACE -A
told 'dtrace: -h requires a script with -s' 1 $DTRACE -h -n BEGIN
for mode in -h -G; do
	$DTRACE $mode >out 2>err && exit 1 || [ $? = 2 ]
	[ ! -s out ]
	[ "$(sed 1d err | head -1 | cut -d' ' -f 1-2)" = 'Usage: dtrace' ] || { cat err; exit 1; }
	[ "$(head -1 err)" = "dtrace: $mode requires a script with -s" ]
done
$DTRACE -q --help >out 2>err
[ ! -s err ]
head -1 out | grep -q '^Usage: dtrace ' && grep -qF -- '-x help' out
told "dtrace: extraneous argument 'b' (\$2 is not referenced)" 1 $DTRACE -n 'BEGIN { trace($$1); }' a b
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
