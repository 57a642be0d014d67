/* Reads reach what this firing has allocated so far, in whole words, and no byte around it. */
/* @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+  */
#pragma D option quiet
#pragma D option faultlimit=0

ERROR { printf("clause %d: fault %d\n", (int)arg1, arg4); }
BEGIN
{
	n = 9;
	this->p = (char *)alloca(8);
	this->p[7] = 'b';
	this->q = (char *)alloca(3);
	this->q[0] = 'q';
	this->r = (uint32_t *)this->p;
	printf("%c%c\n", this->p[7], this->p[8]);
}
BEGIN { printf("byte behind: %d\n", this->p[16]); }
BEGIN { printf("byte in front: %d\n", this->p[-1]); }
BEGIN { printf("word in front: %d\n", this->r[-1]); }
BEGIN { printf("half behind: %d\n", *(uint32_t *)(this->q + 6)); }
BEGIN { printf("by a variable: %d\n", this->p[n + 7]); }
BEGIN { bcopy(this->q, this->p, 9); printf("nine bytes\n"); }
BEGIN { bcopy(this->q, this->p, n); printf("n bytes\n"); }
BEGIN { bcopy(this->q, this->p, n - 1); printf("n - 1 bytes: %c\n", this->p[0]); }
BEGIN { tracemem(this->q, 16); printf("sixteen bytes\n"); }
BEGIN { this->t = (char *)alloca(n); this->t[15] = 't'; printf("more now: %c\n", this->p[31]); }
BEGIN { this->s = probename; this->c = (char *)this->s;
	printf("a text: %c\n", this->c[0]); exit(0); }
