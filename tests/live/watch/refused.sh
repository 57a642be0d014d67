# SPDX-License-Identifier: GPL-2.0-or-later
# watch: an address that the kernel refuses, where the CPU has its own tables.
# @@needs: watchpoint
# @@status: 1
[ "$(uname -m)" = x86_64 ] || { echo "the address is x86-64's"; exit 77; }
$DTRACE -qn 'watch::0xfffffe0000000000:write-4 {}' -c true 2>&1 |
	sed 's/0x[0-9a-f]*[0-9a-f]\{9\}/ADDRESS/g'
