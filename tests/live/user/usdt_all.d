/*
 * Static probes of one process and of all in one script: each firing counts once for each clause.
 */
/* @@trigger: victim 3 */
/* @@opts: -q */
victim$target:::loop-start { @one = count(); }
victim*:::loop-start /pid == $target/ { @all = count(); }
pid$target:victim:seven:entry { @pid = count(); }
END { printa("%@d %@d %@d\n", @one, @all, @pid); }
