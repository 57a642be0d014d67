/* @@kernel: */
/* Types of the kernel: members, bit-fields, unions, enumerators, functions. */
BEGIN
{
	this->t = (struct task_struct *)arg0;
	x = this->t->real_parent->comm[2];
	y = ((task_t *)arg0)->flags + this->t->half;
	z = this->t->weather == WEATHER_FOUL;
	w = WEATHER_FOUL - 4 < 0;
	v = ((struct wire *)arg0)->b + ((struct wire *)arg0)->d;
	s = sizeof(struct task_struct) + offsetof(struct task_struct, loads[2]);
	f = `kick_task;
	e = vmlinux`WEATHER_FAIR;
}
