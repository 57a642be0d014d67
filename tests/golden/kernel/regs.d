/* @@kernel: */
/* Who wants the registers is on a kprobe; the program is called with them. */
fbt::kick_task:entry
{
	trace(regs[R_R0]);
}

fbt::kick_task:entry
{
	@ = count();
}
