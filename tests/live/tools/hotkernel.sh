# tools/hotkernel.d: a program that is in the kernel most of the time.
$DTRACE -s "$SRC/tools/hotkernel.d" \
	-c 'dd if=/dev/zero of=/dev/null bs=1M count=3000 status=none' >out 2>err
[ "$(awk '$1 ~ /^vmlinux`/ { n += $2 } END { print n }' out)" -ge 10 ]
