# SPDX-License-Identifier: GPL-2.0-or-later
# cgroup_path(): the path of a control group, also of one that has gone when it is printed.
# @@status: 1
# @@stderr: ^  /dt_path_[0-9]+/in                                 
# @@stderr: ^/dt_path_[0-9]+/in \[/   \] [0-9]+
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
mkdir tree
mount -t cgroup2 none tree 2>/dev/null || { echo "needs cgroup2"; exit 77; }
group=tree/dt_path_$$
trap 'rmdir $group/in $group 2>/dev/null || :; umount tree' EXIT
mkdir $group $group/in || { echo "needs control groups that can be made"; exit 77; }
cat >inside <<S
#!/bin/sh
top=\$(cat /proc/self/cgroup | sed -n s/^0:://p)
calls -n 3
echo \$\$ >$group/in/cgroup.procs
calls -n 5
sleep 0.3
echo \$\$ >tree\$top/cgroup.procs
rmdir $group/in
S
chmod +x inside
me=$(sed -n s/^0:://p /proc/self/cgroup)
name() {
	sed "s,dt_path_$$,GROUP,g; s,^$me ,OURS ,; s/  */ /g; s/ $//; s/^20[^,]*,/TIME,/"
}
script='syscall::getppid:entry /progenyof($target) &&
	execname == "calls"/ { @[cgroup_path(cgroup)] = count(); } END { printa("%s %@d\n", @); }'
$DTRACE -x aggrate=10ms -qn "$script" -c ./inside | name
mkdir $group/in
# As an action, in printf and a variable, and by programs to read.
id=$(stat -c %i $group/in)
cat >values.d <<'S'
BEGIN {
	w[1] = cgroup_path($1);
	printf("%s [%-4s] %s\n", w[1], cgroup_path(1), cgroup_path(123456789012345));
	cgroup_path($1);
	@[cgroup_path($1), cgroup_path(123456789012345)] = count();
	exit(0);
}
S
$DTRACE -qs values.d "$id" | name
$DTRACE -x oformat=json -s values.d "$id" 2>err |
	sed -n 's/.*"output":/"output":/p; s/.*"keys":/"keys":/p' | name
$DTRACE -x oformat=csv -qs values.d "$id" | name
$DTRACE -e -n 'BEGIN { trace(cgroup_path()); }' 2>&1 | sed 's/.*action list: //'
