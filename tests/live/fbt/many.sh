# Many functions at once, whichever way they are attached, count the same. dd writes 9 times.
# @@needs: kprobe
count() {
	$DTRACE "$@" -qn 'fbt::vfs_wri*:entry, fbt::vfs_wri*:return,
		fbt::ksys_writ*: /pid == $target/ { @[probefunc, probename] = count(); }
		END { printa("%s %s %@d\n", @); }' \
		-c 'dd if=/dev/zero of=/dev/null bs=10 count=9 status=none' | sort
}
count >out
grep -E '^(ksys|vfs)_write ' out
for off in fentry fentry,kprobe_multi fentry,kprobe_multi,perf_cookie; do
	count -x nofeat=$off | diff out - || exit 1
done
