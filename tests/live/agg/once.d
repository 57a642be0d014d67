/* Printed by printa() means not again at exit; printed while it was empty, before the calls begin,
 * means nothing. */
/* @@trigger: sh -c 'sleep 0.3; exec calls -- 1 1' */
#pragma D option quiet
syscall::lseek:entry
/pid == $target/
{
	@early[arg1] = count();
	@early2 = count();
	@shown = count();
	@hidden = sum(arg1);
	@unnamed["k"] = count();
	@ = min(arg1);
}
BEGIN
{
	printa("nothing yet %d\n", @early);
	printa(@early2);
}
END
{
	printa("shown %@d\n", @shown);
	printa(@hidden);
}
