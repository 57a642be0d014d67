#!/usr/sbin/dtrace -s
/*
 * undump: data that programs receive over Unix sockets
 *
 * Usage: dtrace -x tool=undump [BYTES]
 *	BYTES  how much of each message is shown, at most 1024 (default: 64)
 *
 * Covers read and recvfrom, as used by recv(). With -c or -p: only this process and its
 * descendants.
 *
 * Example:
 *	# dtrace -x tool=undump -c 'logger -u /run/socket hello'
 *	   PID COMM           BYTES
 *	  4712 server            12
 *	             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
 *	         0: 68 65 6c 6c 6f                                   hello
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option compat=off
#pragma D option switchrate=10hz

inline int AF_UNIX = 1;

dtrace:::BEGIN
{
	printf("%6s %-12s %7s\n", "PID", "COMM", "BYTES");
	limit = $1 <= 0 ? 64 : $1 > 1024 ? 1024 : $1;
}

syscall::read:entry, syscall::recvfrom:entry
/($target == 0 ? pid != $pid : progenyof($target)) && fds[arg0].fi_fs == "sockfs"/
{
	this->sock = ((struct socket *)getf(arg0)->private_data)->sk;
	self->data = this->sock->__sk_common.skc_family == AF_UNIX ? arg1 : 0;
}

syscall::read:return, syscall::recvfrom:return
/self->data && arg0 > 0/
{
	printf("%6d %-12s %7d", pid, execname, arg0);
	this->n = arg0 < limit ? arg0 : limit;
	tracemem(copyin(self->data, this->n), 1024, this->n);
}

syscall::read:return, syscall::recvfrom:return
{
	self->data = 0;
}
