BEGIN { trace(panic[0]); }
