# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts in the manner of the tools that people publish, on system calls: which program opens
# what, latencies, reports every so often, what fails, and the flow of a program. Each asserts the
# shape of its output on a workload of its own.
# @@stderr: ^dtrace: (description|pid) .*
# The first script looks at all processes, of which some may not have used their paths yet.
# @@stderr: ^dtrace: error in clause 2 for probe ID [0-9]+ \(syscall:vmlinux:openat:entry\): invalid
echo text >there
cat >work <<'W'
for i in 1 2 3; do cat there; done
cat missing missing2
W

# A shell wrapper: options of the shell become inline ones, the script is in quotes, and a column
# is printed by ?:.
opt_time=1 opt_failed=0 pathname=there
$DTRACE -qn '
inline int OPT_time = '$opt_time';
inline int OPT_failed = '$opt_failed';
inline string PATHNAME = "'$pathname'";
inline int FILTER = PATHNAME != "";
dtrace:::BEGIN
{
	OPT_time ? printf("%-14s ", "TIME") : 1;
	printf("%5s %3s %s\n", "UID", "FD", "PATH");
	first = 0;
}
syscall::openat:entry
/FILTER && copyinstr(arg1) == PATHNAME/
{
	self->path = arg1;
	self->ok = 1;
}
syscall::openat:return
/self->ok && (! OPT_failed || errno != 0)/
{
	!first ? first = timestamp : 1;
	OPT_time ? printf("%-14d ", (timestamp - first) / 1000) : 1;
	printf("%5d %3d %s\n", uid, (int)arg0, copyinstr(self->path));
}
syscall::openat:return
/self->ok/
{
	self->path = 0;
	self->ok = 0;
}' -c 'sh work' 2>/dev/null >out
echo opens:
awk '/^TIME/ { print } $4 == "there" { print ($1 >= 0 && $1 < 60000000), $2, ($3 > 2), $4 }' out

# Latencies: what is started is found again by its name; the first of each name is noted; a
# variable that no clause before assigns; units by a total.
cat >latency.d <<'D'
#pragma D option quiet
dtrace:::BEGIN
{
	printf("Tracing %s\n", $$1 == "" ? "all" : $$1);
	began = timestamp;
	slowest = 0;
}
syscall:::entry
/pid == $target && ($$1 == "" || probefunc == $$1)/
{
	self->start[probefunc] = timestamp;
}
syscall:::return
/(this->start = self->start[probefunc]) != 0/
{
	this->ns = timestamp - this->start;
	self->start[probefunc] = 0;
	@average["average (ns)"] = avg(this->ns);
	@dist[probefunc] = quantize(this->ns);
	@steps[probefunc] = llquantize(this->ns, 10, 0, 9, 10);
	@linear[probefunc] = lquantize(this->ns / 1000, 0, 10, 5);
	@calls[probefunc] = count();
	slowest = this->ns > slowest ? this->ns : slowest;
}
syscall:::return
/this->ns && !seen[probefunc]/
{
	seen[probefunc] = 1;
	names++;
}
dtrace:::END
{
	printa("calls %s %@d\n", @calls);
	printa("  %s %@d\n", @average);
	printa(@dist);
	printa("steps of %s:%@d", @steps);
	printa(@linear);
	printf("%d name, %s, %s\n", names, slowest > 0 &&
	    slowest <= timestamp - began ? "sane" : "not sane",
	    timestamp - began > 10000 ? "64 bits" : "wrapped");
}
D
$DTRACE -x defaultargs -s latency.d -c 'calls -n 500' getppid >out
echo latencies:
awk '/^Tracing|^calls|name,/ { print } /average/ { print (($NF > 0) ? "average" : "none") }
	/value  ----/ { part++ }
	/\|/ { n[part] += $NF } END { print part, n[1], n[2], n[3] }' out

# A report every so often, of what came since the last; the sum of all reports is the total. The
# last is that of END.
cat >report.d <<'D'
#pragma D option quiet
#pragma D option switchrate=10hz
BEGIN { secs = 2; bytes = 0; }
syscall::read:return,
syscall::write:return
/pid == $target && (int)arg0 > 0/
{
	@rate[execname, probefunc] = sum(arg0);
	@ops[execname, probefunc] = count();
	@all[probefunc] = sum(arg0);
	bytes += arg0;
}
profile:::tick-20hz { secs--; }
profile:::tick-20hz
/secs == 0/
{
	normalize(@rate, 1024);
	printf("report %d\n", ++reports);
	printa("%-10s %6s %@8d %@8d\n", @rate, @ops);
	trunc(@rate);
	trunc(@ops, 0);
	secs = 2;
}
END
{
	normalize(@rate, 1024);
	printf("report %d\n", ++reports);
	printa("%-10s %6s %@8d %@8d\n", @rate, @ops);
	normalize(@all, 1024);
	printa("total %s %@d\n", @all);
	clear(@all);
	printa("total %s %@d\n", @all);
}
D
$DTRACE -s report.d -c 'dd if=/dev/zero of=/dev/null bs=1024 count=50000 status=none' >out
echo reports:
awk '$1 == "dd" { k[$2] += $3; n[$2] += $4 } $1 == "total" && !($2 in t) { t[$2] = $3; next }
	$1 == "total" { print $2, "cleared", $3 }
	END { print k["write"], n["write"], t["write"], (k["read"] <= t["read"]) }' out

# What fails, with what led to it: speculations that errors commit.
cat >failed.d <<'D'
#pragma D option quiet
#pragma D option nspec=8
string what[int];
BEGIN
{
	what[ENOENT] = "No such file";
	what[EACCES] = "Permission denied";
}
syscall::openat:entry
/progenyof($target) && (self->file = copyinstr(arg1)) != NULL &&
    (strstr(self->file, "missing") != NULL || self->file == "there")/
{
	self->spec = speculation();
	speculate(self->spec);
	printf("%s(\"%s\")", probefunc, self->file);
}
syscall::openat:return
/self->spec && !errno/ { discard(self->spec); ok++; }
syscall::openat:return
/self->spec && errno/
{
	speculate(self->spec);
	printf(" = %d %s\n", errno, what[errno] != NULL ? what[errno] : "?");
}
syscall::openat:return
/self->spec && errno/ { commit(self->spec); }
syscall::openat:return
/self->spec/ { self->spec = 0; self->file = 0; }
END { printf("%d opened\n", ok); }
D
$DTRACE -s failed.d -c 'sh work' 2>err | grep -v '^text$'

# The flow of a program: what goes in comes out at the same depth.
$DTRACE -Fn 'pid$target:victim:main:entry,pid$target:victim:seven:entry { }
	pid$target:victim:points:entry { trace(copyinstr(arg1)); }
	pid$target:victim:points:return,pid$target:victim:seven:return,pid$target:victim:main:return
	{ }' -c 'victim 1' |
	sed 's/^ *[0-9]* //;s/ *$//;/^$/d'
