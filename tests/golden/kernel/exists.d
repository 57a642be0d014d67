/* @@kernel: */
/* exists() is known at once, and nothing of what it looked at stays. */
inline int HAS = exists(((struct task_struct *)0)->comm);

BEGIN
/exists(`jiffies) && !exists(`untyped_data) && exists(&`untyped_data) && !exists(`nosuch)/
{
	a = exists(b = 1) ? 2 : b;
	c = exists(curthread->nosuch) ? curthread->nosuch : curthread->tgid;
	@m[1] = count();
	d = exists(@m["x"] = count());
	@m[2] = count();
	e = exists(sizeof(struct nosuch)) + exists(offsetof(struct task_struct, comm)) *
	    10 + HAS * 100;
	f = exists((printf("%s", 1), 1));
}

BEGIN
{
	b = "a string";
}
