/* All errors of a clause are reported, unless they follow from another or repeat it. */
syscall::raed:entry, syscall::wrtie:entry
/unknown1/
{
	self->x = unknown2;
	trace(self->x);
	trace(args[7]);
	if (pid == unknown3)
		trace(unknown4);
	else
		trace(unknown5);
	trace(unknown2);
	exit();
}
BEGIN
{
	if (1) {
		trace(unknown6);
		trace(unknown7);
	} else {
		trace(unknown8);
	}
	this->y = 1;
	trace(this->y);
	@a[unknown9] = count();
	printa(@a);
}
tick-1s
/unknown10/
{
	trace(self->later);
	trace(unknown11);
}
END
{
	self->later = 1;
	trace(self->later);
}
