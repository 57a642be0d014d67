/* @@opts: -x nofeat=all -x ncpus=4 */
/* @@kernel: */
/* Each watchpoint has a program of its own: where it is and how wide are constants. */
watch:vmlinux:typed_int+4:write-4, watch::0xffffffff82000200:access-2
/arg0 != arg1/
{
	@ = sum(args->value);
}
