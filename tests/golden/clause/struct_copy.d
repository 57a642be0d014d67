/* @@opts: -x nofeat=all -x ncpus=4 */
/* A structure is assigned as a whole. */
struct s { int a; long b[2]; };
struct s x, y;

BEGIN
{
	x.b[1] = arg0;
	y = x;
}
