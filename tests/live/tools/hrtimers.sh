# tools/hrtimers.d: a process that sleeps is woken by hrtimer_wakeup().
# @@drops: ^dtrace: [0-9]+ drops of firings that came while programs ran on
grep -q '^[0-9a-f]*[1-9a-f][0-9a-f]* . hrtimer_wakeup$' /proc/kallsyms || {
	echo "no addresses in /proc/kallsyms"
	exit 77
}
$DTRACE -s "$SRC/tools/hrtimers.d" -c 'sleep 0.1' >out 2>err
grep -q '^vmlinux`hrtimer_wakeup  *[1-9][0-9]*$' out
