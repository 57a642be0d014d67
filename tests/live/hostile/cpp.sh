# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts under -C -e that include a FIFO or a device, or whose macros take all time and memory: the
# preprocessor ends by its limits, and the message names them. What it started ends with dtrace.
# @@needs: cmd:cpp cmd:mkfifo
# @@status: 1 signal
# @@once:
# @@stderr: .*
fail() { echo "$*"; exit 1; }
compile() { # SCRIPT WANT: within 8 s
	begun=$(date +%s)
	timeout "$LIMIT" $DTRACE -C -x cpptime=2s -es "$1" >out 2>err && fail "$1: compiled"
	grep -q "$2" err || fail "$1: $(tail -n 3 err)"
	took=$(($(date +%s) - begun))
	[ $took -lt 8 ] || fail "$1: after $took s"
}
mkfifo fifo
echo "#include \"$PWD/fifo\"" >fifo.d
echo '#include "/dev/zero"' >zero.d
{
	echo '#define A0 1+1'
	for i in $(seq 50); do
		b=A$((i - 1))
		echo "#define A$i $b+$b+$b+$b"
	done
	printf '#if A50\nBEGIN { }\n#endif\n'
} >macros.d
printf '#if __INCLUDE_LEVEL__ < 150\n#include "%s"\n#include "%s"\n#endif\n' \
	"$PWD/self.d" "$PWD/self.d" >self.d
time='Preprocessor failed: it takes longer than cpptime (2000ms); try -x cpptime=20000ms'
compile fifo.d "$time"
compile zero.d 'Preprocessor failed'
compile macros.d 'Preprocessor failed'
compile self.d "$time"

for signal in TERM KILL; do # SIGINT is ignored in the background
	$DTRACE -C -es fifo.d >out 2>&1 &
	pid=$!
	until grep -qs "^cc1\|^cpp" $(pgrep -P $pid | sed 's,.*,/proc/&/comm,') /dev/null; do
		sleep 0.02
	done
	group=$(pgrep -P $pid | tail -n 1 | xargs ps -o pgid= -p | tr -d ' ')
	kill -$signal $pid
	wait $pid && fail "$signal: compiled"
	for i in $(seq 100); do
		pgrep -g "$group" >left || break
		sleep 0.05
	done
	[ ! -s left ] || fail "$signal: left $(cat left)"
done
