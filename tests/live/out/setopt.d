/* setopt(): options change where the records say, not before. */
/* @@err: */
string name;

BEGIN
{
	@[1] = count();
	@[2] = count();
	@[2] = count();
	printa(@);
	setopt("quiet");
	setopt("aggsortrev");
	printa(@);
	setopt("aggsortrev", "off");
	setopt("agghist", "on");
	printa(@);
	name = "strsize";
	setopt(name, "100");
	setopt("stackindent", strjoin("1", "x"));
	clear(@);
	trunc(@);
	exit(0);
}
