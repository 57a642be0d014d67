# SPDX-License-Identifier: GPL-2.0-or-later
# vtimestamp is time on the CPU: near the whole of it for a loop, near nothing for a sleeper,
# whatever else runs.
ask='
	syscall::exit_group:entry /pid == $target/ {
		printf("%d %d\n", vtimestamp / 1000000, (timestamp - start) / 1000000); }
	BEGIN { start = timestamp; }'
$DTRACE -q -n "int64_t start; $ask" -c 'calls -n 1 -d 300000' >slept
read -r on wall <slept
echo "slept: $on of $wall ms" >&2
[ "$wall" -ge 300 ] && [ "$on" -ge 0 ] && [ $((on * 2)) -lt "$wall" ]
# Two loops share the CPUs with each other and with the test.
cat >busy.sh <<'EOF'
i=0
while [ $i -lt 300000 ]; do i=$((i + 1)); done
exec cat /proc/self/stat
EOF
$DTRACE -q -n "int64_t start; $ask" -c 'sh busy.sh' >busy
hz=$(getconf CLK_TCK)
# What the kernel has counted of the same process, in ticks.
used=$(sed -n 's/^[0-9]* (cat) //p' busy | awk -v hz="$hz" '{ print int(($12 + $13) * 1000 / hz) }')
on=$(grep -v cat busy | awk 'NF == 2 { print $1 }')
echo "busy: $on ms, the kernel says $used" >&2
slack=$((used / 5 + 100))
[ "$on" -ge 50 ] && [ "$on" -le $((used + slack)) ] && [ "$on" -ge $((used - slack)) ]
