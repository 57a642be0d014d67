#!/usr/sbin/dtrace -s
/*
 * ssllatency: latency of handshakes, reads and writes of OpenSSL
 *
 * Usage: dtrace -x tool=ssllatency
 *
 * Microseconds, as histograms by program. Reads include waiting for the peer. Traces
 * libssl, also in programs that start later. With -c or -p: only this process and its
 * descendants.
 *
 * Example:
 *	# dtrace -x tool=ssllatency -c 'curl -s https://localhost/'
 *	  curl SSL_read (us)
 *	           value  ------------- Distribution ------------- count
 *	               4 |                                         0
 *	               8 |@@@@@@@@@@@@@@@@@@@@                     1
 *	              16 |@@@@@@@@@@@@@@@@@@@@                     1
 *	              32 |                                         0
 */
#pragma D option quiet
#pragma D option zdefs

pid*:libssl.so*:SSL_read:entry, pid*:libssl.so*:SSL_write:entry,
pid*:libssl.so*:SSL_read_ex:entry, pid*:libssl.so*:SSL_write_ex:entry,
pid*:libssl.so*:SSL_do_handshake:entry
/!self->start && ($target == 0 || progenyof($target))/
{
	self->start = timestamp;
	self->outer = probefunc;
}

pid*:libssl.so*:SSL_read:return, pid*:libssl.so*:SSL_write:return,
pid*:libssl.so*:SSL_read_ex:return, pid*:libssl.so*:SSL_write_ex:return,
pid*:libssl.so*:SSL_do_handshake:return
/self->start && self->outer == probefunc/
{
	@[execname, probefunc] = quantize((timestamp - self->start) / 1000);
	self->start = 0;
}

dtrace:::END
{
	printa("  %s %s (us)%@d\n", @);
}
