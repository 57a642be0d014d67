# A whole structure of the kernel.
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: pid [0-9]+ has exited
$DTRACE -qn 'rawtp:::sched_process_exit /pid == $target/ { print(args[0]); print(*args[0]);
	print(args[0]->comm); }' -c 'calls 1' >out
grep -qx ' \{44\}(struct task_struct) {' out
grep -qx ' \{45\}\.pid = (pid_t)[1-9][0-9]*,' out
grep -qx ' \{45\}\.comm = (char \[16\]) \[' out
grep -A5 '\.comm = ' out | tr -d ' \n' |
	grep -qF "[(char)'c',(char)'a',(char)'l',(char)'l',(char)'s',"
grep -qx 'struct task_struct {' out
grep -qx '    char \[16\] comm = "calls"' out
grep -qx 'char \[16\] "calls"' out
grep -q '^            struct list_head \* next = 0xff' out
$DTRACE -x oformat=json -n 'rawtp:::sched_process_exit /pid == $target/ { print(args[0]); }' \
	-c 'calls 1' >out 2>err
grep '"type":"record"' out | grep '"comm":"calls"' |
	grep -q '"type":"struct task_struct","address":"0xff'
