/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls that fail: a table of names by number, a default for others, one row for each error. */
/* @@trigger: calls -n 1 7 8 9 */
#pragma D option quiet

dtrace:::BEGIN
{
	err[0] = "Success";
	err[EPERM] = "Operation not permitted";
	err[ENOENT] = "No such file";
	err[EBADF] = "Bad file number";
	printf("%16s %12s %3s  %s\n", "EXEC", "SYSCALL", "ERR", "DESC");
}

syscall:::return
/pid == $target && errno && probefunc == "lseek"/
{
	this->errstr = err[errno] != NULL ? err[errno] : lltostr(errno);
	@errs[execname, probefunc, errno, this->errstr] = count();
	last = errno;
}

syscall::lseek:return
/pid == $target && errno == last && (int)arg0 < 0/
{
	failed++;
	@sign[(int)arg0, (int)arg1 == (int)arg0] = count();
}

dtrace:::END
{
	printa("%16s %12s %3d  %-20s %@d\n", @errs);
	printa("%d %d %@d\n", @sign);
	printf("%d failed\n", failed);
}
