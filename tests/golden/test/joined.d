/*
 * printa() of several aggregations joins rows by the values of their keys.
 *
 * @test
 * fire app:::name execname="sh" arg0="sh"
 * fire app:::name execname="a" arg0="a longer name"
 * fire app:::name execname="b" arg0=""
 * fire app:::number arg0=-1 arg1=-1
 * fire app:::number arg0=7 arg1=4294967295
 * fire app:::number arg0=65535 arg1=65535
 * fire app:::number arg0=300 arg1=0x7fffffffffffffff
 * fire app:::print
 * fire app:::reverse
 */
#pragma D option quiet

enum colour { RED, GREEN = 7 };
struct point { int x, y; };
struct point p, q;

app:::name
{
	@exec[execname, 1] = sum(1);
	@text[copyinstr(arg0), 1L] = sum(2);
	@constant["sh", (char)1] = sum(3);
}

app:::number
{
	@int[(int)arg0] = sum(1);
	@long[arg1] = sum(2);
	@ulong[(uint64_t)arg1] = sum(4);
	@short[(short)arg0] = sum(8);
	@ushort[(uint16_t)arg0] = sum(16);
	@char[(char)arg0] = sum(32);
	@colour[(enum colour)arg0] = sum(64);
	@pointer[(void *)arg0] = sum(128);
	p.x = arg0;
	q.x = arg1;
	@p[p] = sum(1);
	@q[q] = sum(2);
}

app:::print, app:::reverse
{
	printf("\nnames:\n");
	printa("%s: %@d %@d %@d\n", @exec, @text, @constant);
	printf("\nint, long, unsigned long:\n");
	printa("%d: %@d %@d %@d\n", @int, @long, @ulong);
	printf("\nshort, unsigned short:\n");
	printa("%d: %@d %@d\n", @short, @ushort);
	printf("\nunsigned short, char, enumeration:\n");
	printa("%d: %@d %@d %@d\n", @ushort, @char, @colour);
	printf("\nenumeration, int, unsigned long:\n");
	printa("%s: %@d %@d %@d\n", @colour, @int, @ulong);
	printf("\nint, pointer, long:\n");
	printa("%d: %@d %@d %@d\n", @int, @pointer, @long);
	printf("\npointer, int, unsigned long:\n");
	printa("%p: %@d %@d %@d\n", @pointer, @int, @ulong);
	printf("\nstructures:\n");
	printa("%r: %@d %@d\n", @p, @q);
	printf("\nwithout a format:\n");
	printa(@char, @short, @long);
	setopt("aggsortkey");
	setopt("aggsortrev");
}
