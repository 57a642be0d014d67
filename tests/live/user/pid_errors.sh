# Messages for probes of programs that match nothing: no process, an offset after the end, no
# function.
# @@status: 1
{
	$DTRACE -n 'pid$target::main:entry { }' || true
	$DTRACE -n 'python$target::: { }' || true
	$DTRACE -n 'pid$target::seven:ffff { }' -c victim || true
	sh -c 'sleep 0.1 & echo $! >ended; exec sleep 60' & parent=$!
	until [ -s ended ] && grep -q '^State:.Z' "/proc/$(cat ended)/status"; do sleep 0.1; done
	$DTRACE -n 'pid$target::main:entry { }' -p "$(cat ended)" || true
	kill $parent
	$DTRACE -n 'pid$target::sevem:entry { }' -c victim || true
} 2>&1 | sed 's/pid[1-9][0-9]*/pidN/; s/process [1-9][0-9]*/process N/
	s/0x[0-9a-f]* bytes/N bytes/; s/^dtrace: invalid.*: probe desc/probe desc/'
# A process that is none is no reason to fail with -Z, before or after.
$DTRACE -Zqn 'pid99999999::main:entry { } BEGIN { printf("no process\n"); exit(0); }'
