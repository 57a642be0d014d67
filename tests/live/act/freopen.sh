# freopen() and ftruncate(): where output goes, commands' too, and back.
# @@stderr: ^dtrace: couldn't freopen\(\) "/no/such/file": No such file or
$DTRACE -wq -n 'BEGIN { printf("first\n"); freopen("%s.%d", "file", 1); printf("one\n");
	system("echo two"); freopen("file.2"); printf("three\n"); freopen(""); printf("last\n");
	freopen("/no/such/file"); printf("still here\n"); freopen("file.1"); printf("four\n");
	freopen("file.3"); printf("gone\n"); ftruncate(); printf("kept\n"); exit(0); }
	END { printf("end\n"); }' >out 2>err
printf 'first\nlast\nstill here\n' | diff - out
printf 'one\ntwo\nfour\n' | diff - file.1
echo three | diff - file.2
printf 'kept\nend\n\n' | diff - file.3
echo 'dtrace: couldn'"'"'t freopen() "/no/such/file": No such file or directory' | diff - err
$DTRACE -wq -n 'BEGIN { printf("gone\n"); ftruncate(); printf("kept\n"); exit(0); }' >out
printf 'kept\n\n' | diff - out
