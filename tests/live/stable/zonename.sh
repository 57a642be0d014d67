# @@needs: cmd:unshare
# zonename: a process with numbers and a host name of its own is in a container of that name;
# others are in none.
unshare --pid --fork --uts true 2>/dev/null || { echo "no namespaces can be made here"; exit 77; }
$DTRACE -qn 'proc:::exec-success /progenyof($target) &&
	(execname == "true" || execname == "false")/ { printf("%s %s\n", execname, zonename); }' \
	-c "sh -c '/bin/true; unshare --pid --fork --uts sh -c \"hostname boxed; /bin/false\"
		exit 0'" | grep .
