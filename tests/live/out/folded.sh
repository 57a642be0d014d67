# Aggregations by stacks as lines for flame graphs, outermost frame first; all else goes to
# standard error.
# @@stderr: ^  calls                                                    
# @@stderr: ^text [0-9]+
$DTRACE -x oformat=folded -qn 'syscall::lseek:entry /pid == $target/ {
	@[execname, stack()] = count(); @plain[execname] = count();
	@q[stack(1)] = quantize(arg1); printf("text %d\n", arg1); }
END { printa("%s %k %@d\n", @); }' -c 'calls 1 2 2' >out 2>err
[ "$(wc -l <out)" = 2 ]
grep -q '^calls;[^; ]*;.* 3$' out
grep -q '^[^; ]* 3$' out
! grep -q '+0x' out || exit 1
[ "$(grep -c '^text ' err)" = 3 ]
grep -q '^  calls  *3$' err
# The kernel's code is above the user's that called it, in whatever order the keys are.
$DTRACE -x oformat=folded -qn 'syscall::lseek:entry /pid == $target/ {
	@a[execname, stack(2), ustack(2), "x"] = count();
	@b[execname, ustack(2), stack(2), "x"] = count(); }' \
	-c 'calls 1 2 2' >out 2>/dev/null
grep -q '^calls;[^;]*;libc[^;]*;vmlinux[^;]*;vmlinux[^;]*;x 3$' out
[ "$(wc -l <out)" = 2 ] && [ "$(uniq out | wc -l)" = 1 ]
# The same stack as JSON has the innermost frame first.
$DTRACE -x oformat=json -qn 'syscall::lseek:entry /pid == $target/ { @[stack()] = count();
	stack(2); trace(sym(caller)); }' -c 'calls 1' >out 2>err
frames='{"address":"0xff[0-9a-f]*".*},{"address":"0xff'
grep -q '"action":"stack","values":\[{"name":"stack(2)","value":\['"$frames" out
grep -q '"name":"sym(caller)","value":{"address":"0xff[0-9a-f]*"' out
grep -q '"rows":\[{"keys":\[\[{"address":"0xff' out
