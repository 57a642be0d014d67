/* Errors of syntax in some clauses, and others in the rest; lines and pragmas stay. */
BEGIN { x = ; this->y = 1; a[1] = "}"; @b = count(); }
tick-1s { trace(x); trace(a[1]); printa(@b); trace(nosuch(1)); }
io:::start /pid == / { self->t = timestamp; }
#pragma D option quiet
io:::done /self->t/ { trace(timestamp - self->t); trace(unassigned); }
END { for (i = 0; i < 3; i++) trace(i); }
ERROR { printf("abc); }
tick-2s { trace(curthread->nosuch); }
profile-97 { trace(arg0) trace(arg1); }
tick-3s { @b = count(1); }
