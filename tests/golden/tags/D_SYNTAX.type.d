inline nosuch_t x = 1;
BEGIN { }
