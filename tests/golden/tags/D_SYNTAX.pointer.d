BEGIN { }
int*x
