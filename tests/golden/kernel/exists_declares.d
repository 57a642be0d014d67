/* @@kernel: */
BEGIN { trace(exists(sizeof(struct s { int x; }))); }
