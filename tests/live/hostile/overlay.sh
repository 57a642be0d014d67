# SPDX-License-Identifier: GPL-2.0-or-later
# A user can mount an overlay in a user namespace, over FUSE, too (hostile/fuse.sh): probes in
# programs on it need -x fuse. On an overlay that root mounted, as a container has, they do not.
# @@needs: cmd:unshare cmd:setpriv
# @@status: 0 1
# @@stderr: ^dtrace: failed to enable pid[0-9]+:calls:main:entry: .*overlay.*-x fuse
grep -qw overlay /proc/filesystems || modprobe overlay || { echo 'needs overlay'; exit 77; }
pid=
trap '[ -z "$pid" ] || kill $pid 2>/dev/null || :' EXIT
# A program on an overlay in a mount namespace of its own, which COMMAND makes.
begin() {
	"$@" -m sh -c 'mount -t tmpfs none /tmp && cd /tmp && mkdir low up work all &&
		cat <&3 >low/calls && chmod 755 low/calls &&
		mount -t overlay none all -o lowerdir=low,upperdir=up,workdir=work &&
		exec all/calls -n 1000000 -d 100000' 3<"$(command -v calls)" &
	pid=$!
	until grep -q calls "/proc/$pid/comm"; do
		grep -q "^State:.[^ZX]" "/proc/$pid/status" || return
		sleep 0.02
	done 2>/dev/null
}
trace() {
	$DTRACE "$@" -qn 'pid$target:calls:main:entry { } tick-10ms { trace("on"); exit(0); }' \
		-p "$pid" >out 2>err
}
begin unshare || { echo 'cannot mount an overlay'; exit 1; }
trace || { cat err; exit 1; }
kill "$pid"
begin setpriv --reuid=65534 --regid=65534 --clear-groups unshare -U -r ||
	{ echo 'users cannot mount overlays'; exit 77; }
trace && { echo 'traced on an overlay of a user'; exit 1; }
grep -q overlay err || { cat err; exit 1; }
trace -x fuse || { cat err; exit 1; }
