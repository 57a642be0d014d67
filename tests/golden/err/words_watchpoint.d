watchpoint:0x1234:8:w { exit(0); }
