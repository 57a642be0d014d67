# SPDX-License-Identifier: GPL-2.0-or-later
# Totals that leave 64 bits are reported, once for each aggregation, and count as drops. Between
# the firings the kernel's part is read.
# @@status: 1
# @@stderr: ^dtrace: \[DTRACEDROP_OVERFLOW\] a total of @a did not fit in [0-9]+
# @@stderr: ^dtrace: \[DTRACEDROP_OVERFLOW\] a total of @d did not fit in [0-9]+
# @@stderr: ^dtrace: \[DTRACEDROP_OVERFLOW\] a total of @e did not fit in [0-9]+
# @@stderr: ^dtrace: \[DTRACEDROP_OVERFLOW\] a total of @s did not fit in [0-9]+
run() {
	$DTRACE -qx droptags -x aggrate=20ms "$@" -n 'int n; int64_t large;
		BEGIN { large = 0x7000000000000000; }
	tick-100ms /n < 8/ {
		@s["up"] = sum(large); @s["small"] = sum(1); @d["down"] = sum(-large);
		@a = avg(large); @e = stddev(large); @[n] = sum(large);
		@fits = sum(n++ & 1 ? -large : large); @q = quantize(large); @c = count(); }
	tick-100ms /n == 8/ { exit(0); }'
}
run 2>err | grep -c .
cat err
status=0
run -x strict -x oformat=json >out 2>err || status=$?
echo "status $status"
sed -n '/"type":"drop"/s/.*"kind"/"kind"/p; /"type":"exit"/s/.*"drops"/"drops"/p' out
# Of several CPUs and generations, what fits is silent.
$DTRACE -x aggrate=20ms \
	-qn 'profile-100ms { @ = sum(0x100000000000000); @m = sum(-0x100000000000000); }
	tick-250ms { exit(0); }' 2>&1 >/dev/null
