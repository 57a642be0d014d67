/* A misspelt keyword is read as the description of a probe; another word follows it. */
typdef int foo_t;
BEGIN { exit(0); }
