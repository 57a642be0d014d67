# What a kernel lacks is the first error, with the first version of Linux that has it.
# @@status: 1
# @@stderr: dtrace: (this kernel has no .* Linux 5\.[38] has it|.*kernel types are turned off.*)
for feature in ringbuf bounded_loop btf; do
	status=0
	$DTRACE -x nofeat=$feature -qn 'BEGIN { trace(curthread->tgid); exit(0); }' 2>err >out ||
		status=$?
	[ $status = 1 ] && [ ! -s out ]
	sed 's/invalid probe specifier BEGIN {[^}]*}/invalid probe specifier/' err
done
# what needs none of it
$DTRACE -x nofeat=btf,global_func -qn 'BEGIN { printf("%s\n", strjoin("no ", "types")); exit(0); }'
$DTRACE -x nofeat=ringbuf,loop -Vv | sed -n '/^ringbuf/p; /^loop/p'
