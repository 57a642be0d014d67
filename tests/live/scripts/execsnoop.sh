# In the manner of execsnoop: options of a shell wrapper as inlines, system calls by names that
# Linux lacks, psinfo.
opt_time=0 opt_zone=1 opt_safe=1 opt_proj=1 opt_dump=0 filter=1
$DTRACE -n '
 #pragma D option quiet
 #pragma D option switchrate=10hz
 inline int OPT_dump	= '$opt_dump';
 inline int OPT_time	= '$opt_time';
 inline int OPT_zone	= '$opt_zone';
 inline int OPT_safe	= '$opt_safe';
 inline int OPT_proj	= '$opt_proj';
 inline int FILTER	= '$filter';
 inline string COMMAND	= "true";

 dtrace:::BEGIN
 {
	OPT_time ? printf("%-14s ", "TIME") : 1;
	OPT_zone ? printf("%-10s ", "ZONE") : 1;
	OPT_proj ? printf("%5s ", "PROJ") : 1;
	OPT_dump ? printf("%s %s\n", "UID", "PID") : printf("%5s %6s %s\n", "UID", "PID", "ARGS");
 }

 syscall::exec:return, syscall::exece:return
 /progenyof($target) && ((FILTER == 0) || (FILTER == 1 && COMMAND == execname))/
 {
	OPT_time ? printf("%-14d ", timestamp / 1000) : 1;
	OPT_zone ? printf("%-10s ", zonename) : 1;
	OPT_proj ? printf("%5d ", curpsinfo->pr_projid) : 1;
	OPT_dump ? printf("%d %d %S\n", uid, curpsinfo->pr_pid == pid, curpsinfo->pr_psargs) : 1;
	! OPT_dump && ! OPT_safe ? printf("%5d %6d %s\n", uid, pid, curpsinfo->pr_psargs) : 1;
	! OPT_dump && OPT_safe ?
	    printf("%5d %6d %S\n", uid, curpsinfo->pr_pid == pid, curpsinfo->pr_psargs) : 1;
 }' -c "sh -c '/bin/echo x >out; true a >out; /bin/true b \"c d\"; exec /bin/true e'"
