# The preprocessor over scripts and -n.
command -v cpp >/dev/null || { echo 'needs cpp'; exit 77; }
mkdir d
echo '#define H 9' >d/h.h
cat >d/a.d <<'E'
#!/usr/sbin/dtrace -Cqs
#include "h.h"
#define N 3
#ifdef __linux
BEGIN { printf("%d %d %d", N, H, M); exit(0); }
#endif
E
[ "$($DTRACE -C -DM=5 -q -s d/a.d)" = '3 9 5' ]
$DTRACE -H -C -DM=5 -q -s d/a.d 2>&1 >out | grep -q '^\. d/h.h$'
[ "$($DTRACE -C -DX=trace -I d -q -n '#include <h.h>
BEGIN { X(H); exit(0); }')" = 9 ]
echo 'BEGIN { nosuch(); }' >>d/a.d
$DTRACE -C -DM=5 -q -s d/a.d 2>err && exit 1
grep -q 'failed to compile script d/a.d: line 7: .*nosuch' err
$DTRACE -C -x cpppath=/no/cpp -n BEGIN 2>err && exit 1
grep -q 'Preprocessor not found: /no/cpp: No such file or directory' err
