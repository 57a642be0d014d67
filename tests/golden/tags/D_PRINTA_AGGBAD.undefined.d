BEGIN { printa(@x); }
