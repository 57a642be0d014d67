/*
 * string and char *: a cast of what is a string goes into an array and comes out for %S; a ""
 * beside a char *.
 */
/* @@trigger: sh -c 'exec sh -c : one two' */
#pragma D option quiet

proc:::exec-success
/pid == $target && curpsinfo->pr_argc == 5/
{
	start_args[pid, 7] = (char *)curpsinfo->pr_psargs;
	start_time[pid] = timestamp;
}

syscall::exit_group:entry
/start_time[pid]/
{
	this->args = (int)start_args[pid, 7] == 0 ? "" : start_args[pid, 7];
	this->none = (int)start_args[pid, 8] == 0 ? "none" : start_args[pid, 8];
	printf("%S|%S|", this->args, this->none);
	start_args[pid, 7] = 0;
	printf("%d\n", start_args[pid, 7] == 0);
	this->word = strtok("a b", " ");
	printf("%d %d %s\n", this->word != NULL, strtok(NULL, " ") != NULL, (char *)"text");
}
