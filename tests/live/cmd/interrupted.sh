# ^C while the kernel is looking at programs that take it long, which then ends with EAGAIN: said
# in a line, without what it has looked at. A signal that comes too early or too late for that ends
# tracing as usual; one of them must be in time.
# @@status: 1 signal
# @@stderr: ^dtrace: interrupted while programs were loaded
cat >long.d <<'D'
syscall::getppid:entry { a = index(cwd, "x"); b = rindex(cwd, "y"); c = strtok(cwd, "/"); }
D
seen=
for wait in 0.05 0.1 0.2 0.03 0.15 0.02 0.07 0.4 0.8 1.6; do
	timeout -s INT $wait $DTRACE -x strsize=4096 -qs long.d >out 2>err || :
	if grep -v 'interrupted while programs were loaded' err; then exit 1; fi
	[ ! -s err ] || seen=yes
done
[ "$seen" ]
