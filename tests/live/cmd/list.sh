# Listings: columns, what is matched once, what is not.
# @@status: 1
# @@stderr: ^dtrace: 
$DTRACE -l -i 1-3 >out
diff - out <<E
   ID   PROVIDER            MODULE                          FUNCTION NAME
    1     dtrace                                                     BEGIN
    2     dtrace                                                     END
    3     dtrace                                                     ERROR
E
$DTRACE -l -n BEGIN -i 1 -s - <<E >out2
BEGIN, END { } ERROR { nothing++; }
E
diff out out2
$DTRACE -l -n nosuch -f foo -m a:b -P zz -n BEGIN >out 2>err && exit 1 || [ $? = 1 ]
[ "$(wc -l <out)" = 2 ]
diff - err <<E
dtrace: failed to match :::nosuch: No probe matches description
dtrace: failed to match ::foo:: No probe matches description
dtrace: failed to match a:b::: No probe matches description
dtrace: failed to match zz:::: No probe matches description
E
$DTRACE -lv -n syscall::close:entry >out
[ "$(grep -c 'syscall .* close entry$' out)" = 1 ]
[ "$(grep -c 'args\[0\]: unsigned int' out)" = 1 ]
# Types, of the kernel and of D, by any of their names.
$DTRACE -lv cpuinfo_t 'enum pid_type' >out
diff - out <<E
typedef struct cpuinfo cpuinfo_t
struct cpuinfo {
	processorid_t cpu_id;
	psetid_t cpu_pset;
	chipid_t cpu_chip;
	lgrp_id_t cpu_lgrp;
	processor_info_t cpu_info;
}
enum pid_type {
	PIDTYPE_PID = 0,
	PIDTYPE_TGID = 1,
	PIDTYPE_PGID = 2,
	PIDTYPE_SID = 3,
	PIDTYPE_MAX = 4
}
E
for t in 'struct list_head' list_head 'vmlinux`list_head' '`struct list_head'; do
	$DTRACE -lv "$t" >out
	[ "$(tr -d '\t\n' \
		<out)" = 'struct list_head {struct list_head *next;struct list_head *prev;}' ]
done
for t in 'struct nosuch' nosuch '' 'nosuch`struct list_head'; do
	$DTRACE -lv "$t" >out 2>err && exit 1 || [ $? = 1 ]
	[ ! -s out ] &&
		[ "$(cat err)" = "dtrace: failed to resolve type $t: there is none of that name" ]
done
[ "$($DTRACE -l | wc -l)" -gt 1500 ]
$DTRACE -l -P syscall -o file
$DTRACE -l -P syscall >out
cmp file out
# Words without an option: descriptions by any of the four names, or whole ones; others are an
# error.
$DTRACE -l 'dtrac*' >out
$DTRACE -l -P dtrace | diff - out
$DTRACE -l '*EGI*' dtrace:::END >out
$DTRACE -l -n BEGIN,END | diff - out
$DTRACE -l 'no*such*word' >out 2>err && exit 1 || [ $? = 1 ]
[ "$(cat err)" = "dtrace: failed to match no*such*word: No probe matches description" ]
$DTRACE -l read >out 2>err && exit 1 || [ $? = 1 ]
grep -q "extraneous argument 'read'" err
# A word that is a system call; and one description, one warning.
$DTRACE -ln openat 2>err >/dev/null && exit 1 || [ $? = 1 ]
grep -q '^dtrace: warning: openat does not match any probes; did you mean "syscall::openat:"?$' err
[ "$(grep -c warning err)" = 1 ]
# The colon after a description is not its own.
$DTRACE -ln 'dt_none*:::' 2>err >/dev/null && exit 1 || [ $? = 1 ]
grep -q '^dtrace: warning: "dt_none\*:::": no process has ' err
# Nothing to compile is no error, nothing to trace is one.
$DTRACE -b 1g -e
$DTRACE -L . -e
$DTRACE -x empty -n '' 2>err && exit 1 || [ $? = 1 ]
grep -q '^dtrace: no probes matched$' err
$DTRACE -i 0 2>err && exit 1 || [ $? = 1 ]
grep -q 'invalid probe identifier 0: Unknown probe identifier' err
# However often a description stands in a clause, it is matched once; and memory that is not there
# is one line.
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%s\nsyscall::read:entry", i ? "," : "";
	print " { @ = count(); }" }' >equal.d
(ulimit -v 500000 && $DTRACE -e -s equal.d)
(ulimit -v 6000 && $DTRACE -e -n 'BEGIN { trace(curthread->pid); }' 2>err) && exit 1 ||
	[ $? != 134 ]
