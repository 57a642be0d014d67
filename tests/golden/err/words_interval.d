interval:s:1 { exit(0); }
