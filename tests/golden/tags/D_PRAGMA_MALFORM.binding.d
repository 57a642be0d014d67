#pragma D binding 1 x
int x;
BEGIN { }
