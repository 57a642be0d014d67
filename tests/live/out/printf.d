/*
 * Conversions of printf and printa, a line for each family, on values whose text the language
 * defines.
 */
/* @@opts: -q */
enum colour { RED = 1, GREEN };

BEGIN
{
	printf("integers %d %i %u %o %x %X\n", -5, (char)-6, (uint8_t)200, 8, 255, 255);
	printf("any size %d %d %u %x\n", (int64_t)-1 << 40, (short)-2, (uint64_t)-1, (uint16_t)-1);
	printf("sizes %hd %hu %hx %ld %lu %lx %lld %llu %llx %lli %lo\n", (short)-1,
	    (unsigned short)65535, (short)-1, -1L, 1UL, -1L,
	    -1LL, 1ULL, -1LL, -7LL, 8L);
	printf("flags [%5d] [%-5d] [%05d] [%+d] [% d] [%#x] [%#o] [%'d]\n", 42,
	    42, 42, 42, 42, 42, 8, 1234567);
	printf("precision [%.3d] [%8.3d] [%-8.3d] [%*d] [%-*d] [%.*d]\n", 7, 7,
	    7, 5, 7, 5, 7, 3, 7);
	printf("chars %c %C %C [%3c] [%-3c] %lc %wc\n", 'a', '\n', 7, 'b', 'c',
	    (wchar_t)0x263a, (wchar_t)'w');
	printf("strings [%s] [%10s] [%-10s] [%.2s] [%*.*s]\n", "text", "text",
	    "text", "text", 6, 3, "text");
	printf("escaped [%S] [%S]\n", "tab\tquote\"", "\001\377");
	printf("enum %s %d %s\n", GREEN, GREEN, (enum colour)1);
	printf("pointer %p %p\n", (void *)0xbeef, 0);
	printf("address %a %A\n", (uintptr_t)1, (uintptr_t)1);
	printf("port %P\n", (uint16_t)65533);
	printf("host %I\n", "127.0.0.1");
	printf("time %Y | %T\n", (int64_t)1294230791000000000, (int64_t)1294230791000000000);
	printf("buffer %r\n", "abc");
	printf("default %v %v\n", 12, "twelve");
	@a = sum(1234567); @b = avg(3); @c["k", 2] = count();
	exit(0);
}

END
{
	printa("aggregation %@d %@u %@x %@8d|\n", @a, @a, @a, @a);
	printa("average %@d\n", @b);
	printa("keys %s %d [%@-4d]\n", @c);
	printa("keys [%-3s] [%03d] %@u\n", @c);
}
