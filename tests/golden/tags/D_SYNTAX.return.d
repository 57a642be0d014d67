BEGIN { trace(return); }
