/* Bit-fields of packed structs, which cross the units of their types. */
/* @@opts: -q -x btfpath=$BUILD/tests/fixture/kernel.btf */
BEGIN
{
	p = (char *)alloca(16);
	p[0] = 0xa5; p[1] = 0x5a; p[2] = 0xc3; p[3] = 0x3c; p[4] = 0xe7; p[5] = 0x81;
	p[6] = 0x18; p[7] = 0x7e;
	p[8] = 0x99; p[9] = 0x66; p[10] = 0x42; p[11] = 0x24; p[12] = 0xbd;
	this->w = (struct wire *)p;
	this->s = (struct signed_wire *)p;
	printf("%x %x %x %d\n", this->w->a, this->w->b, this->w->d, this->w->e);
	printf("%x %d\n", this->s->a, this->s->b);
	this->t = (struct task_struct *)p;
	printf("%x %d %s\n", this->t->flags, this->t->weather, (enum weather)3);
	exit(0);
}
