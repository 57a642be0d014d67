/*
 * Without expected output, what the script prints is printed: the usual columns, too.
 *
 * @test
 * fire app:mod:func:name pid=3 uid=4 gid=5 time=2s arg0="a \"quoted\" text\twith\\ escapes" arg9=-9
 */
app:mod:func:name
{
	printf("%s:%s:%s:%s %d %d %d %d", probeprov, probemod, probefunc, probename,
	    pid, uid, gid, timestamp);
}
app:mod:func:name { trace(copyinstr(arg0)); trace(args[9]); }
