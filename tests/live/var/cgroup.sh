# SPDX-License-Identifier: GPL-2.0-or-later
# cgroup and cgroupid(): processes of a control group of the unified hierarchy.
# @@status: 1
mkdir tree
mount -t cgroup2 none tree 2>/dev/null || { echo "needs cgroup2"; exit 77; }
group=tree/dt_test_$$
trap 'rmdir $group 2>/dev/null; umount tree' EXIT
mkdir $group || { echo "needs control groups that can be made"; exit 77; }
cat >inside <<S
#!/bin/sh
calls -n 3
echo \$\$ >$group/cgroup.procs
exec calls -n 5
S
chmod +x inside
$DTRACE -qn 'syscall::getppid:entry /progenyof($target) && execname == "calls"/ {
	@[cgroup == cgroupid($$1) ? "inside" : "outside"] = count(); }
	END { printa("%s %@d\n", @); }' -c ./inside "$PWD/$group"
$DTRACE -qn 'int cgroup; BEGIN { cgroup = 5; printf("%d\n", cgroup); exit(0); }'
says() {
	$DTRACE -e -n "BEGIN { trace($1); }" 2>&1 | sed 's/.*action list: //'
}
says 'cgroupid("/no/such/folder")'
says 'cgroupid("/proc")'
says 'cgroupid("no/such/group")'
says 'cgroupid(execname)'
says 'cgroupid()'
