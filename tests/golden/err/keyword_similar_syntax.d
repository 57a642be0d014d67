/* A misspelt keyword where what follows is no clause. */
inlin int x = 3;
BEGIN { exit(0); }
translater struct a < struct b *p > { m = 1; };
BEGIN { exit(0); }
strct point { int x; };
