# Variables of the kernel, typed and untyped, shared and of each CPU, against /proc.
# @@status: 1
grep -q '^0*[1-9a-f][0-9a-f]* [A-Za-z] init_task$' /proc/kallsyms || {
	echo "needs addresses of the kernel's variables"
	exit 77
}
t() { $DTRACE -q "$@" | grep .; }
echo "--- typed"
t -n 'BEGIN { printf("%s %d %d\n", `init_task.comm, `init_task.pid, (&`init_task)->tgid);
	printf("%s %d\n", ((struct task_struct *)&`init_task)->comm,
	    &`init_task == vmlinux`init_task.group_leader);
	printf("%d\n", `nr_cpu_ids >= $1 && `nr_cpu_ids <= 8192);
	printf("%d %d\n", `jiffies > 0, `jiffies - vmlinux`jiffies_64 < 1000);
	printf("%d %d\n", sizeof(`avenrun), `avenrun[0] < 1 << 24);
	printf("%s|%s\n", `init_uts_ns.name.sysname, `init_uts_ns.name.release);
	printf("%s", `linux_banner);
	trace(`linux_banner);
	printf("%d %s\n", `system_state == SYSTEM_RUNNING, `system_state);
	exit(0); }' "$(getconf _NPROCESSORS_ONLN)" |
	sed "s/$(uname -r)\$/RELEASE/; s/^$(sed 's/[][*.^$/]/./g' /proc/version)\$/BANNER/"
echo "--- the list of all tasks begins behind the first"
t -n 'BEGIN { this->l = `init_task.tasks.next;
	this->t = (struct task_struct *)((char *)this->l - offsetof(struct task_struct, tasks));
	printf("%d %d\n", this->t->pid, this->t->real_parent == &`init_task); exit(0); }'
echo "--- untyped"
t -n 'BEGIN { printf("%d\n", *(int *)&`panic_on_oops == `panic_on_oops);
	trace(*(int *)&`oops_in_progress);
	printf("\n%d\n", (uintptr_t)&`oops_in_progress > 0xffff000000000000); exit(0); }'
echo "--- of each CPU"
t -n 'syscall::getppid:entry /pid == $target && !n++/ {
	printf("%d %d %d\n", `runqueues.cpu == cpu, `runqueues.curr == curthread,
	    `runqueues.nr_running > 0);
	printf("%d %d\n", (&`runqueues)->cpu == cpu, vmlinux`runqueues.curr->tgid == pid);
	printf("%d\n", *(int *)((char *)&`runqueues + offsetof(struct rq, cpu)) == cpu);
	@[`runqueues.curr->comm] = count(); }' -c calls
t -n 'syscall::getppid:entry /pid == $target && !n++/ { printf("%d\n",
	((uintptr_t *)&`__per_cpu_offset)[cpu] == (uintptr_t)&`runqueues - (uintptr_t)$1); }' \
	-c calls 0x$(sed -n '/ runqueues$/{s/ .*//p;q}' /proc/kallsyms)
echo "--- many CPUs, many threads"
t -n 'syscall::getppid:entry /pid == $target/ {
	@[`runqueues.cpu == cpu && `runqueues.curr == curthread] = count(); }' \
	-c 'calls -n 100 -t 2'
echo "--- in predicates, inlines and conditions"
t -n 'inline uint64_t ticks = `jiffies; BEGIN /ticks > 0 && `init_task.pid == 0/ {
	trace(ticks ? "yes" : "no"); exit(0); }'
echo "--- errors"
for x in '`jiffies = 1' '`init_task.pid++' '`avenrun[0] = 2' 'trace(`oops_in_progress)' \
	'trace(`init_tsak)' 'trace(nosuch`x)'; do
	$DTRACE -xerrtags -en "BEGIN { $x; }" 2>&1 | sed -n '1s/.*list: //p'
done
