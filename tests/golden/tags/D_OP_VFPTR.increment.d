struct never *p;
BEGIN { p++; }
