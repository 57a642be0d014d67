/* @@kernel: */
BEGIN { trace(`untyped_data); }
