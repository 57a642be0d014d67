# SPDX-License-Identifier: GPL-2.0-or-later
# Which program connects to where: an address whose first word is its kind is taken apart in
# later clauses of the firing.
# @@stderr: ^dtrace: .*$
cat >connect.d <<'D'
#pragma D option quiet
inline int af_inet = 2;
inline int af_inet6 = 10;
struct in4 { uint16_t family; uint16_t port; uint8_t addr[4]; };
BEGIN
{
	err[ECONNREFUSED] = "refused";
	err[ENETUNREACH] = "refused";
	err[0] = "done";
	printf("%-6s %-4s %-10s %5s %s\n", "EXEC", "FAM", "ADDRESS", "PORT", "RESULT");
}
syscall::connect*:entry
/pid == $target/
{
	this->s = (struct in4 *)copyin(arg1, sizeof(struct in4));
	this->f = this->s->family;
}
syscall::connect*:entry
/this->f == af_inet/
{
	self->port = ntohs(this->s->port);
	this->a = (uint8_t *)alloca(4);
	this->a[0] = this->s->addr[0];
	this->a[1] = this->s->addr[1];
	this->a[2] = this->s->addr[2];
	this->a[3] = this->s->addr[3];
	self->address = strjoin(strjoin(lltostr(this->a[0]), "."), lltostr(this->a[3]));
	self->dotted = inet_ntop(AF_INET, this->a);
	self->start = timestamp;
	this->s->port = htons(80);
	@ports[ntohs(this->s->port)] = count();
}
syscall::connect*:return
/self->start/
{
	this->delta = (timestamp - self->start) / 1000;
	this->errstr = err[errno] != NULL ? err[errno] : lltostr(errno);
	printf("%-6s %-4d %-10s %5d %s %s\n", execname, af_inet, self->dotted, self->port,
	    self->address, this->errstr);
	self->start = 0; self->port = 0; self->address = 0; self->dotted = 0;
	@["time"] = max(this->delta);
}
END { printa("written to scratch memory: %d %@d\n", @ports); trunc(@); }
D
$DTRACE -s connect.d -c "bash -c 'exec 3<>/dev/tcp/127.0.0.1/9'" 2>err
