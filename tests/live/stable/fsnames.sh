# @@needs: kprobe
# fsinfo: what is done to names, which is seen at functions of the kernel only. The directory is on
# a file system of its own, for some file systems do each thing once more in another one below.
mkdir m
mount -t tmpfs none m
trap 'cd .. && umount m' EXIT
cd m
$DTRACE -qn 'fsinfo:::mkdir, fsinfo:::link, fsinfo:::rename, fsinfo:::symlink,
	fsinfo:::readlink, fsinfo:::remove, fsinfo:::rmdir
	/pid == $target && args[0]->fi_fs == "tmpfs"/
	{
		@[probename, args[0]->fi_name] = count();
		bad += args[0]->fi_pathname != strjoin(args[0]->fi_mount,
		    strjoin(args[0]->fi_name == "d" ? "/" : "/d/", args[0]->fi_name));
	}
	END { printa("%s %s %@d\n", @); printf("bad %d\n", bad); }' \
	-c 'doings names' | sort | grep .
$DTRACE -qn 'fsinfo:::getattr, fsinfo:::setattr /pid == $target && args[0]->fi_name == "made"/ {
	@[probename] = count(); }
	END { printa("%s %@d\n", @); }' -c 'doings files' | sort | grep .
