BEGIN { trace(probe); }
