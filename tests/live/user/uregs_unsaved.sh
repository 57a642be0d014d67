# SPDX-License-Identifier: GPL-2.0-or-later
# Registers that x86-64 has and the kernel does not save are errors of the script, with the reason.
# @@status: 1
[ "$(uname -m)" = x86_64 ] || { echo "another machine"; exit 77; }
for r in R_DS R_ES R_FS R_GS R_FSBASE R_GSBASE R_ERR; do
	$DTRACE -xerrtags -en "syscall::read:entry { trace(uregs[$r]); }" 2>&1 | sed 's/.*\(\[D_[A-Z_]*\]\).*: uregs/\1 uregs/'
done
$DTRACE -xerrtags -en 'syscall::read:entry { trace(uregs[49]); }' 2>&1 | sed 's/.*: uregs/uregs/'
