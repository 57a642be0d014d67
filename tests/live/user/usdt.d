/*
 * Static probes: arguments in registers, memory and constants; a semaphore is up while dtrace
 * looks.
 */
/* @@trigger: victim 3 */
/* @@opts: -q */
victim$target:::loop-start {
	printf("%s %d %s %d %d\n", probefunc, arg0, copyinstr(arg1), args[2], args[3]); }
victim$target:victim:points:guarded { printf("%s %d %d\n", probename, args[0], arg1); }
