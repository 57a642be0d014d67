/* @@opts: -x libdir=../../fixture/optlib */
inline int x = in_library;
BEGIN { trace(x); }
