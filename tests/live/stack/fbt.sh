# Stacks at functions, however they are traced: the function first, then its caller, at entry and
# at return.
fail() { echo "$*"; exit 1; }
features=$($DTRACE -Vv)
has() { echo "$features" | grep -q "^$1  *yes"; }
has fentry || has kprobe || { echo 'functions of the kernel cannot be traced'; exit 77; }
ran=''

# frames OPTIONS: of the two functions, both entry and return.
frames() {
	# shellcheck disable=SC2086 # words
	$DTRACE $1 -qn \
		'fbt::vfs_read:entry,fbt::vfs_read:return,fbt::vfs_write:entry,fbt::vfs_write:return
		/pid == $target/ { @[probefunc, probename, func(caller), stack(2)] = count(); }' \
		-c 'dd if=/dev/zero of=/dev/null bs=1 count=5 status=none' >out 2>err ||
		fail "$1: $(cat err)"
	awk '/^ *vmlinux`/ { n++; sub(/\+0x.*/, ""); sub(/^ */, ""); if (n == 1) first = $0;
		else second = $0; next }
		/^  vfs/ { what = $1 " " $2; caller = $3; n = 0; next }
		/^ *[0-9]+$/ { print what, first, second, (caller == second) }' out | sort -u
}

# full OPTIONS
full() {
	ran=$(frames "$1")
	[ "$(echo "$ran" |
		sed 's/ vmlinux`\(ksys\|__x64_sys\|do\|vfs\)[a-z_]* [01]$//')" = "$(cat <<-END
		vfs_read entry vmlinux\`vfs_read
		vfs_read return vmlinux\`vfs_read
		vfs_write entry vmlinux\`vfs_write
		vfs_write return vmlinux\`vfs_write
	END
	)" ] || fail "$1: $ran: $(cat out)"
	echo "$ran" | grep -q ' 0$' && fail "$1: caller: $ran: $(cat out)"
	return 0
}

# entry OPTIONS: of a function whose return is not traced; from 7.0 on the kernel gets to such a
# program another way.
entry() {
	# shellcheck disable=SC2086 # words
	$DTRACE $1 -qn 'fbt::vfs_read:entry /pid == $target/ {
		@[func(caller), stack(1)] = count(); }' \
		-c 'dd if=/dev/zero of=/dev/null bs=1 count=5 status=none' >out 2>err ||
		fail "$1: $(cat err)"
	grep -q '^ *vmlinux`vfs_read' out || fail "$1: entry alone: $(cat out)"
	! grep -q '^  vmlinux`do_' out || fail "$1: entry alone: caller: $(cat out)"
}

if has fentry; then
	full ''
	entry ''
fi
# Before kernels walk over the return trampoline (5.15), frames after it are missing.
if has kprobe && has perf_cookie; then
	full '-x nofeat=fentry'
	full '-x nofeat=fentry,kprobe_multi'
fi
[ -n "$ran" ] || {
	echo 'needs fentry or perf_cookie: without, stacks end behind the return'
	exit 77
}
