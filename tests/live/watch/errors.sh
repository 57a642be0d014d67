# SPDX-License-Identifier: GPL-2.0-or-later
# watch: what cannot be watched, and why.
# @@needs: watchpoint
# @@status: 1
# @@stderr: ^dtrace: failed to match watch:::: No probe matches description
# @@stderr: ^dtrace: warning: watch: watchpoints are there when a variable is
says() {
	$DTRACE -qn "$1 {}" -c 'watched functions' 2>&1 |
		sed 's/.*any probes: //; s/watch[0-9][0-9]*/watchN/
			s/process [0-9][0-9]*/process N/; s/0x[0-9a-f]*[0-9a-f]\{9\}/ADDRESS/g'
}
says 'watch$target:a.out:watched_coumt:write'
says 'watch$target:libnone:watched_count:write'
says 'watch$target:a.out:watched_own:write'
says 'watch$target:a.out:watched_count+4:write'
says 'watch$target:a.out:watched_count+2:write-4'
says 'watch$target:a.out:watched_*:write'
says 'watch$target:*:watched_count:write'
says 'watch$target:a.out::write'
says 'watch$target:a.out:watched_count:'
says 'watch$target:a.out:watched_count:read'
says 'watch$target:a.out:watched_count:write-3'
says 'watch$target:a.out:watched_count+:write'
says 'watch$target:a.out:0xg:write'
says 'watch$target::0xffffffff81000000:write'
says 'watch::0x1000:write'
says 'watch:none:watched_count:write'
says 'watch::schedule:write'
says 'watch*:a.out:watched_count:write'
says 'watch999999999:a.out:watched_count:write'
$DTRACE -n 'watch$target:a.out:watched_count:write {}' 2>&1 | sed 's/.*any probes: //'
$DTRACE -l -P watch 2>&1 >/dev/null | head -1
echo '--- enabled'
says "$(for i in $(seq 0 15); do
	printf 'watch$target::watched_point+%d:write-1, ' "$i"
done) watch\$target::watched_count:write" | sed 's/+[0-9]*/+N/'
$DTRACE -x nofeat=watchpoint -qn 'watch$target::watched_count:write {}' \
	-c 'watched functions' 2>&1 | sed 's/watch[0-9][0-9]*/watchN/'
echo '--- listed'
$DTRACE -l -n 'watch$target::watched_count:write' -c 'watched functions' |
	awk 'NR == 2 { print $3, $4, $5 }'
