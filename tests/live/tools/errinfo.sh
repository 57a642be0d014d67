# tools/errinfo.d: a file that is not there, and a descriptor that does not exist.
$DTRACE -s "$SRC/tools/errinfo.d" -c "sh -c 'cat /no/such; cat <&-'" >out 2>err
grep -qE '^cat +openat +2 No such file or directory +[0-9]+$' out
grep -qE '^cat +[a-z0-9]+ +9 Bad file descriptor +[0-9]+$' out
$DTRACE -s "$SRC/tools/errinfo.d" -c "sh -c 'cat /no/such'" sh >out 2>err
! grep -q '^cat' out || exit 1
