/* Functions of a program: arguments, also those on the stack, and what is returned. */
/* @@trigger: victim 3 */
/* @@opts: -q */
pid$target:a.out:seven:entry { printf("%s %s(%d %d %d %d %d %d %d)\n", probemod,
    probefunc, arg0, arg1, arg2, arg3, arg4, arg5, arg6); }
pid$target:victim:seven:return { printf("%s %d\n", probename, arg1); }
pid$target::seven:0 { @at["offset 0"] = count(); }
pid$target:libc:snprintf:entry { @at[arg1 == 32 ? "snprintf of 32" : "?"] = count(); }
pid$target:libc.so.6:fputs:entry, pid$target::atoi:return { @at[probefunc] = count(); }
