/* Each clause reports its first error; what follows from another one is none. */
BEGIN { trace(foo); }
tick-1s { self->x = nosuch; @a[execname] = quanta(1); }
tick-2s /self->x/ { trace(self->x); trace(self->x + y); }
dtrace:::nosuch { exit(0); }
END { trace("a" + 5); }
BEGIN { @keyed[nosuch2] = count(); self->keyed[nosuch3] = 1; }
END { printa("%s %@d\n", @keyed); trace(self->keyed[1]); }
