# SPDX-License-Identifier: GPL-2.0-or-later
# @@needs: kprobe cmd:dd
# regs[] of the kernel's functions: the registers at the probe, which kprobes have, and fentry not.
# @@status: 1
# @@stderr: ^dtrace: invalid probe specifier
dd='dd if=/dev/zero of=/dev/null bs=10 count=100 status=none'
case $(uname -m) in
x86_64) first=R_RDI second=R_RSI third=R_RDX start='uregs[R_CS] != regs[R_CS]' ;;
*) first=R_X0 second=R_X1 third=R_X2 start=1 ;;
esac
cat >regs.d <<X
#pragma D option quiet
fbt::vfs_write:entry, rawfbt::vfs_write:entry
/pid == \$target && regs[$third] == 10/
{
	@[probeprov, regs[$first] == arg0, regs[$second] == arg1,
	    regs[R_PC] - (uint64_t)&\`vfs_write < 16, (int64_t)regs[R_SP] < 0,
	    regs[R_SP] != uregs[R_SP], $start] = count();
}
fbt::vfs_write:entry /pid == \$target/ { self->n = args->count; }
fbt::vfs_write:return /self->n == 10/ {
	@["return", regs[R_R0], (int64_t)regs[R_SP] < 0, args[1], 0, 0, 0] = count(); self->n = 0; }
END { printa("%s %d %d %d %d %d %d: %@d\n", @); }
X
$DTRACE -s regs.d -c "$dd"
# An instruction has no arguments, but registers.
$DTRACE -qn "kinst::vfs_write:0 /pid == \$target && regs[$third] == 10/ {
	@[regs[$first] == arg0, regs[R_PC] - (uint64_t)&\`vfs_write < 16] = count(); }
	END { printa(\"kinst %d %d: %@d\n\", @); }" -c "$dd"
# Many functions: the same, by single kprobes, of one program where it can distinguish them.
$DTRACE -qn "fbt::vfs_read:entry, fbt::vfs_write:entry /pid == \$target && regs[$third] == 10/ {
	@[probefunc, regs[$first] == arg0] = count(); }
	END { printa(\"%s %d: %@d\n\", @); }" -c "$dd"
# A clause without registers works as before.
plan() {
	$DTRACE -e -x dump=plan -n "$1" | sed -n 's/^program [0-9]*: \([^,]*\),.*/\1/p'
}
plan 'fbt::vfs_write:entry { trace(regs[R_PC]); } fbt::vfs_write:entry { @ = count(); }
	fbt::vfs_read:return { trace(regs[R_R0]); }'
if $DTRACE -e -x nofeat=kprobe -x errtags \
	-n 'fbt::vfs_write:entry { trace(regs[R_PC]); }' 2>err; then
	exit 1
fi
sed -n '1s/.*: \[/[/p' err
