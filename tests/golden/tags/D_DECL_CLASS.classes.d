self static int x;
BEGIN { }
