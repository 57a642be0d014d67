# The first frame is the function that the probe is in, the second one is caller, and there are
# stackdepth of them.
fail() { echo "$*"; exit 1; }

# what PROBE PREDICATE FUNCTION: of a firing prints the stack, depth and caller.
what() {
	$DTRACE -qn "$1 /pid == \$target $2 && !n++/ {
		printf(\"%d %a\", stackdepth, caller); stack(127); }" \
		-c "$3" >out 2>err ||
		fail "$1: $(cat err)"
	read -r depth caller <out
	set -- "$1" $(sed -n 's/^              //p' out)
	[ $# -gt 2 ] || fail "$1: $(cat out)"
	[ "$depth" = $(($# - 1)) ] && [ "$caller" = "$3" ] || fail "$1: depth, caller: $(cat out)"
	first=${2%+0x*} first=${first#*\`}
	! grep -qE 'bpf_(prog_[0-9a-f]|trace_run|trampoline)|__traceiter|__bpf_trace|perf_trace' \
		out || fail "$1: $(cat out)"
}

for provider in sdt rawtp; do
	what $provider:sched::sched_switch '' 'sleep 0.1'
	[ "$first" = __schedule ] || fail "$provider: $first"
	what $provider:raw_syscalls::sys_enter '' 'calls -n 3'
	case $first in
	*syscall_*enter* | do_syscall_64) ;;
	*) fail "sys_enter: $first" ;;
	esac
done
# The record of a tracepoint makes it one of perf's.
what sdt:sched::sched_switch '&& args->prev_pid' 'sleep 0.1'
[ "$first" = __schedule ] || fail "perf: $first"
what syscall::getppid:entry '' 'calls -n 3'
grep -q 'entry_SYSCALL\|el0_svc' out || fail "syscall: $(cat out)"

# What interrupted: in the kernel as arg0 says; nothing in user mode.
what profile-997 '&& arg0' 'calls -s 1'
$DTRACE -qn 'profile-997 /pid == $target && arg1 && !n++/ {
	printf("%d %d[%k]", stackdepth, caller, stack()); }' -c 'calls -s 1' >out
[ "$(tr -d ' \n' <out)" = '00[]' ] || fail "user mode: $(cat out)"
