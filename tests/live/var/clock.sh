# SPDX-License-Identifier: GPL-2.0-or-later
# -x clock: which clock timestamp shows; nothing else is on it.
# between SECOND FROM TO, with a second to spare
# @@status: 1
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: failed to set -x clock: Invalid value for specified option:
between() {
	[ "$1" -ge $(($2 - 1)) ] && [ "$1" -le $(($3 + 1)) ] || {
		echo "$1 is not from $2 to $3"
		exit 1
	}
}
up() {
	cut -d. -f1 /proc/uptime
}
tai=$($DTRACE -Vv 2>&1 | sed -n 's/^ktime_tai  *\([a-z]*\) .*/\1/p')
for clock in mono boot tai; do
	[ $clock != tai ] || [ "$tai" = yes ] || continue
	date=$(date +%s) up=$(up)
	$DTRACE -x clock=$clock -q -c 'calls -n 50' -n '
		inline uint64_t second = 1000000000;
		BEGIN { printf("%d %d %d\n", timestamp / second, walltimestamp / second,
			curpsinfo->pr_start.tv_sec); }
		syscall::getppid:entry /pid == $target/ { self->t = timestamp;
			this->t = timestamp; this->v = vtimestamp; }
		syscall::getppid:entry /self->t/ { @[timestamp == this->t, vtimestamp == this->v,
			this->v < 1000 * second] = count(); }
		syscall::getppid:return /self->t/ {
			@r[timestamp > self->t, timestamp - self->t < second] = count(); }
		END { printa("%d %d %d %@d\n", @); printa("%d %d %@d\n", @r); }' >out
	read -r time wall start <out
	between "$wall" "$date" "$(date +%s)"
	between "$start" "$date" "$wall"
	case $clock in
	# The machines that run this are never suspended.
	mono | boot) between "$time" "$up" "$(up)" ;;
	tai) between "$time" "$wall" $((wall + 60)) ;; # 37, or 0 where nobody told the kernel
	esac
	sed 1d out >rest
	printf '1 1 1 50\n1 1 50\n\n' | diff - rest
done
# Where the clocks cannot be distinguished, the helper can: 5, 125, 208.
for clock in mono:5 boot:125 tai:208; do
	[ $clock != tai:208 ] || [ "$tai" = yes ] || continue
	$DTRACE -x clock=${clock%:*} -S -e -n 'syscall::getppid:entry { @[timestamp] = count(); }' \
		2>&1 | grep -q "call #${clock#*:}\$"
done
# Records are on the monotonic clock, and so is their order.
if [ "$tai" = yes ]; then
	up=$(up)
	$DTRACE -x clock=tai -x oformat=json -n 'BEGIN { trace(timestamp); exit(0); }' >out
	between "$(sed -n 's/^{"type":"record","timestamp":\([0-9]*\)[0-9]\{9\},.*/\1/p' out)" \
		"$up" "$(up)"
fi
$DTRACE -x nofeat=ktime_tai -x clock=tai -x errtags -n 'BEGIN { trace(timestamp); exit(0); }' 2>&1 |
	sed 's/.*failed to compile/failed to compile/' >out || :
grep -q 'D_UNSUPPORTED.*-x clock=tai needs a kernel' out
$DTRACE -x nofeat=ktime_tai -x clock=tai -qn 'BEGIN { trace(walltimestamp > 0); exit(0); }'
! $DTRACE -x clock=cpu -e -n BEGIN 2>err || exit 1
grep -q 'clock is one of mono boot tai' err
