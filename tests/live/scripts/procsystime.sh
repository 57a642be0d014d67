# In the manner of procsystime: the same aggregation in several places, counts, elapsed and CPU
# times with a total.
$DTRACE -n '
#pragma D option quiet
inline int OPT_elapsed = 1; inline int OPT_cpu = 1; inline int OPT_counts = 1;
inline int OPT_total = 1; inline int OPT_pid = 0;
inline int PID = 0;
dtrace:::BEGIN { self->ok = 0; OPT_total ? printf("Tracing... Hit Ctrl-C to end...\n") : 1; }
syscall:::entry /pid == $target || (OPT_pid && pid == PID)/ { self->ok = 1; }
syscall:::entry
/self->ok/
{
	OPT_counts ? @Counts[probefunc] = count() : 1;
	(OPT_counts && OPT_total) ? @Counts["TOTAL:"] = count() : 1;
	OPT_elapsed ? self->start = timestamp : 1;
	OPT_cpu ? self->vstart = vtimestamp : 1;
	self->ok = 0;
}
syscall:::return
/self->start/
{
	this->elapsed = timestamp - self->start;
	@Elapsed[probefunc] = sum(this->elapsed);
	OPT_total ? @Elapsed["TOTAL:"] = sum(this->elapsed) : 1;
	self->start = 0;
}
syscall:::return
/self->vstart/
{
	this->cpu = vtimestamp - self->vstart;
	@CPU[probefunc] = sum(this->cpu);
	OPT_total ? @CPU["TOTAL:"] = sum(this->cpu) : 1;
	self->vstart = 0;
}
dtrace:::END
{
	OPT_elapsed ? printf("\nElapsed Times for command %s,\n\n%16s %18s\n", "x",
	    "SYSCALL", "TIME (ns)") : 1;
	OPT_elapsed ? printa("%16s %@18d\n", @Elapsed) : 1;
	OPT_cpu ? printf("\nCPU Times\n") : 1;
	OPT_cpu ? printa("%16s %@18d\n", @CPU) : 1;
	OPT_counts ? printf("\nCounts\n") : 1;
	OPT_counts ? printa("%16s %@18d\n", @Counts) : 1;
}' -c 'calls -n 100' >out
awk '/^Elapsed/ { part = "e" } /^CPU/ { part = "c" } /^Counts/ { part = "n" }
	$1 == "getppid" || $1 == "TOTAL:" { v[part $1] = $2 }
	part == "n" && $1 != "TOTAL:" { sum += $2 }
	END { print v["ngetppid"], (v["nTOTAL:"] == sum),
		(v["egetppid"] > 0 && v["eTOTAL:"] >= v["egetppid"]),
		(v["cgetppid"] > 0 && v["cgetppid"] <= v["egetppid"]) }' out
