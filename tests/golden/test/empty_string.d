/*
 * A string that is computed and empty is not NULL, in variables of each scope and in arrays; what
 * was not assigned is.
 *
 * @test
 * fire app:::tick arg0=3
 * output
 * 0 0 0 0 0 1
 */
#pragma D option quiet

string g;
this string c;
string a[int];

app:::tick
{
	g = substr("abc", arg0);
	a[1] = substr("abc", arg0);
	a[2] = strjoin(g, g);
	self->s = substr("abc", arg0);
	this->c = substr("abc", arg0);
	printf("%d %d %d %d ", g == NULL, a[1] == NULL, a[2] == NULL, self->s == NULL);
	printf("%d %d\n", this->c == NULL, a[3] == NULL);
}
