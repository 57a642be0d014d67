/* The smallest strings: their NUL is one of the bytes that strsize allows. */
#pragma D option quiet
#pragma D option strsize=3
BEGIN
{
	x = "abcdefgh";
	self->s = substr(x, 1);
	printf("%s %d %s %s [%s] %d\n", x, strlen(x), strjoin("0", "1234"), self->s, "", sizeof(x));
	@[x, strtok("a/b", "/")] = count();
	exit(0);
}
END { printa("%s %s %@d\n", @); }
