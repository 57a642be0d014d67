struct out { int a; int b; };
translator struct out < int i > { a = xlate <struct out>(i).a; };
BEGIN { trace(xlate <struct out>(1).a); }
