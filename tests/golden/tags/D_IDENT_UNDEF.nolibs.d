/* @@opts: -x nolibs */
BEGIN { trace(ENOENT); }
