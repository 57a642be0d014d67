# @@needs: cmd:unshare
# cpuinfo_t: places of CPUs as sysfs has them, which here says that the last CPU is in package 3
# and node 2. That CPU is kept busy: some hypervisors' kernels run no timer of a perf event on an
# idle CPU that they would rather not use.
last=$(($(getconf _NPROCESSORS_CONF) - 1))
cat >inside <<I
mount -t tmpfs tmpfs /sys/devices/system/cpu/cpu$last
mkdir -p /sys/devices/system/cpu/cpu$last/topology /sys/devices/system/cpu/cpu$last/node2
echo 3 >/sys/devices/system/cpu/cpu$last/topology/physical_package_id
exec taskset -c $last $DTRACE -qs script
I
cat >script <<'D'
profile-100ms
/cpu == LAST/
{
	printf("package %d, %d, node %d %d, set %d\n", curcpu->cpu_chip, chip,
	    curcpu->cpu_lgrp, curlwpsinfo->pr_lgrp, pset);
	printf("%s, %d, %s, %d\n", curcpu->cpu_info.pi_processor_type,
	    curcpu->cpu_info.pi_state == P_ONLINE, curcpu->cpu_info.pi_fputypes,
	    curcpu->cpu_info.pi_clock);
	exit(0);
}
D
sed -i "s/LAST/$last/" script
taskset -c "$last" timeout 20 sh -c 'while :; do :; done' &
busy=$!
unshare -m sh inside | tr '\n' ';' >got
kill $busy
mhz=$(sed -n '/^cpu MHz/{s/.*: //;s/[.].*//p;q;}' /proc/cpuinfo)
case $(uname -m) in x86_64) fpu='i387 compatible' ;; *) fpu= ;; esac
printf 'package 3, 3, node 2 2, set 0;%s, 1, %s, %s;' "$(uname -m)" "$fpu" "${mhz:-0}" >want
cmp got want || { cat got want; exit 1; }
# The part of memory that a process has.
$DTRACE -qn 'syscall::write:entry /pid == $target/ {
	printf("%d %d\n", curpsinfo->pr_pctmem, curpsinfo->pr_rssize); }' \
	-c 'dd if=/dev/zero of=/dev/null bs=100M count=1 status=none' >got
awk 'NR == FNR { if (/^MemTotal/) all = $2; next } NF { print "part of memory:",
	($2 > 90000 && $1 - 32768 * $2 / all < 3 && 32768 * $2 / all - $1 < 3) }' \
	/proc/meminfo got
