# SPDX-License-Identifier: GPL-2.0-or-later
# timestamp stands still within a firing and never goes back; walltimestamp is the time of day.
before=$(date +%s)
$DTRACE -q -c 'calls -n 50 -d 100' -n '
	int64_t last;
	BEGIN { printf("%d %Y\n", walltimestamp / 1000000000, walltimestamp); this->t = timestamp; }
	BEGIN { printf("%d\n", timestamp == this->t && timestamp - this->t == 0); }
	syscall::getppid:entry /pid == $target/ { this->t = timestamp; this->w = walltimestamp; }
	syscall::getppid:entry /pid == $target/ {
		@[timestamp == this->t, walltimestamp == this->w, timestamp > last] = count();
		last = timestamp; self->t = timestamp; self->v = vtimestamp; }
	syscall::getppid:return /self->t/ { @r[timestamp > self->t, vtimestamp >= self->v,
		timestamp - self->t < 1000000000] = count(); }
	END { printa("%d %d %d %@d\n", @); printa("%d %d %d %@d\n", @r); }' >out
after=$(date +%s)
read -r wall text <out
[ "$wall" -ge "$before" ] && [ "$wall" -le "$after" ]
[ "$text" = "$(date -d "@$wall" '+%Y %b %e %H:%M:%S')" ]
sed 1d out >rest
printf '1\n1 1 1 50\n1 1 1 50\n\n' | diff - rest
