# SPDX-License-Identifier: GPL-2.0-or-later
# regs[] where no function of the kernel is probed: what the clock interrupts, and the code of
# programs.
# @@status: 1
# @@stderr: ^dtrace: invalid probe specifier
$DTRACE -qn 'profile-997 /pid == $target/ { @[regs[R_PC] == (arg0 ? arg0 : arg1),
	arg0 ? (int64_t)regs[R_SP] < 0 : regs[R_SP] == uregs[R_SP]] = count(); }
	tick-997 /!(regs[R_PC] == (arg0 ? arg0 : arg1))/ { @bad = count(); }
	END { printa("%d %d\n", @); printa("bad %@d\n", @bad); }' -c 'doings spins'
$DTRACE -qn 'pid$target:a.out:seven:entry {
	@[regs[R_SP] == uregs[R_SP], regs[R_PC] == uregs[R_PC], regs[R_PC] != 0] = count(); }
	pid$target:a.out:seven:return { @[regs[R_R0] == arg1, 2, 2] = count(); }
	END { printa("%d %d %d %@d\n", @); }' -c 'victim 2'
refused() {
	if $DTRACE -e -x errtags -n "$1" 2>err; then exit 1; fi
	sed -n '1s/.*: \[/[/p' err
}
refused 'syscall::read:entry { trace(regs[R_PC]); }'
refused 'tick-1s, BEGIN { trace(regs[R_PC]); }'
refused 'rawtp:::sched_switch /regs[R_PC]/ { }'
refused 'tick-1s { trace(regs); }'
refused 'tick-1s { trace(regs[99]); }'
refused 'tick-1s { trace(regs[arg0]); }'
