# Listings: columns, what is matched once, what is not.
$DTRACE -l -i 1-3 >out
diff - out <<E
   ID   PROVIDER            MODULE                          FUNCTION NAME
    1     dtrace                                                     BEGIN
    2     dtrace                                                     END
    3     dtrace                                                     ERROR
E
$DTRACE -l -n BEGIN -i 1 -s - <<E >out2
BEGIN, END { } ERROR { nothing++; }
E
diff out out2
$DTRACE -l -n nosuch -f foo -m a:b -P zz -n BEGIN >out 2>err && exit 1 || [ $? = 1 ]
[ "$(wc -l <out)" = 2 ]
diff - err <<E
dtrace: failed to match :::nosuch: No probe matches description
dtrace: failed to match ::foo:: No probe matches description
dtrace: failed to match a:b::: No probe matches description
dtrace: failed to match zz:::: No probe matches description
E
$DTRACE -lv -n syscall::close:entry >out
[ "$(grep -c 'syscall .* close entry$' out)" = 1 ]
[ "$(grep -c 'args\[0\]: unsigned int' out)" = 1 ]
[ "$($DTRACE -l | wc -l)" -gt 1500 ]
$DTRACE -l -P syscall -o file
$DTRACE -l -P syscall >out
cmp file out
