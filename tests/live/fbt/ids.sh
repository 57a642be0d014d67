# Ids: the same looked up, listed and asked for by number. Names in the list.
# @@needs: kprobe
$DTRACE -l >all
[ "$(awk 'NR > 1 { print $1 }' all | sort | uniq -d | wc -l)" = 0 ]
$DTRACE -ln 'fbt:vmlinux:vfs_read:' | sed 1d >literal
grep ' fbt .* vfs_read ' all | cmp - literal
read -r id _ <literal
$DTRACE -l -i $id-$((id + 1)) | sed 1d | cmp - literal
$DTRACE -qi $id'/pid == $target/ { printf("%d %s:%s\n", id == '$id', probefunc, probename);
	exit(0); }' \
	-c 'cat /etc/passwd' >>out
grep -qx '1 vfs_read:entry' out
# Without types.
grep ' rawfbt .*\.isra\.[0-9]* return$' all | sed -n 3p >isra
read -r id prov mod func name <isra
$DTRACE -l -i $id | sed 1d | cmp - isra
$DTRACE -ln rawfbt::$func:$name | sed 1d | cmp - isra
# fbt has plain names, and each once in its module; rawfbt has them all.
awk '$2 ~ /fbt$/ { n[$2, $5]++; if (seen[$2, $3, $4, $5]++) print "twice", $0
		if ($2 == "fbt" && $4 ~ /\./ || $4 ~ /\.cold/ ||
		    $4 ~ /^__pfx_/) print "has no place", $0
		if ($2 == "fbt") plain++; else if ($4 !~ /\./) raw++ }
	END { print (plain == raw), (n["fbt", "entry"] > 20000), (n["fbt", "return"] > 20000),
		(n["rawfbt", "entry"] > n["fbt", "entry"]) }' all
