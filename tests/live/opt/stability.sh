# -v: the stability of statements is the least of what they name; -x amin refuses what is less.
# @@status: 1
least() {
	$DTRACE -ev -n "BEGIN { trace($1); }" | awk -v what="$1" '/Statement/ { on = 1 }
		on && /:/ { a = a "/" $NF } END { print what ":" a }'
}
least pid
least curpsinfo-\>pr_pid
least curcpu-\>cpu_id
least curthread
least curthread-\>t_procp
least '`schedule'
least '`hp_avenrun[0]'
for what in pid curpsinfo-\>pr_pid curthread-\>t_procp 'pid + (uintptr_t)`schedule'; do
	$DTRACE -x amin=Evolving/Evolving/Common -e -n "dtrace:::BEGIN { trace($what); }" 2>&1 ||
		echo "status $?"
done
