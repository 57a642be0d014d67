BEGIN { if (pid) trace(1); if (pid) speculate(2); }
