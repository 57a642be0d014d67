/* The process's stack as an action, a key and a value; its addresses as symbols. */
/* @@trigger: victim 3 */
/* @@opts: -q */
pid$target::seven:entry
{
	ustack(2);
	self->from = ustack(1);
	printf("%d %d\n", ustackdepth >= 2, ucaller == (uint64_t)0);
	ufunc(ucaller);
	umod(ucaller);
	printf("\n");
	@calls[ufunc(ucaller), umod(ucaller)] = count();
	@names[usym(ucaller)] = count();
	@names[usym(ucaller - 1)] = count();
	@places[uaddr(ucaller)] = count();
	@places[uaddr(ucaller - 1)] = count();
}

pid$target::seven:return
{
	@[self->from] = count();
}
