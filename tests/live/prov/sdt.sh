# Tracepoints: arguments by the format file, strings, arrays, two programs on one; raw ones with
# the kernel's types.
t() { $DTRACE -q "$@"; }
echo "--- exec"
t -n 'sdt:sched::sched_process_exec /args->pid == $target/ {
	printf("%s %d %d %s %s:%s:%s:%s\n", args[0], args[1] == $target, args->old_pid == pid,
	    args->filename, probeprov, probemod, probefunc, probename);
	@[args->filename] = count(); }' -c 'sh -c "exec /bin/true"'
echo "--- array of characters"
t -n 'sdt:sched::sched_process_exit /pid == $target/ {
	printf("%s %d %s %d %c\n", args->comm, args->pid == tid, stringof(args[0]),
	    sizeof(args[0]), args->comm[1]);
	@[stringof(args[0])] = count(); }' -c true
echo "--- array of numbers"
t -n 'sdt:raw_syscalls::sys_enter /pid == $target && args->args[1] == 1234/ {
	this->i = 2; printf("%d %d %d\n", (int)args->args[0], args[1][1], args->args[this->i]); }' \
	-c 'calls -- 1234'
echo "--- raw"
t -n 'rawtp:sched::sched_process_exec /args[1] == $target/ {
	printf("%s %d %s %d %d\n", stringof(args[0]->comm), args[0]->pid == args[1],
	    stringof(args[2]->filename), args[0]->real_parent->tgid == ppid,
	    arg0 == (int64_t)args[0]); }' -c 'sh -c "exec /bin/true"'
t -n 'rawtp:sched::sched_process_fork /pid == $target/ {
	printf("%d %d %d\n", args[0]->tgid == pid, args[1]->real_parent->tgid == args[0]->tgid ||
	    args[1]->tgid == pid, args[1]->pid != args[0]->pid); exit(0); }' -c calls
echo "--- together"
t -n 'sdt:sched::sched_process_exit /tid == $target/ { printf("one\n"); }
	sdt:sched::sched_process_ex* /tid == $target/ { printf("two %s\n", probename); }
	sdt:sched::sched_process_exit, rawtp:sched::sched_process_exit /tid == $target/ {
		printf("three %s\n", probeprov); }' -c true >out
sort out
t -n 'syscall::getppid:entry /pid == $target/ { @a = count(); }
	sdt:raw_syscalls::sys_enter /pid == $target && args->args[1] == 77/ { @b = count(); }
	rawtp:raw_syscalls::sys_enter /pid == $target/ { @c[args[1] == 0x7fff] = count(); }
	END { clear(@c); printa("%@d\n", @a); printa("%@d\n", @b); printa("%d %@d\n", @c); }' \
	-c 'calls -n 500 77'
echo "--- several providers"
t -n 'BEGIN, syscall::getppid:entry, sdt:sched::sched_process_exit, END
	/probename == "BEGIN" || probename == "END" || tid == $target ||
		probefunc == "getppid" && pid == $target/ {
	printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename); }' -c 'calls -n 2'
