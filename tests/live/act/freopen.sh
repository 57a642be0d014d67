# freopen() and ftruncate(): where output goes, commands' too, and back.
# @@stderr: ^dtrace: couldn't freopen\(\) "/no/such/file": No such file or|invalid address|matched
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
# What is open already is not opened anew, with another position.
$DTRACE -wqn 'BEGIN { printf("out\n"); freopen("/dev/stderr"); printf("error\n");
	freopen("/dev/stdout"); printf("again\n"); freopen("/dev/fd/2"); printf("more\n");
	freopen(""); printf("last\n"); exit(0); }' >both 2>&1
printf 'out\nerror\nagain\nmore\nlast\n\n' | diff - both
$DTRACE -o /dev/stderr -n 'BEGIN { trace("one"); } BEGIN { trace(*(int *)8); } ERROR { exit(0); }' \
	>both 2>&1
sed 's/ *$//; s/^ .*:/:/; s/ at column.*//' both >got
cat >want <<'END'
dtrace: description 'BEGIN ' matched 3 probes
CPU     ID                    FUNCTION:NAME
:BEGIN   one
dtrace: error in clause 2 for probe ID 1 (dtrace:::BEGIN): invalid address (0x8)
:ERROR

END
diff want got
