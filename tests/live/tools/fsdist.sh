# tools/fsdist.d: twenty reads of a file, and one that opens it; only those of the type that is
# named.
$DTRACE -s "$SRC/tools/fsdist.d" \
	-c 'dd if=/dev/zero of=made bs=1k count=20 conv=fsync status=none' >out 2>err
name=$(awk '$2 == "fsync" { print $1 }' out)
[ -n "$name" ] || { cat out; exit 1; }
awk -v name="$name" 'NF == 3 && $3 == "(us)" { on = $1 == name && $2 == "write" }
	on && /\|/ { n += $NF } END { exit n != 20 }' out
grep -qE "^  $name open \(us\)" out
$DTRACE -s "$SRC/tools/fsdist.d" \
	-c 'dd if=/dev/zero of=made bs=1k count=20 status=none' "$name" >out 2>err
grep -qE "^  $name write \(us\)" out
! grep '(us)' out | grep -v "^  $name " || exit 1
