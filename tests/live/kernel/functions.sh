# A function of the kernel's is its address; where the kernel hides those, that is reported when
# tracing begins.
# @@status: 1
addr=$(sed -n '/ [Tt] vfs_read$/{s/ .*//p;q}' /proc/kallsyms)
$DTRACE -qn 'BEGIN { printf("%s %d %d %d %x\n", `vfs_read == (void *)0x'"$addr"' ? "same" : "other",
	`vfs_read == &`vfs_read, &vmlinux`vfs_read == `vfs_read, sizeof(`vfs_read),
	*(char *)`vfs_read - *(char *)`vfs_read); exit(0); }'
$DTRACE -en 'BEGIN { trace(`vfs_raed); }' 2>&1 | sed -n 's/.*; did/did/p'
echo "0000000000000000 T vfs_read" >hidden
$DTRACE -x ksympath=hidden -en 'BEGIN { trace(`vfs_read); }'
$DTRACE -x ksympath=hidden -qn 'BEGIN { trace(`vfs_read); exit(0); }' 2>&1 && exit 1
exit 0
