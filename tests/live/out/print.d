/* print(): values as "type value", pointers with what they point to. */
/* @@opts: -q */
enum e { A, B };
struct in { int x; char *p; };
struct s {
	int n;
	unsigned int f:3;
	int g:5;
	char text[8];
	struct in one, two[2];
	union { int u; unsigned char c; };
	unsigned char raw[4];
	enum e e;
	uint64_t mask;
};
struct s x;
this struct s y;

BEGIN
{
	x.n = 5;
	x.f = 6;
	x.g = -3;
	x.text[0] = 'h';
	x.text[1] = '"';
	x.one.x = 7;
	x.two[1].x = 9;
	x.u = 70;
	x.raw[1] = 255;
	x.e = B;
	x.mask = 0xf0;
	this->y = x;
	print(x);
	print(&x);
	print(&x.one);
	print(x.two);
	print(x.text);
	print(this->y.one);
	print(1 + 1);
	print(-1);
	print((uint8_t)200);
	print('c');
	print("a\tb\"");
	print(execname);
	print((void *)16);
	print(&x.n);
	print(&x.text[0]);
	print(x.e);
}

BEGIN
/x.n == 5/
{
	x.n ? print(x.n) : 1;
	x.n ? 1 : print(x.f);
	exit(0);
}
