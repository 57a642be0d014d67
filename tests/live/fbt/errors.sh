# What cannot be had says so, and why.
# @@needs: kprobe
# @@status: 1
# @@stderr: ^dtrace: failed to enable
# @@stderr: ^dtrace: invalid probe specifier
t() { $DTRACE -e "$@" 2>err && exit 1; sed 1q err; }
t -n 'fbt::vfs_raed:entry { }'
t -n 'fbt:vmlinux:vfs_read:entyr { }'
t -n 'fbt:vmlinus:vfs_read:entry { }'
t -n 'fbt::vfs_read:entry { trace(args[4]); }'
t -n 'fbt::vfs_read:entry { trace(args->nosuch); }'
t -n 'fbt::schedule:return { trace(args[1]); }'
t -n 'fbt::vfs_read:entry, fbt::vfs_read:return { trace(args[1]); }'
# Several functions whose arguments are alike, and some whose are not.
t -n 'fbt::vfs_read:entry, fbt::vfs_write:entry, fbt::vfs_fsync:entry { trace(args[1]); }' |
	sed 's/differ: .*/differ/'
$DTRACE -e -n 'fbt::vfs_read:entry, fbt::vfs_write:entry { trace(args->count);
	trace(args[0]->f_flags); }'
$DTRACE -Zqn 'fbt::no_such_function:entry { } fbt:no_module:: { } BEGIN { exit(0); }'
# The types of some kernels know it; none lets it be traced.
$DTRACE -qn 'fbt::do_syscall_64:entry { exit(0); }' 2>err && exit 1
why='this function cannot be traced: the kernel has excluded it from tracing'
grep -q -e "failed to enable fbt:vmlinux:do_syscall_64:entry: $why" \
	-e 'does not match any probes' err
