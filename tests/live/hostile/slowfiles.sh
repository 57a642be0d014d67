# SPDX-License-Identifier: GPL-2.0-or-later
# A user's process has mapped 40 files of which each takes longer than foreigntime: no more of them
# are read, which is reported. A program that this user's next process runs is refused, and read all
# the same for another user's process, which runs it, too.
# @@needs: cmd:setpriv
# @@stderr: dtrace: warning: symbols of some files are omitted: reading .* takes longer than foreigntime.*
# @@stderr: dtrace: warning: symbols of some files are omitted: files of processes of user 65534 take too much time .*
# @@stderr: dtrace: warning: pid[0-9]*:\*:work:entry: no function work in \* of process .*
. "$FIXTURE/background"
begin_as 65534 hostile slow 40
slow=$!
begin_as 65533 hostile none
good=$!
begin setpriv --reuid=65534 --regid=65534 --clear-groups d65533/hostile none
timeout "$LIMIT" $DTRACE -x foreigntime=60ms -x foreignsize=512m -ln \
	"pid$slow:*:work:entry,pid$!:*:work:entry,pid$good:*:work:entry" >list
grep "pid$! *hostile *work entry" list && { echo "not refused"; exit 1; }
grep "pid$good *hostile *work entry" list || { cat list; exit 1; }
