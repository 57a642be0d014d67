# -F: entry and return of nested functions, indented.
# @@needs: kprobe
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: pid [0-9]+ has exited
probes='fbt::ksys_read:entry, fbt::ksys_read:return, fbt::vfs_read:entry, fbt::vfs_read:return'
$DTRACE -F -n "$probes /pid == \$target/ { }" \
	-c 'dd if=/dev/zero of=/dev/null bs=10 count=1 status=none' 2>err |
	sed 's/^ *[0-9]* //' | sed "s|  *$||" | tail -n 5
