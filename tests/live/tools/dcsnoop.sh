# tools/dcsnoop.d: a name that has never been looked up, and is not there.
# @@needs: kprobe
$DTRACE -s "$SRC/tools/dcsnoop.d" -c "sh -c 'cat ./never-$$-seen; :'" >out 2>err
grep -qE " cat +never-$$-seen\$" out
