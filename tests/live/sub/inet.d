/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses as inet_ntop(3) writes them. */
/* @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+  */
#pragma D option quiet

BEGIN
{
	this->v4 = (ipaddr_t *)alloca(4);
	*this->v4 = htonl(0x7f000001);
	printf("%s %s\n", inet_ntoa(this->v4), inet_ntop(AF_INET, this->v4));
	*this->v4 = 0xffffffff;
	printf("%s\n", inet_ntoa(this->v4));
	@[inet_ntoa(this->v4)] = count();
	this->w = (uint64_t *)alloca(24);
	this->w[0] = htonll(0x20010db800000000);
	this->w[1] = htonll(0x0000000000000001);
	this->v6 = (struct in6_addr *)this->w;
	printf("%s %s\n", inet_ntoa6(this->v6), inet_ntop(AF_INET6, this->v6));
	this->w[0] = 0;
	printf("%s\n", inet_ntoa6(this->v6));
	this->w[1] = 0;
	printf("%s\n", inet_ntoa6(this->v6));
	this->w[1] = htonll(0x0000ffff0a000001);
	printf("%s\n", inet_ntoa6(this->v6));
	this->w[0] = htonll(0xfe80000000000000);
	this->w[1] = htonll(0x0123000045670000);
	s = inet_ntoa6(this->v6);
	printf("%s %d\n", s, strlen(s));
	this->w[0] = htonll(0x0123456789abcdef);
	this->w[1] = htonll(0xfedcba9876543210);
	this->w[2] = htonll(0x0011223300000000);
	printf("%s\n%s\n%s\n", inet_ntoa6(this->v6), link_ntop(ARPHRD_ETHER, this->w),
	    link_ntop(ARPHRD_INFINIBAND, this->w));
	@[link_ntop(ARPHRD_ETHER, this->w)] = count();
	printa("%s %@d\n", @);
}

BEGIN
{
	printf("%s\n", inet_ntop(3, alloca(16)));
}

BEGIN
{
	printf("%s\n", link_ntop(772, alloca(20)));
}

BEGIN
{
	printf("%s\n", inet_ntoa((ipaddr_t *)0x10));
}

ERROR
{
	printf("fault %d\n", arg4);
}

BEGIN
{
	exit(0);
}
