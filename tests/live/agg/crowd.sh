# @@once: the kernel's limit on jumps is the same everywhere
# @@status: 0 1
# @@stderr: failed to load the program of syscall:vmlinux:getppid:entry
# @@stderr: failed to compile script long.d
# A thousand clauses at one probe, whose predicates test the same values, are traced: the verifier
# does not follow each outcome through all later clauses. Where clauses are too many for it, the
# reason is their number. A clause of a thousand aggregations is too long for the jump to its end;
# two clauses take them.
clauses() {
	i=0
	while [ $i -lt "$1" ]; do
		i=$((i + 1))
		echo "syscall::getppid:entry /pid == \$target && arg6 < $i/ { @[$i] = sum($i); }"
	done >"$1.d"
}
clauses 1000
$DTRACE -qs 1000.d -c 'calls -n 2' >out
awk 'NF { bad += $2 != 2 * $1; n++ } END { exit bad || n != 1000 }' out
clauses 5000
! $DTRACE -x nofeat=func_memory -qs 5000.d -c 'calls -n 2' 2>err || exit 1
grep 'too complex for the kernel.s verifier; use fewer clauses than 5000 at this probe' err
[ "$(wc -l <err)" = 1 ]

statements() {
	echo 'BEGIN {'
	i=$1
	while [ $i -lt "$2" ]; do
		i=$((i + 1))
		echo "@a$i[1] = count();"
	done
	echo '}'
}
statements 0 1000 | sed '$s/.*/exit(0); }/' >long.d
! $DTRACE -qs long.d 2>err || exit 1
grep 'line 1: the clause of dtrace:::BEGIN is too much for one BPF program (.*): distribute' err
[ "$(wc -l <err)" = 1 ]
{ statements 0 500 && statements 500 1000 && echo 'BEGIN { exit(0); }'; } >two.d
$DTRACE -qs two.d >out
awk 'NF { bad += $1 != 1 || $2 != 1; n++ } END { exit bad || n != 1000 }' out
