#!/usr/sbin/dtrace -s
/*
 * sslsnoop: data that programs read and write through OpenSSL
 *
 * Usage: dtrace -x tool=sslsnoop [BYTES]
 *	BYTES  how much of each read and write is shown, at most 1024 (default: 64)
 *
 * The data are shown before encryption and after decryption. Traces libssl, also in
 * programs that start later. With -c or -p: only this process and its descendants.
 *
 * Example:
 *	# dtrace -x tool=sslsnoop -c 'curl -s https://localhost/'
 *	   PID COMM         CALL         BYTES
 *	  4712 curl         SSL_write       73
 *	             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
 *	         0: 47 45 54 20 2f 20 48 54 54 50 2f 31 2e 31 0d 0a  GET / HTTP/1.1..
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs
#pragma D option switchrate=10hz

dtrace:::BEGIN
{
	printf("%6s %-12s %-10s %7s\n", "PID", "COMM", "CALL", "BYTES");
	limit = $1 <= 0 ? 64 : $1 > 1024 ? 1024 : $1;
}

pid*:libssl.so*:SSL_read:entry, pid*:libssl.so*:SSL_write:entry
/$target == 0 || progenyof($target)/
{
	self->data = arg1;
}

pid*:libssl.so*:SSL_read_ex:entry, pid*:libssl.so*:SSL_write_ex:entry
/$target == 0 || progenyof($target)/
{
	self->data = arg1;
	self->done = arg3;
}

pid*:libssl.so*:SSL_read:return, pid*:libssl.so*:SSL_write:return
/self->data/
{
	this->n = (int)arg1;
}

/* These return whether they succeeded; how much is where the last argument points to. */
pid*:libssl.so*:SSL_read_ex:return, pid*:libssl.so*:SSL_write_ex:return
/self->data/
{
	this->n = arg1 == 1 ? *(uint64_t *)copyin(self->done, 8) : 0;
}

pid*:libssl.so*:SSL_read:return, pid*:libssl.so*:SSL_write:return,
pid*:libssl.so*:SSL_read_ex:return, pid*:libssl.so*:SSL_write_ex:return
/self->data && this->n > 0/
{
	printf("%6d %-12s %-10s %7d", pid, execname, probefunc, this->n);
	this->n = this->n < limit ? this->n : limit;
	tracemem(copyin(self->data, this->n), 1024, this->n);
}

pid*:libssl.so*:SSL_read:return, pid*:libssl.so*:SSL_write:return,
pid*:libssl.so*:SSL_read_ex:return, pid*:libssl.so*:SSL_write_ex:return
{
	self->data = 0;
	self->done = 0;
}
