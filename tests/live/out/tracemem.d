/* tracemem(): so many bytes, or as many of them as the third argument says. */
/* @@opts: -q */
/* @@err: */
struct { char text[24]; } x;
string s;

BEGIN
{
	s = "twenty bytes of text";
	x.text[0] = 'a';
	x.text[1] = 127;
	x.text[17] = 'z';
	tracemem(s, 21);
	tracemem(s, 21, 6);
	tracemem(s, 8, 100);
	tracemem(s, 8, strlen(s) - 20);
	tracemem(&x, 20);
	tracemem(x.text, 4);
	tracemem((uintptr_t)&x.text[1], 1);
	tracemem(s, 8, -1);
}

BEGIN
{
	tracemem((void *)8, 4);
}

BEGIN
{
	exit(0);
}
