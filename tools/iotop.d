#!/usr/sbin/dtrace -s
/*
 * iotop: processes with the most disk I/O, each second
 *
 * Usage: dtrace -x tool=iotop [SECONDS] [LINES]
 *	SECONDS  end after so many seconds (default: at Ctrl-C)
 *	LINES    processes in each second (default: 10)
 *
 * With -c or -p: only this process, without its children.
 *
 * Example:
 *	# dtrace -x tool=iotop
 *	2026 Nov 21 10:00:01, load 0.42, disks: 10240 KB read, 512 KB written
 *	   UID     PID    PPID COMM             DISK     D   REQS       KB     TIME(us)
 *	     0    4712    4711 dd               vda      R     80    10240        41210
 *	     0      77       2 kworker/u4:1     vda      W      8      512         4212
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option strsize=64

io:::start
/$target == 0 || pid == $target/
{
	since[arg0] = timestamp;
	from[arg0] = pid;
	parent[arg0] = ppid;
	user[arg0] = uid;
	who[arg0] = execname;
	read += args[0]->b_flags & B_READ ? args[0]->b_bcount : 0;
	size[arg0] = args[0]->b_bcount;
	written += args[0]->b_flags & B_READ ? 0 : args[0]->b_bcount;
}

io:::done
/since[arg0]/
{
	this->d = args[0]->b_flags & B_READ ? "R" : "W";
	@bytes[user[arg0], from[arg0], parent[arg0], who[arg0], args[1]->dev_statname, this->d] =
	    sum(size[arg0]);
	@reqs[user[arg0], from[arg0], parent[arg0], who[arg0], args[1]->dev_statname, this->d] =
	    count();
	@took[user[arg0], from[arg0], parent[arg0], who[arg0], args[1]->dev_statname, this->d] =
	    sum(timestamp - since[arg0]);
	since[arg0] = size[arg0] = from[arg0] = parent[arg0] = user[arg0] = 0;
	who[arg0] = 0;
}

profile:::tick-1sec, dtrace:::END
/!$1 || seconds < $1/
{
	this->load = `hp_avenrun[0] * 100 / 65536;
	printf("%Y, load %d.%02d, disks: %d KB read, %d KB written\n", walltimestamp,
	    this->load / 100, this->load % 100, read / 1024,
	    written / 1024);
	printf("%6s %7s %7s %-16s %-8s %s %6s %8s %12s\n", "UID", "PID", "PPID", "COMM", "DISK",
	    "D", "REQS", "KB", "TIME(us)");
	normalize(@bytes, 1024);
	normalize(@took, 1000);
	trunc(@bytes, $2 ? $2 : 10);
	printa("%6d %7d %7d %-16s %-8s %s %@6d %@8d %@12d\n", @reqs, @bytes, @took);
	trunc(@reqs);
	trunc(@bytes);
	trunc(@took);
	read = written = 0;
}

profile:::tick-1sec
/$1 && ++seconds == $1/
{
	exit(0);
}
