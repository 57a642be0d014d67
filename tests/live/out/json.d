/* Each line of output is an object. */
/* @@trigger: calls -- 1 2 2 */
/* @@opts: -x oformat=json */
/* @@exit: 3 */
/* @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$ */
/* @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+  */
/* @@stderr: ^dtrace: normalize\( \) of @_ by [0-9]+ is ignored */
/* @@stderr: ^dtrace: pid [0-9]+ has exited */
struct s { int a; unsigned int b:3; char t[4]; } x;
uint64_t zero;

BEGIN
{
	x.a = -1;
	x.b = 7;
	x.t[0] = 'q';
	trace(x);
	trace("a\"b\\\303\251\377\1");
	printf("%s\n%5d\n", probename, x.a + 1);
	print(&x);
	tracemem(&x, 4);
}

syscall::lseek:entry
/pid == $target/
{
	@["a", arg1] = count();
	@q = quantize(arg1 - 2);
	@l = lquantize(arg1, 0, 2);
	@avg[probefunc] = avg(arg1);
	@none[1] = count();
}

syscall::lseek:entry
/pid == $target && arg1 == 1/
{
}

END
{
	printa(@);
	printa("%@d\n", @avg);
	normalize(@, 2);
	trunc(@none);
	normalize(@, zero);
	exit(3);
}

END
{
	trace(1 / zero);
}

ERROR
{
	trace(arg4);
}
