/* @@opts: -x nofeat=all -x ncpus=4 */
/* Probes on the clock. */
profile-97, tick-10ms
{
	@[cpu] = count();
}

tick-1s
{
	exit(0);
}
