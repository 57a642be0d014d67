struct out { int a; int b; };
translator struct out < int i > { c = i; };
BEGIN { }
