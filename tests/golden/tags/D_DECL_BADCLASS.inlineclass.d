inline static int x = 3;
BEGIN { }
