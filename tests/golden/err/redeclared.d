int v;
string v;
BEGIN { }
