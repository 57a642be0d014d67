/* An array is a key by its contents, as a structure is. */
#pragma D option quiet

#pragma D option aggsortkey

int few[2];

BEGIN
{
	few[0] = 5;
	@[few, 1] = sum(1);
	x[few] = 7;
	few[0] = 6;
	@[few, 1] = sum(10);
	@[few, 1] = sum(100);
	@same[curthread->mm->saved_auxv] = count();
	@same[curthread->mm->saved_auxv] = count();
	printf("%d", x[few]);
	few[0] = 5;
	printf(" %d\n", x[few]);
	exit(0);
}

END
{
	printa("%@d\n", @same);
}
