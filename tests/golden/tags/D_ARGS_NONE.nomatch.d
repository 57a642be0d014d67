/* @@opts: -Z */
nosuch:::here { trace(args[0]); }
