# ^C (here SIGTERM, for a shell has its background jobs ignore the other) while hundreds of
# functions are being attached one by one: that ends, and nothing remains attached.
# @@needs: kprobe cmd:bpftool
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: (at|de)taching: [0-9]+ of [0-9]+
$DTRACE -x nofeat=kprobe_multi,fentry -n 'fbt:vmlinux:[a-f]*:entry { @ = count(); }
	END { printf("ended\n"); }' >out 2>err &
pid=$!
# It says how far it is when that takes its time.
until grep -q 'attaching: [0-9]* of [0-9]*' err; do
	kill -0 $pid || { cat out err; exit 1; }
	sleep 0.2
done
kill -TERM $pid
wait $pid
grep -c ended out
sed -n 's/^dtrace: attaching: .*/attaching/p' err | uniq
[ -z "$(bpftool link show | sed -n "/pids.*dtrace($pid)/p")" ]
[ ! -e /sys/kernel/debug/kprobes/list ] || [ "$(wc -l </sys/kernel/debug/kprobes/list)" = 0 ]
