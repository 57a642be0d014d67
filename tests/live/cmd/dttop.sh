# SPDX-License-Identifier: GPL-2.0-or-later
# dttop in a terminal of 80 columns: values, drilling down, sorting, freezing, another aggregation,
# narrow terminals, hostile names, errors, and the end of its program.
# @@once: the terminal is not the kernel's
# @@needs: cmd:tmux
fail() { echo "$*"; screen; exit 1; }
[ -x "$BUILD/dttop" ] || fail 'dttop is not built: libncurses-dev is missing'
cp "$(command -v calls)" ./dtcalls
cp ./dtcalls "$(printf 'dt\033[7m\001x')"
terminal=0
screen() { tmux -S "socket$terminal" capture-pane -p 2>/dev/null || cat errors; }
keys() { tmux -S "socket$terminal" send-keys "$@"; }
# begin COLUMNS LINES ARGUMENT...: dttop in a terminal of that size.
begin() {
	columns=$1 lines=$2 terminal=$((terminal + 1))
	shift 2
	printf '%s\0' "$@" >arguments
	cat >start <<'END'
#!/bin/bash
mapfile -d '' -t arguments <arguments
TERM=screen LANG=C.UTF-8 LC_ALL=C.UTF-8 "$BUILD/dttop" "${arguments[@]}" 2>errors
echo "status $?"
cat errors
sleep 1000
END
	tmux -S "socket$terminal" -f /dev/null new-session -d -x "$columns" -y "$lines" \
		"bash ./start"
}
end() { tmux -S "socket$terminal" kill-server; }
# shows REGEX: the screen comes to have it.
shows() {
	for i in $(seq 200); do
		screen | grep -Eq -- "$1" && return
		sleep 0.05
	done
	fail "no $1"
}
trap 'tmux -S "socket$terminal" kill-server 2>/dev/null || :' EXIT

program='syscall::getppid:entry, syscall::lseek:entry /execname == $$1/ {
	@[execname, probefunc] = count(); }
	syscall::lseek:entry /execname == $$1/ { @last[probefunc] = max(7); printf("lseek\n"); }'
begin 80 24 -i 0.2 -n "$program" dtcalls
shows 'no rows yet'
shows 'syscall::getppid:entry, .* \? help$'
./dtcalls -t 1 -n 60
./dtcalls -t 1 -i -n 40
shows '^dtcalls  *100 '
shows '^lseek .* \? help$'
keys Enter
shows '^@ count\(\)  by value  in dtcalls$'
shows '^getppid  *60 '
shows '^lseek  *40 '
[ "$(screen | sed -n '3s/ .*//p')" = getppid ] || fail 'order'
keys r
shows 'reversed'
[ "$(screen | sed -n '3s/ .*//p')" = lseek ] || fail 'reversed'
keys Space
shows FROZEN
./dtcalls -t 1 -i -n 5
sleep 0.5
screen | grep -Eq '^lseek  *40 ' || fail 'frozen'
keys Space
shows '^lseek  *45 '
# A rate while there are events, and its course.
./dtcalls -t 1 -d 1000 -s 2 >/dev/null &
shows '^getppid  *[0-9]*  *[1-9][0-9.]*  *[▁▂▃▄▅▆▇█]'
wait $!
keys BSpace
shows 'KEY 1 of 2'
keys Tab
shows '^@last max\(\)'
shows '^lseek  *7 '
screen | grep -q RATE && fail 'rates of max()'
keys '?'
shows 'freeze'
keys q
shows '^status 0$'
end
# Half a terminal has rates and all keys of the help, a narrower one only values.
for columns in 50 38; do
	begin $columns 24 -i 0.2 -n "$program" dtcalls
	shows 'no rows yet'
	./dtcalls -t 1 -n 60
	shows '^dtcalls  *60( |$)'
	screen | sed -n 2p | grep -q RATE && [ $columns = 38 ] && fail 'rates in 38 columns'
	screen | sed -n 2p | grep -q RATE || [ $columns = 38 ] || fail 'no rates in 50 columns'
	keys '?'
	for key in 'Space, f  *freeze$' 'Enter, Right  *the next' 'Tab  *another' 'q  *end$'; do
		shows "^$key"
	done
	keys q
	shows '^status 0$'
	end
done
# What a command prints is not on the screen, and it takes no keys.
begin 80 24 -i 0.2 -n 'syscall::getppid:entry /progenyof($target)/ { @[execname] = count(); }' \
	-c 'sh -c "echo noise; echo noise >&2; cat; ./dtcalls -t 1 -n 30; sleep 100"'
shows '^dtcalls  *30 '
screen | grep noise && fail 'output of the command'
keys q
shows '^status 0$'
end
"$BUILD/dttop" --help | grep -q '^usage: dttop' || fail 'no help'
# Narrow, with names that have control characters; min and avg of groups.
begin 50 10 -i 0.2 -n 'syscall::getppid:entry /execname == $$1/ { @["one", x] = avg(x);
	x += 10; @m["one", x] = min(x); @c[execname] = count(); }' \
	"$(printf 'dt\033[7m\001x')"
sleep 1
"./$(printf 'dt\033[7m\001x')" -t 1 -n 4
shows '^one  *15( |$)'
keys Tab
shows '^one  *10( |$)'
keys Tab
shows '^dt.033\[7m.001x  *4( |$)'
screen | awk '{ if (length($0) > 50) exit 1 }' || fail 'width'
keys q
shows '^status 0$'
end
# The program ends; its result stays.
begin 80 24 -i 0.2 -c './dtcalls -t 1 -n 30' \
	-n 'syscall::getppid:entry /pid == $target/ { @[execname] = count(); }
	END { printf("done\n"); }'
shows 'ENDED'
shows '^dtcalls  *30 '
keys q
shows '^status 0$'
end
# Errors are on a screen as it was.
begin 80 24 -n 'BEGIN { nosuch(); }'
shows '^status 1$'
shows '^dttop: .*nosuch'
end
"$BUILD/dttop" -n BEGIN >out 2>&1 </dev/null && fail 'no terminal' || [ $? = 1 ]
grep -qx 'dttop: standard input and output must be a terminal' out || fail "$(cat out)"
"$BUILD/dttop" >out 2>&1 && fail 'usage' || [ $? = 2 ]
grep -q '^usage: dttop ' out || fail "$(cat out)"
# The example of the manual page.
example=$(sed -n "s/^dttop -n '\\(.*\\)'$/\\1/p" "$SRC/demo/dttop/dttop.8")
$DTRACE -e -n "$example"
