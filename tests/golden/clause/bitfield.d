/* @@opts: -x nofeat=all -x ncpus=4 */
/* Bit-fields of a structure of D. */
struct f { int a : 3; unsigned b : 5; };
struct f f;

BEGIN
{
	f.a = arg0;
	f.b++;
	trace(f.a);
}
