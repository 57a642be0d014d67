# The preprocessor over scripts and -n.
# @@status: 1
# @@stderr: ^(dtrace: (error in clause [123]|invalid probe specifier|failed to compile script)|\.+ d/)
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
# The names of the included files and nothing else: no remarks on include guards.
echo '#include "deep.h"' >d/outer.h
echo '#include "h.h"' >d/deep.h
printf '#include "outer.h"\n#include "h.h"\nBEGIN { exit(H - 9); }\n' >d/nested.d
$DTRACE -H -C -q -s d/nested.d 2>err >out
printf '. d/outer.h\n.. d/deep.h\n... d/h.h\n. d/h.h\n' | cmp - err
$DTRACE -H -C -DM=5 -q -s d/a.d 2>err >out
echo '. d/h.h' | cmp - err
[ "$($DTRACE -C -DX=trace -I d -q -n '#include <h.h>
BEGIN { X(H); exit(0); }')" = 9 ]
echo 'BEGIN { nosuch(); }' >>d/a.d
$DTRACE -C -DM=5 -q -s d/a.d 2>err && exit 1
grep -q 'failed to compile script d/a.d: line 7: .*nosuch' err
$DTRACE -C -x cpppath=/no/cpp -n BEGIN 2>err && exit 1
grep -q 'Preprocessor not found: /no/cpp: No such file or directory' err

# Files that cpp included are reported by their names and lines; after them the script's.
mkdir inc
printf '/* one\n * two */\n\ninline int bad = nosuch;\n' >inc/bad.h
printf 'inline int fault = *(int *)8;\n\n#define SYNTAX ) + 1\n' >inc/fault.h
printf '#include "inc/bad.h"\nBEGIN { trace(bad); }\n' >bad.d
printf '\nBEGIN {\n  x = *(int *)24;\n}\n' >inc/clause.h
cat >fault.d <<'D'
#include "inc/fault.h"
#include "inc/clause.h"
BEGIN { x =
	fault; }
BEGIN { x = *(int *)16; }
D
printf '#include "inc/fault.h"\n\nBEGIN {\n\ttrace(1 SYNTAX;\n}\n' >syntax.d
printf '#include "inc/fault.h"\n# 70 "made by %sx%s.y"\n\nBEGIN { nosuch(); }\n' \
	"\\\"" "\\\"" >made.d
told() { "$@" 2>&1 >out | grep -v '^dtrace: drop' || true; }
told $DTRACE -C -s bad.d
told $DTRACE -C -s syntax.d
told $DTRACE -C -s made.d
told $DTRACE -C -x errtags -n '#include "inc/bad.h"
BEGIN { trace(bad); }'
told $DTRACE -C -n '#include "inc/fault.h"
BEGIN { nosuch(); }'
told $DTRACE -qC -s fault.d -n 'BEGIN { exit(0); }'
told $DTRACE -qC -n '#include "inc/clause.h"
BEGIN { x = *(int *)16; exit(0); } ERROR /arg4/ { exit(0); }'
$DTRACE -qC -x oformat=jsonl -s fault.d -n 'BEGIN { exit(0); }' 2>/dev/null |
	grep -o '"file":[^}]*"column":[0-9]*'
# The interpreter may be named below a licence.
printf '/* c */\n#!/usr/sbin/dtrace -s\nBEGIN { printf("line %%d\\n", __LINE__); exit(0); }\n' \
	>below.d
$DTRACE -qC -s below.d
