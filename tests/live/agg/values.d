/* @@trigger: calls -n 3 -- 0 1 2 3 4 7 8 -1 -2 -3 -4 100 -100 1000 */
#pragma D option quiet
syscall::lseek:entry
/pid == $target/
{
	this->v = (int64_t)arg1;
	@c = count();
	@su = sum(this->v);
	@mi = min(this->v);
	@ma = max(this->v);
	@av = avg(this->v);
	@sd = stddev(this->v);
	@q = quantize(this->v);
	@q2 = quantize(this->v, 10);
	@l = lquantize(this->v, -4, 10, 2);
	@l2 = lquantize(this->v, 0, 10);
	@l3 = lquantize(this->v, -200, 2000, 100, 5);
	@ll = llquantize(this->v, 10, 0, 3, 10);
	@ll2 = llquantize(this->v, 2, 0, 6, 2, 3);
}
