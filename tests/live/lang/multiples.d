/* @@opts: -q */
/*
 * Sizes, indexes and buckets that are multiples of 32 as far as the verifier knows: that such a
 * number is at most 16, or 19, happens on no path, which kernels have to be told (gen_bounded()).
 * It is enough that this loads.
 */
inline int mx[int x, int y] = x > y ? x : y;
inline int big = (pid_t)(pid << 5);
int ar[20];

BEGIN
/pid < 0/
{
	tracemem(alloca(16), 16, mx[big, 0]);
	ar[mx[big, 0]] = 1;
	@ = lquantize(mx[big, 0], 0, 10, 1);
	@l = llquantize(mx[big, 0], 10, 0, 6, 20);
	@q = quantize(mx[big, 0]);
}

BEGIN
/pid < 0/
{
	this->p = (char *)alloca(mx[big, 1]);
	this->p[0] = 1;
	copyin(arg0, mx[big, 0]);
	trace(copyinstr(arg0, mx[big, 0]));
	bcopy(this->p, alloca(16), mx[big, 0]);
	trace(substr("abcdefg", mx[big, 0], mx[big, 0]));
	trace(index("abcdefg", "c", mx[big, 0]));
	trace("abcdefg"[mx[big, 0]]);
	trace(lltostr(5, mx[big, 0]));
	trace(strncmp("abc", "abd", mx[big, 0]));
}

BEGIN
/pid < 0/
{
	commit(mx[big, 0]);
}

BEGIN
{
	printf("loaded\n");
	exit(0);
}
