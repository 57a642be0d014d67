# @@needs: kprobe cmd:losetup cmd:mkfs.ext4
# vminfo: pages of zeroes; private pages that are written to, but not those of a file that is
# shared.
. "$FIXTURE/filesystem"
cd m
if grep -q ' do_anonymous_page' /proc/kallsyms; then
	$DTRACE -qn 'vminfo:::zfod /pid == $target/ { n += arg0; }
		END { printf("%d\n", n); }' -c 'doings faults' >n
	[ "$(grep . n)" -ge 500 ] && [ "$(grep . n)" -lt 600 ] || {
		echo "zfod $(cat n), for 500 pages"
		exit 1
	}
fi
for what in cow dirty; do
	$DTRACE -qn 'vminfo:::cow_fault /pid == $target/ { n += arg0; }
		END { printf("cow_fault of %s: %d\n", $$1, n >= 50 &&
			n < 100 ? 50 : n < 25 ? 0 : n); }' $what -c "doings $what" | grep .
done
