# SPDX-License-Identifier: GPL-2.0-or-later
# What a server is asked for: requests are taken apart by words as they are read.
# @@stderr: ^dtrace: pid [0-9]+ has exited$
cat >request.d <<'D'
#pragma D option quiet
#pragma D option strsize=128
syscall::read:entry
/pid == $target && arg0 == 0/
{
	self->buf = arg1;
}
syscall::read:return
/self->buf && (int)arg0 > 0/
{
	this->req = stringof(copyin(self->buf, arg0));
	this->method = strtok(this->req, " ");
	this->ok = this->method == "GET" || this->method == "POST";
}
syscall::read:return
/this->ok/
{
	this->uri = strtok(NULL, " \r\n");
	this->version = strtok(NULL, "\r\n");
	this->mark = index(this->uri, "?");
	this->path = this->mark >= 0 ? substr(this->uri, 0, this->mark) : this->uri;
	self->path = this->path;
	self->start = timestamp;
	printf("%-4s %-12s %-4s %s\n", this->method, this->path,
	    this->mark >= 0 ? substr(this->uri, this->mark + 1) : "-", this->version);
	@methods[this->method, toupper(substr(this->path, 1, 1))] = count();
}
syscall::read:return
/self->buf/ { self->buf = 0; }
syscall::write:entry
/self->start && pid == $target && arg0 == 1/
{
	this->answer = copyinstr(arg1, 8);
	@took[self->path] = max(timestamp - self->start);
	@codes[substr(this->answer, 0, 3)] = count();
	self->start = 0;
	self->path = 0;
}
END { printa("%s %s %@d\n", @methods); printa("%s: %@d\n", @codes); trunc(@took); }
D
# A shell reads a file as much as it can: one read is one request.
printf 'GET /index.html HTTP/1.0\n' >1
printf 'POST /form?a=1 HTTP/1.1\n' >2
printf 'NONSENSE\n' >3
printf 'GET /other HTTP/1.1\n' >4
echo 'for r in 1 2 3 4; do read -r line <$r; echo "200 OK"; done' >server
$DTRACE -x aggsortkey -s request.d -c 'bash server' 2>err | grep -v '^200 OK$'
