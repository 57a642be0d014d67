# Stacks are cleaned of the tracer's own frames by functions that the kernel finds by name, or by
# all of its symbols where it does not: the same stacks come out.
# @@needs: sym_lookup
probes='syscall::getppid:entry, syscall::getppid:return, rawtp:raw_syscalls::sys_enter,
	rawtp:raw_syscalls::sys_exit, sdt:raw_syscalls::sys_enter'
for off in '' sym_lookup; do
	$DTRACE ${off:+-x nofeat=$off} -qn "$probes"' /pid == $target && execname == "calls"/ {
		@[probeprov, probefunc, probename, stackdepth, func(caller),
		    stack()] = count(); }' \
		-c 'calls -n 1000' >out 2>err ||
		{ cat err; exit 1; }
	# What is seen a thousand times: calls that happen once belong to the start of the process.
	awk '/^  [a-z]/ { row = $0; next }
		/^ *[0-9]+$/ { if ($1 >= 1000) print row; row = ""; next }
		NF { row = row "|" $1 }' out |
		sort >"stacks$off"
done
cat stacks
diff stacks stackssym_lookup && [ "$(wc -l <stacks)" -ge 4 ]
