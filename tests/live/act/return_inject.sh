# SPDX-License-Identifier: GPL-2.0-or-later
# @@needs: fmod_ret override_return
# return() in functions for error injection, of kernels that are built with that
# (CONFIG_BPF_KPROBE_OVERRIDE): by fmod_ret, and by kprobes where 0 is to be returned.
fail() { echo "$*"; cat out err; exit 1; }
case $(uname -m) in
x86_64) mkdir=__x64_sys_mkdir path='copyinstr(args[0]->di)' ;;
*) mkdir=__arm64_sys_mkdirat path='copyinstr(args[0]->regs[1])' ;;
esac
trace() {
	$DTRACE "$@" >out 2>err || fail "$@"
	sed 's/.*: //; s/ at column.*//; /^$/d' err out | sort
}
plan() {
	$DTRACE -x dump=plan -e "$@" | sed -n 's/^program [0-9]*: \([^,]*\),.*/\1/p'
}

echo "--- an error, for one path"
some="fbt::$mkdir:entry /progenyof(\$target) && $path == \"no\"/ { return(-ENOSPC); }
	fbt::$mkdir:entry /progenyof(\$target)/ { @ = count(); }
	fbt::$mkdir:return /progenyof(\$target)/ { @r[args[1]] = count(); }
	END { printa(\"%@d calls\n\", @); printa(\"%d %@d\n\", @r); }"
plan -n "$some" | sort -u
trace -qwn "$some" -c 'sh -c "mkdir no; mkdir yes"'
[ -d yes ] && [ ! -d no ]

echo "--- nothing happens, and nobody is told"
plan -n "fbt::$mkdir:entry { return(0); }"
trace -qwn "fbt::$mkdir:entry /progenyof(\$target)/ { return(0); @ = count(); }
	END { printa(\"%@d calls\n\", @); }" -c 'mkdir nothing'
[ ! -d nothing ]

echo "--- what only the firing knows"
any="fbt::$mkdir:entry /progenyof(\$target)/ {
	this->v = $path == \"zero\" ? 0 : $path == \"five\" ? -5 : 5; return(this->v); }
	ERROR { printf(\"fault %d, %d\n\", arg4, arg5); }"
trace -qwn "$any" -c 'sh -c "mkdir zero; mkdir five; mkdir made"'
[ -d made ] && [ ! -d zero ] && [ ! -d five ]
echo "--- the same by programs: 0 has it run"
trace -x nofeat=override_return -qwn "$any" -c 'sh -c "mkdir zero; mkdir five"'
[ -d zero ] && [ ! -d five ]
echo "--- by kprobes: they have the registers, too"
trace -x nofeat=fmod_ret -qwn "fbt::$mkdir:entry /progenyof(\$target)/ { return(-ENOSPC); }" \
	-c 'mkdir no'
plan -n "fbt::$mkdir:entry { return(-ENOSPC); } fbt::$mkdir:entry { @[regs[R_PC]] = count(); }"

echo "--- refused"
refused() {
	if $DTRACE -e -x errtags "$@" >out 2>err; then fail "not refused: $*"; fi
	sed -n '1{s/.*: \[/[/; s/__arm64_sys_mkdirat/__x64_sys_mkdir/; p;}' err
}
refused -n 'fbt::vfs_read:entry { return(-1); }'
refused -x nofeat=override_return -n "fbt::$mkdir:entry { return(0); }"
refused -n 'fbt::security_task_setnice:entry { return(0); }'
refused -n 'fbt::security_task_setnice:entry { return(-1); }
	fbt::security_task_setnice:entry { trace(regs[R_PC]); }'
refused -n 'fbt::should_fail_alloc_page:entry { return(-1); }'
refused -n "fbt::should_fail_alloc_page:entry, fbt::$mkdir:entry { return(0); }"
refused -x nofeat=fmod_ret,override_return -n "fbt::$mkdir:entry { return(-1); }"
$DTRACE -e -n 'fbt::should_fail_alloc_page:entry { return(1); }' 2>err
# Whether a kprobe is possible is known only after attaching.
if $DTRACE -x nofeat=fmod_ret -wn 'fbt::vfs_read:entry { return(-1); }' -c true >out 2>err; then
	fail vfs_read
fi
sed -n '$p' err
