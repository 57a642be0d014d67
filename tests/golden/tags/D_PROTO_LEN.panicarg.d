BEGIN { panic(1); }
