#if 0
BEGIN { exit(0); }
#endif
