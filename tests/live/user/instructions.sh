# SPDX-License-Identifier: GPL-2.0-or-later
# Each instruction of a function fires, as objdump has them; entry and return besides.
# @@needs: cmd:objdump cmd:awk
# @@status: 1
# @@stderr: ^dtrace: invalid probe specifier
victim=$(command -v victim)
objdump -d --insn-width=16 "$victim" | awk '/<seven>:$/ { on = 1; next } !NF { on = 0 }
	on { at = $1; sub(":", "", at); print at } on && $0 ~ /ret/ { on = 0 }' >addresses
first=$(head -1 addresses)
while read -r a; do printf '%x 3\n' $((0x$a - 0x$first)); done <addresses | sort >want
[ "$(wc -l <want)" -gt 3 ]
printf 'entry 3\nreturn 3\n' | sort - want >both
$DTRACE -qn 'pid$target:a.out:seven: { @[probename] = count(); }
	END { printa("%s %@d\n", @); }' -c 'victim 3' 2>err | grep . | sort >got
diff both got
$DTRACE -qn 'pid$target:a.out:seven:* { @[probename] = count(); }
	END { printa("%s %@d\n", @); }' -c 'victim 3' 2>err | grep . | sort >got
diff both got
# Globs of offsets; and of functions, which have entry and return only.
$DTRACE -ln 'pid$target:a.out:seven:0*' -c 'victim 1' 2>err | grep -c pid
$DTRACE -ln 'pid$target:a.out:seve*:' -c 'victim 1' 2>err | awk '/pid/ { print $NF }'
# In the middle of one a breakpoint would end the program: it is refused, by the function's name
# and by the address.
inside=$(sort -k1,1 addresses | awk -v first="$first" 'function hex(s,  i, n) { n = 0;
	for (i = 1; i <= length(s); i++) n = n * 16 + index("0123456789abcdef",
	substr(s, i, 1)) - 1; return n }
	{ at = hex($1) - hex(first) }
	NR > 1 && at > last + 1 { printf "%x %x\n", last, last + 1; exit } { last = at }')
start=${inside% *} inside=${inside#* }
for probe in "seven:$inside" "-:$(printf %x $((0x$first + 0x$inside)))"; do
	$DTRACE -qn "pid\$target:a.out:$probe { }" -c "victim 1" >out 2>err || true
	grep -q "0x$inside is in the middle of the instruction at 0x$start of seven" err
done
