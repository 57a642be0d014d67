/*
 * Stores reach what this firing has allocated so far, in whole words, and no byte of what it has
 * not.
 */
/* @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+  */
#pragma D option quiet

ERROR { printf("clause %d: fault %d\n", (int)arg1, arg4); }
BEGIN
{
	this->p = (char *)alloca(8);
	this->p[0] = 'a';
	this->p[7] = 'b';
	*(uint64_t *)this->p |= 0x6300;
	this->q = (char *)alloca(3);
	this->q[7] = 'd';
	this->p[8] = 'e';
	printf("%s %s %d\n", stringof(this->p), stringof(this->q), this->q - this->p);
	kept = this->q;
	n = 9;
}
BEGIN { this->p[15] = 'f'; printf("still there\n"); }
BEGIN { this->p[16] = 1; printf("byte behind\n"); }
BEGIN { this->p[4096] = 1; printf("far behind\n"); }
BEGIN { this->p[-1] = 1; printf("in front\n"); }
BEGIN { *(uint32_t *)(this->q + 6) = 1; printf("half behind\n"); }
BEGIN { bcopy(this->p, this->q, 9); printf("nine bytes\n"); }
BEGIN { bcopy(this->p, this->q, n); printf("n bytes\n"); }
BEGIN { bcopy(this->p, this->q, n - 1); printf("n - 1 bytes: %s\n", stringof(this->q)); }
BEGIN { this->r = (char *)alloca(n); this->p[16] = 'g'; this->p[31] = 'h'; printf("more now\n"); }
BEGIN { this->p[32] = 1; printf("behind that\n"); }
tick-10ms { kept[0] = 1; printf("another firing's\n"); }
tick-10ms { this->r = (char *)alloca(8); exit(0); }
