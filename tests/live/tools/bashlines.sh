# tools/bashlines.d: what is typed into a shell that it starts, also into one that that starts; and
# not what a script says.
# @@needs: cmd:bash
cat >typed <<'S'
: hello
: two words
bash --norc -i
: inner
exit
exit
S
cat >rc <<'S'
: not typed
S
$DTRACE -s "$SRC/tools/bashlines.d" -c 'bash --rcfile rc -i' <typed 2>err | awk '$1 ~ /^[0-9:]*$/ &&
	$2 ~ /^[0-9]+$/ { n[$2]++ || order[++shells] = $2; $1 = $2 = ""; print }
	END { print shells, "shells" }' >out
printf '  %s\n' ': hello' ': two words' 'bash --norc -i' ': inner' exit exit >want
echo '2 shells' >>want
diff -u want out
