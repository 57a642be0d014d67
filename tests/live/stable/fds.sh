# fds[]: files, a pipe, what is not open; mounts.
mkdir m
mount -t tmpfs none m
echo 12345678 >m/file
$DTRACE -qn 'syscall::read:entry /pid == $target && arg0 == 0 && execname == "cat"/
	{ printf("%s %s %s ", fds[0].fi_name, basename(fds[0].fi_dirname), fds[0].fi_fs);
	  printf("%s %d %d %d\n", basename(fds[0].fi_mount),
	      strstr(fds[0].fi_pathname, "/m/file") != NULL, fds[0].fi_offset,
		fds[0].fi_oflags & O_ACCMODE); }' -c 'sh -c "exec cat >/dev/null"' <m/file
umount m
echo | $DTRACE -qn 'syscall::read:entry /pid == $target && arg0 == 0 && execname == "cat" && !n++/
	{ printf("%s|%s|%s|%s|%s|%d\n", fds[0].fi_name, fds[0].fi_dirname, fds[0].fi_pathname,
		fds[0].fi_fs, fds[0].fi_mount, fds[99].fi_offset);
	  printf("%s %s %s %d\n", fds[99].fi_pathname, fds[98].fi_fs, fds[-1].fi_mount,
	      fds[97].fi_oflags); }' -c 'sh -c "exec cat >/dev/null"'
