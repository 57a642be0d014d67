/* @@kernel: */
BEGIN { ((struct wire *)alloca(16))->b = 1; }
