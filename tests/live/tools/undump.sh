# tools/undump.d: a message over a Unix socket, cut, and none over TCP.
# @@needs: cmd:python3
cat >send.py <<'P'
import socket
a, b = socket.socketpair()
a.send(b"hello, this is text")
b.recv(99)
l = socket.create_server(("127.0.0.1", 0))
c = socket.create_connection(l.getsockname())
s, _ = l.accept()
s.send(b"not over this")
c.recv(99)
P
$DTRACE -s "$SRC/tools/undump.d" -c 'python3 send.py' >out 2>err
grep -qE '^ *[0-9]+ python3 +19$' out
grep -q 'hello, this is t' out
! grep -q 'not over' out || exit 1
$DTRACE -s "$SRC/tools/undump.d" -c 'python3 send.py' 5 >out 2>err
grep -q '  hello' out
! grep -q 'hello,' out || exit 1
