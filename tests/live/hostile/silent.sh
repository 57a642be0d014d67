# SPDX-License-Identifier: GPL-2.0-or-later
# A process has mapped twelve files on a file system (FUSE) of its user's, which does not answer
# when they are opened: dtrace has eight processes wait there and refuses the others at once, which
# is reported. Files of another user's process are read.
# @@needs: cmd:pgrep cmd:setpriv
# @@stderr: dtrace: warning: symbols of some files are omitted: reading .* takes longer than foreigntime.*
# @@stderr: dtrace: warning: symbols of some files are omitted: files of processes of user 65534 take too much time .*
# @@stderr: dtrace: warning: pid[0-9]*:\*\.so:far:entry: process [0-9]* \(fuse\) has no object \*\.so mapped; .*
. "$FIXTURE/background"
[ -e /dev/fuse ] || modprobe fuse || { echo 'needs file:/dev/fuse'; exit 77; }
begin_as 65533 hostile none
good=$!
mkdir mnt
begin fuse mnt files 65534 12
silent=$!
server=$(pgrep -P $silent)
timeout "$LIMIT" $DTRACE -x foreigntime=100ms -ln \
	"pid$silent:*.so:far:entry,pid$good:*:work:entry" >list
# It ends with the process, and those that wait for it with it.
kill $silent
waiting=$(sed -n 's/^unanswered //p' printed)
for p in $server $waiting; do
	while [ -e "/proc/$p/cwd" ]; do sleep 0.02; done
done
grep "pid$good *hostile *work entry" list || { cat list; exit 1; }
set -- $waiting
[ $# = 8 ] || { echo "dtrace opened $# files"; exit 1; }
