/* @@kernel: */
BEGIN { trace(nosuch`x); }
