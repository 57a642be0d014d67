# copyout() and copyoutstr(): before the kernel takes what a process writes, it is changed.
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
$DTRACE -wq -n 'syscall::write:entry /pid == $target && arg2 == 14/ { copyoutstr("HELLO", arg1, 5);
	this->p = (char *)alloca(2); this->p[0] = 0x58; copyout(this->p, arg1 + 1, 1);
	this->n = arg2 - 13; copyout(this->p, arg1 + 6, this->n); copyoutstr("ab", arg1 + 8, 10);
	copyout(this->p, arg1, 0); }' -c 'dd if=/dev/zero of=file bs=14 count=1' >out 2>err || {
	grep -q 'are refused: this kernel forbids writing' err &&
		echo "this kernel lets no program write to processes" && exit 77
	cat err
	exit 1
}
printf 'HXLLO\0X\0ab\0\0\0\0' | cmp - file
$DTRACE -wq -n 'syscall::getppid:entry /pid == $target/ { copyout(alloca(8), 0x10, 8);
	printf("never\n"); }
	ERROR { printf("%d %x\n", arg4, arg5); }' \
	-c 'perl -e getppid' >out 2>err
printf '1 10\n\n' | diff - out
