struct out { int a; int b; };
translator struct out < int i > { a = i; a = 1; };
BEGIN { }
