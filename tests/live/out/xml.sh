# SPDX-License-Identifier: GPL-2.0-or-later
# XML has what JSON has, as elements. A file of freopen() is a document of its own, and the first
# continues after it; so does each that is opened again, in the same session or a later one, also
# after ftruncate().
# @@status: 3
# @@stderr: ^dtrace: allowing destructive actions$
# @@stderr: ^dtrace: (description|script) .* matched [0-9]+ probes?$
# @@stderr: ^dtrace: error in clause [0-9]+ for probe ID [0-9]+ 
# @@stderr: ^dtrace: normalize\( \) of @_ by [0-9]+ is ignored
# @@stderr: ^dtrace: pid [0-9]+ has exited
fail() { echo "$*"; cat out; exit 1; }
cp "$SRC/tests/live/out/json.d" .
$DTRACE -x oformat=xml -s json.d -c 'calls -- 1 2 2' >out 2>err || [ $? = 3 ] || fail "$(cat err)"
cat out

# What XML cannot carry, and members whose names no element can have.
$DTRACE -x oformat=xml \
	-qn 'BEGIN { printf("<a & \"b\">\r\n\t\001\377\303\251"); exit(0); }' >out 2>err
grep -q '<message>&lt;a &amp; &quot;b&quot;&gt;&#13;&#10;&#9;��é</message>' out || fail "bytes"

$DTRACE -wx oformat=xml -n 'BEGIN { printf("a"); } BEGIN { freopen("%s/there", $$1); }
	BEGIN { printf("b"); } BEGIN { freopen("%s/more", $$1); }
	BEGIN { freopen("%s/there", $$1); } BEGIN { printf("b again"); }
	BEGIN { freopen("%s/cut", $$1); printf("gone"); } BEGIN { ftruncate(); }
	BEGIN { freopen(""); } BEGIN { printf("c"); exit(0); }' "$PWD" >out 2>err
$DTRACE -x oformat=xml -o more -n 'BEGIN { printf("later"); exit(0); }' >err 2>&1
for f in out there more cut; do
	[ "$(head -1 $f)" = '<?xml version="1.0" encoding="UTF-8"?>' ] &&
		[ "$(grep -c '^<dtrace>$' $f)" = 1 ] &&
		[ "$(tail -1 $f)" = '</dtrace>' ] && [ "$(grep -c '^</probes>$' $f)" = 1 ] ||
		fail "$f: $(cat $f)"
	printf '%s:' $f
	sed -n 's/.*<message>\([^<]*\)<.*/ \1/p' $f | tr -d '\n'
	echo
done
cp out first

# It is written as it comes, and closed when it is interrupted.
$DTRACE -x oformat=xml -o file -n 'BEGIN { trace(1); }' >out 2>err &
until grep -qs '</probe>' file; do sleep 0.1; done
! grep -q '</dtrace>' file || fail "closed"
kill -TERM $!
wait $! || fail "status $?"
tail -3 file | sed 's/[0-9][0-9T:.-]*Z/DATE/; s/>[0-9]*</>N</g'
! command -v xmllint >/dev/null || xmllint --noout first there more cut file
