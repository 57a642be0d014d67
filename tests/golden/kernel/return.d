/* @@kernel: */
/*
 * What the function returns is what the program returns, 0: it runs. A kprobe can have it return 0.
 */
fbt::kick_task:entry
/args->task->pid == 7/
{
	return(-5);
}

rawfbt::kick_task:entry
{
	return(uid);
}
