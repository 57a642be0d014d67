/*
 * The time between two probes of a thread, as a distribution and by program.
 *
 * @test
 * fire syscall::read:entry pid=7 execname="cat" arg0=3
 * fire syscall::read:entry pid=7 tid=8 execname="cat" arg0=4
 * fire syscall::read:return pid=7 execname="cat" after=20us arg0=512
 * fire syscall::read:return pid=7 tid=8 execname="cat" after=1ms arg0=-1
 * fire syscall::read:return pid=9 arg0=1
 * output
 * 7 7 fd 3: 512 bytes in 21000 ns
 * 7 8 fd 4: -1 bytes in 1020000 ns
 * cat 1041000
 *
 *
 *            value  ------------- Distribution ------------- count
 *             8192 |                                         0
 *            16384 |@@@@@@@@@@@@@@@@@@@@                     1
 *            32768 |                                         0
 *            65536 |                                         0
 *           131072 |                                         0
 *           262144 |                                         0
 *           524288 |@@@@@@@@@@@@@@@@@@@@                     1
 *          1048576 |                                         0
 */
#pragma D option quiet

syscall::read:entry
{
	self->fd = args[0];
	self->t = timestamp;
}

syscall::read:return
/self->t/
{
	this->ns = timestamp - self->t;
	printf("%d %d fd %d: %d bytes in %d ns\n", pid, tid, self->fd, args[0], this->ns);
	@time[execname] = sum(this->ns);
	@dist = quantize(this->ns);
	self->t = 0;
	self->fd = 0;
}

END
{
	printa("%s %@d\n", @time);
	printa(@dist);
}
