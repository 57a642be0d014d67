# syscall: a call that this kernel lacks matches and never fires, where names are not exact: scripts
# for several machines and kernels name it beside those that are there.
# @@needs: file:/sys/kernel/tracing/events/syscalls
# @@stderr: ^dtrace: warning: th(is|ese) probes? never fires?: syscall::
# @@status: 1
echo "beside others:"
$DTRACE -qn 'syscall::getpmsg:entry, syscall::getppid:entry /pid == $target/ {
	@[probefunc] = count(); }
	END { printa("%s\n", @); }' -c 'callload 3 0 calls' 2>err | grep .
cat err
# Both are named, so that neither means the other; aarch64 has one of them.
$DTRACE -qn 'syscall::open:entry, syscall::openat:entry /pid == $target/ { n++; }
	END { printf("%d\n", n > 0); }' -c 'cat /dev/null' 2>err | grep .
cat err
echo "alone:"
$DTRACE -qn 'BEGIN { exit(0); } syscall::getpmsg:return { }' 2>err
sed 's/.*: syscall/syscall/; s/this machine/this kernel/' err
$DTRACE -qn 'BEGIN { exit(0); } syscall::kld*: { }' 2>err
sed 's/.*(Linux/(Linux/' err
echo "exact:"
$DTRACE -x compat=off -qn 'syscall::getpmsg:entry { }' 2>&1 |
	sed 's/.*: //; s/this machine/this kernel/'
$DTRACE -ln syscall::getpmsg: 2>&1 | sed -n 's/this machine/this kernel/; s/.*warning: //p'
$DTRACE -lP syscall | grep getpmsg || :
