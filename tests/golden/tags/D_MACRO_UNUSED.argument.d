/* @@opts: abc */
BEGIN { trace(1); }
