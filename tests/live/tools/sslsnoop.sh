# tools/sslsnoop.d: what a client of TLS says is readable.
# @@needs: cmd:openssl
openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -days 2 -subj /CN=x >err 2>&1
cat >talk <<'S'
openssl s_server -accept 0 -key key -cert cert -www >port 2>/dev/null &
server=$!
for i in $(seq 100); do
	port=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' port)
	[ -z "$port" ] || break
	sleep 0.05
done
printf 'GET /spoken HTTP/1.0\r\n\r\n' |
	openssl s_client -connect "127.0.0.1:$port" -quiet -ign_eof >page 2>/dev/null
kill $server
wait
S
$DTRACE -s "$SRC/tools/sslsnoop.d" -c 'sh talk' >out 2>err || :
grep -q HTTP page || { echo "openssl does not serve here"; exit 77; }
grep -qE '^ *[0-9]+ openssl +SSL_write +24$' out
grep -q 'GET /spoken HTTP' out
grep -qE '^ *[0-9]+ openssl +SSL_read +[0-9]+$' out
$DTRACE -s "$SRC/tools/ssllatency.d" -c 'sh talk' >out 2>err || :
grep -q '^  openssl SSL_read (us)' out
grep -q '^  openssl SSL_write (us)' out
