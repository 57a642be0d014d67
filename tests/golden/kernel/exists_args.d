/* @@kernel: */
BEGIN { trace(exists(1, 2)); }
