# Stacks and symbols as keys: what is the same is one, whichever way it was seen.
# @@status: 1
# @@stderr: ^dtrace: the keys of @ have [0-9]+ bytes, and this kernel has a limit of 512
fail() { echo "$*"; exit 1; }

getppid=110
[ "$(uname -m)" != aarch64 ] || getppid=173
# Two probes on one tracepoint: other tracers of it add tracer frames to both.
$DTRACE -qn 'rawtp:raw_syscalls::sys_enter /pid == $target && args[1] == '$getppid'/ {
	@[stack(3)] = count(); }
	sdt:raw_syscalls::sys_enter /pid == $target && args->id == '$getppid'/ {
		@[stack(3)] = count(); }' -c 'calls -n 50' >out
[ "$(grep -c '^  *[0-9][0-9]*$' out)" = 1 ] || fail "two probes: $(cat out)"
[ "$(sed -n 's/^  *\([0-9][0-9]*\)$/\1/p' out)" = 100 ] || fail "two probes: $(cat out)"

# Kept in every kind of variable, and keys of an array.
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ {
		self->s = stack(4); g = stack(4); a[tid] = stack(2); this->t = g; n[self->s]++; }
	syscall::getppid:return /self->s && a[tid] && n[self->s]/ {
		@[self->s, g, this->t ? 1 : 0, a[tid]] = max(n[g]); self->s = 0;
		a[tid] = 0; done = self->s || a[tid] ? 0 : 1; }
	END { printa("%k%k%d%k%@d\n", @); printf("done %d\n", done); }' -c 'calls -n 20' >out
[ "$(grep -c '^20$' out) $(grep -c 'entry_SYSCALL\|`el0_svc+' out) $(grep -c '^done 1$' \
	out)" = '1 2 1' ] || fail "variables: $(cat out)"

# func(), which sym() is too, and mod() are what prints; the address itself has the offset.
$DTRACE -qn 'syscall::getppid:entry,syscall::lseek:entry /pid == $target/ {
	@f[func(caller)] = count(); @m[mod(caller)] = count();
		@s[sym(caller)] = count(); this->f = func(caller); x = mod(caller); }
	syscall::getppid:entry /pid == $target/ {
		printf("%a %s %a %a|", this->f, x, sym(caller), caller); func(caller); }' \
	-c 'calls -n 1' >out
set -- $(tr '|' ' ' <out)
[ "$1 $1" = "$5 $3" ] && [ "$2 ${1%%\`*}" = 'vmlinux vmlinux' ] && [ "$4" != "$1" ] &&
	[ "${4%+0x*}" = "$1" ] ||
	fail "symbols: $(cat out)"
shift
[ "$5 $6" = "$2 1" ] && [ "$7 $8" = 'vmlinux 1' ] && [ "$9" = "$2" ] ||
	fail "symbol keys: $(cat out)"

# Indents: of actions, and of printf's width.
$DTRACE -x stackindent=3 -qn 'syscall::getppid:entry /pid == $target/ { stack(1);
	printf("x%6ky", stack(1)); }' -c 'calls -n 1' >out
[ "$(grep -c '^   [a-z]' out) $(grep -c '^      [a-z]' out) $(grep -c '^y' out)" = '1 1 1' ] ||
	fail "indents: $(cat out)"

# As many frames as are usual, which on old kernels are fewer.
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { @[execname, ustack()] = count(); }' \
	-c 'calls -n 2' >out
grep -q '^  *2$' out || fail "usual: $(cat out)"

# Deep ones. Old kernels take 512 bytes of key, and that is said.
if $DTRACE -qn 'syscall::getppid:entry /pid == $target/ { @[stack(100)] = count(); }' \
	-c 'calls -n 2' >out 2>err; then
	grep -q '^  *2$' out || fail "deep: $(cat out)"
else
	grep -q 'keys of @ have .* limit of 512: use fewer frames' err || fail "deep: $(cat err)"
fi
