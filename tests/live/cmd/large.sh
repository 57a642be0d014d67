# SPDX-License-Identifier: GPL-2.0-or-later
# A program that is surely too large for variables in registers is optimised once, with them in
# memory.
# @@once:
for i in $(seq 120); do
	echo "syscall::getppid:entry /pid == $i || arg0 > $i/ {
		@a$((i % 10))[execname, pid] = quantize(timestamp % $i);
		self->x$i = $i; g$i += arg0; }"
done >large.d
$DTRACE -e -x dump=ir -s large.d >dump
grep -c '^dt_[0-9]*/1: optimised' dump
$DTRACE -e -x dump=ir -n 'syscall::getppid:entry { @ = count(); }' >dump
grep -c '^dt_[0-9]*/1: optimised' dump
