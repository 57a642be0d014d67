/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Byte order; device numbers: twelve bits and twenty. */
#pragma D option quiet

BEGIN
{
	printf("%x %x %x\n", htons(0x1234), htonl(0x12345678), htonll(0x123456789abcdef0));
	printf("%x %x %x\n", ntohs(0x1234), ntohl(0x12345678), ntohll(0x123456789abcdef0));
	s = 0xfffff00d;
	printf("%x %x %x\n", htons(s), ntohl(s), htonll(s));
	printf("%d %d %d\n", ntohs(htons(80)) == 80, ntohl(htonl(s)) == s,
	    ntohll(htonll(-2)) == -2);
	d = (8 << 20) | 17;
	printf("%d %d\n", getmajor(d), getminor(d));
	printf("%d %d\n", getmajor(0xffffffff), getminor(0xffffffff));
	exit(0);
}
