/* Increments below zero: the bars stand right of the middle or left of it. */
/* @@trigger: calls -- 1 2 2 4 4 4 8 */
#pragma D option quiet
syscall::lseek:entry
/pid == $target/
{
	@both = quantize(arg1, arg1 > 3 ? -2 : 3);
	@minus = quantize(arg1, -1);
	@lboth = lquantize(arg1, 0, 10, 1, arg1 == 8 ? -5 : 1);
	@zero = quantize(arg1, 0);
	@one = quantize(0);
	@lzero = lquantize(arg1, 0, 10, 1, 0);
	@min = quantize((int64_t)0x8000000000000000);
	@max = quantize(0x7fffffffffffffff);
}
