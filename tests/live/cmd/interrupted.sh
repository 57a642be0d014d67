# ^C while the kernel is looking at programs that take it long, which then ends with EAGAIN: said in a line, without what it has
# looked at. Where it was too fast or too late for that, tracing ends as ever.
cat >long.d <<'D'
syscall::getppid:entry { a = index(cwd, "x"); b = rindex(cwd, "y"); c = strtok(cwd, "/"); }
D
for wait in 0.05 0.1 0.2; do
	timeout -s INT $wait $DTRACE -x strsize=4096 -qs long.d >out 2>err || :
	if grep -v 'interrupted while programs were loaded' err; then exit 1; fi
done
