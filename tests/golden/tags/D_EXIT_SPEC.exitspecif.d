BEGIN { if (pid) { discard(2); speculate(1); } else { exit(1); } exit(0); }
