# A hundred and thirty aggregations with keys at one probe, of four sizes: far more than a program
# may have maps. Each has its own values.
i=0
while [ $i -lt 130 ]; do
	case $((i % 4)) in
	0) echo "@a$i[$i] = count();" ;;
	1) echo "@a$i[\"$i\"] = sum($i + n);" ;;
	2) echo "@a$i[execname, $i] = max(n * $i);" ;;
	3) echo "@a$i[$i, n] = quantize($i);" ;;
	esac
	i=$((i + 1))
done >body
cat >many.d <<E
int n;
syscall::getppid:entry
/pid == \$target/
{
	n++;
	$(cat body)
}
END
{
	printa("0 %d %@d\n", @a0);
	printa("1 %s %@d\n", @a1);
	printa("2 %s %d %@d\n", @a2);
	printa("3 %d %d %@d\n", @a3);
	printa("126 %s %d %@d\n", @a126);
	printa("127 %d %d %@d\n", @a127);
	printa("128 %d %@d\n", @a128);
	printa("129 %s %@d\n", @a129);
}
E
$DTRACE -x aggsize=64k -qs many.d -c 'calls -n 3' >out
# What nothing has printed is printed at the end, and begins with blanks.
grep -E '^(0|1|2|126|128|129) ' out | diff - /dev/fd/3 3<<E
0 0 3
1 1 9
2 calls 2 6
126 calls 126 378
128 128 3
129 129 393
E
# Of a quantize() three keys each.
[ "$(grep -cE '^(3 3|127 127) [123] ' out)" = 6 ]
