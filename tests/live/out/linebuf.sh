# -x linebuf: each line is written when it is complete, otherwise many together.
writes() {
	$DTRACE -qo count -n 'syscall::write:entry /execname == "dtrace" && progenyof($target) &&
		arg0 == 1/ { @ = count(); } END { printa("%@d\n", @); }' \
		-c "$DTRACE $* -qn 'BEGIN { trace(\"a\\n\"); trace(\"b\"); trace(\"c\\n\");
			trace(\"d\\n\"); exit(0); }'" >out
	cat out count
	rm count
}
writes
writes -x linebuf
printf '#pragma D option linebuf\nBEGIN { trace("a\\n"); trace("b\\n"); exit(0); }\n' >p.d
$DTRACE -qo count -n 'syscall::write:entry /progenyof($target) && arg0 == 1/ { @ = count(); }
	END { printa("%@d\n", @); }' -c "$DTRACE -qs p.d" >out
cat out count
