# SPDX-License-Identifier: GPL-2.0-or-later
# Metrics: at the end, in a file that is replaced, and served to slow and bad clients.
# @@needs: cmd:python3
# @@stderr: ^dtrace: serving metrics at (unix:sock|http://127\.0\.0\.1:[0-9]+/metrics)$
fail() { echo "$*"; exit 1; }

cat >a.d <<'E'
#pragma D metric q unit seconds
#pragma D metric q scale 1000
#pragma D metric q labels program
BEGIN { @q["a"] = quantize(3); @q["a"] = quantize(5, 2); @c = count(); @c = count(); exit(0); }
END { clear(@c); clear(@q); printa(@c); }
E
$DTRACE -x oformat=openmetrics -qs a.d >out
for line in 'dtrace_q_seconds_bucket{program="a",le="0.003"} 1' \
	'dtrace_q_seconds_sum{program="a"} 0.013' \
	'dtrace_q_seconds_count{program="a"} 3' 'dtrace_c_total 2' \
	'dt_drops_total{kind="principal"} 0' '# EOF'; do
	grep -qxF "$line" out || { cat out; fail "no line $line"; }
done

$DTRACE -x oformat=openmetrics -x listen=unix:sock -qn 'tick-97 { @ticks = count(); }
	tick-15s { exit(0); }' &
pid=$!
cat >client.py <<'E'
import socket, time
def connect():
    s = socket.socket(socket.AF_UNIX); s.settimeout(5); s.connect("sock"); return s
def get(text=b"GET /metrics HTTP/1.1\r\nAccept: application/openmetrics-text\r\n\r\n"):
    s = connect(); s.sendall(text); out = b""
    while True:
        part = s.recv(65536)
        if not part: return out
        out += part
def value():
    page = get()
    assert page.startswith(b"HTTP/1.1 200 ") and page.endswith(b"# EOF\n"), page[:200]
    return int(page.split(b"dtrace_ticks_total ")[1].split()[0])
for i in range(200):
    try: connect().close(); break
    except OSError: time.sleep(.05)
for text, status in ((b"GET /x HTTP/1.1\r\n\r\n", b"404"),
                     (b"POST /metrics HTTP/1.1\r\n\r\n", b"405"),
                     (b"\0\1\2", b"400"), (b"\r\n\r\n", b"400"),
                     (b"GET /metrics HTTP/1.1\r\nA: " + b"x" * 8200, b"431")):
    assert get(text)[9:12] == status, text[:20]
slow = [connect() for i in range(40)]
value()
time.sleep(.5)
first, began = value(), time.time()
time.sleep(1)
rate = (value() - first) / (time.time() - began)
assert 60 < rate < 130, rate
E
python3 client.py || { kill $pid; fail client; }
[ "$(stat -c %a sock)" = 660 ] || fail "mode of the socket"
kill -TERM $pid
wait $pid
[ ! -e sock ] || fail "the socket is left"

# Clients that ask one after the other get the same page for 20 times as long as it took to make.
cat >poll.py <<'E'
import socket, time
def page():
    s = socket.socket(socket.AF_UNIX); s.connect("large")
    s.sendall(b"GET /metrics HTTP/1.1\r\n\r\n")
    text = b"".join(iter(lambda: s.recv(1 << 20), b""))
    return text.count(b"dtrace_many_total"), text.split(b"dtrace_ticks_total ")[-1].split()[0]
while page()[0] < 100000: time.sleep(.1)
print(len({page() for i in range(12)}) <= 4)
E
$DTRACE -x oformat=openmetrics -x listen=unix:large -x aggsize=64m -qn 'tick-97 {
		@ticks = count(); }
	syscall::lseek:entry /ppid == $1/ { @many[arg1] = count(); }' $$ &
pid=$!
until [ -S large ]; do sleep 0.05; done
calls -i -n 100000
[ "$(python3 poll.py)" = True ] || { kill $pid; fail poll; }
kill -TERM $pid
wait $pid

# A port that the kernel chooses is reported, with -q, too.
$DTRACE -x oformat=openmetrics -x listen=127.0.0.1:0 -qn 'BEGIN { exit(0); }' 2>err
grep -Eqx 'dtrace: serving metrics at http://127\.0\.0\.1:[1-9][0-9]*/metrics' err || {
	cat err; fail "port"; }

# A device is written to: it is not replaced, as a file is.
mknod null c 1 3
$DTRACE -x oformat=openmetrics -o null -qn 'BEGIN { @ = count(); exit(0); }'
[ -c null ] || fail "the device was replaced"
