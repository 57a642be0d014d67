# SPDX-License-Identifier: GPL-2.0-or-later
# Probes of the pid provider at the instruction of a static probe with a semaphore: the kernel takes
# one semaphore for an instruction. By offset, at the function's first instruction (which is the
# probe's on x86-64 but not on aarch64), at its return, in one process and in all. Of another
# session the semaphore is not known.
# @@status: 1
# @@stderr: ^dtrace: failed to enable shop\*:shop:work:sale: .* with another semaphore$
# @@needs: cmd:gcc cmd:nm cmd:readelf
cat >shop.c <<'C'
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
unsigned short shop_sale_semaphore __attribute__((section(".probes")));
__attribute__((noinline)) int work(int n)
{
	STAP_PROBE1(shop, sale, n);
	__asm__ volatile("");
	return n + 1;
}
int main(int argc, char **argv)
{
	(void)argv;
	return shop_sale_semaphore ? work(argc) & 0 : 1;
}
C
gcc -O1 -fcf-protection=none -o shop shop.c 2>/dev/null || gcc -O1 -o shop shop.c
place=$(readelf -n shop | sed -n 's/.*Location: \(0x[0-9a-f]*\),.*/\1/p')
at=$(printf %x $((place - 0x$(nm shop | sed -n 's/ T work$//p'))))
echo 'all instructions'
$DTRACE -qn 'pid$target:a.out:work: { @[probename == "entry" || probename == "return" ?
		probename : "instruction"] = count(); }
	shop$target:::sale { @[probename] = count(); }
	END { printa("%s\n", @); }' -c ./shop | sort
echo "one by one"
$DTRACE -qn 'pid$target:a.out:work:entry { printf("1\n"); } shop$target:::sale { printf("2\n"); }
	pid$target:a.out:work:'$at' { printf("3\n"); }
	pid$target:a.out:work:return { printf("4\n"); }' -c ./shop | sort
echo 'all processes'
$DTRACE -qn "pid*:$PWD/shop:work:entry, pid*:$PWD/shop:work:return, shop*:$PWD/shop::sale"'
	{ printf("%s\n", probename); }' -c ./shop | sort
echo 'another session'
echo "shop*:$PWD/shop::sale /pid == \$target/ {}" >inner.d
$DTRACE -qn "pid*:$PWD/shop:work:$at /0/ {}" -c "$DTRACE -qs inner.d -c ./shop" 2>&1 |
	sed 's/.*, or/or/'
