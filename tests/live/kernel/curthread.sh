# curthread is the thread that fires the probe: what it says is what dtrace's variables and /proc
# say.
$DTRACE -q -n 'syscall::getppid:entry /pid == $target && !done++/ {
	printf("%d %d %d %d\n", curthread->tgid == pid, curthread->pid == tid,
	    curthread->real_parent->tgid == ppid, curthread->group_leader->tgid == pid);
	printf("%s %s %s %s\n", curthread->comm, stringof(curthread->comm),
	    (string)curthread->comm, execname);
	printf("%s %s %c\n", (string)&curthread->comm[1], stringof((char *)curthread->comm + 2),
	    curthread->comm[0]);
	printf("%d %d %d %d\n", curthread->comm == execname, strlen(curthread->comm),
	    sizeof(curthread->comm), sizeof(*curthread) == sizeof(struct task_struct));
	printf("%s\n", strjoin(curthread->comm, "!"));
	printf("%d\n", curthread->mm->arg_start > 0 &&
	    curthread->mm->arg_end - curthread->mm->arg_start == 6);
	printf("%d\n", ((struct task_struct *)((char *)&curthread->pid -
	    offsetof(struct task_struct, pid)))->tgid == pid);
	self->t = curthread;
	x = curthread;
	p = &curthread->tgid;
	printf("%d %d %d\n", self->t->tgid == pid, x->pid == tid, *p == pid);
	@[curthread->comm, curthread->tgid == pid] = count();
}' -c calls
echo "--- start"
cat >start.sh <<'E'
read -r _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ start _ </proc/self/stat
echo "$start" >started
E
# The 22nd field of stat: when the process started, in hundredths of a second.
$DTRACE -q -o seen -n 'syscall::exit_group:entry /pid == $target/ {
	printf("%d\n", curthread->start_boottime / 10000000); }' \
	-c 'sh start.sh'
echo "$(grep . seen)" | sed "s/^$(cat started)\$/the same/"
