BEGIN
{
	trace(no_such_variable);
}
