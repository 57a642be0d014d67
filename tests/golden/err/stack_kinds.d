BEGIN { x = stack(2); x = ustack(2); }
BEGIN { trace(pid ? ustack(2) : stack(2)); }
BEGIN { y = ustack(2); y = 1; }
BEGIN { z = 1; z = stack(2); }
BEGIN { trace(ustack(2) == ustack(2)); }
BEGIN { trace(ustack() + 1); }
BEGIN { v = ustack(2); v = jstack(2); }
BEGIN { k = ustack(2); k = usym(arg0); }
BEGIN { printf("%d", ustack()); }
