/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which probe it is, in programs that serve one and in those that serve many. */
/* @@trigger: calls -n 7 */
#pragma D option quiet

BEGIN
{
	printf("%s:%s:%s:%s %d %d\n", probeprov, probemod, probefunc, probename, id,
	    epid == ((uint64_t)id << 32 | 1));
	printf("%d %d\n", probefunc == "", probename == "BEGIN");
}

syscall::getp*:entry,
syscall::getppid:return
/pid == $target/
{
	printf("%s", "");
	@one[probeprov, probemod != "", probefunc, probename] = count();
	self->id = id;
	self->name = probefunc;
}

syscall:::entry
/pid == $target && probefunc == "getppid" && probename != "return"/
{
	@many[probeprov, strlen(probefunc), strjoin(probefunc, probename),
	    id == self->id] = count();
}

syscall:::entry
/pid == $target && probefunc < "getppie" && probefunc >= "getppid"/
{
	this->copy = probefunc;
	@copies[this->copy, this->copy == self->name, (epid & 0xffffffff)] = count();
}

END
{
	printa("%s %d %s %s %@d\n", @one);
	printa("%s %d %s %d %@d\n", @many);
	printa("%s %d %d %@d\n", @copies);
}
