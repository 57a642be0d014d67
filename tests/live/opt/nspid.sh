# SPDX-License-Identifier: GPL-2.0-or-later
# -x nspid: pid and tid that are printed or keys are numbers of the process's own PID namespace,
# whatever nspid is in the script; expressions have the numbers of the initial one.
# @@needs: cmd:unshare
# @@stderr: ^dtrace: description .* matched 2 probes$
# @@stderr: ^dtrace: pid [0-9]+ has exited
fail() { echo "$*"; exit 1; }
cat >script.d <<'D'
syscall::getppid:entry
/progenyof($target) && execname == "calls" && pid != 1/
{
	nspid = 7;
	seen[pid] = pid;
	printf("%d %d %d %d %d\n", pid, tid, pid + 0 == 1, seen[pid] == 1, nspid);
	trace(pid);
	printf(" ");
	print(tid);
	@[pid, tid, pid == 1] = count();
	@sum = sum(pid);
	exit(0);
}
END
{
	printa("%d %d %d %@d\n", @);
	printa("%@d\n", @sum);
}
D
run() {
	$DTRACE "$@" -qs script.d -c 'unshare -p -f calls -n 1' | grep .
}
run >out
read -r pid tid rest <out # calls has a thread that calls
[ "$pid" -gt 1 ] && [ "$tid" -gt 2 ] || fail "without the option: $(cat out)"
sed "s/^$pid\>/PID/; s/\<$tid\>/TID/" out
echo == nspid
run -x nspid >out
sed '$s/^[0-9][0-9][0-9]*$/SUM/' out
echo == pragma, and the name in JSON
{ echo '#pragma D option nspid'; cat script.d; } >pragma.d
$DTRACE -x oformat=json -qs pragma.d -c 'unshare -p -f calls -n 1' |
	grep -o '"name":"[pt]id"[^}]*\|"keys":[[]1[^]]*'
echo == the column of -x flowthread
$DTRACE -x nspid -x flowthread \
	-Fn 'syscall::getppid: /progenyof($target) && execname == "calls" && pid != 1/ { }' \
	-c 'unshare -p -f calls -n 1' | awk 'NF { print $2, $3, $4 }' | sed 's/ $//'
