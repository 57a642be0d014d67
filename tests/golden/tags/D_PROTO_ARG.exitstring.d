BEGIN { exit("a"); }
