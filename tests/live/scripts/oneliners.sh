# SPDX-License-Identifier: GPL-2.0-or-later
# One-liners in the manner of published lists, each on a process of its own.
# @@stderr: ^dtrace: (description .* matched [0-9]+ probes?|pid [0-9]+ has exited)$
say() {
	sed 's/^ *//;s/ *$//;s/  */ /g;/^$/d'
}
# calls by program, by name, by both
$DTRACE -c 'calls -n 12' -n 'syscall::getppid:entry /pid == $target/ {
	@num[execname] = count(); @[probefunc, pid == $target] = count(); }' 2>err | say
# files by program
echo text >there
$DTRACE -c 'cat there' -n 'syscall::openat:entry /pid == $target && copyinstr(arg1) == "there"/ {
	printf("%s %s", execname, copyinstr(arg1)); }' 2>err | grep -v '^text$' |
	awk '/there/ { print $(NF - 1), $NF }'
# bytes by program, with the total
$DTRACE -qn 'sysinfo:::writech /pid == $target/ { @bytes[execname] = sum(arg0); }' \
	-c 'dd if=/dev/zero of=/dev/null bs=100 count=10 status=none' | say
# values as a distribution, and in steps
$DTRACE -c 'calls -n 1 1 2 3 60' -qn 'syscall::lseek:entry /pid == $target/ {
	@ = quantize(arg1); @l = lquantize(arg1, 0, 100, 50); }' | say
# static probes
$DTRACE -c 'victim 2' -qn 'victim$target:::loop-start {
	printf("%d %s\n", arg0, copyinstr(arg1)); }' 2>err | say
# new processes with arguments
$DTRACE -c 'sh -c "true; env true yes"' -qn 'proc:::exec-success
	/progenyof($target) && execname == "true"/ { trace(curpsinfo->pr_psargs); }' | say
