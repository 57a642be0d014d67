# pr_psargs, pr_argc, pr_argv and pr_envp of other processes than the current one: 17 of them,
# whose arguments lie 256 bytes apart on their stacks, so that some are in two pages.
long=$(printf '%0200d' 7)
pids='' pad=''
for n in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	# the only word of its environment; what is in front of it on the stack are the arguments
	env -i "PAD=$pad" "$(command -v sleep)" 60 "0.$long$n" &
	pids="$pids $!"
	pad="$pad$(printf '%0256d' 0)"
done
trap 'kill $pids 2>/dev/null || :' EXIT
sleep 0.5
for p in $pids; do
	until [ "$(cat /proc/"$p"/comm)" = sleep ]; do sleep 0.1; done
	tr '\0' ' ' <"/proc/$p/cmdline" | sed "s/ \$//; s/.*/$p 3 & PAD/"
	echo
done >want
echo "for p in $pids; do kill -CONT \$p; done" >work
$DTRACE -qs /dev/stdin -c 'sh work' <<'D' | grep . >got
proc:::signal-send
/args[1]->pr_fname == "sleep" && args[2] == SIGCONT && progenyof($target)/
{
	printf("%d %d %s PAD\n", args[1]->pr_pid, args[1]->pr_argc, args[1]->pr_psargs);
	bad += args[1]->pr_envp - args[1]->pr_argv != 8 * 4 || curpsinfo->pr_psargs != "sh work";
}
/* A new process has its parent's; a thread of the kernel has a name. */
proc:::create
/pid == $target/
{
	child = args[0]->pr_psargs;
}
END
{
	printf("%d\n", bad);
}
D
echo 0 >>want
grep . want | cmp - got || { grep . want | diff - got; exit 1; }
$DTRACE -qn 'proc:::create /pid == $target/ {
	printf("child: %s, %d\n", args[0]->pr_psargs, args[0]->pr_argc); }
	sched:::wakeup /args[1]->pr_flag & PR_ISSYS && args[1]->pr_psargs != args[1]->pr_fname/ {
		printf("child of none: %s\n", args[1]->pr_psargs); }' \
	-c 'sh -c "true; sleep 0.01; true"' | grep child | sort -u
# The current process's are read without all that.
echo "looked for: $($DTRACE -x debug -qn 'BEGIN { trace(curpsinfo->pr_psargs);
	trace(curpsinfo->pr_argc); exit(0); }' 2>&1 | grep -c 'memory is' || :)"
