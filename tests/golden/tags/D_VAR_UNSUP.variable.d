BEGIN { trace(msgsize); }
