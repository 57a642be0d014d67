# -x compat=auto, the default: calls by their older names match newer ones, unless the script names
# both. Names of other systems.
# @@needs: file:/sys/kernel/tracing/events/syscalls
# @@stderr: ^dtrace: (error in clause|warning: (system calls by their older names|these probes never))
[ "$(uname -m)" = x86_64 ] || { echo "the old calls are x86-64's"; exit 77; }
$DTRACE -qn 'syscall::open:entry /pid == $target/ { @[copyinstr(arg0)] = count(); }
	END { printa("%s %@d\n", @); }' -c oldnew 2>err |
	grep -e '/new ' -e '/newest '
cat err
$DTRACE -e -n 'syscall::open:entry, syscall::*fork*:entry /0/ { }' 2>&1 >/dev/null | grep older
# Named in another program: exact.
$DTRACE -e -n 'syscall::open:entry /0/ { }' -n 'syscall::openat2:entry /0/ {}' 2>&1 >/dev/null |
	grep -c older || :
# Arguments of all entries for the results of open*.
$DTRACE -qn 'syscall:::entry /pid == $target/ { self->path = arg0; }
	syscall::open*:return /self->path/ { @[probefunc, copyinstr(self->path)] = count(); }
	END { printa("%s %s %@d\n", @); }' -c oldnew | grep -e '/new ' -e '/newest '
# Arguments have the names of the older call's.
$DTRACE -qn 'syscall::open:entry /pid == $target/ {
	@[copyinstr((uintptr_t)args->filename)] = count(); }
	syscall::stat:entry /0/ { trace(args->filename); }
	END { printa("%s %@d\n", @); }' -c oldnew 2>err |
	grep -e '/new ' -e '/newest '
cat err
# Names of other systems.
$DTRACE -evn 'syscall::resolvepath:entry,
	syscall::lwp_park:return { trace(copyinstr(arg0)); }' 2>/dev/null |
	sed -n '/Never/,/resolve/p' | tr -d '\t'
