# tools/gethostlatency.d: lookups of a program that starts later, by two functions.
# @@needs: cmd:getent
$DTRACE -s "$SRC/tools/gethostlatency.d" \
	-c "sh -c 'getent ahosts localhost; getent hosts localhost; :'" >out 2>err
[ "$(grep -cE '^[12][0-9]{3} .* getent +[0-9]+ localhost$' out)" -ge 2 ]
