struct out { int a; int b; };
BEGIN { trace(xlate <struct out>(1).a); }
