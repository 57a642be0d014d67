# SPDX-License-Identifier: GPL-2.0-or-later
# Tables of aggregations grow: many more keys than fit at first, at full speed, and none is lost.
# They come when dtrace reads aggregations once a second.
# @@needs: func_memory
n=400000
[ "$(uname -m)" = x86_64 ] || n=100000 # only emulated
$DTRACE -qn 'syscall::lseek:entry /pid == $target/ { @[arg1] = count(); @sum = sum(arg1); }
	END { printa("%d %@d\n", @); printa("sum %@d\n", @sum); }' \
	-c "sh -c 'sleep 2; exec calls -n $n -i'" >out
awk -v n=$n '$1 == "sum" { sum = $2; next }
	NF == 2 { if ($2 != 1 || seen[$1]++) { print; exit 1 } keys++; total += $1 }
	END { print keys == n, sum == n * (n - 1) / 2, total == sum }' out

# A table whose size was asked for keeps it.
$DTRACE -x aggsize=4m -S -e -n 'syscall::lseek:entry { @[arg1] = count(); }' >set 2>&1
$DTRACE -S -e -n 'syscall::lseek:entry { @[arg1] = count(); }' >default 2>&1
grep -c dt_agg0_0 set
! grep dt_new_0 set || exit 1
grep -q dt_new_0 default
