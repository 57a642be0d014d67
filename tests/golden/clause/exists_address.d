/* What exists() asks about is not used: the variable's address is not taken, and it is a
 * register. */
BEGIN
{
	this->x = (int)timestamp;
	g = exists(&this->x) ? this->x : 0;
}
