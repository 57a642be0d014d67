# SPDX-License-Identifier: GPL-2.0-or-later
# An allocation of memory fails: with FAIL_STEP=1 every one.
# @@once:
. "$FIXTURE/failing"
n=1 step=${FAIL_STEP:-500}
while run env FAILALLOC=$n LD_PRELOAD="$BUILD/tests/fixture/failalloc.so" && [ -e failed ]; do
	rm failed
	check "allocation $n fails"
	n=$((n + step))
done
[ "$n" -gt "$((5 * step))" ] || { echo "only $n allocations"; exit 1; }
