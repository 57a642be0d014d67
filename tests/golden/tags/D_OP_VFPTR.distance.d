struct never *p;
BEGIN { trace(p - p); }
