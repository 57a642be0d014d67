/* @@kernel: */
BEGIN { trace(`init_tsak); }
