# SPDX-License-Identifier: GPL-2.0-or-later
# A user's page may be on a file system that never answers. While a program waits for one, no
# tracer can remove a probe on user code, and the program has one of a few slots. So programs wait
# for pages of root's processes only, and of others with -x fuse.
# @@needs: sleepable_uprobe cmd:setpriv
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ .*: (invalid address|[0-9]+ more)
printf 'the text' >file
pages=$(command -v pages)
script='pid$target:pages:see:entry { @[copyinstr(arg1)] = count(); }
	pid$target:pages:see:entry { this->c = *(userland char *)arg1; @bytes[this->c] = count(); }
	ERROR { faults++; } tick-300ms { exit(0); }
	END { printf("%s\n", faults ? "faults" : "none"); }'
trap 'kill $pid' EXIT
as() { # USER
	[ -z "$pid" ] || kill "$pid"
	setpriv --reuid="$1" --clear-groups "$pages" file 1000000000 &
	pid=$!
	until [ "$(cat /proc/$pid/comm)" = pages ]; do sleep 0.02; done
}
pid=
as 65534
$DTRACE -x faultlimit=1 -qn "$script" -p $pid | sed 's/ *[0-9]*$//'
echo '== -x fuse'
$DTRACE -x fuse -qn "$script" -p $pid | sed 's/ *[0-9]*$//'
echo '== of root'
as 0
$DTRACE -qn "$script" -p $pid | sed 's/ *[0-9]*$//'
