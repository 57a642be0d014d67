/* @@trigger: calls -- 1 1 1 2 3 3 4 4 4 */
/* @@opts: -x aggsortkey -x aggsortkeypos=1 */
#pragma D option quiet
syscall::lseek:entry
/pid == $target/
{
	@a[arg1 & 1, 10 - arg1] = count();
	@b[arg1 & 1, 10 - arg1] = sum(-arg1);
}
END
{
	printa("%d %d: %@d %@d\n", @a, @b);
}
