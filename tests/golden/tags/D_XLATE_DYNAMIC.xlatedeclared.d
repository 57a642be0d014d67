struct out { int a; int b; };
translator struct out < int i > { a = i; };
struct out *v;
BEGIN { v = xlate <struct out *>(1); }
