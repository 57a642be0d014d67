# SPDX-License-Identifier: GPL-2.0-or-later
# Registers of x86-64 that are in the structure of the thread: uregs[] has them, regs[] does not.
# @@status: 1
[ "$(uname -m)" = x86_64 ] || { echo "another machine"; exit 77; }
$DTRACE -qn 'BEGIN { printf("%d %d %d %d\n", uregs[R_DS] == curthread->thread.ds,
	uregs[R_ES] == curthread->thread.es, uregs[R_FS] == curthread->thread.fsbase &&
	uregs[R_FS] == uregs[R_FSBASE] && uregs[R_FS] > 0x1000,
	uregs[R_GS] == curthread->thread.gsbase && uregs[R_GS] == uregs[R_GSBASE]);
	printf("%d %d\n", uregs[R_ERR] == curthread->thread.error_code,
	    uregs[R_TRAPNO] == curthread->thread.trap_nr); exit(0); }'
for r in R_DS R_ES R_FS R_GS R_FSBASE R_GSBASE R_ERR R_TRAPNO; do
	$DTRACE -xerrtags -en "profile-99 { trace(regs[$r]); }" 2>&1 |
		sed 's/.*\(\[D_[A-Z_]*\]\).*: regs/\1 regs/'
done
$DTRACE -xerrtags -en 'syscall::read:entry { trace(uregs[49]); }' 2>&1 | sed 's/.*: uregs/uregs/'
