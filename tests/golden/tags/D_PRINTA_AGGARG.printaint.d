BEGIN { printa(5); }
