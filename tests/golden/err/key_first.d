/* The first error is in a key: what it makes is not known, and no further errors are about it. */
BEGIN { @keyed[nosuch] = count(); }
tick-1s { printa("%s %@d\n", @keyed); }
tick-2s { printa(@keyed); trace(nosuch2); }
END { printa("%@d\n", @keyed); clear(@keyed); }
