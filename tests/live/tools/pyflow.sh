# tools/pyflow.d: functions of a program as they call each other, each one further in.
# @@needs: file:/usr/bin/python3.11
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: pid [0-9]+ has exited
cat >prog.py <<'P'
def inner(n):
    return n + 1
def outer():
    return inner(1)
outer()
P
$DTRACE -Fs "$SRC/tools/pyflow.d" -c '/usr/bin/python3.11 prog.py' 2>err |
	grep 'prog\.py' | sed 's/^ *[0-9]* //' >out
awk '
	{ at = match($0, /(->|<-)/); if (NR == 1) first = at;
		print (at - first) / 2, substr($0, at, 2), $(NF - 1), $NF }' out >got
cat >want <<'W'
0 -> <module> prog.py:0
1 -> outer prog.py:3
2 -> inner prog.py:1
2 <- inner prog.py:2
1 <- outer prog.py:4
0 <- <module> prog.py:5
W
diff -u want got
