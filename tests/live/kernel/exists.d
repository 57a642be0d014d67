/* What exists() is for: members, types and arguments that only some kernels have. */
/* @@opts: -q */
/* @@needs: btf */
inline int state = exists(curthread->__state) ? curthread->__state : curthread->state;

BEGIN
/exists(curthread->comm) && !exists(curthread->nosuch)/
{
	printf("%d %d %d\n", exists(args[0]), exists(sizeof(struct nosuch)),
	    exists(sizeof(struct task_struct)));
	printf("%d %d\n", exists(x = 1), exists(`vfs_read));
	printf("%d\n", exists(curthread->nosuch) ? curthread->nosuch : curthread->tgid == pid);
	printf("%d\n", state);
	if (exists(curthread->nosuch)) {
		trace(curthread->nosuch->at->all);
	} else {
		printf("else\n");
	}
	x = "text";
	printf("%s %d\n", x, exists(x = 1));
}

sdt:sched::sched_switch
/exists(args->prev_comm) && !exists(args->nosuch) &&
    cpu == 0/ /* on two at once it would be told twice */
{
	printf("%d\n", exists(args->next_pid));
	exit(0);
}

tick-1
/exists(args->prev_comm)/
{
	printf("never\n");
}
