/* @@kernel: */
BEGIN { trace(((struct nosuch *)arg0)->x); }
