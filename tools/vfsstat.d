#!/usr/sbin/dtrace -s
/*
 * vfsstat: operations on files in each second
 *
 * Usage: dtrace -x tool=vfsstat [SECONDS]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *
 * Reads, writes, syncs, opens, creations and bytes. With -c or -p: only this process,
 * without its children.
 *
 * Example:
 *	# dtrace -x tool=vfsstat 5
 *	TIME                   READ/s  WRITE/s  FSYNC/s   OPEN/s CREATE/s      KB READ   KB WRITTEN
 *	2026 Nov 21 10:00:01     1204      310        2      511        7        48211          902
 */
#pragma D option quiet
#pragma D option defaultargs

dtrace:::BEGIN
{
	printf("%-20s %8s %8s %8s %8s %8s %12s %12s\n", "TIME", "READ/s", "WRITE/s", "FSYNC/s",
	    "OPEN/s", "CREATE/s", "KB READ",
	    "KB WRITTEN");
}

fsinfo:::read /$target == 0 || pid == $target/ { @read = sum(1); @in = sum(args[1]); }
fsinfo:::write /$target == 0 || pid == $target/ { @write = sum(1); @out = sum(args[1]); }
fsinfo:::fsync /$target == 0 || pid == $target/ { @fsync = sum(1); }
fsinfo:::open /$target == 0 || pid == $target/ { @open = sum(1); }
fsinfo:::create /$target == 0 || pid == $target/ { @create = sum(1); }

profile:::tick-1sec, dtrace:::END
/!$1 || seconds < $1/
{
	normalize(@in, 1024);
	normalize(@out, 1024);
	printf("%-20Y ", walltimestamp);
	printa("%@8d %@8d %@8d %@8d %@8d %@12d %@12d\n", @read, @write, @fsync, @open, @create, @in,
	    @out);
	clear(@read); clear(@write); clear(@fsync); clear(@open); clear(@create); clear(@in);
	    clear(@out);
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
