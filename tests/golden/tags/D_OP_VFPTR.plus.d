struct never *p;
BEGIN { p += 2; }
