# SPDX-License-Identifier: GPL-2.0-or-later
# switchrate: how often records are printed; statusrate: how often losses are reported. Neither
# delays the end, nor loses records.
# @@drops: ^dtrace: [0-9]+ dynamic variable drops?

# writes OPTION...: how many writes 20 records of 10 ms each make
writes() {
	$DTRACE "$@" -qn 'tick-10ms { printf("%d\n", ++n); } tick-10ms /n == 20/ { exit(0); }' |
		dd bs=64k of=records 2>&1 | sed -n 's/^\([0-9]*\)+\([0-9]*\) records in/\1 \2/p' |
		{ read -r whole part; echo $((whole + part)); }
	[ "$(grep -c . records)" = 20 ] || echo "$@: $(grep -c . records) records"
}
within() {
	[ "$1" -ge "$2" ] && [ "$1" -le "$3" ] || echo "$4: $1, not $2 to $3"
}
within "$(writes)" 5 30 'at once'
within "$(writes -x switchrate=1min)" 1 2 'switchrate=1min'

# half of a small buffer does not wait for its time
$DTRACE -x switchrate=1min -x bufsize=16k -c 'calls -n 400 -d 50' -qn '
	syscall::getppid:entry /pid == $target/ { printf("%d\n", n++); }' |
	tail -n 1

# losses: $1 reports or more, $2 at most
losses() {
	least=$1 most=$2
	shift 2
	$DTRACE "$@" -x dynvarsize=2k -qn 'tick-5ms { a[n++] = 1; }
		tick-200ms { exit(0); }' >out 2>err
	within "$(grep -c 'dynamic variable drops*$' err)" $least $most "$*"
}
losses 1 1 -x statusrate=10sec
losses 2 20 -x statusrate=20ms
