# Scratch memory belongs to one firing: system calls of more threads than CPUs, with strings under
# way, are interrupted by a profile that has strings too. Each record must fit itself.
$DTRACE -b 16m -qn '
syscall::lseek:entry /pid == $target/ {
	this->s = strjoin("value:", lltostr(arg1));
	this->t = strjoin(this->s, strjoin("/", lltostr(arg1 * 3)));
	printf("E %d %s %s %d\n", arg1, this->s, this->t, strlen(this->t));
}
syscall::lseek:return /pid == $target/ {
	self->x = strjoin("r", lltostr(arg0));
	@[strjoin(self->x, execname)] = count();
}
profile-4999 /pid == $target/ {
	this->s = strjoin("tick-", lltostr(timestamp % 1000));
	this->t = substr(this->s, 5);
	printf("P %s %s %s\n", this->s, this->t, toupper(this->s));
}
END { printa("B %s %@d\n", @); }' -c 'calls -o made -n 1500 -t 4 111 222222 33333333' >out 2>err
cat err
awk '$1 == "E" { n++; v = "value:" $2; t = v "/" $2 * 3;
	if ($3 != v || $4 != t || $5 != length(t)) { print; bad++ } }
	$1 == "P" { p++; if ("tick-" $3 != $2 || toupper($2) != $4) { print; bad++ } }
	$1 == "B" { print }
	END { print n, (p > 0), bad + 0 }' out | head -20
