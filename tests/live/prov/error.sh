# Faults: the message, ERROR and its arguments; other clauses go on, the record of the faulty one
# is gone.
# @@status: 4
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: [0-9]+ error in ERROR probe enabling
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
t() {
	printf "%s " "--- $*" | tr -d "\t" | tr "\n" " "; echo
	status=0
	$DTRACE "$@" >out 2>err || status=$?
	sed 's/^ *[0-9]* \( *[0-9]* \)/  *\1/' out
	cat err
	echo "status $status"
}
error='ERROR { printf("ERROR %d: probe %d, clause %d, statement %d, fault %d, value %x, pc %d\n",
	(int)arg0, (int)(arg1 >> 32), (int)arg1, (int)arg2, (int)arg4, arg5, arg3 > 0); }'
t -qn "BEGIN { printf(\"lost %d\", 1); x = 1; y = *(int *)0x18; }
	BEGIN { printf(\"next\n\"); exit(0); } $error"
t -qn "int x; BEGIN { trace(1 / (x - x)); } BEGIN { trace(1 % x); exit(1); }
	BEGIN { exit(0); } $error"
t -qn "BEGIN / *(int *)0 / { trace(1); } BEGIN { exit(0); } $error"
t -qn "int a[3]; BEGIN { i = 3; a[2] = 1; a[i] = 1; } BEGIN { i = -1; trace(a[i]); }
	BEGIN { exit(0); } $error"
t -qn "self string s; BEGIN { trace(strlen(self->s)); }
	BEGIN { trace(strjoin(\"a\", self->s)); } BEGIN { exit(0); } $error"
# a NULL string where it is recorded, or a key
t -qn "self string s; BEGIN { printf(\"%d %s\", 1, self->s); } BEGIN { @[1, self->s] = count(); }
	BEGIN { exit(0); } $error"
t -qn "BEGIN { trace(copyinstr(0x10)); } BEGIN { trace(stringof((char *)0x20)); }
	BEGIN { exit(0); } $error"
t -qn 'BEGIN { x = *(int *)0x10; } ERROR { trace(*(int *)0x20); }
	ERROR { printf("second\n"); exit(4); }'
t -n 'BEGIN { x = *(int *)0x10; } BEGIN { if (pid) { trace(1); if (tid) { x = *(int *)0x28; } } }
	BEGIN { exit(0); } ERROR { printf("%d %d", (int)arg1, (int)arg2); }'
# A script's message names its file.
cat >s.d <<'D'
#pragma D option quiet
BEGIN
{
	this->p = (int *)8;
	printf("%d", *this->p);
}
BEGIN
{
	exit(0);
}
END
{
	trace(1 / (timestamp - timestamp));
}
D
t -s s.d
