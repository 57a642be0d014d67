# @@needs: cmd:unshare cmd:ip cmd:mount
# io: a client of NFS, whose server is the same kernel, in namespaces of their own. A file of 128
# KB is written and read again.
[ -e /sys/module/9pnet_virtio ] || {
	echo "only in a machine of ours: a server that does not start has 5.10 panic"
	exit 77
}
modprobe -q nfsd 2>/dev/null && modprobe -q nfsv4 2>/dev/null || {
	echo "this kernel has no NFS"
	exit 77
}
grep -q ' __tracepoint_nfs_initiate_read' /proc/kallsyms || {
	echo "this kernel does not tell what its NFS does"
	exit 77
}
cat >work <<'W'
dd if=/dev/zero of=m/payload bs=64k count=2 conv=fsync status=none
umount m
mount -i -t nfs4 -o vers=4.1,addr=127.0.0.1,clientaddr=127.0.0.1 127.0.0.1:/ m
cat m/payload >/dev/null
W
cat >script <<'D'
#define WHAT (args[0]->b_flags & B_READ ? "read" : "written")
#define OURS args[1]->dev_name == "nfs" && args[2]->fi_name == "payload"
io:nfs::start
/OURS/
{
	start[WHAT] += args[0]->b_bcount;
	at[arg0] = args[0]->b_bcount;
	bad += args[0]->b_flags & (B_DONE | B_ERROR) || !(args[0]->b_flags & B_BUSY) ||
	    args[0]->b_blkno * 512 != args[2]->fi_offset;
	bad += args[2]->fi_offset + args[0]->b_bcount > 131072;
	bad += strstr(args[2]->fi_pathname, "/m/payload") == NULL ||
	    basename(args[2]->fi_dirname) != "m" || args[2]->fi_fs != "nfs4";
	bad += basename(args[2]->fi_mount) != "m" || args[1]->dev_pathname != "<nfs>" ||
	    args[1]->dev_minor != getminor(args[0]->b_edev);
	bad += args[1]->dev_statname != strjoin("nfs", lltostr(args[1]->dev_instance));
}
io:::done
/OURS && at[arg0]/
{
	done[WHAT] += args[0]->b_bcount;
	bad += !(args[0]->b_flags & B_DONE) || args[0]->b_resid || args[0]->b_error ||
	    at[arg0] != args[0]->b_bcount;
	at[arg0] = 0;
}
END
{
	printf("start: %d written, %d read; done: %d, %d; bad %d\n", start["written"],
	    start["read"], done["written"], done["read"], bad);
}
D
cat >inside <<I
ip link set lo up
mkdir export m
mount -t tmpfs tmpfs export
mount -t nfsd nfsd /proc/fs/nfsd
later=\$((\$(date +%s) + 3600))
# What mountd would answer: whose the address is, what is exported (without a check of ports and
# subtrees, number 0), and where 0 is.
echo "nfsd 127.0.0.1 \$later dt" >/proc/net/rpc/auth.unix.ip/channel
echo "dt \$PWD/export \$later 9218 0 0 0" >/proc/net/rpc/nfsd.export/channel
echo "dt 1 \\\\x00000000 \$later \$PWD/export" >/proc/net/rpc/nfsd.fh/channel
{ echo '-2' >/proc/fs/nfsd/versions; } 2>/dev/null || :
echo '-3 +4' >/proc/fs/nfsd/versions
echo 10 >/proc/fs/nfsd/nfsv4gracetime
echo 'tcp 2049' >/proc/fs/nfsd/portlist
echo 2 >/proc/fs/nfsd/threads
# The server may not be there yet.
for try in 1 2 3 4; do
	mount -i -t nfs4 -o vers=4.1,addr=127.0.0.1,clientaddr=127.0.0.1,timeo=50,retrans=1 \\
		127.0.0.1:/ m && break
	sleep 1
done
$DTRACE -q -C -s script -c 'sh work' || :
umount m
echo 0 >/proc/fs/nfsd/threads
I
unshare -mn sh inside | grep .
