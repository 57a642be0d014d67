int x; int x; string x;
