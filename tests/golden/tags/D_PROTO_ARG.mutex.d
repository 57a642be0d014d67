/* @@kernel: */
BEGIN { trace(mutex_owned("text")); }
