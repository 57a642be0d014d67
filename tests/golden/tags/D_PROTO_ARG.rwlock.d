/* @@kernel: */
string s;
BEGIN { trace(rw_iswriter(s)); }
