# A kernel without any way to trace functions: one line, and everything else goes on.
# @@status: 1
# @@stderr: ^dtrace: invalid probe specifier
# @@stderr: ^dtrace: warning: this kernel does not let its functions be traced:
off="-x nofeat=kprobe,kprobe_multi,fentry"
$DTRACE $off -e -n 'fbt::vfs_read:entry { }' 2>err && exit 1
sed 1q err
# The same without the provider, if the kernel has the function.
for d in vfs_read:entry f*::vfs_read:return vfs_read:nowhere no_such_function:entry; do
	$DTRACE $off -e -n "$d" 2>err && exit 1
	sed 1q err
done
$DTRACE $off -e -P rawfbt 2>err && exit 1
sed 1q err
$DTRACE $off -e -n 'kinst::vfs_read:0 { }' 2>err && exit 1
sed 1q err
$DTRACE $off -l >out 2>err
cat err
[ "$(grep -c fbt out)" = 0 ]
[ "$(wc -l <out)" -gt 1000 ]
# Stable probes that are seen through functions where there are any do not warn of those.
$DTRACE $off -lm vmlinux 2>&1 >/dev/null
$DTRACE $off -Zqn 'fbt::vfs_read:entry { } BEGIN { exit(0); }'
