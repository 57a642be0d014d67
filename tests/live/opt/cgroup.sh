# SPDX-License-Identifier: GPL-2.0-or-later
# -x cgroup, or container: only processes in a control group or below fire, named by path, container
# or service; container: what its path says. What fires for the whole system does so in any case.
# @@status: 1
# @@stderr: ^dtrace: failed to set -x cgroup:
mkdir tree
mount -t cgroup2 none tree 2>/dev/null || { echo "needs cgroup2"; exit 77; }
top=dt_opt_$$
id=$(printf '%016x' $$ $$ 11 12)
trap 'rmdir tree/$top/docker-$id.scope/in tree/$top/*/ tree/$top 2>/dev/null || :; umount tree' EXIT
mkdir -p "tree/$top/docker-$id.scope/in" "tree/$top/web$$.service" || {
	echo "needs control groups that can be made"
	exit 77
}
mkdir "tree/$top/$(printf 'e\033[1mc').service"
cat >inside <<'S'
back=$(sed -n s/^0:://p /proc/self/cgroup)
calls -n 2
echo $$ >"$1/docker-$2.scope/in/cgroup.procs"
calls -n 3
echo $$ >"$1/web$3.service/cgroup.procs"
calls -n 4
echo $$ >"$1/$(printf 'e\033[1mc').service/cgroup.procs"
calls -n 5
sleep 0.2
echo $$ >"tree$back/cgroup.procs"
S
short=$(echo "$id" | cut -c 1-12)
t() {
	echo "== $1" |
		sed "s,^== [0-9]*$,== NUMBER,; s,$PWD,HERE,; s/$top/TOP/
			s/$id/ID/; s/$short/SHORT/; s/$$/N/"
	$DTRACE -x aggrate=10ms -x cgroup="$1" -qn 'syscall::getppid:entry /progenyof($target) &&
		execname == "calls"/ { @[container] = count(); }
		dtrace:::BEGIN { printf("begin "); } dtrace:::END { printf("end");
			printa("\n%s %@d", @); }' -c "sh inside tree/$top $id $$" 2>err |
		sed "s/$short/SHORT/; s/web$$/webN/"
	sed "s/$top/TOP/g; s/$$/N/g" err
	echo
}
t "$id"
t "$short"
t "web$$"
t "/$top"
t "$PWD/tree/$top/web$$.service"
t "$(stat -c %i "tree/$top/web$$.service")"
t "nothing_$$"
t /proc
mkdir "tree/$top/web$$.scope"
t "web$$"
$DTRACE -x cgroup="web$$.service" -qn 'tick-10ms, profile-97 { @[probename] = count(); }
	tick-500ms { exit(0); } END { printa("%s\n", @); }'
$DTRACE -x container="web$$.service" -x oformat=json -qn '
	syscall::getppid:entry /progenyof($target) && execname == "calls"/
		{ trace(container); exit(0); }' \
	-c "sh inside tree/$top $id $$" | sed -n 's/.*"output":/"output":/p' | sed "s/$$/N/"
