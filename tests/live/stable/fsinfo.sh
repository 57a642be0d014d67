# fsinfo: what is done to a file through its descriptor, each thing as often as it was done, with
# as many bytes.
dir=$(pwd -P)
$DTRACE -qn 'fsinfo:::read, fsinfo:::write, fsinfo:::seek, fsinfo:::space, fsinfo:::frlock,
	fsinfo:::fsync, fsinfo:::map, fsinfo:::ioctl,
	fsinfo:::create, fsinfo:::open, fsinfo:::close
	/pid == $target && args[0]->fi_name == "made"/
	{
		@[probename] = count();
		@bytes[probename] = sum(arg1);
		bad += strstr(args[0]->fi_pathname, "/made") == NULL ||
		    args[0]->fi_fs == "<none>" || args[0]->fi_mount == "<none>";
		bad += args[0]->fi_pathname != strjoin(args[0]->fi_dirname, "/made");
	}
	fsinfo::fop_readdir: /pid == $target/ { entries += args[1]; dirs = args[0]->fi_pathname; }
	END { printa("%s %@d %@d\n", @, @bytes); printf("bad %d, entries %d of %s\n",
		bad, entries > 72, dirs); }' -c 'doings files' |
	sed "s|of $dir|of here|" | sort | grep .
