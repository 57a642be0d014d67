# What a kernel lacks is the first error, with the first version of Linux that has it.
# @@status: 1
# @@stderr: dtrace: (this kernel has no .* Linux 5\.[38] has it|.*kernel types are turned off.*)
# @@stderr: dtrace: -x unwind=eh .*
for feature in ringbuf bounded_loop btf; do
	status=0
	$DTRACE -x nofeat=$feature -qn 'BEGIN { trace(curthread->tgid); exit(0); }' 2>err >out ||
		status=$?
	[ $status = 1 ] && [ ! -s out ]
	sed 's/invalid probe specifier BEGIN {[^}]*}/invalid probe specifier/' err
done
# what needs none of it
$DTRACE -x nofeat=btf,global_func -qn 'BEGIN { printf("%s\n", strjoin("no ", "types")); exit(0); }'
# user stacks follow frame pointers without global functions
$DTRACE -x nofeat=global_func -qn 'BEGIN { ustack(1); exit(0); }' | grep -c '[`x]'
$DTRACE -x nofeat=global_func -x unwind=eh -qn 'BEGIN { ustack(1); exit(0); }' 2>err || :
sed 's/is for x86-64/needs a kernel with global functions (Linux 5.6)/' err
$DTRACE -x nofeat=ringbuf,loop -Vv | sed -n '/^ringbuf/p; /^loop/p'
