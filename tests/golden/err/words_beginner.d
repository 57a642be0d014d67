/* What a first script has: names of other languages, and strings without quotes. */
BEGIN /execname == bash/ { printf(hello); printf("%s", arg0); }
BEGIN /execname = "bash"/ { @n = count; @s = sum; }
BEGIN { exit; count; }
BEGIN { trace(time); trace(process); trace(user); trace(walltime); trace(filename); trace(perf); }
BEGIN { trace(getpid()); trace(atoi("3")); trace(sprintf("%d", 1)); trace(stract("a", "b")); }
BEGIN { trace("a" + "b"); print(@n, 5); trace(@x[1]); }
