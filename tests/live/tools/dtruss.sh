# tools/dtruss.d: calls with the names of files, results and errors, a call that does not return,
# and the new program of execve.
$DTRACE -s "$SRC/tools/dtruss.d" -c "sh -c 'true; cat /etc/passwd /no/such; exit 0'" >>out 2>err
# the paths of aarch64 and x86-64 are the same: openat
grep -qE '^ *([0-9]+)/[0-9]+ +[0-9]+ openat\(0xffffff9c, "/etc/passwd", 0x[0-9a-f]*\) = 3$' out
grep -qE ' openat\(0xffffff9c, "/no/such", 0x[0-9a-f]*\) = -1 No such file or directory$' out
grep -qE ' execve\("[^"]*cat", 0x[0-9a-f]+, 0x[0-9a-f]+\) = 0$' out
grep -qE ' close\(0x3, 0x[0-9a-f]+, 0x[0-9a-f]+\) = 0$' out
grep -qE ' exit_group\(1\)$' out
grep -qE ' (brk|mmap)\(0x0, .*\) = 0x[0-9a-f]+$' out
rm out
$DTRACE -s "$SRC/tools/dtruss.d" -c "sh -c 'cat /etc/passwd; exit 0'" nothing >>out 2>err
! grep -q ' = ' out || exit 1
