struct out { int a; int b; };
translator struct out < int i > { a = i; };
BEGIN { v = xlate <struct out *>(1); v = (struct out *)alloca(8); }
