void x;
BEGIN { x = 1; }
