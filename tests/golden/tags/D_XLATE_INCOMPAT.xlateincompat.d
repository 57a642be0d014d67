struct out { int a; int b; };
translator struct out < int i > { a = probename; };
BEGIN { trace(xlate <struct out>(1).a); }
