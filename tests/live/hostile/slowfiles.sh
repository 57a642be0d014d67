# SPDX-License-Identifier: GPL-2.0-or-later
# A user's process has mapped 40 files of which each takes longer than foreigntime: no more of them
# are read, which is reported. Files of another user's process are read nevertheless.
# @@needs: cmd:setpriv
# @@stderr: dtrace: warning: symbols of some files are omitted: reading .* takes longer than foreigntime.*
# @@stderr: dtrace: warning: symbols of some files are omitted: files of processes of user 65534 take too much time .*
. "$FIXTURE/background"
begin_as 65534 hostile slow 40
slow=$!
begin_as 65533 hostile none
timeout "$LIMIT" $DTRACE -x foreigntime=60ms -ln "pid$slow:*:work:entry,pid$!:*:work:entry" >list
grep "pid$! *hostile *work entry" list || { cat list; exit 1; }
