software:faults:100 { exit(0); }
