struct never *p;
BEGIN { trace(p + 1); }
