/* @@trigger: calls -n 2 -- 5 -5 7 5 0x7fffffffffffffff */
#pragma D option quiet
syscall::lseek:entry
/pid == $target/
{
	@none = count();
	@exec[execname] = count();
	@long[(int64_t)arg1] = count();
	@ulong[(uint64_t)arg1] = count();
	@int[(int)arg1] = count();
	@uint[(unsigned int)arg1] = count();
	@short[(short)arg1] = count();
	@char[(char)arg1] = count();
	@tuple[execname, (int)arg1, probefunc, (char)arg0] = sum((int)arg1 & 0xff);
	@cond[(int64_t)arg1 > 6 ? "big" : "small"] = count();
	@arg[args[1]] = count();
	@q[(int)arg1] = quantize((int)arg1);
}
