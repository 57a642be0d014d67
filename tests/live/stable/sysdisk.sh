# @@needs: cmd:losetup cmd:mkfs.ext4
# sysinfo: blocks that are read and written, through buffers and by the kernel's writeback.
. "$FIXTURE/filesystem"
cd m
$DTRACE -qn 'sysinfo:::lread, sysinfo:::lwrite,
	sysinfo:::bwrite /pid == $target/ { n[probename] += arg0; }
	END { printf("lread %d lwrite %d bwrite %d\n", n["lread"] > 0, n["lwrite"] > 0,
		n["bwrite"] > 0); }' -c 'doings files' | grep .
rm -f made
$DTRACE -qn 'sysinfo:::bread /pid == $target/ { n += arg0; }
	END { printf("bread %d\n", n > 0 && n <= 300); }' -c 'doings major' | grep .
$DTRACE -qn 'sysinfo:::bawrite /pid == $target/ { n += arg0; }
	END { printf("bawrite %d\n", n > 0 && n <= 16); }' -c 'doings behind' | grep .
