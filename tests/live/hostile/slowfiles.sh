# SPDX-License-Identifier: GPL-2.0-or-later
# A user's process has mapped 40 files of which each takes longer than foreigntime: no more of them
# are read, which is reported. Files of another user's process are read nevertheless.
# @@needs: cmd:setpriv
# @@stderr: dtrace: warning: symbols of some files are omitted: reading .* takes longer than foreigntime.*
# @@stderr: dtrace: warning: symbols of some files are omitted: files of processes of user 65534 take too much time .*
begin() { # UID ARGUMENTS...
	mkdir -m 755 "d$1"
	cp "$(command -v hostile)" "d$1"
	chown -R "$1" "d$1"
	cd "d$1"
	uid=$1
	shift
	setpriv --reuid="$uid" --regid="$uid" --clear-groups ./hostile "$@" >out &
	cd ..
	pids="$pids $!"
	until grep -q ready "d$uid/out"; do sleep 0.05; done
}
pids=
trap 'for p in $pids; do kill $p && wait $p; done 2>/dev/null || :' EXIT
chmod 755 .
begin 65534 slow 40
slow=$!
begin 65533 none
timeout "$LIMIT" $DTRACE -x foreigntime=60ms -ln "pid$slow:*:work:entry,pid$!:*:work:entry" >list
grep "pid$! *hostile *work entry" list || { cat list; exit 1; }
