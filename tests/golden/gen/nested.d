/* Strings nested twenty times: the time to compile is not doubled by each level. */
BEGIN
{
	trace(
	    basename(basename(basename(basename(basename(
	    basename(basename(basename(basename(basename(
	    basename(basename(basename(basename(basename(
	    basename(basename(basename(basename(basename(
	    execname)))))))))))))))))))));
	trace(
	    strjoin("a", substr(strjoin("a", substr(
	    strjoin("a", substr(strjoin("a", substr(
	    strjoin("a", substr(strjoin("a", substr(
	    strjoin("a", substr(strjoin("a", substr(
	    strjoin("a", substr(strjoin("a", substr(
	    strjoin("a", substr(strjoin("a", substr(
	    strjoin("a", substr(strjoin("a", substr(
	    strjoin("a", substr(strjoin("a", substr(
	    strjoin("a", substr(strjoin("a", substr(
	    strjoin("a", substr(strjoin("a", substr(
	    execname, 0)), 0)), 0)), 0)), 0)), 0)), 0)), 0)), 0)), 0)), 0)), 0)), 0)), 0)), 0)),
	    0)), 0)), 0)), 0)), 0)));
}
