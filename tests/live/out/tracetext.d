/* @@err: */
/*
 * Bytes that print are text to trace(), also without a NUL; times of aggregations; what a setopt()
 * cannot do; IPv4 in IPv6.
 */
#pragma D option quiet
struct one { char c; } o;
char eight[8];
BEGIN
{
	o.c = '4';
	trace(o);
	eight[0] = 'a'; eight[1] = 'b'; eight[2] = 'c'; eight[3] = 'd';
	eight[4] = 'e'; eight[5] = 'f'; eight[6] = 'g'; eight[7] = 'h';
	trace(eight);
	printf("\n[%?d] [%?p] [%-?x] [%0.0s]\n", 5, 0x1234, 6, "whole");
	@t = max(1063599821000000000);
	printa("%@Y|%@T\n", @t);
	clear(@t);
	setopt("nothing");
	setopt("quiet", "perhaps");
	setopt("bufsize", "1m");
	printf("[%s]\n", cleanpath(""));
	this->p = (struct in6_addr *)alloca(16);
	this->p->in6_u.u6_addr8[12] = 127;
	this->p->in6_u.u6_addr8[15] = 1;
	printf("%s %s\n", inet_ntoa6(this->p), inet_ntoa6(this->p, 1));
	this->p->in6_u.u6_addr8[10] = this->p->in6_u.u6_addr8[11] = 255;
	printf("%s %s\n", inet_ntoa6(this->p), inet_ntoa6(this->p, 1));
	this->p->in6_u.u6_addr8[10] = this->p->in6_u.u6_addr8[11] = this->p->in6_u.u6_addr8[12] = 0;
	printf("%s\n", inet_ntoa6(this->p));
	this->s = (char *)alloca(6);
	bcopy(probename, this->s, 6);
	printf("%s\n", stringof(this->s));
}
BEGIN { commit(0); commit(1); discard(1); }
BEGIN { commit(1024); }
BEGIN { discard(-1); }
BEGIN { exit(0); }
