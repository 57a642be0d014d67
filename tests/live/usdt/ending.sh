# SPDX-License-Identifier: GPL-2.0-or-later
# A provider's pattern that ends in digits (shop*3) means the processes whose numbers end so, also
# later ones; with the number of a process of -p that one alone. Clauses run in the order of the
# program beside those of all processes and of one.
# @@needs: cmd:gcc
# @@status: 1
# @@stderr: ^dtrace: invalid probe specifier none\*4:::sale
cat >shop.c <<'C'
#include <sys/sdt.h>
#include <unistd.h>
__attribute__((noinline)) int work(int n) { STAP_PROBE1(shop, sale, n); return n + 1; }
int main(int argc, char **argv)
{
	char c;

	if (argc > 1 && read(0, &c, 1) != 1)
		return 1;
	(void)argv;
	return work(argc) & 0;
}
C
gcc -O1 -o shop shop.c
cp shop late
cat >many.sh <<'C'
sleep 0.2
for i in $(seq 60); do $1; done
C
mkfifo one two
./shop w <one & a=$!
exec 3<>one 4<>two
while ./shop w <two & b=$!; [ $((a % 10)) = $((b % 10)) ]; do
	kill $b
done
for p in $a $b; do
	while [ "$(cat /proc/$p/comm)" != shop ]; do sleep 0.1; done
done
digit=$((a % 10))
names() { awk '$2 ~ /^shop/ { print $2 }' | sed "s/^shop$a$/first/; s/^shop$b$/second/"; }

echo 'listed'
$DTRACE -ln "shop*$digit:::sale" | names
$DTRACE -ln "sh*$((b % 10)):::sale" | names
$DTRACE -ln "shop*$((a % 100 / 10))$digit:::sale" | names
echo 'none'
$DTRACE -n 'none*4:::sale' 2>&1 | sed 's/.*: no/no/'

echo 'later ones, in the order of the clauses'
cat >order.d <<'D'
shop*:::sale { self->n = 1; all++; }
shop*$1:::sale { self->n = self->n * 10 + 2; some++; other += pid % 10 != $1;
	named += probeprov == strjoin("shop", lltostr(pid)); }
shop*$2:::sale { self->n = self->n * 10 + 3; one++; }
shop*:::sale { self->n = self->n * 10 + 4; @[self->n] = count(); }
END { printf("%s %s %d %d\n", all >= 61 ? "all" : "few", some > 1 && some < all ? "some" : "?",
	other, some - named); printa("%d\n", @); }
D
sed "s/\$1/$digit/g; s/\$2/$a/" order.d >own.d
$DTRACE -qs own.d -p $a -wn "BEGIN { system(\"sh many.sh ./shop; echo >one\"); }" | sort >got
sed 's/^ *//' got

echo 'of -p'
./shop w <one & a=$!
while [ "$(cat /proc/$a/comm)" != shop ]; do sleep 0.1; done
$DTRACE -qwp $a -n "BEGIN { system(\"sh many.sh ./shop; echo >one\"); }
	shop*$a:::sale { printf(\"%d\n\", pid == \$target); }"

echo 'files that are mapped later'
$DTRACE -Zqn "shop*$digit:late::sale { some++; other += pid % 10 != $digit; }
	END { printf(\"%d %d\n\", some > 0, other); }" -c 'sh many.sh ./late'
echo >two
exec 3>&- 4>&-
wait
