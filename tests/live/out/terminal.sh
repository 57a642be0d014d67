# SPDX-License-Identifier: GPL-2.0-or-later
# Control characters of others, escaped: on a terminal in what a script prints of memory (its own
# texts, newlines and tabs pass), and everywhere in names: a newline in the name of a function is
# no line of a stack.
# @@stderr: ^dtrace: (description|pid) |^21$
esc=$(printf '\033')

# Memory: nothing but \ooo on a terminal, as it is in files and pipes.
cat >memory.d <<'D'
inline string CLEAR = "\033[2J";
BEGIN
{
	s = "a\033[31m\001\r\177\302\233\377\303\251\tb\nc";
	printf("%s|%-16s|%.2s|%c|%S\n", s, "own\033", s, 27, s);
	trace(s);
	trace(CLEAR);
	printf("%s%v\n", CLEAR, s);
	@[s] = count();
	printa("%s %@d\n", @);
	@h[s] = count();
	exit(0);
}
D
$DTRACE -qs memory.d >file
onterm $DTRACE -qs memory.d >terminal
onterm $DTRACE -x rawbytes -qn 'BEGIN { s = "a\033b"; printf("%s\n", s); exit(0); }' >raw
for f in file terminal raw; do
	echo "$f:"
	od -An -c "$f"
done

# Names: of functions, in stacks, in descriptions, in what is listed, in errors.
LC_ALL=C sed "s/seven/s${esc}\\nvn/g; s/points/p\\nin\\ts/g; s/loop__start/l${esc}op__st\\nrt/g" \
	"$BUILD/tests/fixture/victim" >hostile
chmod +x hostile
cat >names.d <<'D'
pid$target::s*vn:entry
{
	ustack(1);
	trace(probefunc);
	printf("\n%A %k", arg0 * 0 + uregs[R_PC], ustack(1));
	@[ufunc(uregs[R_PC])] = count();
	exit(0);
}
D
echo names:
$DTRACE -qs names.d -c ./hostile 2>/dev/null
$DTRACE -x flowindent -n 'pid$target::s*vn:entry { exit(0); }' -c ./hostile 2>/dev/null |
	sed 's/^ *[0-9]*//'
$DTRACE -l -n 'pid$target::s*vn:entry' -c ./hostile 2>/dev/null |
	sed 's/^ *[0-9]* *//;s/pid[0-9]*/pid/'
$DTRACE -l -n 'victim$target:::l*' -c ./hostile 2>/dev/null |
	sed 's/^ *[0-9]* *//;s/victim[0-9]*/victim/'
for form in json folded csv; do
	$DTRACE -x oformat=$form -qn 'pid$target::s*vn:entry { @[ustack(1)] = count(); exit(0); }' \
		-c ./hostile 2>/dev/null |
		grep -v '^{"type":"start"' | grep -o 's[^",:;]*vn'
done

# Names that a script records: of processes, their arguments and their files, in files as in keys.
# What it computes of them is memory.
echo processes:
cp /bin/true "t${esc}u
e"
for to in '' onterm; do
	$to $DTRACE -qn 'syscall::exit_group:entry /pid == $target/ {
		printf("%s %s ", execname, curpsinfo->pr_psargs); trace(curpsinfo->pr_fname);
		trace(1 ? execname : "\n"); trace(strjoin(execname, "."));
		@k[execname] = sum(1); @m[1 ? strjoin(execname, ",") : ""] = sum(2); exit(0); }
		END { printa("\n%s %@d", @k); printa("\n%s %@d\n", @m); printa(@k); }' \
		-c "sh -c 'exec ./t*u*'" |
		tr -d '\r' | tr "$esc" '^' | sed 's/ *$//'
done
