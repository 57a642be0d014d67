# SPDX-License-Identifier: GPL-2.0-or-later
# The recipe of doc/cookbook.md for detached sessions, with mounts of its own, of which nothing is
# left; and the template of the unit.
# @@needs: cmd:unshare
sections='without dtrace'
. "$FIXTURE/ownmounts"
mount -t bpf none /sys/fs/bpf
documents=doc/cookbook.md strict=yes least=1
. "$FIXTURE/documents"
[ -z "$(ls -A /run/dtrace)" ] || { ls /run/dtrace; exit 1; }

sed "s,/usr/sbin/dtrace,$DTRACE_PROGRAM," "$SRC/doc/dtrace@.service" >dtrace-x.service
! command -v systemd-analyze >/dev/null || systemd-analyze verify --man=no ./dtrace-x.service
# Its commands, as systemd runs them.
mkdir -p etc
cat >etc/boot.d <<'D'
syscall::getppid:entry /execname == "none"/ { @ = count(); } END { printf("end\n"); }
D
command_of() {
	sed -n "s,^$1=-*/usr/sbin/dtrace,$DTRACE,p" "$SRC/doc/dtrace@.service" |
		sed "s,/etc/dtrace,$PWD/etc,; s,%i,boot,g"
}
sh -c "$(command_of ExecStart)"
[ "$($DTRACE -x detach=list | awk 'NR == 2 { print $1, $2 }')" = 'boot tracing' ]
[ "$(sh -c "$(command_of ExecStop)" | head -1)" = end ]
