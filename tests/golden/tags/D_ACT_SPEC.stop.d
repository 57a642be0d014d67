BEGIN { speculate(speculation()); stop(); }
