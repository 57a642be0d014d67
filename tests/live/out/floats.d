/* Constants in floating point are printed as they are. */
#pragma D option quiet
BEGIN
{
	printf("%.2f %f %e [%8.3g] [%-8.1f] %.0f %f\n", 1.5, -.25, 1e10, 3.14159,
	    - -2.5, 2.5f, (1.));
	printf("%5.1f%% of %d: %s\n", 99.9, 1000, "all");
	trace(1.5);
	trace(-0.125);
	printf("\n");
	print(2.5);
}
BEGIN, END
{
	printf("%G\n", -(+2.5e-7));
}
BEGIN
{
	exit(0);
}
