# In the manner of iosnoop, iotop, bitesize and seeksize: requests distinguished by device and
# block, psargs as a char *, io:genunix.
# @@needs: cmd:losetup cmd:mkfs.ext4
. "$FIXTURE/filesystem"
cat >work <<'W'
dd if=/dev/zero of=m/payload bs=64k count=1 conv=fsync status=none
W
cat >io.d <<'E'
#pragma D option quiet
#pragma D option switchrate=10hz
inline int OPT_dump = 0;
inline int OPT_dev = 1;
inline int OPT_delta = 1;
inline string DEVICE = $$1;
self int last[dev_t];

dtrace:::BEGIN
{
	last_event[""] = 0;
	disk_w = 0;
	OPT_dump ? printf("%s\n", "DUMP") : printf("%1s %6s %s\n", "D", "SIZE", "ARGS");
}

io:genunix::start
/(OPT_dev ? DEVICE == args[1]->dev_statname : 1) && args[2]->fi_name == "payload"/
{
	this->dev = args[0]->b_edev;
	this->blk = args[0]->b_blkno;
	start_uid[this->dev, this->blk] = uid;
	start_args[this->dev, this->blk] = (char *)curpsinfo->pr_psargs;
	start_time[this->dev, this->blk] = timestamp;
	args[0]->b_flags & B_READ ? 1 : disk_w += args[0]->b_bcount;
	@Size[args[1]->dev_statname, args[1]->dev_major, args[0]->b_flags & B_READ ? "R" : "W"] =
	    sum(args[0]->b_bcount);
}

io:genunix::start
/start_time[args[0]->b_edev, args[0]->b_blkno] && self->last[args[0]->b_edev] != 0/
{
	this->last = self->last[args[0]->b_edev];
	this->dist = (int)(args[0]->b_blkno - this->last) > 0 ? args[0]->b_blkno - this->last :
	    this->last - args[0]->b_blkno;
	@Seek = max(this->dist);
}

io:genunix::start
/start_time[args[0]->b_edev, args[0]->b_blkno]/
{
	self->last[args[0]->b_edev] = args[0]->b_blkno + args[0]->b_bcount / 512;
}

io:genunix::done
/start_time[args[0]->b_edev, args[0]->b_blkno]/
{
	this->dev = args[0]->b_edev;
	this->blk = args[0]->b_blkno;
	this->suid = start_uid[this->dev, this->blk];
	this->sargs = (int)start_args[this->dev, this->blk] == 0 ? "" :
	    start_args[this->dev, this->blk];
	this->delta = timestamp - start_time[this->dev, this->blk];
	this->dtime = last_event[args[1]->dev_statname] == 0 ? 0 :
	    timestamp - last_event[args[1]->dev_statname];
	OPT_delta ? @delta[args[1]->dev_statname] = min(this->delta > 0) :
	    (@delta[1, 2] = sum(this->dtime));
	OPT_dump ? printf("%d %d:%d\n", this->dtime, args[1]->dev_major, args[1]->dev_minor) : 1;
	printf("%1s %S\n", args[0]->b_flags & B_READ ? "R" : "W", this->sargs);
	last_event[args[1]->dev_statname] = timestamp;
	start_uid[this->dev, this->blk] = 0;
	start_args[this->dev, this->blk] = 0;
	start_time[this->dev, this->blk] = 0;
}

dtrace:::END
{
	disk_w /= 1024;
	printf("disk_w: %6d KB\n", disk_w);
	printa("%.4s %3d %1s %12@d\n", @Size);
	printa("%.4s %@d\n", @delta);
}
E
$DTRACE -s io.d -c 'sh work' "${loop#/dev/}" >out
grep -q '^W .*[a-z]' out
sed -n '/disk_w/,$p' out
