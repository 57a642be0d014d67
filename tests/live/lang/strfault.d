/*
 * A fault in what is assigned leaves the variable as it was; text made of the variable itself is
 * right.
 */
/* @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+  */
#pragma D option quiet
BEGIN { g = "old"; self->s = "self"; a[1] = "elem"; this->t = "this"; }
BEGIN { g = copyinstr(1); }
BEGIN { self->s = copyinstr(1); }
BEGIN { a[1] = stringof((char *)8); }
BEGIN { this->t = copyinstr(1); }
BEGIN
{
	printf("%s %s %s %s\n", g, self->s, a[1], this->t);
	g = strjoin(g, g);
	self->s = strjoin(self->s, "!");
	a[2] = a[1];
	a[1] = substr(a[1], 1);
	this->t = this->t;
	printf("%s %s %s %s %s\n", g, self->s, a[1], a[2], this->t);
	g = execname;
	g = g;
	a[1] = 0;
	self->s = 0;
	printf("%d %d %d\n", g != NULL, a[1] == NULL, self->s == NULL);
	exit(0);
}
